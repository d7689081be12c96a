"""Fields for the comparison: level of this run, the run to compare with, the tolerance."""

import math
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QLineEdit, QWidget

from inspector.backends import registry
from inspector.formats.model_formats import file_patterns
from inspector.preview.runs.other_run import OtherRun
from inspector.report.report import Device
from inspector.report.run_spec import LEVELS
from inspector.ui import units
from inspector.ui.documents.document import Document, Topic, Work
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.comparison_links import LAYERS, ComparisonLinks
from inspector.ui.widgets.fields import ChoiceField
from inspector.ui.widgets.layouts import Flow
from inspector.ui.widgets.parts import Card, Elided, button, column_of, tip
from inspector.ui.widgets.theme import Theme

_OTHER_LEVELS = {
    "none": mark("No optimization"),
    "basic": mark("Basic optimizations"),
    "extended": mark("Extended optimizations"),
    "all": mark("All optimizations"),
}
NOTHING = ""
REFERENCE = "reference"
OTHER_LEVEL = "level:"  # before the level
MODEL = "model"
DEVICE = "device:"  # before the id
RECORDED = "recorded"


class ComparisonFields(Card):
    """The fields, and the button that begins the walk; `asked` tells that it was pressed.

    `offer` hides the button where another one begins the first walk.
    """

    asked = Signal()
    ready = Signal(bool)  # whether the button could do anything

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__(theme, padding=1)
        self._document = document
        self._devices: tuple[Device, ...] = ()
        self.other: Path | None = None
        self.recording: Path | None = None
        titles = tuple(level.capitalize() for level in LEVELS)
        self.level = ChoiceField(tr("Graph optimization of this run"), LEVELS, titles)
        self.level.setToolTip(
            tip(
                tr(
                    "Graph optimization level of this run; layers are not fused, so that every "
                    "output can be read"
                )
            )
        )
        self.against = ChoiceField(tr("Compare with"), (), ())
        self.tolerance = QLineEdit()
        self.tolerance.setPlaceholderText(tr("default"))
        self.tolerance.setAccessibleName(tr("Tolerance"))
        self.tolerance.setToolTip(
            tip(
                tr(
                    "Highest ratio of max error to max |value| that still counts as equal; "
                    "the default depends on the data type"
                )
            )
        )
        self.begin = button(theme, tr("Record layer outputs"), "play", primary=True)
        self._lay_out()
        self._fill()
        self._wire()

    def set_devices(self, devices: tuple[Device, ...]) -> None:
        """Offer the devices of this machine as the other side."""
        self._devices = devices
        self._fill()

    @property
    def side(self) -> OtherRun | None:
        """The other side as it is chosen now."""
        chosen = self.against.value
        if chosen == REFERENCE:
            return OtherRun(reference=True)
        if chosen.startswith(OTHER_LEVEL):
            return OtherRun(level=chosen.removeprefix(OTHER_LEVEL))
        if chosen.startswith(DEVICE):
            return OtherRun(device=chosen.removeprefix(DEVICE))
        if chosen == MODEL and self.other is not None:
            return OtherRun(model=str(self.other))
        if chosen == RECORDED and self.recording is not None:
            return OtherRun(recorded=str(self.recording))
        return None

    @property
    def wanted(self) -> float | None:
        """The tolerance; None for that of the types."""
        try:
            value = float(units.typed(self.tolerance.text()))
        except ValueError:
            return None
        return value if 0 <= value < math.inf else None

    def choose(self, way: OtherRun) -> None:
        """Compare with another run; one that is not offered here leaves the choice as it is."""
        if way.model:
            self.choose_model(Path(way.model))
        elif way.reference:
            self.against.show_value(REFERENCE)
        elif way.level:
            self.against.show_value(OTHER_LEVEL + way.level)
        elif self.against.findData(DEVICE + way.device) >= 0:
            self.against.show_value(DEVICE + way.device)

    def choose_model(self, path: Path) -> None:
        """Compare with another model."""
        self.other = path
        self._fill()
        self.against.show_value(MODEL)

    def _lay_out(self) -> None:
        flow, self._boxes = Flow(8, 8), list[QWidget]()
        for name, field, width in (
            (tr("Optimization"), self.level, 98),
            (tr("Compare with"), self.against, 208),
            (tr("Tolerance"), self.tolerance, 88),
            ("", self.begin, self.begin.sizeHint().width()),
        ):
            box = QWidget()
            box.setFixedWidth(width)
            column_of(Elided(name, "caption"), field, on=box, spacing=4)
            flow.addWidget(box)
            self._boxes.append(box)
        self._place = box  # of the button, the last one
        self.body.setContentsMargins(16, 10, 16, 12)
        self.body.addLayout(flow)
        self.inputs = Elided("", "caption")
        self.body.addWidget(self.inputs)
        self.links = ComparisonLinks(self._theme, LAYERS)
        self.body.addWidget(self.links)

    def offer(self, offered: bool) -> None:
        """Show the button, or leave it to another one."""
        self._place.setVisible(offered)

    def _wire(self) -> None:
        self.begin.clicked.connect(self.asked)
        self.against.activated.connect(self._ask_for_other)
        self.tolerance.textChanged.connect(self._show)
        self._document.watch(self._show, Topic.WORK, Topic.MODEL, Topic.FEEDS)
        self._document.changed(Topic.MODEL).connect(self._fill)
        self._show()

    def _fill(self) -> None:
        """Offer what there is to compare with."""
        previous, field = self.against.value if self.against.count() else NOTHING, self.against
        own = set(self._document.spec.devices)
        field.clear()
        field.addItem(tr("None"), NOTHING)
        levels = self._document.backend.id == registry.DEFAULT
        self._boxes[0].setVisible(levels)
        if levels:  # layers of other runtimes have one way to run
            field.addItem(tr("ONNX reference evaluator"), REFERENCE)
            for level, text in _OTHER_LEVELS.items():
                field.addItem(tr(text), OTHER_LEVEL + level)
            for device in self._devices:
                if not device.problem and device.id not in own:
                    field.addItem(units.clip(units.device(device.id), 40), DEVICE + device.id)
        for path, text, data in (
            (self.other, tr("Another model…"), MODEL),
            (self.recording, tr("Recorded tensors (.npz)…"), RECORDED),
        ):
            field.addItem(text if path is None else units.clip(path.name, 40), data)
        field.show_value(previous if field.findData(previous) >= 0 else NOTHING)

    def _ask_for_recording(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(
            self,
            tr("Compare with recorded tensors"),
            str(self._document.path or ""),
            tr("NumPy arrays ({file_patterns})").format(file_patterns="*.npz *.npy"),
        )
        if chosen:
            # One array stands for its folder, which is one recording.
            path = Path(chosen)
            self.recording = path.parent if path.suffix.lower() == ".npy" else path
            self._fill()
            self.against.show_value(RECORDED)
        elif self.recording is None:
            self.against.show_value(NOTHING)

    def _ask_for_other(self) -> None:
        if self.against.value == RECORDED:
            self._ask_for_recording()
        if self.against.value != MODEL:
            return
        chosen, _ = QFileDialog.getOpenFileName(
            self,
            tr("Compare with"),
            str(self._document.path or ""),
            tr("Models ({file_patterns})").format(file_patterns=file_patterns()),
        )
        if chosen:
            self.choose_model(Path(chosen))
        elif self.other is None:
            self.against.show_value(NOTHING)

    def _show(self) -> None:
        """Grey the button where it can do nothing, and tell what the inputs are."""
        document = self._document
        text = self.tolerance.text().strip()
        wrong = bool(text) and self.wanted is None
        self.tolerance.setProperty("wrong", wrong)
        able = document.model is not None and document.work is None and not wrong
        self.begin.setEnabled(able)
        self.ready.emit(able)
        for field in (self.level, self.against, self.tolerance):
            field.setEnabled(document.work is not Work.STEPPING)
        named = [
            f"{units.clip(n, 40)}: {units.clip(s.value, 40)}"
            for n, s in document.sources.items()
        ]
        message = tr("Inputs from Preview: {named}").format(named=", ".join(named[:4]))
        message += (
            tr(" and {count} more").format(count=len(named) - 4) if len(named) > 4 else ""
        )
        if wrong:
            message = tr(
                "'{text}' is not a valid tolerance. Enter a number of at least 0, such as 1e-3."
            ).format(text=units.clip(text, 20))
        elif not named:
            message = tr("Using default inputs. Choose other inputs in Preview.")
        self.inputs.set_text(message)
