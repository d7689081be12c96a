"""A table of the events of a trace, added up by name, operator or track."""

from functools import partial

from inspector.pages.trace import group_table
from inspector.trace.aggregation import Aggregation, GroupBy, aggregate
from inspector.trace.trace import TraceSource
from inspector.ui import units
from inspector.ui.background import LatestTask
from inspector.ui.selection import Selection
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.table_card import FilterField, PageTableCard
from inspector.ui.widgets.theme import Theme

_CHOICE = 132
_FILTER_HINT = mark("Filter by event, operator or track")


class EventsCard(PageTableCard):
    """Groups of spans; a row selects its longest span, a span selects its row."""

    def __init__(
        self,
        theme: Theme,
        traced: TraceSource,
        selection: Selection,
        known: Aggregation | None = None,
    ) -> None:
        self.found = known or aggregate(traced.trace, traced.layers, GroupBy.EVENT, None)
        self._known = {GroupBy.EVENT: self.found}
        self._stretch: tuple[float, float] | None = None
        ways = _groupings(traced)
        switch = ChoiceField(
            tr("Group by"), ways, [tr("By {value}").format(value=tr(mode)) for mode in ways]
        )
        switch.setFixedWidth(_CHOICE)
        table = group_table(traced.trace, self.found, GroupBy.EVENT)
        field = FilterField(
            theme, tr("Filter events"), tr(_FILTER_HINT), wide=262, small=130, roomy=760
        )
        self.by, self._ways = switch, ways
        self._traced, self._selection = traced, selection
        title = tr("Events")
        super().__init__(theme, title, title, table, field, switch, first_rows=0, fewest=4)
        self._beside = LatestTask(len(traced.trace), self)
        self._beside.changed.connect(self._tell)
        self.by.currentIndexChanged.connect(self.group_by)
        selection.changed.connect(self.follow_selection)
        self.refresh()

    def counted(self) -> str:
        """Return how many groups are shown, and the self time of those that were filtered."""
        shown, all_of_them = self.model.rowCount(), len(self.found)
        if shown == all_of_them:
            text = units.number(all_of_them)
        else:
            text = tr("{shown:,} of {all_of_them:,}").format(
                shown=shown, all_of_them=all_of_them
            )
            self_ns = int(self.found.self_ns[self.model.order].sum())
            duration = units.duration(self_ns)
            text += tr(" · self {duration}").format(duration=duration) if shown else ""
        if self._stretch is not None:
            begin, end = self._stretch
            text += tr(" · in the selected {duration}").format(
                duration=units.duration(end - begin)
            )
        return text

    def selected_row(self) -> int | None:
        """The row of the group in which the selected span is."""
        span, groups = self._selection.now.span, self.found.group
        if span is None or span >= len(groups) or groups[span] < 0:
            return None
        return self.model.row_at(int(groups[span]))

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
        by, existing, traced = self._ways[place], self._known, self._traced

        def show(result: Aggregation) -> None:
            existing[by] = self.found = result
            self.show_table(group_table(traced.trace, result, by))

        if by in existing:
            show(existing[by])
        else:
            work = partial(aggregate, traced.trace, traced.layers, by, self._stretch)
            self._beside.run(
                tr("Grouping {count:,} events…").format(count=len(traced.trace)), work, show
            )

    def _tell(self) -> None:
        self.count.set_text(self._beside.busy or self.counted())


def _groupings(traced: TraceSource) -> tuple[GroupBy, ...]:
    """Return what makes a difference for these events."""
    trace = traced.trace
    by_name = {
        GroupBy.OPERATOR: any(layer.operator for layer in traced.layers),
        GroupBy.LAYER: bool(traced.layers),
        GroupBy.MODEL: any(track.model for track in trace.tracks),
        GroupBy.THREAD: any(track.thread for track in trace.tracks),
        GroupBy.ITERATION: bool((trace.run >= 0).any()),
    }
    return tuple(mode for mode in GroupBy if by_name.get(mode, True))
