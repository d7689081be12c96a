from typing import Any

import pytest

from inspector.formats.traces.span_collector import OpenedTrace
from inspector.trace.trace import FLOW_KINDS, FlowKind, Kind, Lane, Span
from tests.formats.made_traces import complete, opened


def session(name: str, ts: int, dur: int, **more: Any) -> dict[str, Any]:
    return complete(name, ts, dur, cat="Session", args={}) | more


def node(
    name: str, operator: str, ts: int, dur: int, provider: str = "CPU", **more: Any
) -> dict[str, Any]:
    args = {"op_name": operator, "provider": f"{provider}ExecutionProvider"}
    return complete(f"{name}_kernel_time", ts, dur, cat="Node", args=args) | more


def device(name: str, ts: int, dur: int, **args: Any) -> dict[str, Any]:
    return complete(name, ts, dur, cat="Kernel", tid=99, args=args)


def spans(found: OpenedTrace) -> dict[str, Span]:
    all_of_them = (found.trace.span(index) for index in range(len(found.trace)))
    return {span.name: span for span in all_of_them}


RUN = [session("model_run", 0, 1000), session("model_run", 2000, 1000)]


def test_calls_are_activity_and_kernels_run_on_the_unit_of_their_provider(tmp_path):
    events = [node("conv", "Conv", 10, 50, "CUDA"), node("relu", "Relu", 2100, 5), *RUN]
    found = opened(tmp_path, events)
    assert found.source == "ONNX Runtime profile"
    tracks = [(t.lane, t.name, t.unit, t.family) for t in found.trace.tracks]
    assert tracks == [
        (Lane.ACTIVITY, "Activity", "", "activity"),
        (Lane.COMPUTE, "CPU", "cpu", "cpu"),
        (Lane.COMPUTE, "CUDA", "cuda", "gpu"),
    ]
    told = spans(found)
    assert (told["conv"].run, told["relu"].run, told["model_run"].run) == (0, 1, 1)
    assert told["relu"].start_ns == 2_100_000


def test_what_lies_between_and_after_the_runs_belongs_to_none(tmp_path):
    events = [*RUN, node("between", "Add", 1500, 5), node("after", "Add", 9000, 5)]
    told = spans(opened(tmp_path, events))
    assert (told["between"].run, told["after"].run) == (None, None)


def test_copies_casts_and_layout_changes_are_data(tmp_path):
    events = [
        *RUN,
        node("a", "MemcpyToHost", 10, 1),
        node("b", "ReorderOutput", 20, 1),
        node("InsertedPrecisionFreeCast_x", "Cast", 30, 1),
        node("asked for", "Cast", 40, 1),
    ]
    events[2]["args"]["output_size"] = "4096"
    events[5]["args"]["output_size"] = "4096"
    told = spans(opened(tmp_path, events))
    kinds = [told[name].kind for name in ("a", "b", "InsertedPrecisionFreeCast_x")]
    assert kinds == [Kind.COPY, Kind.LAYOUT, Kind.CAST]
    assert told["a"].track.lane is Lane.DATA
    assert (told["a"].size_bytes, told["asked for"].size_bytes) == (4096, 0)
    assert told["asked for"].track.lane is Lane.COMPUTE


def test_fences_of_old_versions_lie_in_the_data_lane_and_belong_to_their_node(tmp_path):
    fence = complete("conv_fence_before", 9, 0, cat="Node", args={"op_name": "Conv"})
    found = opened(tmp_path, [*RUN, fence, node("conv", "Conv", 10, 5)])
    told = spans(found)["conv fence before"]
    assert (told.track.lane, told.kind, told.layer) == (Lane.DATA, Kind.EVENT, 0)


def test_a_node_without_a_name_is_called_after_its_operator(tmp_path):
    nameless = node("", "Gather", 10, 5)
    numbered = node("", "Mul", 20, 5)
    numbered["args"]["node_index"] = "6"
    bare = complete("_kernel_time", 30, 5, cat="Node")
    result = spans(opened(tmp_path, [*RUN, nameless, numbered, bare])).keys()
    assert {"Gather", "Mul_6", "Unnamed"} < result


