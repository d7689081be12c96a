"""The bar at the top: what is open, which tab, on which device, and Measure."""

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QMenu, QWidget

from inspector.report.device_ids import is_cpu, own_runtime
from inspector.ui import commands, units
from inspector.ui.documents.diff_document import DiffDocument
from inspector.ui.documents.document import MEASUREMENTS, Document, Topic
from inspector.ui.documents.trace_document import TraceDocument
from inspector.ui.documents.workspace import Workspace
from inspector.ui.translate import plural, short_plural, tr, written
from inspector.ui.widgets.parts import (
    Elided,
    Segmented,
    add_to,
    button,
    column_of,
    explain_entries,
    follow,
    row,
    tip,
    tool,
)
from inspector.ui.widgets.theme import Theme, qt_color
from inspector.ui.window.panes import LIST_BESIDE_PX
from inspector.ui.window.tabs import TABS, Tab, place_of, tab_for
from inspector.wording.values import Size

if TYPE_CHECKING:  # it comes with the first document
    from inspector.ui.window.commands.menus import Menus
    from inspector.ui.window.device_menu import DeviceMenu

SHORT_BAR_PX = 1180  # of the window; a narrower one has a shorter bar
_NARROW_BAR_PX = 1000  # a still narrower one sets its tabs close
_TAB_PX = 24  # around a title
_TAB_SHORT_PX = 18  # around a short title
_TAB_NARROW_PX = 16  # where there is little room
_TAB_LEAST_PX = 6
_SIDE_PX = 16  # of the bar
_GAP_PX = 8  # between its parts
_DEVICE_PX = 140  # of the button with the name of the device, the least
_AROUND_DEVICE_PX = 50  # of its icon and its sides
_UNBOUNDED_PX = 16_777_215  # Qt's largest width of a widget
_RIGHT = Qt.TextElideMode.ElideRight
_OUTLINED = ("outlined_left", "outlined_right")  # roles of both parts of a button


