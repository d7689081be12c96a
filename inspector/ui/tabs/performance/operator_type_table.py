"""The operator types of a report as a table: count, time, share and device support."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, QRectF, Signal
from PySide6.QtGui import QPainter, QResizeEvent

from inspector import units
from inspector.analysis.measured.operator_types import operator_types
from inspector.report.report import PerformanceReport
from inspector.ui.translate import mark, plural, tr
from inspector.ui.widgets.parts import tip
from inspector.ui.widgets.table import Cells, Table, draw_bar
from inspector.ui.widgets.table_model import TableModel, ranks
from inspector.ui.widgets.theme import Theme, font

_MAX_DEVICES = 8
_FIRST_ROWS = 40
_BAR_PX = 64
# What `Profiling.sum_title` may return.
_SUM_TITLES = (
    mark("Sum of medians"),
    mark("Sum of means"),
    mark("Sum of 5th percentiles"),
    mark("Sum of times"),
)
_WIDTHS_PX = {"operator": 132, "layers": 120, "time": 152, "share": 86, "device": 104}


class Kind(Enum):
    """The kind of a column."""

    OPERATOR = "operator"
    LAYERS = "layers"
    TIME = "time"
    SHARE = "share"
    DEVICE = "device"


@dataclass(frozen=True, slots=True)
class Column:
    """One column. device: id of the device whose support it tells."""

    kind: Kind
    title: str
    device: str = ""

    def __str__(self) -> str:
        return self.title

    @property
    def numeric(self) -> bool:
        """Return whether it is aligned to the right."""
        return self.kind in (Kind.LAYERS, Kind.TIME, Kind.SHARE)

    @property
    def largest_first(self) -> bool:
        """Return whether the first click sorts downwards."""
        return self.numeric or self.kind is Kind.DEVICE


def _columns(report: PerformanceReport) -> tuple[Column, ...]:
    devices = report.requested_devices[:_MAX_DEVICES]
    return (
        Column(Kind.OPERATOR, mark("Operator type")),
        Column(Kind.LAYERS, mark("Layers")),
        *(Column(Kind.DEVICE, units.clip(units.device(d.id), 24), d.id) for d in devices),
        Column(Kind.TIME, report.profiling.sum_title),
        Column(Kind.SHARE, mark("% of time")),
    )


class TypeModel(TableModel[Column]):
    """The operator types, those with most time first."""

    def __init__(self, report: PerformanceReport) -> None:
        self.types = operator_types(report)
        self.report = report
        columns = _columns(report)
        by_time = next(n for n, column in enumerate(columns) if column.kind is Kind.TIME)
        super().__init__(columns, len(self.types), sorted_by=by_time, downwards=True)
        self.longest_ns = max((one.time_ns or 0 for one in self.types), default=0)
        self.arrange()

    def text(self, row: int, column: Column) -> str:
        """Return the text of a cell."""
        one = self.types[self.place_of(row)]
        match column.kind:
            case Kind.OPERATOR:
                return units.clip(one.operator, 80)
            case Kind.LAYERS:
                return f"{one.layers:,}"
            case Kind.TIME:
                return (
                    tr("not timed separately")
                    if one.time_ns is None
                    else units.duration(one.time_ns, self.report.profiling.clock_ns)
                )
            case Kind.SHARE:
                timed = one.time_ns is not None
                return units.share(one.time_ns or 0, self.report.kernel_ns) if timed else ""
            case Kind.DEVICE:
                return tr(one.support_text(column.device))

    def hint(self, row: int, column: Column) -> str:
        """Return how many of the layers have an own time."""
        one = self.types[self.place_of(row)]
        if column.kind in (Kind.LAYERS, Kind.TIME):
            return tip(
                tr("{layers}, {timed:,} timed separately").format(
                    layers=plural(one.layers, "layer"), timed=one.timed_layers
                )
            )
        return super().hint(row, column)

    def meaning(self, column: Column) -> str:
        """Return the meaning of a number."""
        return {
            Kind.LAYERS: tr("Layers of this type in the model"),
            Kind.TIME: tr(
                "Sum of the times of these layers; the time of a fused layer is counted in the "
                "layer it was fused into"
            ),
            Kind.SHARE: tr("Share of the total time of all kernels"),
            Kind.DEVICE: tr("How many of these layers the device ran or supports"),
        }.get(column.kind, "")

    def keys(self, column: Column) -> NDArray[np.float64]:
        """Return what a column sorts by."""
        match column.kind:
            case Kind.OPERATOR:
                return ranks([one.operator.casefold() for one in self.types])
            case Kind.LAYERS:
                return np.array([float(one.layers) for one in self.types])
            case Kind.DEVICE:
                counts = (one.supported_layers.get(column.device) for one in self.types)
                return np.array([np.nan if n is None else float(n) for n in counts])
            case Kind.TIME | Kind.SHARE:
                times = (one.time_ns for one in self.types)
                return np.array([np.nan if ns is None else float(ns) for ns in times])

    def haystack(self) -> Sequence[str]:
        """The names of the types."""
        return [one.operator.casefold() for one in self.types]


class TypeCells(Cells[Column]):
    """Draws a type; its time beside a bar."""

    def __init__(self, theme: Theme, model: TypeModel) -> None:
        super().__init__(theme, model)
        self._model = model
        used = {layer.ran_on for layer in model.report.layers}
        kinds = [d.kind for d in model.report.devices if d.id in used]
        self._family = kinds[0] if len(kinds) == 1 else ""

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: Column, chosen: bool
    ) -> None:
        """Draw words, or a bar with a time."""
        palette, one = self._theme.palette, self._model.types[self._model.place_of(row)]
        timed = one.time_ns is not None
        if column.kind is Kind.TIME and timed:
            track = QRectF(box.left(), box.center().y() - 3, _BAR_PX, 6)
            part = (one.time_ns or 0) / max(1, self._model.longest_ns)
            # Types that ran on several devices have the color of none of them.
            tint = palette.lane(self._family) if self._family else palette.secondary
            draw_bar(painter, track, part, tint, palette, chosen)
            box.setLeft(track.right() + 8)
        strong = column.kind is Kind.OPERATOR or (column.kind is Kind.TIME and timed)
        painter.setFont(font(12, 500 if strong else 400))
        tint = palette.text if strong else palette.secondary if timed else palette.tertiary
        tint = palette.on_selection if chosen else tint
        self.draw_text(painter, box, self._model.text(row, column), tint, column)


class TypeTable(Table):
    """Lists operator types; a double click or Return asks for the layers of one."""

    operator_asked = Signal(str)

    def __init__(self, theme: Theme, report: PerformanceReport) -> None:
        model = TypeModel(report)
        super().__init__(theme, tr("Operator types"), model, TypeCells(theme, model))
        self.types = model
        self.lay_flat(_FIRST_ROWS)
        self.activated.connect(self._ask)

    def _ask(self, index: QModelIndex) -> None:
        self.operator_asked.emit(self.types.types[self.types.place_of(index.row())].operator)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the names what is over; devices that find no room are left out."""
        super().resizeEvent(event)
        columns = self.types.columns
        pixels = [_WIDTHS_PX[column.kind.value] for column in columns]
        for place in reversed(range(len(columns))):
            if columns[place].kind is Kind.DEVICE and sum(pixels) > self.width():
                pixels[place] = 0
        pixels[0] += max(0, self.width() - sum(pixels))
        self.place_columns(tuple(pixels))
