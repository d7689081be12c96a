"""Whether a latency can be quoted is one sentence, with what to do where it cannot."""

from dataclasses import replace

from inspector.analysis.verdicts.quoting import quoting
from inspector.report.environment import SystemLoad
from inspector.report.language.speed import GenerationSpeed, SpeedRow
from inspector.report.report import PerformanceReport
from inspector.statistics.cpu_speed import CpuSpeed
from tests.reports import example_report

MS = 1_000_000


def timed(*times_ns: int) -> PerformanceReport:
    return example_report(prediction_ns=times_ns, prediction_cpu_ns=times_ns)


def test_many_even_runs_on_an_idle_cpu_are_good_to_quote():
    said = quoting(timed(*([10 * MS] * 20 + [10 * MS + 9] * 20)))
    assert said.good
    assert str(said.sentence).startswith("Good to quote: 10.0 ms, median of ")


def test_a_busy_cpu_a_few_runs_and_wide_intervals_are_not():
    busy = replace(timed(*([10 * MS] * 40)), surroundings=SystemLoad(others=0.4))
    few = timed(*([10 * MS] * 5))
    wide = timed(*(round(MS * (5 + (7 * n) % 40 / 4)) for n in range(40)))
    for report, reason, quiet in (
        (busy, "Do not quote 10.0 ms: other programs used 40% of the CPU.", True),
        (few, "Do not quote 10.0 ms: only 5 runs timed.", False),
        (wide, "Quote the range, ", False),
    ):
        said = quoting(report)
        assert str(said.sentence).startswith(reason)
        assert (said.good, said.quiet) == (False, quiet)
    assert not quoting(timed()).good


def test_a_slow_cpu_is_not_told_to_be_idle():
    times, places = (4000,) * 10 + (6400,) * 31, tuple(range(0, 410, 10))
    slowed = replace(timed(*([MS] * 400)), pace=CpuSpeed(times, places, 4000))
    said = quoting(slowed)
    assert said.quiet, "another measurement may do better"
    assert "let the CPU cool down" in str(said.sentence)
    assert "idle" not in str(said.sentence)
    on_battery = replace(slowed, surroundings=SystemLoad(on_battery=True))
    assert "Plug in the power supply" in str(quoting(on_battery).sentence)


def test_a_measurement_that_contradicts_another_is_not():
    one, other = (timed(*(ns + n % 5 for n in range(50))) for ns in (76_000, 53_000))
    assert quoting(one).good
    assert "2 measurements: 53.0 µs to 76.0 µs" in str(quoting(one, (one, other)).sentence)


def test_of_a_language_model_the_time_of_a_token_is_quoted_as_the_cards_show_it():
    steps = tuple((10 * MS,) * 20 for _ in range(6))
    rows = (SpeedRow(128, 128, 1, (MS,) * 6, (0,) * 6), SpeedRow(0, 512, step_ns=steps))
    report = timed(*(ns for each in steps for ns in each))
    said = quoting(replace(report, generation=GenerationSpeed(rows)))
    assert said.good
    assert "10.0 ms per token at context 512, median of 120 tokens" in said.sentence
