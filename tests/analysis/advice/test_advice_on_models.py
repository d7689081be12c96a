"""Each rule of advice on a model that calls for it, and on one that almost does."""

import os
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray
from onnx import helper, numpy_helper, parser

from inspector.analysis.advice import model_rules, report_rules, rules
from inspector.analysis.advice.rules import Advice, advice
from inspector.analysis.facts.model_facts import facts
from inspector.backends.onnxruntime.measuring.measure import measure
from inspector.backends.onnxruntime.placement.placement import answer_support_query
from inspector.cli import main
from inspector.engine.client.report_completion import layers_without_marks, with_support_marks
from inspector.formats.opening import open_model
from inspector.preview.inputs.feeds import defaults
from inspector.report.report import ModelIdentity
from inspector.report.run_spec import Dimension, RunSpec

TOO_MANY = (os.cpu_count() or 1) + 1
SPEC = RunSpec(runs=3, warmup=1, profiled_runs=2, threads=1)
Arrays = dict[str, NDArray[np.generic]]
RANDOM = np.random.default_rng(1)


@dataclass(frozen=True)
class Case:
    """A model as text of the ONNX parser, its weights, and how it is measured."""

    text: str
    weights: Arrays = field(default_factory=dict)
    spec: RunSpec = SPEC
    ir: int = 8
    opset: int = 18
    inputs_too: bool = False
    feed: Callable[[Arrays], Arrays] = lambda feeds: feeds

    def saved(self, folder: Path) -> Path:
        head = f'<ir_version: {self.ir}, opset_import: ["" : {self.opset}]>'
        made = parser.parse_model(head + self.text)
        for name, array in self.weights.items():
            tensor = numpy_helper.from_array(np.asarray(array), name)
            made.graph.initializer.append(tensor)
            if self.inputs_too:
                kind = helper.make_tensor_value_info(name, tensor.data_type, tensor.dims)
                made.graph.input.append(kind)
        path = folder / "model.onnx"
        onnx.save(made, path)
        return path


def floats(*shape: int) -> NDArray[np.float32]:
    return RANDOM.standard_normal(shape).astype(np.float32)


def halves(*shape: int) -> NDArray[np.float16]:
    return floats(*shape).astype(np.float16)


def level(name: str) -> RunSpec:
    return replace(SPEC, optimization=name)


CHAIN = "g (float[8,64] x) => (float[8,64] y) { a = Relu(x) b = Sigmoid(a) y = Tanh(b) }"
EVEN = """g (float[8,64] x) => (float[8,64] y) { a = Relu(x) b = Sigmoid(a) c = Tanh(b)
    d = Exp(c) e = Neg(d) f = Abs(e) h = Sqrt(f) y = Erf(h) }"""
TURNED = (
    "g (float[512,512] x) => (float[512,512] y) { a = Transpose<perm=[1,0]>(x) y = Relu(a) }"
)
CONV16 = """g (float16[1,8,32,32] x) => (float16[1,8,32,32] y)
    { a = Conv(x, w) b = Conv(a, w) y = Conv(b, w) }"""
BLOCKED = "g (float[1,16,256,256] x) => (float[1,16,256,256] y) { y = Conv(x, w) }"
CONV = CONV16.replace("float16", "float")
FREE = "g (float[N,64] x) => (float[N,8] y) { a = MatMul(x, w) y = Relu(a) }"
LENGTHS = "g (float[batch,N,8] x) => (float[batch,N,8] y) { y = Relu(x) }"
ALIVE = "g (float[8] x) => (float[8] y) { y = Relu(x) }"
DEAD = "g (float[8] x) => (float[8] y) { y = Relu(x) z = Exp(x) }"
OPEN = "g (float[8,8] x) => (float[8,8] y) { a = MatMul(x, w) y = Relu(a) }"
EDGES = """g (float[64,64] x) => (float[64,64] y) { h = Cast<to=10>(x) a = Relu(h)
    b = Sigmoid(a) c = Tanh(b) d = Add(c, a) y = Cast<to=1>(d) }"""
INSIDE = """g (float16[64,64] x) => (float16[64,64] y) {
    a = Relu(x) b = Sigmoid(a) c = Tanh(b) y = Add(c, a) }"""
