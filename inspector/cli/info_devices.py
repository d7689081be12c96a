"""What `inspector info --devices` says: what devices that need not be here would take."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

from inspector import units
from inspector.analysis.shapes import allowed_seconds
from inspector.analysis.support_summary import DeviceSupport, Refusal, summarised
from inspector.engine.placing import tables
from inspector.engine.process import EngineProcess
from inspector.errors import BadInput, InspectorError
from inspector.model import Model
from inspector.preview.shapes import axis_names
from inspector.report import Dimension

_INDENT, _FEWEST_COLUMNS = " " * 11, 40
_MOST_REFUSALS, _MOST_AXES, _MOST_OPERATORS = 12, 4, 3


def asked(text: str) -> tuple[str, ...]:
    """Read "cuda,coreml" or "all". Raises BadInput: there is no table for one of them."""
    names = tables.KNOWN if text == "all" else tuple(filter(None, text.split(",")))
    if not names:
        raise BadInput("Could not read --devices", f"choose of {', '.join(tables.KNOWN)}")
    for name in names:
        tables.device(name)
    return tuple(dict.fromkeys(names))


def supports(
    model: Model,
    path: Path,
    devices: Sequence[str],
    lengths: dict[str, int],
    engine: EngineProcess,
) -> tuple[DeviceSupport, ...]:
    """Predict for each device what it would take. lengths: of free axes."""
    try:
        dimensions = tuple(Dimension(*each) for each in lengths.items())
        values = engine.shapes(path, dimensions, allowed_seconds(model)).values
    except InspectorError:  # then types and shapes are what the file itself tells
        values = (*model.values, *model.inputs, *model.outputs)
    by_name = {value.name: value for value in values}
    answers = tables.predict(model, devices, by_name, tables.small_weights(model, path))
    operators = [layer.operator for layer in model.layers]
    return tuple(
        summarised(tables.device(name), operators, said) for name, said in answers.items()
    )


def lines(model: Model, found: Sequence[DeviceSupport], columns: int) -> Iterator[str]:
    """Write each device with what it refuses."""
    for support in found:
        device = support.device
        yield ""
        yield f"{device.name}: {support.words}"
        yield f"  predicted from a {device.source}"
        yield f"  assumes {tables.table(device.id).assumes}"
        yield from _reasons("Not supported", support.refusals, columns)
        yield from _reasons("Unknown", support.unknowns, columns)
    blocked = max((support.axes_in_the_way for support in found), default=0)
    if blocked and fixing(model):
        are = "layer is" if blocked == 1 else "layers are"
        yield ""
        yield f"hint: {blocked:,} {are} refused for free axes; ask again with {fixing(model)}"


def _reasons(title: str, reasons: Sequence[Refusal], columns: int) -> Iterator[str]:
    """Write each reason with the operators that it holds for, and how many layers they are."""
    grouped: dict[str, list[Refusal]] = defaultdict(list)
    for reason in reasons:
        grouped[reason.reason].append(reason)
    ordered = sorted(grouped.items(), key=lambda pair: -DeviceSupport.layers_of(pair[1]))
    for words, own in ordered[:_MOST_REFUSALS]:
        names = [units.clip(reason.operator, 40) for reason in own[:_MOST_OPERATORS]]
        more = len(own) - len(names)
        operators = ", ".join(names) + (f" and {more:,} more operators" if more else "")
        line = f"{title}: {units.clip(words, 300)}"
        lead = f"  {DeviceSupport.layers_of(own):>6,} × "
        yield from wrap(
            line, max(_FEWEST_COLUMNS, columns), initial_indent=lead, subsequent_indent=_INDENT
        )
        yield f"{_INDENT}{operators}"
    if len(ordered) > _MOST_REFUSALS:
        yield f"  and {len(ordered) - _MOST_REFUSALS:,} more reasons: {title.lower()}"


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
            "assumes": tables.table(support.device.id).assumes,
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
            "unknown": [
                {
                    "operator": unknown.operator,
                    "reason": unknown.reason,
                    "layers": unknown.layers,
                }
                for unknown in support.unknowns
            ],
        }
        for support in found
    }


def _quoted(name: str) -> str:
    return name if name.replace("_", "").isalnum() else f"'{name}'"
