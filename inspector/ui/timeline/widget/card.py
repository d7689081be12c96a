"""The timeline of a trace: whole run, axis, pinned rows and lanes in one card."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from msgspec.structs import replace
from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QActionGroup, QResizeEvent
from PySide6.QtWidgets import QFrame, QMenu, QScrollArea, QWidget

from inspector.analysis.measured.shown_run import shown_run
from inspector.report.report import PerformanceReport
from inspector.trace.trace import TraceSource
from inspector.ui import units
from inspector.ui.background import LatestTask, Throttle
from inspector.ui.selection import Selection
from inspector.ui.timeline.model.geometry import Arrangement, Grouping, bands, groupings, pinned
from inspector.ui.timeline.model.median_overlay import MedianOverlay, median_overlay
from inspector.ui.timeline.model.predictions import TimelineIndex
from inspector.ui.timeline.model.row_grouping import Regrouped, by_event
from inspector.ui.timeline.model.span_search import SearchResultRows, search_result_rows
from inspector.ui.timeline.model.state import TimelineState, TimeWindow
from inspector.ui.timeline.render.time_axis import Axis
from inspector.ui.timeline.widget import range_summary
from inspector.ui.timeline.widget.lanes import Lanes
from inspector.ui.timeline.widget.overview_strip import OverviewStrip
from inspector.ui.timeline.widget.prediction_ruler import Ruler
from inspector.ui.timeline.widget.range_summary import RangeSummary
from inspector.ui.timeline.widget.search_bar import SearchBar
from inspector.ui.translate import plural, tr, written
from inspector.ui.widgets.parts import (
    PADDING,
    Card,
    Elided,
    Segmented,
    add_to,
    button,
    column_of,
    hairline,
    label,
    row,
    tip,
    tool,
)
from inspector.ui.widgets.theme import Theme

_ZOOM = 0.6  # factor of one click
_HIGHEST = 320  # px, of the lanes of a card among others
_STILL_MS = 50  # without a change, after which what needs time is drawn
_ROOMY = 700  # px, width from which on buttons have words
_AROUND = 82  # px, height of a card besides its lanes
_SEVERAL = 3  # runs of which one is chosen
_VERY_ROOMY = 820  # px, width from which on runs can be chosen
_FOR_SEARCH = 240  # px, that a search takes
_TELLING = 440  # px, width from which on the note is shown
Shown = TypeVar("Shown", bound=Regrouped)


class Timeline(Card):
    """Shows the run of middle length at first, or all of a trace; F shows all.

    tall: of a trace: takes all the height it is given instead of as much as it needs; else it
    leaves runs, memory and CPU load to the menu at first. index: what was made of the trace
    already, where that takes long. height_changed: it would like another.
    """

    height_changed = Signal()

    def __init__(
        self,
        theme: Theme,
        traced: TraceSource,
        selection: Selection,
        tall: bool = False,
        index: TimelineIndex | None = None,
    ) -> None:
        super().__init__(theme, padding=1)
        index = index or TimelineIndex.of(traced.trace)
        whole = index.detail
        self.window_of_time = TimeWindow(*index.extent)
        # A report has a run that its layer times describe; other traces one of middle length.
        self._run = shown_run(traced) if isinstance(traced, PerformanceReport) else None
        first = index.first if self._run is None else (self._run.begin_ns, self._run.end_ns)
        if not tall:
            self.window_of_time.frame(*first)
        self._framed = self.window_of_time.begin_ns, self.window_of_time.end_ns
        self.state = TimelineState(traced, whole, self.window_of_time, selection)
        self.iterations = index.iterations
        self.strip = OverviewStrip(theme, bands(whole), self.window_of_time, index.unprofiled)
        self.state.arrangement = Arrangement(details=tall)
        shown = bands(whole, self.state.arrangement)
        self.lanes = Lanes(theme, self.state, shown, self.iterations)
        self.pinned = Lanes(theme, self.state, (), self.iterations)
        self.pinned.leader = self.lanes
        self.pinned.setAccessibleName(tr("Pinned rows of the timeline"))
        self.pinned.hide()
        self._below_pinned = hairline()
        self._below_pinned.hide()
        scale = lambda: self.lanes.scale  # noqa: E731 - the lanes may be laid out anew
        self.axis = Axis(theme, scale, lambda: self.state.marked)
        self.ruler = Ruler(theme, self.iterations, traced.trace.moments, scale)
        self.note = RangeSummary(theme)
        self._make_head(theme, tall)
        self.row_task = LatestTask(len(traced.trace), self)
        self._counting = LatestTask(len(traced.trace), self)
        self._still = QTimer(self, singleShot=True, interval=_STILL_MS)
        self._lay_out(tall)
        self._fill_menu()
        self._wire()
        self._update_note()

    def preferred_height(self) -> int:
        """The height at which nothing has to scroll."""
        parts = (self.strip, self.axis, self.ruler, self.pinned, self.note)
        fixed = sum(part.height() for part in parts if not part.isHidden())
        return _AROUND + fixed + self.lanes.height()

    def pictured(self) -> tuple[QWidget, ...]:
        """The parts to include in an exported picture, from top to bottom."""
        parts = (self.axis, self.ruler, self.pinned, self.lanes)
        return tuple(part for part in parts if not part.isHidden())

    def group(self, grouping: Grouping) -> None:
        """Group the rows in another way."""
        state = self.state
        arrangement = replace(state.arrangement, grouping=grouping)
        if grouping is Grouping.EVENT and state.overlaid is None:
            message = tr("Sorting {count:,} events…").format(count=len(state.traced.trace))
            work = partial(by_event, state.traced)
            show = partial(state.arrange, arrangement)
            self.row_task.run(message, work, partial(self._take, message, show))
        else:
            self.row_task.cancel()
            state.arrange(arrangement)

    def overlay(self, is_on: bool) -> None:
        """Show one prediction as the median of all, or all."""
        if is_on:
            message = tr("Computing the median run…")
            work = partial(median_overlay, self.state.traced)
            show: Callable[[MedianOverlay], None] = self.state.overlay
            self.row_task.run(message, work, partial(self._take, message, show))
        else:
            self.row_task.cancel()
            self.state.overlay(None)

    def show_details(self, shown: bool) -> None:
        """Show runs above the lanes, and memory and CPU load below them, or not."""
        self.state.arrange(replace(self.state.arrangement, details=shown))

    def _show_units_only(self, only: bool) -> None:
        self.state.arrange(replace(self.state.arrangement, units_only=only))

    def fold_all(self, folded: bool) -> None:
        """Fold every group, or every row where there are no groups; or unfold all."""
        heads = [band for band in self.lanes.bands if band.head] or self.lanes.bands
        keys = frozenset(band.key for band in heads) if folded else frozenset()
        self.state.arrange(replace(self.state.arrangement, folded=keys))

    def _take(self, message: str, show: Callable[[Shown], None], rows: Shown) -> None:
        """Show other rows, once it is known where among them is what is searched for."""
        state = self.state
        if state.search_result is None or state.knows(rows):
            show(rows)
            return

        def know(result_rows: SearchResultRows) -> None:
            state.know(result_rows)
            self._take(message, show, rows)

        self.row_task.run(message, partial(search_result_rows, state.search_result, rows), know)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the head into the new width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show in the head what there is room for; a search needs some of it."""
        room = self.width() - (_FOR_SEARCH if self.search.searching else 0)
        self.search.fit(self.width())
        self._name_rows()
        self.runs.setVisible(room >= _VERY_ROOMY and self._several)
        self.note_label.setVisible(room >= _TELLING)
        self._update_note()

    def _make_head(self, theme: Theme, tall: bool) -> None:
        """Make the widgets next to the title."""
        self.search = SearchBar(theme, self.state)
        self.search.field.setProperty("find", tall)
        self.note_label = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        self.rows = button(theme, tr("Group by lane"))
        self.rows.setToolTip(tip(tr("Lanes: calls, data preparation, and computation")))
        self.runs = Segmented(theme, (tr("All runs"), tr("Median run")), 86)
        self.runs.setAccessibleName(tr("Runs shown"))
        self.out = tool(theme, "minus", tr("Zoom out (S or Ctrl+wheel)"))
        self.into = tool(theme, "plus", tr("Zoom in (W or Ctrl+wheel)"))
        self.all = tool(theme, "fit", tr("Zoom to the full trace (F)"))

    def _lay_out(self, tall: bool) -> None:
        head = row(
            label(tr("Timeline"), "heading"), 4, self.note_label, self.search, self.runs,
            self.rows, self.out, self.into, self.all,
        )  # fmt: skip
        head.setStretch(2, 1)
        head.setContentsMargins(PADDING - 1, 4, PADDING - 7, 4)
        self.body.setSpacing(0)
        self.body.setContentsMargins(1, 1, 1, 4)
        self.body.addLayout(head)
        for part in (self.strip, self.axis, self.ruler, self.pinned, self._below_pinned):
            self.body.addWidget(part)
        self._area = _Scrolled(self.lanes, tall)
        add_to(self.body, self._area, self.note)
        self._place_ruler()

    def _fill_menu(self) -> None:
        traced = self.state.traced
        # Medians of runs that waited for other programs would contradict the layer times.
        busy = isinstance(traced, PerformanceReport) and traced.profiling.at_full_speed is False
        count = max((len(one) for one in self.iterations), default=0)
        self._several = count >= _SEVERAL and not busy
        self._groupings = groupings(self.state.traced.trace.tracks)
        menu = QMenu(self)
        group = QActionGroup(menu)
        for grouping in self._groupings:
            label = (
                tr("By event type")
                if grouping is Grouping.EVENT
                else tr("By {value}").format(value=grouping)
            )
            action = menu.addAction(label, partial(self.group, grouping))
            action.setCheckable(True)
            action.setChecked(grouping is self.state.arrangement.grouping)
            group.addAction(action)
        menu.addSeparator()
        median = menu.addAction(tr("Median times of all runs"))
        median.setCheckable(True)
        median.setEnabled(self._several)
        median.triggered.connect(lambda is_on: self.runs.choose(int(is_on)))
        self.runs.chosen.connect(lambda place: median.setChecked(bool(place)))
        details = menu.addAction(tr("Runs, memory, load and power"))
        details.setCheckable(True)
        details.setChecked(self.state.arrangement.details)
        details.toggled.connect(self.show_details)
        units_only = menu.addAction(tr("Devices only"))
        units_only.setCheckable(True)
        units_only.triggered.connect(self._show_units_only)
        menu.addSeparator()
        menu.addAction(tr("Collapse all"), partial(self.fold_all, True))
        menu.addAction(tr("Expand all"), partial(self.fold_all, False))
        self.rows.setMenu(menu)

    def _wire(self) -> None:
        window, state = self.window_of_time, self.state
        window.changed.connect(Throttle(self._update_note, self).call)
        window.changed.connect(self.axis.update)
        window.changed.connect(self.ruler.update)
        state.range_changed.connect(self._update_note)
        state.range_changed.connect(self.axis.update)
        state.range_changed.connect(self._still.start)
        state.arranged.connect(self._arrange)
        self.runs.chosen.connect(lambda place: self.overlay(bool(place)))
        self.row_task.changed.connect(self._update_note)
        state.selection.changed.connect(self._bring_into_view)
        self._still.timeout.connect(self._count)
        self.search.left.connect(self.lanes.setFocus)
        self.search.turned.connect(self._fit)
        for lanes in (self.lanes, self.pinned):
            lanes.searched.connect(self.search.field.setFocus)
        self.out.clicked.connect(lambda: window.zoom(1 / _ZOOM))
        self.into.clicked.connect(lambda: window.zoom(_ZOOM))
        self.all.clicked.connect(window.fit)

    def _arrange(self) -> None:
        """Show the rows as they are wanted now."""
        state = self.state
        pinned_bands = pinned(state.detail, state.arrangement)
        self.pinned.show_bands(pinned_bands)
        for part in (self.pinned, self._below_pinned):
            part.setVisible(bool(pinned_bands))
        self.lanes.show_bands(bands(state.detail, state.arrangement))
        self.strip.show_bands(bands(state.detail))
        self._place_ruler()
        self._area.fit()
        self.height_changed.emit()
        self._name_rows()

    def _place_ruler(self) -> None:
        rows = self.state.arrangement
        visible = rows.details and not rows.units_only and self.state.overlaid is None
        self.ruler.setVisible(visible and self.ruler.height() > 0)

    def _name_rows(self) -> None:
        """Show how the rows are grouped, as text as long as there is room for."""
        grouping = self.state.arrangement.grouping
        suffix = (
            tr("by event")
            if grouping is Grouping.EVENT
            else tr("by {value}").format(value=tr(grouping))
        )
        self.rows.setText(
            tr("Group {by}").format(by=suffix)
            if self.width() >= _ROOMY
            else units.capitalized(suffix)
        )
        self.rows.setAccessibleName(tr("Group {by}").format(by=suffix))

    def _count(self) -> None:
        marked, state = self.state.marked, self.state
        if marked is None:
            self._show_statistics(None)
        else:
            work = partial(range_summary.statistics, state.present, state.detail, *marked)
            self._counting.run(tr("Counting…"), work, self._show_statistics)

    def _show_statistics(self, statistics: range_summary.RangeStatistics | None) -> None:
        still = statistics is None or self.state.marked == (
            statistics.begin_ns,
            statistics.end_ns,
        )
        self.note.show_statistics(statistics if still else None)
        self.height_changed.emit()

    def _bring_into_view(self) -> None:
        """Scroll to the row of what is selected."""
        box = (
            QRectF()
            if self.state.selected_span is None
            else self.lanes.box_of(self.state.selected_span)
        )
        if not box.isEmpty():
            self._area.ensureVisible(0, round(box.center().y()), 0, round(box.height()))

    def _count_shown(self) -> int:
        """Events in the window; one without length at the very end of all is among them."""
        window, state = self.window_of_time, self.state
        if window.length_ns >= window.whole_ns:
            return len(state.traced.trace)
        return state.whole.count(window.begin_ns, window.end_ns)

    def _update_note(self) -> None:
        window, state = self.window_of_time, self.state
        if self.row_task.busy:
            message = self.row_task.busy
        elif not len(state.traced.trace):  # of a measurement that was canceled early
            message = tr("No events were recorded")
        elif state.marked is not None:
            rows = state.whole if state.overlaid is None else state.detail
            message = range_summary.summary(rows, *state.marked)
        elif state.overlaid is not None:
            message = state.overlaid.summary
        else:
            whole, visible_length = (
                units.duration(window.whole_ns),
                units.duration(window.length_ns),
            )
            part = tr("{part} of {whole}").format(part=visible_length, whole=whole)
            part = whole if window.length_ns >= window.whole_ns else part
            events = plural(self._count_shown(), "event")
            framed = (window.begin_ns, window.end_ns) == self._framed
            why = written(self._run.why) if self._run is not None and framed else ""
            message = units.capitalized(why) or f"{part} · {events}"
        self.note_label.set_text(message)
        self.setAccessibleName(tr("Timeline"))
        self.setAccessibleDescription(message)


class _Scrolled(QScrollArea):
    """The lanes; they scroll where they are very high."""

    def __init__(self, lanes: Lanes, tall: bool) -> None:
        super().__init__()
        self._lanes, self._tall = lanes, tall
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inner = QWidget()
        column_of(lanes, None, on=inner)
        self.setWidget(inner)
        self.fit()

    def fit(self) -> None:
        """Take the height that the lanes have now."""
        if not self._tall:
            self.setFixedHeight(min(self._lanes.height(), _HIGHEST))

    def minimumSizeHint(self) -> QSize:
        """Low, if need be: there is a bar to scroll with."""
        return QSize(100, 60)
