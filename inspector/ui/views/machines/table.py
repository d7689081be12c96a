"""The table of models on machines: a row for each model, a column for each machine."""

from collections.abc import Sequence
from math import log

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QHeaderView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from inspector.analysis.measured import machine_matrix
from inspector.analysis.measured.machine_matrix import (
    MEASURED,
    METRICS,
    Activities,
    Activity,
    CellStatus,
    Metric,
)
from inspector.engine.progress_text import step_text
from inspector.pages.charts.palette import CHECK, MARKER_BOX, Palette, Stroke, mix
from inspector.remote.machines import HERE
from inspector.report.sweep import Cell, CellIndex, Sweep
from inspector.ui import units
from inspector.ui.translate import mark, tr, tr_message
from inspector.ui.views.machines.places import Place
from inspector.ui.widgets.parts import follow, tip
from inspector.ui.widgets.support_legend import svg_path
from inspector.ui.widgets.theme import Theme, font, painter_on, qt_color

ROW_PX = 60  # height
HEAD_PX = 46  # height
NAMES_PX = 190  # least width of the names
NARROWEST_PX = 132  # width of a column
_MARK = 14.0  # px
_EDGE = 10  # px, around a text
_BAR = 3.0  # px, height
_NAME_EDGES = 16, 8  # left and right of the name of a model
_RING = "M7 1.2a5.8 5.8 0 1 0 0 11.6a5.8 5.8 0 1 0 0-11.6Z"
_DISC = "M7 .6a6.4 6.4 0 1 0 0 12.8a6.4 6.4 0 1 0 0-12.8Z"
_DOT = "M7 4.4a2.6 2.6 0 1 0 0 5.2a2.6 2.6 0 1 0 0-5.2Z"
_DIAMOND = "M7 1.6 12.4 7 7 12.4 1.6 7Z"
# The shapes differ, so that they are told apart without their colors.
_MARKS: dict[CellStatus, tuple[Stroke, ...]] = {
    CellStatus.PARTIAL: (
        Stroke(_RING, "unit", 1.4),
        Stroke("M7 1.2a5.8 5.8 0 1 0 0 11.6Z", "unit", filled=True),
    ),
    CellStatus.MEASURED: (Stroke(_DISC, "unit", filled=True), Stroke(CHECK, "on unit", 1.7)),
    CellStatus.MEASURING: (Stroke(_RING, "accent", 1.5), Stroke(_DOT, "accent", filled=True)),
    CellStatus.UNREACHABLE: (
        Stroke(_RING, "caution", 1.4),
        Stroke("M3 11 11 3", "caution", 1.4),
    ),
    CellStatus.QUEUED: (Stroke(_RING, "tertiary", 1.3, dashed=True),),
    CellStatus.FAILED: (
        Stroke(_DIAMOND, "bad", 1.4),
        Stroke("M7 4.6v2.8M7 9.2v.2", "bad", 1.5),
    ),
    CellStatus.REFUSED: (Stroke(_DIAMOND, "secondary", 1.4),),
    CellStatus.LOST: (
        Stroke(_RING, "bad", 1.4),
        Stroke("M4.7 4.7 9.3 9.3M9.3 4.7 4.7 9.3", "bad", 1.4),
    ),
    CellStatus.OPEN: (Stroke("M4.5 7h5", "tertiary", 1.5),),
}
TITLES = {
    CellStatus.MEASURED: mark("Measured"),
    CellStatus.PARTIAL: mark("Some layers not supported"),
    CellStatus.MEASURING: mark("Measuring"),
    CellStatus.UNREACHABLE: mark("Unreachable"),
    CellStatus.QUEUED: mark("Queued"),
    CellStatus.FAILED: mark("Failed"),
    CellStatus.REFUSED: mark("Refused"),
    CellStatus.LOST: mark("Lost"),
    CellStatus.OPEN: mark("Not measured"),
}
_ROLES = {
    CellStatus.UNREACHABLE: "caution",
    CellStatus.FAILED: "bad",
    CellStatus.LOST: "bad",
    CellStatus.MEASURING: "text",
}
Index = QModelIndex | QPersistentModelIndex


