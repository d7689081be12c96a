"""A table of the events of a trace, added up by name, operator or track."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter

from inspector import units
from inspector.trace.aggregation import Aggregation, GroupBy, aggregate
from inspector.trace.trace import Trace, TraceSource
from inspector.ui.background import LatestTask
from inspector.ui.selection import Selection
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.parts import tip
from inspector.ui.widgets.table import EDGE, INSET, Cells, Table, draw_name
from inspector.ui.widgets.table_card import FilterField, TableCard
from inspector.ui.widgets.table_model import Keys, TableModel, ranks
from inspector.ui.widgets.theme import Theme, colour, font

# The columns of the table of events: titles, words, order and room.


_NAME_WIDTH, _NARROW = 170, 120
_SWATCH, _WIDEST_TRACK, _ASKED = 30, 220, 1000


class EventColumn(StrEnum):
    """A column; the value is its title."""

    NAME = mark("Event")
    OPERATOR = mark("Operator")
    TRACK = mark("Track")
    COUNT = mark("Count")
    TOTAL = mark("Total")
    OWN = mark("Self")
    MEAN = mark("Mean")
    MINIMUM = mark("Min")
    P50 = "p50"
    P95 = "p95"
    MAXIMUM = mark("Max")
    SHARE = mark("% of self time")

    @property
    def is_text(self) -> bool:
        """Return whether it tells words, and no numbers."""
        return self in (EventColumn.NAME, EventColumn.OPERATOR, EventColumn.TRACK)

    @property
    def numeric(self) -> bool:
        """Return whether it is aligned to the right."""
        return not self.is_text

    @property
    def largest_first(self) -> bool:
        """Return whether the first click sorts downwards."""
        return not self.is_text


COLUMNS = tuple(EventColumn)
MEANINGS = {
    EventColumn.COUNT: mark("Number of events"),
    EventColumn.TOTAL: mark(
        "Sum of the durations within the selected time range; nested events of the same name "
        "count once"
    ),
    EventColumn.OWN: mark("Total time minus the time of nested events, in any row"),
    EventColumn.MEAN: mark(
        "Mean duration; this column and the following ones use entire events, not clipped ones"
    ),
    EventColumn.MINIMUM: mark("Shortest duration"),
    EventColumn.P50: mark("Median duration"),
    EventColumn.P95: mark("95th percentile of the duration"),
    EventColumn.MAXIMUM: mark("Longest duration"),
    EventColumn.SHARE: mark(
        "Share of the self time of all events, including filtered-out ones"
    ),
}
_WIDTHS = {
    EventColumn.OPERATOR: 104, EventColumn.TRACK: 122,
    EventColumn.COUNT: 60, EventColumn.SHARE: 104,
}  # fmt: skip
_TIME = 68
_HIDING_ORDER = (
    EventColumn.MINIMUM, EventColumn.P50, EventColumn.MEAN,
    EventColumn.OPERATOR, EventColumn.MAXIMUM, EventColumn.P95, EventColumn.SHARE,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Groups:
    """The rows of the table: groups of a trace's spans."""

    trace: Trace
    found: Aggregation
    by: GroupBy = GroupBy.EVENT

    @property
    def of_tracks(self) -> bool:
        """Return whether each group lies in one track; others reach over those of their
        lane."""
        return self.by in (GroupBy.EVENT, GroupBy.OPERATOR, GroupBy.TRACK, GroupBy.LAYER)

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """Own time as a share of that of all groups: float64 (G,)."""
        return self.found.shares()

    def number(self, column_kind: EventColumn) -> NDArray[np.int64]:
        """A column of numbers: int64 (G,)."""
        result = self.found
        return {
            EventColumn.COUNT: result.count,
            EventColumn.TOTAL: result.total_ns,
            EventColumn.OWN: result.self_ns,
            EventColumn.MEAN: result.mean_ns,
            EventColumn.MINIMUM: result.minimum_ns,
            EventColumn.P50: result.p50_ns,
            EventColumn.P95: result.p95_ns,
            EventColumn.MAXIMUM: result.maximum_ns,
        }[column_kind]

    def word(self, group: int, column_kind: EventColumn) -> str:
        """Return what a column of texts says of a group."""
        if column_kind is EventColumn.TRACK:
            track = self.trace.tracks[int(self.found.tracks[group])]
            return track.name if self.of_tracks else tr(track.lane.value.capitalize())
        texts = (
            self.found.operators if column_kind is EventColumn.OPERATOR else self.found.names
        )
        return texts[group]

    def text(self, group: int, column_kind: EventColumn) -> str:
        """Return the text of a cell."""
        if column_kind.is_text:
            return units.clip(self.word(group, column_kind))
        if column_kind is EventColumn.SHARE:
            return units.share(self.shares[group], 1)
        number = int(self.number(column_kind)[group])
        if column_kind is EventColumn.COUNT:
            return f"{number:,}"
        return units.duration(number) if number else "–"

    def keys(self, column_kind: EventColumn) -> Keys:
        """Return what a column sorts by: (G,)."""
        if column_kind is EventColumn.SHARE:
            return self.shares
        if not column_kind.is_text:
            return self.number(column_kind)
        return ranks(
            [self.word(group, column_kind).casefold() for group in range(len(self.found))]
        )

    def haystack(self) -> list[str]:
        """Return what a filter looks at, for each group."""
        tracks = [self.word(group, EventColumn.TRACK) for group in range(len(self.found))]
        texts = zip(self.found.names, self.found.operators, tracks, strict=True)
        return ["\n".join(text).casefold() for text in texts]


