"""inspector layers: run a model layer by layer, alone or beside another way of running it."""

import argparse
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector import files, units
from inspector.cli import inputs, session_options
from inspector.cli.numbers import MOST, at_least, tolerance
from inspector.errors import BadInput

if TYPE_CHECKING:
    from inspector.analysis.stepping import Alone, LayerStep, Stepping
    from inspector.engine.process import Against, EngineProcess
    from inspector.prediction import OutputValue
    from inspector.preview.feeds import Filled
    from inspector.report import RunSpec

SCHEMA = "layers/1"
_MODELS = (".onnx", ".ort")
_KEYS = ("device", "level", "model", "threads")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command takes."""
    parser.add_argument("model", type=Path, metavar="MODEL")
    inputs.add_arguments(parser)
    session_options.add_devices(parser, "repeatable")
    session_options.add_on_cpu(parser)
    parser.add_argument("--threads", type=at_least(0), default=0, metavar="N")
    parser.add_argument(
        "--optimization",
        choices=session_options.LEVELS,
        default="none",
        help="default: none; at any level no layer is fused, since each gives its tensors out",
    )
    parser.add_argument(
        "--against",
        metavar="SIDE",
        help="compare with: reference (ONNX's own evaluator), a device, another model's file, "
        "or settings as level=all,threads=1,device=ID,model=FILE",
    )
    parser.add_argument(
        "--tolerance",
        type=tolerance,
        metavar="T",
        help="largest error in parts of a tensor's largest value; default: by type",
    )
    parser.add_argument("--layer", metavar="NAME", help="only this one, by name or number")
    parser.add_argument("--alone", action="store_true", help="time --layer by itself")
    parser.add_argument(
        "--runs", type=at_least(1), default=30, metavar="N", help="for --alone; default: 30"
    )
    parser.add_argument("--save", type=Path, metavar="DIR", help="write what --layer gives")
    parser.add_argument("--json", action="store_true", help=f"print one object, {SCHEMA}")


def run(options: argparse.Namespace) -> None:
    """Step through. Raises InspectorError: unreadable, does not fit, the runtime refused."""
    import sys

    from inspector.cli import layers_text
    from inspector.cli.progress import Progress
    from inspector.engine.process import EngineProcess
    from inspector.preview.feeds import fed

    _check(options)
    spec, filled = _asked(options)
    against, feeds = _against(options.against, spec), fed(filled)
    with Progress(sys.stderr) as progress, EngineProcess(progress.show) as engine:
        found = engine.steps(options.model, spec, feeds, against, options.tolerance)
        step = _chosen(found, options.layer) if options.layer else None
        alone = None
        if options.alone and step is not None:
            alone = engine.alone(options.model, spec, feeds, step.index)
        saved = _saved(engine, options, spec, feeds, against, step) if options.save else ()
    if options.json:
        _print_json(found, filled, step, alone)
    else:
        print("\n".join(layers_text.lines(found, filled, step, alone)))
        print("".join(f"saved {units.visible(path)}\n" for path in saved), end="")


def _check(options: argparse.Namespace) -> None:
    if (options.alone or options.save) and not options.layer:
        option = "--alone" if options.alone else "--save"
        raise BadInput("Could not begin", f"{option} is about one layer", "Add --layer NAME.")


def _asked(options: argparse.Namespace) -> "tuple[RunSpec, tuple[Filled, ...]]":
    """Read how to run the model, and make its inputs."""
    from inspector.preview.feeds import fill_all
    from inspector.preview.image import ImageOptions
    from inspector.readers import open_model
    from inspector.report import Dimension, RunSpec

    model = open_model(options.model)
    given = inputs.values(options.inputs, model)
    image = ImageOptions.of(model, options.cast)
    filled = fill_all(inputs.taken(model, given), given, dict(options.dimensions), image)
    named = ((name, size) for name, size in options.dimensions if name in model.dimensions)
    spec = RunSpec(
        devices=tuple(dict.fromkeys(options.devices)) or ("cpu",),
        optimization=options.optimization,
        threads=options.threads,
        runs=options.runs,
        dimensions=tuple(Dimension(name, size) for name, size in named),
        cast=options.cast,
    )
    return spec, filled


def _against(text: str | None, spec: "RunSpec") -> "Against | None":
    """Read SIDE; what it does not name is as on our side."""
    from inspector.engine.process import Against

    if text is None:
        return None
    if text == "reference":
        return Against()
    if Path(text).suffix.lower() in _MODELS or files.is_file(Path(text)):
        return Against(spec, str(Path(text).absolute()))
    side = Against(spec)
    for part in text.split(","):
        key, sign, value = part.partition("=")
        if not sign:
            key, value = "device", key
        if key not in _KEYS:
            why = f"'{units.clip(key, 40)}' is none of {', '.join(_KEYS)}"
            raise BadInput(f"Could not read --against {units.clip(text, 80)}", why)
        side = _with(side, key, value, text)
    return side


def _with(side: "Against", key: str, value: str, text: str) -> "Against":
    assert side.spec is not None
    if key == "model":
        return replace(side, model=str(Path(value).absolute()))
    if key == "device":
        return replace(side, spec=replace(side.spec, devices=(value,)))
    if key == "level":
        return replace(side, spec=replace(side.spec, optimization=value))
    if not value.isdecimal() or int(value) > MOST:
        what = f"Could not read --against {units.clip(text, 80)}"
        raise BadInput(what, f"'{units.clip(value, 40)}' is no number of threads")
    return replace(side, spec=replace(side.spec, threads=int(value)))


def _chosen(found: "Stepping", name: str) -> "LayerStep":
    """Find a layer by name or number. Raises BadInput: there is none, or nothing is known."""
    from difflib import get_close_matches

    step = next((each for each in found.steps if each.name == name), None)
    if step is None and name.isdecimal():
        step = next((each for each in found.steps if each.index == int(name)), None)
    if step is None:
        near = get_close_matches(name, [each.name for each in found.steps], n=1)
        hint = f"Did you mean '{units.clip(near[0], 80)}'?" if near else ""
        raise BadInput(f"{found.model} has no layer '{units.clip(name, 80)}'", "", hint)
    if step.problem:
        raise BadInput(f"Could not look at layer '{units.clip(step.name, 80)}'", step.problem)
    return step


def _saved(
    engine: "EngineProcess",
    options: argparse.Namespace,
    spec: "RunSpec",
    feeds: dict[str, Any],
    against: "Against | None",
    step: "LayerStep | None",
) -> tuple[Path, ...]:
    """Write the outputs of a layer, ours and those of the other side."""
    from inspector.preview import saving

    assert step is not None
    values: list[OutputValue] = []
    for output in step.outputs:
        answer = engine.value(options.model, spec, feeds, output.name, against)
        names = (output.name, f"{output.name} against")
        pairs = zip(answer.outputs, names, strict=False)
        values += [replace(value, name=name) for value, name in pairs]
    return saving.save(values, options.save)


def _print_json(
    found: "Stepping",
    filled: "tuple[Filled, ...]",
    step: "LayerStep | None",
    alone: "Alone | None",
) -> None:
    import msgspec

    from inspector.analysis.statistics import statistics
    from inspector.analysis.stepping import summary

    steps = (step,) if step else found.steps
    named = ("divergence", "first_nan", "first_infinite")
    body = {
        "schema": SCHEMA,
        **{
            key: value
            for key, value in asdict(replace(found, steps=())).items()
            if key != "steps"
        },
        "inputs": [{"name": each.name, "value": each.value} for each in filled],
        **{key: getattr(getattr(found, key), "index", None) for key in named},
        "summary": summary(found),
        "layers": [asdict(each) | {"over": each.over} for each in steps],
    }
    if alone is not None:
        timed = statistics(alone.samples_ns)
        body["alone"] = asdict(alone) | {"statistics": timed and asdict(timed)}
    print(msgspec.json.encode(body).decode())
