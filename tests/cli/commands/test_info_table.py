"""`inspector info` of folders and patterns: one row for each model."""

import csv
import io
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from inspector.cli.main import run
from inspector.formats.opening import digest
from inspector.pages.lists.model_rows import ModelRow
from inspector.pages.models import models_page
from inspector.platform.settings import library_folder
from inspector.render.terminal import Terminal, lines
from inspector.report.library import Library
from tests.command_line import errors_of, json_of, output_of
from tests.reports import example_report

SAMPLES = Path(__file__).parents[3] / "sample_models"
Printed = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "models"
    (made / "old").mkdir(parents=True)
    for name in ("digits_float32", "wine_tabular", "language_bert"):
        shutil.copy(SAMPLES / f"{name}.onnx", made)
    shutil.copy(SAMPLES / "digits_float32.onnx", made / "old" / "copy.onnx")
    (made / "notes.txt").write_text("no model", "utf-8")
    return made


def table(*words: str) -> list[dict[str, str]]:
    return [*csv.DictReader(io.StringIO(output_of("info", *words, "--csv", "-")))]


def test_a_folder_is_a_table_of_its_models(folder):
    text = output_of("info", folder, "--no-shapes")
    (bert,) = [line for line in text.splitlines() if "language_bert" in line]
    assert "338 KiB" in bert
    assert "Text classifier: 4 classes" in bert
    assert "notes.txt" not in text
    same = f"{folder / 'old' / 'copy.onnx'}  {folder / 'digits_float32.onnx'}"
    assert same in text.partition("Same content")[2]


@pytest.mark.parametrize("separator", ["/", "\\"])
def test_of_a_long_path_the_end_is_shown(separator):
    whole = separator.join(["C:", "users", "somebody", "Downloads", "x" * 40, "m", "bert.onnx"])
    row = ModelRow(whole, size_bytes=1)
    terminal = Terminal(width=60)
    (line,) = [line for line in lines(models_page([row]), terminal) if "bert" in line]
    assert line.split()[0] == separator.join(["…", "m", "bert.onnx"])


def test_rows_are_sorted_with_the_largest_first(folder):
    rows = table(str(folder), "--no-shapes", "--sort", "size")
    sizes = [int(row["size_bytes"]) for row in rows]
    assert sizes == sorted(sizes, reverse=True)
    rows = table(str(folder), "--no-shapes", "--sort", "name")
    assert [row["path"] for row in rows] == sorted(row["path"] for row in rows)
    told = errors_of("info", folder, "--sort", "beauty", status=2)
    assert "must be one of name, size" in told


def test_a_pattern_picks_models(folder):
    rows = table(str(folder / "*_*.onnx"), "--no-shapes")
    assert len(rows) == 3
    rows = table(str(folder / "**" / "*.onnx"), "--no-shapes")
    assert [row["same_as"] != "" for row in rows].count(True) == 1


@pytest.mark.engine
def test_macs_are_those_of_the_estimate(folder):
    (row,) = table(str(folder / "digits_float32.onnx"), "--table")
    assert (
        int(row["macs"]) == json_of("info", folder / "digits_float32.onnx")["cost"]["macs"] > 0
    )


def test_the_median_comes_from_the_newest_report_in_the_library(folder):
    path = folder / "wine_tabular.onnx"
    report = example_report()
    report = replace(report, model=replace(report.model, sha256=digest(path)))
    Library(library_folder()).add(report)
    (row,) = table(str(path), "--no-shapes")
    assert int(row["p50_ns"]) == report.median_ns


def test_json_has_all_rows_and_those_that_failed(folder, capsys):
    (folder / "broken.onnx").write_bytes(b"\x08\x07 no model")
    assert run(["info", str(folder), "--no-shapes", "--json"]) == 1
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert found["schema"] == "models/1"
    problems = {Path(row["path"]).name for row in found["models"] if row["problem"]}
    assert problems == {"broken.onnx"}
    assert "Could not read 1 of 5 models" in printed.err


def test_a_folder_without_models_says_so(tmp_path):
    assert "it is a folder" in errors_of("info", tmp_path)


def test_support_by_device_is_a_column(folder):
    rows = table(str(folder / "*.onnx"), "--no-shapes", "--devices", "coreml")
    (digits,) = (row for row in rows if row["path"].endswith("digits_float32.onnx"))
    assert digits["support"] == "coreml 15/15"
