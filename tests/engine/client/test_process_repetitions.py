from dataclasses import replace

import numpy as np
import pytest

from inspector.backends.values import Progress
from inspector.engine.client.process_repetitions import (
    measure_in_processes,
    pool_reports,
    with_part,
)
from inspector.errors import Cancelled, EngineDied, InspectorError
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.statistics.cpu_speed import CpuSpeed
from inspector.trace.trace import COLUMNS, Lane, Track, from_columns
from tests.reports import example_report


def measured(spec: RunSpec, failing: InspectorError | None = None) -> PerformanceReport:
    asked: list[RunSpec] = []

    def once(each: RunSpec, step: str, known_ns: int) -> PerformanceReport:
        asked.append(each)
        if failing is not None and len(asked) == 3:
            raise failing
        number = len(asked)
        assert step == ("" if number == 1 else f"process {number} of {spec.starts}")
        assert each.profiled_runs
        assert bool(each.concurrency) == (number == 1)
        return example_report(
            prediction_ns=(number,) * number,
            notes=("same", f"took {number} ms", "n" * number),
            loads_ns=(number,),
        )

    return measure_in_processes(once, replace(spec, concurrency=(2,)))


def test_one_start_is_the_report_as_it_is():
    assert measured(RunSpec()).start_lengths == ()


def test_all_samples_are_kept_with_their_start():
    report = measured(RunSpec(starts=3))
    assert report.prediction_ns == (1, 2, 2, 3, 3, 3)
    assert report.start_lengths == (1, 2, 3)
    assert report.loads_ns == (1, 2, 3)
    assert report.notes == ("same", "took 1 ms", "n", "nn", "nnn")


def test_times_that_are_equal_are_kept_once():
    def once(each: RunSpec, step: str, known_ns: int) -> PerformanceReport:
        times = tuple(int(text) for text in ["70123", "70124"] * 50)
        return example_report(prediction_ns=times, prediction_cpu_ns=times)

    for starts in (1, 2):
        found = measure_in_processes(once, RunSpec(starts=starts))
        assert found.prediction_ns == (70123, 70124) * 50 * starts
        for times in (found.prediction_ns, found.prediction_cpu_ns):
            assert len(set(map(id, times))) <= 2 * starts


def test_each_start_has_its_own_times_of_the_layers():
    report = measured(RunSpec(starts=3))
    (first, *others) = report.start_layers_ns
    assert others == [first, first]
    timed = [layer.time_ns is not None for layer in report.layers]
    assert [ns is not None for ns in first] == timed
    for layer, ns in zip(report.layers, first, strict=True):
        if ns is not None:
            assert ns == round(float(np.median(report.layer_samples_ns(layer.index))))
    assert measured(RunSpec()).start_layers_ns == ()


def test_many_predictions_of_many_layers_are_told_apart():
    runs, last = 2_000, 20  # their product does not fit the narrow columns of the trace
    count, nothing = np.arange(runs), np.zeros(runs, np.int64)
    columns = dict.fromkeys(COLUMNS, nothing) | {
        "start_ns": count * 100, "duration_ns": nothing + 70, "layer": nothing + last,
        "run": count,
    }  # fmt: skip
    trace = from_columns([Track(Lane.COMPUTE, "CPU")], ["layer"], columns)
    report = example_report(trace=trace)
    found = measure_in_processes(lambda *_: report, RunSpec(starts=2)).start_layers_ns
    assert [times[last] for times in found] == [70, 70]


def test_notes_of_the_first_start_are_all_kept_and_those_of_others_once():
    first = example_report(notes=("Layer 3 took 4 ms.", "Layer 5 took 4 ms."))
    other = example_report(notes=("Layer 3 took 7 ms.", "It was busy for 2.5 ms."))
    third = example_report(notes=("It was busy for 8 ms.",))
    assert pool_reports(first, [other, third]).notes == (*first.notes, other.notes[1])


def test_starts_in_which_other_layers_were_timed_have_none():
    report = example_report()
    other = replace(report, layers=tuple(replace(one, time_ns=None) for one in report.layers))
    assert pool_reports(report, [other]).start_layers_ns == ()
    assert pool_reports(other, [other]).start_layers_ns == ()
    assert len(pool_reports(report, [other, report]).start_layers_ns) == 2


def test_a_later_start_that_fails_costs_its_samples_alone():
    report = measured(RunSpec(starts=5), EngineDied("Could not measure", "it crashed"))
    assert report.start_lengths == (1, 2)
    assert report.notes[-1] == "Process 3 of 5 failed: it crashed."


def test_cancelling_a_later_start_cancels_all():
    with pytest.raises(Cancelled):
        measured(RunSpec(starts=5), Cancelled("Could not measure", "it was stopped"))


def test_a_later_start_is_one_step():
    heard: list[Progress] = []
    with_part("start 2 of 5", heard.append)(Progress("load", 0.5))
    with_part("", heard.append)(Progress("load", 0.5))
    assert [(each.part, each.step) for each in heard] == [
        ("start 2 of 5", "load"),
        ("", "load"),
    ]


def started(spec: RunSpec, paces: list[bool]) -> PerformanceReport:
    known: list[int] = []

    def once(each: RunSpec, step: str, known_ns: int) -> PerformanceReport:
        known.append(known_ns)
        probes = (4000 if paces[len(known) - 1] else 7000,) * 21
        report = example_report(prediction_ns=(10**6,) * 200, prediction_cpu_ns=(10**6,) * 200)
        pace = CpuSpeed(probes, tuple(range(0, 201, 10)), 4000)
        return replace(report, spec=RunSpec(threads=1), pace=pace)

    report = measure_in_processes(once, spec, 4100)
    assert known == [4100, *[4000] * (len(known) - 1)]
    return report


def test_starts_that_never_reached_full_pace_are_made_up_for():
    spec = RunSpec(starts=3, steady=3)
    report = started(spec, [True, False, True, True, True])
    assert len(report.start_lengths) == 4
    assert report.full_speed_predictions.lengths == (200, 200, 200)
    assert report.full_speed_predictions.starts == 4


def test_there_are_never_more_than_twice_as_many():
    report = started(RunSpec(starts=3, steady=3), [False] * 9)
    assert len(report.start_lengths) == 6
    assert not report.full_speed_predictions.enough


def test_who_does_not_wait_for_full_pace_gets_the_starts_that_were_asked_for():
    assert len(started(RunSpec(starts=3), [False] * 9).start_lengths) == 3
    assert started(RunSpec(steady=3), [False] * 9).start_lengths == ()
