import os
from dataclasses import replace
from pathlib import Path

import jsonschema
import msgspec
import numpy as np
import onnx
import onnxruntime
import pytest
from msgspec import structs
from numpy.typing import NDArray
from onnx import helper, numpy_helper, parser

from inspector.analysis.measured.partitions import partition
from inspector.backends.measuring.clean_pass import CleanPass
from inspector.backends.onnxruntime.measuring.measure import measure, waiting_ns
from inspector.backends.onnxruntime.measuring.profiled_pass import WARM_UPS
from inspector.backends.onnxruntime.placement.placement import answer_support_query
from inspector.backends.onnxruntime.sessions import devices
from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.client.report_completion import layers_without_marks, with_support_marks
from inspector.errors import BadInput, EngineFailed, InspectorError
from inspector.formats.opening import open_model
from inspector.platform import files
from inspector.preview.inputs.feeds import defaults
from inspector.report import report as reports
from inspector.report.environment import MemoryUse, SystemLoad
from inspector.report.layer_timing import CLOCK_NS
from inspector.report.report import ModelIdentity, PerformanceReport, Support
from inspector.report.run_spec import Dimension, RunSpec
from inspector.statistics.cpu_speed import CoreUse
from inspector.trace.trace import Kind, Lane
from inspector.wording.support_marks import Mark, Rule, Source, Status
from tests import models as onnx_models

SPEC = RunSpec(runs=3, warmup=1, profiled_runs=2, threads=1)
Steps = list[tuple[str, float, tuple[int, ...]]]


def measured(
    path: Path, folder: Path, spec: RunSpec = SPEC, told: Steps | None = None
) -> PerformanceReport:
    sizes = {dimension.name: dimension.size for dimension in spec.dimensions}
    filled = defaults(open_model(path).inputs, sizes)
    feeds = {each.name: np.asarray(each.array) for each in filled}
    return measured_with(path, folder, feeds, spec, told)


def measured_with(
    path: Path,
    folder: Path,
    feeds: dict[str, NDArray[np.generic]],
    spec: RunSpec = SPEC,
    told: Steps | None = None,
) -> PerformanceReport:
    identity = ModelIdentity(path.name, "0" * 64, path.stat().st_size, 0, 0)
    steps: Steps = [] if told is None else told
    return measure(path, identity, spec, feeds, folder, lambda *step: steps.append(step))


def saved(text: str, folder: Path) -> Path:
    path = folder / "model.onnx"
    onnx.save(parser.parse_model(text), path)
    return path


def times(report: PerformanceReport) -> int:
    return sum(layer.time_ns or 0 for layer in report.layers) + sum(
        node.time_ns for node in report.inserted
    )


def assert_adds_up(report: PerformanceReport) -> None:
    """All kernel time is on a layer or an inserted node, and every layer has a fate."""
    nodes = len(report.layers) + len(report.inserted)
    assert times(report) == pytest.approx(report.kernel_ns, abs=nodes)
    assert Status.UNKNOWN not in {layer.status for layer in report.layers}
    assert not [node for node in report.inserted if node.kind == Kind.CALL]
    # Layer times are medians without the profiler's cost; spans have it, and are truncated.
    trace = report.trace
    counted = (trace.run >= 0) & (trace.layer >= 0)
    own = trace.self_ns()[counted].sum() / report.profiled_runs
    layers = sum(layer.time_ns or 0 for layer in report.layers)
    executions = counted.sum() / report.profiled_runs
    assert layers <= own + CLOCK_NS * (executions + nodes)


LEVELS = ("none", "basic", "extended", "all")
# Of other models, what the runtime makes of them at the highest level is enough at first.
AT_EVERY_LEVEL = ("digits_int8_qdq", "sequence_loop")
AT_THE_HIGHEST = ("digits_float16", "tones_sound", "wine_tabular", "unsupported_elsewhere")


