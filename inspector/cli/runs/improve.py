"""inspector improve: try recipes on a model, and prove what each of them does."""

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from inspector import units
from inspector.app import subjects
from inspector.app.changing import search
from inspector.app.changing.data_sets import (
    InputFolder,
    check_disjoint,
    read_calibration,
    read_tests,
)
from inspector.app.changing.improvement import Workbench, usual_test
from inspector.app.changing.search_clock import SearchClock
from inspector.app.evaluate import with_folder_labels
from inspector.app.language.quality import ScoredText, shipped_text, text_for
from inspector.backends.values import Progress as Stage
from inspector.cli import gate, model_request, pages
from inspector.cli.options import option_types
from inspector.cli.progress import Progress
from inspector.comparison.improvement_conditions import judged
from inspector.conversion.action import Recipe, Step, parse_step, save_recipe
from inspector.conversion.registry import ACTIONS, actions_of, expect_own_actions
from inspector.errors import BadInput, Cancelled, InspectorError, NotSaved
from inspector.pages.improvement import improvement_page
from inspector.platform import files
from inspector.render.registry import Subject, format_for, save_as
from inspector.report import improvement
from inspector.report.improvement import (
    Candidate,
    Improvement,
    change_text,
    value_text,
    verdict_text,
)
from inspector.report.run_spec import RunSpec

if TYPE_CHECKING:
    Recipes = tuple[tuple[Step, ...], ...]

_NAME = 32


def run(options: argparse.Namespace) -> None:
    """Search. Raises InspectorError; what was tried before is shown if it is stopped."""
    what = f"Could not improve {units.clip(options.model.name)}"
    if (options.test is None) == (options.text is None):
        why = "there is nothing to compare the models on"
        if options.test is not None:
            why = "--test and --text cannot be used together"
        hint = "Add --test FOLDER, or for a language model --text."
        raise BadInput(what, why, hint)
    usual = search.MAX_LOSS if options.text is None else search.MAX_RISE
    goal = search.parse_goal(options.goal, options.max_loss or usual)
    actions_of(options.model, what)
    _check_output(options, what)
    given = _given_recipes(options)
    for steps in given:
        expect_own_actions(steps, options.model, what)
    subject, calibration, tests, text = _data(options)
    state: Improvement | None = None
    stopped, clock = False, SearchClock(len(given))
    with ExitStack() as stack:
        progress = stack.enter_context(Progress(sys.stderr))
        folder = Path(stack.enter_context(files.temporary_folder("inspector-", what)))
        bench = stack.enter_context(
            _workbench(options, subject, (tests, text), calibration, progress, folder, clock)
        )
        try:
            for state in search.improve(bench, goal, calibration, tests, given, folder, clock):
                progress.clear()
                if state.candidates and not (state.untried or options.json):
                    print(_line(state, state.candidates[-1]), flush=True)
        except (KeyboardInterrupt, Cancelled):
            stopped = True
        failure: InspectorError | None = None
        try:
            if state is not None:
                _save(options, state, folder)
        except InspectorError as error:  # the results of a long search are shown all the same
            failure = error
    if state is not None:
        _show(options, state, not failure)
    if failure is not None:
        raise failure
    if stopped:
        raise Cancelled(
            "Stopped", "" if state is None else "the results so far are shown above"
        )
    assert state is not None, "a search that was not stopped has a state"
    _decide(options, state)
    _expect_saved(options, state)


def _check_output(options: argparse.Namespace, what: str) -> None:
    for path in filter(None, (options.report, options.save_recipe)):
        files.expect_to_write(path)
    if options.report:
        format_for(Subject.IMPROVEMENT, options.report)
    if options.output is not None:
        model_request.check_output(options, what)


def _data(
    options: argparse.Namespace,
) -> tuple[subjects.Subject, InputFolder | None, InputFolder | None, ScoredText | None]:
    """Read how the model is prepared, the calibration inputs, the tests, or the text."""
    if options.text is not None:
        subject = model_request.subject_of(options)
        given = options.text if options.text != Path() else shipped_text()
        text = text_for(subject.path, subject.model, subject.tokenizer, given, whole=True)
        calibration = None
        if options.calibration:
            calibration = read_calibration(subject, options.calibration)
        return subject, calibration, None, text
    subject = with_folder_labels(model_request.subject_of(options), options.test, options.truth)
    subject = model_request.with_assumed_labels(subject, options)
    tests, calibration = read_tests(subject, options.test, options.truth), None
    if options.calibration:
        calibration = read_calibration(subject, options.calibration)
        check_disjoint(calibration.digests, tests.digests)
    return subject, calibration, tests, None


