"""The sizes from which rules on a report have something to say."""

from dataclasses import replace

import pytest

from inspector.analysis.advice.report_rules import LARGE_BYTES, held_twice, outputs_not_bound
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import RunSpec
from tests.analysis.build import layers, model, value
from tests.reports import example_report

MIB = 1 << 20


def measured(weights: int = 0, extra: int = 0, file: int = 0, **spec: str) -> PerformanceReport:
    report = example_report()
    memory = replace(
        report.memory,
        weights_bytes=weights,
        loaded_bytes=report.memory.start_bytes + weights + extra,
    )
    identity = replace(report.model, size_bytes=file)
    return replace(report, memory=memory, model=identity, spec=RunSpec(**spec))


@pytest.mark.parametrize(("file", "told"), [(MIB - 1, False), (MIB, True)])
def test_a_file_kept_in_memory_counts_from_one_mebibyte(file, told):
    found = [*held_twice(measured(file=file, load_from="bytes"))]
    assert [one.settings for one in found] == ([("load_from",)] if told else [])
    assert not [*held_twice(measured(file=file))]


@pytest.mark.parametrize(
    ("weights", "extra", "told"),
    [(16 * MIB, 8 * MIB + 1, True), (16 * MIB, 8 * MIB, False), (16 * MIB - 1, 9 * MIB, False)],
)
def test_memory_besides_the_weights_counts_from_half_of_large_ones(weights, extra, told):
    found = [*held_twice(measured(weights, extra))]
    assert bool(found) is told
    assert all("8.00 MiB on top of its 16.0 MiB of weights" in one.sentence for one in found)


def test_only_large_outputs_are_told_to_be_allocated_anew():
    report = example_report(spec=RunSpec(), prediction_ns=(100_000,) * 30)
    large, small = (
        value(name, "uint8", (size,)) for name, size in (("y", MIB), ("z", MIB - 1))
    )
    (found,) = outputs_not_bound(report, model(layers(), outputs=(large, small)))
    assert found.sentence == "Each run allocates 1.00 MiB for 1 output."
    assert LARGE_BYTES == MIB
    assert not [*outputs_not_bound(report, model(layers(), outputs=(small,)))]
    bound = replace(report, spec=RunSpec(binding="outputs"))
    assert not [*outputs_not_bound(bound, model(layers(), outputs=(large,)))]
