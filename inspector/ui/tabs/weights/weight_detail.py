"""One weight in full: what it is, who uses it, what is in it, and a picture of its values."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from inspector.errors import InspectorError
from inspector.model.model import ITEM_BITS, Model, WeightInfo
from inspector.model.tensors.tensor_statistics import Histogram
from inspector.pages.lists.weight_rows import called
from inspector.preview.outputs.saving import file_names
from inspector.ui import units
from inspector.ui.background import Debounce
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.estimating import ExecutedGraphLoader
from inspector.ui.documents.weight_reading import (
    LIMIT_BYTES,
    Plane,
    View,
    WeightLoader,
    first_view,
    is_cheap,
)
from inspector.ui.selection import Selection
from inspector.ui.tabs.weights import weight_facts
from inspector.ui.tabs.weights.slice_picker import SlicePicker
from inspector.ui.tabs.weights.values_dialog import ValuesDialog
from inspector.ui.tabs.weights.weight_facts import Remark
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.chart import ChartView, values_chart
from inspector.ui.widgets.detail_card import DetailCard
from inspector.ui.widgets.parts import Elided, Link, button, column_of, keep_size, label, row
from inspector.ui.widgets.progress import ProgressLine
from inspector.ui.widgets.theme import Theme

_MOST = 6
AT_ONCE_BYTES = 64 << 20
_ALIKE = 3  # weights of the same values that are named
# Two lines: what stands in for the values until they are there is as high as what follows.
_STATE_PX = 36
_UNKNOWN = Histogram(0.0, 1.0, (1, 1))  # as high as any other
_PATIENCE_MS = 120  # after a choice, until the detail is made


class Users(QWidget):
    """Lists the first layers that use a weight."""

    def __init__(
        self, theme: Theme, model: Model, used: Sequence[int], selection: Selection
    ) -> None:
        super().__init__()
        self._theme, self._model, self._selection = theme, model, selection
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        lines = column_of(
            label(tr("Used by") if used else tr("Not used by any layer"), "section"),
            on=self,
            spacing=0,
        )
        for layer in used[:_MOST]:
            lines.addWidget(self._link(layer))
        if len(used) > _MOST:
            lines.addWidget(
                label(
                    tr("and {layers}").format(layers=plural(len(used) - _MOST, "more layer")),
                    "caption",
                )
            )

    def _link(self, index: int) -> Link:
        layer = self._model.layers[index]
        text = f"{layer.name} · {layer.operator}" if layer.name else layer.label
        link = Link(self._theme, text, tr("Show this layer"))
        link.setAccessibleName(
            tr("Select layer {label}").format(label=units.clip_name(layer.label, 80))
        )
        link.clicked.connect(lambda: self._selection.choose(layer=index))
        return link


class WeightDetail(DetailCard):
    """Follows the choice of the list; small weights are read at once, large ones when asked."""

    def __init__(
        self,
        theme: Theme,
        model: Model,
        uses: tuple[tuple[int, ...], ...],
        work: WeightLoader,
        selection: Selection,
        executed: ExecutedGraphLoader | None = None,
    ) -> None:
        super().__init__(theme, tr("Selected tensor"))
        self._executed = executed
        if executed is not None:
            executed.changed.connect(self._show_loaded)
        self._model, self._uses, self._work = model, uses, work
        self._selection = selection
        self._whole = sum(weight.size_bytes or 0 for weight in model.weights)
        self.index: int | None = None
        self.picker: SlicePicker | None = None
        self._delayed_build = Debounce(self._build, self, _PATIENCE_MS)
        self._progress: ProgressLine | None = None
        work.found_changed.connect(self._refresh)
        work.progressed.connect(self._show_progress)
        work.plane_read.connect(self._show_plane)
        work.saved.connect(self._show_saved)
        work.failed.connect(self._save_ended)
        self._build()

    def show_weight(self, index: int) -> None:
        """Show a weight, and read it if that takes no time to speak of."""
        self.index = index
        weight = self._model.weights[index]
        if not weight.problem and (weight.size_bytes or 0) <= AT_ONCE_BYTES:
            self._work.read(index)
        if self._work.reading == index:
            self._delayed_build.call()  # mostly it is read before anybody sees a bar
        else:
            self._build()

    def _build(self) -> None:
        self._delayed_build.cancel()
        self.picker = self._progress = None
        invitation = (
            tr("Select a tensor to see its statistics and values.")
            if self.index is None
            else ""
        )
        page, column = self.new_page(invitation)
        self._column = column
        if self.index is not None:
            self._add_weight(column, self.index)
            column.addStretch(1)
        self.show_page(page)

    def _add_weight(self, column: QVBoxLayout, index: int) -> None:
        weight = self._model.weights[index]
        scope, leaf = units.scope_and_name(called(weight))
        titles = column_of(Elided(leaf, "title"), spacing=2)
        if scope:
            titles.addWidget(Elided(scope.replace("/", " / "), "secondary"))
        save = self._save = button(self._theme, tr("Save as .npy…"), "save")
        save.clicked.connect(self._ask_to_save)
        save.setEnabled(not weight.problem and weight.dtype != "string")
        column.addLayout(row((titles, 1), (save, 0, Qt.AlignmentFlag.AlignTop), spacing=12))
        self.values = button(self._theme, tr("Show all values…"), then=self.show_values)
        limit = ITEM_BITS.get(weight.dtype, 8) * weight.elements // 8 <= LIMIT_BYTES
        readable = not weight.problem and weight.dtype != "string" and weight.elements > 0
        self.values.setEnabled(readable and limit)
        if readable and not limit:
            self.values.setToolTip(tr("Too large to show as a whole: save it as .npy"))
        if problem := weight.problem:
            column.addWidget(
                Remark(self._theme, f"{problem[0].upper()}{problem[1:]}.", "warning", "caution")
            )
        stored_as, pattern = self._form_pairs(index)
        pairs = weight_facts.of_file(weight, self._whole) + stored_as
        column.addWidget(weight_facts.Facts(pairs))
        column.addLayout(row(self.values, None))
        column.addWidget(Users(self._theme, self._model, self._uses[index], self._selection))
        if not weight.problem:
            self._add_values(column, index, weight)
        # Only its values tell a pattern: it comes last, so that nothing moves.
        if pattern:
            column.addWidget(weight_facts.Facts(pattern))
        if text := self._repeats(index):
            column.addWidget(Remark(self._theme, text))

    def _form_pairs(
        self, index: int
    ) -> tuple[tuple[weight_facts.Pair, ...], tuple[weight_facts.Pair, ...]]:
        """Return how a weight is stored, and which pattern its values have; ask meanwhile what
        the runtime makes of it."""
        executed = self._executed
        optimized = executed.optimized if executed is not None else None
        form = self._work.form(index, optimized)
        if form is None or not form.kind:
            return (), ()
        pairs = weight_facts.of_form(form)
        asks = executed is not None and executed.is_offered and form.is_stored_so
        if asks and executed is not None and not form.when_loaded:
            if executed.graph is None and executed.error is None:
                if self._whole <= AT_ONCE_BYTES:
                    executed.begin()
                text = tr("checking…") if executed.working else tr("not checked")
            else:
                text = tr("unknown")
            pairs = (*pairs, (tr("After loading"), text))
        return (pairs, ()) if form.is_stored_so else ((), pairs)

    def _show_loaded(self) -> None:
        if self.index is not None and self._executed is not None:
            form = self._work.form(self.index)
            if form is not None and form.kind and not self._executed.working:
                self._build()

    def _add_values(self, column: QVBoxLayout, index: int, weight: WeightInfo) -> None:
        """Add what is in a weight, or as much room while that is not known."""
        column.addWidget(_section(tr("Statistics")))
        gathered = self._work.found.get(index)
        if isinstance(gathered, InspectorError):
            text = ". ".join(w for w in (gathered.what, gathered.why, gathered.hint) if w)
            column.addWidget(Remark(self._theme, text, "warning", "bad"))
            return
        statistics = gathered.statistics if gathered is not None else None
        if not weight.elements or (statistics is not None and not statistics.elements):
            column.addWidget(label(tr("This tensor has no elements."), "secondary"))
            return
        if statistics is not None:
            state: QWidget = weight_facts.remark(self._theme, statistics, weight.dtype)
        elif self._work.reading == index:
            state = self._reading()
        else:
            state = self._offer(weight)
        state.setMinimumHeight(_STATE_PX)
        column.addWidget(state)
        column.addWidget(
            weight_facts.Facts(weight_facts.of_values(statistics, weight.dtype), 2)
        )
        is_number = weight.dtype not in ("string", "bool")
        spread = statistics.histogram if statistics is not None else _UNKNOWN
        if spread is not None and len(spread.counts) > 1 and is_number and weight.elements > 1:
            chart = ChartView(self._theme, values_chart(spread))
            keep_size(chart)
            column.addWidget(chart)
            chart.setHidden(statistics is None)
        view = first_view(weight.stored_shape)
        differ = statistics is None or statistics.distinct != 1
        if view is not None and weight.dtype != "string" and differ:
            known = statistics is not None or is_cheap(weight, view, AT_ONCE_BYTES)
            self._add_picture(column, index, weight, view, known)
        column.addWidget(_section(tr("First values")))
        first = gathered.first if gathered is not None else "–"
        column.addWidget(label(first, "mono", selectable=True, wraps=True))

    def _add_picture(
        self, column: QVBoxLayout, index: int, weight: WeightInfo, view: View, known: bool
    ) -> None:
        column.addWidget(_section(tr("Slice view")))
        picker = SlicePicker(self._theme, weight.stored_shape, view)
        column.addWidget(picker)
        if known:
            self.picker = picker
            picker.asked.connect(lambda wanted: self._work.read_plane(index, wanted))
            self._work.read_plane(index, view)
        else:
            keep_size(picker)
            picker.hide()

    def _reading(self) -> ProgressLine:
        self._progress = progress = ProgressLine(self._theme, tr("Loading the tensor"))
        progress.cancelled.connect(self._work.cancel)
        self._show_progress()
        return progress

    def _offer(self, weight: WeightInfo) -> QWidget:
        """A large tensor is read when its user wants it."""
        size = units.size(weight.size_bytes or 0)
        offer = button(self._theme, tr("Load {size}").format(size=size), "play", primary=True)
        offer.clicked.connect(self._read)
        text = tr("Not loaded yet: opening a model does not load its weights.")
        line = QWidget()
        row((label(text, "secondary", wraps=True), 1), offer, on=line, spacing=12)
        return line

    def _repeats(self, index: int) -> str:
        alike = self._work.alike(index)
        if not alike:
            return ""
        names = [units.clip(called(self._model.weights[i]), 40) for i in alike[:_ALIKE]]
        more = (
            tr(" and {count:,} more").format(count=len(alike) - _ALIKE)
            if len(alike) > _ALIKE
            else ""
        )
        return tr("Identical to {names}{more}.").format(names=", ".join(names), more=more)

    def _read(self) -> None:
        if self.index is not None:
            self._work.read(self.index)
            self._build()

    def show_values(self) -> None:
        """Open a dialog with all values of the weight."""
        index = self.index
        if index is None:
            return
        work, title = self._work, called(self._model.weights[index])
        self.dialog = ValuesDialog(self._theme, title, lambda: work.contents(index), self)
        self.dialog.show()

    def _ask_to_save(self) -> None:
        index = self.index
        if index is not None:
            proposed = f"{file_names([self._model.weights[index].name])[0]}.npy"
            if path := file_dialogs.ask_place(self, tr("Save tensor"), proposed):
                self._save.setEnabled(False)
                self._work.save(index, path)

    def _show_saved(self, path: Path) -> None:
        """Show the path of the saved file below the button."""
        self._save_ended()
        text = tr("Saved {name} to {parent}").format(
            name=units.clip(path.name, 80), parent=units.clip(str(path.parent), 200)
        )
        if self.index is not None:
            self._column.insertWidget(1, Remark(self._theme, text, "check", "good"))

    def _save_ended(self) -> None:
        if self.index is not None:
            self._save.setEnabled(True)

    def _refresh(self, places: frozenset[int]) -> None:
        """Show what was read; what other tensors hold only matters for a remark."""
        if self.index in places:
            self._build()

    def _show_progress(self) -> None:
        if self._progress is None:
            return
        if self._work.reading == self.index:
            self._progress.show_share(self._work.done)
        else:  # cancelled
            self._build()

    def _show_plane(self, plane: Plane) -> None:
        if self.picker is not None and plane.index == self.index:
            self.picker.show_plane(plane)
            self.updateGeometry()


def _section(text: str) -> QLabel:
    return label(text, "section")
