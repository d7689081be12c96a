"""inspector support, from its words to its JSON."""

import csv
from pathlib import Path

import pytest

from inspector.analysis.devices.placement_answers import PlacementAnswers
from inspector.formats.opening import open_model
from inspector.pages.on_devices.support import support_page
from inspector.report.report import Device, Support
from inspector.wording.support_marks import Mark, Rule, Source
from tests.command_line import errors_of, json_of, output_of
from tests.engine.small_models import linear
from tests.page_text import text

GPU = Device("gpu:0", "Some GPU", "gpu", "SomeExecutionProvider")


def marked(path: Path, *said: Support, ran: bool = True, **more: object) -> list[str]:
    model = open_model(path)
    marks = tuple({"gpu:0": one} for one in said)
    found = PlacementAnswers((GPU,), model.layers, marks, ran=ran, **more)
    return text(support_page(model.name, found)).splitlines()


def test_what_failed_is_named_with_its_reason_and_a_way_out(tmp_path):
    path = linear(tmp_path / "linear.onnx")
    failed = Support(Mark.FAILED, Source.MEASURED, "It took it, and then failed: boom.")
    refused = Support(Mark.UNSUPPORTED, Source.PROBED, "It has no kernel.", Rule.OPERATOR)
    told = marked(path, failed, refused, on_cpu=("fc",))
    first, second = open_model(path).layers
    assert told[0] == "linear.onnx: 2 layers, tested with one run"
    place = told.index("Some GPU (gpu:0)")
    assert told[place + 1] == "Runs 0 of 2 layers"
    rows = [" ".join(line.split()) for line in told]
    assert rows[rows.index(f"{first.label} {first.operator} 1") + 1] == failed.reason
    assert rows[rows.index(f"not supported {second.operator} 1") + 1] == "It has no kernel."
    assert told[-2:] == ["The model ran with layers forced to the CPU:", "  --on-cpu 'fc'"]


def test_without_a_prediction_it_says_what_was_asked(tmp_path):
    path = linear(tmp_path / "linear.onnx")
    taken = Support(Mark.SUPPORTED, Source.PROBED)
    told = marked(path, taken, taken, ran=False, why="it hung")
    assert told[0] == "linear.onnx: 2 layers, each layer tested alone"
    assert "No run completed: it hung" in told
    assert "supported when tested alone  2 layers" in told


@pytest.mark.engine
def test_json_has_a_mark_for_each_layer_and_device(tmp_path):
    path = linear(tmp_path / "linear.onnx")
    found = json_of("support", path, "--dim", "n=2")
    assert (found["schema"], found["ran"]) == ("support/1", True)
    assert [layer["devices"]["cpu"]["source"] for layer in found["layers"]] == ["measured"] * 2


@pytest.mark.engine
def test_targets_are_checked_without_running_the_model(tmp_path):
    path = linear(tmp_path / "linear.onnx")
    text = output_of("support", path, "--target", "nvidia,tensorrt", "--dim", "n=2")
    assert "CUDA supports all 2 layers.\n" in text
    rows = [" ".join(line.split()) for line in text.splitlines()]
    assert "NVIDIA GPU, compiled Not known GPU TensorRT unknown" in rows
    found = json_of("support", path, "--target", "apple")
    assert found["schema"] == "targets/1"
    (target,) = found["targets"]
    assert (target["id"], target["provider"], target["layers"]) == ("apple", "Core ML", 2)
    assert [layer["index"] for layer in target["by_layer"]] == [0, 1]


@pytest.mark.engine
def test_the_size_is_named_that_makes_a_target_run_more(samples):
    path = samples / "digits_float32.onnx"
    text = output_of("support", path, "--target", "android")
    rows = [" ".join(line.split()) for line in text.splitlines()]
    assert "Android Only on the CPU NPU, GPU, DSP or CPU NNAPI 0 of 15" in rows
    assert "On Android: Yes, but only on the CPU. " in text
    assert "With --dim batch=1, targets run more layers:\n  - Android: 15 of 15\n" in text
    assert f"inspector convert {path} fix-axes:batch=1 -o fixed.onnx" in text
    fixed = output_of("support", path, "--target", "android", "--dim", "batch=1")
    assert "Fixed shapes" not in fixed


def test_an_unknown_target_is_refused_with_those_that_exist(tmp_path):
    told = errors_of("support", linear(tmp_path / "linear.onnx"), "--target", "fridge")
    assert "There is no target 'fridge': the available targets are 'all', apple" in told


def test_reasons_are_a_table_to_filter(samples, tmp_path):
    table = tmp_path / "reasons.csv"
    output_of("support", "sample:unsupported_elsewhere", "--target", "apple", "--csv", table)
    rows = list(csv.DictReader(table.read_text("utf-8").splitlines()))
    assert len(rows) == 13
    refused = [row for row in rows if row["rule"] == "attribute"]
    assert {row["name"] for row in refused} == {"smooth/pad", "edges/pad"}
    assert refused[0]["device"] == "apple"
    assert refused[0]["reason"].startswith("Mode must be constant or reflect")
