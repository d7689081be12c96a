"""The fields of the next measurement; each change goes into `document.spec` at once."""

import os
from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QStandardItemModel
from PySide6.QtWidgets import (
    QCheckBox,
    QCompleter,
    QLineEdit,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from inspector import units
from inspector.backends.onnxruntime.placement import absent_devices
from inspector.report.report import Device
from inspector.report.run_spec import Dimension, ProviderOption, RunSpec
from inspector.ui.documents.document import Document, Work
from inspector.ui.tabs.preview.inputs.axis_lengths import LONGEST, SHOWN, free_axes
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.fields import ChoiceField, NumberField
from inspector.ui.widgets.layouts import Flow
from inspector.ui.widgets.parts import Elided, button, row, tip
from inspector.ui.widgets.theme import Theme
from inspector.units import clip

# Layers to keep on the CPU, as a line of text that knows the model's layers.


_LAYERS_PLACEHOLDER = mark("layer; …")
_LAYERS_HINT = mark(
    "Layers that always run on the CPU, by name, number or pattern like '/head/*', separated "
    "by semicolons: to raise accuracy or to isolate a failure"
)
_LAYERS_DISABLED_HINT = mark(
    "The CPU runs all layers; choose another device to force some to the CPU"
)
_MAX_COMPLETIONS = 5_000


class ForcedToCpuField(QLineEdit):
    """Says its layers when it is finished; the engine says which of them is none."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.setPlaceholderText(tr(_LAYERS_PLACEHOLDER))
        self.setAccessibleName(tr("Layers forced to CPU"))
        self.editingFinished.connect(self._choose)
        document.spec_changed.connect(self.show_spec)
        document.model_changed.connect(self._offer)
        self.show_spec()
        self._offer()

    def show_spec(self) -> None:
        """Bring the line to what the spec says, without telling it so."""
        spec = self._document.spec
        enabled = not set(spec.devices) <= {"cpu"}
        self.setEnabled(enabled)
        self.setToolTip(tip(tr(_LAYERS_HINT) if enabled else tr(_LAYERS_DISABLED_HINT)))
        if parse_layers(self.text()) != spec.on_cpu:
            self.setText(layers_text(spec))

    def _offer(self) -> None:
        """Offer names of layers while a first one is written."""
        model = self._document.model
        names = [layer.label for layer in model.layers[:_MAX_COMPLETIONS]] if model else []
        completer = QCompleter([clip(name, 200) for name in names], self)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setCompleter(completer)

    def _choose(self) -> None:
        layers = parse_layers(self.text())
        if layers != self._document.spec.on_cpu:
            self._document.set_spec(on_cpu=layers)


def parse_layers(text: str) -> tuple[str, ...]:
    """Read "conv1; 7; /head/*"."""
    return tuple(dict.fromkeys(filter(None, (piece.strip() for piece in text.split(";")))))


def layers_text(spec: RunSpec) -> str:
    """The layers of a spec as a line."""
    return "; ".join(spec.on_cpu)


# Options for the provider of the chosen device, as a line of text.


_OPTIONS_PLACEHOLDER = mark("key=value; …")
_OPTIONS_HINT = mark("Options of the device's execution provider, separated by semicolons")
_OPTIONS_DISABLED_HINT = mark("The CPU provider has no options; choose another device")


class OptionsField(QLineEdit):
    """Says its options when it is finished, and what is wrong with them in its tooltip."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.setPlaceholderText(tr(_OPTIONS_PLACEHOLDER))
        self.setAccessibleName(tr("Execution provider options"))
        self.editingFinished.connect(self._choose)
        document.spec_changed.connect(self.show_spec)
        self.show_spec()

    def show_spec(self) -> None:
        """Bring the line to what the spec says, without telling it so."""
        spec = self._document.spec
        enabled = not set(spec.devices) <= {"cpu"}
        self.setEnabled(enabled)
        self.setToolTip(tip(tr(_OPTIONS_HINT) if enabled else tr(_OPTIONS_DISABLED_HINT)))
        try:
            same = parse_options(self.text()) == spec.provider_options
        except ValueError:
            same = False
        if not same:
            self.setText(options_text(spec))
        self.setAccessibleDescription("")

    def _choose(self) -> None:
        try:
            options = parse_options(self.text())
        except ValueError as error:
            self.setToolTip(tip(str(error)))
            self.setAccessibleDescription(str(error))
            return
        if options != self._document.spec.provider_options:
            self._document.set_spec(provider_options=options)


def parse_options(text: str) -> tuple[ProviderOption, ...]:
    """Read "key=value; key=value", the last of a key counts. Raises ValueError: no pair."""
    options = {}
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        key, sign, value = part.partition("=")
        if not key.strip() or not sign:
            raise ValueError(f"'{clip(part, 60)}' is not of the form key=value")
        options[key.strip()] = value.strip()
    return tuple(ProviderOption(key, value) for key, value in options.items())


def options_text(spec: RunSpec) -> str:
    """The options of a spec as a line."""
    return "; ".join(f"{each.key}={each.value}" for each in spec.provider_options)


# The choice of devices that need not be here and are predicted from tables.


_MAX_NAMED_DEVICES = 2


class SupportEstimateField(QPushButton):
    """A button with a menu of devices to tick; what is ticked goes into the spec at once."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.setProperty("role", "choice")
        self.actions_by_id: dict[str, QAction] = {}
        menu = QMenu(self)
        for device in map(absent_devices.device, absent_devices.KNOWN):
            action = menu.addAction(device.name)
            action.setCheckable(True)
            assumed = tr("Assumes {assumes}").format(
                assumes=absent_devices.table(device.id).assumes
            )
            action.setToolTip(
                tip(
                    tr("{provider} · estimated from a {source}. {assumed}").format(
                        provider=device.provider, source=device.source, assumed=assumed
                    )
                )
            )
            action.toggled.connect(self._choose)
            self.actions_by_id[device.id] = action
        menu.setToolTipsVisible(True)
        self.setMenu(menu)
        self.setAccessibleName(tr("Check support for other devices"))
        self.setToolTip(
            tip(
                tr(
                    "Adds a column for each device that this machine does not have: whether it "
                    "supports each layer, estimated from tables of the execution providers"
                )
            )
        )
        document.spec_changed.connect(self.show_spec)
        self.show_spec()

    def show_spec(self) -> None:
        """Bring ticks and words to what the spec says, without telling it so."""
        chosen = self._document.spec.predict
        for device, action in self.actions_by_id.items():
            action.blockSignals(True)
            action.setChecked(device in chosen)
            action.blockSignals(False)
        names = [units.device(device) for device in chosen]
        summary = (
            ", ".join(names)
            if len(names) <= _MAX_NAMED_DEVICES
            else tr("{count} devices").format(count=len(names))
        )
        # The style sets words that are aligned to the left on the very edge.
        self.setText(f"  {units.clip(summary, 40) or tr('None')}")

    def _choose(self) -> None:
        ticked = (device for device, action in self.actions_by_id.items() if action.isChecked())
        self._document.set_spec(predict=tuple(ticked))


# The rarer settings of a session: how threads wait, how operators run, how memory is kept.


_SWITCHES = {
    "spinning": (
        mark("Thread spinning"),
        mark("Idle threads busy-wait for work: lower latency, but a core stays busy"),
    ),
    "arena": (
        mark("Memory arena"),
        mark("Allocate from the runtime's memory arena instead of the system"),
    ),
    "memory_pattern": (
        mark("Memory pattern"),
        mark("Preallocate memory by the shapes of earlier runs"),
    ),
    "around_failures": (
        mark("Retry around failures"),
        mark(
            "Force each layer that fails on the device to the CPU, mark it, and measure again"
        ),
    ),
}
_PARALLEL = (mark("Parallel operators"), mark("Run independent operators at the same time"))


class SessionOptionsField(QPushButton):
    """A button with a menu of settings to tick; what is ticked goes into the spec at once."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.setProperty("role", "choice")
        self.switches: dict[str, QAction] = {}
        menu = QMenu(self)
        for name, (text, hint) in (*_SWITCHES.items(), ("parallel", _PARALLEL)):
            action = menu.addAction(tr(text))
            action.setCheckable(True)
            action.setToolTip(tip(tr(hint)))
            action.toggled.connect(self._choose)
            self.switches[name] = action
        menu.setToolTipsVisible(True)
        self.setMenu(menu)
        self.setAccessibleName(tr("Session options"))
        self.setToolTip(
            tip(
                tr("Thread spinning, memory arena, memory pattern, parallel operators, retries")
            )
        )
        document.spec_changed.connect(self.show_spec)
        self.show_spec()

    def show_spec(self) -> None:
        """Bring ticks and words to what the spec says, without telling it so."""
        spec, defaults = self._document.spec, RunSpec()
        changed = spec.execution_mode != defaults.execution_mode
        for name, action in self.switches.items():
            on = (
                spec.execution_mode == "parallel" if name == "parallel" else getattr(spec, name)
            )
            changed |= name != "parallel" and on != getattr(defaults, name)
            action.blockSignals(True)
            action.setChecked(on)
            action.blockSignals(False)
        # The style sets words that are aligned to the left on the very edge.
        self.setText(tr("  Changed") if changed else tr("  Default"))

    def _choose(self) -> None:
        ticked = {name: action.isChecked() for name, action in self.switches.items()}
        mode = "parallel" if ticked.pop("parallel") else "sequential"
        self._document.set_spec(execution_mode=mode, **ticked)


BINDINGS = {
    "plain": mark("None"),
    "inputs": mark("Inputs"),
    "outputs": mark("Inputs, outputs"),
    "device": mark("On device"),
}
LOAD_SOURCES = {
    "path": mark("File"),
    "bytes": mark("Bytes"),
    "reader": mark("Re-serialized"),
    "compiled": mark("Compiled"),
}
MINIMUM_DURATIONS = {
    "0": mark("None"),
    "0.5": "0.5 s",
    "1": "1 s",
    "3": "3 s",
    "10": "10 s",
    "60": "60 s",
}
FULL_SPEED_WAITS = {
    "0": mark("Off"),
    "3": mark("Up to 3 s"),
    "10": mark("Up to 10 s"),
    "60": mark("Up to 60 s"),
}
TARGET_PRECISIONS = {"0": mark("Off"), "0.02": "±2 %", "0.01": "±1 %", "0.005": "±0.5 %"}
OPTIMIZATIONS = ("all", "extended", "basic", "none")
_CPU = Device("cpu", mark("CPU"), "cpu", "CPUExecutionProvider")
_MAX_RUNS, _MAX_INPUTS_SHOWN, _MAX_PROCESSES = 100_000, 4, 50
_NARROW_PX, _BROAD_PX = 118, 248  # two narrow ones and their gap are a broad one
_CHOICE_TEXTS = (  # name, what there is, what it does
    (mark("Minimum duration"), MINIMUM_DURATIONS, mark("Keep running for at least this long")),
    (
        mark("Wait for full CPU speed"),
        FULL_SPEED_WAITS,
        mark(
            "If the CPU was throttled or busy, keep running for up to this long until enough "
            "predictions ran at full CPU speed; processes that never reached it are repeated"
        ),
    ),
    (
        mark("Target precision"),
        TARGET_PRECISIONS,
        mark("Keep running until the 95 % confidence interval of the median is this narrow"),
    ),
    (
        mark("I/O binding"),
        BINDINGS,
        mark(
            "Pass inputs with each call (None), bind inputs to memory once, "
            "bind outputs as well, "
            "or keep both in device memory"
        ),
    ),
    (
        mark("Load from"),
        LOAD_SOURCES,
        mark(
            "How the model is passed to the runtime: as a file, as its bytes, re-serialized "
            "by Inspector, or as compiled earlier by the device"
        ),
    ),
)
_CHECKBOX_TEXTS = (  # title, accessible name, what it does
    (
        mark("Load breakdown"),
        mark("Load breakdown"),
        mark(
            "Load the model again with the runtime's log to time each phase "
            "of loading, and once "
            "more to count the weights that kernels prepack"
        ),
    ),
    (
        mark("Verify outputs"),
        mark("Verify outputs"),
        mark("Compare the outputs with those of the CPU without graph optimization"),
    ),
    (
        mark("Roofline analysis"),
        mark("Roofline analysis"),
        mark(
            "Compare each layer with the device's peak arithmetic and memory "
            "rates, measured once "
            "on this machine"
        ),
    ),
    (
        mark("Synchronize layers"),
        mark("Synchronize layers"),
        mark(
            "Run each layer on an asynchronous GPU to completion before the "
            "next. Slow, and each "
            "time includes a round trip to the device"
        ),
    ),
)


class MeasureFields(QWidget):
    """Follows the spec, the model's free axes and inputs; grey while a measurement runs."""

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__()
        self._theme, self._document = theme, document
        self._devices: tuple[Device, ...] = (_CPU,)
        self.device = ChoiceField(tr("Device"), (), ())
        titles = tuple(level.capitalize() for level in OPTIMIZATIONS)
        self.optimization = ChoiceField(tr("Optimization"), OPTIMIZATIONS, titles)
        self.threads = NumberField(tr("Threads"), 4 * (os.cpu_count() or 1), tr("auto"))
        self.runs = NumberField(tr("Runs"), _MAX_RUNS)
        self.starts = NumberField(tr("Processes"), _MAX_PROCESSES)
        self.starts.setToolTip(
            tip(
                tr(
                    "Repeat the measurement in this many new processes, "
                    "because processes differ"
                )
            )
        )
        self.seconds, self.steady, self.until, self.binding, self.source = (
            _choice_field(*words) for words in _CHOICE_TEXTS
        )
        self.warmup = NumberField(tr("Warm-up runs"), _MAX_RUNS, "none")
        self.predict = SupportEstimateField(document)
        self.session = SessionOptionsField(document)
        self.options = OptionsField(document)
        self.forced_to_cpu = ForcedToCpuField(document)
        self.phases, self.check, self.roofline, self.synchronize = (
            _checkbox(*words) for words in _CHECKBOX_TEXTS
        )
        self.dimensions: dict[str, NumberField] = {}
        self.inputs = Elided("", "caption", Qt.TextElideMode.ElideRight)
        self._lay_out()
        self._wire()
        self._show_dimensions()
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
        self.more = button(self._theme, tr("More settings"))
        self.more.setProperty("role", "link")
        self.more.setCheckable(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 2, 16, 14)
        column.setSpacing(10)
        column.addLayout(self._usual)
        column.addWidget(self._rest)
        column.addLayout(row(self.inputs, self.more, stretch=0))
        self._add(tr("Device"), self.device, _BROAD_PX)
        self._add(tr("Optimization"), self.optimization)
        self._add(tr("Threads"), self.threads)
        self._add(tr("Runs"), self.runs)
        self._add(tr("Warm-up runs"), self.warmup)
        self._rest.hide()
        self._add_rare()

    def _add_rare(self) -> None:
        """Give room to what few need, hidden until it is asked for."""
        rare = self._rare
        self._add(tr("Processes"), self.starts, flow=rare)
        self._add(tr("Minimum duration"), self.seconds, flow=rare)
        self._add(tr("Wait for full speed"), self.steady, flow=rare)
        self._add(tr("Target precision"), self.until, flow=rare)
        self._add(tr("Session options"), self.session, flow=rare)
        self._add(tr("I/O binding"), self.binding, flow=rare)
        self._add(tr("Load from"), self.source, flow=rare)
        self._add(tr("Check support for"), self.predict, _BROAD_PX, rare)
        self._add(tr("Execution provider options"), self.options, _BROAD_PX, rare)
        self._add(tr("Forced to CPU"), self.forced_to_cpu, _BROAD_PX, rare)
        for box in (self.phases, self.check, self.roofline, self.synchronize):
            rare.addWidget(box)

    def _add(
        self, name: str, field: QWidget, width: int = _NARROW_PX, flow: Flow | None = None
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
            lambda on: self.more.setText(tr("Fewer settings") if on else tr("More settings"))
        )
        document.spec_changed.connect(self._show)
        document.model_changed.connect(self._show_dimensions)
        document.feeds_changed.connect(self._show_inputs)
        document.work_changed.connect(self._update_enabled)

    def _show_dimensions(self) -> None:
        """Make a field for each free axis of the model."""
        model = self._document.model
        for name in free_axes(model)[:SHOWN] if model is not None else ():
            if name not in self.dimensions:
                shown = units.clip(name, 60)
                self.dimensions[name] = NumberField(
                    tr("Size of {shown}").format(shown=shown), LONGEST, tr("auto")
                )
                self._add(shown, self.dimensions[name])
                self.dimensions[name].valueChanged.connect(self._set_dimensions)
        self._show()
        self._show_inputs()

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
        _show_number(
            self.steady, spec.steady, tr("Up to {steady:g} s").format(steady=spec.steady)
        )
        self._fill_devices(spec.devices[0] if spec.devices else _CPU.id)
        self._update_enabled()

    def _fill_devices(self, chosen: str) -> None:
        field = self.device
        field.clear()
        if chosen not in {device.id for device in self._devices}:
            field.addItem(units.clip(units.device(chosen), 40), chosen)
        for device in self._devices:
            field.addItem(units.clip(units.device(device.id), 40), device.id)
            place = field.count() - 1
            text = tip(device.name, device.problem, device.hint)
            field.setItemData(place, text, Qt.ItemDataRole.ToolTipRole)
            items = field.model()
            if device.problem and isinstance(items, QStandardItemModel):
                items.item(place).setEnabled(False)
        field.show_value(chosen)

    def _show_inputs(self) -> None:
        model, sources = self._document.model, self._document.sources
        if model is None or not sources:
            self.inputs.set_text(
                tr("Inputs are filled automatically; choose your own in Preview.")
            )
            return
        shown = [
            f"{units.clip(v.name, 40)}: {units.clip(sources[v.name].value, 40)}"
            for v in model.inputs
            if v.name in sources
        ]
        more = (
            tr(" and {count} more").format(count=len(shown) - _MAX_INPUTS_SHOWN)
            if len(shown) > _MAX_INPUTS_SHOWN
            else ""
        )
        self.inputs.set_text(
            tr("Inputs from Preview: {shown}{more}").format(
                shown=", ".join(shown[:_MAX_INPUTS_SHOWN]), more=more
            )
        )

    def _update_enabled(self) -> None:
        self.setEnabled(self._document.work is not Work.MEASURING)


def _choice_field(name: str, titles: Mapping[str, str], hint: str) -> ChoiceField:
    field = ChoiceField(tr(name), (*titles,), (*titles.values(),))
    field.setToolTip(tip(tr(hint)))
    return field


def _show_number(field: ChoiceField, number: float, title: str) -> None:
    """Choose a number, which is added where it is none of those that are offered."""
    if field.findData(f"{number:g}") < 0:
        field.addItem(title, f"{number:g}")
    field.show_value(f"{number:g}")


def _checkbox(title: str, name: str, hint: str) -> QCheckBox:
    box = QCheckBox(tr(title))
    box.setFixedHeight(30)  # as high as the other fields, so that it stands in line
    box.setAccessibleName(tr(name))
    box.setToolTip(tip(tr(hint)))
    return box