def test_an_event_without_arguments_runs_somewhere(tmp_path):
    bare = complete("conv_kernel_time", 10, 5, cat="Node")
    told = spans(opened(tmp_path, [*RUN, bare]))["conv"]
    assert (told.track.name, told.track.lane) == ("Nodes", Lane.COMPUTE)


def test_what_ran_on_a_device_belongs_to_the_node_that_launched_it(tmp_path):
    events = [
        *RUN,
        node("add", "Add", 10, 17, "CUDA"),
        node("mul", "Mul", 40, 17, "CUDA"),
        device("add_cuda_kernel", 100, 33, parent_name="add_kernel_time", stream="7"),
        device("mul_cuda_kernel", 140, 20, stream="7"),
        device("MemcpyHostToDevice", 160, 20, parent_name="mul_kernel_time", stream="9"),
        complete("cudaLaunchKernel", 12, 3, cat="Api", args={"parent_name": "add"}),
    ]
    found = opened(tmp_path, events)
    told, names = spans(found), {layer.index: layer.name for layer in found.layers}
    assert names[told["add_cuda_kernel"].layer or 0] == "add"
    assert names[told["mul_cuda_kernel"].layer or -1] == "mul"
    assert told["add_cuda_kernel"].track.name == "CUDA, stream 7"
    assert told["add_cuda_kernel"].track.family == "gpu"
    assert told["MemcpyHostToDevice"].track.lane is Lane.DATA
    assert told["cudaLaunchKernel"].track.name == "Device API"
    assert told["cudaLaunchKernel"].layer == told["add"].layer


@pytest.mark.parametrize("in_front", [False, True])
def test_kernels_of_cuda_stand_beside_the_node_that_launched_them(tmp_path, in_front):
    """As the first profiles of CUDA have it: no process, no thread, only an operator."""
    grid = {"stream": "13", "block_x": "256", "grid_x": "1", "grid_y": "1", "block_y": "1"}

    def kernel(name: str, ts: int, operator: str) -> dict[str, Any]:
        args = {"op_name": operator, **grid}
        return complete(name, ts, 4, cat="Kernel", tid=-1, args=args) | {"pid": -1}

    events = [*RUN]
    for number, (name, operator) in enumerate((("a", "Add"), ("c", "Conv"), ("m", "Mul"))):
        begin = 10 + 40 * number
        own = [kernel(f"{name} kernel {n}", begin + 300 + n * 9, operator) for n in range(2)]
        ran = node(name, operator, begin, 30, "CUDA")
        events += [*own, ran] if in_front else [ran, *own]
    found = opened(tmp_path, events)
    told, names = spans(found), {layer.index: layer.name for layer in found.layers}
    for name in "acm":
        for n in range(2):
            span = told[f"{name} kernel {n}"]
            assert names[span.layer if span.layer is not None else -1] == name
            assert (span.track.name, span.run) == ("CUDA, stream 13", 0)
    assert len(found.trace.flows) == 6


def test_subgraphs_nest_below_the_node_that_runs_them(tmp_path):
    events = [*RUN, node("body", "Add", 12, 3), node("loop", "Loop", 10, 20)]
    told = spans(opened(tmp_path, events))
    assert (told["loop"].depth, told["body"].depth) == (0, 1)


def test_threads_that_run_at_once_have_their_own_rows_and_runs(tmp_path):
    events = [
        session("model_run", 0, 100),
        session("model_run", 50, 100, tid=2),
        node("a", "Add", 60, 5),
        node("b", "Add", 60, 5, tid=2),
    ]
    found = opened(tmp_path, events)
    told = spans(found)
    assert (told["a"].run, told["b"].run) == (0, 1)
    assert (told["a"].track.name, told["b"].track.name) == ("CPU, thread 1", "CPU, thread 2")


def test_nodes_of_one_name_and_two_operators_are_two_layers(tmp_path):
    events = [*RUN, node("x", "Add", 10, 5), node("x", "Mul", 20, 5), node("x", "Add", 2010, 5)]
    found = opened(tmp_path, events)
    assert [(one.name, one.operator) for one in found.layers] == [("x", "Add"), ("x", "Mul")]


