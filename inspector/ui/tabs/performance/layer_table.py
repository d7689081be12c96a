"""The layers of a report in a card, one by one or by operator type, and what they add up to."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QGuiApplication, QPainter, QPen
from PySide6.QtWidgets import QCheckBox, QMenu, QSizePolicy, QVBoxLayout, QWidget

from inspector import units
from inspector.analysis.measured.layer_sum import cautions, cautions_in_short, sum_sentence
from inspector.export.charts.palette import Palette
from inspector.pages.report.layers import operator_table
from inspector.report.layer_timing import TimeSpread
from inspector.report.report import InsertedNode, LayerUse, PerformanceReport
from inspector.ui.selection import Selection
from inspector.ui.tabs.performance import layer_model as cells
from inspector.ui.tabs.performance.layer_model import Column, ColumnKind, Entry, LayerTableModel
from inspector.ui.translate import mark, plural, tr, written
from inspector.ui.widgets.page_table import PageTable
from inspector.ui.widgets.parts import PADDING, Elided, Segmented, button, label, row, tip
from inspector.ui.widgets.support_legend import draw_mark
from inspector.ui.widgets.table import INSET, LEFT, Cells, Table, draw_bar, draw_name
from inspector.ui.widgets.table_card import FilterField, TableCard
from inspector.ui.widgets.theme import Theme, colour, font
from inspector.wording.values import Name

# How the layer table is drawn: names, markers, bars.


INDENT, DEEPEST, BAR = 14, 6, 64
_NOISY = mark("Noisy")
_ARROW_TEXT = " → "  # between the stored type and the computed one
_ARROW = 3.0  # half the height of the arrow where the longest time does not fit


class LayerCells(Cells[Column]):
    """Draws what became of a layer."""

    elide = Qt.TextElideMode.ElideRight

    def __init__(self, theme: Theme, model: LayerTableModel) -> None:
        super().__init__(theme, model)
        self._model = model
        self._kinds = {device.id: device.kind for device in model.report.requested_devices}

    def inset(self, box: QRectF, column: Column) -> QRectF:
        """Markers stand close, in the middle."""
        if column.kind is ColumnKind.DEVICE:
            return box.adjusted(2, 0, -2, -1)
        return super().inset(box, column)

    def side(self, column: Column) -> Qt.AlignmentFlag:
        """Titles stand above the markers; numbers of layers at the left edge."""
        if column.kind is ColumnKind.DEVICE:
            return Qt.AlignmentFlag.AlignCenter
        return LEFT if column.kind is ColumnKind.NUMBER else super().side(column)

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: Column, chosen: bool
    ) -> None:
        """Draw a name, a marker, a bar with a time, or text."""
        palette, entry = self._theme.palette, self._model.entry(row)
        if column.kind is ColumnKind.LAYER:
            self._draw_layer(painter, box, entry, self._model.depth(row), chosen)
        elif column.kind is ColumnKind.DEVICE:
            self._draw_mark(painter, box, entry, column.device)
        else:
            if column.kind is ColumnKind.TIME and entry.time_ns is not None:
                self._draw_bar(painter, box, entry, chosen)
                box.setLeft(box.left() + self._bar_width(box.width()) + 8)
            painter.setFont(_font(column, timed=entry.time_ns is not None))
            tint = palette.on_selection if chosen else _tint(column, entry, palette)
            text = self._model.text(row, column)
            if column.kind is ColumnKind.PRECISION and _ARROW_TEXT in text:
                box = self._draw_stored(painter, box, text, tint)
                text = text.partition(_ARROW_TEXT)[2]
            self.draw_text(painter, box, text, tint, column)

    def _draw_stored(self, painter: QPainter, box: QRectF, text: str, tint: str) -> QRectF:
        """Draw the stored type with an arrow; return the room for the computed type, bold."""
        stored = text.partition(_ARROW_TEXT)[0] + _ARROW_TEXT
        painter.setPen(colour(tint))
        painter.drawText(box, LEFT, stored)
        width = painter.fontMetrics().horizontalAdvance(stored)
        painter.setFont(font(12, 600))
        return box.adjusted(width, 0, 0, 0)

    def _draw_layer(
        self, painter: QPainter, box: QRectF, entry: Entry, depth: int, chosen: bool
    ) -> None:
        palette = self._theme.palette
        box.setLeft(box.left() + INDENT * min(depth, DEEPEST))
        painter.setFont(font(12, 500 if isinstance(entry, LayerUse) else 400))
        if cells.is_noisy(entry):
            box = self._draw_badge(painter, box, cells.column_name(entry), chosen)
            painter.setFont(font(12, 500 if isinstance(entry, LayerUse) else 400))
        draw_name(painter, box, cells.column_name(entry), palette, chosen)

    def _draw_badge(self, painter: QPainter, box: QRectF, name: str, chosen: bool) -> QRectF:
        """Draw "Noisy" behind the name; return the room that is left for the name."""
        palette, small = self._theme.palette, font(11, 500)
        wide = QFontMetrics(small).horizontalAdvance(tr(_NOISY)) + 12
        scope, leaf = units.scope_and_name(name)
        text = " / ".join(filter(None, (scope, leaf)))
        behind = min(painter.fontMetrics().horizontalAdvance(text) + 8, box.width() - wide)
        from_right = painter.layoutDirection() == Qt.LayoutDirection.RightToLeft
        left = box.right() - behind - wide if from_right else box.left() + behind
        badge = QRectF(left, box.center().y() - 9, wide, 18)
        tint = palette.on_selection if chosen else palette.caution
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(tint, 0.14))
        painter.drawRoundedRect(badge, 5, 5)
        painter.setPen(colour(tint))
        painter.setFont(small)
        painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, tr(_NOISY))
        taken = wide + 8
        return box.adjusted(taken if from_right else 0, 0, 0 if from_right else -taken, 0)

    def _draw_mark(self, painter: QPainter, box: QRectF, entry: Entry, device: str) -> None:
        palette = self._theme.palette
        unit = palette.lane(self._kinds.get(device, "npu"))
        square = QRectF(box.center().x() - 7, box.center().y() - 7, 14, 14)
        if isinstance(entry, LayerUse):
            support = cells.support(entry, device)
            if support is not None:
                draw_mark(painter, square, support.mark, unit, palette)
        elif entry.device == device:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(unit))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.drawEllipse(square.adjusted(4.5, 4.5, -4.5, -4.5))

    def _draw_bar(self, painter: QPainter, box: QRectF, entry: Entry, chosen: bool) -> None:
        palette = self._theme.palette
        device = entry.ran_on if isinstance(entry, LayerUse) else entry.device
        width = self._bar_width(box.width())
        track = QRectF(box.left(), box.center().y() - 3, width, 6)
        part = (entry.time_ns or 0) / max(1, self._model.longest_ns)
        draw_bar(
            painter,
            track,
            part,
            palette.lane(self._kinds.get(device or "", "cpu")),
            palette,
            chosen,
        )
        if entry.spread is not None:
            self._draw_reach(painter, track, entry.spread, chosen)

    def _draw_reach(
        self, painter: QPainter, track: QRectF, spread: TimeSpread, chosen: bool
    ) -> None:
        """Draw a thin line from the least to the longest time, with an arrow if it goes on."""
        palette, scale = self._theme.palette, track.width() / max(1, self._model.longest_ns)
        left = track.left() + min(track.width(), spread.min_ns * scale)
        right = track.left() + min(track.width(), spread.max_ns * scale)
        middle = track.center().y()
        painter.setPen(QPen(colour(palette.on_selection if chosen else palette.text), 1))
        painter.drawLine(QPointF(left, middle), QPointF(right, middle))
        if spread.max_ns > self._model.longest_ns:
            for side in (-_ARROW, _ARROW):
                painter.drawLine(QPointF(right - _ARROW, middle + side), QPointF(right, middle))
        else:
            painter.drawLine(QPointF(right, middle - _ARROW), QPointF(right, middle + _ARROW))

    def _bar_width(self, room: float) -> float:
        """Return how long a bar can be beside the longest time."""
        longest = units.duration(self._model.longest_ns)
        text = QFontMetrics(font(12, 500)).horizontalAdvance(longest)
        return max(0.0, min(float(BAR), room - text - 10))


def _font(column: Column, timed: bool) -> QFont:
    if column.kind is ColumnKind.OUTPUT:
        return font(11, mono=True)
    if column.kind is ColumnKind.NUMBER:
        return font(11)
    return font(12, 500 if column.kind is ColumnKind.TIME and timed else 400)


def _tint(column: Column, entry: Entry, palette: Palette) -> str:
    if column.kind is ColumnKind.SPREAD and cells.is_noisy(entry):
        return palette.caution
    if column.kind is ColumnKind.NUMBER or (column.numeric and entry.time_ns is None):
        return palette.tertiary
    return palette.text if column.kind is ColumnKind.TIME else palette.secondary


# How wide each column of the layer table is, and which ones find no room.


NARROW_PX = 660  # of the table; under it, columns have their narrow width
_LEAST_PX = 44  # of a column as wide as its title: room for its marker
_SORT_MARK_PX = 12  # of the arrow behind a title
_TWO_TYPES_PX = 124  # of "float16 → float32", in pixels
_NARROW_BEFORE = cells.COLUMNS[ColumnKind.SPREAD].hides
# What gives way stays in the details pane. Of devices, only those that ran nothing give way.
_HIDING_ORDER = sorted(
    (kind for kind, spec in cells.COLUMNS.items() if spec.hides),
    key=lambda kind: cells.COLUMNS[kind].hides,
)


def widths(columns: Sequence[Column], room: int, operator_px: int = 0) -> tuple[int, ...]:
    """Width of each column in pixels, 0 for those left out; the names take what is over.

    operator_px: how wide the longest operator name is, 0 for unknown; its column is no wider.
    """

    def preferred(column: Column, narrow: bool) -> int:
        spec = cells.COLUMNS[column.kind]
        if column.wide:
            return _TWO_TYPES_PX
        width = spec.narrow_px if narrow else spec.width_px
        if column.kind is ColumnKind.OPERATOR and operator_px:
            return min(width, max(_title_px(column), operator_px))
        return width or max(_LEAST_PX, _title_px(column))

    pixels = [preferred(column, room < NARROW_PX) for column in columns]
    for kind in _HIDING_ORDER:
        if cells.COLUMNS[kind].hides == _NARROW_BEFORE and sum(pixels) > room:
            # Rather than lose what was there before the peak was measured, all are narrower.
            pixels = [
                preferred(column, True) if width else 0
                for column, width in zip(columns, pixels, strict=True)
            ]
        if sum(pixels) > room:
            pixels = [
                0 if column.kind is kind and not column.used else width
                for column, width in zip(columns, pixels, strict=True)
            ]
    name = next(i for i, column in enumerate(columns) if column.kind is ColumnKind.LAYER)
    pixels[name] += max(0, room - sum(pixels))
    return tuple(pixels)


def _longest_operator_px(model: LayerTableModel) -> int:
    metrics = QFontMetrics(font(12))
    names = {units.clip(entry.operator, 80) for entry in model.entries}
    return max(map(metrics.horizontalAdvance, names), default=0) + 2 * INSET


def _title_px(column: Column) -> int:
    return QFontMetrics(font(11, 600)).horizontalAdvance(tr(column.title)) + _SORT_MARK_PX


_FILTER_HINT = mark("Filter by name, operator or device")
_FIRST_ROWS = 40  # of a long table, so that what is below stays in reach of the wheel
_VIEWS = (mark("Layers"), mark("Operator types"))


class Cautions(QWidget):
    """The limitations of the layer times in one line; "Details" shows each as a sentence."""

    def __init__(self, theme: Theme, report: PerformanceReport) -> None:
        super().__init__()
        short = written(cautions_in_short(report))
        self.line = Elided(short, "caution", Qt.TextElideMode.ElideRight)
        self.more = button(theme, tr("Details"))
        self.more.setProperty("role", "link")
        self.more.setCheckable(True)
        self.details = label(
            " ".join(map(written, cautions(report, by_time=True))), "secondary"
        )
        self.details.setWordWrap(True)
        self.details.hide()
        self.more.toggled.connect(self._open)
        column = QVBoxLayout(self)
        column.setContentsMargins(PADDING - 1, 0, PADDING - 1, 2)
        column.setSpacing(4)
        column.addLayout(row(self.line, self.more, stretch=0))
        column.addWidget(self.details)
        self.setVisible(bool(short))

    def _open(self, opened: bool) -> None:
        self.details.setVisible(opened)
        self.more.setText(tr("Hide details") if opened else tr("Details"))


class LayerTable(TableCard):
    """Shows what became of each layer; what is chosen here is chosen everywhere."""

    graph_asked = Signal()
    weights_asked = Signal()
    timeline_asked = Signal()

    def __init__(
        self,
        theme: Theme,
        report: PerformanceReport,
        selection: Selection,
        precisions: tuple[str, ...] = (),
    ) -> None:
        model = LayerTableModel(report, precisions)
        table = Table(theme, tr("Layers"), model, LayerCells(theme, model))
        field = FilterField(
            theme, tr("Filter layers"), tr(_FILTER_HINT), wide=262, small=92, roomy=960
        )
        field.explain_search()
        inserted = QCheckBox(_added_nodes_text(report))
        added_ns = sum(node.time_ns for node in report.inserted)
        inserted.setToolTip(
            tip(
                tr("List copies, casts and layout conversions that the runtime added"),
                units.duration(added_ns) if added_ns else tr("not timed"),
            )
        )
        untimed = QCheckBox(tr("{count:,} not timed separately").format(count=model.untimed))
        untimed.setToolTip(
            tip(tr("List layers that were fused into another one, folded away or never run"))
        )
        self.views = Segmented(theme, _VIEWS, 0)
        self.views.setAccessibleName(tr("Rows of the table"))
        self.views.set_spacing(16)
        self._operator_px = _longest_operator_px(model)
        super().__init__(theme, table, self.views, field, 6, untimed, inserted)
        table.lay_flat(_FIRST_ROWS)
        self.model, self.inserted, self.untimed = model, inserted, untimed
        self._report, self._selection = report, selection
        self.has_model = False
        self.inserted.setVisible(bool(report.inserted))
        self.untimed.setVisible(bool(model.untimed))
        self.types = PageTable(theme, tr("Operator types"), operator_table(report))
        self.types.hide()
        self.types.row_activated.connect(self._show_type)
        self.all_rows = button(theme, "")
        self.all_rows.setProperty("role", "link")
        self.all_rows.clicked.connect(table.show_all_rows)
        self.count.setToolTip(
            tip(
                tr(
                    "Total own time of the listed layers per run, measured with the profiler "
                    "on; latency is measured without it"
                )
            )
        )
        self.notice = Cautions(theme, report)
        self.body.insertWidget(1, self.notice)
        self.body.addWidget(self.types)
        more = row(self.all_rows, None)
        more.setContentsMargins(PADDING - 1, 4, PADDING - 1, 0)
        self.body.addLayout(more)
        line = written(sum_sentence(report))
        self.sum = label(line, "secondary", selectable=True)
        self.sum.setWordWrap(True)  # cut off, it would lose the total
        self.sum.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.sum.setVisible(bool(line))
        summed = row(self.sum)
        summed.setContentsMargins(PADDING - 1, 6 if line else 0, PADDING - 1, 0)
        self.body.addLayout(summed)
        self.inserted.toggled.connect(self.model.show_inserted)
        self.untimed.toggled.connect(self.model.show_untimed)
        self.views.chosen.connect(self._show_view)
        table.flat_changed.connect(self._offer_all_rows)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self._open_menu)
        selection.changed.connect(self.follow_selection)
        self._offer_all_rows()
        self.refresh()

    def show_operator(self, operator: str) -> None:
        """List the layers of one operator type."""
        self.views.choose(0)
        self.filter.setText(units.clip(operator))

    def _show_type(self, place: int) -> None:
        operator = self.types.page_rows.table.rows[place].cells[0]
        assert isinstance(operator, Name)
        self.show_operator(operator.text)

    def look_like(self, previous: "LayerTable") -> None:
        """Show the rows that the table of another report showed."""
        for box, before in (
            (self.inserted, previous.inserted),
            (self.untimed, previous.untimed),
            (self.notice.more, previous.notice.more),
        ):
            box.setChecked(before.isChecked())
        self.filter.setText(previous.filter.text())
        self.views.choose(previous.views.current)

    def _show_view(self, view: int) -> None:
        """Show the layers, or the operator types."""
        for widget in (self.table, self.filter):
            widget.setVisible(not view)
        self.refresh()
        self.inserted.setVisible(not view and bool(self._report.inserted))
        self.untimed.setVisible(not view and bool(self.model.untimed))
        self.types.setVisible(bool(view))
        self._offer_all_rows()

    def _offer_all_rows(self) -> None:
        self.all_rows.setVisible(bool(self.table.rows_cut) and not self.views.current)
        count = self.model.rowCount()
        self.all_rows.setText(tr("Show all {count:,} rows").format(count=count))

    def _open_menu(self, point: QPoint) -> None:
        index = self.table.indexAt(point)
        if index.isValid():
            self.table.selectRow(index.row())
            self.menu(index.row()).popup(self.table.viewport().mapToGlobal(point))

    def menu(self, row: int) -> QMenu:
        """Return what can be done with the layer in a row."""
        entry = self.model.entry(row)
        name = cells.column_name(entry)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        clipboard = QGuiApplication.clipboard()
        menu.addAction(tr("Copy name"), lambda: clipboard.setText(name))
        menu.addAction(tr("Show in timeline"), self.timeline_asked.emit)
        if self.has_model and isinstance(entry, LayerUse):
            menu.addAction(tr("Show in graph"), self.graph_asked.emit)
            menu.addAction(tr("Show weights"), self.weights_asked.emit)
        menu.addSeparator()
        operator = units.clip(entry.operator, 40)
        menu.addAction(
            tr("Filter to {operator}").format(operator=operator),
            lambda: self.filter.setText(units.clip(entry.operator)),
        )
        scope = units.scope_and_name(name)[0]
        if scope:
            menu.addAction(
                tr("Filter to {scope}").format(scope=units.clip(scope, 40)),
                lambda: self.filter.setText(scope.replace(" / ", "/")),
            )
        return menu

    def widths(self, room: int) -> tuple[int, ...]:
        """The names take what is over."""
        return widths(self.model.columns, room, self._operator_px)

    def counted(self) -> str:
        """Return how many entries are shown, and their own time."""
        if self.views.current:
            return plural(self.types.page_rows.total, "operator type")
        count, listed = self.model.rowCount(), len(self.model.listed())
        shown = (
            plural(count, "layer")
            if count == listed
            else tr("{count:,} of {listed:,}").format(count=count, listed=listed)
        )
        time = units.duration(ns) if (ns := self.model.shown_ns()) else tr("not timed")
        return f"{shown} · {time}"

    def selected_row(self) -> int | None:
        """The row of the selected layer or inserted node."""
        return self.model.row_of(self._selection.now)

    def choose_row(self, row: int) -> None:
        """Select a layer, or a span of an inserted node."""
        entry = self.model.entry(row)
        if isinstance(entry, InsertedNode):
            self._selection.choose(span=self.model.span_of(entry))
        else:
            self._selection.choose(layer=entry.index)


def _added_nodes_text(report: PerformanceReport) -> str:
    return tr("{count:,} added by runtime").format(count=len(report.inserted))
