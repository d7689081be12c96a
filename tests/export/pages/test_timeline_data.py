import json
import re
from dataclasses import replace

import numpy as np
from inspector.export.pages.html import MOST_SPANS, MOST_VALUES, timeline_data

from inspector.export.registry import export
from inspector.trace.trace import Counter, Kind, Lane, Trace, Track
from inspector.trace.trace_builder import TraceBuilder
from inspector.trace.trace_rows import median_prediction
from tests.reports import example_report, example_trace

CPU = Track(Lane.COMPUTE, "CPU", "cpu", "cpu")
CALLS = Track(Lane.ACTIVITY, "Activity", family="activity")


def data(trace: Trace) -> dict:  # type: ignore[type-arg]
    text = timeline_data(trace)
    assert text is not None
    return json.loads(text)


def long_trace(runs: int, kernels: int) -> Trace:
    build = TraceBuilder()
    for run in range(runs):
        start = run * kernels * 100
        build.add(CALLS, "run", start, kernels * 100 - 10, Kind.CALL, run=run)
        for place in range(kernels):
            at = start + place * 100
            build.add(CPU, f"k{place}", at, 40 + place % 50, Kind.KERNEL, place, run)
    return build.trace()


def test_a_short_trace_is_told_span_by_span() -> None:
    trace = example_trace()
    found = data(trace)
    assert found["cell"] == 0
    assert sum(len(row["start"]) for row in found["rows"]) == len(trace)
    row = next(row for row in found["rows"] if found["tracks"][row["track"]]["name"] == "GPU")
    starts = np.cumsum(row["start"]) + found["begin"]
    mine = (trace.track == row["track"]) & (trace.depth == row["depth"])
    assert starts.tolist() == trace.start_ns[mine].tolist()
    assert row["length"] == trace.duration_ns[mine].tolist()
    assert [found["names"][i] for i in row["name"]] == [
        trace.names[i] for i in trace.name[mine].tolist()
    ]


def test_a_long_trace_is_bounded_and_keeps_its_sums_and_one_prediction() -> None:
    trace = long_trace(400, 200)
    text = timeline_data(trace)
    assert text is not None
    assert len(text) < 1_000_000
    found = json.loads(text)
    assert sum(len(row["start"]) for row in found["rows"]) <= MOST_SPANS
    row = next(row for row in found["rows"] if "count" in row)
    assert sum(row["count"]) == 400 * 200
    assert sum(row["busy"]) == int(trace.duration_ns[trace.track == row["track"]].sum())
    starts = np.cumsum(row["start"]) + found["begin"]
    begin, end = median_prediction(trace)
    inside = (starts >= begin) & (starts < end)
    assert np.count_nonzero(inside) == 200
    assert set(np.array(row["count"])[inside]) == {1}


def test_a_single_endless_prediction_is_bounded_too() -> None:
    found = data(long_trace(1, 60_000))
    assert sum(len(row["start"]) for row in found["rows"]) <= MOST_SPANS


def test_counters_are_thinned_to_their_highest_values() -> None:
    values = np.zeros(10_000)
    values[5003] = 9.0
    memory = Counter("Memory", "bytes", np.arange(10_000), values)
    (found,) = data(replace(example_trace(), counters=(memory,)))["counters"]
    assert len(found["value"]) == MOST_VALUES
    assert max(found["value"]) == 9


def test_names_cannot_end_the_script_they_are_in() -> None:
    build = TraceBuilder()
    name = "</script><script>alert(1)</script><!--\u2028&amp;"
    build.add(CPU, name, 0, 10, Kind.KERNEL, run=0)
    text = timeline_data(build.trace())
    assert text is not None
    assert not set(text) & set("<>&\u2028")
    assert json.loads(text)["names"] == ["</script><script>alert(1)</script><!--\\u2028&amp;"]
    page = export(example_report(trace=build.trace()), "html").decode()
    assert len(re.findall(r"<script\b", page)) == 2
    assert len(re.findall(r"</script", page)) == 2


def test_nothing_measured_has_no_timeline() -> None:
    assert timeline_data(TraceBuilder().trace()) is None


def test_units_without_a_color_of_their_own_take_that_of_accelerators() -> None:
    build = TraceBuilder()
    families = {"CPU": "cpu", "GPU": "gpu", "Data": "data", "Calls": "activity", "X": "tpu"}
    for name, family in families.items():
        build.add(Track(Lane.COMPUTE, name, name, family), "one", 0, 10, Kind.KERNEL)
    tracks = {track["name"]: track["family"] for track in data(build.trace())["tracks"]}
    assert tracks == families | {"X": "npu"}
