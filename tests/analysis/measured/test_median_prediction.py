import numpy as np

from inspector.trace.trace import Kind, Lane, Trace, TracedLayer, Track
from inspector.trace.trace_builder import TraceBuilder
from inspector.ui.timeline.model.median_overlay import overlay

CPU = Track(Lane.COMPUTE, "CPU", "cpu", "cpu")
DATA = Track(Lane.DATA, "Data", family="data")
CALLS = Track(Lane.ACTIVITY, "Activity", family="activity")
LAYERS = (TracedLayer(0, "conv", "Conv"), TracedLayer(1, "loop", "Relu"))
TOOK = (500, 100, 300, 200, 900)


def five() -> Trace:
    build = TraceBuilder()
    build.add(CPU, "load", 0, 10_000)
    for run, took in enumerate(TOOK):
        begin = 10_000 * (run + 1) + run
        build.add(CPU, "conv", begin, took, Kind.KERNEL, 0, run)
        for turn in range(2):
            at = begin + 1000 + 100 * turn
            build.add(CPU, "loop", at, 10 * (turn + 1), Kind.KERNEL, 1, run)
        if run % 2:
            build.add(DATA, "copy", begin + 950, 40, Kind.COPY, run=run)
        build.add(CPU, "partition", begin, 2000, Kind.PARTITION, run=run)
        build.add(CALLS, f"predict {run + 1}", begin, 2000, run=run)
    return build.trace()


def test_each_step_is_the_median_of_all_predictions_with_its_spread():
    found = overlay(five(), LAYERS)
    assert (found.runs, found.names) == (
        5, ("conv", "predict", "copy", "loop", "loop"),
    )  # fmt: skip
    assert found.start_ns.tolist() == [0, 0, 950, 1000, 1100]
    assert found.median_ns.tolist() == [300, 2000, 40, 10, 20]
    assert found.run_counts.tolist() == [5, 5, 2, 5, 5]
    quartiles = np.quantile(TOOK, (0, 0.25, 0.75, 1)).tolist()
    columns = (found.least_ns, found.low_ns, found.high_ns, found.most_ns)
    assert [int(one[0]) for one in columns] == quartiles
    assert found.layer.tolist() == [0, -1, -1, 1, 1]
    nearest = five().span(int(found.span[0]))
    assert (nearest.name, nearest.duration_ns, nearest.run) == ("conv", 300, 2)


def test_a_warm_up_can_be_left_out():
    found = overlay(five(), LAYERS, skip=1)
    assert (found.runs, found.most_ns[0], found.median_ns[0]) == (4, 900, 250)


def test_a_trace_without_predictions_has_no_steps():
    build = TraceBuilder()
    build.add(CPU, "load", 0, 10)
    assert len(overlay(build.trace())) == 0
    assert overlay(TraceBuilder().trace()).length_ns == 0
