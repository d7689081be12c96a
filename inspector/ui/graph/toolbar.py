"""The tools above the graph: colours, zoom, frames, saving."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QMenu

from inspector.ui.graph.colouring import ColourBy
from inspector.ui.kit.fields import ChoiceField
from inspector.ui.kit.parts import Card, follow, label, row, tool
from inspector.ui.kit.theme import Theme


class Toolbar(Card):
    """Says what was asked for; does nothing itself."""

    coloured = Signal(object)  # ColourBy
    saving = Signal(str)  # "svg" or "png"

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, padding=3)
        words = [by.value for by in ColourBy]
        self.colour_by = ChoiceField("Colour by", words, words)
        self.colour_by.setMinimumWidth(138)
        self.out = tool(theme, "minus", "Zoom out (S)")
        self.into = tool(theme, "plus", "Zoom in (W)")
        self.all = tool(theme, "fit", "Show all (F)")
        self.close_all = tool(theme, "collapse", "Close all frames")
        self.open_all = tool(theme, "expand", "Open all frames")
        self.save = tool(theme, "export", "Save what is seen")
        menu = QMenu(self.save)
        for words_, form in (("Save as SVG…", "svg"), ("Save as PNG…", "png")):
            menu.addAction(words_).triggered.connect(
                lambda _=False, f=form: self.saving.emit(f)
            )
        self.save.setMenu(menu)
        self.save.setPopupMode(self.save.ToolButtonPopupMode.InstantPopup)
        self.title = label("Colour by", "secondary")
        parts = (
            8, self.title, 4, self.colour_by, _line(theme), self.out, self.into, self.all,
            _line(theme), self.close_all, self.open_all, self.save,
        )  # fmt: skip
        self.body.addLayout(row(*parts, spacing=2))
        self.colour_by.currentIndexChanged.connect(
            lambda: self.coloured.emit(ColourBy(self.colour_by.value))
        )

    def offer(self, measured: bool, compared: bool) -> None:
        """Grey out what needs a report, or a walk that compares, as long as there is none."""
        model = self.colour_by.model()
        for place, by in enumerate(ColourBy):
            needs = by in (ColourBy.UNIT, ColourBy.TIME)
            on = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
            there = compared if by is ColourBy.DIFFERENCE else measured or not needs
            flags = on if there else Qt.ItemFlag.NoItemFlags
            model.item(place).setFlags(flags)  # type: ignore[attr-defined]


def _line(theme: Theme) -> QFrame:
    line = QFrame()
    line.setFixedSize(1, 20)
    follow(
        theme,
        line,
        lambda: line.setStyleSheet(f"background: {theme.palette.hairline};"),
    )
    return line
