"""inspector parity: the same input answered in two ways, and how far apart the answers are."""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector import units
from inspector.cli import asked as asking
from inspector.cli import session_options
from inspector.errors import BadInput, InspectorError

if TYPE_CHECKING:
    from inspector.cli.asked import Asked
    from inspector.engine.process import EngineProcess
    from inspector.prediction import Prediction
    from inspector.preview.feeds import Filled
    from inspector.preview.parity import Against, Limit, OutputParity
    from inspector.report import RunSpec

SCHEMA = "parity/1"
CONDITION_HOLDS = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command takes."""
    asking.add_arguments(parser)
    add_against(parser, required=True)
    parser.add_argument("--device", default="cpu", metavar="ID", help="of the first; cpu")
    session_options.add_on_cpu(parser)
    parser.add_argument(
        "--optimization", choices=("none", "basic", "extended", "all"), default="all"
    )
    parser.add_argument(
        "--fail-if",
        action="append",
        default=[],
        type=_limit,
        metavar="CONDITION",
        dest="limits",
        help="exit with 3 if it holds for an output, as 'max_abs>1e-3', 'psnr<40', 'top1<1'; "
        "repeatable",
    )
    parser.add_argument("--save", type=Path, metavar="DIR", help="heat maps of differences")
    parser.add_argument("--json", action="store_true", help=f"print one object, {SCHEMA}")


def add_against(parser: argparse._ActionsContainer, required: bool = False) -> None:
    """Add --against, which says what the second way is."""
    parser.add_argument(
        "--against",
        type=_against,
        required=required,
        metavar="WAY",
        help="level=none|basic|extended|all, device=ID, model=PATH, or reference "
        "(ONNX's own evaluator)",
    )


def run(options: argparse.Namespace) -> None:
    """Answer twice and compare. Raises InspectorError: a way failed, or shapes differ.

    Raises SystemExit where a condition holds.
    """
    from inspector.engine.process import EngineProcess
    from inspector.preview import feeds, parity, sequence
    from inspector.report import RunSpec

    asked = asking.asked(options)
    filled = asked.filled()
    spec = RunSpec(
        (options.device,), options.optimization, cast=options.cast, on_cpu=tuple(options.on_cpu)
    )
    with EngineProcess() as engine:

        def once(arrays: Any) -> "Prediction":
            return engine.predict(asked.path, spec, arrays)

        first = sequence.answer(once, filled, asked.stepping.memory)
        second, notes = other(engine, spec, options, asked, filled)
    found = parity.outputs(first.outputs, second.outputs, asked.labels)
    if options.save:
        _save_heats(options.save, first, second, found)
    if options.json:
        _print_json(options, asked, (first, second), found, notes)
    else:
        steps = feeds.pace(filled, asked.stepping).steps
        print("\n".join(_lines(options, asked, (first, second), found, notes, steps)))
    _leave(options, found)


def other(
    engine: "EngineProcess",
    spec: "RunSpec",
    options: argparse.Namespace,
    asked: "Asked",
    filled: "tuple[Filled, ...]",
) -> "tuple[Prediction, tuple[str, ...]]":
    """The second answer, and what there is to say of its inputs.

    Another model gets the same tensors by name or place; where it takes other ones, they are
    made anew of the same values, as it wants them. Raises InspectorError.
    """
    from inspector.engine.walking.ways import other_way
    from inspector.preview import parity, sequence

    way: Against = options.against
    once = other_way(engine, asked.path, spec, way.kind, way.value)
    if way.kind != parity.MODEL:
        return sequence.answer(once, filled, asked.stepping.memory), ()
    theirs = asking.other_model(options, Path(way.value))
    renamed = parity.for_model(filled, theirs.model.inputs)
    if renamed is not None:
        return sequence.answer(once, renamed, theirs.stepping.memory), ()
    given = parity.values_for(asked.given, asked.model.inputs, theirs.model.inputs)
    theirs = asking.with_values(theirs, options, given)
    note = "the other model takes other tensors: they were made of the same values, for it"
    return sequence.answer(once, theirs.filled(), theirs.stepping.memory), (note,)


def _lines(
    options: argparse.Namespace,
    asked: "Asked",
    answers: "tuple[Prediction, Prediction]",
    found: "tuple[OutputParity, ...]",
    notes: tuple[str, ...],
    steps: int,
) -> list[str]:
    from inspector.preview import parity

    first, second = (units.duration(answer.prediction_ns) for answer in answers)
    way = options.against.words
    over = f" over {units.plural(steps, 'step')}" if steps > 1 else ""
    lines = [f"{units.clip(asked.model.name)} on {options.device}: {first}{over}"]
    lines += [f"against {units.clip(way, 80)}: {second}", ""]
    for output in found:
        lines.append(f"out  {units.clip(output.name, 60)}: {parity.words(output)}")
        if all(output.best):
            one, two = (units.clip(best, 60) for best in output.best)
            lines.append(f"     {one}" + (f" | {two}" if one != two else " on both sides"))
    lines += [f"note: {note}" for note in (*notes, *answers[0].notes)]
    for limit in options.limits:
        names = limit.broken_by(found)
        told = ", ".join(units.clip(name, 40) for name in names)
        lines.append(f"{limit.text}: {'holds for ' + told if names else 'does not hold'}")
    return lines


def _print_json(
    options: argparse.Namespace,
    asked: "Asked",
    answers: "tuple[Prediction, Prediction]",
    found: "tuple[OutputParity, ...]",
    notes: tuple[str, ...],
) -> None:
    import msgspec

    first, second = answers
    body = {
        "schema": SCHEMA,
        "model": asked.model.name,
        "device": options.device,
        "against": {"kind": options.against.kind, "value": options.against.words},
        "prediction_ns": [first.prediction_ns, second.prediction_ns],
        "outputs": [as_json(output) for output in found],
        "conditions": [
            {"text": limit.text, "outputs": limit.broken_by(found)} for limit in options.limits
        ],
        "notes": [*notes, *first.notes, *second.notes],
    }
    print(msgspec.json.encode(body).decode())


def as_json(output: "OutputParity") -> dict[str, Any]:
    """One output for --json."""
    from inspector.preview import parity

    found = output.found
    return {
        "name": output.name,
        "other": output.other,
        "problem": output.problem,
        "not_compared": output.not_compared,
        "identical": not (output.problem or output.not_compared)
        and (found is None or found.identical),
        "difference": None if found is None else asdict(found) | {"place": found.place},
        "best": output.best,
        "words": parity.words(output),
    }


def _save_heats(
    folder: Path,
    first: "Prediction",
    second: "Prediction",
    found: "tuple[OutputParity, ...]",
) -> None:
    """Write each output's heat map. Raises NotSaved."""
    from inspector import files
    from inspector.preview import parity, saving
    from inspector.preview.picture import png

    saving.made(folder)
    theirs = {output.name: output.array for output in second.outputs}
    names = saving.file_names([output.name for output in first.outputs])
    for name, output, pair in zip(names, first.outputs, found, strict=True):
        array = theirs.get(pair.other)
        shown = None
        if output.array is not None and array is not None:
            shown = parity.heat(output.array, array)
        if shown is not None:
            files.write_atomic(folder / f"{name}-difference.png", png(shown.picture))


def _leave(options: argparse.Namespace, found: "tuple[OutputParity, ...]") -> None:
    broken = [output for output in found if not output.comparable]
    if broken:
        first = broken[0]
        name = units.clip(first.name, 60)
        raise InspectorError(f"Output '{name}' could not be compared", first.problem)
    if any(limit.broken_by(found) for limit in options.limits):
        raise SystemExit(CONDITION_HOLDS)


def _against(text: str) -> "Against":
    from inspector.preview import parity

    try:
        return parity.against(text)
    except BadInput as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _limit(text: str) -> "Limit":
    from inspector.preview import parity

    try:
        return parity.limit(text)
    except BadInput as error:
        raise argparse.ArgumentTypeError(str(error)) from error
