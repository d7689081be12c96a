"""How the next measurement will run: a line of words that opens into fields."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QHBoxLayout

from inspector import units
from inspector.analysis.measured.tuning_results import OWN, settings_words
from inspector.report.report import Device
from inspector.report.run_spec import RunSpec
from inspector.ui.documents.document import Document
from inspector.ui.tabs.performance.setting_fields import MeasureFields
from inspector.ui.translate import mark, plural, tr
from inspector.ui.widgets.parts import Card, Elided, label, tool
from inspector.ui.widgets.theme import Theme

_LINE = 40
_BINDING_TEXTS = {
    "inputs": mark("inputs bound"),
    "device": mark("inputs and outputs in device memory"),
}


class MeasureSettings(Card):
    """Tells the settings in words; without a model those of the report, and no fields."""

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__(theme, padding=0)
        self._document = document
        self.title = label(tr("Settings"), "heading")
        self.summary = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        self.changed = label(tr("changed since this report"), "caution")
        self.opener = tool(theme, "settings", tr("Change how the model is measured"))
        self.opener.setCheckable(True)
        self.fields = MeasureFields(theme, document)
        self.fields.hide()
        head = QHBoxLayout()
        head.setContentsMargins(16, 0, 10, 0)
        head.addStrut(_LINE)
        head.setSpacing(12)
        for widget in (self.title, self.summary, self.changed, self.opener):
            head.addWidget(widget, int(widget is self.summary))
        self.body.setSpacing(0)
        self.body.addLayout(head)
        self.body.addWidget(self.fields)
        self.opener.toggled.connect(self.fields.setVisible)
        for signal in (document.spec_changed, document.model_changed, document.report_chosen):
            signal.connect(self._update_summary)
        self._update_summary()

    def set_devices(self, devices: tuple[Device, ...]) -> None:
        """Offer these devices."""
        self.fields.set_devices(devices)

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
        self.summary.set_text(spec_summary(spec))
        self.opener.setVisible(not report_only)
        report = document.report
        same = report is None or _comparable(report.spec) == _comparable(spec)
        self.changed.setVisible(not same)


def spec_summary(spec: RunSpec) -> str:
    """A spec in one line."""
    devices = " + ".join(units.clip(units.device(device), 40) for device in spec.devices)
    threads = plural(spec.threads, "thread") if spec.threads else tr("default threads")
    parts = [devices, units.optimization(spec.optimization), threads]
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
        parts.append(tr("until median within ±{value:g} %").format(value=100 * spec.until))
    parts.append(plural(spec.warmup, "warm-up run"))
    if spec.binding != "plain":
        parts.append(tr(_BINDING_TEXTS.get(spec.binding, mark("inputs and outputs bound"))))
    more = settings_words(replace(spec, threads=0, optimization="all", binding="plain"))
    if more != OWN:
        parts.append(more)
    if spec.around_failures:
        parts.append(tr("retry around failures"))
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
    if spec.predict:
        parts.append(
            tr("support checked for: {map}").format(
                map=", ".join(map(units.device, spec.predict))
            )
        )
    parts += [f"{units.clip(d.name, 30)} = {d.size:,}" for d in spec.dimensions]
    parts += [f"{units.clip(i.name, 30)}: {units.clip(i.value, 30)}" for i in spec.inputs]
    return " · ".join(parts)


def _comparable(spec: RunSpec) -> RunSpec:
    """What the fields choose; the engine may profile fewer runs than it was asked for."""
    on_cpu = () if spec.around_failures else spec.on_cpu  # which then gets what failed
    return replace(spec, inputs=(), profiled_runs=0, on_cpu=on_cpu)
