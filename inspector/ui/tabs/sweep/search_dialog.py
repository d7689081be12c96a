"""What a search for the best settings looks for: goal, limit, devices, options, time."""

from collections.abc import Sequence

from PySide6.QtWidgets import QDialog, QDoubleSpinBox, QFormLayout, QLineEdit, QWidget

from inspector.app.searches import Search, read_lengths, read_option
from inspector.app.tuner import Aim
from inspector.errors import BadInput
from inspector.model.axes import free_axes
from inspector.report.report import Device
from inspector.report.settings import Goal
from inspector.ui import units
from inspector.ui.documents.document import Document
from inspector.ui.translate import tr
from inspector.ui.widgets.fields import CheckField, ChoiceField, NumberField
from inspector.ui.widgets.parts import (
    GAP,
    PADDING,
    add_to,
    button,
    column_of,
    label,
    row,
    wrapped,
)
from inspector.ui.widgets.theme import Theme

_WIDTH = 520
_AXIS_PX = 140
_BOX_PX = 26
_SECONDS = 60  # of a search on one device
_SECONDS_MORE = 30  # for each other device
_MOST_SECONDS = 86_400
_MOST_MS = 3_600_000.0


class SearchDialog(QDialog):
    """Asks what to search for; `search` is the answer once it was accepted.

    every_device: whether all devices are chosen at first, not only that of the settings, which
    the others are compared with.
    """

    def __init__(
        self,
        theme: Theme,
        document: Document,
        devices: Sequence[Device],
        every_device: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(
            tr("Measure on all devices — Inspector")
            if every_device
            else tr("Find best settings — Inspector")
        )
        self.setMinimumWidth(_WIDTH)
        self.search: Search | None = None
        goals = tr("Lowest latency"), tr("Most items per second"), tr("Least memory")
        self.goal = ChoiceField(tr("Goal"), [each.value for each in Goal], goals)
        self.limit = QDoubleSpinBox()
        self.limit.setRange(0.0, _MOST_MS)
        self.limit.setSpecialValueText(tr("No limit"))
        self.limit.setSuffix(" ms")
        self.limit.setDecimals(3)
        self.limit.setAccessibleName(tr("Limit of p95"))
        self.limit.lineEdit().setTextMargins(7, 0, 4, 0)  # as `NumberField` has them
        model = document.model
        axes = tuple(free_axes(model.inputs)) if model is not None else ()
        self.axis = ChoiceField(tr("Batch axis"), axes, axes)
        self.axis.setMinimumWidth(_AXIS_PX)
        self.lengths = QLineEdit("1, 2, 4, 8")
        self.lengths.setAccessibleName(tr("Batch sizes"))
        self.own = document.spec.devices[0]
        self.boxes = self._boxes(devices, every_device)
        self.options = QLineEdit()
        self.options.setAccessibleName(tr("Provider options"))
        self.options.setPlaceholderText(tr("KEY=VALUE,VALUE; KEY=VALUE,VALUE"))
        self.seconds = NumberField(tr("Duration"), _MOST_SECONDS)
        self.seconds.setRange(5, _MOST_SECONDS)
        self.seconds.setSuffix(" s")
        self.problem = wrapped("", "bad")
        self.problem.hide()
        self.start = button(theme, tr("Start"), "search", primary=True, then=self._finish)
        self.start.setDefault(True)
        self.stop = button(theme, tr("Cancel"), then=self.reject)
        self._lay_out(len(axes) > 0)
        self.goal.currentIndexChanged.connect(self._follow)
        for box in self.boxes.values():
            box.toggled.connect(self._follow)
        self._follow()

    def _boxes(self, devices: Sequence[Device], every: bool) -> dict[str, CheckField]:
        """Return a box for each other device that can be used, by its id."""
        names = {each.id: f"{each.name}, {each.id}" for each in devices if not each.problem}
        self.own_name = names.pop(self.own, units.device(self.own))
        boxes = {id_: CheckField(units.clip(name, 60)) for id_, name in names.items()}
        for box in boxes.values():
            box.setChecked(every)
            box.setFixedHeight(_BOX_PX)
        return boxes

    def _lay_out(self, batches: bool) -> None:
        about = tr(
            "Each change is measured interleaved with the best settings before it, and the "
            "winner with the default settings."
        )
        self.form = QFormLayout()
        self.form.addRow(tr("Goal"), self.goal)
        self.form.addRow(tr("p95 at most"), self.limit)
        self._batches = QWidget()
        row(self.axis, self.lengths, on=self._batches, stretch=1)
        if batches:
            self.form.addRow(tr("Batch sizes to try"), self._batches)
        places = column_of(spacing=0)
        text = tr("{device} (settings)").format(device=self.own_name)
        places.addWidget(label(units.clip(text, 60)))
        add_to(places, *self.boxes.values())
        if not self.boxes:
            places.addWidget(label(tr("This machine has no other device."), "secondary"))
        self.form.addRow(tr("Devices"), places)
        self.form.addRow(tr("Provider options"), self.options)
        self.form.addRow(tr("Duration"), self.seconds)
        column = column_of(on=self, spacing=GAP, margins=(PADDING,) * 4)
        add_to(column, wrapped(about), self.form, self.problem)
        column.addLayout(row(None, self.stop, self.start))

    def _follow(self) -> None:
        """Offer batch sizes where they matter, and time for all devices."""
        if self._batches.parent() is not None:
            self.form.setRowVisible(self._batches, self.goal.value == Goal.THROUGHPUT.value)
        others = sum(box.isChecked() for box in self.boxes.values())
        self.seconds.setValue(_SECONDS + _SECONDS_MORE * others)

    def _finish(self) -> None:
        try:
            self.search = self._chosen()
        except BadInput as error:
            self.problem.setText(str(error))
            self.problem.show()
            return
        self.accept()

    def _chosen(self) -> Search:
        """Return what was chosen. Raises BadInput: a text cannot be read."""
        goal = Goal(self.goal.value)
        axis, batches = "", tuple[int, ...]()
        if goal is Goal.THROUGHPUT and self.axis.count() and self.lengths.text().strip():
            axis, batches = self.axis.value, read_lengths(self.lengths.text())
        texts = filter(str.strip, self.options.text().split(";"))
        others = (id_ for id_, box in self.boxes.items() if box.isChecked())
        return Search(
            float(self.seconds.value()),
            Aim(goal, self.limit.value() * 1e6, axis),
            tuple(others),
            batches,
            tuple(map(read_option, texts)),
        )