@pytest.mark.parametrize(
    ("name", "level"),
    [
        *((name, level) for name in AT_EVERY_LEVEL for level in LEVELS),
        *(
            pytest.param(name, level, marks=[] if level == "all" else pytest.mark.slow)
            for name in AT_THE_HIGHEST
            for level in LEVELS
        ),
    ],
)
def test_all_time_is_somewhere_and_every_layer_has_a_fate(samples, tmp_path, name, level):
    path = samples / f"{name}.onnx"
    report = measured(path, tmp_path, RunSpec(optimization=level, runs=1, profiled_runs=2))
    assert_adds_up(report)
    assert [layer.index for layer in report.layers] == list(range(len(report.layers)))


@pytest.mark.parametrize(
    "name",
    [
        "squeezenet1.1_fp16",
        "mobilenet_qdq_int8_maui",
        "silero_vad_op16_if",
        pytest.param("fastestdet_opset11", marks=pytest.mark.slow),
        pytest.param("magika_standard_v3_3", marks=pytest.mark.slow),
        pytest.param("basic_pitch_nmp", marks=pytest.mark.slow),
        pytest.param("dnsmos_sig_bak_ovr", marks=pytest.mark.slow),
        pytest.param("openseeface_lm_model0", marks=pytest.mark.slow),
        pytest.param("superres_pytorch_opset15", marks=pytest.mark.slow),
    ],
)
def test_trained_models_add_up_too(shared, tmp_path, name):
    assert_adds_up(measured(shared / "real" / f"{name}.onnx", tmp_path))


def test_layers_carry_the_files_names_and_types(samples, tmp_path):
    path = samples / "digits_float32.onnx"
    report = measured(path, tmp_path)
    model = open_model(path)
    assert [layer.name for layer in report.layers] == [layer.label for layer in model.layers]
    assert [layer.operator for layer in report.layers] == [
        layer.operator for layer in model.layers
    ]
    assert all(layer.output.startswith("float32 1×") for layer in report.layers)
    assert set(report.trace.names).isdisjoint(f"L{i}" for i in range(len(model.layers)))


def test_a_fused_layer_points_to_the_one_that_holds_its_time(samples, tmp_path):
    report = measured(samples / "digits_float32.onnx", tmp_path)
    fused = [layer for layer in report.layers if layer.status is Status.FUSED]
    assert fused
    for layer in fused:
        assert layer.into is not None
        assert (layer.time_ns, layer.ran_on, layer.calls) == (None, None, 0)
        lead = report.layers[layer.into]
        assert lead.status is Status.EXECUTED
        assert lead.time_ns is not None
        assert layer.devices["cpu"].mark is Mark.FUSED
        assert layer.devices["cpu"].reason == f"The time is included in '{lead.name}'."


def test_what_was_computed_while_loading_says_so(samples, tmp_path):
    report = measured(samples / "digits_int8_qdq.onnx", tmp_path)
    folded = [layer for layer in report.layers if layer.status is Status.FOLDED]
    assert folded
    for layer in folded:
        assert layer.devices["cpu"].mark is Mark.FOLDED
        assert layer.devices["cpu"].reason.startswith("The layer does not depend on any input")


def test_a_loop_counts_its_iterations_and_keeps_its_own_time(tmp_path):
    text = """
    <ir_version: 9, opset_import: ["" : 17]>
    g (float[64,64] x) => (float[64,64] y) <int64 n = {7}, bool go = {1}> {
      [again] y = Loop(n, go, x) <body = body (int64 i, bool b, float[64,64] s)
        => (bool a, float[64,64] t) { [inner] t = MatMul(s, x) [keep] a = Identity(b) }>
    }"""
    path = saved(text, tmp_path)
    report = measured(path, tmp_path)
    again, inner, keep = report.layers
    assert (again.calls, inner.calls, keep.calls) == (1, 7, 7)
    assert (again.parent, inner.parent) == (None, 0)
    assert_adds_up(report)
    spans = report.trace.layer == 1
    assert spans.sum() == 7 * (1 + WARM_UPS + SPEC.profiled_runs)
    assert set(report.trace.depth[spans]) == {1}


