"""`inspector measure` of several models: one row each."""

import csv
import io
import json
import shutil
from pathlib import Path

import pytest

from inspector.cli.main import run
from inspector.report.report import load

SAMPLES = Path(__file__).parents[3] / "sample_models"
Printed = pytest.CaptureFixture[str]
QUICK = ("--runs", "3", "--warmup", "0", "--no-layers")
pytestmark = pytest.mark.engine


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "models"
    made.mkdir()
    for name in ("wine_tabular", "digits_float32"):
        shutil.copy(SAMPLES / f"{name}.onnx", made)
    return made


def test_a_folder_is_measured_as_a_table(folder: Path, tmp_path: Path, capsys: Printed) -> None:
    reports = tmp_path / "reports"
    command = ["measure", str(folder), *QUICK, "--sort", "p50", "--csv", "-"]
    assert run([*command, "-o", str(reports)]) == 0
    printed = capsys.readouterr()
    rows = [*csv.DictReader(io.StringIO(printed.out))]
    assert {Path(row["path"]).stem for row in rows} == {"digits_float32", "wine_tabular"}
    assert int(rows[0]["p50_ns"]) >= int(rows[1]["p50_ns"]) > 0
    (digits,) = (row for row in rows if "digits" in row["path"])
    assert int(digits["macs"]) > 400_000
    saved = load(reports / "digits_float32.json")
    assert saved.median_ns == int(digits["p50_ns"])
    assert "2 of 2: " in printed.err


def test_one_that_fails_leaves_the_others(folder: Path, capsys: Printed) -> None:
    (folder / "broken.onnx").write_bytes(b"broken")
    models = (str(folder / "broken.onnx"), str(folder / "wine_tabular.onnx"))
    assert run(["measure", *models, *QUICK, "--json"]) == 1
    printed = capsys.readouterr()
    broken, wine = json.loads(printed.out)["models"]
    assert broken["problem"].startswith("Could not open broken.onnx")
    assert wine["p50_ns"] > 0
    assert "Could not measure 1 of 2 models" in printed.err


def test_options_for_one_model_are_refused(folder: Path, capsys: Printed) -> None:
    assert run(["measure", str(folder), "--fail-if", "prediction.p95>3ms"]) == 1
    assert "--fail-if works only with one model" in " ".join(capsys.readouterr().err.split())