def paint_mark(
    painter: QPainter, box: QRectF, status: CellStatus, unit: str, look: Palette
) -> None:
    """Draw the mark of a status into a square box; unit: color of the device."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(box.topLeft())
    painter.scale(box.width() / MARKER_BOX, box.height() / MARKER_BOX)
    for stroke in _MARKS[status]:
        tints = {"unit": unit, "on unit": look.on_unit}
        tint = qt_color(tints.get(stroke.color) or getattr(look, stroke.color))
        pen = QPen(tint, stroke.width)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        if stroke.dashed:
            pen.setDashPattern([1.6, 2.2])
        painter.setPen(Qt.PenStyle.NoPen if stroke.filled else pen)
        painter.setBrush(tint if stroke.filled else Qt.BrushStyle.NoBrush)
        painter.drawPath(svg_path(stroke.path))
    painter.restore()


class MatrixModel(QAbstractTableModel):
    """The cells of a sweep over models and machines, as text; the delegate draws them."""

    def __init__(self) -> None:
        super().__init__()
        self.sweep: Sweep | None = None
        self.places: tuple[Place, ...] = ()
        self.activities: Activities = {}
        self.running = False
        self.metric = METRICS[0]
        self.fastest: dict[CellIndex, bool] = {}
        self.range = (1.0, 1.0)

    def show(
        self,
        sweep: Sweep | None,
        places: Sequence[Place],
        activities: Activities,
        running: bool,
    ) -> None:
        """Show another state."""
        shape = self._shape()
        anew = tuple(places) != self.places
        self.sweep, self.places = sweep, tuple(places)
        self.activities, self.running = dict(activities), running
        if anew or self._shape() != shape:
            self.beginResetModel()
            self._digest()
            self.endResetModel()
            return
        self._digest()
        if shape[0] and shape[1]:
            self.dataChanged.emit(self.index(0, 0), self.index(shape[0] - 1, shape[1] - 1))
            self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, shape[0] - 1)

    def show_metric(self, metric: Metric) -> None:
        """Show another number in each cell."""
        self.metric = metric
        self._digest()
        rows, columns = self._shape()
        if rows and columns:
            self.dataChanged.emit(self.index(0, 0), self.index(rows - 1, columns - 1))

    def cell(self, row: int, column: int) -> Cell:
        """Return the cell of a model on a machine."""
        assert self.sweep is not None, "there are rows"
        several = len(self.sweep.axes) > 1
        return self.sweep.by_place[(row, column) if several else (column,)]

    def status(self, cell: Cell) -> CellStatus:
        """Return what is known of a cell."""
        assert self.sweep is not None, "there are cells"
        return machine_matrix.status(self.sweep, cell, self.activities, self.running)

    def texts(self, cell: Cell) -> tuple[str, str, str]:
        """Return number, unit and the line below; where there is none, a word and the line."""
        status, activity = self.status(cell), self.activities.get(cell.at, Activity())
        if status in MEASURED:
            if self.metric.value(cell) is None:
                unknown = self.metric is machine_matrix.LAYERS
                return tr("Unknown") if unknown else tr("Too few runs"), "", ""
            return (*self.metric.parts(cell), self._below(cell))
        if status is CellStatus.MEASURING:
            return tr(TITLES[status]), "", tr_message(step_text(activity.step))
        if status in (CellStatus.QUEUED, CellStatus.UNREACHABLE):
            return tr(TITLES[status]), "", said_of(activity.part, self._name_of(cell))
        return tr(TITLES[status]), "", cell.why.rpartition(": ")[2].rstrip(".")

    def _name_of(self, cell: Cell) -> str:
        """Return the machine of a cell, as it is called in what is said about it."""
        assert self.sweep is not None, "there are cells"
        place = self.places[self.sweep.machine_of(cell)]
        return HERE if place.machine is None else place.machine.name

    def _below(self, cell: Cell) -> str:
        """Return the interval, and the word for the best of a model."""
        best, word = self.fastest.get(cell.at), ""
        if best is not None:
            least = tr("fastest") if self.metric.id in ("p50", "p95") else tr("lowest")
            word = least if best else tr("not clearly slower")
        if self.metric is machine_matrix.LAYERS:
            return ""
        partly = machine_matrix.partly_supported(cell)
        layers = tr("{count} layers").format(count=machine_matrix.LAYERS.text(cell))
        limits = machine_matrix.interval(cell) if self.metric.id == "p50" else None
        text = _range_text(*limits) if limits is not None else ""
        return " · ".join(filter(None, (word, layers if partly else "", text)))

    def _shape(self) -> tuple[int, int]:
        sweep = self.sweep
        return (len(sweep.models), len(self.places)) if sweep is not None else (0, 0)

    def _digest(self) -> None:
        sweep = self.sweep
        if sweep is None:
            return
        self.fastest = machine_matrix.fastest(sweep, self.metric)
        values = [v for c in sweep.cells if (v := self.metric.value(c)) is not None and v > 0]
        self.range = (min(values), max(values)) if values else (1.0, 1.0)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of models."""
        return 0 if parent.isValid() else self._shape()[0]

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Return the number of machines."""
        return 0 if parent.isValid() else self._shape()[1]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the text of a cell, for screen readers and tooltips."""
        if role not in (
            Qt.ItemDataRole.DisplayRole,
            Qt.ItemDataRole.AccessibleTextRole,
            Qt.ItemDataRole.ToolTipRole,
        ):
            return None
        cell = self.cell(index.row(), index.column())
        number, unit, below = self.texts(cell)
        if role == Qt.ItemDataRole.ToolTipRole:
            said = self.activities.get(cell.at, Activity()).part if self.running else ""
            return tip(cell.why, said)
        words = ", ".join(filter(None, (f"{number} {unit}".strip(), below)))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            model, place = self.names(index.row(), index.column())
            return f"{model}, {place}: {words}"
        return words

    def names(self, row: int, column: int) -> tuple[str, str]:
        """Return the model and the machine of a cell."""
        assert self.sweep is not None, "there are rows"
        return self.sweep.models[row].name, self.places[column].title

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return the name of a machine or of a model."""
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        if orientation == Qt.Orientation.Horizontal:
            text = self.places[section].title if section < len(self.places) else ""
        else:
            there = self.sweep is not None and section < len(self.sweep.models)
            text = self.sweep.models[section].name if there and self.sweep else ""
        return tip(text) if role == Qt.ItemDataRole.ToolTipRole else text


class MatrixCells(QStyledItemDelegate):
    """Draws a cell: mark, number with a lighter unit, the line below, and a bar."""

    def __init__(self, theme: Theme, model: MatrixModel) -> None:
        super().__init__()
        self._theme, self._model = theme, model

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the cell."""
        model, look = self._model, self._theme.palette
        cell = model.cell(index.row(), index.column())
        status = model.status(cell)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        whole = QRectF(option.rect)
        painter.fillRect(whole, qt_color(look.surface))
        painter.fillRect(
            QRectF(whole.left(), whole.bottom() - 1, whole.width(), 1), qt_color(look.hairline)
        )
        box = whole.adjusted(3, 3, -3, -4)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        best = model.fastest.get(cell.at) if status in MEASURED else None
        if chosen or best:
            tint = look.selection if chosen else mix(look.surface, look.good, 0.12)
            painter.setBrush(qt_color(tint))
            painter.setPen(QPen(qt_color(look.accent), 1.5) if chosen else Qt.PenStyle.NoPen)
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        unit = look.lane(model.places[index.column()].kind)
        inner = box.adjusted(_EDGE - 3, 5, -(_EDGE - 3), -5)
        mark_box = QRectF(inner.left(), inner.top() + 2, _MARK, _MARK)
        paint_mark(painter, mark_box, status, unit, look)
        self._draw_texts(painter, inner, cell, status, chosen)
        self._draw_bar(painter, inner, cell, status, unit)
        painter.restore()

    def _draw_texts(
        self, painter: QPainter, inner: QRectF, cell: Cell, status: CellStatus, chosen: bool
    ) -> None:
        model, look = self._model, self._theme.palette
        number, unit, below = model.texts(cell)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        top = QRectF(inner.left() + _MARK + 4, inner.top(), inner.width() - _MARK - 4, 18)
        secondary = look.on_selection if chosen else look.secondary
        if unit:
            painter.setFont(font(11))
            painter.setPen(qt_color(secondary))
            painter.drawText(top, right, unit)
            top.adjust(0, 0, -painter.fontMetrics().horizontalAdvance(unit) - 3, 0)
        has_number = status in MEASURED and model.metric.value(cell) is not None
        painter.setFont(font(13, 600 if has_number else 500))
        role = _ROLES.get(status, "text" if has_number else "secondary")
        painter.setPen(qt_color(look.on_selection if chosen else getattr(look, role)))
        painter.drawText(top, right, number)
        painter.setFont(font(11))
        line = QRectF(inner.left(), inner.top() + 19, inner.width(), 15)
        shown = _fitting(below, painter.fontMetrics(), int(line.width()))
        good = model.fastest.get(cell.at) is not None and status in MEASURED
        tint = look.on_selection if chosen else look.good if good else look.secondary
        painter.setPen(qt_color(tint))
        painter.drawText(line, right, shown)

    def _draw_bar(
        self, painter: QPainter, inner: QRectF, cell: Cell, status: CellStatus, unit: str
    ) -> None:
        """Draw the number on a logarithmic scale, or how far the step under way is.

        A share of layers is drawn on a linear scale.
        """
        model, look = self._model, self._theme.palette
        value, share = model.metric.value(cell), -1.0
        if status in MEASURED and value is not None and model.metric is machine_matrix.LAYERS:
            share = value
        elif status in MEASURED and value:
            low, high = model.range
            share = 1.0 if low == high else 0.08 + 0.92 * log(value / low) / log(high / low)
        elif status is CellStatus.MEASURING:
            share, unit = model.activities.get(cell.at, Activity()).done, look.accent
        if share < 0:
            return
        width = inner.width() - _MARK - 4
        bar = QRectF(inner.right() - width, inner.bottom() - _BAR + 1, width, _BAR)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(qt_color(look.track))
        painter.drawRoundedRect(bar, _BAR / 2, _BAR / 2)
        painter.setBrush(qt_color(unit))
        bar.setWidth(max(_BAR, bar.width() * min(1.0, share)))
        painter.drawRoundedRect(bar, _BAR / 2, _BAR / 2)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return room for two lines and a bar."""
        return QSize(NARROWEST_PX, ROW_PX)


def said_of(part: str, name: str) -> str:
    """Return what a machine waits for: 'behind measure net.onnx for ada@desk', or 'for 7 s'.

    part: 'pi5: queued behind process 12 (measure net.onnx for ada@desk)', as a RemoteEngine
    says it.
    """
    text = part.removeprefix(f"{name}: ").removeprefix("queued").removeprefix("unreachable")
    text = text.strip(": ")
    what = text.partition("(")[2].removesuffix(")") if text.startswith("behind ") else ""
    return tr("behind {what}").format(what=what) if what else text


def _range_text(low_ns: float, high_ns: float) -> str:
    """Return two durations, with one unit if it is the same: '2.08 to 2.14 ms'."""
    (low, low_unit), (high, high_unit) = map(units.duration_parts, (low_ns, high_ns))
    first = low if low_unit == high_unit else f"{low} {low_unit}"
    return tr("{low} to {high}").format(low=first, high=f"{high} {high_unit}")


def _title(name: str) -> str:
    return units.clip(name, 80)


def _fitting(text: str, metrics: QFontMetrics, width: int) -> str:
    """Return as many facts as there is room for, the first ones first."""
    facts = text.split(" · ")
    for count in range(len(facts), 0, -1):
        shown = " · ".join(facts[:count])
        if metrics.horizontalAdvance(shown) <= width:
            return shown
    return metrics.elidedText(facts[0], Qt.TextElideMode.ElideRight, width)


class _Head(QHeaderView):
    """Names in two lines: machines with their device, models with their size."""

    def __init__(
        self, theme: Theme, model: MatrixModel, orientation: Qt.Orientation, parent: QWidget
    ) -> None:
        super().__init__(orientation, parent)
        self._theme, self._matrix = theme, model
        self.setHighlightSections(False)
        self.setSectionsClickable(False)
        across = orientation == Qt.Orientation.Horizontal
        self.setAccessibleName(tr("Machines") if across else tr("Models"))

    def sizeHint(self) -> QSize:
        """Return room for two lines; names get up to a third of the table."""
        if self.orientation() == Qt.Orientation.Horizontal:
            return QSize(0, HEAD_PX)
        names = self._matrix.sweep.models if self._matrix.sweep is not None else ()
        metrics = QFontMetrics(font(12, 600))
        longest = max((metrics.horizontalAdvance(_title(one.name)) for one in names), default=0)
        view = self.parentWidget()
        most = view.width() // 3 if view is not None else NAMES_PX
        return QSize(max(NAMES_PX, min(longest + 2 + sum(_NAME_EDGES), most)), 0)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Draw one name with what is below it."""
        look, model = self._theme.palette, self._matrix
        if not rect.isValid() or model.sweep is None:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        across = self.orientation() == Qt.Orientation.Horizontal
        box = QRectF(rect)
        painter.fillRect(box, qt_color(look.surface))
        line = QRectF(box.left(), box.bottom() - 1, box.width(), 1)
        painter.fillRect(line, qt_color(look.border if across else look.hairline))
        side = Qt.AlignmentFlag.AlignRight if across else Qt.AlignmentFlag.AlignLeft
        side |= Qt.AlignmentFlag.AlignVCenter
        left, right = _NAME_EDGES
        inner = (
            box.adjusted(_EDGE, 0, -_EDGE, 0) if across else box.adjusted(left, 0, -right, 0)
        )
        middle = inner.center().y() if across else inner.top() + 27  # in line with the cells
        if across:
            place = model.places[section]
            title, below = place.name, units.device(place.device)
        else:
            one = model.sweep.models[section]
            title, below = one.name, units.size(one.size_bytes)
        painter.setFont(font(12, 600))
        painter.setPen(qt_color(look.text))
        shown = painter.fontMetrics().elidedText(
            _title(title), Qt.TextElideMode.ElideMiddle, int(inner.width())
        )
        painter.drawText(QRectF(inner.left(), middle - 18, inner.width(), 18), side, shown)
        painter.setFont(font(11))
        painter.setPen(qt_color(look.secondary))
        second = QRectF(inner.left(), middle, inner.width(), 16)
        painter.drawText(second, side, below)
        if across:
            width = painter.fontMetrics().horizontalAdvance(below)
            swatch = QRectF(inner.right() - width - 13, second.center().y() - 4, 8, 8)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(qt_color(look.lane(place.kind)))
            painter.drawRoundedRect(swatch, 2, 2)
        painter.restore()


