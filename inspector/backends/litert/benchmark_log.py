"""Layers from what LiteRT's benchmark_model prints with --enable_op_profiling.

It prints tables whose cells are separated by tabs, once for loading and once for the runs. Rows
of operators are named "[outputs]:number", kernels of a delegate "Delegate/name:number".
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from msgspec import Struct

from inspector.model.model import Layer, Model
from inspector.report.layer_timing import Profiling
from inspector.report.report import Device, LayerUse, PerformanceReport, Support
from inspector.wording.support_marks import Mark, Source, Status
from inspector.wording.values import Sentence

_REGULAR = "Regular Benchmark Runs"
_TABLE = "Run Order"
_NAME = re.compile(r"\[(.*)\]:(\d+)")
_SHARED = (
    "A delegate ran partitions of the model, and the program does not tell which layers are in "
    "which; together they took {:.3g} ms."
)
_MEANS = "Times of layers are means over the profiled runs of benchmark_model."


class Row(Struct, frozen=True):
    """One operator of the runtime: its type and number, and mean nanoseconds in a run."""

    operator: str
    number: int
    mean_ns: int


def rows(log: str) -> tuple[Row, ...]:
    """Return the operators of the main graph, in the order in which they ran."""
    _, _, regular = log.partition(_REGULAR)
    _, _, table = regular.partition(_TABLE)
    rows: list[Row] = []
    columns: list[str] = []
    for line in table.split("\n")[1:]:
        cells = [cell.strip() for cell in line.strip().split("\t")]
        if "[node type]" in cells:
            columns = [cell.strip("[]").lower() for cell in cells]
        elif columns and len(cells) == len(columns):
            values = dict(zip(columns, cells, strict=True))
            name = _NAME.fullmatch(values.get("name", ""))
            if name is None:
                continue
            try:
                mean_ns = round(1e6 * float(values.get("avg ms", "")))
            except ValueError:
                continue
            rows.append(Row(values["node type"], int(name[2]), mean_ns))
        elif rows and "===" in line:
            break
    return tuple(rows)


def with_layers(report: PerformanceReport, model: Model, log: str) -> PerformanceReport:
    """Add layers and marks; returns the report as it is where the log has no table."""
    ran, device = rows(log), report.devices[0]
    top = [layer for layer in model.layers if layer.parent is None]
    own = {row.number: row for row in ran if row.number < len(top)}
    delegated = [row for row in ran if row.number >= len(top)]
    if not ran:
        return report
    rest = [layer.index for at, layer in enumerate(top) if at not in own]
    lead = rest[0] if len(delegated) == 1 and rest else None
    uses = _uses(model, top, own, delegated, lead, device)
    notes = [*report.notes, _MEANS]
    if len(delegated) > 1:
        notes.append(_SHARED.format(sum(row.mean_ns for row in delegated) / 1e6))
    whole = sum(row.mean_ns for row in ran)
    profiling = Profiling(runs=1, used=(0,), prediction_ns=whole, events=len(ran), means=True)
    timed = sum(use.time_ns or 0 for use in uses)
    return replace(
        report, layers=uses, kernel_ns=timed, profiling=profiling, notes=tuple(notes)
    )


def _uses(
    model: Model,
    top: Sequence[Layer],
    own: dict[int, Row],
    delegated: Sequence[Row],
    lead: int | None,
    device: Device,
) -> tuple[LayerUse, ...]:
    place = {layer.index: at for at, layer in enumerate(top)}
    made_by = {name: layer.index for layer in model.layers for name in layer.outputs}
    uses = []
    for layer in model.layers:
        row, inside = own.get(place.get(layer.index, -1)), layer.index in place and delegated
        time_ns, into, status, executed = None, None, Status.NOT_REACHED, ""
        mark = Support(Mark.UNKNOWN, Source.MEASURED)
        if row is not None:
            time_ns, status, executed = row.mean_ns, Status.EXECUTED, row.operator
            mark = Support(Mark.RAN, Source.MEASURED, "LiteRT's own kernel.")
        elif inside:
            status, executed = Status.COMPILED, delegated[0].operator
            mark = Support(
                Mark.RAN, Source.MEASURED, Sentence("In a partition of {executed}.", executed)
            )
            time_ns = delegated[0].mean_ns if layer.index == lead else None
            into = lead if lead not in (None, layer.index) else None
        uses.append(
            LayerUse(
                index=layer.index,
                name=layer.name,
                operator=layer.operator,
                status=status,
                ran_on=device.id if row is not None or inside else None,
                time_ns=time_ns,
                devices={device.id: mark},
                into=into,
                executed_as=executed,
                calls=1.0 if time_ns is not None else 0.0,
                parent=layer.parent,
                value=layer.outputs[0] if layer.outputs else "",
                reads=tuple(dict.fromkeys(made_by[n] for n in layer.inputs if n in made_by)),
            )
        )
    return tuple(uses)
