"""The timeline of LiteRT has one clock, though only some of its events have a start."""

from importlib.util import find_spec

import pytest

if find_spec("ai_edge_litert") is None:
    pytest.skip("needs the extra litert", allow_module_level=True)

from inspector.backends.litert.layer_times import DELEGATED, OPERATOR, Event, Kernel
from inspector.backends.litert.measure import _trace

HOUR_US = 3_600_000_000
US = 1000


def run_at(start_us: int) -> list[Kernel]:
    events = (
        Event(DELEGATED, "Pad", 0, 0, 0, 8),
        Event(DELEGATED, "Copy", 1, 0, 0, 9),
        Event(OPERATOR, "MIRROR_PAD", 2, 0, start_us, 100),
        Event(DELEGATED, "Convolution", 3, 0, 0, 50),
    )
    return [Kernel(event, -1, -1) for event in events]


def delegated() -> list[Kernel]:
    return [Kernel(Event(DELEGATED, "Convolution", 0, 0, 0, 50), -1, -1)] * 2


def test_kernels_without_a_start_stand_beside_operators_with_one():
    trace = _trace({0: run_at(HOUR_US), 1: run_at(HOUR_US + 1_000)}, ())
    assert trace.start_ns.tolist() == [
        each * US for each in (0, 8, 17, 117, 1_000, 1_008, 1_017, 1_117)
    ]
    assert trace.end_ns == 1_167 * US


def test_runs_without_any_start_follow_one_another():
    trace = _trace({0: delegated(), 1: delegated()}, ())
    assert trace.start_ns.tolist() == [0, 50 * US, 100 * US, 150 * US]


def test_a_run_without_a_start_may_come_first():
    trace = _trace({0: delegated(), 1: run_at(HOUR_US)}, ())
    assert trace.start_ns.tolist() == [each * US for each in (0, 50, 100, 108, 117, 217)]