class MatrixTable(QTableView):
    """The table; `chosen` tells which cell is the current one, None for none."""

    chosen = Signal(object)

    def __init__(self, theme: Theme, model: MatrixModel) -> None:
        super().__init__()
        self.matrix = model
        self.setModel(model)
        self._cells = MatrixCells(theme, model)
        self.setItemDelegate(self._cells)
        self.setHorizontalHeader(_Head(theme, model, Qt.Orientation.Horizontal, self))
        self.setVerticalHeader(_Head(theme, model, Qt.Orientation.Vertical, self))
        self.horizontalHeader().setMinimumSectionSize(NARROWEST_PX)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(ROW_PX)
        self.setShowGrid(False)
        self.setStyleSheet(
            "QHeaderView, QTableCornerButton::section { background: transparent; }"
        )
        self.setCornerButtonEnabled(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setAccessibleName(tr("Models on machines"))
        corner = self.findChild(QAbstractButton)
        if corner is not None:
            corner.setAccessibleName(tr("Select all"))
        self.selectionModel().currentChanged.connect(self._tell)
        model.modelReset.connect(self._arrange)
        follow(theme, self, lambda: self.viewport().update())

    def current_cell(self) -> tuple[int, int] | None:
        """Return row and column of the current cell; None for none."""
        index = self.currentIndex()
        return (index.row(), index.column()) if index.isValid() else None

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width among the machines."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        count = self.matrix.columnCount()
        if count:
            room = self.viewport().width()
            width = max(NARROWEST_PX, room // count)
            for column in range(count):
                self.setColumnWidth(column, width)

    def _tell(self, current: QModelIndex) -> None:
        self.chosen.emit((current.row(), current.column()) if current.isValid() else None)


class StatusLegend(QWidget):
    """The marks of the statuses that occur, with their words."""

    _ALWAYS = (CellStatus.MEASURED, CellStatus.QUEUED)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.shown: tuple[CellStatus, ...] = self._ALWAYS
        self.setFixedHeight(18)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_statuses(self, present: set[CellStatus]) -> None:
        """Show these."""
        self.shown = tuple(each for each in CellStatus if each in present)
        self.setAccessibleName("; ".join(tr(TITLES[each]) for each in self.shown))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw marks and words."""
        look, painter, x = self._theme.palette, painter_on(self), 0.0
        painter.setFont(font(11))
        for status in self.shown:
            text = tr(TITLES[status])
            paint_mark(painter, QRectF(x, 2, _MARK, _MARK), status, look.secondary, look)
            width = painter.fontMetrics().horizontalAdvance(text)
            painter.setPen(qt_color(look.secondary))
            box = QRectF(x + _MARK + 5, 0, width + 2, 18)
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)
            x += _MARK + 5 + width + 16


def statuses(model: MatrixModel) -> dict[CellStatus, int]:
    """Return how many cells have which status."""
    found: dict[CellStatus, int] = {}
    for cell in model.sweep.cells if model.sweep is not None else ():
        status = model.status(cell)
        found[status] = found.get(status, 0) + 1
    return found
