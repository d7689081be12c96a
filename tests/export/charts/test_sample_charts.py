import pytest
from hypothesis import given
from hypothesis import strategies as some

from inspector.export.charts.sample_charts import (
    BINS,
    axis_text,
    histogram,
    round_step,
)

samples = some.lists(some.integers(1, 10**12), min_size=1, max_size=80)


@given(samples)
def test_a_histogram_counts_every_sample_once(values: list[int]) -> None:
    bars = histogram(values)
    counts = [int(bar.title.rpartition(":")[2].split(" at ")[0]) for bar in bars]
    assert sum(counts) == len(values)
    assert max(bar.height for bar in bars) == 1
    assert sum(bar.median for bar in bars) == 1


def test_one_hiccup_does_not_press_the_rest_into_one_bar() -> None:
    values = [1000 + 10 * i for i in range(50)] + [90_000]
    heights = [bar.height for bar in histogram(values)]
    assert len(heights) == BINS
    assert sum(height > 0 for height in heights) > 5
    assert histogram(values)[-1].title.endswith("90.0 µs: 1")


def test_the_median_is_in_the_bar_that_says_so() -> None:
    bars = histogram([10, 10, 10, 20, 30, 40, 40])
    assert next(i for i, bar in enumerate(bars) if bar.median) == 5


def test_of_nothing_there_is_nothing_to_draw() -> None:
    assert histogram(()) == ()


@given(some.floats(1e-3, 1e12))
def test_steps_are_round(rough: float) -> None:
    step = round_step(rough)
    assert 0.79 * rough <= step <= 2.51 * rough
    assert f"{step:e}"[0] in "125"


@pytest.mark.parametrize(
    ("ns", "reach", "text"),
    [(500_000, 2_000_000, "0.5 ms"), (0, 900, "0 ns"), (1_200_000, 3e9, "0.0012 s")],
)
def test_an_axis_keeps_one_unit(ns: float, reach: float, text: str) -> None:
    assert axis_text(ns, reach) == text
