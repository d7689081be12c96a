"""Quantization of TensorFlow Lite models; what needs the extra `quantizer` is slow."""

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from inspector.backends.litert import quantization
from inspector.conversion.action import Step
from inspector.conversion.registry import LITERT_ACTIONS
from inspector.engine.client.engine_process import EngineProcess
from inspector.experiments import conversion
from inspector.formats.opening import open_model
from tests.formats.tflite import build
from tests.formats.tflite.build import Number, i4, operator, subgraph, tensor

needs_library = [
    pytest.mark.slow,
    pytest.mark.skipif(
        find_spec("ai_edge_quantizer") is None or find_spec("ai_edge_litert") is None,
        reason="needs the extras litert and quantizer",
    ),
]
FULLY_CONNECTED = 9


@pytest.fixture
def dense(tmp_path: Path) -> Path:
    """A fully connected layer with 64 x 64 weights, in a file without new operator codes."""
    tensors = [
        tensor("x", (1, 64)), tensor("w", (64, 64), 0, 1), tensor("b", (64,), 0, 2),
        tensor("y", (1, 64)),
    ]  # fmt: skip
    random = np.random.default_rng(0)
    buffers = tuple(random.random(n, np.float32).tobytes() for n in (64 * 64, 64))
    graph = subgraph(tensors, (0,), (3,), [operator(0, (0, 1, 2), (3,))])
    path = tmp_path / "dense.tflite"
    path.write_bytes(
        build.model([{0: Number("i1", FULLY_CONNECTED), 2: i4(1)}], [graph], buffers)
    )
    return path


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EngineProcess]:
    with EngineProcess(lock=tmp_path_factory.mktemp("lock") / "lock") as engine:
        yield engine


def test_a_missing_library_and_an_action_for_onnx_are_told(
    dense: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(quantization, "version", missing)
    steps = (Step("litert-int8"), Step("float16"))
    without, other = quantization.effects_of(dense, (), steps, tmp_path)
    assert without.refused == "ai-edge-quantizer is not installed"
    assert without.hint == 'Install it with: pip install "onnx-inspector[quantizer]"'
    assert other.refused == "'float16' is for ONNX models"


@pytest.mark.parametrize("action", LITERT_ACTIONS)
@pytest.mark.parametrize("mark", [pytest.param(None, marks=needs_library)])
def test_weights_are_stored_in_fewer_bits_and_the_result_runs(
    engine: EngineProcess, dense: Path, tmp_path: Path, action: str, mark: None
) -> None:
    inputs = [{"x": np.random.default_rng(n).random((1, 64), np.float32)} for n in range(3)]
    folder = tmp_path / "made"
    folder.mkdir()
    made = conversion.convert(
        engine, dense, (Step(action),), folder, inputs, name="small.tflite"
    )
    made = conversion.checked(engine, made, inputs)
    assert (made.problem, len(made.levels)) == ("", 2)
    small = open_model(made.path)
    assert {weight.dtype for weight in small.weights} & {"int8", "float16"}
    assert [value.dtype for value in (*small.inputs, *small.outputs)] == ["float32"] * 2
    before, after = conversion.both_outputs(engine, made, inputs[0])
    np.testing.assert_allclose(before[0].array, after[0].array, rtol=0.03)