GELU = """g (float[64,64] x) => (float[64,64] y) {
    a = Div(x, r) b = Erf(a) c = Add(b, one) d = Mul(x, c) y = Mul(d, half) }"""
GELU_PARTS: Arrays = {
    "r": np.array(1.4142, np.float32),
    "one": np.array(1, np.float32),
    "half": np.array(0.5, np.float32),
}
LARGE = "g (float[4,1024] x) => (float[4,512] y) { y = MatMul(x, w) }"
WIDE = "g (float[2048,2048] x) => (float[2048,2048] y) { y = Relu(x) }"
NARROW = "g (float[2048,2048] x) => (float[1,2048] y) { y = ReduceMax<keepdims=1>(x, axes) }"
SCORES = """g (float[2,16,32] q, float[2,32,16] k, float[2,16,32] v) => (float[2,16,32] y) {
    a = MatMul(q, k) b = Mul(a, s) c = Softmax<axis=-1>(b) y = MatMul(c, v) }"""
NO_VALUES = """g (float[2,16,32] q, float[2,32,16] k) => (float[2,16,16] y) {
    a = MatMul(q, k) b = Mul(a, s) y = Softmax<axis=-1>(b) }"""
TABLE = "g (float[1024,512] x) => (float[1024,512] y) { a = Relu(x) y = Add(a, w) }"
LSTM = """g (float[4,1,8] x) => (float[4,1,1,8] y) {
    y, h, c = LSTM<hidden_size=8>(x, w, r) }"""
LSTM_ALONE = LSTM.replace("y, h, c =", "y =")
LSTM_WEIGHTS: Arrays = {"w": floats(1, 32, 8), "r": floats(1, 32, 8)}
APART = """g (float[64,256] x) => (float[64,256] y, float[64,256] z) {
    y = Relu(x) a = MatMul(x, w) b = MatMul(a, w) z = Sigmoid(b) }"""
TOGETHER = """g (float[64,768] x) => (float[64,768] y, float[64,768] z) {
    a = MatMul(x, w) b = MatMul(a, w) y = Relu(b) z = Neg(b) }"""
ONE_BIG = (
    """g (float[64,512] x) => (float[64,512] y) { a = Relu(x) b = MatMul(a, w) y = Neg(b) }"""
)
NNAPI = replace(SPEC, predict=("nnapi",))


def turned(feeds: Arrays) -> Arrays:
    return {name: np.asfortranarray(array) for name, array in feeds.items()}


RULES = {
    "optimization-level": (Case(CHAIN, spec=level("basic")), Case(CHAIN)),
    "threads": (Case(CHAIN, spec=replace(SPEC, threads=TOO_MANY)), Case(CHAIN)),
    "layout-changes": (Case(TURNED), Case(CHAIN)),
    "added-layout-conversions": (Case(BLOCKED, {"w": floats(16, 16, 1, 1)}), Case(CHAIN)),
    "float16-on-cpu": (
        Case(CONV16, {"w": halves(8, 8, 1, 1)}), Case(CONV, {"w": floats(8, 8, 1, 1)}),
    ),
    "dominant-operator": (Case(ONE_BIG, {"w": floats(512, 512)}), Case(EVEN)),
    "free-axes": (
        Case(FREE, {"w": floats(64, 8)}, NNAPI),
        Case(FREE.replace("N", "2"), {"w": floats(64, 8)}, NNAPI),
    ),
    "length-of-one": (
        Case(LENGTHS), Case(LENGTHS, spec=replace(SPEC, dimensions=(Dimension("N", 4),))),
    ),
    "needless-layers": (Case(DEAD), Case(ALIVE)),
    "dead-layers": (Case(DEAD.replace("Exp", "Identity")), Case(ALIVE)),
    "initializers-as-inputs": (
        Case(OPEN, {"w": floats(8, 8)}, ir=3, opset=8, inputs_too=True),
        Case(OPEN, {"w": floats(8, 8)}),
    ),
    "float32-edges": (Case(EDGES), Case(INSIDE)),
    "old-opset": (
        Case(GELU, GELU_PARTS, level("basic"), opset=13), Case(GELU, GELU_PARTS, opset=13),
    ),
    "quantisation": (
        Case(LARGE, {"w": floats(1024, 512)}),
        Case(LARGE.replace("float", "float16"), {"w": halves(1024, 512)}),
    ),
    "inputs-copied": (Case(WIDE, feed=turned), Case(WIDE)),
    "outputs-not-bound": (Case(WIDE), Case(NARROW, {"axes": np.array([0], np.int64)})),
    "kept-twice": (
        Case(LARGE, {"w": floats(1024, 512)}, replace(SPEC, load_from="bytes")),
        Case(LARGE, {"w": floats(1024, 512)}),
    ),
    "attention": (
        Case(SCORES, {"s": np.array(0.1, np.float32)}, level("basic")),
        Case(NO_VALUES, {"s": np.array(0.1, np.float32)}, level("basic")),
    ),
    "large-constants": (
        Case(TABLE, {"w": floats(1024, 512)}), Case(LARGE, {"w": floats(1024, 512)}),
    ),
    "unused-outputs": (Case(LSTM, LSTM_WEIGHTS), Case(LSTM_ALONE, LSTM_WEIGHTS)),
    "outputs-apart": (
        Case(APART, {"w": floats(256, 256)}), Case(TOGETHER, {"w": floats(768, 768)}),
    ),
}  # fmt: skip


