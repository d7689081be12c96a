"""The settings of the next measurement: a summary in one line that opens into fields."""

from dataclasses import fields, replace
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QMouseEvent, QStandardItemModel
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QWidget

from inspector.analysis.measured.tuning_results import OWN, settings_text
from inspector.backends.base import BackendInfo
from inspector.model.axes import free_axes
from inspector.report.report import Device, optimization_text
from inspector.report.run_spec import SETTINGS, Dimension, RunSpec
from inspector.report.settings import Role, Setting, SettingKind
from inspector.ui import units
from inspector.ui.documents.document import MEASUREMENTS, Document, Topic
from inspector.ui.tabs.performance.setting_fields import SettingFields
from inspector.ui.tabs.preview.inputs.axis_lengths import LONGEST, SHOWN
from inspector.ui.translate import mark, plural, tr, written
from inspector.ui.widgets.fields import ChoiceField, NumberField
from inspector.ui.widgets.layouts import Flow
from inspector.ui.widgets.parts import (
    Card,
    Elided,
    add_to,
    button,
    column_of,
    label,
    row,
    set_role,
    tip,
    tool,
)
from inspector.ui.widgets.theme import Theme
from inspector.wording.values import Size

_CPU = Device("cpu", mark("CPU"), "cpu", "CPUExecutionProvider")
_MAX_INPUTS_SHOWN = 4  # in the line below the fields
_NARROW_PX = 118  # width of a field
_BROAD_PX = 248  # of one that takes text: two narrow ones and their gap
_CHOICE_PX = 168  # of the choice between tokens and one run
_TOKENS = "tokens"  # in the list of this choice
_RUN = "run"  # likewise
_MEASURED = mark("Measured")
_BY_TOKEN = mark("Token by token")
_BY_RUN = mark("One run of the graph")
_LINE = 40  # px, height of the summary
# Kinds of which a field shows several entries.
_BROAD = (SettingKind.OPTIONS, SettingKind.NAMES, SettingKind.PATHS, SettingKind.DEVICES)


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
        every = own_settings(self.runtime)
        own = [each for each in every if each.role is not Role.GENERATION]
        generation = [each for each in every if each.role is Role.GENERATION]
        placed = [each for each in own if each.for_devices]
        self.backend = SettingFields(document, (*self.runtime.settings, *placed), theme)
        self.own = SettingFields(document, [each for each in own if each not in placed])
        self.generation = SettingFields(document, generation)
        self.by = ChoiceField(tr(_MEASURED), (_TOKENS, _RUN), (_BY_TOKEN, _BY_RUN))
        self._by_token: list[QWidget] = []  # shown for one way of measuring a language model
        self._by_run: list[QWidget] = []
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
        self._usual, self._rare = Flow(12, 10), Flow(12, 10)
        self._rest = QWidget(self)
        self._rest.setLayout(self._rare)
        self.more = button(self._theme, tr("More settings"), role="link")
        self.more.setCheckable(True)
        column = column_of(on=self, spacing=10, margins=(16, 2, 16, 14))
        add_to(column, self._usual, self._rest, row(self.inputs, self.more, stretch=0))
        self._by = self._add(tr(_MEASURED), self.by, _CHOICE_PX)
        self._add(tr("Device"), self.device, _BROAD_PX)
        for setting, field in self.generation.rare():
            self._by_token.append(self._add(tr(setting.title), field))
        for setting, field in (*self.backend.common(), *self.own.common()):
            self._add(tr(setting.title), field, self._width(setting))
        self._rest.hide()
        self._add_rare()

    def _add_rare(self) -> None:
        """Give room to what few need, hidden until it is asked for."""
        rare = self._rare
        own = list(self.own.rare())
        lengths = [pair for pair in own if pair[0].role is Role.LENGTH]
        for setting, field in lengths:
            self._add(tr(setting.title), field, flow=rare)
        if self.backend.switches.switches:
            self._add(tr("Session options"), self.backend.switches, flow=rare)
        boxes = []
        for setting, field in (*self.backend.rare(), *own):
            if isinstance(field, QCheckBox):
                boxes.append(field)
            elif setting.role is not Role.LENGTH:
                self._add(tr(setting.title), field, self._width(setting), rare)
        for box in boxes:
            rare.addWidget(box)

    def _width(self, setting: Setting) -> int:
        return _BROAD_PX if setting.kind in _BROAD else _NARROW_PX

    def _add(
        self, name: str, field: QWidget, width: int = _NARROW_PX, flow: Flow | None = None
    ) -> QWidget:
        box = QWidget()
        box.setFixedWidth(width)
        (flow or self._usual).addWidget(box)
        column_of(Elided(name, "caption"), field, on=box, spacing=4)
        return box

    def _wire(self) -> None:
        document = self._document
        self.device.activated.connect(lambda: document.set_spec(devices=(self.device.value,)))
        self.by.activated.connect(lambda: document.measure_tokens(self.by.value == _TOKENS))
        self.more.toggled.connect(self._rest.setVisible)
        self.more.toggled.connect(
            lambda on: self.more.setText(tr("Fewer settings") if on else tr("More settings"))
        )
        document.changed(Topic.SPEC).connect(self._show)
        document.changed(Topic.MODEL).connect(self._show_dimensions)
        document.watch(self._show_inputs, Topic.FEEDS, Topic.PARTS)
        document.changed(Topic.WORK).connect(self._update_enabled)

    def focus_on(self, name: str) -> None:
        """Give the keys to the field of a setting, if it has one; rare ones come forth."""
        known = {**self.backend.fields, **self.own.fields}
        switches = self.backend.switches
        field = known.get(name) or (switches if name in switches.switches else None)
        if field is None:
            return
        if not field.isVisibleTo(self):
            self.more.setChecked(True)
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def disconnect_document(self) -> None:
        """Follow the document no longer: other fields take the place of these."""
        self.backend.disconnect_document()
        self.own.disconnect_document()
        self.generation.disconnect_document()
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
                self._by_run.append(self._add(shown, self.dimensions[name]))
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
        for name, field in self.dimensions.items():
            with QSignalBlocker(field):
                field.setValue(sizes.get(name, 0))
        self._fill_devices(spec.devices[0] if spec.devices else _CPU.id)
        self._by.setVisible(self._document.token_spec is not None)
        self.by.show_value(_TOKENS if spec.generates else _RUN)
        for box in self._by_token:
            box.setVisible(spec.generates)
        for box in self._by_run:
            box.setVisible(not spec.generates)
        self._show_inputs()
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
        if self._document.spec.generates:
            text, fits = self._tokens_text()
            self.inputs.set_text(text)
            set_role(self.inputs, "caption" if fits else "caution")
            return
        set_role(self.inputs, "caption")
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

    def _tokens_text(self) -> tuple[str, bool]:
        """Return what is read and written, with the memory that it is estimated to take, and
        whether it fits into the context of the model."""
        document, spec = self._document, self._document.spec
        needs, batch = document.memory_needs, max(spec.batches, default=1)
        lengths = {context: context + spec.new_tokens for context in spec.contexts}
        lengths |= {each: max(each, lengths.get(each, 0)) for each in spec.prompt_tokens}
        start = tr("Prompts and contexts are random tokens.")
        if needs is None or not lengths:
            return start, True
        over = [each for each in lengths.values() if each > needs.context_limit > 0]
        if over:
            text = tr("{tokens} would be in the context, but it holds {limit}").format(
                tokens=plural(max(over), "token"), limit=units.number(needs.context_limit)
            )
            return text, False
        sizes = [
            tr("{size} at {length}").format(
                size=written(Size(needs.estimate(lengths[length], batch).total_bytes)),
                length=units.number(length),
            )
            for length in sorted(lengths)
        ]
        memory = tr("Estimated memory: {sizes}.").format(sizes=", ".join(sizes))
        return f"{start} {memory}", True

    def _update_enabled(self) -> None:
        self.setEnabled(self._document.work not in MEASUREMENTS)


