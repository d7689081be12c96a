"""The settings of the next measurement: a summary in one line that opens into fields."""

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QMouseEvent, QStandardItemModel
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from inspector.analysis.measured.tuning_results import OWN, settings_text
from inspector.backends.base import BackendInfo, Capability
from inspector.backends.onnxruntime.placement import absent_devices
from inspector.model.axes import free_axes
from inspector.report.report import Device, optimization_text
from inspector.report.run_spec import Dimension, RunSpec
from inspector.report.settings import Setting, SettingKind
from inspector.ui import units
from inspector.ui.documents.document import MEASUREMENTS, Document, Topic
from inspector.ui.tabs.performance.backend_fields import BackendFields
from inspector.ui.tabs.preview.inputs.axis_lengths import LONGEST, SHOWN
from inspector.ui.translate import mark, plural, tr
from inspector.ui.widgets.fields import ChoiceField, NumberField
from inspector.ui.widgets.layouts import Flow
from inspector.ui.widgets.parts import Card, Elided, button, label, row, tip, tool
from inspector.ui.widgets.theme import Theme

_MAX_NAMED_DEVICES = 2
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
TARGET_PRECISIONS = {"0": mark("Off"), "0.02": "±2%", "0.01": "±1%", "0.005": "±0.5%"}
_CPU = Device("cpu", mark("CPU"), "cpu", "CPUExecutionProvider")
_MAX_RUNS, _MAX_INPUTS_SHOWN, _MAX_PROCESSES, _MAX_SESSIONS = 100_000, 4, 50, 64
_NARROW_PX, _BROAD_PX = 118, 248  # two narrow ones and their gap are a broad one
_CHOICE_TEXTS = (  # name, what there is, what it does
    (mark("Minimum duration"), MINIMUM_DURATIONS, mark("Keep running for at least this long")),
    (
        mark("Wait for full CPU speed"),
        FULL_SPEED_WAITS,
        mark(
            "If the CPU was throttled or busy, keep running for up to this long until enough "
            "runs were at full CPU speed; processes that never reached it are repeated"
        ),
    ),
    (
        mark("Target width of interval"),
        TARGET_PRECISIONS,
        mark("Keep running until the 95% confidence interval of the median is this narrow"),
    ),
)
_CHECKBOX_TEXTS = (  # title, accessible name, what it does
    (
        mark("Profile model loading"),
        mark("Profile model loading"),
        mark(
            "Load the model again with runtime logging enabled to time each load phase, and "
            "once more to count prepacked weights"
        ),
    ),
    (
        mark("Verify outputs"),
        mark("Verify outputs"),
        mark("Compare the outputs with those of an unoptimized run on the CPU"),
    ),
    (
        mark("Roofline analysis"),
        mark("Roofline analysis"),
        mark(
            "Compare each layer with the device's peak compute and memory rates, measured once "
            "on this machine"
        ),
    ),
    (
        mark("Synchronize layers"),
        mark("Synchronize layers"),
        mark(
            "On GPUs that run asynchronously, wait for each layer to finish before starting "
            "the next. Slow, and each time includes a round trip to the device"
        ),
    ),
    (
        mark("Asynchronous calls"),
        mark("Asynchronous calls"),
        mark(
            "Also measure run_async and compare it with run: the time until it returns, until "
            "its callback begins, and until the caller has the outputs"
        ),
    ),
)
_LINE = 40
_BINDING_TEXTS = {
    "inputs": mark("I/O binding: inputs"),
    "device": mark("I/O binding: on device"),
}


