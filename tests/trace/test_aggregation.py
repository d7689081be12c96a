import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from inspector.trace.aggregation import GroupBy, aggregate
from inspector.trace.trace import FlowKind, Kind, Lane, Trace, TracedLayer, Track
from inspector.trace.trace_builder import TraceBuilder

CPU = Track(Lane.COMPUTE, "CPU", "cpu", "cpu")
GPU = Track(Lane.COMPUTE, "GPU", "webgpu:0", "gpu")
LAYERS = (TracedLayer(0, "one", "Conv"), TracedLayer(3, "two", "Relu"), TracedLayer(5, "x", ""))


def example() -> Trace:
    build = TraceBuilder()
    for run in range(4):
        build.add(CPU, "one", run * 1000, 100 * (run + 1), Kind.KERNEL, 0, run)
        build.add(CPU, "two", run * 1000 + 500, 10, Kind.KERNEL, 3, run)
        build.add(GPU, "one", run * 1000, 7, Kind.KERNEL, 0, run)
    build.add(CPU, "loop", 5000, 100, Kind.KERNEL)
    build.add(CPU, "loop", 5010, 50, Kind.KERNEL)
    build.add(CPU, "loop", 5015, 5, Kind.KERNEL)
    return build.trace()


def test_a_name_is_one_group_on_each_track():
    found = aggregate(example(), LAYERS)
    groups = list(zip(found.names, found.tracks.tolist(), found.count.tolist(), strict=True))
    assert sorted(groups) == [("loop", 0, 3), ("one", 0, 4), ("one", 1, 4), ("two", 0, 4)]


def test_times_of_a_group_agree_with_numpy():
    found = aggregate(example(), LAYERS)
    one = found.names.index("one")
    samples = np.array([100, 200, 300, 400])
    assert found.total_ns[one] == samples.sum()
    assert found.mean_ns[one] == samples.mean()
    assert (found.minimum_ns[one], found.maximum_ns[one]) == (100, 400)
    assert found.p50_ns[one] == np.quantile(samples, 0.5)
    assert found.p95_ns[one] == round(np.quantile(samples, 0.95))
    assert example().duration_ns[found.longest[one]] == 400


def test_recursion_counts_once_in_the_total():
    found = aggregate(example(), LAYERS)
    loop = found.names.index("loop")
    assert (found.total_ns[loop], found.self_ns[loop], found.count[loop]) == (100, 100, 3)


@pytest.mark.parametrize("by", list(GroupBy))
def test_shares_of_one_table_have_one_base_and_add_up_to_one(by):
    found = aggregate(example(), LAYERS, by)
    assert found.shares().sum() == pytest.approx(1)
    spent = found.self_ns / found.self_ns.sum()
    assert found.shares() == pytest.approx(spent)


CALLS = Track(Lane.ACTIVITY, "Activity", family="activity")
DATA = Track(Lane.DATA, "Data", family="data")


def predicted(shift_ns: int = 0) -> Trace:
    """Two predictions: a call runs a copy, a kernel and a loop with kernels on a GPU."""
    build = TraceBuilder()
    for run in range(2):
        at = run * 1_000_000
        build.add(CALLS, "predict", at, 900_000, run=run)
        build.add(CALLS, "run", at + 50_000, 800_000, run=run)
        build.add(DATA, "copy", at + 60_000, 40_000, Kind.COPY, run=run)
        build.add(CPU, "partition", at + 100_000, 750_000, Kind.PARTITION, run=run)
        build.add(CPU, "conv", at + 100_000, 300_000, Kind.KERNEL, 0, run)
        build.add(CPU, "loop", at + 400_000, 400_000 + 50_000 + shift_ns, Kind.KERNEL, 1, run)
        build.add(GPU, "body", at + 410_000, 100_000, Kind.KERNEL, 2, run)
        build.add(GPU, "body", at + 610_000, 100_000, Kind.KERNEL, 2, run)
    return build.trace()


