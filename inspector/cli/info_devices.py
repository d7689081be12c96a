"""What `inspector info --devices` says: what devices that need not be here would take."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from inspector import units
from inspector.analysis.support_summary import DeviceSupport, summarised
from inspector.engine.placing import tables
from inspector.engine.process import EngineProcess
from inspector.errors import BadInput, InspectorError
from inspector.model import Model
from inspector.preview.shapes import axis_names
from inspector.report import Dimension

_MOST_REFUSALS, _MOST_AXES = 12, 4


def asked(text: str) -> tuple[str, ...]:
    """Read "cuda,coreml" or "all". Raises BadInput: there is no table for one of them."""
    names = tables.KNOWN if text == "all" else tuple(filter(None, text.split(",")))
    if not names:
        raise BadInput("Could not read --devices", f"choose of {', '.join(tables.KNOWN)}")
    for name in names:
        tables.device(name)
    return tuple(dict.fromkeys(names))


def supports(
    model: Model, path: Path, devices: Sequence[str], lengths: dict[str, int]
) -> tuple[DeviceSupport, ...]:
    """Predict for each device what it would take. lengths: of free axes."""
    try:
        with EngineProcess() as engine:
            dimensions = tuple(Dimension(*each) for each in lengths.items())
            values = engine.shapes(path, dimensions).values
    except InspectorError:  # then types and shapes are what the file itself tells
        values = (*model.values, *model.inputs, *model.outputs)
    answers = tables.predict(model, devices, {value.name: value for value in values})
    operators = [layer.operator for layer in model.layers]
    return tuple(
        summarised(tables.device(name), operators, said) for name, said in answers.items()
    )


def lines(model: Model, found: Sequence[DeviceSupport], columns: int) -> Iterator[str]:
    """Write each device with what it refuses."""
    for support in found:
        device = support.device
        share = units.share(support.taken, max(1, support.layers))
        yield ""
        yield f"{device.name}: {support.taken:,} of {support.layers:,} layers ({share})"
        yield f"  predicted from a {device.source}"
        for refusal in support.refusals[:_MOST_REFUSALS]:
            operator = units.clip(refusal.operator, 40)
            line = f"  {refusal.layers:>6,} × {operator}: {units.clip(refusal.reason)}"
            yield line if len(line) <= columns else f"{line[: columns - 1]}…"
        if len(support.refusals) > _MOST_REFUSALS:
            yield f"  and {len(support.refusals) - _MOST_REFUSALS:,} more"
    blocked = max((support.axes_in_the_way for support in found), default=0)
    if blocked and fixing(model):
        are = "layer is" if blocked == 1 else "layers are"
        yield ""
        yield f"hint: {blocked:,} {are} refused for free axes; ask again with {fixing(model)}"


def fixing(model: Model) -> str:
    """The options that give every free axis a length."""
    names = [n for info in model.inputs for n in axis_names(info) if n is not None]
    shown = list(dict.fromkeys(names))[:_MOST_AXES]
    return " ".join(f"--dim {_quoted(units.clip(name, 60))}=1" for name in shown)


def as_plain(found: Sequence[DeviceSupport]) -> dict[str, Any]:
    """Return the value of `devices` in model/1."""
    return {
        support.device.id: {
            "source": support.device.source,
            "layers": support.layers,
            "taken": support.taken,
            "marks": {mark.value: number for mark, number in support.marks},
            "refusals": [
                {
                    "operator": refusal.operator,
                    "rule": refusal.rule.value,
                    "reason": refusal.reason,
                    "layers": refusal.layers,
                }
                for refusal in support.refusals
            ],
        }
        for support in found
    }


def _quoted(name: str) -> str:
    return name if name.replace("_", "").isalnum() else f"'{name}'"
