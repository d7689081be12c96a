import numpy as np
import pytest
from msgspec.structs import replace
from onnx import ModelProto, parser

from inspector.backends.onnxruntime.attribution.attribution import attribute_kernels
from inspector.backends.onnxruntime.graphs.layer_names import rename
from tests.backends.onnxruntime.attribution.optimised import LEVELS, optimised
from tests.backends.onnxruntime.attribution.oracle_inside import judge_all

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
