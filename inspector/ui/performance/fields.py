"""The fields of the next measurement; each change goes into `document.spec` at once."""

import os
from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from inspector import units
from inspector.report import Device, Dimension
from inspector.ui.documents.document import Document, Work
from inspector.ui.kit.fields import ChoiceField, NumberField
from inspector.ui.kit.flow import Flow
from inspector.ui.kit.parts import Elided, button, row, tip
from inspector.ui.kit.theme import Theme
from inspector.ui.performance.kept_field import KeptField
from inspector.ui.performance.options_field import OptionsField
from inspector.ui.performance.predict_field import PredictField
from inspector.ui.performance.session_field import SessionField
from inspector.ui.preview.dimension_editor import LONGEST, SHOWN, free_axes

BINDINGS = {
    "plain": "None",
    "inputs": "Inputs",
    "outputs": "In and out",
    "device": "On device",
}
SOURCES = {"path": "File", "bytes": "Bytes", "reader": "Our reader", "compiled": "Compiled"}
SECONDS = {"0": "Any time", "0.5": "0.5 s", "1": "1 s", "3": "3 s", "10": "10 s", "60": "60 s"}
STEADY = {"0": "Off", "3": "3 s more", "10": "10 s more", "60": "60 s more"}
UNTIL = {"0": "Off", "0.02": "±2 %", "0.01": "±1 %", "0.005": "±0.5 %"}
OPTIMIZATIONS = ("all", "extended", "basic", "none")
_CPU = Device("cpu", "CPU", "cpu", "CPUExecutionProvider")
_MOST_RUNS, _MOST_SHOWN, _MOST_STARTS = 100_000, 4, 50
_NARROW, _BROAD = 109, 230  # two narrow ones and their gap are a broad one
_CHOICES = (  # name, what there is, what it does
    ("At least so many seconds", SECONDS, "Go on predicting for at least so long"),
    (
        "Wait for the processor's full pace",
        STEADY,
        "Then go on, at most so long, until enough predictions ran at the processor's full "
        "pace; make up for starts that never did",
    ),
    (
        "Go on until the median is sure",
        UNTIL,
        "Then go on until half of the median's 95 % interval is at most so wide",
    ),
    (
        "Binding of inputs and outputs",
        BINDINGS,
        "Pass inputs with each call, bind them to memory once, outputs as well, "
        "or keep both on the device",
    ),
    (
        "Load from",
        SOURCES,
        "What the runtime is given to load: of compiled parts what their provider kept",
    ),
)
_TICKS = (  # title, accessible name, what it does
    (
        "In detail",
        "Load in detail",
        "Load once more, with the runtime's log, to tell the phases of loading apart, and "
        "again afterwards, to count what kernels prepack",
    ),
    (
        "Check",
        "Check the answer",
        "Hold the outputs against those of the CPU without optimisation afterwards",
    ),
    (
        "Roofline",
        "Measure against the roofline",
        "Hold layers against what the device can do at most, measured once here",
    ),
    (
        "One by one",
        "Time layers one by one",
        "Synchronized mode: each layer on a GPU that works on its own runs by itself until it "
        "is done. Slow, and each time holds a round trip to the device",
    ),
)


