from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper, parser

from inspector.engine import devices
from inspector.engine.isolation import isolate, without
from inspector.engine.kernels import Wanted, kernel_table
from inspector.engine.naming import rename
from inspector.engine.placement import Question, ask
from inspector.engine.providers import CPU
from inspector.engine.tensor_types import in_words, is_exact, runtime_name, tensor_types
from inspector.report import LayerUse, Mark, RunSpec, Source, Status, Support

WHOLE = """
<ir_version: 9, opset_import: ["" : 17, "own" : 1]>
g (float[batch,4] x, bool c) => (float[batch,4] y, float[n] u)
    <float[4,4] w = {1,2,3,4,1,2,3,4,1,2,3,4,1,2,3,4}> {
  a = MatMul(x, w)
  b = If(c) <then_branch = t () => (float[batch,4] o) { o = Tanh(a) },
             else_branch = e () => (float[batch,4] o) { o = Exp(a) }>
  y = own.Gate(b)
  u = Unique(y)
}
<domain: "own", opset_import: ["" : 17]> Gate (p) => (r) { t = Tanh(p) r = Mul(p, t) }
"""


@pytest.fixture
def whole() -> ModelProto:
    return rename(parser.parse_model(WHOLE))[0]


@pytest.fixture
def question(whole: ModelProto, tmp_path: Path) -> Question:
    feeds = {"x": np.zeros((2, 4), np.float32), "c": np.array(True)}
    types = tensor_types(whole, RunSpec(), feeds, tmp_path)
    return Question(whole, types, RunSpec(), tmp_path)


def use(index: int, **marks: Support) -> LayerUse:
    return LayerUse(index, f"L{index}", "", Status.EXECUTED, "other", 1, marks)


def test_every_tensor_of_the_main_graph_gets_its_type_and_lengths(question: Question) -> None:
    words = {name: in_words(kind) for name, kind in question.types.items()}
    product = question.model.graph.node[0].output[0]
    assert words["x"] == words[product] == "float32 2×4"
    assert words["w"] == "float32 4×4"
    assert words["c"] == "bool unknown rank"
    assert is_exact(question.types[product])
    assert not is_exact(question.types["u"])
    assert in_words(None) == ""


def test_types_are_named_as_the_runtime_names_them(question: Question) -> None:
    assert runtime_name(question.types["x"]) == "tensor(float)"
    assert runtime_name(question.types["c"]) == "tensor(bool)"
    assert runtime_name(None) == ""


def test_a_model_that_does_not_load_has_no_types(tmp_path: Path) -> None:
    model = parser.parse_model("""
    <ir_version: 9, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { y = NoSuchOperator(x) }""")
    assert tensor_types(model, RunSpec(), {}, tmp_path) == {}


def test_the_processor_tells_what_it_would_run(question: Question) -> None:
    uses = [use(i) for i in range(6)]
    found = ask(question, uses, devices.resolve(["cpu"]))
    marks = [layer.devices["cpu"] for layer in found]
    assert [mark.mark for mark in marks] == [
        Mark.SUPPORTED, Mark.UNKNOWN, Mark.UNKNOWN, Mark.UNKNOWN, Mark.DECOMPOSED,
        Mark.SUPPORTED,
    ]  # fmt: skip
    assert {mark.source for mark in marks} == {Source.PROBED}
    assert marks[1].reason == "Not probed: it is placed together with what it runs."
    assert marks[2].reason == "Not probed: it lies in a subgraph."
    assert marks[4].reason == "It would run as several operators."


def test_what_the_session_showed_is_not_asked_again(question: Question) -> None:
    ran = Support(Mark.RAN, Source.MEASURED)
    (found,) = ask(question, [use(0, cpu=ran)], devices.resolve(["cpu"]))
    assert found.devices == {"cpu": ran}


def test_a_layer_without_a_kernel_is_named_and_the_others_still_answered(
    tmp_path: Path,
) -> None:
    model = rename(
        parser.parse_model("""
        <ir_version: 9, opset_import: ["" : 17]>
        g (uint16[4] x, uint16[4] z) => (uint16[4] y) {
          a = Mod(x, z)
          b = BitShift<direction = "LEFT">(a, z)
          y = Mod(b, z)
        }""")
    )[0]
    types = {}
    for name in ("x", "z", *(n for node in model.graph.node for n in node.output)):
        types[name] = helper.make_tensor_type_proto(TensorProto.UINT16, [4])
    (first, second, third) = ask(
        Question(model, types, RunSpec(), tmp_path),
        [use(0), use(1), use(2)],
        devices.resolve(["cpu"]),
    )
    assert first.devices["cpu"].mark is third.devices["cpu"].mark is Mark.SUPPORTED
    assert second.devices["cpu"].mark is Mark.UNSUPPORTED
    assert second.devices["cpu"].reason == (
        "The CPU provider has no kernel for BitShift in opset 17 with uint16."
    )


def test_half_precision_on_the_processor_goes_through_casts(tmp_path: Path) -> None:
    kind = helper.make_tensor_type_proto(TensorProto.FLOAT16, [4, 4])
    values = [helper.make_value_info(name, kind) for name in "xy"]
    node = helper.make_node("Exp", ["x"], ["y"])
    graph = helper.make_graph([node], "g", values[:1], values[1:])
    opsets = [helper.make_opsetid("", 17)]
    model = rename(helper.make_model(graph, opset_imports=opsets, ir_version=9))[0]
    question = Question(model, {"x": kind, "y": kind}, RunSpec(), tmp_path)
    (found,) = ask(question, [use(0)], devices.resolve(["cpu"]))
    assert found.devices["cpu"].mark is Mark.CAST


def test_isolated_layers_share_nothing(whole: ModelProto, question: Question) -> None:
    apart = isolate(whole, [0, 4, 5], question.types)
    assert apart.layers == (0, 4, 5)
    inputs = [name for node in apart.model.graph.node for name in node.input]
    assert len(inputs) == len(set(inputs))
    assert [tensor.name for tensor in apart.model.graph.initializer] == ["n0_i1"]
    fewer = without(apart, 0)
    assert fewer.layers == (4, 5)
    assert not [v for v in fewer.model.graph.output if v.name.startswith("n0_")]
    assert not fewer.model.graph.initializer


def test_a_layer_of_unknown_input_stays_out(whole: ModelProto) -> None:
    apart = isolate(whole, [0, 5], {})
    assert apart.layers == ()
    assert apart.left_out[5] == "the type of an input is not known"


@pytest.mark.parametrize(
    ("operator", "domain", "opset", "types", "objection"),
    [
        ("Conv", "", 17, ("tensor(float)", "tensor(float)"), ""),
        ("Conv", "ai.onnx", 17, ("tensor(float)",), ""),
        ("Foo", "", 17, ("tensor(float)",), "has no kernel for Foo"),
        (
            "Conv", "", 17, ("tensor(double)", "tensor(double)"),
            "has no kernel for Conv in opset 17 with float64",
        ),
        ("Conv", "", 17, ("", ""), ""),
    ],
)  # fmt: skip
def test_a_kernel_table_says_what_it_misses(
    operator: str, domain: str, opset: int, types: tuple[str, ...], objection: str
) -> None:
    table = kernel_table(CPU)
    assert table.objection(Wanted(operator, domain, opset, types, types[:1])) == objection


def test_a_provider_that_is_not_there_has_an_empty_table() -> None:
    assert not kernel_table("NoSuchExecutionProvider").kernels