@pytest.mark.parametrize("provider", ["Quantum", "A very odd one", ""])
def test_a_provider_of_the_future_gets_a_track(tmp_path, provider):
    found = opened(tmp_path, [*RUN, node("x", "Add", 10, 5, provider)])
    assert found.trace.tracks[-1].name == (provider or "Nodes")


def test_a_trace_with_few_of_the_runtimes_events_is_no_profile(tmp_path):
    others = [complete(f"{i}", i, 1) for i in range(20)]
    assert opened(tmp_path, [*RUN, *others]).source == "Chrome trace"


def test_a_kernel_has_an_arrow_from_the_execution_that_launched_it(tmp_path):
    events = [
        *RUN, node("conv", "Conv", 10, 5, "CUDA"), node("add", "Add", 20, 5, "CUDA"),
        node("conv", "Conv", 2010, 5, "CUDA"),
        device("gemm", 40, 7, parent_name="conv"), device("gemm", 2040, 7, parent_name="conv"),
        device("early", 21, 2, parent_name="add"),
    ]  # fmt: skip
    found = opened(tmp_path, events)
    trace = found.trace
    assert found.notes == ()
    pairs = zip(trace.flows.begin.tolist(), trace.flows.end.tolist(), strict=True)
    told = [(trace.span(one), trace.span(other)) for one, other in pairs]
    assert [(a.name, a.start_ns // 1000, b.name, b.start_ns // 1000) for a, b in told] == [
        ("conv", 10, "gemm", 40), ("add", 20, "early", 21), ("conv", 2010, "gemm", 2040),
    ]  # fmt: skip
    assert {FLOW_KINDS[kind] for kind in trace.flows.kind.tolist()} == {FlowKind.LAUNCH}


@pytest.mark.parametrize("ahead_us", [-400, 9_000_000])
def test_a_device_whose_clock_differs_is_brought_onto_that_of_its_calls(tmp_path, ahead_us):
    """The add waits 20 us on the device for the first conv, all others begin 5 us after."""
    events = [
        *RUN, node("conv", "Conv", 10, 5, "WebGpu"), node("add", "Add", 20, 5, "WebGpu"),
        node("conv", "Conv", 2010, 5, "WebGpu"), node("add", "Add", 2020, 5, "WebGpu"),
        *(
            complete(name, at + ahead_us, 25, cat="Api", args={"shapes": "4"})
            for at, name in (
                (15, "conv&Conv&Conv2DMatMul"), (40, "add&Add&Binary"),
                (2015, "conv&Conv&Conv2DMatMul"), (2040, "add&Add&Binary"),
            )
        ),
    ]  # fmt: skip
    found = opened(tmp_path, events)
    trace = found.trace
    names = {layer.index: layer.name for layer in found.layers}
    ran = [
        s for s in map(trace.span, range(len(trace))) if s.name in ("Binary", "Conv2DMatMul")
    ]
    ran.sort(key=lambda span: span.start_ns)
    # By at most the 5 us that pass between a call and its work.
    assert [(s.start_ns // 1000, s.run, names[s.layer or 0]) for s in ran] == [
        (10, 0, "conv"), (35, 0, "add"), (2010, 1, "conv"), (2035, 1, "add"),
    ]  # fmt: skip
    assert {span.track.name for span in ran} == {"WebGPU kernels"}
    assert len(trace.flows) == 4
    [note] = found.notes
    assert "known to within 940 µs" in note


def test_kernels_that_name_their_node_by_number_belong_to_it(tmp_path):
    """As the CUDA plugin writes them, after both nodes have run."""
    numbered = [
        complete(f"{name}_kernel_time", at, 5, cat="Node", args=args)
        for name, at, args in (
            ("conv", 10, {"op_name": "Conv", "node_index": "3"}),
            ("relu", 20, {"op_name": "Relu", "node_index": "4"}),
        )
    ]
    kernels = [
        device("relu_kernel", 60, 7, op_name="Relu", node_index="4", stream="7"),
        device("conv_kernel", 40, 7, op_name="Conv", node_index="3", stream="7"),
    ]
    found = opened(tmp_path, [*RUN, *numbered, *kernels])
    told, names = spans(found), {layer.index: layer.name for layer in found.layers}
    assert names[told["conv_kernel"].layer or 0] == "conv"
    assert names[told["relu_kernel"].layer or 0] == "relu"
