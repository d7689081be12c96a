import pytest
from onnx import helper

from inspector.cli import main
from inspector.report.compatibility import PROGRAMS
from tests.command_line import json_of
from tests.formats.build import model, save

pytestmark = pytest.mark.engine


def test_json_tells_who_refuses_and_why(tmp_path):
    proto = model([helper.make_node("Own", ["x"], ["y"], domain="mine")], [])
    path = save(proto, tmp_path / "m.onnx")
    found = json_of("info", path, "--no-shapes", "--verdicts")["verdicts"]
    assert [verdict["program"] for verdict in found] == [*PROGRAMS]
    ours, *_, runtime = found
    assert (ours["outcome"], ours["why"], ours["version"]) == ("opens", "", None)
    assert runtime["outcome"] == "refuses"
    assert "mine" in runtime["why"]
    assert runtime["version"]


def test_a_file_that_we_refuse_still_says_who_opens_it(tmp_path, capsys):
    path = tmp_path / "empty.onnx"
    path.write_bytes(b"")
    assert main.run(["info", str(path), "--verdicts"]) == 1
    told = capsys.readouterr()
    assert "Only onnx.load and onnx shape inference can load the model." in told.out
    assert "the file is empty" in told.err
