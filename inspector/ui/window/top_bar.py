"""The bar at the top: what is open, which tab, on which device, and Measure."""

from functools import partial

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from inspector import units
from inspector.ui.documents.document import Document, Work
from inspector.ui.documents.workspace import Workspace
from inspector.ui.kit.parts import Elided, Segmented, button, tip, tool
from inspector.ui.kit.theme import Theme, colour
from inspector.ui.trace.document import TraceDocument
from inspector.ui.window.tabs import NEED_MODEL, Tab

FORMATS = (
    ("HTML report…", "html"),
    ("PDF…", "pdf"),
    ("Markdown…", "md"),
    ("CSV of the layers…", "csv"),
    ("Inspector report (JSON)…", "json"),
    ("Chrome trace…", "trace"),
    ("Plots (SVG)…", "svg"),
    ("Plots (PNG)…", "png"),
    ("Times for Netron…", "netron"),
    ("Times for Model Explorer…", "model-explorer"),
)
PICTURES = (
    ("Predictions, in order…", "series"),
    ("How they spread…", "histogram"),
    ("Longest layers…", "layers"),
    ("Timeline…", "timeline"),
    ("Loading, phase by phase…", "phases"),
    ("Memory…", "memory"),
    ("Latency against load…", "throughput"),
    ("Roofline…", "roofline"),
)
SWEEPS = (
    ("Heat map…", "sweep/heat"),
    ("Lines…", "sweep/lines"),
    ("Which model to take…", "sweep/choice"),
    ("CSV of the combinations…", "sweep/csv"),
    ("Markdown…", "sweep/md"),
    ("Inspector sweep (JSON)…", "sweep/json"),
)
TRACE_FORMATS = (
    ("Chrome trace…", "trace"),
    ("Chrome trace of what is shown…", "shown"),
    ("CSV of the events…", "csv"),
    ("Picture (PNG)…", "png"),
    ("Picture (SVG)…", "svg"),
)


