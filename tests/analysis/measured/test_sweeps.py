from dataclasses import replace

import pytest

from inspector.analysis.measured import sweep_results
from inspector.analysis.measured.latency import latency
from inspector.analysis.measured.sweep_labels import settings_label
from inspector.analysis.measured.sweep_results import Candidate, gain, gain_of
from inspector.app.runner import round_of as round_from
from inspector.pages.charts import sweep_plot
from inspector.pages.charts.drawing import Label
from inspector.pages.sweep import sweep_page
from inspector.render.tables.sweep_csv import csv
from inspector.report.output_verdict import DEGRADED, SAME, WITHIN, OutputVerdict
from inspector.report.report import Throughput
from inspector.report.sweep import Agreement, Cell, CellState, Round, Sweep
from inspector.statistics.significance import Verdict
from tests.page_text import document
from tests.page_text import text as page_text
from tests.reports import example_report, half_slow
from tests.sweeps import costs, model, planned, round_of, samples


def filled(rounds: int = 2, **changes: int) -> Sweep:
    sweep = planned(rounds=rounds, **changes)
    for number in range(rounds):
        for cell in sweep.cells:
            sweep = sweep.measured(cell.at, round_of(costs(sweep.spec_of(cell)), number))
    return sweep


def test_the_best_cell_is_the_one_with_the_least_median():
    sweep = filled()
    best = sweep_results.best(sweep)
    assert best is not None
    assert (sweep.value(best, "threads"), sweep.value(best, "optimization")) == (2, "all")
    assert sweep_results.best(planned()) is None


def test_a_last_match_decides_among_those_in_it():
    sweep = filled(confirm=2)
    first, second, third = sweep_results.finalists(sweep)
    for number in range(2, 4):
        sweep = sweep.measured(first, round_of(9e6, number))
        sweep = sweep.measured(second, round_of(1.2e6, number))
        sweep = sweep.measured(third, round_of(9e6, number))
    assert sweep_results.finalists(sweep) == (first, second, third)
    best = sweep_results.best(sweep)
    assert best.at == second


def test_starts_that_differ_widen_the_interval_of_a_median():
    alike = shaky = planned(rounds=4)
    for number in range(4):
        alike = alike.measured((0, 0), round_of(2e6, number))
        shaky = shaky.measured((0, 0), round_of(2e6 * (1 + number), number))
    near, far = (
        sweep_results.median_interval(each.by_place[(0, 0)]) for each in (alike, shaky)
    )
    assert near[0] < 2e6 < near[1] < 2.1e6
    assert far[0] < 2.5e6
    assert far[1] > 6e6
    assert sweep_results.median_interval(alike.by_place[(1, 1)]) is None


def test_the_default_leaves_all_to_the_runtime_and_keeps_the_model():
    sweep = filled()
    best = sweep_results.best(sweep)
    assert best is not None
    usual = sweep_results.default(sweep, best)
    assert usual is not None
    assert (sweep.value(usual, "threads"), sweep.value(usual, "optimization")) == (0, "all")


def test_the_gain_over_the_default_has_an_interval_with_four_starts():
    for rounds, sure in ((2, False), (4, True)):
        sweep = filled(rounds)
        best = sweep_results.best(sweep)
        assert best is not None
        found = sweep_results.gain_over_default(sweep, best)
        assert found.ratio == pytest.approx(0.5, rel=0.1)
        assert (found.low is not None) is sure
    assert (
        sweep_results.gain_over_default(sweep, sweep_results.default(sweep, best) or best)
        is None
    )


def test_starts_that_differ_widen_the_interval():
    same = [samples(2e6, seed) for seed in range(6)]
    steady = [samples(1.8e6, 10 + seed) for seed in range(6)]
    shaky = [samples(1.8e6 * (1 + 0.3 * (-1) ** seed), 10 + seed) for seed in range(6)]
    sure, unsure = gain(same, steady), gain(same, shaky)
    assert sure.verdict is Verdict.FASTER
    assert unsure.verdict is Verdict.NOISY  # nobody would agree to "no change" of ±30%
    assert sure.high is not None
    assert sure.low < 0.9 < sure.high < 1


def test_equal_settings_are_no_gain_and_few_starts_decide_nothing():
    draws = [samples(2e6, seed) for seed in range(12)]
    assert gain(draws[:6], draws[6:]).verdict is Verdict.SAME
    assert gain(draws[:3], draws[3:6]).verdict is Verdict.UNDECIDED
    assert gain([], []).verdict is Verdict.UNDECIDED


def test_the_front_holds_whom_no_other_beats_in_everything():
    every = (
        Candidate("whole", 100, 10.0, None, is_reference=True),
        Candidate("half", 50, 11.0, OutputVerdict(SAME)),
        Candidate("worse half", 60, 12.0, OutputVerdict(WITHIN)),
        Candidate("small", 25, 9.0, OutputVerdict(DEGRADED)),
        Candidate("unknown", 25, 9.5, None),
    )
    assert sweep_results.front(every) == (0, 1, 3)
    assert sweep_results.front(every[:1] * 2) == (0, 1)


