import pytest

from inspector.backends.onnxruntime.attribution.attribution import (
    Attribution,
    Body,
    Executed,
    LayerOutcome,
)
from inspector.backends.onnxruntime.measuring.profiled_pass import ProfiledPass, Step
from inspector.backends.onnxruntime.profiling.profile import Call, Kernel, OnDevice, Profile
from inspector.backends.onnxruntime.profiling.report_trace import build_trace, compute_tracks
from inspector.model.model import Layer
from inspector.report.report import Device
from inspector.trace.trace import FLOW_KINDS, FlowKind, Kind, Lane, Trace
from inspector.wording.support_marks import Status

GPU = Device("webgpu:0", "Graphics", "gpu", "WebGpu")
CPU = Device("cpu", "Processor", "cpu", "Cpu")


def kernel(index: int, provider: str, start: int, length: int) -> Kernel:
    return Kernel(
        f"L{index}", "Op", provider, index, start, length, length, None, 0, 64, (), ()
    )


STEPS = (
    Step("create session", 1000, 50, memory_bytes=2_000_000, cpu_ns=100),
    Step("predict 1", 1080, 950, run=0, memory_bytes=3_000_000, cpu_ns=590),
    Step("end", 2030, 2_000_000, memory_bytes=3_000_000, cpu_ns=1_000_590),
)


def traced(
    *kernels: Kernel, steps: tuple[Step, ...] = STEPS, work: tuple[OnDevice, ...] = ()
) -> Trace:
    layers = tuple(Layer(i, f"layer {i}", "Op", "", (), ()) for i in range(3))
    nodes = (
        Executed(0, 0, "L0", "Op", 0, (0,)),
        Executed(1, 0, "L1", "Op", 1, (1,)),
        Executed(2, 0, "L2", "MemcpyToHost", None, (), Kind.COPY, "T0", 0, 1),
    )
    fates = (LayerOutcome(Status.EXECUTED),) * 3
    attribution = Attribution(nodes, (Body(None, "", (0, 1, 2)),), fates)
    profile = Profile(
        (Call("model_loading_uri", 5, 10),), (Call("model_run", 90, 900),), kernels,
        on_device=work,
    )  # fmt: skip
    done = ProfiledPass(profile, 1000, steps, 1, None, True, (), ())
    places = [kernel.number for kernel in kernels]
    homes = {"WebGpu": "webgpu:0", "Cpu": "cpu"}
    return build_trace(done, places, attribution, layers, (GPU, CPU), homes, None)


def rows(trace: Trace, name: str) -> list[tuple[str, int, int, int, str]]:
    spans = (trace.span(i) for i in range(len(trace)))
    return [
        (span.track.name, span.depth, span.start_ns, span.duration_ns, str(span.kind))
        for span in spans
        if span.name == name
    ]


def test_the_processor_comes_first_and_two_of_a_kind_have_their_ids():
    assert [track.name for track in compute_tracks([GPU, CPU]).values()] == ["CPU", "GPU"]
    second = Device("webgpu:1", "Other", "gpu", "Other")
    names = [track.name for track in compute_tracks([GPU, second, CPU]).values()]
    assert names == ["CPU", "webgpu:0", "webgpu:1"]
    odd = Device("x", "x", "unknown", "x")
    assert compute_tracks([odd])["x"].family == "npu"


def test_kernels_lie_on_the_track_of_their_device_from_the_beginning_on():
    trace = traced(kernel(0, "WebGpu", 100, 50), kernel(1, "Cpu", 200, 30))
    assert rows(trace, "layer 0") == [("GPU", 1, 100, 50, "kernel")]
    assert rows(trace, "layer 1") == [("CPU", 1, 200, 30, "kernel")]
    assert rows(trace, "create session") == [("Activity", 0, 0, 50, "call")]
    assert rows(trace, "read the model") == [("Activity", 1, 5, 10, "call")]
    assert rows(trace, "run") == [("Activity", 1, 90, 900, "call")]


def test_an_inserted_node_lies_in_the_data_lane_with_its_bytes():
    trace = traced(kernel(0, "WebGpu", 100, 50), kernel(2, "WebGpu", 160, 20))
    assert rows(trace, "Op of T0") == [("Data", 0, 160, 20, "copy")]
    copies = trace.size_bytes[trace.size_bytes > 0]
    assert list(copies) == [64]


