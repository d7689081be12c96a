from pathlib import Path
from typing import Any

import pytest

from inspector.cli.main import run
from inspector.formats.traces.detection import merged, open_trace
from inspector.formats.traces.span_collector import WALL, OpenedTrace
from tests.formats.made_traces import complete, opened
from tests.formats.traces.test_ort_profile import node, session


def chrome(folder: Path, at_us: int, **more: Any) -> OpenedTrace:
    events = [
        complete("a", at_us, 9, args={}), complete("b", at_us + 2, 3),
        {"ph": "C", "name": "heap", "ts": at_us, "pid": 1, "args": {"value": 5}},
    ]  # fmt: skip
    return opened(folder, {"traceEvents": events} | more)


def starts(found: OpenedTrace) -> dict[str, list[int]]:
    trace = found.trace
    spans = [trace.span(index) for index in range(len(trace))]
    owners = {span.track.process for span in spans}
    return {one: sorted(s.start_ns for s in spans if s.track.process == one) for one in owners}


def test_traces_of_one_clock_lie_where_they_were(tmp_path):
    monotonic = {"metadata": {"clock-domain": "LINUX_CLOCK_MONOTONIC"}}
    one, two = chrome(tmp_path, 1000, **monotonic), chrome(tmp_path, 5000, **monotonic)
    found = merged((one, two), ("x", "y"))
    assert starts(found) == {"x": [0, 2000], "y": [4_000_000, 4_002_000]}
    assert found.notes == ("Aligned by clock: LINUX_CLOCK_MONOTONIC.",)
    assert [(one.process, one.times_ns.tolist()) for one in found.trace.counters] == [
        ("x", [0]), ("y", [4_000_000]),
    ]  # fmt: skip


def test_traces_that_tell_when_they_began_are_on_the_systems_time(tmp_path):
    base = 1_700_000_000_000_000_000
    one = chrome(tmp_path, 7, baseTimeNanoseconds=base)
    two = chrome(tmp_path, 9, otherData={"wall_zero_ns": str(base + 50)})
    found = merged((two, one), ("x", "x"))
    assert starts(found) == {"x (1)": [2050, 4050], "x (2)": [0, 2000]}
    assert (found.clock.name, found.clock.zero_ns) == (WALL, base + 7000)


def test_what_tells_of_no_clock_begins_at_0_and_says_so(tmp_path):
    found = merged((chrome(tmp_path, 1000), chrome(tmp_path, 5000)), ("x", "y"))
    assert starts(found) == {"x": [0, 2000], "y": [0, 2000]}
    assert found.notes == (
        "The clocks of the files cannot be aligned: x and y have no clock. Each file "
        "starts at 0.",
    )
    one = chrome(tmp_path, 1, metadata={"clock-domain": "WIN_QPC"})
    two = chrome(tmp_path, 1, baseTimeNanoseconds=5)
    (note,) = merged((one, two), ("x", "y")).notes
    assert "use different clocks (WIN_QPC, the system's time)" in note


def profile(folder: Path, name: str, layer: str) -> OpenedTrace:
    events = [session("model_run", 100, 50), node(layer, "Conv", 110, 20)]
    opened(folder, events)
    return open_trace((folder / "trace.json").rename(folder / name))


def test_profiles_are_on_one_clock_to_the_second_by_their_names(tmp_path):
    one = profile(tmp_path, "ort_2026-03-01_10-00-00.json", "conv")
    two = profile(tmp_path, "ort_2026-03-01_10-00-02.json", "other")
    found = merged((one, two), ("one", "two"))
    assert starts(found)["two"][0] == 2_000_000_000
    assert found.notes == (
        "Aligned by clock: the system's time, from the file names, to within 1 s.",
    )
    assert [(layer.index, layer.name) for layer in found.layers] == [(0, "conv"), (1, "other")]
    trace = found.trace
    told = {trace.span(n).name: (trace.span(n).layer, trace.span(n).run) for n in range(4)}
    assert (told["conv"], told["other"]) == ((0, 0), (1, 1))


@pytest.mark.parametrize("name", ["ort_2026-13-01_10-00-00.json", "ort_9999999.json"])
def test_a_name_that_is_no_date_tells_no_clock(tmp_path, name):
    assert profile(tmp_path, name, "conv").clock is None


def test_a_clock_is_kept_in_a_file_of_columns(tmp_path):
    one = chrome(tmp_path, 7, baseTimeNanoseconds=1_700_000_000_000_000_000)
    target = tmp_path / "a.npz"
    assert (
        run(["trace", str(tmp_path / "trace.json"), "--export", "npz", "-o", str(target)]) == 0
    )
    assert open_trace(target).clock == one.clock is not None