def own_settings(runtime: BackendInfo) -> tuple[Setting, ...]:
    """Return Inspector's own settings that the window has a field for, with a runtime."""
    return tuple(
        each
        for each in SETTINGS.values()
        if each.has_field
        and not each.runtimes
        and (not each.ability or each.ability in runtime.capabilities)
    )


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
    parts += [plural(spec.runs, "run"), plural(spec.warmup, "warm-up run")]
    more = settings_text(
        replace(spec, threads=0, optimization="all", inference_precision="f32")
    )
    parts += [more] if more != OWN else []
    usual = RunSpec()
    names = [field.name for field in fields(spec)]
    for name in sorted(names, key=lambda name: SETTINGS[name].role is not Role.GENERATION):
        setting, value = SETTINGS[name], getattr(spec, name)
        if value == getattr(usual, name) or setting.common:
            continue
        if setting.summary:
            parts.append(tr(setting.summary).format(value=_told(setting, value)))
        elif setting.unit:
            parts.append(plural(value, setting.unit))
    parts += [f"{units.clip(d.name, 30)} = {units.number(d.size)}" for d in spec.dimensions]
    parts += [f"{units.clip(i.name, 30)}: {units.clip(i.value, 30)}" for i in spec.inputs]
    return " · ".join(parts)


def _told(setting: Setting, value: Any) -> str:
    """Return a value in the summary."""
    match setting.kind:
        case SettingKind.SHARE:
            return f"{100 * value:g}"
        case SettingKind.SECONDS:
            return f"{value:g}"
        case SettingKind.DEVICES:
            return ", ".join(map(units.device, value))
        case SettingKind.COUNTS:
            return ", ".join(units.number(each) for each in value)
        case _:
            return units.clip(str(value), 20)


def _comparable(spec: RunSpec) -> RunSpec:
    """Return what the fields choose, and what changes what is timed.

    The engine may profile fewer runs than it was asked for. A comparison with the peak leaves
    the timed runs as they are.
    """
    on_cpu = () if spec.around_failures else spec.on_cpu  # which then gets what failed
    return replace(spec, inputs=(), profiled_runs=0, on_cpu=on_cpu, roofline=False)
