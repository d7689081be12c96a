"""The toolbar of the Graph tab."""

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QMenu, QWidget

from inspector.analysis.graph_layout.data_flow import Fold
from inspector.ui import commands, units
from inspector.ui.graph.coloring import ColorBy, ColorSources
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.parts import (
    Card,
    Segmented,
    button,
    explain_entries,
    follow,
    label,
    row,
    tip,
    tool,
)
from inspector.ui.widgets.theme import Theme

GRAPHS = (mark("Model"), mark("As executed"), mark("Both"))
MODEL, EXECUTED, BOTH = range(3)
LOAD = "load"  # key of the entry that reads numbers from a file
COMPARE = "compare"  # key of the entry that subtracts two sets of numbers
_COLORS = 152  # px, width of the choice of colors


class Toolbar(Card):
    """The toolbar of the Graph tab; emits requests and changes nothing itself."""

    colored = Signal(str)  # key of what colors stand for
    loading = Signal()  # numbers from a file
    comparing = Signal()  # two sets of numbers
    options_changed = Signal()
    saving = Signal(str)  # "svg" or "png"
    editing = Signal(bool)  # edit mode is to begin or to end

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, padding=3)
        self.shown = Segmented(theme, GRAPHS, 0, name=tr("Graph to show"))
        self.shown.set_spacing(14)
        self.shown.setToolTip(
            tip(
                tr("Model: the graph in the file. As executed: the graph after optimization, ")
                + tr("with fused layers and inserted casts, copies and layout conversions.")
            )
        )
        text = [color_by.value for color_by in ColorBy]
        self.color_by = ChoiceField(tr("Color by"), text, text)
        self.color_by.setFixedWidth(_COLORS)
        self.color_by.setMaxVisibleItems(20)
        self.color_by.insertSeparator(len(text))
        self.color_by.addItem(tr("Layer values from a file…"), LOAD)
        self.color_by.addItem(tr("Difference between two sets of layer values…"), COMPARE)
        self._chosen = text[0]
        self.out = tool(theme, "minus", tr("Zoom out (S)"))
        self.into = tool(theme, "plus", tr("Zoom in (W)"))
        self.all = tool(theme, "fit", tr("Zoom to fit (F)"))
        self.close_all = tool(theme, "collapse", tr("Collapse all scopes"))
        self.open_all = tool(theme, "expand", tr("Expand all scopes"))
        self.save = tool(theme, "export", tr("Save the graph as image"))
        menu = QMenu(self.save)
        whole = commands.runner(self, "graph/save")
        menu.addAction(tr("Save whole graph as SVG or PNG…")).triggered.connect(whole)
        menu.addSeparator()
        for words_, form in (
            (tr("Save visible part as SVG…"), "svg"),
            (tr("Save visible part as PNG…"), "png"),
        ):
            menu.addAction(words_).triggered.connect(
                lambda _=False, f=form: self.saving.emit(f)
            )
        self.save.setMenu(menu)
        self.save.setPopupMode(self.save.ToolButtonPopupMode.InstantPopup)
        self.edit = button(theme, f" {tr('Edit mode')}", "edit", role="toggle")
        self.edit.setCheckable(True)
        self.edit.setAccessibleName(tr("Edit mode"))
        self.edit.toggled.connect(self.editing)
        self.options = tool(theme, "settings", tr("View options"))
        self.options.setPopupMode(self.options.ToolButtonPopupMode.InstantPopup)
        actions = self._options_menu()
        self.sideways, self.attributes, self.no_identities, self.no_shapes = actions
        self.title = label(tr("Color by"), "secondary")
        self.colors = QWidget()
        self._colors_row = row(8, self.title, 4, self.color_by, on=self.colors, spacing=2)
        parts = (
            self.shown, self.colors, _line(theme), self.out, self.into, self.all,
            _line(theme), self.close_all, self.open_all, self.options, self.save, 2, self.edit,
        )  # fmt: skip
        self.body.addLayout(row(*parts, spacing=2))
        self.color_by.currentIndexChanged.connect(self._choose)

    def _options_menu(self) -> tuple[QAction, ...]:
        menu = QMenu(self.options)
        explain_entries(menu)
        actions = []
        for text, hint in (
            (tr("Left to right"), tr("Draw from left to right instead of top to bottom")),
            (tr("Show attributes in boxes"), tr("Add a line with the attributes to each box")),
            (
                tr("Hide Identity layers"),
                tr("Hide Identity and Dropout layers, and connect their neighbors"),
            ),
            (tr("Hide shape computations"), tr("Hide layers that only compute shapes")),
        ):
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setToolTip(hint)
            action.toggled.connect(self.options_changed)
            actions.append(action)
        menu.addSeparator()
        for fold in (self.close_all, self.open_all):
            menu.addAction(fold.toolTip(), fold.click)
        menu.addSeparator()
        self.bookmarks = menu.addMenu(tr("Bookmarks"))
        self.options.setMenu(menu)
        return tuple(actions)

    @property
    def folds(self) -> frozenset[Fold]:
        """Kinds of layers that are to be left out."""
        chosen = ((self.no_identities, Fold.IDENTITIES), (self.no_shapes, Fold.SHAPES))
        return frozenset(fold for action, fold in chosen if action.isChecked())

    def fitted(self, room: int) -> QSize:
        """Return the size it takes, without its least important words if there is no room."""
        for titled, folds, worded, zooms in (
            (True, True, True, True),
            (False, True, True, True),
            (False, False, True, True),  # the menu of view options has them, too
            (False, False, False, True),
            (False, False, False, False),  # the wheel and keys zoom, too
        ):
            self.title.setVisible(titled)
            self.close_all.setVisible(folds)
            self.open_all.setVisible(folds)
            self.out.setVisible(zooms)
            self.into.setVisible(zooms)
            self.edit.setText(tr("Edit mode") if worded else "")
            for part in (self._colors_row, self.body):
                part.invalidate()
                part.activate()
            if self.sizeHint().width() <= room:
                break
        return self.sizeHint()

    def offer_editing(self, reason: str) -> None:
        """Offer edit mode, or say why the model cannot be edited."""
        self.edit.setEnabled(not reason)
        self.edit.setToolTip(tip(reason or tr("Change the graph; the file stays as it is (E)")))

    def show_editing(self, on: bool) -> None:
        """Show whether the graph is edited, without a signal."""
        with QSignalBlocker(self.edit):
            self.edit.setChecked(on)

    def choose(self, key: str) -> None:
        """Show what colors stand for, without a signal."""
        self._chosen = key
        self._show_colors()

    def fix_colors(self, edits: bool) -> None:
        """Offer no colors while the graph is edited: nothing was measured of it."""
        self.colors.setEnabled(not edits)
        reason = tr("The edited graph was not measured: colors are operator families.")
        self.colors.setToolTip(tip(reason) if edits else "")
        self._show_colors()

    def _show_colors(self) -> None:
        key = self._chosen if self.colors.isEnabled() else ColorBy.FAMILY.value
        with QSignalBlocker(self.color_by):
            self.color_by.show_value(key)

    def add(self, key: str, title: str) -> None:
        """Offer numbers that were read from a file."""
        place = self.color_by.findData(LOAD)
        with QSignalBlocker(self.color_by):
            self.color_by.insertItem(place, units.clip(title, 40), key)

    def remove_added(self) -> None:
        """Offer no numbers of files any more."""
        self.color_by.blockSignals(True)
        for place in reversed(range(len(ColorBy) + 1, self.color_by.findData(LOAD))):
            self.color_by.removeItem(place)
        self.color_by.blockSignals(False)

    def _choose(self) -> None:
        key = self.color_by.value
        if key == LOAD:
            self.choose(self._chosen)
            self.loading.emit()
        elif key == COMPARE:
            self.choose(self._chosen)
            self.comparing.emit()
        else:
            self._chosen = key
            self.colored.emit(key)

    def offer(self, sources: ColorSources) -> None:
        """Grey out what needs a report, a comparison or an estimate, if there is none."""
        model = self.color_by.model()
        for place, color_by in enumerate(ColorBy):
            on = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
            flags = on if sources.offers(color_by) else Qt.ItemFlag.NoItemFlags
            model.item(place).setFlags(flags)  # type: ignore[attr-defined]


def _line(theme: Theme) -> QFrame:
    line = QFrame()
    line.setFixedSize(1, 20)
    follow(theme, line, lambda: line.setStyleSheet(f"background: {theme.palette.hairline};"))
    return line
