"""A table of what a measurement did beside its runs, in a card."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout

from inspector.analysis.measured.extra_tables import ExtraTable
from inspector.ui.widgets.parts import Card, Elided, label, row
from inspector.ui.widgets.theme import Theme


class ExtraTableCard(Card):
    """Names on the left, numbers in columns of equal width, and below what they mean."""

    def __init__(self, theme: Theme, table: ExtraTable) -> None:
        super().__init__(theme)
        self.table = table
        self.setAccessibleName(table.title)
        texts = ("; ".join(cells) for cells in (table.heads, *table.rows))
        self.setAccessibleDescription(". ".join(texts))
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(0, 3)
        for line, cells in enumerate((table.heads, *table.rows)):
            for place, text in enumerate(cells):
                role = "caption" if not line else "" if place else "secondary"
                side = Qt.AlignmentFlag.AlignRight if place else Qt.AlignmentFlag.AlignLeft
                cell = Elided(text, role, Qt.TextElideMode.ElideRight)
                cell.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
                grid.addWidget(cell, line, place)
                grid.setColumnStretch(place, 2 if place else 3)
        self.body.addLayout(
            row(label(table.title, "heading"), 4, label(table.about, "secondary"), None)
        )
        self.body.addLayout(grid)
        for sentence in table.sentences:
            line_of_text = label(sentence, "caption", selectable=True)
            line_of_text.setWordWrap(True)
            self.body.addWidget(line_of_text)