def track_width(trace: Trace) -> int:
    """Return how wide the longest name of a track is with its swatch; in bounds."""
    names = {track.name for track in trace.tracks[:_ASKED]}
    metrics = QFontMetrics(font(12))
    longest = max((metrics.horizontalAdvance(units.clip(name)) for name in names), default=0)
    return min(max(longest + _SWATCH, _WIDTHS[EventColumn.TRACK]), _WIDEST_TRACK)


def widths(room: int, without: Sequence[EventColumn] = (), track: int = 0) -> tuple[int, ...]:
    """Width of each column in pixels, 0 for those left out.

    track: how wide the tracks would like to be; they get that up to a sixth of the room, then
    half of what is over. The names get all the rest.
    """
    result = {text: _WIDTHS.get(text, _TIME) for text in COLUMNS} | {
        EventColumn.NAME: _NAME_WIDTH
    }
    result[EventColumn.TRACK] = max(_WIDTHS[EventColumn.TRACK], min(track, room // 6))
    result |= dict.fromkeys(without, 0)
    for column_kind in _HIDING_ORDER:
        if sum(result.values()) > room:
            result[column_kind] = 0
    if result[EventColumn.TRACK]:
        spare = max(0, room - sum(result.values())) // 2
        result[EventColumn.TRACK] += min(spare, max(0, track - result[EventColumn.TRACK]))
    result[EventColumn.NAME] += max(_NARROW - _NAME_WIDTH, room - sum(result.values()))
    return tuple(result.values())


# Groups of events as rows of a table.


class EventsModel(TableModel[EventColumn]):
    """All groups, those with most own time first; or some, in another order."""

    def __init__(self, groups: Groups) -> None:
        super().__init__(
            COLUMNS, len(groups.found), COLUMNS.index(EventColumn.OWN), downwards=True
        )
        self.groups = groups
        self.arrange()

    def show_groups(self, groups: Groups) -> None:
        """Show other groups in the same order, under the same filter."""
        self.groups = groups
        self.start_over(len(groups.found))
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(COLUMNS) - 1)

    def row_of(self, span: int | None) -> int | None:
        """Return where the group of a span is shown; None where it is left out."""
        result = self.groups.found
        if span is None or span >= len(result.group) or result.group[span] < 0:
            return None
        return self.row_at(int(result.group[span]))

    def shown_ns(self) -> int:
        """Return the self time of all shown groups."""
        return int(self.groups.found.self_ns[self.order].sum())

    def text(self, row: int, column: EventColumn) -> str:
        """Return the text of a cell."""
        return self.groups.text(self.place_of(row), column)

    def hint(self, row: int, column: EventColumn) -> str:
        """Return the full text of a cell that may be cut; numbers never are."""
        return tip(self.text(row, column)) if column.is_text else ""

    def title(self, column: EventColumn) -> str:
        """The names are those of what events have in common."""
        if column is EventColumn.TRACK and not self.groups.of_tracks:
            return tr("Lane")
        return tr(self.groups.by.capitalize() if column is EventColumn.NAME else str(column))

    def meaning(self, column: EventColumn) -> str:
        """Return how a number is made."""
        return MEANINGS.get(column, "")

    def keys(self, column: EventColumn) -> Keys:
        """Return what a column sorts by."""
        return self.groups.keys(column)

    def haystack(self) -> Sequence[str]:
        """Name, operator and track of each group."""
        return self.groups.haystack()


# How the table of events is drawn: names, swatches of tracks, and numbers.


SWATCH = 4


class EventCells(Cells[EventColumn]):
    """Draws what is told of a group of events."""

    def __init__(self, theme: Theme, model: EventsModel) -> None:
        super().__init__(theme, model)
        self._model = model

    def inset(self, box: QRectF, column: EventColumn) -> QRectF:
        """The last column stands away from the edge as well."""
        inner = super().inset(box, column)
        return inner.adjusted(0, 0, INSET - EDGE, 0) if column is EventColumn.SHARE else inner

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: EventColumn, chosen: bool
    ) -> None:
        """Draw a name, a track with its swatch, or a number."""
        look, model = self._theme.palette, self._model
        if column is EventColumn.NAME:
            self._draw_name(painter, box, row, chosen)
            return
        if column is EventColumn.TRACK:
            self._draw_swatch(painter, box, row)
            box.setLeft(box.left() + SWATCH + 8)
        strong = column is model.sorted_column and column.numeric
        painter.setFont(font(12, 500 if strong else 400))
        tint = look.on_selection if chosen else look.text if strong else look.secondary
        self.draw_text(painter, box, model.text(row, column), tint, column)

    def _draw_name(self, painter: QPainter, box: QRectF, row: int, chosen: bool) -> None:
        look, text = self._theme.palette, self._model.text(row, EventColumn.NAME)
        painter.setFont(font(12, 500))
        if self._model.groups.found.operators[self._model.place_of(row)]:
            draw_name(painter, box, text, look, chosen)  # only layers lie in scopes
        else:
            tint = look.on_selection if chosen else look.text
            self.draw_text(painter, box, text, tint, EventColumn.NAME)

    def _draw_swatch(self, painter: QPainter, box: QRectF, row: int) -> None:
        groups, group = self._model.groups, self._model.place_of(row)
        track = groups.trace.tracks[int(groups.found.tracks[group])]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(self._theme.palette.lane(track.family)))
        bar = QRectF(box.left(), box.center().y() - 6, SWATCH, 12)
        painter.drawRoundedRect(bar, 2, 2)


