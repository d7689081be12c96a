"""What a sweep is over: axes and values to choose, and the buttons that start it."""

import os
from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QFileDialog, QGridLayout, QPushButton, QWidget

from inspector import units
from inspector.export.sweep_tables import axis_words
from inspector.sweep import FREE, Axis, Value
from inspector.ui.documents.document import Document, Work
from inspector.ui.kit.fields import NumberField
from inspector.ui.kit.flow import Flow
from inspector.ui.kit.parts import Card, Elided, button, label, row, tip
from inspector.ui.kit.theme import Theme
from inspector.ui.preview.dimension_editor import free_axes
from inspector.ui.sweep.chips import Chips

_COLUMN = 250
_LENGTHS = (1, 2, 4, 8, 16)
_MOST_FREE = 3
_TUNING_SECONDS = 60.0


def thread_counts() -> tuple[int, ...]:
    """Numbers of threads worth a try on this machine; 0 leaves it to the runtime."""
    cores = os.cpu_count() or 1
    return tuple(sorted({0, 1, 2, *(n for n in (4, 8, 16, 32) if n <= cores), cores}))


class PlanCard(Card):
    """Chooses axes; says how much that is; runs, cancels, resumes and searches."""

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__(theme)
        self._document = document
        self._theme = theme
        self.chips: dict[str, Chips] = {}
        self.models = QWidget()
        self._model_flow = Flow(6, 6, self.models)
        self.rounds = NumberField("Processes for each cell", 50)
        self.runs = NumberField("Predictions of a cell in each of its processes", 10_000)
        self.at_once = QCheckBox("Throughput")
        self.summary = Elided("", "secondary")
        self.run = button(theme, "Run sweep", "play", primary=True)
        self.resume = button(theme, "Resume", "play")
        self.cancel = button(theme, "Cancel", "stop")
        self.tune = button(theme, "Find best settings", "search")
        self.add = button(theme, "Add models…", "plus")
        self.add.setProperty("role", "link")
        self._lay_out()
        self._wire()
        self.follow()

    @property
    def axes(self) -> tuple[Axis, ...]:
        """What is chosen; settings of one value that are the usual ones are no axis."""
        return tuple(
            Axis(name, chips.chosen)
            for name, chips in self.chips.items()
            if len(chips.chosen) > 1 or chips.chosen != (_USUAL.get(name, 1),)
        )

    def _lay_out(self) -> None:
        self.rounds.setRange(1, 50)
        self.runs.setRange(1, 10_000)
        self.rounds.setValue(2)
        self.runs.setValue(30)
        self.at_once.setToolTip(tip("Measure, too, 1, 2 and 4 predictions at once"))
        head = row(
            label("Sweep", "heading"), 4, self.summary, self.tune, self.cancel, self.resume,
            self.run, stretch=2,
        )  # fmt: skip
        self.body.setSpacing(12)
        self.body.addLayout(head)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(20)
        self._grid.setVerticalSpacing(12)
        self.body.addLayout(self._grid)
        for name, values in (
            ("threads", thread_counts()),
            ("optimization", ("none", "basic", "extended", "all")),
            ("spinning", (True, False)),
            ("execution_mode", ("sequential", "parallel")),
            ("arena", (True, False)),
            ("memory_pattern", (True, False)),
            ("binding", ("plain", "inputs", "outputs")),
        ):
            self._add(name, values, _FIRST.get(name, (_USUAL[name],)))
        for name in (
            free_axes(self._document.model)[:_MOST_FREE] if self._document.model else ()
        ):
            self._add(FREE + name, _LENGTHS, (1,))
        self.body.addWidget(self.models)
        self.body.addLayout(
            row(
                label("Rounds", "caption"), self.rounds, 6,
                label("Predictions each", "caption"), self.runs, 6, self.at_once, None,
            )
        )  # fmt: skip

    def _add(self, name: str, values: tuple[Value, ...], pressed: tuple[Value, ...]) -> None:
        words = axis_words(name)
        chips = Chips(name, words[:1].upper() + words[1:], values, pressed)
        chips.changed.connect(self.follow)
        self.chips[name] = chips

    def resizeEvent(self, event: object) -> None:
        """As many columns of settings as there is room for."""
        columns = max(1, (self.width() - 32) // _COLUMN)
        for place, chips in enumerate(self.chips.values()):
            self._grid.addWidget(chips, place // columns, place % columns)
        for column in range(8):
            self._grid.setColumnStretch(column, int(column < columns))

    def _wire(self) -> None:
        document, sweeping = self._document, self._document.sweeping
        self.run.clicked.connect(self._start)
        self.resume.clicked.connect(sweeping.resume)
        self.cancel.clicked.connect(document.cancel)
        self.tune.clicked.connect(lambda: sweeping.tune(_TUNING_SECONDS))
        self.add.clicked.connect(self._choose_models)
        document.work_changed.connect(self.follow)
        sweeping.changed.connect(self.follow)
        for field in (self.rounds, self.runs):
            field.valueChanged.connect(self.follow)

    def _start(self) -> None:
        self._document.sweeping.start(
            self.axes, self.rounds.value(), self.runs.value(), self.at_once.isChecked()
        )

    def follow(self) -> None:
        """Say how many cells that makes, and which buttons there are now."""
        sweeping, work = self._document.sweeping, self._document.work
        running, ready = work is Work.SWEEPING, work is None
        cells = len(sweeping.paths)
        for axis in self.axes:
            cells *= len(axis.values)
        count = cells * self.rounds.value()
        self.summary.set_text(
            f"{units.plural(cells, 'cell')}, {units.plural(count, 'measurement')}"
        )
        left = sweeping.left
        self.resume.setText(f" Resume, {left} left")
        self.resume.setVisible(ready and left > 0)
        self.cancel.setVisible(running)
        self.run.setVisible(not running)
        for widget in (self.run, self.tune, self.add):
            widget.setEnabled(ready)
        for chips in self.chips.values():
            chips.setEnabled(not running)
        self._show_models(sweeping.paths)

    def _show_models(self, paths: tuple[Path, ...]) -> None:
        while (item := self._model_flow.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None and widget is not self.add:
                widget.deleteLater()
        self._model_flow.addWidget(_caption(len(paths)))
        for path in paths:
            own = path == self._document.path
            chip = QPushButton(units.clip(path.name, 40) + ("" if own else "  ×"))
            chip.setProperty("role", "chip")
            chip.setCheckable(True)
            chip.setChecked(True)
            words = "is swept" if own else "is swept; press to leave it out"
            chip.setAccessibleName(f"{units.clip(path.name, 40)} {words}")
            chip.setToolTip(tip(f"{path.name} {words}"))
            chip.clicked.connect(lambda _, one=path: self._document.sweeping.drop_model(one))
            self._model_flow.addWidget(chip)
        self._model_flow.addWidget(self.add)

    def _choose_models(self) -> None:
        title, kinds = "Models to sweep beside this one", "Models (*.onnx *.ort)"
        names, _ = QFileDialog.getOpenFileNames(self, title, "", kinds)
        self._document.sweeping.add_models(tuple(map(Path, names)))


def _caption(models: int) -> QWidget:
    made = label(units.plural(models, "model"), "caption")
    made.setFixedHeight(28)
    return made


_USUAL: dict[str, Value] = {
    "threads": 0,
    "optimization": "all",
    "spinning": True,
    "execution_mode": "sequential",
    "arena": True,
    "memory_pattern": True,
    "binding": "plain",
}
_FIRST: dict[str, tuple[Value, ...]] = {
    "threads": (1, 2),
    "optimization": ("none", "basic", "all"),
}
