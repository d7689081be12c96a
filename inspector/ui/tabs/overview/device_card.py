"""The card of latency and memory on devices that a model was not run on."""

from PySide6.QtWidgets import QWidget

from inspector.analysis.devices.device_estimates import ModelEstimates
from inspector.analysis.devices.known_devices import chosen
from inspector.app.estimating.device_estimates import SHOWN, estimated, saved_here
from inspector.errors import InspectorError
from inspector.pages.on_devices.estimate import device_section
from inspector.ui.background import TaskRunner
from inspector.ui.documents.document import Document
from inspector.ui.tabs.overview.load_record import LoadRecord
from inspector.ui.widgets.page_view import SectionCard
from inspector.ui.widgets.parts import column_of, show_in_place
from inspector.ui.widgets.theme import Theme


class DeviceCard(QWidget):
    """Shows them once the cost of the model is known, and again for other lengths of axes."""

    def __init__(self, theme: Theme, document: Document) -> None:
        super().__init__()
        self._theme, self._document = theme, document
        self._column = column_of(on=self)
        self._jobs = TaskRunner(self)
        self.card: SectionCard | None = None
        self._found: ModelEstimates | None = None
        self._loads = LoadRecord.of(document)
        self._loads.changed.connect(self._show)
        self.hide()
        document.estimating.changed.connect(self._ask)
        self._ask()

    def _ask(self) -> None:
        cost, model = self._document.estimating.estimate, self._document.model
        path = self._document.path
        if cost is None or model is None or path is None or not cost.of_graph:
            return

        def work() -> ModelEstimates:
            return estimated(path, model, cost, chosen(SHOWN), saved_here)

        self._jobs.start(work, self._take, self._forget)

    def _take(self, found: ModelEstimates) -> None:
        self._found = found
        self._show()

    def _show(self) -> None:
        found, model = self._found, self._document.model
        if found is None or model is None:
            return
        if self.card is not None:
            self._column.removeWidget(self.card)
            self.card.hide()
            self.card.deleteLater()
        refused = self._loads.error is not None or model.refused
        self.card = SectionCard(self._theme, device_section(found, refused))
        self._column.addWidget(self.card)
        show_in_place(self, True)

    def _forget(self, error: InspectorError) -> None:
        """Leave the card away; the command says why."""
