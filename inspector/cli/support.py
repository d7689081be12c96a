"""inspector support: which layers the devices of this machine take, by trying them."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector import units
from inspector.cli import inputs, session_options

if TYPE_CHECKING:
    from inspector.engine.claims import Claims
    from inspector.model import Model
    from inspector.report import Device

SCHEMA = "support/1"
_ALONE = "taken when asked alone"
_MOST_FAILED, _MOST_REFUSALS = 12, 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Tell the parser what this command takes."""
    parser.add_argument("model", type=Path, metavar="MODEL")
    session_options.add_devices(parser)
    inputs.add_arguments(parser)
    session_options.add_arguments(parser)
    parser.add_argument("--json", action="store_true", help=f"print one object, {SCHEMA}")


def run(options: argparse.Namespace) -> None:
    """Predict once, around what a device fails at; ask it about layers alone if that fails.

    Raises InspectorError: unreadable, does not fit, no such device.
    """
    import sys

    from inspector.cli import measure
    from inspector.cli.folding import folded
    from inspector.cli.progress import Progress
    from inspector.engine.claims import claims
    from inspector.engine.process import EngineProcess
    from inspector.preview.feeds import fed
    from inspector.readers import open_model
    from inspector.report import Dimension, RunSpec

    model = open_model(options.model)
    feeds = fed(measure.filled(options, model))
    named = ((name, size) for name, size in options.dimensions if name in model.dimensions)
    spec = RunSpec(
        devices=tuple(dict.fromkeys(options.devices)) or ("cpu",),
        **session_options.chosen(options),
        dimensions=tuple(Dimension(name, size) for name, size in named),
        cast=options.cast,
    )
    identity = measure.identity(options.model, model)
    with Progress(sys.stderr) as progress, EngineProcess(progress.show) as engine:
        found = claims(engine, options.model, identity, spec, feeds)
    if options.json:
        import msgspec

        print(msgspec.json.encode(as_plain(model, found)).decode())
    else:
        print(folded("\n".join(lines(model, found))))


def lines(model: "Model", found: "Claims") -> Iterator[str]:
    """Write each device with what it takes, what it fails at and what it refuses."""
    tried = "tried with a prediction" if found.ran else "asked about each layer alone"
    count = units.plural(len(found.layers), "layer")
    yield f"{units.clip(model.name, 80)}: {count}, {tried}"
    if not found.ran:
        yield f"  no prediction came to its end: {units.clip(found.why, 300)}"
    for device in found.devices:
        yield ""
        yield from _of_device(found, device)
    kept = ",".join(found.on_cpu)
    if kept:
        yield ""
        yield f"It ran with what failed kept on the CPU: --on-cpu '{units.clip(kept, 300)}'"


def _of_device(found: "Claims", device: "Device") -> Iterator[str]:
    from inspector.analysis.support_summary import summarised
    from inspector.report import Mark

    operators = [layer.operator for layer in found.layers]
    answers = [said[device.id] for said in found.marks]
    told = summarised(device, operators, answers)
    name = units.clip(device.name, 60)
    yield f"{name} ({device.id}): takes {told.taken:,} of {told.layers:,} layers"
    for mark, count in told.marks:
        words = _ALONE if mark is Mark.SUPPORTED and not found.ran else mark.words.lower()
        yield f"  {count:>6,} × {words}"
    failed = found.failed(device.id)
    for layer in failed[:_MOST_FAILED]:
        why = found.marks[layer.index][device.id].reason
        yield f"  failed: '{units.clip(layer.label, 60)}' ({layer.operator}): {why}"
    if len(failed) > _MOST_FAILED:
        yield f"  and {len(failed) - _MOST_FAILED:,} more that failed"
    refused = [(a.rule, a.reason) for a in answers if a.mark is Mark.UNSUPPORTED]
    for refusal in told.refusals[:_MOST_REFUSALS]:
        if (refusal.rule, refusal.reason) in refused:
            yield f"  refused: {refusal.layers:,} × {refusal.operator}: {refusal.reason}"


def as_plain(model: "Model", found: "Claims") -> dict[str, Any]:
    """Return what --json prints."""
    return {
        "schema": SCHEMA,
        "model": model.name,
        "ran": found.ran,
        "why": found.why,
        "on_cpu": found.on_cpu,
        "devices": found.devices,
        "layers": [
            {"index": one.index, "name": one.name, "operator": one.operator, "devices": said}
            for one, said in zip(found.layers, found.marks, strict=True)
        ],
    }
