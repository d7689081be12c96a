"""The cost of one layer as names and values: by its shapes, and by its time if measured."""

from inspector import units
from inspector.analysis.achieved import operations_per_second
from inspector.analysis.estimate import Estimate
from inspector.analysis.expressions import number
from inspector.model import Model
from inspector.report import PerformanceReport


def cost_lines(
    model: Model, found: Estimate, report: PerformanceReport | None, index: int
) -> tuple[tuple[str, str], ...]:
    """Return names and values; nothing where the estimate is of another model."""
    if not 0 <= index < len(found.cost.layers):
        return ()
    cost, lengths = found.cost.layers[index], found.lengths
    macs = "unknown" if cost.macs is None else units.count(number(cost.macs, lengths))
    if cost.macs is not None and cost.unknown:
        macs = f"at least {macs}"
    moved = cost.moved_bytes
    lines = [
        ("Multiply-adds", macs),
        ("Bytes moved", "unknown" if moved is None else units.size(number(moved, lengths))),
    ]
    if cost.weights_bytes:
        lines.append(("Weights", units.size(cost.weights_bytes)))
    intensity = cost.intensity(lengths)
    if intensity is not None:
        lines.append(("Arithmetic intensity", f"{units.significant(intensity)} op/B"))
    speed = operations_per_second(model, found, report, index) if report is not None else None
    if speed is not None:
        lines.append(("Achieved", f"{units.count(speed)}{'' if speed >= 1e4 else ' '}op/s"))
    if not cost.counted:
        lines.append(("In the total", "no: its branch is not the dearest"))
    return tuple(lines)