class TopBar(QWidget):
    """Shows the current document's name, and asks for things by signal."""

    tab_chosen = Signal(int)
    export_asked = Signal(str)
    measure_asked = Signal()

    def __init__(self, theme: Theme, workspace: Workspace) -> None:
        super().__init__()
        self._theme, self._workspace = theme, workspace
        self._document: Document | None = None
        self._trace: TraceDocument | None = None
        self.setFixedHeight(52)
        self.menu_button = tool(theme, "menu", "Menu")
        self.sidebar_button = tool(theme, "sidebar", "Show or hide the list of models")
        self.open_button = tool(theme, "open", "Open a model, a report or a trace")
        self.record_button = tool(theme, "record", "Record a program (Ctrl+Shift+R)")
        self.title = Elided("Inspector", "heading")
        self.subtitle = Elided("No model open", "caption", Qt.TextElideMode.ElideLeft)
        self.tabs = Segmented(theme, [tab.words for tab in Tab], 0)
        self.device_button = button(theme, "CPU", "chip")
        self.measure_button = button(theme, "Measure", "play", primary=True)
        self.cancel_button = button(theme, "Cancel", "stop")
        self.export_button = tool(theme, "export", "Export the report")
        self.inspector_button = tool(theme, "inspector", "Show or hide the inspector")
        self._lay_out()
        self._wire()
        self.show_document(None)

    def show_document(self, document: Document | None) -> None:
        """Follow another document, or none."""
        if self._document is not None:
            self._document.disconnect(self)
        self._document, self._trace = document, None
        self._devices.clear()  # its entries hold the document they were made for
        if document is not None:
            for signal in (
                document.model_changed,
                document.work_changed,
                document.spec_changed,
                document.report_chosen,
            ):
                signal.connect(self._refresh)
        self._refresh()

    def show_trace(self, trace: TraceDocument) -> None:
        """Tell of a trace, which has no tabs and nothing to measure."""
        self.show_document(None)
        self._trace = trace
        self._refresh()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bar and its lower line."""
        look = self._theme.palette
        painter = QPainter(self)
        painter.fillRect(self.rect(), colour(look.bar))
        painter.fillRect(QRectF(0, self.height() - 1, self.width(), 1), colour(look.border))

    def _lay_out(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 0, 16, 0)
        layout.setSpacing(8)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.setContentsMargins(0, 8, 0, 8)
        words.addWidget(self.title)
        words.addWidget(self.subtitle)
        layout.addWidget(self.menu_button)
        layout.addWidget(self.sidebar_button)
        layout.addWidget(self.open_button)
        layout.addWidget(self.record_button)
        layout.addSpacing(4)
        layout.addLayout(words, 1)
        layout.addWidget(self.tabs)
        right = QHBoxLayout()
        right.setSpacing(8)
        right.addStretch(1)
        for widget in (
            self.device_button,
            self.measure_button,
            self.cancel_button,
            self.export_button,
            self.inspector_button,
        ):
            right.addWidget(widget)
        layout.addLayout(right, 1)
        for toggle in (self.sidebar_button, self.inspector_button):
            toggle.setCheckable(True)

    def _wire(self) -> None:
        self.tabs.chosen.connect(self.tab_chosen)
        self.measure_button.clicked.connect(self.measure_asked)
        self.cancel_button.clicked.connect(self._cancel)
        self._devices = QMenu(self)
        self._devices.aboutToShow.connect(self._list_devices)
        self.device_button.setMenu(self._devices)
        self._formats, self._trace_formats = QMenu(self), QMenu(self)
        for menu, forms in ((self._formats, FORMATS), (self._trace_formats, TRACE_FORMATS)):
            for words, form in forms:
                menu.addAction(words, partial(self.export_asked.emit, form))
        pictures = self._formats.addMenu("Picture of one plot")
        for words, plot in PICTURES:
            pictures.addAction(words, partial(self.export_asked.emit, f"picture/{plot}"))
        self.sweeps = self._formats.addMenu("Sweep")
        for words, form in SWEEPS:
            self.sweeps.addAction(words, partial(self.export_asked.emit, form))
        self.export_button.setPopupMode(self.export_button.ToolButtonPopupMode.InstantPopup)
        self._workspace.devices_changed.connect(self._refresh)
        self._theme.changed.connect(self.update)

    def _refresh(self) -> None:
        document = self._document
        busy = document is not None and document.work is Work.MEASURING
        ready = document is not None and document.model is not None
        for widget in (self.tabs, self.device_button):
            widget.setVisible(document is not None)
        self.measure_button.setVisible(ready and not busy)
        self.measure_button.setEnabled(ready and document is not None and document.work is None)
        self.cancel_button.setVisible(busy)
        trace = self._trace
        reported = document is not None and document.report is not None
        self.export_button.setMenu(self._trace_formats if trace is not None else self._formats)
        swept = document is not None and document.swept
        self.export_button.setEnabled(reported or swept or trace is not None)
        for action in self._formats.actions():
            action.setEnabled(swept if action is self.sweeps.menuAction() else reported)
        self.device_button.setEnabled(ready and not busy)
        shown = document or trace
        self.title.set_text(shown.name if shown else "Inspector")
        self.subtitle.set_text(trace.about if trace else _subtitle(document))
        if document is not None:
            self.device_button.setText(f" {self._device_words(document)}")
            self.tabs.switch_off(frozenset() if document.path else NEED_MODEL)

    def _device_words(self, document: Document) -> str:
        names = {device.id: device.id.partition(":")[0] for device in self._workspace.devices}
        ids = document.spec.devices
        words = [units.device(names.get(i, i)) for i in ids]
        return " + ".join(words if "cpu" in ids else [*words, "CPU"])

    def _list_devices(self) -> None:
        self._devices.clear()
        document = self._document
        if document is None:
            return
        for device in self._workspace.devices:
            words = f"{units.device(device.id)} — {units.clip(device.name, 60)}"
            action = QAction(words.replace("&", "&&"), self._devices)
            action.setEnabled(not device.problem)
            action.setToolTip(tip(device.problem))
            action.setCheckable(True)
            action.setChecked(device.id == document.spec.devices[0])
            action.triggered.connect(partial(_take_device, document, device.id))
            self._devices.addAction(action)
        if not self._workspace.devices:
            self._devices.addAction("Looking for devices…").setEnabled(False)

    def _cancel(self) -> None:
        if self._document is not None:
            self._document.cancel()


def _take_device(document: Document, device: str) -> None:
    document.set_spec(devices=(device,))


def _subtitle(document: Document | None) -> str:
    if document is None:
        return "Open an ONNX model, or drop one here"
    if document.model is not None:
        model = document.model
        opset = next((o.version for o in model.opsets if o.domain in ("", "ai.onnx")), None)
        parts = [f"Opset {opset}"] if opset is not None else []
        number, what = model.numbers
        parts.append(f"{units.count(number)} {what}")
        return " · ".join([*parts, units.size(model.size_bytes)])
    if document.report is not None:
        return (
            f"Report without its model · {units.plural(len(document.report.layers), 'layer')}"
        )
    return "Opening…"
