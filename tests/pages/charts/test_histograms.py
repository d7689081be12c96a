import pytest
from hypothesis import given
from hypothesis import strategies as some

from inspector.model.tensors.tensor_statistics import Histogram
from inspector.pages.charts.drawing import Box, Label, worded
from inspector.pages.charts.histograms import BINS, histogram, value_histogram, value_text
from inspector.pages.charts.plane import numbers, round_step, sizes
from inspector.wording.values import ENGLISH

samples = some.lists(some.integers(1, 10**12), min_size=1, max_size=80)


@given(samples)
def test_a_histogram_counts_every_sample_once(values):
    bars = histogram(values)
    counts = [int(bar.title.rpartition(":")[2].split(" at ")[0]) for bar in bars]
    assert sum(counts) == len(values)
    assert max(bar.height for bar in bars) == 1
    assert sum(bar.median for bar in bars) == 1


def test_one_hiccup_does_not_press_the_rest_into_one_bar():
    values = [1000 + 10 * i for i in range(50)] + [90_000]
    heights = [bar.height for bar in histogram(values)]
    assert len(heights) == BINS
    assert sum(height > 0 for height in heights) > 5
    assert histogram(values)[-1].title.endswith("90.0 µs: 1")


def test_the_median_is_in_the_bar_that_says_so():
    bars = histogram([10, 10, 10, 20, 30, 40, 40])
    assert next(i for i, bar in enumerate(bars) if bar.median) == 5


def test_of_nothing_there_is_nothing_to_draw():
    assert histogram(()) == ()


@given(some.floats(1e-3, 1e12))
def test_steps_are_round(rough):
    step = round_step(rough)
    assert 0.79 * rough <= step <= 2.51 * rough
    assert f"{step:e}"[0] in "125"


def test_an_axis_keeps_one_unit():
    assert [text for _, text in sizes(0, 3 << 20, 3)] == ["0 MiB", "1 MiB", "2 MiB", "3 MiB"]
    assert sizes(100, 900, 2) == ((500.0, "500 B"),)
    assert [value for value, _ in numbers(0.91, 1.09, 4)] == pytest.approx([0.95, 1.0, 1.05])


def test_each_bar_of_values_says_its_range_also_where_it_is_empty():
    shown = Histogram(-1.0, 0.5, (1, 7, 0))
    drawing = worded(value_histogram(shown, 300))
    titles = [box.title for box in drawing.shapes if isinstance(box, Box) and box.title]
    assert titles == [
        "1 value from -1 to -0.5", "7 values from -0.5 to 0", "0 values from 0 to 0.5"
    ]  # fmt: skip
    bars = [box for box in drawing.shapes if isinstance(box, Box) and box.fill == "accent"]
    assert bars[1].height == pytest.approx(7 * bars[0].height)
    assert max(box.x + box.width for box in bars) < 200, "few bars are not as wide as the card"
    zero = next(each for each in drawing.shapes if isinstance(each, Label) and each.text == "0")
    assert zero.x == pytest.approx(bars[1].x + bars[1].width, abs=1.5)
    told = "3 bars from -1 to 0.5; the highest from -0.5 to 0"
    assert ENGLISH.text(value_text(shown)) == told