BRANCHES = """
<ir_version: 9, opset_import: ["" : 17]>
g (float[8] x, bool c) => (float[8] y) {
  y = If(c) <then_branch = t () => (float[8] o) { [taken] o = Tanh(x) },
             else_branch = e () => (float[8] o) { [other] o = Exp(x) }>
}"""


@pytest.mark.parametrize(("condition", "reached", "missed"), [(True, 1, 2), (False, 2, 1)])
def test_a_branch_that_is_not_taken_is_not_reached(tmp_path, condition, reached, missed):
    path = saved(BRANCHES, tmp_path)
    feeds = {"x": np.ones(8, np.float32), "c": np.array(condition)}
    report = measured_with(path, tmp_path, feeds)
    assert report.layers[reached].status is Status.EXECUTED
    gone = report.layers[missed]
    assert (gone.status, gone.time_ns) == (Status.NOT_REACHED, None)
    assert gone.devices["cpu"].mark is Mark.SUPPORTED
    assert "not taken" in gone.devices["cpu"].reason


def test_half_precision_says_that_it_ran_between_casts(samples, tmp_path):
    spec = RunSpec(optimization="none", runs=1, profiled_runs=1)
    report = measured(samples / "digits_float16.onnx", tmp_path, spec)
    casts = [node for node in report.inserted if node.kind == Kind.CAST]
    assert casts
    reasons = {layer.devices["cpu"].reason for layer in report.layers}
    assert (
        "The layer ran in float32 between casts, because there is no float16 kernel." in reasons
    )
    told = "16 float16 layers ran in float32, as 15 kernels; ONNX Runtime inserted "
    told += f"{len(casts)} Cast nodes."
    assert told in report.notes
    data = [track.lane for track in report.trace.tracks].index(Lane.DATA)
    spans = [report.trace.span(i) for i in np.flatnonzero(report.trace.track == data)]
    assert {span.kind for span in spans} == {Kind.CHECK, Kind.CAST}
    assert all(span.size_bytes for span in spans if span.kind is Kind.CAST)


def test_the_clean_pass_is_kept_apart(samples, tmp_path):
    told: Steps = []
    report = measured(samples / "tones_sound.onnx", tmp_path, told=told)
    assert len(report.prediction_ns) == len(report.prediction_cpu_ns) == SPEC.runs
    assert min(report.prediction_ns) > 0
    assert report.load_ns > 0
    assert report.first_prediction_ns > 0
    held = report.memory
    assert 0 < held.start_bytes <= held.loaded_bytes <= held.peak_bytes
    assert held.weights_bytes > 1000
    assert ("prediction", 1, report.prediction_ns) in told
    assert told[0][0] == "devices"
    assert "profile" in {step for step, _, _ in told}


def test_time_goes_on_until_runs_and_seconds_are_reached(tmp_path):
    path = saved(BRANCHES, tmp_path)
    feeds = {"x": np.ones(8, np.float32), "c": np.array(True)}
    for seconds in (0.15, 2.0, 20.0):  # a busy machine may be away for the whole of the first
        told: Steps = []
        spec = RunSpec(runs=2, seconds=seconds, warmup=0, profiled_runs=1)
        report = measured_with(path, tmp_path, feeds, spec, told)
        if len(report.prediction_ns) > 100:
            break
    assert len(report.prediction_ns) > 100
    partial = [samples for step, done, samples in told if step == "prediction" and done < 1]
    assert partial
    for samples in partial:
        assert samples == report.prediction_ns[: len(samples)]


