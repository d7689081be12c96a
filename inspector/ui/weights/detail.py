"""One weight in full: what it is, who uses it, what is in it, and a picture of its values."""

from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QVBoxLayout,
)

from inspector import units
from inspector.model import Model, WeightInfo
from inspector.ui.documents.selection import Selection
from inspector.ui.kit.detail import DetailCard
from inspector.ui.kit.parts import Elided, button, label, row
from inspector.ui.kit.theme import Theme
from inspector.ui.weights import facts
from inspector.ui.weights.columns import name
from inspector.ui.weights.gathering import Gathered, Plane, View, first_view, is_cheap
from inspector.ui.weights.plane_picker import PlanePicker
from inspector.ui.weights.remark import Remark
from inspector.ui.weights.users import Users
from inspector.ui.weights.value_bars import ValueBars
from inspector.ui.weights.work import WeightsWork

AT_ONCE_BYTES = 64 << 20
_ALIKE, _PATIENCE_MS = 3, 120


class WeightDetail(DetailCard):
    """Follows the choice of the list; small weights are read at once, large ones when asked."""

    def __init__(
        self,
        theme: Theme,
        model: Model,
        uses: tuple[tuple[int, ...], ...],
        work: WeightsWork,
        selection: Selection,
    ) -> None:
        super().__init__(theme, "The chosen tensor")
        self._model, self._uses, self._work = model, uses, work
        self._selection = selection
        self._whole = sum(weight.size_bytes or 0 for weight in model.weights)
        self.index: int | None = None
        self.picker: PlanePicker | None = None
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(_PATIENCE_MS)
        self._late.timeout.connect(self._build)
        self._progress: QProgressBar | None = None
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
            self._late.start()  # mostly it is read before anybody sees a bar
        else:
            self._build()

    def _build(self) -> None:
        self._late.stop()
        self.picker = self._progress = None
        invitation = "Select a tensor to see what is in it." if self.index is None else ""
        page, column = self.new_page(invitation)
        self._column = column
        if self.index is not None:
            self._add_weight(column, self.index)
            column.addStretch(1)
        self.show_page(page)

    def _add_weight(self, column: QVBoxLayout, index: int) -> None:
        weight = self._model.weights[index]
        scope, leaf = units.scope_and_name(name(weight))
        titles = QVBoxLayout()
        titles.setSpacing(2)
        titles.addWidget(Elided(leaf, "title"))
        if scope:
            titles.addWidget(Elided(scope.replace("/", " / "), "secondary"))
        save = self._save = button(self._theme, "Save as .npy…", "save")
        save.clicked.connect(self._ask_to_save)
        save.setEnabled(not weight.problem and weight.dtype != "string")
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addLayout(titles, 1)
        head.addWidget(save, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(head)
        if problem := weight.problem:
            column.addWidget(
                Remark(self._theme, f"{problem[0].upper()}{problem[1:]}.", "warning", "caution")
            )
        column.addWidget(facts.Facts(facts.of_file(weight, self._whole)))
        column.addWidget(Users(self._model, self._uses[index], self._selection))
        if not weight.problem:
            self._add_values(column, index, weight)

    def _add_values(self, column: QVBoxLayout, index: int, weight: WeightInfo) -> None:
        column.addWidget(_section("Values"))
        found = self._work.found.get(index)
        if isinstance(found, Gathered):
            self._add_found(column, index, weight, found)
            return
        if self._work.reading == index:
            self._add_progress(column)
        elif found is not None:
            said = ". ".join(w for w in (found.what, found.why, found.hint) if w)
            column.addWidget(Remark(self._theme, said, "warning", "bad"))
            return
        else:
            self._add_offer(column, weight)
        view = first_view(weight.stored_shape)
        if view is not None and is_cheap(weight, view, AT_ONCE_BYTES):
            self._add_picture(column, index, weight, view)

    def _add_found(
        self, column: QVBoxLayout, index: int, weight: WeightInfo, found: Gathered
    ) -> None:
        if not found.statistics.elements:
            column.addWidget(label("It has no elements.", "secondary"))
            return
        pairs = facts.of_values(found.statistics, weight.dtype)
        column.addWidget(facts.Facts(pairs, 2))
        for words in (facts.hint(found.statistics, weight.dtype), self._repeats(index)):
            if words:
                column.addWidget(Remark(self._theme, words))
        if (
            found.statistics.histogram is not None
            and len(found.statistics.histogram.counts) > 1
        ):
            bars = ValueBars(self._theme)
            bars.show_histogram(found.statistics.histogram)
            column.addWidget(bars)
        view = first_view(weight.stored_shape)
        if view is not None and weight.dtype != "string" and found.statistics.distinct != 1:
            self._add_picture(column, index, weight, view)
        column.addWidget(_section("First values"))
        first = label(found.first, "mono", selectable=True)
        first.setWordWrap(True)
        column.addWidget(first)

    def _add_picture(
        self, column: QVBoxLayout, index: int, weight: WeightInfo, view: View
    ) -> None:
        column.addWidget(_section("Picture of a plane"))
        picker = self.picker = PlanePicker(self._theme, weight.stored_shape, view)
        picker.asked.connect(lambda wanted: self._work.read_plane(index, wanted))
        column.addWidget(picker)
        self._work.read_plane(index, view)

    def _add_progress(self, column: QVBoxLayout) -> None:
        self._progress = progress = QProgressBar()
        progress.setTextVisible(False)
        progress.setAccessibleName("Reading the tensor")
        cancel = button(self._theme, "Cancel")
        cancel.clicked.connect(self._work.cancel)
        column.addLayout(row(progress, cancel, spacing=12, stretch=0))
        self._show_progress()

    def _add_offer(self, column: QVBoxLayout, weight: WeightInfo) -> None:
        """A large tensor is read when its user wants it."""
        size = units.size(weight.size_bytes or 0)
        offer = button(self._theme, f"Read {size}", "play", primary=True)
        offer.clicked.connect(self._read)
        words = label("Not read yet: opening a model reads no weights.", "secondary")
        words.setWordWrap(True)
        column.addLayout(row(words, offer, spacing=12, stretch=0))

    def _repeats(self, index: int) -> str:
        alike = self._work.alike(index)
        if not alike:
            return ""
        names = [units.clip(name(self._model.weights[i]), 40) for i in alike[:_ALIKE]]
        more = f" and {len(alike) - _ALIKE:,} more" if len(alike) > _ALIKE else ""
        return f"The same values are in {', '.join(names)}{more}."

    def _read(self) -> None:
        if self.index is not None:
            self._work.read(self.index)
            self._build()

    def _ask_to_save(self) -> None:
        index = self.index
        if index is not None:
            from inspector.preview.saving import file_names

            proposed = f"{file_names([self._model.weights[index].name])[0]}.npy"
            chosen, _ = QFileDialog.getSaveFileName(self, "Save the tensor", proposed)
            if chosen:
                self._save.setEnabled(False)
                self._work.save(index, Path(chosen))

    def _show_saved(self, path: Path) -> None:
        """Tell where the file is, below the button that asked for it."""
        self._save_ended()
        said = f"Saved {units.clip(path.name, 80)} in {units.clip(str(path.parent), 200)}"
        if self.index is not None:
            self._column.insertWidget(1, Remark(self._theme, said, "check", "good"))

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
            self._progress.setValue(round(100 * self._work.done))
        else:  # cancelled
            self._build()

    def _show_plane(self, plane: Plane) -> None:
        if self.picker is not None and plane.index == self.index:
            self.picker.show_plane(plane)
            self.updateGeometry()


def _section(words: str) -> QLabel:
    return label(words, "section")
