import numpy as np

from inspector.analysis.measured.sample_statistics import statistics
from inspector.backends.measuring.clean_pass import StoppingRule, missed_precision_note
from inspector.report.run_spec import RunSpec


def noise(count: int, spread: float = 0.1, seed: int = 0) -> list[int]:
    random = np.random.default_rng(seed)
    return [int(value) for value in 2e6 * np.exp(spread * random.normal(size=count))]


def taken(spec: RunSpec, samples: list[int], each_ns: int = 2_000_000) -> int:
    end = StoppingRule(spec)
    count = 0
    while not end.reached(samples[:count], count * each_ns):
        count += 1
    return count


def test_a_fixed_number_is_taken_whatever_they_say():
    assert taken(RunSpec(runs=30), noise(100)) == 30


def test_a_least_time_goes_on_behind_the_number():
    assert taken(RunSpec(runs=30, seconds=0.1), noise(100)) == 50


def test_it_goes_on_until_the_interval_of_the_median_is_narrow():
    samples = noise(20_000)
    count = taken(RunSpec(until=0.01), samples)
    assert 100 < count < 5000
    found = statistics(samples[:count])
    assert (found.median_high_ns - found.median_low_ns) / 2 / found.p50_ns < 0.0105


def test_less_noise_takes_fewer():
    calm, loud = noise(20_000, 0.02), noise(20_000, 0.2)
    spec = RunSpec(runs=10, until=0.01)
    assert taken(spec, calm) * 5 < taken(spec, loud)


def test_the_time_ends_it_and_a_sentence_says_so():
    spec, samples = RunSpec(until=0.0005, most_seconds=1), noise(2000)
    assert taken(spec, samples) == 500
    assert missed_precision_note(samples[:500], spec).startswith(
        "The median is known only to ±1"
    )
    assert missed_precision_note(samples, RunSpec(until=0.5)) == ""
    assert missed_precision_note(samples, RunSpec()) == ""


def test_progress_follows_what_is_furthest_behind():
    end = StoppingRule(RunSpec(runs=100, seconds=2))
    assert end.share(50, int(1.5e9)) == 0.5
    assert end.share(100, int(1e9)) == 0.5
    sure = StoppingRule(RunSpec(runs=10, until=0.01, most_seconds=100))
    assert sure.share(10, 0) == 0
    sure.reached(noise(20, 0.05), 0)
    assert 0 < sure.share(20, 0) < 1


def test_it_goes_on_for_the_full_pace_but_not_for_ever():
    spec = RunSpec(runs=10, steady=0.1)
    soon = StoppingRule(spec, lambda now_ns: now_ns >= 50_000_000)
    assert not soon.reached(noise(10), 20_000_000)
    assert soon.share(10, 20_000_000) < 0
    assert soon.reached(noise(12), 50_000_000)
    never = StoppingRule(spec, lambda now_ns: False)
    assert not never.reached(noise(10), 20_000_000)
    assert not never.reached(noise(50), 119_000_000)
    assert never.reached(noise(60), 120_000_000)
    assert StoppingRule(RunSpec(runs=10), lambda now_ns: False).reached(noise(10), 20_000_000)
