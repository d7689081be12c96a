"""Values of the speed of a language model: what follows from times, and old reports."""

from dataclasses import replace

import pytest

from inspector.errors import UnreadableFile
from inspector.report.language.speed import GenerationSpeed, PhaseLayers, SpeedRow, pool_speeds
from inspector.report.layer_timing import Profiling
from inspector.report.report import from_json, to_json
from tests.reports import example_report


def row(prompt: int, context: int, step_ns: int = 10, repetitions: int = 5) -> SpeedRow:
    """Return a row whose steps take two times in turn."""
    steps = tuple((step_ns, 3 * step_ns) * 10 for _ in range(repetitions))
    prefill = (1000,) * repetitions if prompt else ()
    samples = (5,) * len(prefill)
    return SpeedRow(prompt, context, 1, prefill, samples, prefill, steps)


def test_speed_is_that_of_the_median_step():
    measured = row(128, 128, step_ns=10_000_000)
    assert measured.tokens_per_second == 1e9 / measured.median_step_ns
    assert measured.tokens_per_second == pytest.approx(50)
    low, high = measured.speed_interval
    assert low <= measured.tokens_per_second <= high
    assert measured.quantile_ns(0.99) == 30_000_000
    assert replace(measured, batch=4).tokens_per_second == pytest.approx(200)


def test_first_token_is_prefill_and_choice():
    assert set(row(128, 128).first_token_ns) == {1005}
    assert row(500, 500).prefill_per_second == pytest.approx(500 * 1e9 / 1000)
    assert row(0, 512).prefill_per_second is None
    assert SpeedRow(64, 64).tokens_per_second is None


def test_headlines_are_the_usual_prompt_and_context():
    speed = GenerationSpeed((row(0, 0), row(100, 100), row(512, 512), row(0, 2048)))
    assert speed.decode.context == 512
    assert speed.prompt.prompt == 100
    assert GenerationSpeed(()).decode is None
    assert GenerationSpeed((row(64, 64),), tokenize_ns=7).request_ns == 1012


def test_processes_are_repetitions_of_the_same_rows():
    first = GenerationSpeed((row(128, 128), row(0, 512)))
    other = GenerationSpeed((row(0, 512, repetitions=3), row(9, 9)))
    pooled = pool_speeds(first, [other])
    assert [len(each.step_ns) for each in pooled.rows] == [5, 8]
    assert pooled.repetitions == 8


def test_a_report_keeps_it_and_earlier_ones_have_none():
    report = example_report()
    layers = PhaseLayers(
        "decode", 1, 512, tuple(each.time_ns for each in report.layers), 0, 7, 10,
        Profiling(between_ns=2),
    )  # fmt: skip
    speed = GenerationSpeed((row(128, 128), row(0, 512)), "loop", decode_layers=layers)
    read = from_json(to_json(replace(report, generation=speed)), "a.json")
    assert read.generation == speed
    assert from_json(to_json(report), "old.json").generation is None
    assert layers.explained == pytest.approx(0.9)


@pytest.mark.parametrize(
    "broken",
    [
        GenerationSpeed((replace(row(128, 128), first_sample_ns=(1,)),)),
        GenerationSpeed((), decode_layers=PhaseLayers("decode", 1, 0, (1,), 0, 1, 1)),
    ],
)
def test_times_that_do_not_belong_together_are_refused(broken):
    with pytest.raises(UnreadableFile):
        from_json(to_json(example_report(generation=broken)), "a.json")