def found(case: Case, folder: Path, rule: str) -> list[Advice]:
    path = case.saved(folder)
    model = open_model(path)
    sizes = {dimension.name: dimension.size for dimension in case.spec.dimensions}
    feeds = {one.name: np.asarray(one.array) for one in defaults(model.inputs, sizes)}
    identity = ModelIdentity(path.name, "0" * 64, path.stat().st_size, 0, 0)
    report = measure(path, identity, case.spec, case.feed(feeds), folder, lambda *_: None)
    given = {name: tuple(array.shape) for name, array in feeds.items()}
    report = replace(report, input_shapes=given)
    if case.spec.predict:
        shapes = {name: array.shape for name, array in feeds.items()}
        report = with_support_marks(
            report, answer_support_query(path, case.spec, shapes, layers_without_marks(report))
        )
    return [one for one in advice(report, model, facts(model)) if one.rule == rule]


@pytest.mark.engine
@pytest.mark.parametrize("rule", RULES)
def test_advice_is_given_where_it_is_called_for_and_nowhere_else(rule, tmp_path):
    called_for, almost = RULES[rule]
    # Where a busy machine disturbs a measurement, no layer is said to take long.
    tries = (found(called_for, tmp_path, rule) for _ in range(5))
    (given,) = next(filter(None, tries), [])
    assert given.sentence
    assert given.gain
    assert given.check
    assert "saving" not in f"{given.sentence} {given.gain}".lower(), "nobody has tried it"
    # A hiccup makes one layer take long: of some tries, one is without.
    assert not all(found(almost, tmp_path, rule) for _ in range(5))


@pytest.mark.engine
@pytest.mark.parametrize(
    ("rule", "steps", "left"),
    [
        ("needless-layers", ("simplify",), None),
        ("outputs-apart", ("extract:outputs=y",), ["y"]),
    ],
)
def test_the_commands_to_try_a_change_can_be_pasted(rule, steps, left, tmp_path, monkeypatch):
    case = RULES[rule][0]
    (given,) = next(filter(None, (found(case, tmp_path, rule) for _ in range(5))), [])
    assert given.steps == steps
    convert, measured = re.findall("`(inspector [^`]+)`", given.check)
    monkeypatch.chdir(tmp_path)
    before = open_model(Path(shlex.split(convert)[2]))
    assert main.run(shlex.split(convert)[1:]) == 0
    changed = open_model(Path("changed.onnx"))
    assert len(changed.layers) < len(before.layers)
    outputs = left or [each.name for each in before.outputs]
    assert [each.name for each in changed.outputs] == outputs
    assert shlex.split(measured)[1:] == ["measure", "changed.onnx", "--against", before.name]


def test_each_rule_that_is_registered_has_a_model_here():
    modules = (model_rules, report_rules)
    ids = {
        text
        for module in modules
        for text in Path(str(module.__file__)).read_text("utf-8").split('"')
        if text in RULES or text == "fallback"
    }
    # "fallback" needs a second device: the report of test_rules.py has one.
    assert ids == {*RULES, "fallback"}
    assert len(ids) == len(rules.RULES)
