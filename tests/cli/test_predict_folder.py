import csv
import json
import shutil
from pathlib import Path

import pytest

from inspector.cli import main
from tests.command_line import errors_of, output_of

pytestmark = pytest.mark.engine


@pytest.fixture
def scans(samples: Path, tmp_path: Path) -> Path:
    """Three scans of digits in folders of their labels, one of them in a wrong one, and a
    file that is no picture."""
    for label, digit in (("3", 3), ("5", 5), ("7", 3)):
        folder = tmp_path / "scans" / label
        folder.mkdir(parents=True)
        shutil.copy(samples / "inputs" / f"digit_{digit}.png", folder / "scan.png")
    (tmp_path / "scans/7/torn.png").write_text("no picture")
    return tmp_path / "scans"


def test_every_file_is_a_row_and_a_bad_one_says_why(samples, scans, tmp_path):
    model, table = samples / "digits_float32.onnx", tmp_path / "out.csv"
    other = f"model={samples / 'digits_int8_qdq.onnx'}"
    words = ["--folder", str(scans), "--csv", str(table), "--against", other, "--json"]
    answer = json.loads(output_of("predict", model, *words))
    assert answer["schema"] == "folder/1"
    assert [row["answer"] for row in answer["rows"]] == ["3", "5", "3", ""]
    assert "not in a supported image format" in answer["rows"][3]["problem"]
    counted = answer["summary"]
    assert (counted["top1"], counted["top5"]) == (2 / 3, 1.0)
    assert (counted["failed"], counted["agreement"]) == (1, 1.0)
    assert answer["confusion"] == {
        "labels": ["3", "5", "7"],
        "counts": [[1, 0, 0], [0, 1, 0], [1, 0, 0]],
        "left_out": 0,
    }
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [row["right"] for row in rows] == ["yes", "yes", "no", ""]


def test_labels_may_come_from_a_table(samples, scans, tmp_path):
    truth = tmp_path / "truth.csv"
    truth.write_text("file,label\n3/scan.png,3\n5/scan.png,5\n7/scan.png,3\n")
    words = ["--folder", str(scans), "--truth", str(truth)]
    told = output_of("predict", samples / "digits_float32.onnx", *words)
    assert "Top-1 accuracy: 100.0% on 3 labeled files" in told
    truth.write_text("nothing,here\n")
    said = errors_of("predict", samples / "digits_float32.onnx", *words)
    assert "none of its 1 row matches a file" in said


def test_a_folder_with_nothing_in_it_is_told(samples, tmp_path):
    words = ["predict", str(samples / "digits_float32.onnx"), "--folder"]
    assert "it contains no images or arrays" in errors_of(*words, tmp_path)
    assert main.run([*words, str(tmp_path / "missing")]) == 1