class TopBar(QWidget):
    """Shows the current document's name; its buttons run commands."""

    def __init__(self, theme: Theme, workspace: Workspace) -> None:
        super().__init__()
        self._theme, self._workspace = theme, workspace
        self._document: Document | None = None
        self._trace: TraceDocument | None = None
        self._diff: DiffDocument | None = None
        self._short = self._narrow = False
        self._spacing = _TAB_PX
        self._device_text = ""
        self._fills = True  # the button that measures
        self._menus: Menus | None = None
        self.setFixedHeight(52)
        self.menu_button = tool(theme, "menu", tr("Menu (F10)"))
        self.sidebar_button = tool(theme, "sidebar", tr("Show or hide the model list"))
        self.open_button = tool(theme, "open", tr("Open a model, report or trace"))
        self.record_button = tool(theme, "record", tr("Record a program"))
        self.title = Elided(tr("Inspector"), "heading")
        self.subtitle = Elided(tr("No model open"), "caption", Qt.TextElideMode.ElideLeft)
        self.tabs = Segmented(theme, [tr(tab.title) for tab in TABS], 0)
        self.device_button = button(theme, tr("CPU"), "chip")
        self.measure_button = button(theme, tr("Measure"), "play", primary=True)
        self.measure_arrow = button(theme, "", primary=True)
        self.measure_arrow.setProperty("role", "primary_right")
        self.measure_arrow.setAccessibleName(tr("Settings and sweeps"))
        self.measure_arrow.setToolTip(tr("Settings and sweeps"))
        follow(theme, self.measure_arrow, self._dress_arrow)
        self.measure_button.setProperty("role", "primary_left")
        self.cancel_button = button(theme, tr("Cancel"), "stop")
        self.export_button = tool(theme, "export", tr("Export the current item"))
        self.inspector_button = tool(theme, "inspector", tr("Show or hide the details pane"))
        self._lay_out()
        self._wire()
        self.show_document(None)

    def show_document(self, document: Document | None) -> None:
        """Follow another document, or none."""
        if self._document is not None:
            self._document.leave(self)
        self._document, self._trace, self._diff = document, None, None
        self._devices.clear()  # its entries hold the document they were made for
        if document is not None:
            document.watch(
                self._refresh, Topic.MODEL, Topic.PARTS, Topic.WORK, Topic.SPEC, Topic.REPORT,
                Topic.ENGINE, Topic.LOADS,
            )  # fmt: skip
            document.changed(Topic.IMPROVE).connect(self._follow_improve)
        self._refresh()

    def _follow_improve(self) -> None:
        if self._document is not None and not self._document.improve_progress:
            self._refresh()  # what it found can be exported

    def fill_measure(self, filled: bool) -> None:
        """Fill the button that measures, or outline it where the page has another to press."""
        if filled == self._fills:
            return
        self._fills = filled
        roles = ("primary_left", "primary_right") if filled else _OUTLINED
        buttons = self.measure_button, self.measure_arrow
        for made, role in zip(buttons, roles, strict=True):
            made.setProperty("role", role)
            made.style().unpolish(made)
            made.style().polish(made)
        self._dress_arrow()

    def fit(self, width: int) -> None:
        """Leave out in a narrow window what the menu has as well; all tabs stay."""
        short = width < SHORT_BAR_PX
        narrow = width < LIST_BESIDE_PX
        if (short, narrow) != (self._short, self._narrow):
            self._short, self._narrow = short, narrow
            self._refresh()
        # What is left out counts no more in the room that the tabs have.
        spacing = _TAB_SHORT_PX if short else _TAB_PX
        if width < _NARROW_BAR_PX:
            spacing = _TAB_NARROW_PX
        if short:  # in languages with longer words less of it is left
            free = width - sum(self._beside_tabs()) - self.tabs.text_width()
            spacing = max(_TAB_LEAST_PX, min(spacing, free // len(TABS)))
        if spacing != self._spacing:
            self._spacing = spacing
            self.tabs.set_spacing(spacing)
        self._place_tabs()

    def _place_tabs(self) -> None:
        """Let the tabs stand in one place, whatever the device is called and what is shown."""
        if self._document is None:
            self._about.setMaximumWidth(_UNBOUNDED_PX)
            self._about.setMinimumWidth(self.width() // 2)  # names ask for no room themselves
            return
        left, right = self._beside_tabs()
        free = self.width() - left - self.tabs.width() - right
        centered = (self.width() - self.tabs.width()) // 2 - left
        about = max(0, min(centered, free))
        self._about.setFixedWidth(about)
        room = self._least_device_px() + free - about
        self.device_button.setMaximumWidth(max(0, room))
        if not self._short:
            metrics = self.device_button.fontMetrics()
            words = metrics.elidedText(self._device_text, _RIGHT, room - _AROUND_DEVICE_PX)
            self.device_button.setText(words)

    def _beside_tabs(self) -> tuple[int, int]:
        """Return what the buttons at the left and at the right of the tabs need."""
        openers = () if self._narrow else (self.open_button, self.record_button)
        begins = (self.menu_button, self.sidebar_button, *openers)
        ends = (self.export_button, self.inspector_button)
        left = sum(each.sizeHint().width() + _GAP_PX for each in begins) + 4
        left += _GAP_PX * (not self._short)  # behind the name
        right = sum(each.sizeHint().width() + _GAP_PX for each in ends)
        parts = self.measure_button, self.measure_arrow
        both = sum(each.sizeHint().width() for each in parts) + 1
        self.cancel_button.setMinimumWidth(both)
        right += both + self._least_device_px() + 2 * _GAP_PX
        return _SIDE_PX + left, _SIDE_PX + right

    def _least_device_px(self) -> int:
        if not self._short:
            return _DEVICE_PX
        return self.device_button.minimumSizeHint().width()

    def show_trace(self, trace: TraceDocument) -> None:
        """Tell of a trace, which has no tabs and nothing to measure."""
        self.show_document(None)
        self._trace = trace
        self._refresh()

    def show_diff(self, diff: DiffDocument) -> None:
        """Tell of a comparison of models, which has no tabs either."""
        self.show_document(None)
        self._diff = diff
        self._refresh()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bar and its lower line."""
        look = self._theme.palette
        painter = QPainter(self)
        painter.fillRect(self.rect(), qt_color(look.bar))
        painter.fillRect(QRectF(0, self.height() - 1, self.width(), 1), qt_color(look.border))

    def _lay_out(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(_SIDE_PX, 0, _SIDE_PX, 0)
        layout.setSpacing(_GAP_PX)
        self._about = QWidget()
        column_of(self.title, self.subtitle, on=self._about, spacing=1, margins=(0, 8, 0, 8))
        layout.addWidget(self.menu_button)
        layout.addWidget(self.sidebar_button)
        layout.addWidget(self.open_button)
        layout.addWidget(self.record_button)
        layout.addSpacing(4)
        layout.addWidget(self._about)
        layout.addWidget(self.tabs)
        right = row(None)
        split = row(self.measure_button, self.measure_arrow, spacing=1)
        add_to(right, self.device_button, split)
        for widget in (self.cancel_button, self.export_button, self.inspector_button):
            right.addWidget(widget)
        layout.addLayout(right, 1)
        for toggle in (self.sidebar_button, self.inspector_button):
            toggle.setCheckable(True)

    def _wire(self) -> None:
        self.tabs.chosen.connect(lambda place: commands.run(self, f"tab/{TABS[place].id}"))
        for id_, made in self._running().items():
            made.clicked.connect(commands.runner(self, id_))
        self._devices = QMenu(self)
        explain_entries(self._devices)  # with the reasons
        self._devices.aboutToShow.connect(self._list_devices)
        self.device_button.setMenu(self._devices)
        self.export_button.setPopupMode(self.export_button.ToolButtonPopupMode.InstantPopup)
        self._workspace.devices_changed.connect(self._refresh)
        self._theme.changed.connect(self.update)

    def _running(self) -> dict[str, QAbstractButton]:
        """Return the buttons that run a command, by its id."""
        return {
            "open": self.open_button,
            "record": self.record_button,
            "measure": self.measure_button,
            "cancel": self.cancel_button,
        }

    def take_menus(self, menus: "Menus") -> None:
        """Get menus, keys and reasons, which come after the first picture."""
        self._menus = menus
        menus.add_bar(self.menu_button)
        self.measure_arrow.setMenu(menus.menu("bar/measure"))
        self._refresh()

    def _dress_arrow(self) -> None:
        tint = "on_fill" if self._fills else "secondary"
        self.measure_arrow.setIcon(self._theme.icon("down", tint))
        self.measure_button.setIcon(self._theme.icon("play", tint))

    def _follow_commands(self) -> None:
        """Let the buttons tell whether and why not their commands are possible now."""
        menus = self._menus
        if menus is None:
            return
        switches = {"sidebar": self.sidebar_button, "inspector": self.inspector_button}
        menus.follow({**self._running(), **switches})
        exports = "bar/trace" if self._trace is not None else "bar/export"
        exports = "bar/diff" if self._diff is not None else exports
        possible = menus.is_possible(exports)
        if possible:
            self.export_button.setMenu(menus.menu(exports))
        self.export_button.setEnabled(possible)

    def _device_words(self, document: Document) -> str:
        """Return the device that a document runs on, and the machine if it is another."""
        names = {
            device.id: device.id if own_runtime(device.id) else device.id.partition(":")[0]
            for device in self._workspace.devices
        }
        ids = document.spec.devices
        text = [units.device(names.get(i, i)) for i in ids]
        alone = any(is_cpu(each) or own_runtime(each) for each in ids)
        words = " + ".join(text if alone else [*text, tr("CPU")])
        place = document.place
        if place is None:
            return words
        device = units.device(place.device) if place.device else words
        return tr("{device} on {machine}").format(device=device, machine=place.machine.name)

    @cached_property
    def _device_menu(self) -> "DeviceMenu":
        # asyncio and other machines come with the first look at devices
        from inspector.ui.window.device_menu import DeviceMenu

        return DeviceMenu(
            self._theme, self._workspace, self._devices, self.device_button, self._refresh
        )

    def _list_devices(self) -> None:
        if self._document is not None:
            self._device_menu.fill(self._document)

    def _refresh(self) -> None:
        document = self._document
        busy = document is not None and document.work in MEASUREMENTS
        ready = document is not None and document.model is not None
        refused = document is not None and document.not_run is not None
        # Another device may have a runtime for a model whose own is not installed.
        shown_only = refused and document is not None and document.runtime.missing is None
        self.tabs.setVisible(document is not None)
        self.device_button.setVisible(document is not None and not shown_only)
        loads = document is not None and document.refused is None
        self.measure_arrow.setEnabled(ready and not refused and loads)
        opens = document is not None and document.path is not None  # grey until it is read
        for part in (self.measure_button, self.measure_arrow):
            part.setVisible(opens and not busy)
        self.cancel_button.setVisible(busy)
        trace, diff = self._trace, self._diff
        self.device_button.setEnabled(ready and not busy)
        shown = document or trace or diff
        # The menu has both; without a document there is room for them.
        for opener in (self.open_button, self.record_button):
            opener.setVisible(not self._narrow or shown is None)
        # Beside tabs, the title bar of the window has the name, and Overview the rest.
        told = not self._short or document is None
        for line in (self.title, self.subtitle):
            line.setVisible(told)
        self.title.set_text(shown.name if shown else tr("Inspector"))
        about = tr("Comparison of two models") if diff else _subtitle(document)
        self.subtitle.set_text(trace.about if trace else about)
        if document is not None:
            text = self._device_words(document)
            self._device_text = text
            self.device_button.setText("" if self._short else f" {text}")
            self.device_button.setToolTip(tip(text))
            self.device_button.setAccessibleName(text)
            self.tabs.rename(place_of(Tab.CHAT), tr(tab_for(Tab.PREVIEW, document).title))
            unavailable = (n for n, tab in enumerate(TABS) if tab.needs_model)
            self.tabs.switch_off(frozenset(() if document.path else unavailable))
        self._about.setVisible(told)
        self._place_tabs()
        self._follow_commands()


def _subtitle(document: Document | None) -> str:
    if document is None:
        return tr("Open a model or drop one here")
    if document.model is not None:
        model = document.model
        opset = next((o.version for o in model.opsets if o.domain in ("", "ai.onnx")), None)
        parts = [tr("Opset {opset}").format(opset=opset)] if opset is not None else []
        parts.append(short_plural(*model.numbers))
        if model.details is not None:
            parts.insert(0, model.details.title)
        opened = document.opened_folder
        size = Size(model.whole_bytes)
        if opened is not None:
            size = Size(opened.facts.size_bytes)
        return " · ".join([*parts, written(size)])
    if document.report is not None:
        return tr("Report without model · {layer_count}").format(
            layer_count=plural(len(document.report.layers), "layer")
        )
    return tr("Opening…")
