from time import perf_counter_ns

import numpy as np
import pytest

from inspector.backends.onnxruntime.measuring.load_phases import (
    LogPhase,
    MemorySamples,
    log_phases,
)
from tests.engine.watching import wait_for

HOUR = 3600 * 10**9
BEGAN = 11 * HOUR + 59 * 60 * 10**9 + 59 * 10**9  # 11:59:59, one second before noon


def line(microseconds: int, words: str, zone_hours: int = 0, where: str = "") -> bytes:
    """A line as the runtime writes it, so many microseconds after the load began."""
    at = BEGAN // 1000 + microseconds
    seconds, fraction = divmod(at, 10**6)
    clock = f"{seconds // 3600 + zone_hours:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    file = where or "graph_transformer.cc:15 Apply"
    return f"2026-03-14 {clock}.{fraction:06}000 [I:onnxruntime:, {file}] {words}\n".encode()


WHOLE = [
    (100, "Session Options { execution_mode:0 }"),
    (1_000, "Initializing session."),
    (1_500, "Applying 16 graph transformer(s) for level 1 for up to 10 step(s)."),
    (1_600, "Applying graph transformer ConstantFolding on step 1."),
    (1_900, "GraphTransformer ConstantFolding modified: 1 with status: OK"),
    (2_000, "Stopping graph transformer iteration for level 1 after step 2 because"),
    (2_500, "Running graph optimizations in loop 1 time/s"),
    (2_600, "Applying 30 graph transformer(s) for level 2 for up to 10 step(s)."),
    (3_000, "Applying 3 graph transformer(s) for level 3 for up to 10 step(s)."),
    (3_200, "Applying graph transformer NchwcTransformer on step 1."),
    (7_000, "GraphTransformer NchwcTransformer modified: 1 with status: OK"),
    (7_500, "Node placements"),
    (8_000, "Saving initialized tensors."),
    (8_700, "Done saving initialized tensors"),
    (9_800, "Session successfully initialized."),
]


def read(told: list[tuple[int, str]], zone_hours: int = 0) -> tuple[LogPhase, ...]:
    return log_phases([line(at, words, zone_hours) for at, words in told], BEGAN, 10_000_000)


@pytest.mark.parametrize("zone_hours", [0, 1, -5])
def test_phases_follow_each_other_from_the_beginning_to_the_end(zone_hours):
    phases = [each for each in read(WHOLE, zone_hours) if not each.inside]
    assert [
        (each.name, each.start_ns // 1000, each.duration_ns // 1000) for each in phases
    ] == [
        ("read and parse", 0, 1_000),
        ("check the graph", 1_000, 500),
        ("graph optimization, level 1", 1_500, 500),
        ("assign layers to devices", 2_000, 500),
        ("graph optimization, level 2", 2_500, 500),
        ("graph optimization, level 3", 3_000, 4_500),
        ("plan execution", 7_500, 500),
        ("copy the weights", 8_000, 700),
        ("prepack the weights", 8_700, 1_100),
    ]


def test_passes_of_the_optimiser_lie_in_their_level():
    passes = [each for each in read(WHOLE) if each.inside]
    assert [(each.name, each.inside, each.duration_ns // 1000) for each in passes] == [
        ("ConstantFolding", "graph optimization, level 1", 300),
        ("NchwcTransformer", "graph optimization, level 3", 3_800),
    ]


def test_a_log_of_another_version_tells_nothing_rather_than_something_wrong():
    assert read([(100, "Loading begins"), (9_000, "Loading ended")]) == ()
    garbage = [b"", b"\xff\xfe\x00", b"12:61:99.1 [I:onnxruntime:x] \n", b"Traceback\n"]
    assert log_phases(garbage, BEGAN, 10_000_000) == ()


def test_a_phase_without_its_end_lasts_to_the_end_of_the_load():
    (first, second) = read(WHOLE[:2])
    assert (first.name, second.name) == ("read and parse", "check the graph")
    assert second.end_ns == 10_000_000


def test_a_phase_that_took_no_time_is_left_out():
    phases = read([(1_000, WHOLE[1][1]), (1_000, WHOLE[2][1])])
    assert [each.name for each in phases] == ["read and parse", "graph optimization, level 1"]


def test_lines_of_another_time_are_left_out():
    early = line(-5_000_000, "Initializing session.")
    late = line(20_000, "Initializing session.")
    assert log_phases([early, late], BEGAN, 10_000_000) == ()


def test_memory_grows_in_the_phase_that_takes_it_and_is_unknown_of_short_ones():
    with MemorySamples() as memory:
        began = perf_counter_ns()
        held = np.ones(64 << 20, np.uint8)
        filled = perf_counter_ns()
        wait_for(lambda: memory.grown_bytes(filled, perf_counter_ns() - filled) is not None)
        took = perf_counter_ns() - began
    grown = memory.grown_bytes(began, took)
    assert grown > 0.9 * held.nbytes
    assert memory.grown_bytes(began, 1000) is None
    assert memory.grown_bytes(began - 10**9, took) is None
    memory._at_ns, memory._bytes = [0, 10, 20, 30, 40], [1, 2, 4, 8, 16]
    assert memory.grown_bytes(5, 25) == 8 - 1, "from the last sample before it to its last one"
