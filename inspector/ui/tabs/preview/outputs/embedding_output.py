"""An answer that is a vector: how alike it is to those that were kept."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from inspector.pages.blocks import Chart
from inspector.pages.charts.bars import TALL_ROW, Bar, tall_lines
from inspector.pages.charts.drawing import Drawing
from inspector.preview.inputs.image_files import Picture
from inspector.preview.outputs.embedding import (
    CosineSimilarity,
    SavedVector,
    Vector,
    similarities,
)
from inspector.ui import units
from inspector.ui.tabs.preview.read_outputs import Reading
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.chart import ChartView
from inspector.ui.widgets.parts import Elided, button, column_of, row, wrapped
from inspector.ui.widgets.theme import Theme
from inspector.wording.values import Name

SHOWN = 12  # neighbors
MOST_KEPT = 200  # embeddings
_TOP_PX = 8.0  # above the first bar


def similarity_chart(shown: Sequence[CosineSimilarity]) -> Chart:
    """Return a bar for each kept answer, the nearest first; its middle is a cosine of 0."""
    bars = [
        Bar(
            Name(units.clip(each.name, 120)), abs(each.cosine) / 2,
            units.number(each.cosine, ".4f"),
            "accent" if each.cosine >= 0 else "bad", 0.9 if place else 1.0,
            0.5 + min(0.0, each.cosine) / 2, 0.5,
        )
        for place, each in enumerate(shown[:SHOWN])
    ]  # fmt: skip

    def draw(width: float) -> Drawing:
        tall = 2 * _TOP_PX + len(bars) * TALL_ROW
        return Drawing("", width, tall, tuple(tall_lines(bars, width, _TOP_PX)))

    return Chart("similarity", draw, tr("Cosine similarity, highest first"))


class EmbeddingBody(QWidget):
    """Keeps answers on request, and tells how near the present one is to each."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.saved: list[SavedVector] = []
        self._vector: Vector | None = None
        self._subject = ""
        self._words = wrapped("", "caption")
        self.keep, self.forget = button(theme, tr("Save embedding")), button(theme, tr("Clear"))
        self._size = Elided("", "caption", Qt.TextElideMode.ElideRight)
        self.bars = ChartView(theme)
        column = column_of(self.bars, self._words, on=self, spacing=8)
        column.addLayout(row((self._size, 1), self.forget, self.keep))
        self.keep.clicked.connect(self._keep)
        self.forget.clicked.connect(self._forget)

    def show_reading(self, reading: Reading, before: Picture | None, labels: str) -> None:
        """Show another answer beside those that were kept."""
        self._vector, self._subject = reading.vector, reading.subject
        self._refresh()

    @property
    def caption(self) -> str:
        """Return the caption below the bars."""
        return self._words.text()

    def _keep(self) -> None:
        if self._vector is not None:
            name = self._subject or tr("result {count}").format(count=len(self.saved) + 1)
            same = sum(each.name.split(" · ")[0] == name for each in self.saved)
            self.saved.append(
                SavedVector(f"{name} · {same + 1}" if same else name, self._vector)
            )
            self.saved = self.saved[-MOST_KEPT:]
            self._refresh()

    def _forget(self) -> None:
        self.saved = []
        self._refresh()

    def _refresh(self) -> None:
        vector = self._vector
        if vector is None:
            return
        neighbors = similarities(vector, self.saved)
        self.bars.show_chart(similarity_chart(neighbors))
        self.bars.setVisible(bool(neighbors))
        self.forget.setVisible(bool(self.saved))
        length = float((vector @ vector) ** 0.5)
        self._size.set_text(
            tr("{count:,} values · L2 norm {length:.4g}").format(
                count=len(vector), length=length
            )
        )
        first = tr(
            "Save this embedding, then change the input to compare the two by cosine "
            "similarity."
        )
        nearest = (
            tr("the {shown} nearest of ").format(shown=SHOWN) if len(neighbors) > SHOWN else ""
        )
        others = plural(len(neighbors), "saved embedding")
        text = tr("Cosine similarity to {nearest}{others}; 1 = same direction").format(
            nearest=nearest, others=others
        )
        self._words.setText(text if neighbors else first)
