"""What a file says is told at once; what has to be computed follows, for many models too."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from inspector.cli import main
from inspector.engine.client import single_child
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import EngineDied
from inspector.formats import opening
from tests.command_line import output_of
from tests.killers.models import write

Printed = pytest.CaptureFixture[str]


@pytest.fixture
def model(samples: Path) -> Path:
    return samples / "digits_float32.onnx"


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """Count the engine processes that are started."""
    started: list[None] = []

    class Counted(single_child.SupervisedProcess):
        def __init__(self, *args: Any) -> None:
            started.append(None)
            super().__init__(*args)

    monkeypatch.setattr(single_child, "SupervisedProcess", Counted)
    return started


def test_what_the_file_says_is_printed_before_an_engine_or_the_hash_is_waited_for(
    model, capsys, monkeypatch
):
    before: list[str] = []

    def shapes(*_: object) -> None:
        before.append(capsys.readouterr().out)
        raise EngineDied("Could not infer the shapes", "it is not asked here")

    monkeypatch.setattr(EngineProcess, "shapes", shapes)
    assert main.run(["info", str(model)]) == 0
    assert "Operators (" in before[0]
    assert re.search(r"Parameters +19\.4 k", before[0])
    assert "SHA-256" not in before[0]
    after = capsys.readouterr().out
    assert "Could not infer the shapes: it is not asked here" in after
    assert after.splitlines()[-1] == f"SHA-256  {opening.digest(model)}"


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_without_hash_and_shapes_the_weights_are_not_read(more, model, monkeypatch):
    def digest(*_: object) -> str:
        raise AssertionError("the whole file was read")

    # Where it is from last: a module that is imported now takes what stands there.
    for module in ("cli.runs.info_sections", "cli.runs.info_page", "formats.opening"):
        monkeypatch.setattr(f"inspector.{module}.digest", digest)
    said = output_of("info", model, "--no-hash", "--no-shapes", *more)
    if more:
        found = json.loads(said)
        assert found["sha256"] is None
        assert "cost" not in found
        assert found["parameters"] == 19_419
    else:
        assert "SHA-256" not in said
        assert "float32: 15 layers" in said


@pytest.mark.engine
def test_one_engine_serves_a_list_of_models_and_a_bad_one_stops_none(
    model, tmp_path, capsys, starts
):
    other = tmp_path / "other.onnx"
    shutil.copyfile(model, other)
    bad = tmp_path / "bad.onnx"
    bad.write_text("<html>")
    assert main.run(["info", str(model), str(bad), str(other), "--json"]) == 1
    said = capsys.readouterr()
    found = [json.loads(line) for line in said.out.splitlines()]
    assert [each["name"] for each in found] == [model.name, other.name]
    assert all(each["cost"]["macs"] == 456_704 for each in found)
    assert "Could not open bad.onnx: it is a web page" in said.err
    assert "Could not read 1 of 3 models" in said.err
    assert len(starts) == 1


@pytest.mark.engine
def test_a_shape_of_more_bytes_than_64_bits_hold_has_an_estimate(tmp_path):
    path = write("weight_of_overflowing_shape", tmp_path)
    assert "Peak activation memory" in output_of("info", path)


def test_verbose_logs_engines_and_the_time_of_their_jobs(model, capsys, caplog):
    with caplog.at_level("INFO", "inspector.engine"):
        assert main.run(["-v", "info", str(model)]) == 0
    assert caplog.messages[0] == "started onnxruntime"
    assert re.fullmatch(r"InferShapes took \d+\.\d{3} s", caplog.messages[1])
    assert "Operators" in capsys.readouterr().out
