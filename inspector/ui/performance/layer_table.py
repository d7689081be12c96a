"""The layers of a report in a card: filter, table, legend and the sum."""

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox

from inspector import units
from inspector.analysis.layer_sum import cautions, sum_sentence
from inspector.marking import Mark
from inspector.report import InsertedNode, PerformanceReport
from inspector.ui.documents.selection import Selection
from inspector.ui.kit.legend import Legend
from inspector.ui.kit.parts import PADDING, Elided, label, row, tip
from inspector.ui.kit.table import Table
from inspector.ui.kit.table_card import FilterField, TableCard
from inspector.ui.kit.theme import Theme
from inspector.ui.performance.layer_model import LayerTableModel
from inspector.ui.performance.layer_view import LayerCells
from inspector.ui.performance.layer_widths import widths

_FIND = "Filter by name, operator or device"


class LayerTable(TableCard):
    """Shows what became of each layer; what is chosen here is chosen everywhere."""

    def __init__(
        self,
        theme: Theme,
        report: PerformanceReport,
        selection: Selection,
        precisions: tuple[str, ...] = (),
    ) -> None:
        model = LayerTableModel(report, precisions)
        table = Table(theme, "Layers", model, LayerCells(theme, model))
        field = FilterField(theme, "Filter layers", _FIND, wide=262, small=130, roomy=700)
        inserted = QCheckBox(_inserted_words(report))
        super().__init__(theme, table, "Layers", field, 6, inserted)
        self.model, self.inserted = model, inserted
        self._report, self._selection = report, selection
        self.inserted.setVisible(bool(report.inserted))
        self.count.setToolTip(tip("Own time of what is listed, per prediction"))
        self.legend = Legend(theme, _marks(report))
        self.notice = label(" ".join(cautions(report)), "caution")
        self.notice.setWordWrap(True)
        self.notice.setContentsMargins(PADDING - 1, 0, PADDING - 1, 8)
        self.notice.setVisible(bool(self.notice.text()))
        self.body.insertWidget(1, self.notice)
        line = sum_sentence(report)
        self.sum = Elided(line, "secondary", Qt.TextElideMode.ElideRight)
        self.sum.setVisible(bool(line))
        summed = row(self.sum)
        summed.setContentsMargins(PADDING - 1, 6 if line else 0, PADDING - 1, 0)
        self.body.addLayout(summed)
        foot = row(self.legend)
        foot.setContentsMargins(PADDING - 1, 6, PADDING - 1, 0)
        self.body.addLayout(foot)
        self.inserted.toggled.connect(self.model.show_inserted)
        selection.changed.connect(self.follow_selection)
        self.refresh()

    def widths(self, room: int) -> tuple[int, ...]:
        """The names take what is over."""
        return widths(self.model.columns, room)

    def counted(self) -> str:
        """How many entries are shown, and their own time."""
        shown = f"{self.model.rowCount():,} of {self.model.total:,}"
        time = self.model.shown_ns()
        return f"{shown} · {units.duration(time)}" if time else f"{shown} · not timed"

    def selected_row(self) -> int | None:
        """The row of the selected layer or inserted node."""
        return self.model.row_of(self._selection.now)

    def choose_row(self, row: int) -> None:
        """Select a layer, or a span of an inserted node."""
        entry = self.model.entry(row)
        if isinstance(entry, InsertedNode):
            self._selection.choose(span=self.model.span_of(entry))
        else:
            self._selection.choose(layer=entry.index)


def _marks(report: PerformanceReport) -> Iterator[Mark]:
    return (support.mark for layer in report.layers for support in layer.devices.values())


def _inserted_words(report: PerformanceReport) -> str:
    time = sum(node.time_ns for node in report.inserted)
    return (
        f"{len(report.inserted):,} inserted · {units.duration(time) if time else 'not timed'}"
    )
