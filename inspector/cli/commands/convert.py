"""inspector convert: change a model, check the result, and say what changed."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector import units
from inspector.cli import arguments, option_types, session_options
from inspector.errors import BadInput, Cancelled, EngineFailed

if TYPE_CHECKING:
    from inspector.cli.arguments import ModelRequest
    from inspector.conversion.action import Effect, Step
    from inspector.engine.client.engine_process import EngineProcess
    from inspector.experiments.conversion import Conversion, Feeds
    from inspector.preview.runs.parity import OutputParity
    from inspector.report.sensitivity import Sensitivity

SCHEMA = "conversion/1"
_FEW_INPUTS = 4  # of a folder, that the result is checked with


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "model",
        type=Path,
        nargs="?",
        metavar="MODEL",
        help="model file, or a model in an archive (a.zip/net.onnx)",
    )
    parser.add_argument(
        "actions",
        nargs="*",
        metavar="ACTION",
        help="actions to apply, in order: ID or ID:OPTION=VALUE,... (see --list)",
    )
    parser.add_argument("--list", action="store_true", dest="lists", help="list all actions")
    parser.add_argument(
        "--plan",
        action="store_true",
        help="show what each action would do to MODEL, without changing anything",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="file for the new model; must not be MODEL",
    )
    parser.add_argument("--overwrite", action="store_true", help="replace FILE if it exists")
    parser.add_argument(
        "--recipe", type=Path, metavar="FILE", help="run the steps of a saved recipe first"
    )
    parser.add_argument(
        "--save-recipe", type=Path, metavar="FILE", help="save the steps as a recipe"
    )
    parser.add_argument(
        "--calibration",
        type=Path,
        metavar="FOLDER",
        help="typical inputs, for actions that need value ranges",
    )
    parser.add_argument(
        "--sensitivity",
        action="store_true",
        help="for int8 and the quantization of TensorFlow Lite models: rank the layers by the "
        "output error that quantizing each one causes, and show how much the error drops if "
        "the worst ones stay in float; no model is written",
    )
    session_options.add_setting(parser, "custom_ops")
    option_types.add_time_limit(parser, "a load, run or conversion")
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")
    arguments.add_preprocessing_arguments(parser)


def run(options: argparse.Namespace) -> None:
    """Convert a model and check the result. Raises InspectorError: also if a check fails."""
    from inspector.conversion import action
    from inspector.conversion.registry import ACTIONS, actions_of, expect_own_actions

    if options.lists:
        print(_list(options.json))
        return
    if options.model is None:
        raise BadInput(
            "Could not convert",
            "no model was specified",
            "Specify MODEL and at least one ACTION.",
        )
    what = f"Could not convert {units.clip(options.model.name)}"
    actions_of(options.model, what)
    steps: tuple[Step, ...] = ()
    if options.recipe:
        steps = action.load_recipe(options.recipe, ACTIONS).steps
    steps += tuple(action.parse_step(text, ACTIONS) for text in options.actions)
    expect_own_actions(steps, options.model, what)
    if options.plan:
        _plan(options, steps)
        return
    if options.sensitivity:
        _show_sensitivity(options, steps)
        return
    _check_arguments(options, steps)
    _convert(options, steps)


def _check_arguments(options: argparse.Namespace, steps: "Sequence[Step]") -> None:
    what = f"Could not convert {units.clip(options.model.name)}"
    if not steps:
        hint = "To list the actions, run 'inspector convert --list'."
        raise BadInput(what, "no action was specified", hint)
    if options.output is None:
        raise BadInput(what, "no output file was specified", "Add -o FILE.")
    arguments.check_output(options, what)


def _list(as_json: bool) -> str:
    from inspector.conversion.registry import ACTIONS

    every = [*ACTIONS.values()]
    if as_json:
        import msgspec

        return msgspec.json.encode({"schema": "actions/1", "actions": every}).decode()
    lines, group = list[str](), ""
    for action in every:
        if action.group != group:
            group = action.group
            lines += ["", group] if lines else [group]
        by = f" (by {action.library})" if action.library else ""
        lines.append(f"  {action.id:<20} {action.summary}{by}")
        for option in action.options:
            choices = f" ({', '.join(option.choices)})" if option.choices else ""
            default = f" [{option.default}]" if option.default else ""
            lines.append(f"    {option.name:<18} {option.help}{choices}{default}")
    return "\n".join(lines)


def _plan(options: argparse.Namespace, steps: "Sequence[Step]") -> None:
    from inspector.cli.progress import Progress
    from inspector.conversion.action import Step as RecipeStep
    from inspector.conversion.registry import actions_for
    from inspector.engine.client.engine_process import EngineProcess
    from inspector.formats import opening

    others = [RecipeStep(name) for name in actions_for(opening.format_id(options.model))]
    with (
        Progress(sys.stderr) as progress,
        EngineProcess(progress.show_stall, option_types.job_limits(options)) as engine,
    ):
        effects = engine.effects(options.model, steps, others)
    if options.json:
        import msgspec

        body = {
            "schema": "conversion_plan/1",
            "model": options.model.name,
            "steps": [step.text for step in steps],
            "actions": [
                {"action": step.action, **_effect(effect)}
                for step, effect in zip(others, effects, strict=True)
            ],
        }
        print(msgspec.json.encode(body).decode())
        return
    pairs = zip(others, effects, strict=True)
    order = sorted(pairs, key=lambda pair: (not pair[1].applicable, not pair[1].needs))
    for step, effect in order:
        print(f"{step.action:<20} {effect.text}")
        if effect.applicable and effect.caution:
            print(f"{'':<20} {effect.caution}")


def _effect(effect: "Effect") -> dict[str, Any]:
    import msgspec

    body: dict[str, Any] = msgspec.to_builtins(effect)
    return {**body, "applicable": effect.applicable, "text": effect.text}


def _convert(options: argparse.Namespace, steps: "Sequence[Step]") -> None:
    from inspector.backends.values import Progress as Stage
    from inspector.cli.progress import Progress
    from inspector.conversion.action import Recipe, save_recipe
    from inspector.engine.client.engine_process import EngineProcess
    from inspector.experiments import conversion as conversions
    from inspector.experiments import float16_check, float16_layers
    from inspector.platform import files
    from inspector.preview.runs import parity

    request = arguments.with_assumed_labels(arguments.read_request(options), options)
    what = f"Could not convert {units.clip(options.model.name)}"
    with (
        files.temporary_folder("inspector-", what) as folder,
        Progress(sys.stderr) as progress,
        EngineProcess(
            progress.show_stall,
            option_types.job_limits(options),
            reads=(options.model, Path(folder) / options.output.name),
        ) as engine,
    ):

        def share(stage: str, done: float) -> None:
            progress.show(Stage(stage, done))

        inputs = tuple(_inputs(options, request, engine))
        result = float16_layers.convert(
            engine,
            options.model,
            steps,
            Path(folder),
            inputs,
            share,
            options.output.name,
            options.custom_ops,
        )
        result = conversions.checked(
            engine, result, inputs[:_FEW_INPUTS], _spec(options), share
        )
        if result.problem:
            raise EngineFailed(
                what,
                f"the resulting model does not run: {result.problem}",
                "Nothing was written. Try other options, or keep some layers unchanged.",
            )
        result = float16_check.checked(engine, result, inputs, _spec(options), share)
        outputs = parity.outputs(
            *conversions.both_outputs(engine, result, inputs[0]), request.labels
        )
        sizes = (
            options.model.stat().st_size,
            sum((result.path.parent / name).stat().st_size for name in result.files),
        )
        if not result.unchanged:
            conversions.save(result, options.output)
    if options.save_recipe:
        save_recipe(Recipe(tuple(steps), made_by=result.made_by), options.save_recipe)
    if options.json:
        _print_json(options, result, outputs, sizes)
    else:
        print("\n".join(_lines(options, result, outputs, sizes)))


def _show_sensitivity(options: argparse.Namespace, steps: "Sequence[Step]") -> None:
    from inspector.backends.values import Progress as Stage
    from inspector.cli.progress import Progress
    from inspector.engine.client.engine_process import EngineProcess
    from inspector.experiments import float16_layers
    from inspector.experiments.sensitivity import ranked
    from inspector.platform import files
    from inspector.report import sensitivity as sensitivities

    what = f"Could not rank the layers of {units.clip(options.model.name)}"
    if not steps:
        raise BadInput(what, "no action was specified", "Add an action, such as int8.")
    request = arguments.with_assumed_labels(arguments.read_request(options), options)
    state: Sensitivity | None = None
    stopped = False
    with (
        files.temporary_folder("inspector-", what) as folder,
        Progress(sys.stderr) as progress,
        EngineProcess(progress.show_stall, option_types.job_limits(options)) as engine,
        EngineProcess(progress.show_stall, option_types.job_limits(options)) as candidates,
    ):

        def share(stage: str, done: float) -> None:
            progress.show(Stage(stage, done))

        inputs, model = tuple(_inputs(options, request, engine)), options.model
        if steps[:-1]:
            model = float16_layers.convert(
                engine, model, steps[:-1], Path(folder), inputs, share, f"before-{model.name}",
                options.custom_ops,
            ).path  # fmt: skip
        try:
            for known in ranked(
                engine, candidates, model, steps[-1], Path(folder), inputs, share,
                options.custom_ops,
            ):  # fmt: skip
                state = known
        except (KeyboardInterrupt, Cancelled):
            stopped = True
    if state is not None:
        if options.json:
            import msgspec

            print(msgspec.json.encode(state).decode())
        else:
            print("\n".join(sensitivities.lines(state)))
    if stopped:
        raise Cancelled(
            "Stopped", "" if state is None else "the results so far are shown above"
        )


def _spec(options: argparse.Namespace) -> Any:
    from inspector.report.run_spec import RunSpec

    return RunSpec(custom_ops=tuple(options.custom_ops))


def _inputs(
    options: argparse.Namespace, request: "ModelRequest", engine: "EngineProcess"
) -> "Iterator[Feeds]":
    """Yield the inputs to calibrate and check with: those of a folder, or the given ones."""
    from inspector.experiments.conversion import MOST_CALIBRATION
    from inspector.preview.inputs import feeds, guessed_axes

    if options.calibration:
        paths = arguments.folder_files(request, options.calibration)
        for path in paths[:MOST_CALIBRATION]:
            yield arguments.feeds_of_file(request, options, path)
        return

    guessed = guessed_axes.first_that_runs(
        request.with_lengths,
        lambda tensors: engine.predict(
            options.model, _spec(options), feeds.feeds_by_name(tensors)
        ),
        lambda tensors: tensors,
        arguments.parsed_inputs(request.model, request.given),
        request.dimensions,
        request.filled(),
    )
    yield feeds.feeds_by_name(guessed.filling)


def _lines(
    options: argparse.Namespace,
    result: "Conversion",
    outputs: "Sequence[OutputParity]",
    sizes: tuple[int, int],
) -> list[str]:
    from inspector.analysis.verdicts import float16
    from inspector.experiments.conversion import KERNELS
    from inspector.preview.runs.parity import summary_text

    lines = []
    for step, effect in zip(result.steps, result.effects, strict=True):
        lines.append(f"{step.text:<20} {effect.text}")
    lines += [f"note: {note}" for note in result.notes]
    if result.unchanged:
        lines.append("No step had anything to do, so no file was written.")
        return lines
    change = sizes[1] / sizes[0] - 1
    lines.append("")
    lines.append(
        f"size                 {units.size(sizes[0])} to {units.size(sizes[1])} ({change:+.0%})"
    )
    names = [check.level for check in result.levels]
    ran = f"at {len(names)} of 4 optimization levels"
    if tuple(names) == tuple(KERNELS):
        ran = f"with {' and with '.join(names)}"
    if result.devices:
        ran += f" on {' and '.join(result.devices)}"
    lines.append(f"opens and runs       {ran}")
    for output in outputs:
        lines.append(f"{units.clip(output.name, 20):<20} {summary_text(output)}")
    if result.float16 is not None:
        lines += float16.lines(result.float16)
    lines.append(f"saved {options.output}")
    return lines


def _print_json(
    options: argparse.Namespace,
    result: "Conversion",
    outputs: "Sequence[OutputParity]",
    sizes: tuple[int, int],
) -> None:
    import msgspec

    body = {
        "schema": SCHEMA,
        "model": options.model.name,
        "output": None if result.unchanged else str(options.output),
        "steps": [
            {"step": step.text, **_effect(effect)}
            for step, effect in zip(result.steps, result.effects, strict=True)
        ],
        "unchanged": result.unchanged,
        "notes": result.notes,
        "made_by": result.made_by,
        "devices": result.devices,
        "size_before_bytes": sizes[0],
        "size_after_bytes": sizes[1],
        "levels": [{"level": c.level, "problem": c.problem} for c in result.levels],
        "outputs": outputs,
        "float16": result.float16,
    }
    print(msgspec.json.encode(body).decode())
