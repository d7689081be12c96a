"""Layer times of devices that work on their own: submissions, device clocks, one by one."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from onnx import helper, numpy_helper, save

from inspector.analysis.advice.rules import advice
from inspector.analysis.measured.layer_sum import cautions, handed_over, share_text
from inspector.backends.onnxruntime.attribution.attribution import explain_by_names
from inspector.backends.onnxruntime.measuring.measure import measure
from inspector.backends.onnxruntime.profiling import profile
from inspector.backends.onnxruntime.profiling.evaluation import (
    times_on_device,
    with_device_times,
)
from inspector.render.registry import export
from inspector.report import report_values
from inspector.report.report import (
    ON_DEVICE,
    SUBMISSION,
    SYNCHRONIZED,
    ModelIdentity,
    PerformanceReport,
    from_json,
    separate_submissions,
    to_json,
)
from inspector.report.run_spec import RunSpec
from tests import models
from tests.reports import CPU, GPU, example_report


def handed_to_a_device() -> PerformanceReport:
    return separate_submissions(example_report(layer_timing={}))


def test_layers_of_a_device_that_works_on_its_own_have_no_time_share_or_color():
    report = handed_to_a_device()
    assert report.layer_timing == {GPU: SUBMISSION}
    for use, before in zip(report.layers, example_report().layers, strict=True):
        if use.ran_on == GPU:
            assert (use.time_ns, use.submitted_ns) == (None, before.time_ns)
            assert str(handed_over(use)).startswith("submitted in ")
        else:
            assert (use.time_ns, use.submitted_ns) == (before.time_ns, None)
    timed = [layer.time_ns or 0 for layer in report.layers]
    timed += [node.time_ns for node in report.inserted]
    assert report.kernel_ns == sum(timed)
    assert share_text(report, GPU) == "not timed"
    assert str(cautions(report)[0]).startswith("On WebGPU, layer times are not available")
    assert b"not timed" in export(report, "md")
    assert separate_submissions(report) is report, "it is done once"


def test_no_advice_is_given_on_layers_whose_time_nobody_knows():
    on_gpu = {use.index for use in handed_to_a_device().layers if use.ran_on == GPU}
    rules = {"fallback", "dominant-operator", "layout-changes"}
    assert rules & {one.rule for one in advice(example_report(), None, None)}
    for one in advice(handed_to_a_device(), None, None):
        if one.rule in rules:
            assert on_gpu.isdisjoint(one.layers), one.sentence


def test_reports_saved_before_do_not_pass_submissions_for_times():
    body = json.loads(to_json(example_report(layer_timing={})))
    del body["layer_timing"]
    opened = from_json(json.dumps(body).encode(), "old.json")
    assert opened.layer_timing == {GPU: SUBMISSION}
    assert all(use.time_ns is None for use in opened.layers if use.ran_on == GPU)
    assert from_json(to_json(opened), "new.json").layers == opened.layers


def test_a_copy_back_from_such_a_device_is_called_a_wait():
    nodes = {node.name: node for node in handed_to_a_device().inserted}
    back = [node for node in nodes.values() if node.operator == "MemcpyToHost"]
    assert back
    for node in back:
        assert node.kind == "wait"
        assert node.time_ns > 0, "a wait is real time of the caller"
    assert b",copy," not in export(handed_to_a_device(), "csv")


def event(cat: str, name: str, ts: int, dur: int, **args: Any) -> dict[str, Any]:
    told = {key: str(value) for key, value in args.items()}
    return {"cat": cat, "name": name, "ts": ts, "dur": dur, "tid": 1, "args": told}


PROVIDERS = {"webgpu": "WebGpuExecutionProvider", "cuda": "CUDAExecutionProvider"}


@pytest.mark.parametrize("kind", ["webgpu", "cuda"])
def test_layers_take_their_times_from_the_events_of_the_device(kind, tmp_path):
    """Each provider's own form; device clocks begin anywhere, so order tells predictions."""
    events = []
    for run in range(4):
        at = 1000 * run
        events.append(event("Session", "model_run", at, 900))
        for place, node in enumerate(("L0", "L1")):
            ran = {"op_name": "Conv", "provider": PROVIDERS[kind], "node_index": place}
            events.append(event("Node", f"{node}_kernel_time", at + 10 + 20 * place, 9, **ran))
            for part in range(1 + place):  # the second layer runs two programs
                took, when = 100 * (run + 1) + place, 7 + 500 * run + 200 * place + part
                if kind == "webgpu":
                    events.append(event("Api", f"{node}&Conv&program{part}", when, took))
                else:
                    events.append(event("Kernel", "sgemm", when, took, parent_name=node))
    events.append(event("Api", "cudaLaunchKernel", 3, 4000, parent_name="L0"))
    path = tmp_path / "p.json"
    path.write_text(json.dumps(events), "utf-8")
    found = profile.read(path)
    layers = [helper.make_node("Conv", ["x", "w"], [f"y{n}"], name=f"L{n}") for n in range(2)]
    kernels = [(k.name, k.operator, k.provider) for k in found.kernels]
    attribution = explain_by_names(models.model(layers, [], []), kernels, ())
    places = {node.lead: place for place, node in enumerate(attribution.executed)}
    nodes = [places.get(int(kernel.name[1:])) for kernel in found.kernels]
    times = times_on_device(found, nodes, attribution, counted=3)
    assert times == {0: 300_000, 1: 602_000}, "medians of the last three predictions"


