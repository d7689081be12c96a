"""The Values tab: step through the layers, see each tensor, find where two runs part."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QScrollArea, QWidget

from inspector.errors import InspectorError
from inspector.preview.runs.other_run import OtherRun
from inspector.report.report import Device
from inspector.ui import commands, units
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.document import Document, Topic, Work
from inspector.ui.tabs.activations.comparison_fields import ComparisonFields
from inspector.ui.tabs.activations.layer_detail import ActivationDetail, cleared
from inspector.ui.tabs.activations.layer_list import ActivationList
from inspector.ui.tabs.activations.memory_card import MemoryCard
from inspector.ui.tabs.activations.step_progress import StepProgress
from inspector.ui.translate import mark, plural, tr
from inspector.ui.widgets.detail_card import ListWithDetail
from inspector.ui.widgets.failure import Failure
from inspector.ui.widgets.layouts import BESIDE_BAR, scroll_down
from inspector.ui.widgets.parts import GAP, PADDING, Card, add_to, button, column_of, label
from inspector.ui.widgets.theme import Theme

_DETAIL = 360  # px, width
_SHOWN = 4  # inputs that are named
_INVITING = (
    mark("Run the model once and record the output of every layer:"),
    mark("find where NaN appears first, and where results differ from"),
    mark("another optimization level, device or model, or the ONNX reference."),
)


class ActivationsTab(QWidget):
    """Follows a document; the last walk stays until there is another one."""

    def __init__(self, theme: Theme, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self.document = theme, document
        self.fields = ComparisonFields(theme, document)
        self.failure = Failure(theme)
        self.progress = StepProgress(theme)
        self.list: ActivationList | None = None
        self.detail: ActivationDetail | None = None
        self.memory: MemoryCard | None = None
        self._lay_out()
        self._wire()
        self.fields.offer(False)
        self.invitation.begin.setEnabled(self.fields.begin.isEnabled())
        self._take_model()
        self._follow_work()

    def set_devices(self, devices: tuple[Device, ...]) -> None:
        """Offer the devices of this machine."""
        self.fields.set_devices(devices)

    def show_comparison(self, other: Path | None = None) -> None:
        """Let the user choose what to compare the layers with; with another model if given."""
        if other is not None:
            self.fields.choose_model(other)
        self.fields.against.setFocus(Qt.FocusReason.OtherFocusReason)

    def find_first(self, way: OtherRun) -> None:
        """Find the first layer whose outputs differ from those of another run."""
        self.fields.choose(way)
        self.run()

    def run(self) -> None:
        """Go through the layers as the fields say."""
        document, fields = self.document, self.fields
        if document.model is not None and document.work is None:
            document.stepping.run(fields.level.value, fields.side, fields.wanted)

    def _lay_out(self) -> None:
        page = QWidget()
        self.area = QScrollArea(self)
        scroll_down(self.area)
        self.area.setWidget(page)
        self._page = column_of(
            on=page, spacing=GAP, margins=(PADDING, PADDING, BESIDE_BAR, PADDING)
        )
        add_to(self._page, self.fields, self.failure, self.progress)
        self._body = ListWithDetail(self.area, _DETAIL)
        self._page.addLayout(self._body, 1)
        self.invitation = Invitation(self._theme)
        self._body.addWidget(self.invitation, 1)
        self.area.setAccessibleName(tr("Layer outputs"))
        column_of(self.area, on=self)

    def _wire(self) -> None:
        document = self.document
        document.changed(Topic.MODEL).connect(self._take_model)
        document.changed(Topic.WORK).connect(self._follow_work)
        document.progressed.connect(self.progress.follow)
        document.failed.connect(self._show_failure)
        self.progress.cancel.clicked.connect(document.cancel)
        self.failure.again.clicked.connect(self.run)
        self.fields.asked.connect(self.run)
        self.fields.ready.connect(self.invitation.begin.setEnabled)
        self.invitation.begin.clicked.connect(self.run)
        for key, steps in (("[", -1), ("]", 1)):
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda steps=steps: self._walk(steps))

    def _walk(self, steps: int) -> None:
        if self.list is not None:
            self.list.walk(steps)

    def _take_model(self) -> None:
        if self.document.model is not None:
            stepping = self.document.stepping
            stepping.changed.connect(self._show)
            stepping.saving_changed.connect(self._follow_saving)
            stepping.saved.connect(self._show_saved)
            stepping.not_saved.connect(self._show_not_saved)
            self.invitation.show_layers(len(self.document.model.layers))
            if self.memory is None:
                self.memory = MemoryCard(self._theme, self.document)
                self._page.addWidget(self.memory)
            if stepping.found is not None:
                self._show()

    def _show(self) -> None:
        """Show the walk that has ended."""
        stepping = self.document.stepping
        result = stepping.found
        if result is None:
            return
        cleared(self._body, self.invitation)
        if stepping.other_model is not None and self.fields.other is None:
            self.fields.choose_model(stepping.other_model)  # compared elsewhere
        self.fields.offer(True)
        selection = self.document.selection
        self.list = ActivationList(self._theme, result, selection)
        if self.document.model is not None:
            self.list.search_in(self.document.model)
        self.detail = ActivationDetail(self._theme, self.document, stepping)
        given = [
            f"{units.clip(s.name, 40)} = {units.clip(s.value, 40)}" for s in stepping.inputs
        ]
        more = (
            tr(" and {count} more").format(count=len(given) - _SHOWN)
            if len(given) > _SHOWN
            else ""
        )
        self.list.set_foot(
            (
                *result.notes,
                tr("Input: {given}{more}.").format(given=", ".join(given[:_SHOWN]), more=more),
            )
        )
        self._body.show_both(self.list, self.detail)
        self.list.chosen.connect(self.detail.show_step)
        self.list.save_all.clicked.connect(self._save_all)
        self._follow_saving()
        self.list.begin()

    def _save_all(self) -> None:
        """Ask for a file for the outputs of all layers, or stop saving them."""
        stepping = self.document.stepping
        if stepping.saving is not None:
            stepping.stop_saving()
            return
        proposed = f"{self.document.stem}-layer-outputs.npz"
        if path := file_dialogs.ask_place(self, tr("Save the outputs of all layers"), proposed):
            stepping.save_all(path if path.suffix else path.with_suffix(".npz"))

    def _follow_saving(self) -> None:
        if self.list is not None:
            self.list.show_saving(self.document.stepping.saving)

    def _show_saved(self, path: Path) -> None:
        text = tr("Saved {name}").format(name=units.clip(path.name, 80))
        commands.run(self, "saved", text, path)

    def _show_not_saved(self, error: InspectorError) -> None:
        self.failure.show_error(error)
        self.failure.again.hide()
        self.area.ensureWidgetVisible(self.failure)

    def _follow_work(self) -> None:
        stepping = self.document.work is Work.STEPPING
        self.progress.setVisible(stepping)
        if stepping:
            self.failure.hide()
            self.progress.begin()

    def _show_failure(self, error: InspectorError) -> None:
        if self.document.failed_work is Work.STEPPING:
            self.failure.show_error(error)
            self.area.ensureWidgetVisible(self.failure)


class Invitation(Card):
    """A text that explains the tab, with the button that runs the layers."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.words = label(tr("Inspect the output of each layer"), "title")
        centre = Qt.AlignmentFlag.AlignHCenter
        self.body.setSpacing(4)
        self.body.addStretch(1)
        self.body.addWidget(self.words, 0, centre)
        self.body.addSpacing(4)
        for text in _INVITING:
            self.body.addWidget(label(tr(text), "secondary"), 0, centre)
        self.begin = button(theme, tr("Record layer outputs"), "play", primary=True)
        self.begin.setMinimumWidth(140)
        self.body.addSpacing(10)
        self.body.addWidget(self.begin, 0, centre)
        self.body.addStretch(1)

    def show_layers(self, layers: int) -> None:
        """Show how many there are."""
        self.words.setText(
            tr("Inspect the outputs of {layer_count}").format(
                layer_count=plural(layers, "layer")
            )
        )
