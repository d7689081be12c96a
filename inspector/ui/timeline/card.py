"""The timeline of a trace: whole run, axis and lanes in one card."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from inspector import units
from inspector.detail import detail, extent, representative
from inspector.trace import Traced
from inspector.ui.kit.parts import PADDING, Card, Elided, label, row, tool
from inspector.ui.kit.theme import Theme
from inspector.ui.selection import Selection
from inspector.ui.timeline import range as marked_range
from inspector.ui.timeline.axis import Axis
from inspector.ui.timeline.lanes import Lanes
from inspector.ui.timeline.layout import bands
from inspector.ui.timeline.strip import WholeRun
from inspector.ui.timeline.window import TimeWindow

_ZOOM, _HIGHEST = 0.6, 320


class Timeline(Card):
    """Shows one prediction at first, the one of middle length; F shows the whole run.

    tall: takes all the height it is given instead of as much as it needs.
    """

    def __init__(
        self, theme: Theme, traced: Traced, selection: Selection, tall: bool = False
    ) -> None:
        super().__init__(theme, padding=1)
        self._detail = detail(traced.trace)
        tracks = bands(self._detail)
        self.window_of_time = TimeWindow(*extent(traced.trace))
        self.window_of_time.frame(*representative(traced.trace))
        self.strip = WholeRun(theme, self._detail, tracks, self.window_of_time)
        self.lanes = Lanes(theme, traced, self._detail, tracks, self.window_of_time, selection)
        self.axis = Axis(theme, lambda: self.lanes.scale)
        self.told = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        self.out = tool(theme, "minus", "Zoom out (S)")
        self.into = tool(theme, "plus", "Zoom in (W)")
        self.all = tool(theme, "fit", "Show the whole run (F)")
        self._lay_out(tall)
        self._wire()
        self._tell()

    def _lay_out(self, tall: bool) -> None:
        head = row(label("Timeline", "heading"), 4, self.told, self.out, self.into, self.all)
        head.setStretch(2, 1)
        head.setContentsMargins(PADDING - 1, 5, PADDING - 7, 5)
        self.body.setSpacing(0)
        self.body.setContentsMargins(1, 1, 1, 6)
        self.body.addLayout(head)
        self.body.addWidget(self.strip)
        self.body.addWidget(self.axis)
        self.body.addWidget(_scrolled(self.lanes, tall))

    def _wire(self) -> None:
        window = self.window_of_time
        window.changed.connect(self._tell)
        window.changed.connect(self.axis.update)
        self.lanes.range_changed.connect(self._tell)
        self.out.clicked.connect(lambda: window.zoom(1 / _ZOOM))
        self.into.clicked.connect(lambda: window.zoom(_ZOOM))
        self.all.clicked.connect(window.fit)

    def _tell(self) -> None:
        window = self.window_of_time
        if self.lanes.marked is not None:
            words = marked_range.summary(self._detail, *self.lanes.marked)
        else:
            whole, shown = units.duration(window.whole_ns), units.duration(window.length_ns)
            count = self._detail.count(window.begin_ns, window.end_ns)
            words = f"{shown} shown of {whole} · {units.plural(count, 'event')}"
        self.told.set_text(words)
        self.setAccessibleName("Timeline")
        self.setAccessibleDescription(words)


def _scrolled(lanes: Lanes, tall: bool) -> QWidget:
    """The lanes, in a scroll area if they are very high."""
    if not tall and lanes.height() <= _HIGHEST:
        return lanes
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    if not tall:
        area.setFixedHeight(_HIGHEST)
    inner = QWidget()
    column = QVBoxLayout(inner)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(lanes)
    column.addStretch(1)
    area.setWidget(inner)
    return area