def test_the_trace_has_the_lanes_in_their_order(samples, tmp_path):
    report = measured(samples / "digits_float32.onnx", tmp_path)
    trace = report.trace
    lanes = [(track.lane, track.unit) for track in trace.tracks]
    assert lanes == [(Lane.ACTIVITY, ""), (Lane.DATA, ""), (Lane.COMPUTE, "cpu")]
    spans = [trace.span(i) for i in range(len(trace))]
    top = [span for span in spans if span.track.lane is Lane.ACTIVITY and span.depth == 0]
    assert [span.name for span in top] == [
        "create session", "first prediction", "warm-up", "run 1", "run 2",
    ]  # fmt: skip
    inside = [span for span in spans if span.track.lane is Lane.ACTIVITY and span.depth == 1]
    assert [span.name for span in inside] == [
        "read the model", "optimize and prepare", "run", "run", "run", "run",
    ]  # fmt: skip
    assert top[0].start_ns == 0
    for kernel in (span for span in spans if span.layer is not None and span.run == 0):
        run = inside[-2]
        assert run.start_ns <= kernel.start_ns
        assert kernel.start_ns + kernel.duration_ns <= run.start_ns + run.duration_ns


def test_a_report_comes_back_as_it_was_saved(samples, tmp_path):
    report = measured(samples / "digits_int8_qdq.onnx", tmp_path)
    again = reports.from_json(reports.to_json(report), "report")
    assert again.layers == report.layers
    assert again.inserted == report.inserted
    np.testing.assert_array_equal(again.trace.start_ns, report.trace.start_ns)


def test_a_measured_report_with_its_counters_fits_the_published_schema(samples, tmp_path):
    report = measured(samples / "digits_float32.onnx", tmp_path)
    body = msgspec.json.decode(reports.to_json(report))
    body["trace"]["counters"][-1]["values"][0] = 99.4  # a load, which may have been even here
    schema = files.resource("schemas", "report-1.schema.json").read_bytes()
    jsonschema.validate(body, msgspec.json.decode(schema))


def test_a_report_tells_nothing_about_its_owner(samples, tmp_path):
    body = reports.to_json(measured(samples / "digits_float32.onnx", tmp_path)).decode()
    for secret in (str(samples), str(tmp_path), "/home", "/root"):
        assert secret not in body


def test_free_axes_get_the_lengths_of_the_spec(tmp_path):
    text = """
    <ir_version: 9, opset_import: ["" : 17]>
    g (float[batch,4] x) => (float[batch,4] y) { y = Tanh(x) }"""
    path = saved(text, tmp_path)
    spec = RunSpec(runs=1, profiled_runs=1, dimensions=(Dimension("batch", 3),))
    report = measured(path, tmp_path, spec)
    assert report.layers[0].output == "float32 3×4"


def test_weights_in_a_file_beside_the_model_are_found(tmp_path):
    w = numpy_helper.from_array(np.ones((64, 64), np.float32), "w")
    values = [onnx_models.value(name, [1, 64]) for name in "xy"]
    node = helper.make_node("MatMul", ["x", "w"], ["y"], "product")
    model = onnx_models.model([node], values[:1], values[1:], [w])
    path = tmp_path / "model.onnx"
    onnx.save(model, path, save_as_external_data=True, location="side.bin", size_threshold=0)
    private = tmp_path / "private"
    private.mkdir()
    assert_adds_up(measured(path, private))


def between_products(operator: str, folder: Path) -> Path:
    """A model of an operator between two products; skips where there is no second device."""
    try:
        devices.resolve(["webgpu:0"])
    except InspectorError as error:
        pytest.skip(f"no second device here: {error.why}")
    text = f"""
    <ir_version: 9, opset_import: ["" : 17]>
    g (float[4,4] x) => (float[4,4] y) {{
      [first] a = MatMul(x, x)
      [middle] b = {operator}(a)
      [second] y = MatMul(b, x)
    }}"""
    return saved(text, folder)


