"""What a sweep is over: axes and values to choose, and the buttons that start it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox

from inspector import units
from inspector.report import Device
from inspector.sweep import Axis, count_cells
from inspector.sweeping import runner
from inspector.ui.documents.document import Document, Work
from inspector.ui.documents.sweeping import CONFIRM
from inspector.ui.kit.fields import NumberField
from inspector.ui.kit.parts import Card, Elided, button, label, row, tip
from inspector.ui.kit.theme import Theme
from inspector.ui.sweep.chips import Chips
from inspector.ui.sweep.model_chips import ModelChips
from inspector.ui.sweep.plan_axes import PlanAxes

_TUNING_SECONDS = 60.0


class PlanCard(Card):
    """Chooses axes; says how much that is; runs, cancels, resumes and searches."""

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__(theme)
        self._document = document
        self.choice = PlanAxes(theme, document)
        self.models = ModelChips(theme, document)
        self.rounds = NumberField("Processes for each combination", 50)
        self.runs = NumberField("Predictions of a combination in each of its processes", 10_000)
        self.at_once = QCheckBox("Throughput")
        self.summary = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        self.run = button(theme, "Run sweep", "play", primary=True)
        self.resume = button(theme, "Resume", "play")
        self.cancel = button(theme, "Cancel", "stop")
        self.tune = button(theme, "Find best settings", "search")
        self._lay_out()
        self._wire()
        self.follow()

    @property
    def axes(self) -> tuple[Axis, ...]:
        """What is chosen."""
        return self.choice.axes

    @property
    def chips(self) -> dict[str, Chips]:
        """The values of each setting."""
        return self.choice.chips

    def set_devices(self, devices: tuple[Device, ...]) -> None:
        """Offer the devices of this machine."""
        self.choice.set_devices(devices)

    def _lay_out(self) -> None:
        self.rounds.setRange(1, 50)
        self.runs.setRange(1, 10_000)
        self.rounds.setValue(2)
        self.runs.setValue(30)
        self.at_once.setToolTip(tip("Measure, too, 1, 2 and 4 predictions at once"))
        self.body.setSpacing(12)
        self.body.addLayout(
            row(
                label("Sweep", "heading"), 4, self.summary, self.tune, self.cancel,
                self.resume, self.run, stretch=2,
            )
        )  # fmt: skip
        self.body.addWidget(self.choice)
        self.body.addWidget(self.models)
        self.body.addLayout(
            row(
                label("Rounds", "caption"), self.rounds, 6,
                label("Predictions each", "caption"), self.runs, 6, self.at_once, None,
            )
        )  # fmt: skip

    def _wire(self) -> None:
        document, sweeping = self._document, self._document.sweeping
        self.run.clicked.connect(self._start)
        self.resume.clicked.connect(sweeping.resume)
        self.cancel.clicked.connect(document.cancel)
        self.tune.clicked.connect(lambda: sweeping.tune(_TUNING_SECONDS))
        self.choice.changed.connect(self.follow)
        document.work_changed.connect(self.follow)
        document.spec_changed.connect(self.follow)
        sweeping.changed.connect(self.follow)
        for field in (self.rounds, self.runs):
            field.valueChanged.connect(self.follow)

    def _start(self) -> None:
        self._document.sweeping.start(
            self.axes, self.rounds.value(), self.runs.value(), self.at_once.isChecked()
        )

    def follow(self) -> None:
        """Say how many combinations that makes, and which buttons there are now."""
        sweeping, work = self._document.sweeping, self._document.work
        running, ready = work is Work.SWEEPING, work is None
        cells = count_cells(self.axes, self._document.spec, len(sweeping.paths))
        models = max(1, len(sweeping.paths))
        count = runner.planned(cells, self.rounds.value(), CONFIRM, models)
        words = f"{units.plural(cells, 'combination')} · {units.plural(count, 'measurement')}"
        self.summary.set_text("Locked while it runs" if running else words)
        self.models.follow()
        self._show_buttons(ready, running)
        self.choice.lock(running)
        self.models.lock(not ready)
        for field in (self.rounds, self.runs, self.at_once):
            field.setEnabled(not running)

    def _show_buttons(self, ready: bool, running: bool) -> None:
        left = self._document.sweeping.left
        self.resume.setText(f" Resume, {left} left")
        self.resume.setVisible(ready and left > 0)
        self.cancel.setVisible(running)
        self.run.setVisible(not running)
        for widget in (self.run, self.tune):
            widget.setEnabled(ready)
