"""The search bar of a timeline: query, number of matches, previous and next."""

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from inspector.errors import BadInput
from inspector.trace.trace import TraceSource
from inspector.ui import units
from inspector.ui.background import LatestTask
from inspector.ui.timeline.model.span_search import (
    Rows,
    SearchResult,
    SearchResultRows,
    find,
    search_result_rows,
)
from inspector.ui.timeline.model.state import TimelineState
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.parts import add_to, label, row, tip, tool
from inspector.ui.widgets.table_card import FilterField
from inspector.ui.widgets.theme import Theme

_PAUSE_MS = 90  # without a key, after which is searched
_ROOMY = 900  # px, width of a card with room for the whole bar
_TYPED = 132  # px, width of the field
SearchOutcome = tuple[SearchResult | BadInput | None, list[SearchResultRows]]
_HELP = (
    mark("conv copy: events whose name, operator or layer contains these words"),
    mark("/^Run|copy$/: a regular expression; -idle: events without it"),
    mark("dur>1ms, start<2s, size>=64KiB, run=3: duration, start, copied bytes, run"),
    mark(
        "name:, op:, layer:, track:, thread:, process:, model:, kind:, lane:, such as kind:copy"
    ),
)


class SearchBar(QWidget):
    """Enter goes to the next match, Shift+Enter to the previous one, Escape clears the query.

    left: asked for when the keys should go back to the lanes. turned: words came, or went.
    """

    left = Signal()
    turned = Signal()

    def __init__(self, theme: Theme, state: TimelineState) -> None:
        super().__init__()
        self._state = state
        self._task = LatestTask(len(state.traced.trace), self)
        self.problem: BadInput | None = None
        placeholder = tr("Find an event, operator or layer")
        self.field = _Field(
            theme, tr("Find in the timeline"), placeholder, 236, 96, _ROOMY, briefly=tr("Find")
        )
        self.count = label("", "secondary")
        self.before = tool(theme, "up", tr("Previous match (Shift+Enter)"))
        self.after = tool(theme, "down", tr("Next match (Enter)"), then=lambda: self.step(1))
        add_to(row(on=self, spacing=4), self.count, self.before, self.after, self.field)
        # Words are typed letter by letter, and ten million spans take a while for each.
        self._still = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._still.timeout.connect(self.search)
        self.field.textChanged.connect(self._still.start)
        self.field.textChanged.connect(lambda _: self.turned.emit())
        self.field.stepped.connect(self.step)
        self.field.left.connect(self._leave)
        self.before.clicked.connect(lambda: self.step(-1))
        state.selection.changed.connect(self._update_count)
        self._task.changed.connect(self._update_count)
        self._update_count()

    @property
    def searching(self) -> bool:
        """Return whether there is a query."""
        return bool(self.field.text())

    def search(self) -> None:
        """Search for the current query."""
        self._still.stop()
        state = self._state
        job = partial(_search, state.traced, self.field.text(), {state.whole, state.rows})
        self._task.run(tr("Searching…"), job, self._show)

    def step(self, step: int) -> None:
        """Select the next match or, for -1, the one before."""
        if self._still.isActive():
            self.search()
        state = self._state
        if state.search_result is not None:
            now = state.selected_span if state.selection.now.span is not None else None
            span = state.search_result.neighbor(now, state.window.begin_ns, step)
            if span is not None:
                state.pick(span)

    def _show(self, outcome: SearchOutcome) -> None:
        """Show the matches; assigns them to rows first if the rows have changed."""
        result, rows = outcome
        state = self._state
        self.problem = result if isinstance(result, BadInput) else None
        if isinstance(result, BadInput):
            result = None
        if result is None or any(one.detail is state.detail for one in rows):
            state.show_search_result(result, *rows)
            self._update_count()
        else:
            job = partial(_with_rows, result, {state.whole, state.rows})
            self._task.run(tr("Searching…"), job, self._show)

    def fit(self, room: int) -> None:
        """Take the room that a card so wide has for it; words that are typed need more."""
        self.field.fit(room)
        if self.searching and room < _ROOMY:
            self.field.setFixedWidth(_TYPED)
        layout = self.layout()
        if layout is not None:
            layout.activate()  # at once: else the card goes by the width before its resize

    def _leave(self) -> None:
        self.field.clear()
        self.search()
        self.left.emit()

    def _update_count(self) -> None:
        result, problem = self._state.search_result, self.problem
        explained = map(tr, _HELP) if problem is None else (problem.why, problem.hint)
        self.field.setToolTip(tip(*explained))
        if self._task.busy:
            message = tr("Searching…")
        elif problem is not None:
            message = tr("Invalid search")
        elif result is None:
            message = ""
        elif not len(result):
            message = tr("No matches")
        else:
            number = result.number(self._state.selection.now.span)
            message = f"{units.number(len(result))} " + (
                tr("match") if len(result) == 1 else tr("matches")
            )
            if number is not None:
                message = tr("{number:,} of {count:,}").format(
                    number=number + 1, count=len(result)
                )
        self.count.setText(message)
        self.count.setToolTip(self.field.toolTip() if problem is not None else "")
        self.field.setAccessibleDescription(message if problem is None else problem.why)
        for button in (self.before, self.after):
            button.setVisible(bool(message) and problem is None)
            button.setEnabled(result is not None and len(result) > 0)


def _search(traced: TraceSource, query: str, rows: Iterable[Rows]) -> SearchOutcome:
    """Return the matches in order; of millions the window need not sort them."""
    try:
        result = find(traced, query)
    except BadInput as error:
        return error, []
    if result is None:
        return None, []
    result.prepare()
    return _with_rows(result, rows)


def _with_rows(result: SearchResult, rows: Iterable[Rows]) -> SearchOutcome:
    """Return the matches with their places in some rows."""
    return result, [search_result_rows(result, one) for one in rows]


class _Field(FilterField):
    """A line edit that emits signals for Enter, Shift+Enter and Escape."""

    stepped = Signal(int)
    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step on Enter, leave on Escape, else type."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self.stepped.emit(-1 if back else 1)
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)
