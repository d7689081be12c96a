"""An answer that is a vector: how alike it is to those that were kept."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector import units
from inspector.preview.inputs.image_files import Picture
from inspector.preview.outputs.embedding import (
    CosineSimilarity,
    SavedVector,
    Vector,
    similarities,
)
from inspector.ui.tabs.overview.about import wrapped
from inspector.ui.tabs.preview.read_outputs import Reading
from inspector.ui.translate import plural, tr
from inspector.ui.widgets.parts import Elided, button, row
from inspector.ui.widgets.theme import Theme, colour, font, painter_on

LINE, SHOWN, MOST_KEPT = 34, 12, 200


class SimilarityBars(QWidget):
    """A bar for each kept answer, the nearest first; the middle of a bar is a cosine of 0."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._shown: tuple[CosineSimilarity, ...] = ()
        self.setAccessibleName(tr("Cosine similarity, highest first"))
        theme.changed.connect(self.update)

    def show_likenesses(self, shown: tuple[CosineSimilarity, ...]) -> None:
        """Show others."""
        self._shown = shown[:SHOWN]
        self.setFixedHeight(len(self._shown) * LINE)
        descriptions = (
            f"{units.clip(each.name, 80)} {each.cosine:.4f}" for each in self._shown
        )
        self.setAccessibleDescription("; ".join(descriptions))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw names, numbers and bars."""
        painter, look = painter_on(self), self._theme.palette
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place, each in enumerate(self._shown):
            box = QRectF(0, place * LINE, self.width(), LINE)
            text_box = box.adjusted(0, 2, 0, -12)
            painter.setFont(font(13, 600 if place == 0 else 400))
            painter.setPen(colour(look.text))
            right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(text_box, int(right), f"{each.cosine:.4f}")
            name = painter.fontMetrics().elidedText(
                units.clip(each.name, 120),
                Qt.TextElideMode.ElideMiddle,
                int(text_box.width() - 76),
            )
            painter.drawText(text_box, Qt.AlignmentFlag.AlignVCenter, name)
            track = QRectF(0, box.bottom() - 9, box.width(), 6)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(look.track))
            painter.drawRoundedRect(track, 3, 3)
            zero, reach = track.center().x(), each.cosine * track.width() / 2
            filled = QRectF(min(zero, zero + reach), track.top(), abs(reach), 6)
            painter.setBrush(colour(look.accent if reach >= 0 else look.bad, 0.9))
            painter.drawRoundedRect(filled, 3, 3)
            painter.fillRect(QRectF(zero - 0.5, track.top() - 2, 1, 10), colour(look.border))


class EmbeddingBody(QWidget):
    """Keeps answers on request, and tells how near the present one is to each."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.saved: list[SavedVector] = []
        self._vector: Vector | None = None
        self._subject = ""
        self._words = wrapped("", "caption")
        self.keep, self.forget = button(theme, tr("Save embedding")), button(theme, tr("Clear"))
        self._size = Elided("", "caption")
        self.bars = SimilarityBars(theme)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.bars)
        column.addWidget(self._words)
        foot = row(self._size, self.forget, self.keep)
        foot.setStretch(0, 1)
        column.addLayout(foot)
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
        self.bars.show_likenesses(neighbors)
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
