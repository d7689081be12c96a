from pathlib import Path

import numpy as np
import onnx
import pytest
from msgspec.structs import replace
from onnx import ModelProto, numpy_helper, parser

from inspector.backends.onnxruntime.attribution.attribution import attribute_kernels
from inspector.backends.onnxruntime.graphs.layer_names import rename
from inspector.formats.opening import open_model
from inspector.preview.inputs.feeds import defaults
from inspector.wording.support_marks import Status
from tests.backends.onnxruntime.attribution.optimised import (
    LEVELS,
    explained,
    optimised,
    weights,
)
from tests.backends.onnxruntime.attribution.oracle import (
    Tensor,
    Verdict,
    all_values,
    compared,
    judge,
    quantized,
)
from tests.backends.onnxruntime.attribution.oracle_inside import judge_all
from tests.backends.onnxruntime.attribution.test_attribution import convolutions

COARSE, FINE = 3e-2, 2e-3  # of eight bits or half precision, of single precision


def judged(model: ModelProto, level: str, feeds: dict[str, Tensor], coarse: bool) -> Verdict:
    renamed, _ = rename(model)
    ran = optimised(renamed, level)
    tensors = attribute_kernels(renamed, ran).graphs[0].tensors
    return judge(renamed, ran, tensors, feeds, COARSE if coarse else FINE)


def feeds_of(path: Path) -> dict[str, Tensor]:
    return {filled.name: filled.array for filled in defaults(open_model(path).inputs, {})}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "name", ["digits_float32", "digits_float16", "digits_int8_qdq", "tones_sound"]
)
def test_no_tensor_of_a_sample_is_taken_for_another(samples, name, level):
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
def test_no_tensor_of_a_trained_net_is_taken_for_another(shared, name, level):
    path = shared / "real" / f"{name}.onnx"
    coarse = "int8" in name or "fp16" in name
    verdict = judged(onnx.load(path), level, feeds_of(path), coarse)
    assert verdict.differ == ()
    assert verdict.agree > 30


FEED_FORWARD = """
<ir_version: 9, opset_import: ["" : 17]>
g (float[2,8] x, float[8,8] w, float[8] b, float[8] s) => (float[2,8] y)
    <float two = {2}, float small = {0.00001}, float root = {1.4142135}, float one = {1},
     float half = {0.5}> {
  mean = ReduceMean<axes = [-1]>(x)
  off = Sub(x, mean)
  square = Pow(off, two)
  spread = ReduceMean<axes = [-1]>(square)
  safe = Add(spread, small)
  deviation = Sqrt(safe)
  unit = Div(off, deviation)
  scaled = Mul(unit, s)
  normal = Add(scaled, b)
  product = MatMul(normal, w)
  biased = Add(product, b)
  part = Div(biased, root)
  bell = Erf(part)
  raised = Add(bell, one)
  gated = Mul(biased, raised)
  halved = Mul(gated, half)
  y = Add(halved, x)
}"""


def feed_forward() -> ModelProto:
    """A normalisation and a gate of many small layers, which the runtime knows as two."""
    model = parser.parse_model(FEED_FORWARD)
    for value, array in zip(
        list(model.graph.input)[1:],
        (weights(8, 8), weights(8, seed=1), weights(8, seed=2)),
        strict=True,
    ):
        model.graph.initializer.append(numpy_helper.from_array(array, value.name))
    del model.graph.input[1:]
    return model


@pytest.mark.parametrize("level", LEVELS)
def test_no_tensor_of_a_fused_block_is_taken_for_another(level):
    verdict = judged(feed_forward(), level, {"x": weights(2, 8, seed=5)}, False)
    assert verdict.differ == ()
    assert verdict.agree


def test_the_layers_of_a_block_point_to_the_one_that_runs():
    found = explained(feed_forward(), "extended")
    assert Status.UNKNOWN not in {fate.status for fate in found.outcomes}
    norm = next(node for node in found.executed if node.operator == "LayerNormalization")
    assert norm.layers == tuple(range(9))
    gate = next(node for node in found.executed if "Gelu" in node.operator)
    assert set(gate.layers) >= {11, 12, 13, 14, 15}


