"""The Weights tab: every tensor that a file carries, without reading one until asked."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from inspector.errors import InspectorError
from inspector.ui.documents.document import Document, Work
from inspector.ui.kit.detail import ListWithDetail
from inspector.ui.kit.failure import Failure
from inspector.ui.kit.parts import GAP, PADDING, label
from inspector.ui.kit.scrolling import BESIDE_BAR, scroll_down
from inspector.ui.kit.theme import Theme
from inspector.ui.weights.detail import WeightDetail
from inspector.ui.weights.list_card import WeightsList
from inspector.ui.weights.numbers import NumbersRow

_DETAIL = 372


class WeightsTab(QScrollArea):
    """Numbers over the list; beside it, or below where it is narrow, the chosen tensor."""

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__()
        self._theme, self._document = theme, document
        self.numbers: NumbersRow | None = None
        self.list: WeightsList | None = None
        self.detail: WeightDetail | None = None
        self.failure = Failure(theme)
        scroll_down(self)
        self.setAccessibleName("Weights")
        document.model_changed.connect(self._show)
        document.work_changed.connect(self._show_waiting)
        self._show()

    def _show(self) -> None:
        model = self._document.model
        if model is None:
            self._show_waiting()
            return
        if not model.weights:
            self._say(f"{self._document.name} carries no tensors: there is nothing to look at.")
            return
        work = self._document.weights
        used = work.uses
        if used is None:
            self._say("Listing the tensors…")
            work.uses_found.connect(self._show, Qt.ConnectionType.SingleShotConnection)
            return
        self.numbers = NumbersRow(self._theme, model, work)
        self.list = WeightsList(self._theme, model, used, work)
        selection = self._document.selection
        self.detail = WeightDetail(self._theme, model, used, work, selection)
        self._used = used
        self.failure = Failure(self._theme)
        self.failure.again.hide()
        self._lay_out()
        self.list.chosen.connect(self.detail.show_weight)
        self.list.entered.connect(self._choose_layer)
        work.failed.connect(self._show_error)
        work.saved.connect(self.failure.hide)
        largest = max(range(len(model.weights)), key=lambda i: model.weights[i].size_bytes or 0)
        self.list.choose(largest)

    def _lay_out(self) -> None:
        assert self.numbers is not None
        assert self.list is not None
        assert self.detail is not None
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(PADDING, PADDING, BESIDE_BAR, PADDING)
        column.setSpacing(GAP)
        body = ListWithDetail(self, _DETAIL)
        column.addWidget(self.failure)
        column.addWidget(self.numbers)
        column.addLayout(body, 1)
        self.setWidget(page)
        body.show_both(self.list, self.detail)

    def _choose_layer(self, index: int) -> None:
        """Select the first layer that uses a weight."""
        if self._used[index]:
            self._document.selection.choose(layer=self._used[index][0])

    def _show_error(self, error: InspectorError) -> None:
        self.failure.show_error(error)
        self.ensureWidgetVisible(self.failure)

    def _show_waiting(self) -> None:
        """Say what is awaited, as long as there is nothing to show."""
        if self._document.model is None:
            name = self._document.name
            reading = self._document.work is Work.OPENING
            self._say(f"Reading {name}…" if reading else f"{name} is not open.")

    def _say(self, words: str) -> None:
        empty = label(words, "secondary")
        empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setWidget(empty)
