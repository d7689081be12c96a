"""Names beside the lanes stay where they are, whatever is told of their rows."""

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtGui import QImage, QPainter

from inspector.pages.charts.palette import LIGHT
from inspector.trace.intervals import Intervals
from inspector.trace.trace import Counter
from inspector.ui.timeline.model.geometry import GUTTER, Band, Scale
from inspector.ui.timeline.widget.gutter import Names, busy_text

MS, HIGH = 1_000_000, 34


def work(*lengths: int) -> Intervals:
    """Spans of some lengths, the first at 1 s, each a second after the one before."""
    start = (np.arange(len(lengths)) + 1) * 1000 * MS
    long = np.array(lengths, np.int64)
    return Intervals(start, long, np.cumsum(long) - long)


def band(title: str, high: int = HIGH) -> Band:
    busy = work(MS, 100 * MS, 12_300_000)
    return Band(0, 0, high, (), False, "key", title, "cpu", busy)


def window(second: int) -> Scale:
    """A second of time; the work of each takes more or less room to tell."""
    return Scale(second * 1e9, (second + 1) * 1e9, GUTTER, 200)


def drawn(
    names: Names, shown: Band, scale: Scale
) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    image = QImage(GUTTER, shown.height, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    names.draw(painter, (shown,), scale, LIGHT)
    painter.end()
    lines = np.frombuffer(image.constBits(), np.uint8)
    return lines.reshape(shown.height, GUTTER, 4)[..., :3].copy()


def inked(
    picture: np.ndarray[tuple[int, ...], np.dtype[np.uint8]],
) -> np.ndarray[tuple[int, ...], np.dtype[np.intp]]:
    """Columns with letters, right of the colored bar."""
    return np.flatnonzero((picture[:, 24:] < 200).any((0, 2))) + 24


@pytest.mark.parametrize(
    ("title", "high", "part"),
    [
        ("model 1", HIGH, np.s_[:, :95]),
        ("model 1", 22, np.s_[:, :95]),
        ("mobilenet.onnx · CPU", HIGH, np.s_[: HIGH // 2, :]),
        ("mobilenet_v3_large.onnx", HIGH, np.s_[: HIGH // 2, :]),
        ("mobilenet_v3_large.onnx", 22, np.s_[:, :]),
    ],
)  # fmt: skip
def test_names_do_not_move_while_their_numbers_change(qtbot, title, high, part):
    names, shown = Names(), band(title, high)
    told = [busy_text(shown, window(second)) for second in range(4)]
    assert told == ["–", "1.00 ms", "100 ms", "12.3 ms"]
    pictures = [drawn(names, shown, window(second)) for second in range(4)]
    assert (pictures[0][part] < 100).any(), "there is a name"
    assert all((picture[part] == pictures[0][part]).all() for picture in pictures)


def test_numbers_end_at_the_same_pixel_beside_their_names(qtbot):
    shown = band("model 1")
    ends = {inked(drawn(Names(), shown, window(second)))[-1] for second in (1, 2, 3)}
    assert max(ends) - min(ends) <= 1
    assert GUTTER - 16 < max(ends) < GUTTER - 8


def test_a_number_wider_than_usual_goes_below_a_name_that_leaves_no_room(qtbot):
    values = np.array([1.0, 1_022 * 2**20])
    counter = Counter("Memory", "bytes", np.array([0, 2_000 * MS]), values)
    shown = replace(band("Memory used"), counter=counter, family="counter")
    assert [busy_text(shown, window(second)) for second in (0, 2)] == ["1 B", "1022 MiB"]
    usual, wide = (drawn(Names(), shown, window(second)) for second in (0, 2))
    below = np.s_[HIGH - 9 : HIGH - 5, 28:95]
    assert (usual[below] > 200).all()
    assert (wide[below] < 200).any()
