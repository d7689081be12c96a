import numpy as np
import pytest

from inspector.trace.aggregation import summarize_interval
from inspector.trace.trace import Kind, Lane, TracedLayer, Track
from inspector.trace.trace_builder import TraceBuilder

CPU = Track(Lane.COMPUTE, "CPU", "cpu", "cpu")
DATA = Track(Lane.DATA, "Data", family="data")
LAYERS = (TracedLayer(0, "conv", "Conv"), TracedLayer(1, "", "Relu"))


def test_a_stretch_tells_lanes_and_layers_with_what_lies_inside() -> None:
    build = TraceBuilder()
    build.add(CPU, "before", 0, 50, Kind.KERNEL, 0)
    build.add(CPU, "conv", 50, 100, Kind.KERNEL, 0)
    build.add(CPU, "inner", 120, 20, Kind.KERNEL, 1)
    build.add(CPU, "conv", 160, 30, Kind.KERNEL, 0)
    build.add(CPU, "all", 0, 400, Kind.PARTITION)
    build.add(DATA, "copy", 190, 100, Kind.COPY)
    found = summarize_interval(build.trace(), LAYERS, 100, 200)
    compute = next(part for part in found.lanes if part.name == "compute")
    data = next(part for part in found.lanes if part.name == "data")
    assert (compute.count, compute.sum_ns) == (3, 50 + 30)
    assert compute.share == pytest.approx(0.8)
    assert (data.count, data.sum_ns, data.mean_ns, data.share) == (1, 10, 100, 0.1)
    assert [(part.name, part.count, part.sum_ns) for part in found.layers] == [
        ("conv", 2, 30 + 30),
        ("Relu", 1, 20),
    ]
    assert found.layers[0].p95_ns == round(np.quantile([100, 30], 0.95))


def test_an_empty_stretch_has_no_parts() -> None:
    build = TraceBuilder()
    build.add(CPU, "conv", 0, 50, Kind.KERNEL, 0)
    found = summarize_interval(build.trace(), LAYERS, 100, 200)
    assert (found.lanes, found.layers) == ((), ())
