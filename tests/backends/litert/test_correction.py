"""Layer times as they are without LiteRT's profiler, without the runtime."""

import pytest
from msgspec.structs import replace

from inspector.backends.litert.correction import (
    Correction,
    RunTimes,
    correction,
    cut_ranges,
    run_parts,
    run_times,
)
from inspector.backends.litert.layer_times import (
    DELEGATED,
    OPERATOR,
    REQUEST,
    WHOLE,
    Event,
    Kernel,
)

NOTHING = run_times([])
# A reading of the memory in use takes 7 us, a pause 1, and reports of XNNPACK's two kernels 4.
RUN = [
    Event(REQUEST, "invoke", 0, 0, 93, 60),
    Event(WHOLE, "Invoke", 0, 0, 100, 40),
    Event(OPERATOR, "UNPACK", 0, 0, 107, 3),
    Event(OPERATOR, "ADD", 1, 0, 111, 5),
    Event(DELEGATED, "Fully Connected (NC, F32) GEMM", 0, 0, 0, 8),
    Event(DELEGATED, "Sigmoid (NC)", 1, 0, 0, 0),
    Event(OPERATOR, "PACK", 4, 0, 129, 9),
]
KERNELS = [
    Kernel(event, event.node, 0 if event.type == DELEGATED else -1)
    for event in RUN
    if event.type in (OPERATOR, DELEGATED)
]


def kernels_of(*events: tuple[int, int, int]) -> list[list[Kernel]]:
    run = [Kernel(Event(t, "", n, 0, 0, us), n, -1) for t, n, us in events]
    return [run, run]


def times(some: Correction, kernels: list[Kernel]) -> list[float]:
    return [round(some.time_us(kernel), 3) for kernel in kernels]


def test_a_run_is_taken_apart_by_the_starts_and_ends_of_its_events():
    spent = run_times([RUN, RUN])
    assert spent == RunTimes(
        invoke_us=40, operators_us=17, between_us=1, pauses=1, around_us=9,
        partitions_us=13, kernels_us=8, memory_us=7, begins_inside=False,
    )  # fmt: skip


def test_what_was_cut_is_the_rest_of_a_partition():
    """A kernel of 8 us lost half of one on average, that of 0 us the rest."""
    some = correction([KERNELS], run_times([RUN]), 4.0, 100.0, 100.0)
    assert times(some, KERNELS) == [3, 5, 8.5, 0.5, 9]
    least = correction([KERNELS], run_times([RUN]), 4.8, 100.0, 100.0)
    assert times(least, KERNELS) == [3, 5, 8.2, 0, 9]


@pytest.mark.parametrize(
    ("times", "low", "high"),
    [
        ([8] * 10, 0, 1),
        ([8] * 9 + [40], 0, 1),
        ([8] * 7 + [9] * 3, 0.44, 0.76),
        ([8] * 3 + [7] * 7, 0.44, 0.76),
        ([8] * 3 + [9] * 7, 0.24, 0.56),
        ([6, 7, 8, 8, 9, 9, 9, 10, 11, 12], 0.44, 0.56),
    ],
)
def test_what_was_cut_is_known_better_where_times_vary(times, low, high):
    runs = [[Kernel(Event(DELEGATED, "Add", 0, 0, 0, us), 0, 0)] for us in times]
    less, more = cut_ranges(runs, Correction(cut_us={(0, 0): 0.5}))[0, 0]
    assert (less, more) == pytest.approx((0.5 - low, high - 0.5))


def test_the_parts_of_a_run_add_up_to_it():
    spent = run_times([RUN])
    some = correction([KERNELS], spent, 4.0, 20.0, 20.0)
    parts, between_us = run_parts(spent, KERNELS, some, 4.0)
    assert sum(part.time_ns for part in parts) == 40_000
    assert {part.name: part.time_ns for part in parts} == {
        "layers, as reported by the runtime": 22_000,
        "missing from the times of XNNPACK kernels (rounded down)": 1000,
        "between layers": 3000,
        "profiler: reading the memory in use": 7000,
        "profiler: storing the times (included in the layer times)": 3000,
        "profiler: reporting XNNPACK kernel times": 4000,
    }
    assert between_us == 3
    parts, between_us = run_parts(spent, KERNELS, some, None)
    assert (parts[-1].name, parts[-1].time_ns) == ("XNNPACK, outside its kernels", 4000)
    assert between_us is None


@pytest.mark.parametrize("kernel_us", [8, 12, 13, 14])
@pytest.mark.parametrize("whole", [RUN, [*RUN[:2], *RUN[4:]]])
def test_parts_add_up_where_more_is_estimated_than_there_is_room_for(whole, kernel_us):
    run = [replace(e, duration_us=kernel_us) if e.duration_us == 8 else e for e in whole]
    estimated = Correction(operator_us=9.0, cut_us={(0, 0): 0.75, (0, 1): 0.75})
    parts, _ = run_parts(run_times([run]), KERNELS, estimated, 4.0)
    assert sum(part.time_ns for part in parts) == 40_000


def test_a_reading_of_memory_is_not_in_kernels_where_a_run_begins_with_a_partition():
    run = [
        Event(REQUEST, "invoke", 0, 0, 93, 60),
        Event(WHOLE, "Invoke", 0, 0, 100, 20),
        Event(DELEGATED, "Add (ND)", 0, 0, 0, 8),
        Event(DELEGATED, "Add (ND)", 1, 0, 0, 0),
    ]
    spent = run_times([run])
    kernels = [Kernel(event, event.node, 0) for event in run[2:]]
    some = correction([kernels], spent, 4.0, 100.0, 100.0)
    assert times(some, kernels) == [8.5, 0.5]


def test_without_the_cost_of_reports_cut_times_are_filled_up_to_what_a_run_takes():
    runs = kernels_of((DELEGATED, 0, 2), (DELEGATED, 1, 3), (OPERATOR, 2, 4))
    some = correction(runs, NOTHING, None, 9.5, 9.5)
    assert times(some, runs[0]) == [2.25, 3.25, 4.0]
    far = correction(runs, NOTHING, None, 100.0, 100.0)  # the rest is no layer's
    assert times(far, runs[0]) == [2.5, 3.5, 4.0]


def test_what_the_profiler_takes_inside_of_layers_is_as_long_as_a_pause():
    some = correction([KERNELS], run_times([RUN]), 4.0, 10.0, 10.0)
    assert some.operator_us == 1.0
    assert some.excess == pytest.approx(2.3)
    assert sum(some.time_us(kernel) for kernel in KERNELS) == pytest.approx(10.0)
    slower = correction([KERNELS], run_times([RUN]), 4.0, 10.0, 5.0)
    assert slower.slowdown == pytest.approx(2.0)
    assert sum(slower.time_us(kernel) for kernel in KERNELS) == pytest.approx(5.0)
    little = correction([KERNELS], run_times([RUN]), 4.0, 25.4, 25.4)
    assert little.operator_us == pytest.approx(0.2)  # no more than all took too long
    assert little.excess == 1.0
