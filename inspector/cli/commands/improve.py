"""inspector improve: try recipes on a model, and prove what each of them does."""

import argparse
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector import units
from inspector.cli import arguments, gate, option_types, pages, session_options
from inspector.errors import BadInput, Cancelled, InspectorError
from inspector.platform import files

if TYPE_CHECKING:
    from inspector.cli.arguments import ModelRequest
    from inspector.cli.progress import Progress
    from inspector.comparison.ci_conditions import Condition
    from inspector.conversion.action import Step
    from inspector.experiments.improvement import TestInput, Workbench
    from inspector.experiments.search_clock import SearchClock
    from inspector.preview.runs.truths import Truth
    from inspector.report.improvement import Candidate, Improvement

    Recipes = tuple[tuple[Step, ...], ...]

SCHEMA = "improvement/1"
_NAME = 32


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    arguments.add_arguments(parser)
    data = parser.add_argument_group("data")
    data.add_argument(
        "--test",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="folder of inputs on which the models are compared; a verdict on accuracy needs "
        "at least 30",
    )
    data.add_argument(
        "--truth",
        default="",
        metavar="FILE|folders|none",
        help="expected results for the test inputs: a CSV file with file,label (or boxes, "
        "masks, values or text; see the documentation), or the subfolder names as labels (the "
        "default if all of them are labels)",
    )
    data.add_argument(
        "--calibration",
        type=Path,
        metavar="FOLDER",
        help="typical inputs for actions that need value ranges; none of them may be "
        "a test input",
    )
    group = parser.add_argument_group("search")
    group.add_argument(
        "--try",
        action="append",
        default=[],
        dest="recipes",
        metavar="STEP[ STEP ...]",
        help="try this recipe, as in 'inspector convert'; repeatable (default: common recipes)",
    )
    group.add_argument(
        "--goal", default="p50", metavar="p50|size", help="what to minimize (default: p50)"
    )
    option_types.add_renamed(
        group,
        "--max-loss",
        "--keep",
        default="1%",
        metavar="LOSS",
        help="how many points the accuracy may drop, such as 0.5%%, or 'any' (default: 1%%)",
    )
    option_types.add_renamed(
        group,
        "--processes",
        "--starts",
        type=option_types.at_least(0),
        metavar="N",
        help="pairs of processes per latency measurement; 0 skips it "
        "(default: 4, the fewest that show how much processes differ)",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="save the best model to this file; must not be MODEL",
    )
    parser.add_argument("--overwrite", action="store_true", help="replace FILE if it exists")
    parser.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help="save the results (.html, .pdf, .md or .json)",
    )
    parser.add_argument("--save-recipe", type=Path, metavar="FILE", help="save the best recipe")
    session_options.add_setting(parser, "custom_ops")
    gate.add_conditions(parser, _condition, "'accuracy<-1%%' or 'latency.p50>+0%%'")
    option_types.add_time_limit(parser, "a load, run or conversion")
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")


def _condition(text: str) -> "Condition":
    from inspector.comparison.improvement_conditions import parse

    try:
        return parse(text)
    except BadInput as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def run(options: argparse.Namespace) -> None:
    """Search. Raises InspectorError; what was tried before is shown if it is stopped."""
    from inspector.cli.progress import Progress
    from inspector.conversion.registry import actions_of, expect_own_actions
    from inspector.experiments import improvement as improving
    from inspector.experiments.search_clock import SearchClock

    goal = improving.parse_goal(options.goal, options.max_loss)
    what = f"Could not improve {units.clip(options.model.name)}"
    actions_of(options.model, what)
    _check_output(options, what)
    given = _given_recipes(options)
    for steps in given:
        expect_own_actions(steps, options.model, what)
    request, tests, calibration, data = _data(options)
    state: Improvement | None = None
    stopped, clock = False, SearchClock(len(given))
    with ExitStack() as stack:
        progress = stack.enter_context(Progress(sys.stderr))
        folder = Path(stack.enter_context(files.temporary_folder("inspector-", what)))
        bench = stack.enter_context(
            _workbench(options, request, tests, calibration, progress, folder, clock)
        )
        try:
            first = state = improving.start(bench, goal, *data)
            recipes = given or bench.usual_recipes()
            clock.extend(len(recipes))
            for state in improving.search(
                bench, first, goal, recipes, folder, not given, clock
            ):
                progress.clear()
                if not options.json:
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


def _check_output(options: argparse.Namespace, what: str) -> None:
    for path in filter(None, (options.report, options.save_recipe)):
        files.expect_to_write(path)
    if options.report:
        from inspector.export.registry import Subject, format_for

        format_for(Subject.IMPROVEMENT, options.report)
    if options.output is not None:
        arguments.check_output(options, what)