def test_a_device_that_times_only_some_layers_keeps_its_submissions_apart():
    uses = example_report(layer_timing={}).layers
    mine = [use.index for use in uses if use.ran_on == GPU and use.time_ns is not None]
    every = dict.fromkeys(mine, 5)
    changed, told = with_device_times(uses, every, frozenset({GPU}))
    assert told == {GPU}
    assert {use.time_ns for use in changed if use.index in every} == {5}
    few = dict.fromkeys(mine[1:], 5)
    assert with_device_times(uses, few, frozenset({GPU})) == (uses, frozenset())


@pytest.mark.engine
def test_layers_are_timed_one_by_one_where_a_device_works_on_its_own(tmp_path, monkeypatch):
    """The CPU stands for such a device: it runs the same way without a GPU."""
    own = frozenset({"CPUExecutionProvider"})
    monkeypatch.setattr(report_values, "_ASYNCHRONOUS_PROVIDERS", own)
    path = tmp_path / "m.onnx"
    weight = numpy_helper.from_array(np.ones((32, 32), np.float32), "w")
    ends = [models.value(n, [4, 32]) for n in ("x", "z")]
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["y"], name="product"),
        helper.make_node("Relu", ["y"], ["r"], name="relu"),
        helper.make_node("Softmax", ["r"], ["z"], name="softmax"),
    ]
    save(models.model(nodes, ends[:1], ends[1:], [weight], opset=13), path)
    model = path
    spec = RunSpec(runs=2, warmup=1, profiled_runs=2, synchronize=True, optimization="none")
    feeds = {"x": np.ones((4, 32), np.float32)}
    identity = ModelIdentity("m.onnx", "", 0, 0, 3)
    heard: list[str] = []
    report = measure(
        model, identity, spec, feeds, tmp_path, lambda step, *_: heard.append(step)
    )
    assert report.layer_timing == {CPU: SYNCHRONIZED}
    assert all(use.time_ns for use in report.layers)
    assert report.kernel_ns == sum(use.time_ns or 0 for use in report.layers)
    assert any(note.startswith("Synchronized mode: each layer") for note in report.notes)
    assert "synchronize" in heard
    trace = report.trace
    (place,) = (i for i, track in enumerate(trace.tracks) if track.name == "CPU, one by one")
    mine = np.flatnonzero(trace.track == place)
    shown = dict(zip(trace.layer[mine].tolist(), trace.duration_ns[mine].tolist(), strict=True))
    assert shown == {layer.index: layer.time_ns for layer in report.layers}
    runs = trace.run >= 0
    assert trace.start_ns[mine].min() > (trace.start_ns + trace.duration_ns)[runs].max()
    assert (trace.run[mine] == -1).all(), "they are no part of a run"
    assert b"Synchronized mode: each layer ran alone" in export(report, "html")
    plain = measure(
        model, identity, replace(spec, synchronize=False), feeds, tmp_path, lambda *_: None
    )
    assert plain.layer_timing == {CPU: SUBMISSION}
    assert all(use.time_ns is None for use in plain.layers)
    assert ON_DEVICE not in plain.layer_timing.values()
