"""Several sessions in one process: what each costs with and without sharing."""

import json
from pathlib import Path

import pytest

from inspector.backends import registry
from inspector.backends.onnxruntime.sessions.session import Sharing
from inspector.errors import BadInput
from inspector.report.report import SharedSessions, Throughput
from inspector.report.run_spec import RunSpec
from tests.command_line import run


@pytest.mark.engine
def test_each_way_of_sharing_is_measured_and_shown(samples: Path, tmp_path: Path) -> None:
    saved = tmp_path / "r.json"
    model = samples / "digits_float32.onnx"
    done = run("measure", model, "--runs", "10", "--no-layers", "--sessions", "3", "-o", saved)
    assert done.returncode == 0, done.stderr
    assert "each further" in done.stdout
    assert "not from Python" in " ".join(done.stdout.split())
    ways = json.loads(saved.read_bytes())["sessions"]
    assert [way["sharing"] for way in ways] == [*map(str, Sharing)]
    for way in ways:
        assert len(way["loads_ns"]) == len(way["resident_bytes"]) == 3
        assert way["together"]["concurrency"] == 3
        assert len(way["together"]["prediction_ns"]) >= 10


def test_a_further_session_costs_the_mean_growth_after_the_first() -> None:
    together = Throughput(3, 1, (1,))
    grown = SharedSessions("nothing", (1, 1, 1), (100, 160, 200), (), together)
    assert grown.more_bytes == 50
    assert SharedSessions("nothing", (1,), (100,), (), together).more_bytes is None


def test_other_runtimes_refuse_it() -> None:
    with pytest.raises(BadInput):
        registry.info("openvino").check(RunSpec(sessions=2))