_CHOICE = 132
_FILTER_HINT = mark("Filter by event, operator or track")


class EventsCard(TableCard):
    """Groups of spans; a row selects its longest span, a span selects its row."""

    def __init__(
        self,
        theme: Theme,
        traced: TraceSource,
        selection: Selection,
        known: Aggregation | None = None,
    ) -> None:
        first = known or aggregate(traced.trace, traced.layers, GroupBy.EVENT, None)
        by_name = {GroupBy.EVENT: first}
        model = EventsModel(Groups(traced.trace, first))
        ways = _groupings(traced)
        switch = ChoiceField(
            tr("Group by"), ways, [tr("By {value}").format(value=tr(mode)) for mode in ways]
        )
        switch.setFixedWidth(_CHOICE)
        table = Table(theme, tr("Events"), model, EventCells(theme, model))
        field = FilterField(
            theme, tr("Filter events"), tr(_FILTER_HINT), wide=262, small=130, roomy=760
        )
        super().__init__(theme, table, tr("Events"), field, 4, switch)
        self.model, self.by = model, switch
        self._traced, self._selection = traced, selection
        self._stretch: tuple[float, float] | None = None
        self._known, self._ways = by_name, ways
        self._beside = LatestTask(len(traced.trace), self)
        self._beside.changed.connect(self._tell)
        self._track_width = track_width(traced.trace)
        self.by.currentIndexChanged.connect(self.group_by)
        selection.changed.connect(self.follow_selection)
        self.refresh()

    @property
    def found(self) -> Aggregation:
        """Return what the table shows, all of it."""
        return self.model.groups.found

    def widths(self, room: int) -> tuple[int, ...]:
        """Columns that tell nothing in this grouping are left out first."""
        groups = self.model.groups
        without: set[EventColumn] = set()
        if groups.by is GroupBy.OPERATOR or not any(groups.found.operators):
            without |= {EventColumn.OPERATOR}
        if groups.by in (GroupBy.TRACK, GroupBy.LANE):
            without |= {EventColumn.OPERATOR, EventColumn.TRACK}
        return widths(room, tuple(without), self._track_width if groups.of_tracks else 0)

    def counted(self) -> str:
        """Return how many groups are shown, and their own time."""
        shown, all_of_them = self.model.rowCount(), len(self.found)
        text = tr("{shown:,} of {all_of_them:,}").format(shown=shown, all_of_them=all_of_them)
        if shown:
            text += f" · {units.duration(self.model.shown_ns())}"
        if self._stretch is not None:
            begin, end = self._stretch
            text += tr(" · in the selected {duration}").format(
                duration=units.duration(end - begin)
            )
        return text

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
        by, existing, traced = self._ways[place], self._known, self._traced

        def show(result: Aggregation) -> None:
            existing[by] = result
            self.model.show_groups(Groups(traced.trace, result, by))
            self.place_columns()

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