def _workbench(
    options: argparse.Namespace,
    subject: subjects.Subject,
    data: tuple[InputFolder | None, ScoredText | None],
    calibration: InputFolder | None,
    progress: Progress,
    folder: Path,
    clock: SearchClock,
) -> Workbench:
    tests, text = data

    def show(stage: str, done: float) -> None:
        progress.about = clock.place.text
        progress.show(Stage(stage, done))

    return Workbench(
        options.model,
        subject.model,
        tests.tests(subject) if tests is not None else [usual_test(subject)],
        [*calibration.feeds(subject.feeds_of)] if calibration else [],
        subject.labels.names,
        RunSpec(custom_ops=tuple(options.custom_ops)),
        limits=option_types.job_limits(options),
        starts=options.processes,
        share=show,
        name=options.output.name if options.output else "",
        pair_layers=bool(options.recipes),
        folder=folder,
        text=text,
    )


def _given_recipes(options: argparse.Namespace) -> "Recipes":
    """Read --try. Raises BadInput: no such action or option."""
    return tuple(
        tuple(parse_step(step, ACTIONS) for step in text.split()) for text in options.recipes
    )


def _save(options: argparse.Namespace, state: Improvement, folder: Path) -> None:
    if options.report:
        save_as(Subject.IMPROVEMENT, options.report, state)
    if state.best < 0:
        return
    best = state.candidates[state.best]
    if options.output:
        search.save_best(state, folder, options.output)
    if options.save_recipe:
        steps = tuple(parse_step(text, ACTIONS) for text in best.steps)
        save_recipe(Recipe(steps, made_by=state.made_by), options.save_recipe)


def _show(options: argparse.Namespace, state: Improvement, saved: bool) -> None:
    if options.json:
        print(improvement.to_json(state).decode(), end="")
        return

    command = ""
    if state.best >= 0:
        command = improvement.convert_command(
            str(options.model),
            state.candidates[state.best].steps,
            str(options.calibration or ""),
            str(options.test or ""),
            state.custom_ops,
            options.inputs,
        )
    output = options.output if state.best >= 0 else None
    files_saved = tuple(str(path) for path in (output, options.report) if path and saved)
    print()
    pages.show(improvement_page(state, command, files_saved))


def _decide(options: argparse.Namespace, state: Improvement) -> None:
    """Hold the result against the conditions; leave with 3 where one holds."""
    findings = judged(options.conditions, state)
    if not options.json:
        gate.show_conditions(findings)
    gate.exit_if_failed(options, findings)


def _expect_saved(options: argparse.Namespace, state: Improvement) -> None:
    """Raise NotSaved where a model or recipe was asked for, and no candidate is the best."""
    asked = options.output or options.save_recipe
    if state.best >= 0 or asked is None:
        return
    few, by_latency = improvement.promising(state), state.goal == improvement.LATENCY
    raise NotSaved(
        f"Nothing was saved to {units.clip(asked.name)}",
        improvement.headline(state),
        "Add test inputs, or allow a larger loss with --max-loss."
        if few
        else "Add --goal size to save the smallest model within the limit."
        if by_latency
        else "Allow a larger loss with --max-loss, or try other recipes with --try.",
    )


def _line(state: Improvement, candidate: Candidate) -> str:
    name = units.clip(candidate.name, _NAME)
    if candidate.problem:
        return f"{name:<{_NAME}}  {units.clip(candidate.problem, 160)}"
    parts = [units.size(candidate.size_bytes)]
    if candidate.latency is not None:
        parts.append(f"p50 {units.duration(round(candidate.latency.p50_ns))}")
    measure = candidate.measure(state.main)
    if measure is not None:
        parts.append(f"{measure.name} {value_text(measure)}")
        parts += filter(None, [change_text(measure)])
    return f"{name:<{_NAME}}  {', '.join(parts)}: {verdict_text(state, candidate)}"