class SupportEstimateField(QPushButton):
    """A button with a menu of devices to tick; what is ticked goes into the spec at once."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.setProperty("role", "choice")
        self.actions_by_id: dict[str, QAction] = {}
        menu = QMenu(self)
        for device in map(absent_devices.device, absent_devices.known()):
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
        self.setAccessibleName(tr("Check device support"))
        self.setToolTip(
            tip(
                tr(
                    "Adds a column for each selected device, with an estimate of whether it "
                    "supports each layer, from the support tables of the execution providers"
                )
            )
        )
        document.changed(Topic.SPEC).connect(self.show_spec)
        self.show_spec()

    def show_spec(self) -> None:
        """Show the values of the spec in the fields, without emitting changes."""
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


class MeasureFields(QWidget):
    """Follows the spec, the model's free axes and inputs; grey while a measurement runs."""

    def __init__(
        self,
        theme: Theme,
        document: Document,
        backend: BackendInfo | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._document = theme, document
        self._devices: tuple[Device, ...] = (_CPU,)
        self.device = ChoiceField(tr("Device"), (), ())
        self.runtime = backend or document.runtime
        self._abilities = self.runtime.capabilities
        self.backend = BackendFields(document, self.runtime, theme)
        self.runs = NumberField(tr("Runs"), _MAX_RUNS)
        self.starts = NumberField(tr("Processes"), _MAX_PROCESSES)
        self.starts.setToolTip(
            tip(
                tr(
                    "Repeat the measurement in this many new processes, because results differ "
                    "between processes"
                )
            )
        )
        self.sessions = NumberField(
            tr("Sessions in one process"), _MAX_SESSIONS, tr("not measured")
        )
        self.sessions.setToolTip(
            tip(
                tr(
                    "Also load the model this many times in one process, and run all sessions "
                    "at once. Measures memory, load time and latency: with nothing shared, "
                    "with a shared memory arena, and with shared threads"
                )
            )
        )
        self.seconds, self.steady, self.until = (_choice_field(*text) for text in _CHOICE_TEXTS)
        self.warmup = NumberField(tr("Warm-up runs"), _MAX_RUNS, "none")
        self.predict = SupportEstimateField(document)
        self.phases, self.check, self.roofline, self.synchronize, self.run_async = (
            _checkbox(*text) for text in _CHECKBOX_TEXTS
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
        self._rest = QWidget(self)
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
        for setting, field in self.backend.common():
            self._add(tr(setting.title), field, self._width(setting))
        self._add(tr("Runs"), self.runs)
        self._add(tr("Warm-up runs"), self.warmup)
        self._rest.hide()
        self._add_rare()

    def _add_rare(self) -> None:
        """Give room to what few need, hidden until it is asked for."""
        rare = self._rare
        self._add(tr("Processes"), self.starts, flow=rare)
        self._add(tr("Minimum duration"), self.seconds, flow=rare)
        self._add(tr("Wait until the CPU is at full speed"), self.steady, flow=rare)
        self._add(tr("Target width of interval"), self.until, flow=rare)
        self._add(tr("Session options"), self.backend.switches, flow=rare)
        for setting, field in self.backend.rare():
            self._add(tr(setting.title), field, self._width(setting), rare)
        abilities = self._abilities
        if Capability.SUPPORT in abilities:
            self._add(tr("Check support for"), self.predict, _BROAD_PX, rare)
        if Capability.SESSIONS in abilities:
            self._add(tr("Sessions"), self.sessions, flow=rare)
        boxes = (self.phases, self.check, self.roofline, self.synchronize)
        for box in boxes if Capability.CEILINGS in abilities else ():
            rare.addWidget(box)
        if Capability.SESSIONS in abilities:
            rare.addWidget(self.run_async)

    def _width(self, setting: Setting) -> int:
        is_line = setting.kind in (SettingKind.OPTIONS, SettingKind.NAMES, SettingKind.PATHS)
        return _BROAD_PX if is_line else _NARROW_PX

    def _add(
        self, name: str, field: QWidget, width: int = _NARROW_PX, flow: Flow | None = None
    ) -> None:
        box = QWidget()
        box.setFixedWidth(width)
        (flow or self._usual).addWidget(box)
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(Elided(name, "caption"))
        column.addWidget(field)

    def _wire(self) -> None:
        document = self._document
        set_spec = document.set_spec
        self.device.activated.connect(lambda: set_spec(devices=(self.device.value,)))
        self.runs.valueChanged.connect(lambda number: set_spec(runs=number))
        self.starts.valueChanged.connect(lambda number: set_spec(starts=number))
        self.seconds.activated.connect(lambda: set_spec(seconds=float(self.seconds.value)))
        self.steady.activated.connect(lambda: set_spec(steady=float(self.steady.value)))
        self.warmup.valueChanged.connect(lambda number: set_spec(warmup=number))
        self.phases.clicked.connect(lambda on: set_spec(phases=on))
        self.check.clicked.connect(lambda on: set_spec(check=on))
        self.roofline.clicked.connect(lambda on: set_spec(roofline=on))
        self.synchronize.clicked.connect(lambda on: set_spec(synchronize=on))
        self.run_async.clicked.connect(lambda on: set_spec(run_async=on))
        self.sessions.valueChanged.connect(lambda number: set_spec(sessions=number))
        self.until.activated.connect(lambda: set_spec(until=float(self.until.value)))
        self.more.toggled.connect(self._rest.setVisible)
        self.more.toggled.connect(
            lambda on: self.more.setText(tr("Fewer settings") if on else tr("More settings"))
        )
        document.changed(Topic.SPEC).connect(self._show)
        document.changed(Topic.MODEL).connect(self._show_dimensions)
        document.changed(Topic.FEEDS).connect(self._show_inputs)
        document.changed(Topic.WORK).connect(self._update_enabled)

    def disconnect_document(self) -> None:
        """Follow the document no longer: other fields take the place of these."""
        self.backend.disconnect_document()
        self._document.leave(self)

    def _show_dimensions(self) -> None:
        """Make a field for each free axis of the model."""
        model = self._document.model
        for name in free_axes(model.inputs)[:SHOWN] if model is not None else ():
            if name not in self.dimensions:
                shown = units.clip(name, 60)
                self.dimensions[name] = NumberField(
                    tr("Size of {shown}").format(shown=shown), LONGEST, tr("default")
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
        """Show the values of the spec in the fields, without emitting changes."""
        spec = self._document.spec
        sizes = {dimension.name: dimension.size for dimension in spec.dimensions}
        numbers = {
            self.runs: spec.runs,
            self.starts: spec.starts,
            self.warmup: spec.warmup,
            self.sessions: spec.sessions,
        } | {field: sizes.get(name, 0) for name, field in self.dimensions.items()}
        for field, number in numbers.items():
            field.blockSignals(True)
            field.setValue(number)
            field.blockSignals(False)
        self.phases.setChecked(spec.phases)
        self.check.setChecked(spec.check)
        self.roofline.setChecked(spec.roofline)
        self.synchronize.setChecked(spec.synchronize)
        self.run_async.setChecked(spec.run_async)
        _show_number(self.until, spec.until, f"±{100 * spec.until:g}%")
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
                tr("Inputs are filled automatically; choose other inputs in Preview.")
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
        self.setEnabled(self._document.work not in MEASUREMENTS)


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


class MeasureSettings(Card):
    """Tells the settings in words; without a model those of the report, and no fields.

    With a report it shows only while its fields are open, or where the settings have changed
    since: the arrow of Measure opens it.
    """

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__(theme, padding=0)
        self._document = document
        self._is_changed = False
        self.title = label(tr("Settings"), "heading")
        self.summary = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        self.changed = label(tr("changed since this report"), "caution")
        self.opener = tool(theme, "settings", tr("Change how the model is measured"))
        self.opener.setCheckable(True)
        self._theme, self._devices = theme, tuple[Device, ...]()
        head = QHBoxLayout()
        head.setContentsMargins(16, 0, 10, 0)
        head.addStrut(_LINE)
        head.setSpacing(12)
        for widget in (self.title, self.summary, self.changed, self.opener):
            head.addWidget(widget, int(widget is self.summary))
        self.body.setSpacing(0)
        self.body.addLayout(head)
        self.fields = MeasureFields(
            theme, document, parent=self
        )  # after the opener, for the keys
        self.fields.hide()
        self.body.addWidget(self.fields)
        self.opener.toggled.connect(self._show_fields)  # a lambda would keep the document
        self.opener.toggled.connect(self.show_or_hide)
        document.changed(Topic.SPEC).connect(self._follow_runtime)
        document.watch(self._update_summary, Topic.SPEC, Topic.MODEL, Topic.REPORT)
        self._update_summary()

    def set_devices(self, devices: tuple[Device, ...]) -> None:
        """Offer these devices."""
        self._devices = devices
        self.fields.set_devices(devices)

    def _show_fields(self, shown: bool) -> None:
        self.fields.setVisible(shown)

    def _follow_runtime(self) -> None:
        """Make the fields anew where the chosen device is of another runtime."""
        old = self.fields
        if old.runtime.id == self._document.runtime.id:
            return
        old.disconnect_document()
        self.fields = MeasureFields(self._theme, self._document)
        self.fields.set_devices(self._devices)
        self.fields.more.setChecked(old.more.isChecked())
        self.body.replaceWidget(old, self.fields)
        self.fields.setVisible(self.opener.isChecked())
        old.hide()
        old.deleteLater()

    def open(self, opened: bool) -> None:
        """Show the fields, or only the line."""
        self.opener.setChecked(opened)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The whole line opens the fields."""
        if event.position().y() < _LINE and self.opener.isVisibleTo(self):
            self.opener.toggle()

    def _update_summary(self) -> None:
        document = self._document
        report_only = document.model is None and document.report is not None
        spec = document.report.spec if report_only and document.report else document.spec
        self.title.setText(tr("Measured with") if report_only else tr("Settings"))
        self.summary.set_text(spec_summary(spec, self._document.runtime.name))
        self.opener.setVisible(not report_only)
        report = document.report
        same = report is None or _comparable(report.spec) == _comparable(spec)
        self._is_changed = not same
        self.changed.setVisible(not same)
        if self.parentWidget() is not None:  # else it would flash up as a window
            self.show_or_hide()

    def show_or_hide(self) -> None:
        """Show where there is something to set, or that settings differ from the report's."""
        document = self._document
        measurable = document.model is not None
        needed = document.report is None or not measurable or self._is_changed
        self.setVisible(
            (needed or self.opener.isChecked()) and (measurable or document.report is not None)
        )


def spec_summary(spec: RunSpec, runtime: str = "") -> str:
    """A spec in one line. runtime: its name."""
    devices = " + ".join(units.clip(units.device(device), 40) for device in spec.devices)
    threads = plural(spec.threads, "thread") if spec.threads else tr("default threads")
    parts = [devices, tr(optimization_text(spec, runtime)), threads]
    parts.append(plural(spec.runs, "run"))
    if spec.starts > 1:
        parts.append(tr("{starts} processes").format(starts=spec.starts))
    if spec.seconds > 0:
        parts.append(tr("at least {seconds:g} s").format(seconds=spec.seconds))
    if spec.steady > 0:
        parts.append(
            tr("wait up to {steady:g} s for full CPU speed").format(steady=spec.steady)
        )
    if spec.until:
        parts.append(tr("until median within ±{value:g}%").format(value=100 * spec.until))
    parts.append(plural(spec.warmup, "warm-up run"))
    if spec.binding != "plain":
        parts.append(tr(_BINDING_TEXTS.get(spec.binding, mark("I/O binding: inputs, outputs"))))
    rest = replace(spec, threads=0, optimization="all", binding="plain")
    more = settings_text(replace(rest, inference_precision="f32"))
    if more != OWN:
        parts.append(more)
    if spec.around_failures:
        parts.append(tr("move failing layers to the CPU"))
    if spec.load_from != "path":
        parts.append(
            tr("loaded from {load_from}").format(load_from=units.clip(spec.load_from, 20))
        )
    if spec.loads > 1:
        parts.append(plural(spec.loads, "load"))
    if spec.phases:
        parts.append(tr("model loading profiled"))
    if spec.check:
        parts.append(tr("outputs verified"))
    if spec.roofline:
        parts.append(tr("roofline"))
    if spec.synchronize:
        parts.append(tr("layers synchronized"))
    if spec.sessions:
        parts.append(plural(spec.sessions, "session"))
    if spec.run_async:
        parts.append(tr("asynchronous calls"))
    if spec.predict:
        parts.append(
            tr("support checked for: {map}").format(
                map=", ".join(map(units.device, spec.predict))
            )
        )
    parts += [f"{units.clip(d.name, 30)} = {units.number(d.size)}" for d in spec.dimensions]
    parts += [f"{units.clip(i.name, 30)}: {units.clip(i.value, 30)}" for i in spec.inputs]
    return " · ".join(parts)


def _comparable(spec: RunSpec) -> RunSpec:
    """Return what the fields choose, and what changes what is timed.

    The engine may profile fewer runs than it was asked for. A comparison with the peak leaves
    the timed runs as they are.
    """
    on_cpu = () if spec.around_failures else spec.on_cpu  # which then gets what failed
    return replace(spec, inputs=(), profiled_runs=0, on_cpu=on_cpu, roofline=False)
