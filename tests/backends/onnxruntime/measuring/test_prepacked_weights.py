"""What kernels prepack, counted by the runtime, and what sessions hold by the C library."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import pytest

from inspector.backends.onnxruntime.measuring import prepacked_weights as room
from inspector.backends.onnxruntime.measuring.prepacked_weights import count_prepacked, in_use
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import EngineFailed
from inspector.report.report import ModelIdentity
from inspector.report.run_spec import RunSpec
from tests import models
from tests.engine.small_models import identity, linear

pytestmark = pytest.mark.engine
SIDE = 512
BYTES = SIDE * SIDE * 4


@pytest.fixture
def layers(tmp_path: Path) -> Path:
    names = [f"h{number}" for number in range(5)]
    nodes = [
        onnx.helper.make_node("MatMul", [given, f"w{place}"], [made], f"times {place}")
        for place, (given, made) in enumerate(pairwise(names))
    ]
    draw = np.random.default_rng(0)
    weights = {f"w{place}": draw.random((SIDE, SIDE), dtype=np.float32) for place in range(4)}
    ends = [[models.value(name, ["n", SIDE])] for name in (names[0], names[-1])]
    return models.save(tmp_path / "layers.onnx", nodes, *ends, weights)


def test_weights_of_products_are_all_prepacked(layers, tmp_path):
    found = count_prepacked(layers, RunSpec(), tmp_path)
    assert found.replaced_bytes == 4 * BYTES
    assert found.prepacked_bytes == pytest.approx(4 * BYTES, rel=0.02)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["layers.onnx"]


@pytest.mark.skipif(in_use() is None, reason="this C library keeps no books")
def test_a_session_holds_what_is_prepacked_and_little_more(layers, tmp_path):
    found = count_prepacked(layers, RunSpec(), tmp_path)
    assert 0 <= found.held_bytes - found.prepacked_bytes < 2 << 20
    assert found.held_plain_bytes > 4 * BYTES  # twice as much before version 1.32
    assert found.spread_bytes < 256 << 10
    assert found.loads >= 2


def test_where_nothing_is_prepacked_it_says_nothing_was(tmp_path):
    found = count_prepacked(
        identity(tmp_path / "identity.onnx", onnx.TensorProto.FLOAT), RunSpec(), tmp_path
    )
    assert (found.prepacked_bytes, found.replaced_bytes) == (0, 0)


def test_a_model_that_is_too_large_is_not_written_down(layers, tmp_path, monkeypatch):
    monkeypatch.setattr(room, "MOST_BYTES", BYTES)
    with pytest.raises(EngineFailed, match=r"larger than 1\.00 MiB"):
        count_prepacked(layers, RunSpec(), tmp_path)


def test_a_report_has_it_only_where_phases_are_asked_for(tmp_path):
    path = linear(tmp_path / "linear.onnx")
    named = ModelIdentity(path.name, "0" * 64, 1, 2, 2)
    feeds = {"x": np.ones((2, 4), np.float32)}
    with EngineProcess() as engine:
        asked = engine.measure(path, named, RunSpec(runs=2, phases=True), feeds)
        plain = engine.measure(path, named, RunSpec(runs=2), feeds)
    assert asked.memory.packing.prepacked_bytes
    assert plain.memory.packing is None
