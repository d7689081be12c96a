"""The list of what the search of the graph found, below its field."""

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem

from inspector.analysis.layer_search import LayerIndex
from inspector.model.display_names import fit_lines
from inspector.ui import units
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.parts import Card, add_to, label
from inspector.ui.widgets.theme import Theme

WIDE_PX = 460  # with room for a name, an operator and a shape
LISTED = 100  # layers; of more, people type another word
_SHOWN_ROWS = 8
_ROW_PX = 26  # height
_OPERATOR_PX = 96  # width
_SHAPE_PX = 112  # width
_ASIDE_PX = 40  # width of margins and the scroll bar
_NAME = 2000  # letters; the last ones tell most


class Hits(Card):
    """Layers with operator and first output; `chosen` tells the number of the match."""

    chosen = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, padding=4)
        self.list = QTreeWidget()
        self.list.setAccessibleName(tr("Layers found"))
        self.list.setColumnCount(3)
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the field keeps the keys
        self.list.setStyleSheet(
            "QTreeWidget { border: none; background: transparent; }"
            f"QTreeWidget::item {{ height: {_ROW_PX}px; }}"
        )
        header = self.list.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column, width in ((1, _OPERATOR_PX), (2, _SHAPE_PX)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            header.resizeSection(column, width)
        self.rest = label("", "caption")
        self.rest.setContentsMargins(6, 2, 6, 2)
        self.body.setSpacing(0)
        add_to(self.body, self.list, self.rest)
        self.list.itemClicked.connect(lambda item: self.chosen.emit(self._place(item)))
        self.hide()

    @property
    def high(self) -> int:
        """Return how high it is with all its rows, or as many as it shows without scrolling."""
        rows = min(_SHOWN_ROWS, self.list.topLevelItemCount())
        rest = self.rest.sizeHint().height() if not self.rest.isHidden() else 0
        return rows * _ROW_PX + rest + 10

    def show_matches(self, index: LayerIndex, matches: Sequence[int]) -> None:
        """List the layers at these places; none hides the list."""
        self.list.clear()
        metrics, room = self.list.fontMetrics(), WIDE_PX - _OPERATOR_PX - _SHAPE_PX - _ASIDE_PX
        listed = [index.layers[place] for place in matches[:LISTED]]
        names = [units.clip_name(layer.label, _NAME) for layer in listed]
        shown = fit_lines(names, room, metrics.horizontalAdvance, matches[:LISTED])
        for layer, name, line in zip(listed, names, shown, strict=True):
            output = index.values.get(layer.outputs[0]) if layer.outputs else None
            shape = output.shape if output is not None else None
            texts = [line, units.clip(layer.operator, _NAME)]
            item = QTreeWidgetItem([*texts, units.shape(shape) if shape else ""])
            item.setToolTip(0, name)
            item.setTextAlignment(
                2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            )
            self.list.addTopLevelItem(item)
        left = len(matches) - LISTED
        self.rest.setText(
            tr("and {layers}").format(layers=plural(left, "more layer")) if left > 0 else ""
        )
        self.rest.setVisible(left > 0)
        self.setVisible(bool(matches))

    def mark(self, number: int) -> None:
        """Select the row of a match."""
        item = self.list.topLevelItem(number) if number >= 0 else None
        if item is not None:
            self.list.setCurrentItem(item)
        else:
            self.list.setCurrentIndex(QModelIndex())

    def _place(self, item: QTreeWidgetItem) -> int:
        return self.list.indexOfTopLevelItem(item)