class MeasureFields(QWidget):
    """Follows the spec, the model's free axes and inputs; grey while a measurement runs."""

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__()
        self._theme, self._document = theme, document
        self._devices: tuple[Device, ...] = (_CPU,)
        self.device = ChoiceField("Device", (), ())
        titles = tuple(level.capitalize() for level in OPTIMIZATIONS)
        self.optimization = ChoiceField("Optimisation", OPTIMIZATIONS, titles)
        self.threads = NumberField("Threads", 4 * (os.cpu_count() or 1), "auto")
        self.runs = NumberField("Predictions", _MOST_RUNS)
        self.starts = NumberField("Starts of the process", _MOST_STARTS)
        self.starts.setToolTip(tip("Do all that in so many processes, for they differ"))
        self.seconds, self.steady, self.until, self.binding, self.source = (
            _choice(*words) for words in _CHOICES
        )
        self.warmup = NumberField("Warm-up predictions", _MOST_RUNS, "none")
        self.predict = PredictField(document)
        self.session = SessionField(document)
        self.options = OptionsField(document)
        self.kept = KeptField(document)
        self.phases, self.check, self.roofline, self.synchronize = (
            _tick(*words) for words in _TICKS
        )
        self.dimensions: dict[str, NumberField] = {}
        self.inputs = Elided("", "caption", Qt.TextElideMode.ElideRight)
        self._lay_out()
        self._wire()
        self._take_model()
        self._show()

    def set_devices(self, devices: tuple[Device, ...]) -> None:
        """Offer these devices; those that cannot be used are there, with the reason."""
        self._devices = devices or (_CPU,)
        self._show()

    def _lay_out(self) -> None:
        self.runs.setMinimum(1)
        self.starts.setMinimum(1)
        self._usual, self._rare = Flow(12, 10), Flow(12, 10)
        self._rest = QWidget()
        self._rest.setLayout(self._rare)
        self.more = button(self._theme, "More settings")
        self.more.setProperty("role", "link")
        self.more.setCheckable(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 2, 16, 14)
        column.setSpacing(10)
        column.addLayout(self._usual)
        column.addWidget(self._rest)
        column.addLayout(row(self.inputs, self.more, stretch=0))
        self._add("Device", self.device, _BROAD)
        self._add("Optimisation", self.optimization)
        self._add("Threads", self.threads)
        self._add("Predictions", self.runs)
        self._add("Warm-up", self.warmup)
        self._rest.hide()
        self._add_rare()

    def _add_rare(self) -> None:
        """Give room to what few need, hidden until it is asked for."""
        rare = self._rare
        self._add("Starts", self.starts, flow=rare)
        self._add("At least", self.seconds, flow=rare)
        self._add("For full pace", self.steady, flow=rare)
        self._add("Until sure to", self.until, flow=rare)
        self._add("Session", self.session, flow=rare)
        self._add("Binding", self.binding, flow=rare)
        self._add("Load from", self.source, flow=rare)
        self._add("Load", self.phases, flow=rare)
        self._add("Check support for", self.predict, _BROAD, rare)
        self._add("Provider's options", self.options, _BROAD, rare)
        self._add("Kept on the CPU", self.kept, _BROAD, rare)
        self._add("Answer", self.check, flow=rare)
        self._add("Limits", self.roofline, flow=rare)
        self._add("Layer times", self.synchronize, flow=rare)

    def _add(
        self, name: str, field: QWidget, width: int = _NARROW, flow: Flow | None = None
    ) -> None:
        box = QWidget()
        box.setFixedWidth(width)
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(Elided(name, "caption"))
        column.addWidget(field)
        (flow or self._usual).addWidget(box)

    def _wire(self) -> None:
        document = self._document
        set_spec = document.set_spec
        self.device.activated.connect(lambda: set_spec(devices=(self.device.value,)))
        self.optimization.activated.connect(
            lambda: set_spec(optimization=self.optimization.value)
        )
        self.threads.valueChanged.connect(lambda number: set_spec(threads=number))
        self.runs.valueChanged.connect(lambda number: set_spec(runs=number))
        self.starts.valueChanged.connect(lambda number: set_spec(starts=number))
        self.seconds.activated.connect(lambda: set_spec(seconds=float(self.seconds.value)))
        self.steady.activated.connect(lambda: set_spec(steady=float(self.steady.value)))
        self.warmup.valueChanged.connect(lambda number: set_spec(warmup=number))
        self.binding.activated.connect(lambda: set_spec(binding=self.binding.value))
        self.source.activated.connect(lambda: set_spec(load_from=self.source.value))
        self.phases.clicked.connect(lambda on: set_spec(phases=on))
        self.check.clicked.connect(lambda on: set_spec(check=on))
        self.roofline.clicked.connect(lambda on: set_spec(roofline=on))
        self.synchronize.clicked.connect(lambda on: set_spec(synchronize=on))
        self.until.activated.connect(lambda: set_spec(until=float(self.until.value)))
        self.more.toggled.connect(self._rest.setVisible)
        self.more.toggled.connect(
            lambda on: self.more.setText("Fewer settings" if on else "More settings")
        )
        document.spec_changed.connect(self._show)
        document.model_changed.connect(self._take_model)
        document.feeds_changed.connect(self._tell_inputs)
        document.work_changed.connect(self._grey)

    def _take_model(self) -> None:
        """Make a field for each free axis of the model."""
        model = self._document.model
        for name in free_axes(model)[:SHOWN] if model is not None else ():
            if name not in self.dimensions:
                shown = units.clip(name, 60)
                self.dimensions[name] = NumberField(f"Length of {shown}", LONGEST, "auto")
                self._add(shown, self.dimensions[name])
                self.dimensions[name].valueChanged.connect(self._set_dimensions)
        self._show()
        self._tell_inputs()

    def _set_dimensions(self) -> None:
        chosen = ((name, field.value()) for name, field in self.dimensions.items())
        sizes = tuple(Dimension(name, size) for name, size in chosen if size)
        self._document.set_spec(dimensions=sizes)

    def _show(self) -> None:
        """Bring the fields to what the spec says, without telling it so."""
        spec = self._document.spec
        sizes = {dimension.name: dimension.size for dimension in spec.dimensions}
        numbers = {
            self.threads: spec.threads,
            self.runs: spec.runs,
            self.starts: spec.starts,
            self.warmup: spec.warmup,
        } | {field: sizes.get(name, 0) for name, field in self.dimensions.items()}
        for field, number in numbers.items():
            field.blockSignals(True)
            field.setValue(number)
            field.blockSignals(False)
        self.optimization.show_value(spec.optimization)
        self.binding.show_value(spec.binding)
        self.source.show_value(spec.load_from)
        self.phases.setChecked(spec.phases)
        self.check.setChecked(spec.check)
        self.roofline.setChecked(spec.roofline)
        self.synchronize.setChecked(spec.synchronize)
        _show_number(self.until, spec.until, f"±{100 * spec.until:g} %")
        _show_number(self.seconds, spec.seconds, f"{spec.seconds:g} s")
        _show_number(self.steady, spec.steady, f"{spec.steady:g} s more")
        self._fill_devices(spec.devices[0] if spec.devices else _CPU.id)
        self._grey()

    def _fill_devices(self, chosen: str) -> None:
        field = self.device
        field.clear()
        if chosen not in {device.id for device in self._devices}:
            field.addItem(units.clip(units.device(chosen), 40), chosen)
        for device in self._devices:
            field.addItem(units.clip(units.device(device.id), 40), device.id)
            place = field.count() - 1
            words = tip(device.name, device.problem, device.hint)
            field.setItemData(place, words, Qt.ItemDataRole.ToolTipRole)
            items = field.model()
            if device.problem and isinstance(items, QStandardItemModel):
                items.item(place).setEnabled(False)
        field.show_value(chosen)

    def _tell_inputs(self) -> None:
        model, sources = self._document.model, self._document.sources
        if model is None or not sources:
            self.inputs.set_text("Inputs are filled automatically; choose your own in Preview.")
            return
        shown = [
            f"{units.clip(v.name, 40)}: {units.clip(sources[v.name].value, 40)}"
            for v in model.inputs
            if v.name in sources
        ]
        more = f" and {len(shown) - _MOST_SHOWN} more" if len(shown) > _MOST_SHOWN else ""
        self.inputs.set_text(f"Inputs from Preview: {', '.join(shown[:_MOST_SHOWN])}{more}")

    def _grey(self) -> None:
        self.setEnabled(self._document.work is not Work.MEASURING)


def _choice(name: str, titles: Mapping[str, str], explained: str) -> ChoiceField:
    field = ChoiceField(name, (*titles,), (*titles.values(),))
    field.setToolTip(tip(explained))
    return field


def _show_number(field: ChoiceField, number: float, title: str) -> None:
    """Choose a number, which is added where it is none of those that are offered."""
    if field.findData(f"{number:g}") < 0:
        field.addItem(title, f"{number:g}")
    field.show_value(f"{number:g}")


def _tick(title: str, name: str, explained: str) -> QCheckBox:
    box = QCheckBox(title)
    box.setFixedHeight(30)  # as high as the other fields, so that it stands in line
    box.setAccessibleName(name)
    box.setToolTip(tip(explained))
    return box
