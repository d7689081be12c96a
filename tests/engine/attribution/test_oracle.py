from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import ModelProto

from inspector.engine.attribution.whole import explain
from inspector.engine.naming import rename
from inspector.preview.feeds import defaults
from inspector.readers import open_model
from tests.engine.attribution.optimised import LEVELS, optimised
from tests.engine.attribution.oracle import Tensor, Verdict, judge
from tests.engine.attribution.test_whole import convolutions

COARSE, FINE = 3e-2, 2e-3  # of eight bits or half precision, of single precision


def judged(model: ModelProto, level: str, feeds: dict[str, Tensor], coarse: bool) -> Verdict:
    renamed, _ = rename(model)
    ran = optimised(renamed, level)
    tensors = explain(renamed, ran).graphs[0].tensors
    return judge(renamed, ran, tensors, feeds, COARSE if coarse else FINE)


def feeds_of(path: Path) -> dict[str, Tensor]:
    return {filled.name: filled.array for filled in defaults(open_model(path).inputs, {})}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "name", ["digits_float32", "digits_float16", "digits_int8_qdq", "tones_sound"]
)
def test_no_tensor_of_a_sample_is_taken_for_another(
    samples: Path, name: str, level: str
) -> None:
    path = samples / f"{name}.onnx"
    verdict = judged(onnx.load(path), level, feeds_of(path), "float32" not in name)
    assert verdict.differ == ()
    assert verdict.agree > 5


@pytest.mark.parametrize("level", ["extended", "all"])
@pytest.mark.parametrize(
    "name",
    [
        pytest.param("fastestdet_opset11", marks=pytest.mark.slow),
        pytest.param("mobilenet_qdq_int8_maui", marks=pytest.mark.slow),
        pytest.param("squeezenet1.1_fp16", marks=pytest.mark.slow),
        "ultraface_rfb_320_ort_optimized",
    ],
)
def test_no_tensor_of_a_trained_net_is_taken_for_another(
    shared: Path, name: str, level: str
) -> None:
    path = shared / "real" / f"{name}.onnx"
    coarse = "int8" in name or "fp16" in name
    verdict = judged(onnx.load(path), level, feeds_of(path), coarse)
    assert verdict.differ == ()
    assert verdict.agree > 30


def test_a_wrong_identification_is_found() -> None:
    model = convolutions()
    renamed, _ = rename(model)
    ran = optimised(renamed, "all")
    tensors = dict(explain(renamed, ran).graphs[0].tensors)
    feeds = {"x": np.random.default_rng(3).standard_normal((1, 3, 8, 8)).astype(np.float32)}
    assert judge(renamed, ran, tensors, feeds).differ == ()
    made = [name for node in ran.graph.node for name in node.output if name in tensors]
    first, last = made[0], made[-1]
    wrong = tensors | {first: tensors[last], last: tensors[first]}
    assert judge(renamed, ran, wrong, feeds).differ
