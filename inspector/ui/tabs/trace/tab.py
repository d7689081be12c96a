"""A trace in the window: what it lacks, its timeline, and what adds up in it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QSplitter, QVBoxLayout, QWidget

from inspector.app.record import comparison_with
from inspector.model.model import Model
from inspector.pages.blocks import Page
from inspector.pages.trace import program_section
from inspector.ui import commands, units
from inspector.ui.background import TaskRunner
from inspector.ui.documents.trace_document import TraceDocument
from inspector.ui.tabs.trace.events_table import EventsCard
from inspector.ui.tabs.trace.traced_graph import TracedGraph, profiled_model
from inspector.ui.timeline.model import span_facts
from inspector.ui.timeline.model.geometry import DEEPEST, MOST
from inspector.ui.timeline.model.trace_indexing import TraceIndex
from inspector.ui.timeline.widget.card import Timeline
from inspector.ui.translate import mark, plural, tr, wording
from inspector.ui.widgets.command_hints import in_window
from inspector.ui.widgets.layouts import BESIDE_BAR, scroll_down
from inspector.ui.widgets.page_view import PageView, SectionCard
from inspector.ui.widgets.parts import (
    GAP,
    PADDING,
    Elided,
    add_to,
    button,
    column_of,
    note,
    row,
    show_in_place,
    tool,
)
from inspector.ui.widgets.theme import Theme

_STILL_MS = 60
_INVITATION = mark(
    "Select an event to see its details. Shift-drag to select a time range; the table then "
    "covers only that range."
)
_MOST_NOTES = 4
_LEAST = 204  # px, height of the timeline
_LEAST_EVENTS = 180  # px, height of the table
_GRAPH_SHARE = 0.4  # of the width
_MOST_SHARE = 0.68  # of the height, for the timeline


class TraceTab(QWidget):
    """Timeline above, events below; the line between them can be moved."""

    failed = Signal(object)  # InspectorError

    def __init__(self, theme: Theme, document: TraceDocument) -> None:
        super().__init__()
        self.document = document
        opened, selection = document.opened, document.selection
        self._theme, self._index = theme, document.index or TraceIndex.of(opened)
        existing = self._index.known
        self.timeline = Timeline(theme, opened, selection, tall=True, index=existing)
        self.notes = Notes(theme, notes(document))
        findings = [replace(f, advice=in_window(f.advice)) for f in document.findings]
        program = program_section(findings, document.parts)
        self.program = SectionCard(theme, program)
        self.program.setAccessibleName(tr("Use of ONNX Runtime"))
        if not program:
            self.program.hide()
        self.program.chosen.connect(self._show_finding)
        self.told = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        foot = row(self.told, stretch=0, margins=(PADDING - 1, 6, PADDING - 1, 2))
        self.timeline.body.addLayout(foot)
        selection.changed.connect(self._tell)
        self._tell()
        self.split = QSplitter(Qt.Orientation.Vertical)
        self.split.setChildrenCollapsible(False)
        self.split.setHandleWidth(GAP)
        self.split.addWidget(self.timeline)
        self.timeline.setMinimumHeight(_LEAST)
        self.split.setMinimumHeight(_LEAST + GAP + _LEAST_EVENTS)
        # Adding up a million spans takes a tenth of a second, too long for each step of a drag.
        self._still = QTimer(self, singleShot=True, interval=_STILL_MS)
        self._still.timeout.connect(self._add_up_marked)
        self.timeline.lanes.range_changed.connect(self._still.start)
        self._moved = False
        self.split.splitterMoved.connect(self._keep)
        self.timeline.height_changed.connect(self._share_height)
        self.compare = button(theme, tr("Compare with another recording…"))
        self.compare.clicked.connect(commands.runner(self, "compare/traces"))
        self.show_model = button(theme, tr("Show the graph"))
        self.show_model.clicked.connect(commands.runner(self, "trace/graph"))
        self.show_model.setVisible(bool(profiled_model(document)))
        self.comparison = PageView(theme)
        self.graph: TracedGraph | None = None
        self._jobs = TaskRunner(self)
        self.compared = Elided("", "heading", Qt.TextElideMode.ElideRight)
        self.end_comparison = tool(theme, "close", tr("Close the comparison"))
        self.end_comparison.clicked.connect(lambda: self.show_comparison(None))
        page, whole, scrolled = QWidget(), QVBoxLayout(self), QScrollArea()
        self.across = QSplitter(Qt.Orientation.Horizontal)
        self.across.setChildrenCollapsible(False)
        scroll_down(scrolled)  # in a low window the page is higher than its room
        scrolled.setWidget(page)
        scrolled.setAccessibleName(tr("Trace"))
        whole.setContentsMargins(0, 0, 0, 0)
        self.across.addWidget(scrolled)
        whole.addWidget(self.across)
        column = self._column = QVBoxLayout(page)
        column.setContentsMargins(PADDING, PADDING, BESIDE_BAR, PADDING)
        column.setSpacing(GAP)
        compared = (self.compared, self.end_comparison)
        column.addLayout(row(*compared, self.show_model, self.compare, stretch=0))
        self.show_comparison(None)
        add_to(column, self.comparison, self.program, self.notes, (self.split, 1))
        # To build all this and to draw it takes a tenth of a second: in four turns.
        # Until then it is hidden: what is opaque would keep a picture of what was here before.
        self.split.hide()
        self.setUpdatesEnabled(False)
        self._turn, self._next_turn = 0, QTimer(self, singleShot=True, interval=0)
        self._next_turn.timeout.connect(self._take_turn)
        self._next_turn.start()

    def show_comparison(self, page: Page | None) -> None:
        """Show this trace beside another one, or no more."""
        for part in (self.comparison, self.end_comparison):
            part.setVisible(page is not None)
        if page is None:
            self.compared.set_text("")
        else:
            self.compared.set_text(wording().text(page.title))
            self.comparison.show_page(page)

    def compare_with(self, path: Path) -> None:
        """Show this trace beside that of a file, once it is read."""
        opened, name = self.document.opened, self.document.name
        work = partial(comparison_with, opened, name, path)
        self._jobs.start(work, self.show_comparison, self.failed.emit)

    @property
    def profiled(self) -> str:
        """Return the name of the model whose layers are in the trace; "" for none."""
        return profiled_model(self.document)

    def show_graph(self, model: Model) -> None:
        """Show the model whose layers were recorded, beside the trace."""
        self.close_graph()
        self.graph = TracedGraph(
            self._theme, self.document, model, profiled_model(self.document)
        )
        self.graph.closed.connect(self.close_graph)
        self.across.addWidget(self.graph)
        wide = self.width()
        self.across.setSizes([wide - int(wide * _GRAPH_SHARE), int(wide * _GRAPH_SHARE)])
        self.show_model.hide()

    def close_graph(self) -> None:
        """Take the graph away."""
        if self.graph is not None:
            self.graph.hide()
            self.graph.deleteLater()
            self.graph = None
            self.show_model.show()

    @cached_property
    def events(self) -> EventsCard:
        """The table below, which is made in a turn of its own or as soon as it is needed."""
        opened, selection = self.document.opened, self.document.selection
        made = EventsCard(self._theme, opened, selection, self._index.events)
        self.split.addWidget(made)
        self.split.setStretchFactor(1, 1)
        self._share_height()
        return made

    def _take_turn(self) -> None:
        """Make what is missing, lay it all out, and have it drawn: each in a turn."""
        if self._turn == 0:
            self.events.show()
        elif self._turn == 1:
            self.split.show()
            self._column.activate()
            self._share_height()
        else:
            self.setUpdatesEnabled(True)
            return
        self._turn += 1
        self._next_turn.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the timeline what it needs, as long as nobody moved the line."""
        super().resizeEvent(event)
        self._share_height()

    def _share_height(self) -> None:
        room = self.split.height() - GAP
        preferred = min(self.timeline.preferred_height(), int(room * _MOST_SHARE))
        if not self._moved:
            self.split.setSizes([preferred, room - preferred])

    def _show_finding(self, key: str) -> None:
        """Frame the spans of a finding and select the first, or the next of them.

        Times between spans are marked, one after the other.
        """
        trace, chosen = self.document.opened.trace, self.document.selection.now.span
        finding = self.document.findings[int(key)]
        if finding.gaps:
            self._show_gap(finding.gaps)
            return
        spans = list(finding.spans)
        place = (spans.index(chosen) + 1) % len(spans) if chosen in spans else 0
        ends = trace.start_ns[spans] + trace.duration_ns[spans]
        self.timeline.window_of_time.frame(int(trace.start_ns[spans].min()), int(ends.max()))
        self.timeline.lanes.pick(spans[place])
        at = tr("Event {place:,} of {count:,}").format(place=place + 1, count=len(spans))
        self.told.set_text(f"{at}  ·  {self.told.accessibleName()}")

    def _show_gap(self, gaps: Sequence[tuple[int, int]]) -> None:
        """Mark the first of some times between spans, or the next one."""
        marked, lanes = self.timeline.lanes.marked, self.timeline.lanes
        place = (gaps.index(marked) + 1) % len(gaps) if marked in gaps else 0
        begin, end = gaps[place]
        around = end - begin
        self.timeline.window_of_time.frame(begin - around, end + around)
        lanes.mark(begin, end)
        at = tr("Gap {place:,} of {count:,}").format(place=place + 1, count=len(gaps))
        self.told.set_text(f"{at}  ·  {units.duration(around)}")

    def _tell(self) -> None:
        """Show what is known of the selected event."""
        opened, chosen = self.document.opened, self.document.selection.now.span
        if chosen is None:
            self.told.set_text(tr(_INVITATION))
        else:
            span = opened.trace.span(chosen)
            pairs = span_facts.facts(span, opened)
            facts = (f"{name} {value}" for name, value in pairs if name != "Layer")
            self.told.set_text("  ·  ".join((span_facts.title(span), *facts)))

    def _add_up_marked(self) -> None:
        self.events.show_stretch(self.timeline.lanes.marked)

    def _keep(self) -> None:
        self._moved = True


