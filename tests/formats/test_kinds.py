"""What a name stands for, before anything is opened."""

import json
from pathlib import Path

import pytest

from inspector.formats.kinds import kind_of
from inspector.formats.names import STANDARD_INPUT, Kind, named
from inspector.platform.files import sample
from inspector.report.report import save
from tests.reports import example_report

PACKAGE = Path(__file__).parent / "coreml" / "files" / "palettized.mlpackage"
EVENTS = [{"ph": "X", "pid": 1, "tid": 1, "name": "outer", "ts": 0, "dur": 9}]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("-", Kind.ARCHIVE),
        ("https://host/a//net.onnx", Kind.ADDRESS),
        ("hf://owner/name/net.onnx", Kind.ADDRESS),
        (str(PACKAGE), Kind.MODEL),
        (str(PACKAGE / "Manifest.json"), Kind.MODEL),
        (str(PACKAGE.parent), Kind.FOLDER),
        (str(sample("digits_float32.onnx")), Kind.MODEL),
        ("missing.onnx", Kind.MODEL),
        ("missing.json", Kind.RESULT),
        ("models.zip", Kind.ARCHIVE),
    ],
)
def test_a_name_says_how_it_is_opened(text, kind):
    assert kind_of(named(text)) is kind


def test_names_of_a_command_line_are_paths_addresses_or_the_standard_input():
    assert named("-") is STANDARD_INPUT
    assert named("HTTPS://host/a//net.onnx") == "https://host/a//net.onnx"
    assert named("net.onnx") == Path("net.onnx").absolute()


def test_a_trace_is_known_by_its_content_and_a_report_by_its_name(tmp_path):
    trace, report = tmp_path / "run", tmp_path / "report.json"
    trace.write_text(json.dumps(EVENTS))
    save(example_report(), report)
    assert (kind_of(trace), kind_of(report)) == (Kind.RESULT, Kind.RESULT)


def test_an_empty_file_is_a_profile_only_by_its_name(tmp_path):
    """ONNX Runtime begins a profile as an empty file; any other says only that it is empty."""
    bare, profile = tmp_path / "thing", tmp_path / "run.json"
    for path in (bare, profile):
        path.touch()
    assert (kind_of(bare), kind_of(profile)) == (Kind.MODEL, Kind.RESULT)
