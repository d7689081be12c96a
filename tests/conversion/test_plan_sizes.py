"""A plan foretells the size and the layers of what the conversion makes, also where weights are
shared, unused or beside the model."""

from collections import Counter
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from inspector.conversion import apply
from inspector.conversion.action import Effect, Step, parse_step
from inspector.conversion.plan import nodes
from inspector.conversion.registry import ACTIONS
from tests import models

STEPS = (
    "float16", "bfloat16", "palettize", "palettize:bits=8", "sparse", "sparse:zeros=30",
    "float8", "float8:expand=run", "mxfp4", "nvfp4",
    "weights-8bit", "weights-4bit", "weights-2bit", "nf4", "int8", "int8:activations=uint16",
    "int8-dynamic", "int8-qoperator", "opset:21", "simplify", "metadata:author=me",
)  # fmt: skip
PACKED = {
    "weights-8bit": ("MatMulNBits",), "weights-2bit": ("MatMulNBits",), "nf4": ("MatMulBnb4",),
    "int8-dynamic": ("MatMulInteger", "ConvInteger"),
    "int8-qoperator": ("QLinearMatMul", "QLinearConv", "QGemm"),
}  # fmt: skip
TOLERATED_BYTES = 64  # lengths of names in subgraphs


def tied(path: Path) -> None:
    """A weight that Gather and MatMul share, one that two MatMul share, one that is an output,
    and one that nothing uses."""
    random = np.random.default_rng(0)

    def weight(name: str, *shape: int) -> onnx.TensorProto:
        return numpy_helper.from_array(random.standard_normal(shape).astype(np.float32), name)

    weights = [
        weight("words", 96, 96), weight("twice", 96, 96), weight("given", 96, 64),
        weight("kernel", 64, 64, 1), weight("unused", 100, 300),
    ]  # fmt: skip
    layers = [
        helper.make_node("Gather", ["words", "ids"], ["rows"]),
        helper.make_node("MatMul", ["rows", "words"], ["a"], "tied"),
        helper.make_node("MatMul", ["a", "twice"], ["b"], "first"),
        helper.make_node("MatMul", ["b", "twice"], ["c"], "second"),
        helper.make_node("MatMul", ["c", "given"], ["d"], "last"),
        helper.make_node("Transpose", ["d"], ["columns"], perm=[0, 2, 1]),
        helper.make_node("Conv", ["columns", "kernel"], ["y"], "conv"),
        helper.make_node("Identity", ["given"], ["copy"]),
    ]
    info = helper.make_tensor_value_info
    models.save(
        path,
        layers,
        [info("ids", TensorProto.INT64, [1, "n"])],
        [info("y", TensorProto.FLOAT, [1, 64, "n"]), info("copy", TensorProto.FLOAT, [96, 64])],
        weights,
    )


def beside(path: Path) -> None:
    tied(path)
    onnx.save_model(
        onnx.load(path),
        path,
        save_as_external_data=True,
        location="weights.bin",
        size_threshold=1024,
    )


def planned(model: Path, step: Step, folder: Path) -> Effect:
    (effect,) = apply.effects_of(model, (), (step,), folder)
    return effect


def made(model: Path, step: Step, folder: Path) -> tuple[Effect, int, onnx.ModelProto]:
    done = apply.convert(model, [step], folder, None, name="new.onnx")
    if done.observe:
        ranges = dict.fromkeys(done.observe, (-3.0, 5.0))
        done = apply.convert(model, [step], folder, ranges, name="new.onnx")
    size = sum((folder / name).stat().st_size for name in done.files)
    return done.effects[0], size, onnx.load(folder / "new.onnx")


@pytest.mark.parametrize("build", [tied, beside])
@pytest.mark.parametrize("text", STEPS)
def test_the_size_and_the_layers_are_those_that_the_conversion_makes(text, build, tmp_path):
    build(tmp_path / "net.onnx")
    step = parse_step(text, ACTIONS)
    effect = planned(tmp_path / "net.onnx", step, tmp_path)
    folder = tmp_path / "new"
    folder.mkdir()
    done, size, model = made(tmp_path / "net.onnx", step, folder)
    assert effect.applicable
    assert effect.bytes_after == pytest.approx(size, abs=TOLERATED_BYTES)
    assert done.bytes_after == size  # what is shown when it runs
    assert (done.touches, done.layers) == (effect.touches, effect.layers)
    if operators := PACKED.get(text):
        counts = Counter(node.op_type for node in nodes(model))
        assert sum(counts[name] for name in operators) == effect.layers


@pytest.mark.parametrize(
    "text",
    ["weights-8bit", "weights-4bit", "nf4", "int8", "float16", "bfloat16", "sparse", "nvfp4"],
)
def test_the_size_of_a_model_too_large_to_try_it_is_nearly_right(text, tmp_path, monkeypatch):
    tied(tmp_path / "net.onnx")
    monkeypatch.setattr(apply, "MOST_REHEARSED_BYTES", 0)
    step = parse_step(text, ACTIONS)
    effect = planned(tmp_path / "net.onnx", step, tmp_path)
    folder = tmp_path / "new"
    folder.mkdir()
    found = pytest.approx(made(tmp_path / "net.onnx", step, folder)[1], rel=0.02)
    assert effect.bytes_after == found


def test_a_plan_changes_neither_the_model_nor_the_next_plan(tmp_path):
    tied(tmp_path / "net.onnx")
    before = (tmp_path / "net.onnx").read_bytes()
    steps = [parse_step(text, ACTIONS) for text in STEPS]
    together = apply.effects_of(tmp_path / "net.onnx", (), steps, tmp_path)
    alone = [planned(tmp_path / "net.onnx", step, tmp_path) for step in steps]
    assert [*together] == alone
    assert (tmp_path / "net.onnx").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["net.onnx"]