def test_two_devices_share_a_model_and_copy_between_them(tmp_path):
    path = between_products("Round", tmp_path)
    spec = RunSpec(devices=("webgpu:0",), runs=1, profiled_runs=2)
    report = measured(path, tmp_path, spec)
    assert_adds_up(report)
    asked = layers_without_marks(report)
    answers = answer_support_query(path, spec, {"x": (4, 4)}, asked)
    report = with_support_marks(report, answers)
    assert [layer.ran_on for layer in report.layers] == ["webgpu:0", "cpu", "webgpu:0"]
    first, only_cpu, _ = report.layers
    assert first.devices["cpu"].mark is Mark.SUPPORTED
    why = "The WebGPU provider has no kernel for Round."
    unsupported = Support(Mark.UNSUPPORTED, Source.PROBED, why, Rule.OPERATOR)
    assert only_cpu.devices["webgpu:0"] == unsupported
    copies = [node for node in report.inserted if node.kind == Kind.COPY]
    places = [(node.after, node.before, node.size_bytes) for node in copies]
    assert places == [(0, 1, 64), (1, 2, 64)]
    assert [track.family for track in report.trace.tracks] == ["activity", "data", "cpu", "gpu"]
    assert any("times of submission" in note for note in report.notes)


def test_layers_kept_on_the_cpu_are_islands_with_copies(tmp_path):
    path = between_products("Relu", tmp_path)
    spec = RunSpec(devices=("webgpu:0",), runs=1, profiled_runs=2, on_cpu=("middle",))
    report = measured(path, tmp_path, spec)
    assert [layer.ran_on for layer in report.layers] == ["webgpu:0", "cpu", "webgpu:0"]
    away = report.layers[1].devices["webgpu:0"]
    assert (away.mark, away.source) == (Mark.EXCLUDED, Source.MEASURED)
    parts = partition(report)
    assert [island.device for island in parts.islands] == ["webgpu:0", "cpu", "webgpu:0"]
    assert [crossing.size_bytes for crossing in parts.crossings] == [64, 64]
    assert any("name_based_layer_assignment=cpu(middle)" in note for note in report.notes)


def test_what_the_runtime_refuses_is_one_error(tmp_path):
    text = """
    <ir_version: 9, opset_import: ["" : 17, "mine" : 1]>
    g (float[4] x) => (float[4] y) { y = mine.Magic(x) }"""
    path = saved(text, tmp_path)
    with pytest.raises(EngineFailed, match="Magic"):
        measured_with(path, tmp_path, {"x": np.ones(4, np.float32)})


def test_a_feed_that_does_not_fit_is_one_error(samples, tmp_path):
    feeds = {"x": np.ones(3, np.float32), "c": np.array(True)}
    with pytest.raises(BadInput):
        measured_with(saved(BRANCHES, tmp_path), tmp_path, feeds)


@pytest.mark.engine
def test_the_engine_process_measures_in_a_child_of_its_own(samples):
    path = samples / "digits_float32.onnx"
    feeds = {filled.name: filled.array for filled in defaults(open_model(path).inputs, {})}
    identity = ModelIdentity(path.name, "0" * 64, 1, 2, 3)
    with EngineProcess() as engine:
        report = engine.measure(path, identity, SPEC, feeds)
    assert_adds_up(report)
    assert report.model == identity
    assert report.environment.onnxruntime == onnxruntime.__version__
    assert report.layers[0].devices["cpu"].source is Source.MEASURED


def test_loads_are_kept_apart_and_the_first_is_the_load_time(samples, tmp_path):
    spec = RunSpec(runs=1, warmup=2, profiled_runs=1, loads=3)
    report = measured(samples / "digits_float32.onnx", tmp_path, spec)
    assert len(report.loads_ns) == 3
    assert report.loads_ns[0] == report.load_ns
    assert len(report.warmup_ns) == 2
    assert [phase.name for phase in report.load_phases] == [
        "read the model", "optimize and prepare",
    ]  # fmt: skip


def test_loading_in_detail_tells_phases_that_fill_the_load(samples, tmp_path, capfd):
    spec = RunSpec(runs=1, profiled_runs=1, phases=True)
    report = measured(samples / "digits_float32.onnx", tmp_path, spec)
    names = [phase.name for phase in report.load_phases if not phase.inside]
    assert names[:2] == ["read and parse", "check the graph"]
    assert {"graph optimization, level 1", "prepack the weights"} <= {*names}
    (whole, *_) = [report.trace.span(i) for i in range(len(report.trace))]
    assert (whole.name, whole.start_ns) == ("load in detail", 0)
    in_phases = sum(phase.duration_ns for phase in report.load_phases if not phase.inside)
    # Beside busy processes, the log's own writing waits for a core and counts to no phase.
    assert 0 < in_phases <= whole.duration_ns
    os.write(2, b"still there")
    assert capfd.readouterr().err == "still there"
    assert not (tmp_path / "load.log").exists()