def test_a_wrong_identification_is_found():
    model = convolutions()
    renamed, _ = rename(model)
    ran = optimised(renamed, "all")
    tensors = dict(attribute_kernels(renamed, ran).graphs[0].tensors)
    feeds = {"x": np.random.default_rng(3).standard_normal((1, 3, 8, 8)).astype(np.float32)}
    assert judge(renamed, ran, tensors, feeds).differ == ()
    made = [name for node in ran.graph.node for name in node.output if name in tensors]
    first, last = made[0], made[-1]
    wrong = tensors | {first: tensors[last], last: tensors[first]}
    assert judge(renamed, ran, wrong, feeds).differ


def test_numbers_cut_off_at_the_ends_of_their_steps_are_the_same():
    given = np.linspace(-1, 2, 60, dtype=np.float32)
    steps = np.clip(np.round(given / 0.01), 0, 255).astype(np.uint8)
    shuffled = np.random.default_rng(0).permutation(steps)
    assert quantized(steps, given)
    assert not quantized(shuffled, given)


# All others that are missed hold the same numbers: reshaped, cast, or what stands for them.
@pytest.mark.parametrize(
    ("name", "kind", "least"),
    [
        ("digits_float32", "f", 0.95),
        ("digits_int8_qdq", "u", 0.94),
        ("digits_int8_qdq", "f", 0.93),
    ],
)  # fmt: skip
def test_nearly_every_wrong_pair_of_tensors_is_found(samples, name, kind, least):
    path = samples / f"{name}.onnx"
    renamed, _ = rename(onnx.load(path))
    ran = optimised(renamed, "all")
    tensors = attribute_kernels(renamed, ran).graphs[0].tensors
    ours, theirs = all_values(ran, feeds_of(path)), all_values(renamed, feeds_of(path))
    made = [t for node in ran.graph.node for t in node.output if t in tensors and t in ours]
    made = [tensor for tensor in made if tensors[tensor] in theirs]
    wrong = [
        (one, tensors[other])
        for one in made
        for other in made
        if ours[one].dtype.kind == kind and tensors[one] != tensors[other]
    ]
    tolerance = FINE if "float32" in name else COARSE
    found = [pair for pair in wrong if compared(ours, theirs, dict([pair]), tolerance).differ]
    assert len(wrong) > 80
    assert len(found) >= least * len(wrong)


BODIES = """
<ir_version: 9, opset_import: ["" : 17]>
g (float[3,4] x, bool c) => (float[3,4] y, float[3,4] z, float[3] u)
    <int64 n = {3}, bool go = {1}, float[4] start = {0, 0, 0, 0}> {
  a = Tanh(x)
  y = If(c) <then_branch = t () => (float[3,4] o) { p = Exp(a) o = Sub(p, x) },
             else_branch = e () => (float[3,4] q) { q = Neg(a) }>
  z = Loop(n, go, x) <body = body (int64 i, bool b, float[3,4] s) => (bool k, float[3,4] r) {
    w = Sigmoid(s) v = Mul(w, a) r = Add(v, s) k = Identity(b) }>
  h, u = Scan<num_scan_inputs = 1, body = step (float[4] f, float[4] d)
    => (float[4] m, float j) { m = Add(f, d) l = Abs(m) j = ReduceSum<keepdims = 0>(l) }>
    (start, x)
}"""


def model() -> ModelProto:
    return rename(parser.parse_model(BODIES))[0]


FEEDS = {
    "x": np.random.default_rng(0).normal(size=(3, 4)).astype(np.float32),
    "c": np.array(True),
}


@pytest.mark.parametrize("level", LEVELS)
def test_values_inside_control_flow_are_judged_too(level):
    renamed = model()
    ran = optimised(renamed, level)
    found = attribute_kernels(renamed, ran)
    verdict = judge_all(renamed, ran, found, FEEDS)
    alone = replace(found, graphs=found.graphs[:1])
    assert verdict.differ == ()
    assert verdict.agree > judge_all(renamed, ran, alone, FEEDS).agree + 6


def test_a_wrong_identification_inside_a_loop_is_found():
    renamed = model()
    ran = optimised(renamed, "all")
    found = attribute_kernels(renamed, ran)
    number = next(n for n, body in enumerate(found.graphs) if body.branch == "body" and n)
    body = found.graphs[number]
    made = [name for name in body.tensors.values() if name.startswith("T")]
    wrong = dict(zip(body.tensors, [*list(body.tensors.values())[1:], made[0]], strict=True))
    graphs = list(found.graphs)
    graphs[number] = replace(body, tensors=wrong)
    assert judge_all(renamed, ran, replace(found, graphs=tuple(graphs)), FEEDS).differ
