"""The actions that can be added to a recipe: grouped, searchable, each always in its place."""

from collections.abc import Iterable, Sequence

import msgspec
from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QListView, QListWidgetItem, QWidget

from inspector.conversion.action import Action
from inspector.conversion.registry import improvements_for
from inspector.ui.documents.improving import Improving
from inspector.ui.tabs.improve.lists import (
    NOTHING,
    TEXT_PX,
    WRAPPED,
    Line,
    OfferList,
    offer_line,
    waiting_line,
)
from inspector.ui.translate import tr
from inspector.ui.widgets.parts import Card, Elided, add_to, column_of, label, row, tip
from inspector.ui.widgets.theme import Theme, font

_SEARCH_PX = 260
_SPARE_PX = 4  # Qt wraps a row that is exactly as wide as its view
_NARROWEST_PX = 300  # of a column of actions
_ROW_PX = 56  # a title and two lines of text
_TEXT_LINES = 2


class ActionGrid(OfferList):
    """The actions of a group in as many columns as there is room for; rows never move."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(theme)
        self.setAccessibleName(name)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setSpacing(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Divide the width among the columns."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Give each action the same room, whatever is said of it."""
        wide = max(self.viewport().width() - _SPARE_PX, 1)
        columns = max(1, wide // _NARROWEST_PX)
        for place in range(self.count()):
            item: QListWidgetItem = self.item(place)
            item.setSizeHint(QSize(wide // columns, _ROW_PX))
        rows = -(-self.count() // columns)
        self.setFixedHeight(max(1, rows) * _ROW_PX)

    def text_below(self, line: Line, across: int) -> str:
        """Return the sentences that fit into two lines; the tooltip has all."""
        metrics, text = QFontMetrics(font(TEXT_PX)), line.below

        def fits(shown: str) -> bool:
            box = metrics.boundingRect(QRect(0, 0, across, 0), WRAPPED, shown)
            return box.height() <= _TEXT_LINES * metrics.lineSpacing()

        while not fits(text) and ". " in text.rstrip(". "):
            text = text.rstrip(". ").rpartition(". ")[0] + "."
        while not fits(text) and " " in text:
            text = text.rstrip("…").rpartition(" ")[0] + "…"
        return text


class ActionsCard(Card):
    """Lists the actions for the format of the model.

    asked: the id of an action that is to be added.
    """

    asked = Signal(str)

    def __init__(self, theme: Theme, improving: Improving) -> None:
        super().__init__(theme)
        self._improving = improving
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search actions"))
        self.search.setAccessibleName(tr("Search actions"))
        self.search.setClearButtonEnabled(True)
        self.search.setFixedWidth(_SEARCH_PX)
        self.search.setProperty("find", True)
        self.state = Elided("", "caption")
        self.nothing = label(tr("No action has these words"), "secondary")
        self.groups: dict[str, tuple[QWidget, ActionGrid]] = {}  # a part of the card, its list
        self._reasons: dict[str, Elided] = {}  # why nothing of a group can be added
        self._shown: dict[str, tuple[str, ...]] = {}  # ids of actions, by group
        self.body.setSpacing(8)
        head = row(label(tr("Add an action"), "heading"), self.search, self.state, spacing=12)
        head.setStretch(2, 1)
        add_to(self.body, head, self.nothing)
        for action in self._actions():
            if action.group not in self.groups:
                self._add_group(theme, action.group)
        self.search.textChanged.connect(self.refresh)
        for signal in (improving.changed, improving.worked, improving.proved):
            signal.connect(self.refresh)
        self.refresh()

    def _actions(self) -> Iterable[Action]:
        return improvements_for(self._improving.model.format).values()

    def _add_group(self, theme: Theme, group: str) -> None:
        part = QWidget()
        column = column_of(on=part, spacing=2, margins=(0, 4, 0, 0))
        grid = ActionGrid(theme, tr(group))
        reason = Elided("", "caption", Qt.TextElideMode.ElideRight)
        self._reasons[group] = reason
        add_to(column, row(label(tr(group), "section"), (reason, 1)), grid)
        self.body.addWidget(part)
        grid.asked.connect(lambda place: self.asked.emit(self._shown[group][place]))
        self.groups[group] = part, grid

    @property
    def lines(self) -> dict[str, Line]:
        """Return what is said of each action that is shown, by its id."""
        return {
            name: line
            for group, (_, grid) in self.groups.items()
            for name, line in zip(self._shown[group], grid.lines, strict=True)
        }

    def place_of(self, name: str) -> tuple[ActionGrid, int]:
        """Return the list that an action stands in, and its place there."""
        for group, (_, grid) in self.groups.items():
            if name in self._shown[group]:
                return grid, self._shown[group].index(name)
        raise KeyError(name)

    def refresh(self) -> None:
        """Show what each action would do, as far as that is known."""
        improving, wanted = self._improving, self.search.text().casefold().split()
        actions, offers = [*self._actions()], improving.offers
        for group, (part, grid) in self.groups.items():
            names = tuple(
                each.id for each in actions if each.group == group and _fits(each, wanted)
            )
            self._shown[group] = names
            lines = [
                offer_line(name, offers[name]) if name in offers else waiting_line(name)
                for name in names
            ]
            reason = _common_reason(lines)
            self._reasons[group].set_text(reason)
            if reason:
                lines = [msgspec.structs.replace(each, text="", hint=reason) for each in lines]
            grid.show_lines(lines)
            grid.setEnabled(not improving.work)
            part.setVisible(bool(names))
        self.nothing.setVisible(not any(self._shown.values()))
        self.state.setToolTip("")
        if improving.check_error is not None:
            self.state.set_text(tr("not checked"))
            self.state.setToolTip(tip(str(improving.check_error)))
        else:
            busy = improving.checking or not offers
            self.state.set_text(tr("checking…") if busy else "")


def _common_reason(lines: Sequence[Line]) -> str:
    """Return why none of several actions has anything to do, if they share a reason, or ""."""
    states = {(each.state, each.text) for each in lines}
    state, text = states.pop() if len(lines) > 1 else ("", "")
    return text if state == NOTHING and not states else ""


def _fits(action: Action, wanted: list[str]) -> bool:
    """Return whether an action has all words of a search."""
    text = f"{action.id} {tr(action.title)} {action.title} {action.summary}".casefold()
    return all(word in text for word in wanted)
