import argparse
import re
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import parser

from inspector.app import interleaved
from inspector.cli import main
from inspector.cli.options import option_types
from inspector.report import report
from inspector.report.run_spec import RunSpec
from tests.command_line import errors_of, json_of, output_of
from tests.reports import example_report

pytestmark = pytest.mark.engine


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """Two layers, a free axis, and an input that looks like a condition."""
    path = tmp_path / "small.onnx"
    onnx.save(
        parser.parse_model("""
        <ir_version: 9, opset_import: ["" : 17]>
        g (float[batch,4] x, bool c) => (float[batch,4] y) {
          [scale] a = Mul(x, x)
          y = If(c) <then_branch = t () => (float[batch,4] o) { o = Tanh(a) },
                     else_branch = e () => (float[batch,4] o) { o = Exp(a) }>
        }"""),
        path,
    )
    return path


def test_one_object_holds_the_report(model):
    options = (
        "--runs 4 --warmup 0 --threads 1 --dim batch=3 --optimization basic --input x=ones"
    )
    body = json_of("measure", model, *options.split())
    assert body["schema"] == "report/1"
    assert len(body["prediction_ns"]) == 4
    assert body["spec"] | {"profiled_runs": 0} == body["spec"] | {
        "devices": ["cpu"], "optimization": "basic", "threads": 1, "runs": 4, "seconds": 0,
        "warmup": 0, "profiled_runs": 0, "dimensions": [{"name": "batch", "size": 3}],
        "inputs": [{"name": "x", "value": "ones"}, {"name": "c", "value": "zeros"}],
        "predict": [], "load_from": "path", "loads": 1, "phases": False, "binding": "plain",
        "cast": False,
    }  # fmt: skip
    assert body["model"]["name"] == "small.onnx"
    assert len(body["model"]["sha256"]) == 64
    assert [layer["output"] for layer in body["layers"]][:2] == ["float32 3×4"] * 2
    assert [layer["status"] for layer in body["layers"]] == [
        "executed", "executed", "not reached", "executed",
    ]  # fmt: skip


def test_commands_to_paste_name_the_model_as_it_was_given(tmp_path):
    text = """<ir_version: 3, opset_import: ["" : 13]>
    net (float[1, 2] x, float[2, 2] w) => (float[1, 2] y) { y = MatMul (x, w) }"""
    made = onnx.parser.parse_model(text)
    weight = onnx.numpy_helper.from_array(np.ones((2, 2), np.float32), "w")
    made.graph.initializer.append(weight)
    onnx.save(made, tmp_path / "a.onnx")
    told = output_of("measure", tmp_path / "a.onnx", "--runs", 3)
    assert f"inspector convert {tmp_path / 'a.onnx'} weights-not-inputs" in told


@pytest.mark.quick
def test_people_get_a_summary(model):
    text = output_of("measure", model, "--runs", 3, "--threads", 1)
    first, *rest = text.splitlines()
    assert first == "small.onnx on CPU: all optimizations, 1 thread, 3 runs"
    assert re.search(r"^Latency .* median of all 3 runs; ", text, re.MULTILINE)
    assert re.search(r"3 executed, 1 not reached", text, re.MULTILINE)
    row = r"^ +0  scale.* +Mul .* CPU .*(?:\d[\d.]* [nµ]s|< 1 µs) +(?:< )?\d+\.\d%"
    assert re.search(row, text, re.MULTILINE), text
    assert re.search(r"^c  scalar zeros  .*by default", text, re.MULTILINE)
    assert max(len(line) for line in rest if not line.startswith("Bottleneck")) < 240


def test_a_saved_report_opens_again(model, tmp_path):
    text = output_of("measure", model, "--runs", 2, "-o", tmp_path / "out.json")
    assert text.endswith(f"saved {tmp_path / 'out.json'}\n")
    again = report.load(tmp_path / "out.json")
    assert len(again.prediction_ns) == 2
    assert again.kernel_ns > 0


def test_a_device_that_is_not_here_is_one_message(model):
    text = errors_of("measure", model, "--device", "gpu-of-my-dreams")
    assert "The device 'gpu-of-my-dreams' is not available" in text


