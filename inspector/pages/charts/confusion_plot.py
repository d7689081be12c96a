"""The confusion matrix of a folder of labeled files: each row in colors of its shares."""

from inspector import units
from inspector.pages.charts.drawing import (
    LETTER,
    MARGIN,
    Box,
    Drawing,
    Label,
    Shape,
    text_width,
)
from inspector.pages.charts.palette import WHITE
from inspector.preview.runs.folder import Confusion
from inspector.wording.values import Count, Name, Sentence, Value

# pixels of a cell, so that names are whole
_HIGHEST = 30.0
_WIDEST = 76.0
_LEAST = 6.0
# of names; above the rows; cells with text
_MOST_NAMES = 126.0
_TOP = 46.0
_ROOMY = 16.0
# opacity of a cell
_FAINTEST = 0.15
_FULLEST = 0.9
_ON_FILL = 0.5  # share of a row from which a cell is dark


def confusion_plot(confusion: Confusion, width: float) -> Drawing:
    """Draw how many files of each class (rows) were taken for each class (columns)."""
    labels = [Name(units.clip(name, 80)) for name in confusion.labels]
    counts = confusion.counts
    widest = max(map(text_width, labels), default=0.0)
    names = min(_MOST_NAMES, max(widest, text_width("Actual class", bold=True)) + 8)
    left = MARGIN + names
    share = max(120.0, width - left - MARGIN) / max(1, len(labels))
    tall, wide = (max(_LEAST, min(most, share)) for most in (_HIGHEST, _WIDEST))
    shapes: list[Shape] = [
        Label(MARGIN, _TOP - 8, "Actual class", bold=True),
        Label(left, 18, "Predicted class", bold=True),
    ]
    for row, label in enumerate(labels):
        y, total = _TOP + row * tall, max(1, int(counts[row].sum()))
        if tall >= _ROOMY:
            name = _cut(label, names - 8)
            shapes.append(Label(left - 8, y + tall / 2 + 4, name, "secondary", anchor="end"))
            x, name = left + (row + 0.5) * wide, _cut(label, wide - 3)
            shapes.append(Label(x, _TOP - 8, name, "secondary", anchor="middle"))
        for place, other in enumerate(labels):
            count, x = int(counts[row, place]), left + place * wide
            part = count / total
            title = Sentence(
                "{actual}: {count} predicted as {predicted}", label, Count(count, "file"), other
            )
            tint = ("accent" if place == row else "bad") if count else "track"
            full = _FAINTEST + (_FULLEST - _FAINTEST) * part if count else 1.0
            shapes.append(Box(x, y, wide - 1, tall - 1, tint, full, title))
            if count and tall >= _ROOMY:
                tone, middle = WHITE if part > _ON_FILL else "text", x + (wide - 1) / 2
                text = Label(middle, y + tall / 2 + 4, Count(count), tone, anchor="middle")
                shapes.append(text)
    return Drawing("Confusion matrix", width, _TOP + len(labels) * tall + 8, tuple(shapes))


def _cut(label: Name, width: float) -> Name:
    """Return as much of the begin of a label as fits: it says most."""
    return Name(units.clip(label.text, max(2, int(width / 11 / LETTER))))


def confusion_text(confusion: Confusion) -> Value:
    """Return how many classes there are, and how many files are wrong."""
    total = int(confusion.counts.sum())
    values: dict[str, Value] = {
        "labels": Count(len(confusion.labels), "label"), "total": Count(total),
        "wrong": Count(total - int(confusion.counts.trace())),
    }  # fmt: skip
    return Sentence("Confusion matrix: {labels}, {wrong} of {total} wrong", **values)
