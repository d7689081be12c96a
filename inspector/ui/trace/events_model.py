"""Groups of events as rows of a table."""

from collections.abc import Sequence

from PySide6.QtCore import Qt

from inspector.ui.kit.parts import tip
from inspector.ui.kit.table_model import Keys, TableModel
from inspector.ui.trace.columns import COLUMNS, MEANINGS, Groups, What


class EventsModel(TableModel[What]):
    """All groups, those with most own time first; or some, in another order."""

    def __init__(self, groups: Groups) -> None:
        super().__init__(COLUMNS, len(groups.found), COLUMNS.index(What.OWN), downwards=True)
        self.groups = groups
        self.arrange()

    def show_groups(self, groups: Groups) -> None:
        """Show other groups in the same order, under the same filter."""
        self.groups = groups
        self.start_over(len(groups.found))
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(COLUMNS) - 1)

    def row_of(self, span: int | None) -> int | None:
        """Where the group of a span is shown; None where it is left out."""
        found = self.groups.found
        if span is None or span >= len(found.group) or found.group[span] < 0:
            return None
        return self.row_at(int(found.group[span]))

    def shown_ns(self) -> int:
        """Own time of all groups that are shown."""
        return int(self.groups.found.self_ns[self.order].sum())

    def text(self, row: int, column: What) -> str:
        """What a cell says."""
        return self.groups.text(self.place_of(row), column)

    def hint(self, row: int, column: What) -> str:
        """Words may be cut; numbers never are."""
        return tip(self.text(row, column)) if column.is_text else ""

    def title(self, column: What) -> str:
        """The names are those of what events have in common."""
        if column is What.TRACK and not self.groups.of_tracks:
            return "Lane"
        return str(self.groups.by).capitalize() if column is What.NAME else str(column)

    def meaning(self, column: What) -> str:
        """How a number is made."""
        return MEANINGS.get(column, "")

    def keys(self, column: What) -> Keys:
        """What a column sorts by."""
        return self.groups.keys(column)

    def haystack(self) -> Sequence[str]:
        """Name, operator and track of each group."""
        return self.groups.haystack()
