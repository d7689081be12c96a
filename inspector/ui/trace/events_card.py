"""What adds up in a trace: a table of its events, by name, operator or track."""

from functools import partial

from inspector import units
from inspector.analysis.aggregation import Aggregation, By, aggregate
from inspector.trace import Traced
from inspector.ui.documents.selection import Selection
from inspector.ui.kit.beside import Beside
from inspector.ui.kit.fields import ChoiceField
from inspector.ui.kit.table import Table
from inspector.ui.kit.table_card import FilterField, TableCard
from inspector.ui.kit.theme import Theme
from inspector.ui.trace.columns import Groups, What, track_width, widths
from inspector.ui.trace.events_model import EventsModel
from inspector.ui.trace.events_view import EventCells

_CHOICE = 118
_FIND = "Filter by event, operator or track"


class EventsCard(TableCard):
    """Groups of spans; a row selects its longest span, a span selects its row."""

    def __init__(
        self,
        theme: Theme,
        traced: Traced,
        selection: Selection,
        known: Aggregation | None = None,
    ) -> None:
        first = known or aggregate(traced.trace, traced.layers, By.EVENT, None)
        found = {By.EVENT: first}
        model = EventsModel(Groups(traced.trace, first))
        ways = _ways(traced)
        switch = ChoiceField("Group by", ways, [f"By {way}" for way in ways])
        switch.setFixedWidth(_CHOICE)
        table = Table(theme, "Events", model, EventCells(theme, model))
        field = FilterField(theme, "Filter events", _FIND, wide=262, small=130, roomy=760)
        super().__init__(theme, table, "Events", field, 4, switch)
        self.model, self.by = model, switch
        self._traced, self._selection = traced, selection
        self._stretch: tuple[float, float] | None = None
        self._known, self._ways = found, ways
        self._beside = Beside(len(traced.trace), self)
        self._beside.changed.connect(self._tell)
        self._track_width = track_width(traced.trace)
        self.by.currentIndexChanged.connect(self.group_by)
        selection.changed.connect(self.follow_selection)
        self.refresh()

    @property
    def found(self) -> Aggregation:
        """What the table shows, all of it."""
        return self.model.groups.found

    def widths(self, room: int) -> tuple[int, ...]:
        """Columns that tell nothing in this grouping are left out first."""
        groups = self.model.groups
        without: set[What] = set()
        if groups.by is By.OPERATOR or not any(groups.found.operators):
            without |= {What.OPERATOR}
        if groups.by in (By.TRACK, By.LANE):
            without |= {What.OPERATOR, What.TRACK}
        return widths(room, tuple(without), self._track_width if groups.of_tracks else 0)

    def counted(self) -> str:
        """How many groups are shown, and their own time."""
        shown, all_of_them = self.model.rowCount(), len(self.found)
        words = f"{shown:,} of {all_of_them:,}"
        if shown:
            words += f" · {units.duration(self.model.shown_ns())}"
        if self._stretch is not None:
            begin, end = self._stretch
            words += f" · in the {units.duration(end - begin)} marked"
        return words

    def selected_row(self) -> int | None:
        """The row of the group in which the selected span is."""
        return self.model.row_of(self._selection.now.span)

    def choose_row(self, row: int) -> None:
        """Select the longest span of a group."""
        span = int(self.found.longest[self.model.place_of(row)])
        layer = int(self._traced.trace.layer[span])
        self._selection.choose(layer if layer >= 0 else None, span)

    def group_by(self, place: int) -> None:
        """Add up by another thing that events have in common."""
        self._add_up(place)

    def show_stretch(self, stretch_ns: tuple[float, float] | None) -> None:
        """Add up only what lies in a stretch of time, or all again."""
        if stretch_ns != self._stretch:
            self._stretch, self._known = stretch_ns, {}
            self._add_up(self.by.currentIndex())

    def _add_up(self, place: int) -> None:
        by, known, traced = self._ways[place], self._known, self._traced

        def show(found: Aggregation) -> None:
            known[by] = found
            self.model.show_groups(Groups(traced.trace, found, by))
            self.place_columns()

        if by in known:
            show(known[by])
        else:
            work = partial(aggregate, traced.trace, traced.layers, by, self._stretch)
            self._beside.run(f"Adding up {len(traced.trace):,} events…", work, show)

    def _tell(self) -> None:
        self.count.set_text(self._beside.busy or self.counted())


def _ways(traced: Traced) -> tuple[By, ...]:
    """What makes a difference for these events."""
    trace = traced.trace
    told = {
        By.OPERATOR: any(layer.operator for layer in traced.layers),
        By.LAYER: bool(traced.layers),
        By.MODEL: any(track.model for track in trace.tracks),
        By.THREAD: any(track.thread for track in trace.tracks),
        By.ITERATION: bool((trace.run >= 0).any()),
    }
    return tuple(way for way in By if told.get(way, True))