@pytest.mark.parametrize("way", ["bytes", "reader"])
def test_a_model_can_be_loaded_in_other_ways_and_the_report_says_so(samples, tmp_path, way):
    spec = RunSpec(runs=1, profiled_runs=1, load_from=way)
    report = measured(samples / "digits_float32.onnx", tmp_path, spec)
    assert_adds_up(report)
    assert [note for note in report.notes if "load time includes" in note]


def test_a_way_to_load_that_does_not_exist_is_one_error(samples, tmp_path):
    with pytest.raises(BadInput, match="the available sources are path, bytes, reader"):
        measured(samples / "digits_float32.onnx", tmp_path, RunSpec(load_from="tape"))


def test_memory_is_told_for_each_phase(samples, tmp_path):
    held = measured(samples / "digits_float32.onnx", tmp_path).memory
    assert 0 < held.loaded_peak_bytes <= held.first_prediction_peak_bytes <= held.peak_bytes
    assert held.loaded_bytes <= held.loaded_peak_bytes + 4096
    assert held.closed_bytes > 0
    assert held.trimmed_bytes <= held.closed_bytes
    assert 0 < held.arena_used_bytes <= held.arena_held_bytes


def test_the_pace_of_the_processor_is_taken_beside_the_predictions(samples, tmp_path):
    spec = replace(SPEC, runs=5000, profiled_runs=0)  # a tenth of a second of work
    pace = measured(samples / "digits_float32.onnx", tmp_path, spec).pace
    assert len(pace.probes_ns) == len(pace.before) >= 2  # as many as the machine has time for
    assert pace.before[0] == 0
    assert sorted(pace.before) == list(pace.before)


def test_a_graph_that_loading_folds_into_its_output_is_measured_without_kernels(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17]>
    folded () => (int64[n] y) <int64[2] shape = {3, 4}> {
        big = ConstantOfShape(shape)
        y = Shape(big)
    }"""
    report = measured(saved(text, tmp_path), tmp_path)
    assert len(report.prediction_ns) == SPEC.runs
    assert [use.time_ns for use in report.layers] == [None, None]
    assert report.profiling.events == 0


def clean(wall_ns: list[int], off_core_ns: list[int]) -> CleanPass:
    held, wall = MemoryUse(0, 0, 0, 0, 0, 0), tuple(wall_ns)
    bare = CleanPass((1,), 1, (), wall, wall, held, SystemLoad(), ())
    return structs.replace(bare, off_core_ns=tuple(off_core_ns))


def test_the_wait_for_a_core_is_that_of_a_prediction_of_median_length():
    """Half of the predictions wait for 3 ms; the median is of those that wait for 1 ms."""
    wall = [2_000_000] * 40 + [3_000_000] * 30 + [5_000_000] * 30
    off_core = [0] * 40 + [1_000_000] * 30 + [3_000_000] * 30
    made = clean(wall, off_core)
    assert waiting_ns(RunSpec(), made, CoreUse.ALL) == 1_000_000
    assert waiting_ns(RunSpec(), clean(wall, [0] * 100), CoreUse.ALL) == 0


@pytest.mark.parametrize(
    "spec",
    [
        RunSpec(devices=("webgpu:0", "cpu")),
        RunSpec(threads=2, spinning=False),
        RunSpec(execution_mode="parallel"),
    ],
)
def test_a_wait_for_others_is_not_taken_for_one_for_a_core(spec):
    assert waiting_ns(spec, clean([2000] * 9, [1000] * 9), CoreUse.ALL) is None
