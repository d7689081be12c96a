"""The Values tab: step through the layers, see each tensor, find where two runs part."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from inspector import units
from inspector.errors import InspectorError
from inspector.report import Device
from inspector.ui.documents.document import Document, Work
from inspector.ui.kit.detail import ListWithDetail
from inspector.ui.kit.failure import Failure
from inspector.ui.kit.parts import GAP, PADDING, Card, Elided, button, label, row
from inspector.ui.kit.scrolling import BESIDE_BAR, scroll_down
from inspector.ui.kit.theme import Theme
from inspector.ui.performance.progress import ProgressLine
from inspector.ui.values.clearing import cleared
from inspector.ui.values.detail import StepDetail
from inspector.ui.values.list_card import StepsList
from inspector.ui.values.side_fields import SideFields

if TYPE_CHECKING:
    from inspector.engine.process import Progress

_DETAIL, _SHOWN = 360, 4
_INVITING = (
    "One prediction, layer by layer: the values of each tensor,",
    "where NaN comes from, and where another level, device,",
    "model or ONNX's reference gives something else.",
)
_WORDS = {
    "load": "Loading the model",
    "layers": "Going through the layers",
    "values": "Computing what the layer gets",
    "runs": "Running the layer alone",
}


class ValuesTab(QWidget):
    """Follows a document; the last walk stays until there is another one."""

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__()
        self._theme, self._document = theme, document
        self.fields = SideFields(theme, document)
        self.failure = Failure(theme)
        self.progress = WalkProgress(theme)
        self.list: StepsList | None = None
        self.detail: StepDetail | None = None
        self._lay_out()
        self._wire()
        self.fields.offer(False)
        self.invitation.begin.setEnabled(self.fields.begin.isEnabled())
        self._take_model()
        self._follow_work()

    def set_devices(self, devices: tuple[Device, ...]) -> None:
        """Offer the devices of this machine."""
        self.fields.set_devices(devices)

    def run(self) -> None:
        """Go through the layers as the fields say."""
        document, fields = self._document, self.fields
        if document.model is not None and document.work is None:
            document.stepping.run(fields.level.value, fields.side, fields.wanted)

    def _lay_out(self) -> None:
        page = QWidget()
        self._page = QVBoxLayout(page)
        self._page.setContentsMargins(PADDING, PADDING, BESIDE_BAR, PADDING)
        self._page.setSpacing(GAP)
        for widget in (self.fields, self.failure, self.progress):
            self._page.addWidget(widget)
        self.area = QScrollArea()
        self._body = ListWithDetail(self.area, _DETAIL)
        self._page.addLayout(self._body, 1)
        self.invitation = Invitation(self._theme)
        self._body.addWidget(self.invitation, 1)
        scroll_down(self.area)
        self.area.setAccessibleName("Values")
        self.area.setWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.area)

    def _wire(self) -> None:
        document = self._document
        document.model_changed.connect(self._take_model)
        document.work_changed.connect(self._follow_work)
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
        if self._document.model is not None:
            stepping = self._document.stepping
            stepping.changed.connect(self._show)
            self.invitation.show_layers(len(self._document.model.layers))
            if stepping.found is not None:
                self._show()

    def _show(self) -> None:
        """Show the walk that has ended."""
        stepping = self._document.stepping
        found = stepping.found
        if found is None:
            return
        cleared(self._body, self.invitation)
        self.fields.offer(True)
        selection = self._document.selection
        self.list = StepsList(self._theme, found, selection)
        self.detail = StepDetail(self._theme, self._document, stepping)
        given = [
            f"{units.clip(s.name, 40)} = {units.clip(s.value, 40)}" for s in stepping.inputs
        ]
        more = f" and {len(given) - _SHOWN} more" if len(given) > _SHOWN else ""
        self.list.set_foot((*found.notes, f"Inputs: {', '.join(given[:_SHOWN])}{more}."))
        self._body.show_both(self.list, self.detail)
        self.list.chosen.connect(self.detail.show_step)
        self.list.begin()

    def _follow_work(self) -> None:
        stepping = self._document.work is Work.STEPPING
        self.progress.setVisible(stepping)
        if stepping:
            self.failure.hide()
            self.progress.begin()

    def _show_failure(self, error: InspectorError) -> None:
        if self._document.failed_work is Work.STEPPING:
            self.failure.show_error(error)
            self.area.ensureWidgetVisible(self.failure)


class WalkProgress(Card):
    """How far the walk is; `cancel` stops it."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.step = Elided("", "secondary", Qt.TextElideMode.ElideRight)
        self.bar = ProgressLine(theme)
        self.cancel = button(theme, "Cancel", "stop")
        self.body.addLayout(row(self.step, self.cancel, stretch=0))
        self.body.addWidget(self.bar)

    def begin(self) -> None:
        """Start over: nothing is known yet."""
        self._show("Starting the engine", -1)

    def follow(self, progress: "Progress") -> None:
        """Show how far it is."""
        words = _WORDS.get(progress.step, units.clip(progress.step, 60).capitalize())
        self._show(words, progress.done)

    def _show(self, words: str, done: float) -> None:
        told = f"{words} · {100 * done:.0f} %" if done >= 0 else words
        self.step.set_text(told)
        self.setAccessibleName(told)
        self.bar.show_share(done)


class Invitation(Card):
    """What there would be to see."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.words = label("See what each layer gives", "title")
        centre = Qt.AlignmentFlag.AlignHCenter
        self.body.setSpacing(4)
        self.body.addStretch(1)
        self.body.addWidget(self.words, 0, centre)
        self.body.addSpacing(4)
        for words in _INVITING:
            self.body.addWidget(label(words, "secondary"), 0, centre)
        self.begin = button(theme, "Step through", "play", primary=True)
        self.begin.setMinimumWidth(140)
        self.body.addSpacing(10)
        self.body.addWidget(self.begin, 0, centre)
        self.body.addStretch(1)

    def show_layers(self, layers: int) -> None:
        """Tell how many there are."""
        self.words.setText(f"See what each of {units.plural(layers, 'layer')} gives")
