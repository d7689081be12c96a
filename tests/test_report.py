import numpy as np

from inspector.report import PerformanceReport, from_json, to_json
from inspector.trace import COLUMNS
from tests.reports import example_report


def same(one: PerformanceReport, other: PerformanceReport) -> bool:
    names = [name for name in one.__dataclass_fields__ if name != "trace"]
    plain = all(getattr(one, name) == getattr(other, name) for name in names)
    columns = all(
        np.array_equal(getattr(one.trace, key), getattr(other.trace, key)) for key in COLUMNS
    )
    return plain and columns and one.trace.tracks == other.trace.tracks


def test_a_report_reads_back_as_it_was_written() -> None:
    report = example_report()
    assert same(report, from_json(to_json(report), "r.json"))