@pytest.mark.parametrize("shift_ns", [0, 1_000])
def test_self_time_leaves_out_what_ran_inside_on_other_lanes(shift_ns):
    trace = predicted(shift_ns)
    found = aggregate(trace)
    own = dict(zip(found.names, (found.self_ns // 2).tolist(), strict=True))
    assert own == {
        "predict": 100_000,
        "run": 10_000 - shift_ns,
        "copy": 40_000,
        "conv": 300_000,
        "loop": 250_000 + shift_ns,
        "body": 200_000,
    }
    assert found.self_ns.sum() == 2 * 900_000, "no instant counts twice"


def test_self_time_leaves_in_what_a_device_does_on_its_own_clock():
    build = TraceBuilder()
    build.add(CALLS, "run", 0, 900_000, run=0)
    node = build.add(CPU, "conv", 10_000, 500_000, Kind.KERNEL, 0, 0)
    kernel = build.add(GPU, "conv_kernel", 20_000, 400_000, Kind.KERNEL, 0, 0)
    build.flow(node, kernel, FlowKind.LAUNCH)
    found = aggregate(build.trace())
    own = dict(zip(found.names, found.self_ns.tolist(), strict=True))
    assert own == {"run": 400_000, "conv": 500_000, "conv_kernel": 400_000}


def test_spans_that_only_overlap_keep_all_of_their_time():
    build = TraceBuilder()
    for start in range(0, 100, 10):
        build.add(CPU, "request", start, 15, Kind.KERNEL)
    found = aggregate(build.trace())
    assert (found.total_ns[0], found.self_ns[0]) == (150, 150)


def test_layers_of_one_operator_come_together():
    build = TraceBuilder()
    build.add(CPU, "one", 0, 10, Kind.KERNEL, 0)
    build.add(CPU, "another", 20, 30, Kind.KERNEL, 1)
    build.add(CPU, "model_run", 60, 5)
    layers = (TracedLayer(0, "one", "Conv"), TracedLayer(1, "another", "Conv"))
    found = aggregate(build.trace(), layers, GroupBy.OPERATOR)
    assert dict(zip(found.names, found.total_ns.tolist(), strict=True)) == {
        "Conv": 40, "model_run": 5,
    }  # fmt: skip


def test_a_track_is_one_group_and_its_total_is_when_it_was_busy():
    found = aggregate(example(), LAYERS, GroupBy.TRACK)
    assert found.names == ("CPU", "GPU")
    assert found.total_ns.tolist() == [1000 + 40 + 100, 28]


def test_the_operator_of_an_event_is_told_where_it_is_known():
    found = aggregate(example(), LAYERS)
    known = dict(zip(found.names, found.operators, strict=True))
    assert known == {"one": "Conv", "two": "Relu", "loop": ""}


def test_a_span_of_a_layer_that_nobody_knows_has_no_operator():
    build = TraceBuilder()
    build.add(CPU, "far", 0, 1, Kind.KERNEL, 99)
    assert aggregate(build.trace(), LAYERS).operators == ("",)


def test_partitions_only_frame_others():
    build = TraceBuilder()
    build.add(CPU, "partition", 0, 100, Kind.PARTITION)
    build.add(CPU, "conv", 10, 50, Kind.KERNEL)
    found = aggregate(build.trace(), group_by=GroupBy.TRACK)
    assert (found.total_ns.tolist(), found.group.tolist()) == ([50], [-1, 0])


def test_only_what_lies_in_a_stretch_of_time_adds_up():
    found = aggregate(example(), LAYERS, stretch_ns=(50, 1_000))
    keys = zip(found.names, found.tracks.tolist(), strict=True)
    counts = dict(zip(keys, found.count.tolist(), strict=True))
    assert counts == {("one", 0): 1, ("two", 0): 1}
    assert (found.group >= 0).sum() == 2


def test_sums_of_a_stretch_are_of_the_parts_that_lie_in_it():
    found = aggregate(example(), LAYERS, stretch_ns=(50, 505))
    assert dict(zip(found.names, found.total_ns.tolist(), strict=True)) == {"one": 50, "two": 5}
    assert found.shares().tolist() == pytest.approx([50 / 55, 5 / 55])
    assert dict(zip(found.names, found.mean_ns.tolist(), strict=True)) == {
        "one": 100,
        "two": 10,
    }


def test_own_time_in_a_stretch_leaves_out_the_part_inside_of_others():
    loops = aggregate(example(), LAYERS, stretch_ns=(5020, 5070))
    assert (loops.total_ns.tolist(), loops.self_ns.tolist()) == ([50], [50])
    tracks = aggregate(example(), group_by=GroupBy.TRACK, stretch_ns=(5012, 5070))
    assert tracks.self_ns.tolist() == [58]


def test_nothing_makes_no_groups():
    assert len(aggregate(TraceBuilder().trace())) == 0


@pytest.mark.parametrize("by", GroupBy)
@given(
    rows=some.lists(
        some.tuples(some.sampled_from([CPU, GPU]), some.integers(0, 40), some.integers(0, 30)),
        max_size=20,
    )
)
def test_every_span_is_in_one_group(by, rows):
    build = TraceBuilder()
    for track, start, duration in rows:
        build.add(track, f"{duration % 3}", start, duration, Kind.KERNEL)
    trace = build.trace()
    found = aggregate(trace, group_by=by)
    assert found.count.sum() == len(trace)
    for group in range(len(found)):
        mine = found.group == group
        assert found.self_ns[group] == trace.self_ns()[mine].sum()
        lanes = {trace.tracks[track].lane for track in trace.track[mine]}
        assert lanes == {trace.tracks[found.tracks[group]].lane}
        if by in (GroupBy.EVENT, GroupBy.OPERATOR, GroupBy.TRACK, GroupBy.LAYER):
            assert (trace.track[mine] == found.tracks[group]).all()
        assert found.total_ns[group] <= trace.duration_ns[mine].sum()


@pytest.mark.parametrize(
    ("by", "wanted"),
    [
        (GroupBy.LANE, [("Activity", 3, 12 / 15), ("Compute", 1, 3 / 15)]),
        (GroupBy.MODEL, [("a", 1, 3 / 15), ("a", 2, 7 / 15), ("b", 1, 5 / 15)]),
        (GroupBy.THREAD, [("a · CPU", 1, 3 / 15), ("main", 2, 7 / 15), ("worker", 1, 5 / 15)]),
        (GroupBy.LAYER, [("No layer", 1, n / 15) for n in (2, 5, 5)] + [("x", 1, 3 / 15)]),
        (
            GroupBy.ITERATION,
            [("Run 1", 1, 2 / 15), ("Run 1", 1, 3 / 15)]
            + [(f"Run {n}", 1, 5 / 15) for n in (2, 3)],
        ),
    ],
)
def test_spans_add_up_by_what_their_tracks_belong_to(by, wanted):
    build = TraceBuilder()
    for model, thread, start in (("a", "main", 0), ("b", "main", 10), ("a", "worker", 20)):
        own = Track(Lane.ACTIVITY, f"{model} · {thread}", model=model, thread=thread)
        build.add(own, "run", start, 5, run=start // 10)
    build.add(Track(Lane.COMPUTE, "a · CPU", "cpu", model="a"), "conv", 1, 3, Kind.KERNEL, 5, 0)
    found = aggregate(build.trace(), LAYERS, by)
    told = zip(found.names, found.count.tolist(), found.shares().tolist(), strict=True)
    assert sorted(told) == [(n, c, pytest.approx(share)) for n, c, share in wanted]
