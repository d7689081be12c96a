"""What we export comes back as it was."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import given
from hypothesis import strategies as some

from inspector.formats.traces.detection import open_trace
from inspector.formats.traces.span_collector import OpenedTrace
from inspector.render.registry import export
from inspector.trace.chrome_json import trace_events
from inspector.trace.trace import (
    COLUMNS,
    KINDS,
    Counter,
    FlowKind,
    Kind,
    Lane,
    Trace,
    TracedLayer,
    Track,
)
from inspector.trace.trace_builder import TraceBuilder
from tests.reports import example_report

CPU = Track(Lane.COMPUTE, "CPU", "cpu", "cpu", "app.py", "net.onnx", "worker")
GPU = Track(Lane.COMPUTE, "GPU", "webgpu:0", "gpu")
DATA = Track(Lane.DATA, "Data", family="data")


def back(folder: Path, body: bytes) -> OpenedTrace:
    path = folder / "again.json"
    path.write_bytes(body)
    return open_trace(path)


def assert_equal(found: Trace, wanted: Trace) -> None:
    assert found.tracks == wanted.tracks
    for key in COLUMNS:
        if key != "name":
            np.testing.assert_array_equal(getattr(found, key), getattr(wanted, key), key)
    names = [wanted.names[name] for name in wanted.name]
    assert [found.names[name] for name in found.name] == names
    for key in ("begin", "end", "kind"):
        np.testing.assert_array_equal(getattr(found.flows, key), getattr(wanted.flows, key))
    assert found.moments == wanted.moments
    assert list(map(told, found.counters)) == list(map(told, wanted.counters))


def told(one: Counter) -> tuple[str, str, str, list[int], list[float]]:
    return one.name, one.unit, one.process, one.times_ns.tolist(), one.values.tolist()


def test_a_report_exported_and_opened_keeps_every_span(tmp_path):
    report = example_report()
    found = back(tmp_path, export(report, "trace"))
    assert_equal(found.trace, report.trace)
    assert found.source == "Trace exported by Inspector"
    assert found.notes == ()
    layers = {layer.index: layer for layer in report.layers}
    assert found.layers
    for layer in found.layers:
        assert (layer.name, layer.operator) == (
            layers[layer.index].name, layers[layer.index].operator,
        )  # fmt: skip


def test_a_trace_alone_is_exported_too(tmp_path):
    build = TraceBuilder()
    build.track(DATA)
    build.add(CPU, "late", 5_000_000_001, 3, Kind.KERNEL, 4, 2)
    trace = build.trace(zero_ns=0)
    found = back(tmp_path, trace_events(trace, (TracedLayer(4, "conv", "Conv"),), {}))
    assert_equal(found.trace, trace)
    assert found.layers == (TracedLayer(4, "conv", "Conv"),)


def test_part_of_a_trace_is_what_lies_in_it_at_least_partly(tmp_path):
    build = TraceBuilder()
    for start in range(0, 100, 10):
        build.add(CPU, f"{start}", start, 10, Kind.KERNEL)
    some = build.trace().within(15, 40)
    assert [some.names[name] for name in some.name] == ["10", "20", "30"]
    assert_equal(back(tmp_path, trace_events(some, (), {})).trace, some)


rows = some.lists(
    some.tuples(
        some.sampled_from([CPU, GPU, DATA]),
        some.text(max_size=5),
        some.integers(0, 60),
        some.integers(0, 40),
        some.sampled_from(KINDS),
        some.none() | some.integers(0, 9),
        some.none() | some.integers(0, 3),
        some.integers(0, 1 << 40),
    ),
    min_size=1,
    max_size=20,
)


arrows = some.lists(
    some.tuples(some.integers(0, 19), some.integers(0, 19), some.sampled_from(FlowKind)),
    max_size=9,
)
values = some.lists(
    some.tuples(
        some.sampled_from(
            [("Memory", "bytes", ""), ("CPU", "percent", "app.py"), ("n", "", "")]
        ),
        some.integers(0, 99),
        some.floats(-1e9, 1e9),
    ),
    max_size=9,
)


@given(rows, arrows, values)
def test_any_spans_come_back(given_rows, given_arrows, given_values):
    build = TraceBuilder()
    for track, name, start, duration, kind, layer, run, size in given_rows:
        printable = "".join(c for c in name if c.isprintable())
        build.add(track, printable, start, duration, kind, layer, run, size)
    for begin, end, flow in given_arrows:
        build.flow(begin % len(given_rows), end % len(given_rows), flow)
    for (name, unit, process), at, value in given_values:
        build.count(name, at, value, unit, process)
        build.moment(f"{value}", at)
    trace = build.trace(zero_ns=0)
    with TemporaryDirectory() as folder:
        assert_equal(back(Path(folder), trace_events(trace, (), {})).trace, trace)