@pytest.mark.parametrize(
    "wrong",
    [
        ("--runs", "0"),
        ("--runs", "many"),
        ("--warmup", "-1"),
        ("--seconds", "soon"),
        ("--seconds", "nan"),
        ("--optimization", "most"),
        ("--dim", "batch"),
        (),
    ],
)
def test_wrong_use_is_told_as_such(model, wrong):
    arguments = (model, *wrong) if wrong else ()
    assert "usage:" in errors_of("measure", *arguments, status=2)


def test_a_measurement_is_held_against_a_baseline(model, tmp_path):
    base = tmp_path / "base.json"
    output_of("measure", model, "--runs", 10, "--threads", 1, "-o", base)
    again = (model, "--runs", 10, "--threads", 1, "--baseline", base)
    text = output_of("measure", *again, "--fail-if", "layers.moved>0")
    assert "layers.moved>0  ✓ pass" in text
    junit, markdown = tmp_path / "out.xml", tmp_path / "out.md"
    asked = ("--fail-if", "prediction.p50>1ns", "--junit", junit, "--markdown", markdown)
    assert main.run([str(part) for part in ("measure", *again, *asked)]) == 3
    assert "prediction.p50&gt;1ns" in junit.read_text("utf-8")
    assert "compared with `base.json`" in markdown.read_text("utf-8")


def test_an_undecided_condition_is_measured_again_with_more_runs(model, tmp_path):
    base, second = tmp_path / "base.json", tmp_path / "second.json"
    output_of("measure", model, "--runs", 8, "--threads", 1, "-o", base)
    options = [
        "--runs",
        "4",
        "--threads",
        "1",
        "--retry",
        "2",
        "--fail-if",
        "prediction.p50>9s",
    ]
    output_of("measure", model, *options, "--baseline", base, "-o", second)
    assert len(report.load(second).prediction_ns) == 8


def test_a_condition_needs_a_baseline(model):
    text = errors_of("measure", model, "--fail-if", "layers.moved>0")
    assert "Add --baseline REPORT or --against MODEL, or --without-base to skip it." in text
    alone = output_of(
        "measure",
        model,
        "--dim",
        "batch=3",
        "--runs",
        3,
        "--no-layers",
        "--without-base",
        "--fail-if",
        "layers.moved>0",
    )
    assert "layers.moved" not in alone


def test_arrays_in_another_order_or_type_are_copied_and_cast_in_the_open(tmp_path):
    path, array = tmp_path / "half.onnx", tmp_path / "x.npy"
    onnx.save(
        parser.parse_model("""
        <ir_version: 9, opset_import: ["" : 17]>
        g (float16[8,3] x) => (float16[8,3] y) { y = Relu(x) }"""),
        path,
    )
    np.save(array, np.asfortranarray(np.ones((8, 3), np.float32)))
    refused = errors_of("measure", path, "--input", f"x={array}")
    assert "it contains float32, but the input expects float16" in refused
    assert "Convert the values with" in refused
    text = output_of("measure", path, "--input", f"x={array}", "--cast", "--runs", 2, "--json")
    trace = report.from_json(text.encode(), "report").trace
    events = {trace.span(i).name: trace.span(i).size_bytes for i in range(len(trace))}
    assert events["cast x to float16"] == 48
    assert events["copy x"] == 48


def test_loading_can_be_told_in_detail(model):
    options = "--phases --loads 2 --load-from bytes --runs 2 --binding outputs --details"
    text = output_of("measure", model, *options.split())
    assert "Loading again took" in text
    assert "- The model was passed as bytes" in text


@pytest.mark.parametrize(
    ("text", "share"),
    [("1%", 0.01), ("0.5%", 0.005), ("2", 0.02), ("0.01%", 0.0001), ("100%", 1.0)],
)
def test_how_sure_the_median_shall_be_is_a_share(text, share):
    assert option_types.share(text) == pytest.approx(share)


@pytest.mark.parametrize("text", ["", "x", "0", "-1%", "0.009%", "101%", "nan"])
def test_no_share_is_refused(text):
    with pytest.raises(argparse.ArgumentTypeError, match="not a percentage such as 1%"):
        option_types.share(text)


def test_starts_are_measured_in_processes_of_their_own(model, tmp_path):
    saved = tmp_path / "starts.json"
    text = output_of(
        "measure", model, "--runs", 4, "--starts", 4, "--threads", 1, "-o", saved, "-v"
    )
    measured = report.load(saved)
    assert measured.start_lengths == (4, 4, 4, 4)
    assert len(measured.prediction_ns) == len(measured.prediction_cpu_ns) == 16
    assert len(measured.loads_ns) == len(measured.first_predictions_ns) == 4
    assert "Medians of the 4 processes: " in text