def _data(
    options: argparse.Namespace,
) -> "tuple[ModelRequest, list[TestInput], list[Any], tuple[Any, Any]]":
    """Read the inputs: how the model is prepared, the tests, the calibration, both as sets."""
    from inspector.experiments.calibration import MOST_CALIBRATION
    from inspector.experiments.improvement import TestInput, check_disjoint, data_set
    from inspector.preview.runs import folder as folders
    from inspector.preview.runs import truths

    request = arguments.read_request(options)
    paths = arguments.folder_files(request, options.test)
    if not request.labels and options.truth == folders.FOLDERS:
        request = replace(request, labels=folders.folder_labels(options.test, paths))
    request = arguments.with_assumed_labels(request, options)
    wanted, others_wanted = truths.read(options.truth, options.test, paths, request.labels)
    info = folders.input_for(request.model.inputs, request.given)

    def expected(path: Path) -> "Callable[[], Truth] | None":
        load = others_wanted.get(path)
        return load and partial(truths.placed, load, path, info, request.image)

    tests = [
        TestInput(
            folders.relative_path(options.test, path),
            partial(arguments.feeds_of_file, request, options, path),
            wanted.get(path, ""),
            expected(path),
        )
        for path in paths
    ]
    calibration, calibration_set = list[Any](), None
    if options.calibration:
        others = arguments.folder_files(request, options.calibration)[:MOST_CALIBRATION]
        check_disjoint(others, paths)
        calibration = [arguments.feeds_of_file(request, options, path) for path in others]
        calibration_set = data_set(options.calibration, others)
    labeled = sum(bool(test.truth or test.expected) for test in tests)
    test_set = data_set(options.test, paths, labeled)
    return request, tests, calibration, (calibration_set, test_set)


def _workbench(
    options: argparse.Namespace,
    request: "ModelRequest",
    tests: "Sequence[TestInput]",
    calibration: Sequence[Any],
    progress: "Progress",
    folder: Path,
    clock: "SearchClock",
) -> "Workbench":
    from inspector.backends.values import Progress as Stage
    from inspector.experiments.improvement import Workbench
    from inspector.report.run_spec import RunSpec

    def show(stage: str, done: float) -> None:
        progress.about = clock.place.text
        progress.show(Stage(stage, done))

    return Workbench(
        options.model,
        request.model,
        tests,
        calibration,
        request.labels,
        RunSpec(custom_ops=tuple(options.custom_ops)),
        limits=option_types.job_limits(options),
        starts=options.processes,
        share=show,
        name=options.output.name if options.output else "",
        pair_layers=bool(options.recipes),
        folder=folder,
    )


def _given_recipes(options: argparse.Namespace) -> "Recipes":
    """Read --try. Raises BadInput: no such action or option."""
    from inspector.conversion.action import parse_step
    from inspector.conversion.registry import ACTIONS

    return tuple(
        tuple(parse_step(step, ACTIONS) for step in text.split()) for text in options.recipes
    )


def _save(options: argparse.Namespace, state: "Improvement", folder: Path) -> None:
    from inspector.conversion.action import Recipe, parse_step, save_recipe
    from inspector.conversion.registry import ACTIONS
    from inspector.experiments.improvement import save_best
    from inspector.export.registry import Subject, format_for

    if options.report:
        form = format_for(Subject.IMPROVEMENT, options.report)
        files.write_atomic(options.report, bytes(form.writer(state)))
    if state.best < 0:
        return
    best = state.candidates[state.best]
    if options.output:
        save_best(state, folder, options.output)
    if options.save_recipe:
        steps = tuple(parse_step(text, ACTIONS) for text in best.steps)
        save_recipe(Recipe(steps, made_by=state.made_by), options.save_recipe)


def _show(options: argparse.Namespace, state: "Improvement", saved: bool) -> None:
    from inspector.report import improvement

    if options.json:
        print(improvement.to_json(state).decode(), end="")
        return
    from inspector.pages.improvement import improvement_page

    command = ""
    if state.best >= 0:
        command = improvement.convert_command(
            str(options.model),
            state.candidates[state.best].steps,
            str(options.calibration or ""),
            str(options.test),
            state.custom_ops,
            options.inputs,
        )
    output = options.output if state.best >= 0 else None
    files_saved = tuple(str(path) for path in (output, options.report) if path and saved)
    print()
    pages.show(improvement_page(state, command, files_saved))


def _decide(options: argparse.Namespace, state: "Improvement") -> None:
    """Hold the result against the conditions; leave with 3 where one holds."""
    from inspector.comparison.improvement_conditions import judged

    findings = judged(options.conditions, state)
    if not options.json:
        gate.show_conditions(findings)
    gate.exit_if_failed(options, findings)


def _line(state: "Improvement", candidate: "Candidate") -> str:
    from inspector.report.improvement import change_text, value_text, verdict_text

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
