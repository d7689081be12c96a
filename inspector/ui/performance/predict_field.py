"""The choice of devices that need not be here and are predicted from tables."""

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton

from inspector import units
from inspector.engine.placing import tables
from inspector.ui.documents.document import Document
from inspector.ui.kit.parts import tip

_NAMED = 2


class PredictField(QPushButton):
    """A button with a menu of devices to tick; what is ticked goes into the spec at once."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.setProperty("role", "choice")
        self.actions_by_id: dict[str, QAction] = {}
        menu = QMenu(self)
        for device in map(tables.device, tables.KNOWN):
            action = menu.addAction(device.name)
            action.setCheckable(True)
            assumed = f"Assumes {tables.table(device.id).assumes}"
            action.setToolTip(
                tip(f"{device.provider} · predicted from a {device.source}. {assumed}")
            )
            action.toggled.connect(self._choose)
            self.actions_by_id[device.id] = action
        menu.setToolTipsVisible(True)
        self.setMenu(menu)
        self.setAccessibleName("Check support for other devices")
        self.setToolTip(
            tip(
                "Adds a column for each device that is not here: supported, not supported and "
                "why, or unknown and what was not checked, from the providers' sources"
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
        few = ", ".join(names) if len(names) <= _NAMED else f"{len(names)} devices"
        # The style sets words that are aligned to the left on the very edge.
        self.setText(f"  {units.clip(few, 40) or 'None'}")

    def _choose(self) -> None:
        ticked = (device for device, action in self.actions_by_id.items() if action.isChecked())
        self._document.set_spec(predict=tuple(ticked))