def test_two_models_are_measured_in_turns_and_compared(model, tmp_path):
    slower, (new, old) = tmp_path / "slower.onnx", (tmp_path / "n.json", tmp_path / "o.json")
    changed = onnx.load(model)
    changed.graph.node.append(onnx.helper.make_node("Exp", ["x"], ["more"]))
    changed.graph.output.append(
        onnx.helper.make_tensor_value_info("more", onnx.TensorProto.FLOAT, ["batch", 4])
    )
    onnx.save(changed, slower)
    asked = (
        "measure", slower, "--against", model, "--runs", 4, "--threads", 1, "--starts", 2,
        "--dim", "batch=3", "-o", new, "--against-output", old, "--fail-if", "layers.new>0",
    )  # fmt: skip
    text = output_of(*[str(part) for part in asked], status=3)
    assert re.search(rf"^  A  {re.escape(str(model))}  +small.onnx$", text, re.M)
    assert "layers.new>0  ✗ FAIL   1 layer" in text
    first, other = (report.load(path) for path in (old, new))
    assert first.start_lengths == other.start_lengths == (4, 4)
    assert first.spec == other.spec
    assert len(first.start_layers_ns) == len(other.start_layers_ns) == 2
    assert (first.model.name, other.model.name) == ("small.onnx", "slower.onnx")


@pytest.mark.parametrize(
    ("between", "asked", "starts"),
    [
        (0.2, (), [20]),
        (0.0, (), range(5, 10)),
        (0.2, ("--starts", "4"), [4]),
        pytest.param(0.2, ("--retry", "1"), [20 + 40], marks=pytest.mark.slow),
        (0.2, ("--retry", "1", "--starts", "4"), [4 + 8]),
    ],
)
def test_turns_go_on_until_they_tell_enough_where_nobody_says_how_many(
    model, monkeypatch, between, asked, starts
):
    calls, random = [0], np.random.default_rng(5)

    def canned(*_: object) -> report.PerformanceReport:
        calls[0] += 1
        took = int(1e7 * np.exp(between * random.normal()))
        return example_report(
            prediction_ns=(took,) * 30, prediction_cpu_ns=(took,) * 30, spec=RunSpec(threads=1)
        )

    monkeypatch.setattr(interleaved, "measure_in_turn", canned)
    condition = ("--fail-if", "prediction.p50>+2%")
    out = output_of(
        "measure", model, "--against", model, "--dim", "batch=3", *asked, *condition
    )
    assert calls[0] // 2 in starts
    said = [line for line in out.splitlines() if line.startswith("Interleaved measurement")]
    last = said[0] if said else ""
    assert last.startswith("Interleaved measurement") is ("--starts" not in asked)
    assert (", which is wider than the target of ±2.4%" in last) is (
        between > 0 and "--starts" not in asked
    )


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--against", "a.onnx", "--baseline", "b.json"), "Omit one of these options."),
        (("--against-output", "b.json"), "Add --against MODEL."),
        (("--against", "gone.onnx"), "gone.onnx"),
    ],
)
def test_sides_that_cannot_be_are_one_message(model, arguments, why):
    assert why in errors_of("measure", model, *arguments)


def test_a_measurement_that_fails_leaves_its_report(tmp_path):
    path, kept = tmp_path / "unknown.onnx", tmp_path / "kept.json"
    onnx.save(
        parser.parse_model("""
        <ir_version: 9, opset_import: ["" : 17, "made.up" : 1]>
        g (float[8,3] x) => (float[8,3] y) { y = made.up.Whirl(x) }"""),
        path,
    )
    refused = errors_of("measure", path, "--runs", 2, "-o", kept)
    assert refused.startswith("saved ")
    failed = report.load(kept)
    assert failed.failed
    assert failed.early_end.startswith("The measurement failed while the model was loaded: ")
    assert refused.splitlines()[1] in failed.early_end
    assert failed.environment.runtime.startswith("ONNX Runtime ")
    whole = tmp_path / "whole.json"
    report.save(example_report(), whole)
    assert not report.load(whole).failed
    assert "so it has no times" in errors_of("compare", whole, kept)
    page = output_of("export", kept, "--format", "md", "-o", "-")
    assert "Whirl" in page
    assert "Load" not in page.split("<details>")[0]
