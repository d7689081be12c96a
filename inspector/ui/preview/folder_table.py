"""The files of a folder with what the model says of each: a table that fills as it goes."""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter

from inspector import units
from inspector.preview import scores
from inspector.preview.folder import Row
from inspector.ui.kit.parts import tip
from inspector.ui.kit.table import Cells, Table
from inspector.ui.kit.table_card import FilterField, TableCard
from inspector.ui.kit.table_model import Keys, TableModel, ranks
from inspector.ui.kit.theme import Theme, font

_FEWEST_ROWS = 7
_SCORE, _TIME = 92, 78  # pixels


class What(StrEnum):
    """What a column tells."""

    FILE = "File"
    ANSWER = "Prediction"
    SCORE = "Score"
    TRUTH = "Label"
    OTHER = "Other way"
    TIME = "Latency"

    @property
    def numeric(self) -> bool:
        """Whether it stands at the right."""
        return self in (What.SCORE, What.TIME)

    @property
    def largest_first(self) -> bool:
        """Whether the first click puts the largest on top."""
        return self.numeric


class FolderModel(TableModel[What]):
    """Rows in the order of the files."""

    def __init__(self) -> None:
        super().__init__(tuple(What), 0)
        self.files: Sequence[Row] = ()

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show these; the filter and the order stay."""
        self.files = tuple(rows)
        self.start_over(len(self.files))

    def entry(self, row: int) -> Row:
        """What a row shows."""
        return self.files[self.place_of(row)]

    def text(self, row: int, column: What) -> str:
        """What a cell says."""
        entry = self.entry(row)
        match column:
            case What.FILE:
                return units.clip(entry.file, 200)
            case What.ANSWER:
                return units.clip(reason(entry) or entry.answer, 200)
            case What.OTHER:
                return second(entry)
            case What.SCORE:
                return "" if entry.score is None else scores.share(entry.score)
            case What.TRUTH:
                mark = {True: "✓ ", False: "✗ ", None: ""}[entry.right]
                return f"{mark}{units.clip(entry.wanted, 80)}"
            case What.TIME:
                return units.duration(entry.prediction_ns) if entry.prediction_ns else ""

    def spoken(self, row: int, column: What) -> str:
        """What a screen reader says of a cell: no marks."""
        right = self.entry(row).right
        if column is What.TRUTH and right is not None:
            return f"{'right' if right else 'wrong'}, {self.entry(row).wanted}"
        if column is What.OTHER:
            return self.text(row, column).removeprefix("✓ ").removeprefix("✗ ")
        return self.text(row, column)

    def hint(self, row: int, column: What) -> str:
        """The whole sentence of a failure."""
        problem = self.entry(row).problem
        return tip(problem) if problem and column is What.ANSWER else super().hint(row, column)

    def keys(self, column: What) -> Keys:
        """What a column sorts by; wrong ones before right ones."""
        files = self.files
        match column:
            case What.SCORE:
                scores = (np.nan if row.score is None else row.score for row in files)
                return np.fromiter(scores, np.float64, len(files))
            case What.TIME:
                times = (row.prediction_ns or np.nan for row in files)
                return np.fromiter(times, np.float64, len(files))
            case What.TRUTH:
                return ranks([f"{row.right is not False} {row.wanted}" for row in files])
            case What.ANSWER:
                return ranks([row.problem or row.answer for row in files])
            case What.OTHER:
                return ranks([f"{_same(row) is not False} {second(row)}" for row in files])
            case What.FILE:
                return ranks([row.file for row in files])

    def haystack(self) -> Sequence[str]:
        """File, answer and label; "wrong", "right", "failed", "same" and "differs", too."""
        return [
            " ".join(
                (
                    row.file,
                    row.answer,
                    row.wanted,
                    row.problem,
                    "failed" if row.problem else "",
                    {True: "right", False: "wrong", None: ""}[row.right],
                    {True: "same", False: "differs", None: ""}[_same(row)],
                )
            ).casefold()
            for row in self.files
        ]


class FolderCells(Cells[What]):
    """Draws words, those of failures and wrong answers in their colours."""

    ELIDE = Qt.TextElideMode.ElideRight

    def __init__(self, theme: Theme, model: FolderModel) -> None:
        super().__init__(theme, model)
        self._model = model

    def draw(
        self, painter: QPainter, box: QRectF, row: int, column: What, chosen: bool
    ) -> None:
        """Draw one cell."""
        look, entry = self._theme.palette, self._model.entry(row)
        painter.setFont(font(12, 500 if column is What.FILE else 400))
        tint = look.text if column in (What.FILE, What.ANSWER) else look.secondary
        if entry.problem and column is What.ANSWER:
            tint = look.bad
        if column is What.TRUTH and entry.right is False:
            tint = look.bad
        if column is What.OTHER and _same(entry) is False:
            tint = look.bad
        shown = look.on_selection if chosen else tint
        self.draw_text(painter, box, self._model.text(row, column), shown, column)


def reason(row: Row) -> str:
    """Why a file has no answer, without its name, which stands in the column before."""
    name = row.file.rpartition("/")[2]
    why = row.problem.removeprefix(f"Could not open {name}: ")
    return why[:1].upper() + why[1:]


def second(row: Row) -> str:
    """What a second way says of a file; "" where none was asked."""
    if row.agreement is None:
        return ""
    found = row.agreement
    if found.same is None:
        return (
            units.clip(found.words, 80) if found.largest is None else f"± {found.largest:.3g}"
        )
    return "✓ same" if found.same else f"✗ {units.clip(found.words, 80)}"


def _same(row: Row) -> bool | None:
    return row.agreement.same if row.agreement is not None else None


class FolderTable(TableCard):
    """The table in its card; says which file was chosen."""

    chosen = Signal(str)  # the file, within the folder

    def __init__(self, theme: Theme) -> None:
        self.model = FolderModel()
        table = Table(theme, "Files", self.model, FolderCells(theme, self.model))
        words = "Filter, or “wrong”, “failed”"
        field = FilterField(theme, "Filter files", words, wide=230, small=120, roomy=560)
        super().__init__(theme, table, "Files", field, _FEWEST_ROWS)
        self._selected = ""
        self.refresh()

    def widths(self, room: int) -> tuple[int, ...]:
        """Names and answers share what is over; labels are left out where there are none."""
        longest = max((len(row.wanted) for row in self.model.files[:500]), default=0)
        label = min(130, 48 + 7 * longest) if longest else 0
        held = any(row.agreement is not None for row in self.model.files)
        other = min(120, max(80, room // 6)) if held else 0
        rest = max(120, room - _SCORE - _TIME - label - other)
        names = rest * 55 // 100
        return names, rest - names, _SCORE, label, other, _TIME

    def counted(self) -> str:
        """How many files are shown."""
        shown, total = self.model.rowCount(), self.model.total
        return f"{shown:,}" if shown == total else f"{shown:,} of {total:,}"

    def selected_row(self) -> int | None:
        """The row of the chosen file."""
        if not self._selected:
            return None
        places = (p for p, row in enumerate(self.model.files) if row.file == self._selected)
        place = next(places, None)
        return None if place is None else self.model.row_at(place)

    def choose_row(self, row: int) -> None:
        """Choose a file."""
        self._selected = self.model.entry(row).file
        self.chosen.emit(self._selected)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show more of them."""
        self.model.show_rows(rows)
        self.place_columns()
