"""inspector convert: change a model, check the result, and say what changed."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

import msgspec
from msgspec.structs import replace

from inspector import units
from inspector.app.changing import conversion_check
from inspector.app.changing.captured_case import save_case
from inspector.app.changing.conversion_check import ConversionInputs
from inspector.app.changing.sensitivity import can_rank
from inspector.app.estimating.time_gained import effects_with_time
from inspector.app.subjects import Subject
from inspector.backends.values import Progress as Stage
from inspector.cli import model_request, pages
from inspector.cli.commands.convert import NOTHING_TO_DO, SCHEMA
from inspector.cli.options import option_types
from inspector.cli.options.gate_options import CONDITION_HOLDS
from inspector.cli.progress import Progress
from inspector.conversion import action
from inspector.conversion.action import Effect, Recipe, Step, save_recipe
from inspector.conversion.action import Step as RecipeStep
from inspector.conversion.registry import (
    ACTIONS,
    LISTED,
    actions_for,
    actions_of,
    expect_own_actions,
    restoring,
)
from inspector.conversion.result import CheckedConversion, CheckedOutput
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import BadInput, Cancelled
from inspector.formats import opening
from inspector.pages.conversion import actions_page, conversion_page, plan_page
from inspector.pages.language.quality import quality_page
from inspector.pages.sensitivity import sensitivity_page
from inspector.platform import files
from inspector.report.improvement import convert_command
from inspector.report.language.quality import Quality
from inspector.report.run_spec import RunSpec
from inspector.report.sensitivity import Sensitivity
from inspector.wording import stored
from inspector.wording.stored import text_only
from inspector.wording.values import Name, Sentence

_PREPROCESSING = (  # options that a command to paste would have to repeat
    "labels", "tokenizer", "plain", "order", "scale", "mean", "std", "resize", "filter",
    "window", "hop", "context", "rate", "state", "dimensions", "cast",
)  # fmt: skip


def run(options: argparse.Namespace) -> None:
    """Convert a model and check the result. Raises InspectorError: it does not run.

    Raises SystemExit: its outputs are mostly different, a condition holds, or nothing was to
    do and no copy is wanted.
    """
    if options.lists:
        _list(options.json)
        return
    if options.model is None:
        why = "no model was specified"
        raise BadInput("Could not convert", why, "Specify MODEL and at least one ACTION.")
    what = f"Could not convert {units.clip(options.model.name)}"
    actions_of(options.model, what)
    steps: tuple[Step, ...] = ()
    if options.recipe:
        steps = action.load_recipe(options.recipe, ACTIONS).steps
    steps += tuple(action.parse_step(text, ACTIONS) for text in options.actions)
    expect_own_actions(steps, options.model, what)
    if not options.plan:
        steps = restoring(steps, options.model)
    if options.plan:
        _plan(options, steps)
        return
    if options.sensitivity:
        _show_sensitivity(options, steps)
        return
    _check_arguments(options, steps)
    _convert(options, steps)


def _check_arguments(options: argparse.Namespace, steps: Sequence[Step]) -> None:
    what = f"Could not convert {units.clip(options.model.name)}"
    if not steps:
        hint = "Add an action, such as int8; `inspector convert --list` lists all."
        raise BadInput(what, "no action was specified", hint)
    if options.output is None:
        raise BadInput(what, "no output file was specified", "Add -o FILE.")
    model_request.check_output(options, what)


def _list(as_json: bool) -> None:
    every = [*LISTED.values()]
    if as_json:
        shown = [msgspec.to_builtins(each) for each in every]
        for each in shown:
            del each["after"], each["command"]
        print(stored.json_text({"schema": "actions/1", "actions": shown}))
        return

    pages.show(actions_page(every))


def _plan(options: argparse.Namespace, steps: Sequence[Step]) -> None:
    others = [RecipeStep(name) for name in actions_for(opening.format_id(options.model))]
    with (
        Progress(sys.stderr) as progress,
        EngineProcess(progress.show_stall, option_types.job_limits(options)) as engine,
    ):
        model, path = opening.open_model(options.model), options.model
        effects = effects_with_time(engine, path, model, steps, others, RunSpec())
    if options.json:
        body = {
            "schema": "conversion_plan/1",
            "model": options.model.name,
            "steps": [step.text for step in steps],
            "actions": [
                {"action": step.action, **_effect(effect)}
                for step, effect in zip(others, effects, strict=True)
            ],
        }
        print(stored.json_text(body))
        return

    pages.show(plan_page(options.model.name, [*zip(others, effects, strict=True)], steps))


def _effect(effect: Effect) -> dict[str, Any]:
    body: dict[str, Any] = msgspec.to_builtins(effect, enc_hook=text_only)
    return {**body, "applicable": effect.applicable, "text": effect.text}


def _convert(options: argparse.Namespace, steps: Sequence[Step]) -> None:
    (subject, inputs), status = _subject(options), 0
    existed = files.exists(options.output)

    def wanted(checked: CheckedConversion) -> bool:
        nonlocal status
        status = _status(options, checked)
        return not status

    with Progress(sys.stderr) as progress:
        made = conversion_check.convert_to(
            options.output,
            subject,
            steps,
            inputs,
            wanted,
            option_types.job_limits(options),
            progress.show_stall,
            _shown_in(progress),
        )
    checked, result = made.checked, made.checked.conversion
    if options.save_recipe and made.saved:
        save_recipe(Recipe(tuple(steps), made_by=result.made_by), options.save_recipe)
    if options.save_case and made.saved:
        with EngineProcess(limits=option_types.job_limits(options)) as engine:
            save_case(engine, subject, options.output, options.save_case)
    if options.json:
        _print_json(options, checked, made.sizes, status)
    else:
        saved = _saved(options, checked, status, existed)
        advice = _advice(options, checked)
        pages.show(conversion_page(checked, made.sizes, options.limits, saved, advice))
    if status:
        sys.stdout.flush()
        raise SystemExit(status)


def _shown_in(progress: Progress) -> Callable[[str, float], None]:
    return lambda stage, done: progress.show(Stage(stage, done))


def _subject(options: argparse.Namespace) -> tuple[Subject, ConversionInputs]:
    """Return the model as it is prepared, without settings that change what it computes, and
    what it is checked on."""
    subject = model_request.with_assumed_labels(model_request.subject_of(options), options)
    subject = replace(subject, spec=RunSpec(custom_ops=tuple(options.custom_ops)))
    folders = options.calibration, options.test, options.text
    return subject, conversion_check.inputs_of(subject, *folders)


def _status(options: argparse.Namespace, checked: CheckedConversion) -> int:
    """Return the exit status; only with 0 the result is saved."""
    if checked.conversion.unchanged:
        return NOTHING_TO_DO if options.no_copy else 0
    refused = checked.destroyed and not options.accept
    undecidable = bool(options.limits) and not checked.compared
    if refused or undecidable or any(checked.broken(limit) for limit in options.limits):
        return CONDITION_HOLDS
    return 0


def _show_sensitivity(options: argparse.Namespace, steps: Sequence[Step]) -> None:
    what = f"Could not rank the layers of {units.clip(options.model.name)}"
    if not steps:
        raise BadInput(what, "no action was specified", "Add an action, such as int8.")
    subject, inputs = _subject(options)
    state: Sensitivity | Quality | None = None
    stopped, limits = False, option_types.job_limits(options)
    by_layer = can_rank(steps[-1]) and (inputs.calibration or options.text is None)
    with Progress(sys.stderr) as progress:
        show, share = progress.show_stall, _shown_in(progress)
        text, run = None if by_layer else inputs.text, (limits, show, share)
        states: Iterator[Sensitivity | Quality]
        if text is None:
            states = conversion_check.ranked_last(subject, steps, inputs, *run)
        else:
            states = conversion_check.ranked_by_text(subject, steps, text, *run)
        try:
            for known in states:
                state = known
        except (KeyboardInterrupt, Cancelled):
            stopped = True
    if state is not None:
        if options.json:
            print(stored.json_text(state))
        elif isinstance(state, Quality):
            pages.show(quality_page(state))
        else:
            pages.show(sensitivity_page(state))
    if stopped:
        raise Cancelled(
            "Stopped", "" if state is None else "the results so far are shown above"
        )


def _saved(
    options: argparse.Namespace, checked: CheckedConversion, status: int, existed: bool
) -> Sentence:
    """Return what was written, or why nothing was."""
    output = {"file": Name(str(options.output))}
    if not status:
        copy = " (a copy)" * checked.conversion.unchanged
        if options.save_case:
            case = Name(str(options.save_case))
            return Sentence(f"Saved {{file}}{copy} and {{case}}", **output, case=case)
        return Sentence(f"Saved {{file}}{copy}", **output)
    older = " {file} is an older file." * existed
    accept = " To save it all the same, add `--accept`."
    refused = checked.destroyed and not options.accept
    return Sentence(f"Nothing was saved.{older}{accept * refused}", **output)


def _advice(options: argparse.Namespace, checked: CheckedConversion) -> tuple[str, str]:
    """Return what a command is for that deals with destroyed answers, and the command; "" for
    none."""
    remedy = checked.remedy
    if remedy is None:
        return "", ""
    steps = remedy.steps or (checked.conversion.steps if remedy.ranked else ())
    if not steps:
        return "", ""
    texts = [step.text for step in steps]
    if any(getattr(options, name, None) for name in _PREPROCESSING):
        if remedy.steps is None:
            return "", ""
        return "To convert this way, give these steps:", " ".join(texts)
    calibration, test = (str(each or "") for each in (options.calibration, options.test))
    command = convert_command(
        str(options.model), texts, calibration, test, options.custom_ops, options.inputs,
        str(options.output),
    )  # fmt: skip
    if remedy.steps is None:
        command = command.rpartition(" -o ")[0]
        return "To find the layers that cause it:", f"{command} --sensitivity"
    return "To convert this way:", command + " --overwrite" * options.overwrite


def _print_json(
    options: argparse.Namespace, checked: CheckedConversion, sizes: tuple[int, int], status: int
) -> None:
    result = checked.conversion
    verdict = (
        msgspec.to_builtins(checked.worst, enc_hook=text_only)
        if checked.worst is not None
        else None
    )
    body = {
        "schema": SCHEMA,
        "model": options.model.name,
        "output": None if status else str(options.output),
        "verdict": verdict,
        "verdict_text": checked.sentence,
        "not_checked": checked.not_checked,
        "status": status,
        "steps": [
            {"step": step.text, **_effect(effect)}
            for step, effect in zip(result.steps, result.effects, strict=True)
        ],
        "after_steps": msgspec.to_builtins(checked.after_steps),
        "unchanged": result.unchanged,
        "notes": (*result.notes, *checked.notes),
        "made_by": result.made_by,
        "devices": result.devices,
        "calibration_inputs": result.calibrated,
        "calibration_made_up": result.made_up,
        "size_before_bytes": sizes[0],
        "size_after_bytes": sizes[1],
        "levels": [{"level": c.level, "problem": c.problem} for c in result.levels],
        "outputs": [_output(output) for output in checked.compared],
        "float16": result.float16,
        "quality": checked.quality,
        "remedy": _remedy(checked),
        "outputs_not_in_original": checked.missing,
        "conditions": [
            {"text": limit.text, "outputs": checked.broken(limit)} for limit in options.limits
        ],
    }
    print(stored.json_text(body))


def _remedy(checked: CheckedConversion) -> dict[str, Any] | None:
    remedy = checked.remedy
    if remedy is None:
        return None
    return {
        "steps": None if remedy.steps is None else [step.text for step in remedy.steps],
        "verdict": msgspec.to_builtins(remedy.verdict, enc_hook=text_only),
        "tried": [[step.text for step in steps] for steps in remedy.tried],
        "text": remedy.sentence,
    }


def _output(output: CheckedOutput) -> dict[str, Any]:
    return {
        **asdict(output.parity),
        "worst_input": output.worst_input,
        "inputs": output.inputs,
        "same_top": output.same_top,
        "text": output.text,
    }
