"""`inspector measure` of several models: one row each."""

import csv
import io
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from inspector.pages.lists.model_rows import ModelRow
from inspector.pages.models import models_page
from inspector.report.report import load
from tests.command_line import errors_of, run
from tests.page_text import text as page_text

SAMPLES = Path(__file__).parents[3] / "sample_models"
QUICK = ("--runs", "3", "--warmup", "0", "--no-layers")
pytestmark = pytest.mark.engine


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "models"
    made.mkdir()
    for name in ("wine_tabular", "digits_float32"):
        shutil.copy(SAMPLES / f"{name}.onnx", made)
    return made


def test_a_folder_is_measured_as_a_table(folder, tmp_path):
    reports = tmp_path / "reports"
    command = ("measure", folder, *QUICK, "--sort", "p50", "--csv", "-")
    printed = run(*command, "-o", reports)
    assert printed.returncode == 0
    rows = [*csv.DictReader(io.StringIO(printed.stdout))]
    assert {Path(row["path"]).stem for row in rows} == {"digits_float32", "wine_tabular"}
    assert int(rows[0]["p50_ns"]) >= int(rows[1]["p50_ns"]) > 0
    (digits,) = (row for row in rows if "digits" in row["path"])
    assert int(digits["macs"]) > 400_000
    saved = load(reports / "digits_float32.json")
    assert saved.median_ns == int(digits["p50_ns"])
    assert "2 of 2: " in printed.stderr


def test_one_that_fails_leaves_the_others(folder):
    (folder / "broken.onnx").write_bytes(b"broken")
    printed = run(
        "measure", folder / "broken.onnx", folder / "wine_tabular.onnx", *QUICK, "--json"
    )
    assert printed.returncode == 1
    broken, wine = json.loads(printed.stdout)["models"]
    assert broken["problem"].startswith("Could not open broken.onnx")
    assert wine["p50_ns"] > 0
    assert "Could not measure 1 of 2 models" in printed.stderr


def test_options_for_one_model_are_refused(folder):
    told = " ".join(errors_of("measure", folder, "--fail-if", "prediction.p95>3ms").split())
    assert "--fail-if works only with one model" in told


@pytest.mark.slow
def test_two_runtimes_have_a_row_each(folder, tmp_path):
    pytest.importorskip("openvino")
    models = (folder / "digits_float32.onnx", folder / "wine_tabular.onnx")
    both = ("--device", "cpu", "--device", "openvino:cpu")
    printed = run("measure", *models, *QUICK, *both, "--json", "-o", tmp_path / "r")
    assert printed.returncode == 1  # OpenVINO has no operators of ai.onnx.ml
    rows = json.loads(printed.stdout)["models"]
    digits = [row for row in rows if "digits" in row["path"]]
    assert [row["outputs"] for row in digits] == ["correct", "correct"]
    assert [row["runtime"].split(" on ")[1] for row in digits] == ["CPU", "OpenVINO CPU"]
    assert rows[3]["problem"]
    assert rows[3]["runtime"] == "OpenVINO on OpenVINO CPU"
    assert rows[3]["outputs"] == "unknown"
    assert "Could not measure 1 of 4 measurements" in printed.stderr
    spec = load(tmp_path / "r/digits_float32_openvino_cpu.json").spec
    assert spec.devices == ("openvino:cpu",)


def test_the_table_of_two_runtimes_names_the_lowest_median():
    rows = [
        ModelRow("a.onnx", p50_ns=2_000, runtime="ONNX Runtime 1 on CPU", outputs="correct"),
        ModelRow("a.tflite", p50_ns=1_000, runtime="LiteRT 2 on CPU", outputs="correct"),
        ModelRow("a.tflite", p50_ns=500, runtime="OpenVINO 3 on CPU", outputs="WRONG"),
    ]
    shown = page_text(models_page(rows))
    _, _, head, first, _, wrong, *_ = shown.splitlines()
    assert head.split()[:2] == ["Model", "Runtime"]
    assert "ONNX Runtime 1 on CPU" in first
    assert "WRONG" in wrong
    assert "Lowest median\n1.00 µs: a.tflite with LiteRT 2 on CPU" in shown
    unknown = [replace(rows[0], outputs="unknown"), rows[1]]
    others = [rows[0], replace(rows[1], path="b.tflite")]
    for without_verdict in (unknown, others):
        assert "Lowest median" not in page_text(models_page(without_verdict))
    two = [*rows, *(replace(row, path=f"b{row.path[1:]}", p50_ns=9_000) for row in rows)]
    text = page_text(models_page(two))
    assert "\n1.00 µs: a.tflite with LiteRT" in text
    assert "\n9.00 µs: b.onnx with ONNX" in text
    alone = [replace(row, runtime="", outputs="") for row in rows]
    assert "Runtime" not in page_text(models_page(alone))
