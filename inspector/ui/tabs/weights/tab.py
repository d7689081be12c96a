"""The Weights tab: every tensor that a file carries, without reading one until asked."""

from collections import Counter

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from inspector.errors import InspectorError
from inspector.model.model import Model
from inspector.ui import commands, units
from inspector.ui.documents.document import Document, Topic, Work
from inspector.ui.documents.weight_reading import WeightLoader
from inspector.ui.tabs.weights.weight_detail import WeightDetail
from inspector.ui.tabs.weights.weight_list import WeightsList
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.detail_card import ListWithDetail
from inspector.ui.widgets.failure import Failure
from inspector.ui.widgets.layouts import BESIDE_BAR, scroll_down
from inspector.ui.widgets.parts import GAP, PADDING, Metric, MetricRow, add_to, label, tip
from inspector.ui.widgets.theme import Theme

_DETAIL = 372


class NumbersRow(MetricRow):
    """Shows them in cards."""

    def __init__(self, theme: Theme, model: Model, work: WeightLoader) -> None:
        cards = tuple(
            Metric(theme, t)
            for t in (tr("Tensors"), tr("Size"), tr("Files"), tr("Duplicate tensors"))
        )
        super().__init__(cards)
        self.tensors, self.bytes, self.files, self.repeated = cards
        self._model, self._work = model, work
        self._fill()
        self._count_repeated()
        work.found_changed.connect(self._count_repeated)

    def _fill(self) -> None:
        weights = self._model.weights
        constants = sum(weight.origin == "constant" for weight in weights)
        problems = sum(bool(weight.problem) for weight in weights)
        below = [plural(constants, "constant")] if constants else []
        below += [tr("{problems:,} unreadable").format(problems=problems)] if problems else []
        every = tr("all weights, no constants") if weights else tr("no tensors in this model")
        self.tensors.show_value(units.number(len(weights)), "", " · ".join(below) or every)
        sizes: Counter[str] = Counter()
        for weight in weights:
            sizes[weight.dtype] += weight.size_bytes or 0
        total = sum(sizes.values())
        shares = [f"{t} {units.share(n, total)}" for t, n in sizes.most_common()]
        self.bytes.show_value(*units.size_parts(total), " · ".join(shares[:3]))
        self.bytes.setToolTip(tip(*shares[:20]))
        files = Counter(w.place.file for w in weights if w.place is not None)
        external = [name for name in files if name]
        text = tr("all in the model file") if files else tr("no readable tensors")
        if external:
            text = f"{units.clip(external[0], 40)}"
            text += (
                tr(" and {count:,} more").format(count=len(external) - 1)
                if len(external) > 1
                else tr(" next to the model")
            )
        self.files.show_value(units.number(len(files)), "", text)
        self.files.setToolTip(tip(*(name or self._model.name for name in list(files)[:20])))

    def _count_repeated(self) -> None:
        """Show how many tensors hold what another one holds, once all are read."""
        read, every = len(self._work.found), len(self._model.weights)
        number, size = self._work.repeated, self._work.repeated_bytes
        if not number and (read < every or not self._work.read_ones):
            none = all(weight.problem for weight in self._model.weights)
            text = (
                tr("no readable tensors") if none else tr("load all tensors to find duplicates")
            )
            self.repeated.show_value("–", "", text)
            return
        below = (
            tr("{size} of identical values").format(size=units.size(size))
            if number
            else tr("all tensors are distinct")
        )
        self.repeated.show_value(
            units.number(number) + ("+" if read < every else ""), "", below
        )


class WeightsTab(QScrollArea):
    """Numbers over the list; beside it, or below where it is narrow, the chosen tensor."""

    def __init__(self, theme: Theme, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._document = theme, document
        self.numbers: NumbersRow | None = None
        self.list: WeightsList | None = None
        self.detail: WeightDetail | None = None
        self.failure = Failure(theme)
        scroll_down(self)
        self.setAccessibleName(tr("Weights"))
        document.changed(Topic.MODEL).connect(self._show)
        document.changed(Topic.WORK).connect(self._show_waiting)
        self._show()

    def _show(self) -> None:
        model = self._document.model
        if model is None:
            self._show_waiting()
            return
        if not model.weights:
            self._say(tr("{name} contains no tensors.").format(name=self._document.name))
            return
        work = self._document.weights
        used = work.uses
        if used is None:
            self._say(tr("Listing the tensors…"))
            work.uses_found.connect(self._show, Qt.ConnectionType.SingleShotConnection)
            return
        self.numbers = NumbersRow(self._theme, model, work)
        self.list = WeightsList(self._theme, model, used, work)
        selection = self._document.selection
        self.detail = WeightDetail(
            self._theme, model, used, work, selection, self._document.executed
        )
        self._used = used
        self.failure = Failure(self._theme)
        self.failure.again.hide()
        self._lay_out()
        self.list.chosen.connect(self.detail.show_weight)
        self.list.entered.connect(self._choose_layer)
        self.list.graph_asked.connect(self._show_in_graph)
        work.failed.connect(self._show_error)
        work.saved.connect(self.failure.hide)
        largest = max(range(len(model.weights)), key=lambda i: model.weights[i].size_bytes or 0)
        self.list.choose(largest)
        selection.changed.connect(self._follow_selection)
        self._follow_selection()

    def _follow_selection(self) -> None:
        """Show the weight that is selected elsewhere."""
        model, name = self._document.model, self._document.selection.now.tensor
        if not name or model is None or self.list is None:
            return
        index = next((i for i, w in enumerate(model.weights) if w.name == name), None)
        if index is not None:
            self.list.choose(index)

    def _show_in_graph(self) -> None:
        row = self.list.selected_row() if self.list is not None else None
        if self.list is not None and row is not None:
            self._choose_layer(self.list.model.place_of(row))
            commands.run(self, "tab/graph")

    def _lay_out(self) -> None:
        assert self.numbers is not None
        assert self.list is not None
        assert self.detail is not None
        page = QWidget()
        self.setWidget(page)
        column = QVBoxLayout(page)
        column.setContentsMargins(PADDING, PADDING, BESIDE_BAR, PADDING)
        column.setSpacing(GAP)
        body = ListWithDetail(self, _DETAIL)
        add_to(column, self.failure, self.numbers, (body, 1))
        body.show_both(self.list, self.detail)

    def _choose_layer(self, index: int) -> None:
        """Select the first layer that uses a weight."""
        if self._used[index]:
            self._document.selection.choose(layer=self._used[index][0])

    def _show_error(self, error: InspectorError) -> None:
        self.failure.show_error(error)
        self.ensureWidgetVisible(self.failure)

    def _show_waiting(self) -> None:
        """Show what is awaited, as long as there is nothing to show."""
        if self._document.model is None:
            name = self._document.name
            reading = self._document.work is Work.OPENING
            self._say(
                tr("Opening {name}…").format(name=name)
                if reading
                else tr("{name} is not open.").format(name=name)
            )

    def _say(self, text: str) -> None:
        empty = label(text, "secondary")
        empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setWidget(empty)