class Notes(QWidget):
    """Sentences about what a file lacks; hidden when there are none."""

    def __init__(self, theme: Theme, sentences: tuple[str, ...]) -> None:
        super().__init__()
        self.words = tuple(sentences)
        column = column_of(on=self, spacing=4, margins=(4, 0, 4, 0))
        self.setAccessibleName(tr("Notes"))
        for sentence in sentences:
            column.addLayout(note(theme, in_window(sentence)))
        show_in_place(self, bool(sentences))


def notes(document: TraceDocument) -> tuple[str, ...]:
    """Return what a file lacks, and what of it finds no room in the timeline."""
    opened = document.opened
    result = opened.notes
    more = len(opened.trace.tracks) - MOST
    if more > 0:
        result = (
            *result,
            tr(
                "The timeline shows {most} of {most_2:,} tracks; the table includes all."
            ).format(most=MOST, most_2=MOST + more),
        )
    if len(opened.trace) and int(opened.trace.depth.max()) >= DEEPEST:
        result = (
            *result,
            tr(
                "The timeline shows up to {deepest} levels per track; the table includes all."
            ).format(deepest=DEEPEST),
        )
    if len(result) > _MOST_NOTES:
        rest = plural(len(result) - _MOST_NOTES + 1, "more note")
        result = (*result[: _MOST_NOTES - 1], tr("And {rest}.").format(rest=rest))
    return result