def test_an_inserted_node_leads_to_the_layer_that_it_is_there_for():
    trace = traced(
        kernel(0, "WebGpu", 100, 50), kernel(2, "WebGpu", 160, 20), kernel(1, "Cpu", 170, 5),
        kernel(1, "Cpu", 200, 30),
    )  # fmt: skip
    (begin,), (end,) = trace.flows.begin.tolist(), trace.flows.end.tolist()
    assert trace.span(begin).kind is Kind.COPY
    assert (trace.span(end).name, trace.span(end).start_ns) == ("layer 1", 200)
    assert FLOW_KINDS[trace.flows.kind[0]] is FlowKind.FORCED


def test_memory_and_load_are_sampled_after_each_step():
    trace = traced()
    memory, load = trace.counters
    assert (memory.name, memory.unit) == ("Process memory", "bytes")
    assert memory.times_ns.tolist() == [50, 1030, 2_001_030]
    assert memory.values.tolist() == [2e6, 3e6, 3e6]
    assert (load.name, load.unit) == ("CPU load", "percent")
    assert load.times_ns.tolist() == [50, 2_001_030]  # what follows at once tells nothing
    assert load.values.tolist() == [50, 0]


@pytest.mark.parametrize(("cores", "load"), [(8, 300), (2, 200), (None, 100)])
def test_more_than_all_cores_is_an_error_of_the_clocks(monkeypatch, cores, load):
    monkeypatch.setattr("os.cpu_count", lambda: cores)
    each = [Step("run", 1000, end, memory_bytes=1, cpu_ns=3 * end) for end in (0, 2_000_000)]
    assert traced(steps=tuple(each)).counters[1].values.tolist() == [load, 0]


def test_the_processor_is_not_told_to_rest_while_steps_that_followed_soon_still_ran():
    ends = (0, 1_200_000, 1_700_000, 2_400_000, 2_500_000)
    each = [Step("run", 1000, end, memory_bytes=1, cpu_ns=end // 2) for end in ends]
    _, load = traced(steps=tuple(each)).counters
    assert load.times_ns.tolist() == [0, 1_200_000, 2_500_000]
    assert load.values.tolist() == [50, 50, 0]


def test_stretches_of_one_device_enclose_their_kernels():
    trace = traced(
        kernel(0, "WebGpu", 100, 50),
        kernel(2, "WebGpu", 160, 20),
        kernel(1, "Cpu", 200, 30),
        kernel(1, "Cpu", 240, 10),
        kernel(0, "WebGpu", 300, 5),
    )
    assert rows(trace, "partition") == [
        ("CPU", 0, 200, 50, "partition"),
        ("GPU", 0, 100, 50, "partition"),
        ("GPU", 0, 300, 5, "partition"),
    ]
    assert {depth for _, depth, *_ in rows(trace, "layer 0")} == {1}


def test_one_device_alone_needs_no_stretches():
    trace = traced(kernel(0, "Cpu", 100, 50), kernel(1, "Cpu", 200, 30))
    assert rows(trace, "partition") == []
    assert [track.lane for track in trace.tracks[:2]] == [Lane.ACTIVITY, Lane.DATA]


@pytest.mark.parametrize("ahead_ns", [0, 70_000_000])
def test_what_a_device_tells_of_its_work_lies_on_its_track_and_on_our_clock(ahead_ns):
    trace = traced(
        kernel(0, "WebGpu", 100, 5),
        kernel(1, "Cpu", 200, 30),
        kernel(0, "WebGpu", 300, 5),
        work=(
            OnDevice("L0", ahead_ns + 100, 40, "Conv2DMatMul"),
            OnDevice("L0", ahead_ns + 320, 40, "Conv2DMatMul"),
        ),
    )
    assert rows(trace, "layer 0") == [
        ("Submissions", 0, 100, 5, "call"),
        ("Submissions", 0, 300, 5, "call"),
    ]
    assert rows(trace, "Conv2DMatMul") == [
        ("GPU", 1, 100, 40, "kernel"),
        ("GPU", 1, 320, 40, "kernel"),
    ]
    ends = [trace.span(end) for end in trace.flows.end.tolist()]
    assert [(span.name, span.layer, span.run) for span in ends] == [("Conv2DMatMul", 0, 0)] * 2