def test_a_model_is_judged_by_its_best_cell_and_its_answers():
    sweep = planned(model("a", 100), model("b", 50), rounds=1)
    for cell in sweep.cells:
        cost = costs(sweep.spec_of(cell)) * (1 + sweep.model_of(cell))
        sweep = sweep.measured(cell.at, round_of(cost))
    agreements = (Agreement(equal=True), Agreement(psnr=54.0, verdict=OutputVerdict(WITHIN)))
    first, second = sweep_results.candidates(replace(sweep, agreements=agreements))
    assert (first.name, first.size_bytes, first.label) == ("a", 100, "reference")
    assert (second.verdict, second.label) == (OutputVerdict(WITHIN), "nearly the same")
    assert second.median_ns == pytest.approx(2 * first.median_ns, rel=0.05)


def test_throughput_of_several_rounds_is_taken_together():
    one = replace(round_of(1e6), throughput=(Throughput(2, 100, (10, 20)),))
    cell = planned().measured((0, 0), one).measured((0, 0), one).by_place[(0, 0)]
    (both,) = sweep_results.throughput(cell)
    assert both == Throughput(2, 200, (10, 20, 10, 20))
    assert both.per_second == 4 / 200e-9


def test_rounds_at_full_pace_decide_where_there_are_some():
    fast, slow = ((1_000_000,) * 20, (1_700_000,) * 60)
    rounds = tuple(
        Round(1, 1, each, 0, full=full)
        for each, full in ((slow, False), (fast, True), (slow, False))
    )
    paced, never = Cell((0,), CellState.DONE, rounds=rounds), Cell((1,), rounds=rounds[::2])
    assert sweep_results.median_ns(paced) == 1_000_000
    assert sweep_results.median_ns(never) == 1_700_000
    assert sweep_results.median_interval(replace(paced, rounds=rounds * 2)) == (1e6, 1e6)


def test_a_sweep_says_of_which_runs_its_latencies_are_by_the_rule_of_measure():
    full = filled()
    assert {sweep_results.latency_kind(cell) for cell in full.cells} == {"at full CPU speed"}
    note = "Median, p5, p95 and mean are of runs at full CPU speed"
    text = page_text(sweep_page(full))
    assert f"{note}." in text
    assert "1.00 ms at full CPU speed (95% CI" in text
    assert f"{note}." in document(sweep_page(full), "md")
    assert {line.split(",")[-1] for line in csv(full).split()[1:]} == {"at_full_cpu_speed"}
    for plot in ("heat", "lines"):
        drawing = "".join(
            s.text for s in sweep_plot.plot(full, plot).shapes if isinstance(s, Label)
        )
        assert "at full CPU speed" in drawing
    slow = tuple(replace(each, at_full_speed=False) for each in full.cells[0].rounds)
    mixed = full.put(replace(full.cells[0], rounds=slow))
    name = settings_label(mixed, mixed.cells[0])
    assert f"{note}, except for: {name} (of all runs)." in page_text(sweep_page(mixed))
    assert sweep_results.common_kind(mixed) == ""
    assert csv(mixed).split()[1].endswith(",all_predictions")
    older = tuple(replace(each, at_full_speed=None) for each in full.cells[0].rounds)
    assert sweep_results.latency_kind(replace(full.cells[0], rounds=older)) == ""


def test_a_round_is_at_full_cpu_speed_where_the_median_of_its_report_is():
    for report in (half_slow(), example_report()):
        both = latency(report)
        assert round_from(report).at_full_speed == (both.at_full_cpu_speed is not None)


def test_a_sweep_that_ended_after_one_of_six_names_no_best():
    sweep = planned(confirm=3).measured((0, 0), round_of(2e6))
    assert sweep_results.best(sweep) is None
    assert sweep_results.candidates(sweep) == ()
    early = "Incomplete: 1 of 21 measurements done."
    assert sweep_results.early_end(sweep).startswith(
        f"{early} The fastest combination will be shown once"
    )
    assert "best" not in page_text(sweep_page(sweep))
    assert "**Incomplete: 1 of 21" in document(sweep_page(sweep), "md")
    assert "**2." not in document(sweep_page(sweep), "md")
    for cell in sweep.cells[1:]:
        sweep = sweep.measured(cell.at, round_of(costs(sweep.spec_of(cell))))
    assert sweep_results.best(sweep) is not None
    assert "may change" in sweep_results.early_end(sweep)
    assert sweep_results.early_end(filled()) == ""


def test_a_gain_is_not_told_from_a_filtered_side_and_an_unfiltered_one():
    slow = tuple(replace(round_of(11e6, seed), full=False) for seed in range(4))
    fast = tuple(round_of(2e6, seed) for seed in range(4))
    found = gain_of(slow, fast)
    assert found.verdict is Verdict.PACE
    assert "Inconclusive" in sweep_results.gain_text(found)


@pytest.mark.parametrize(("middle", "told"), [(1e6, "50.0% less"), (11.6e6, "5.8 times as")])
def test_gains_are_told_in_words_that_make_sense(middle, told):
    alike = [samples(2e6)] * 4
    found = gain(alike, [tuple(round(ns * middle / 2e6) for ns in alike[0])] * 4)
    assert sweep_results.gain_text(found).startswith(told)
