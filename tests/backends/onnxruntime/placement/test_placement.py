from math import prod
from pathlib import Path
from types import SimpleNamespace

import pytest
from onnx import ModelProto, TensorProto, TypeProto, helper, parser

from inspector.backends.onnxruntime.graphs.layer_names import rename
from inspector.backends.onnxruntime.graphs.tensor_types import (
    TypedGraph,
    in_words,
    is_exact,
    runtime_name,
    tensor_types,
    typed_graphs,
)
from inspector.backends.onnxruntime.placement import placement
from inspector.backends.onnxruntime.placement.isolated_layers import isolate, without
from inspector.backends.onnxruntime.placement.kernel_registry import KernelQuery, kernel_table
from inspector.backends.onnxruntime.placement.placement import (
    PlacementQuery,
    homes_of,
    query_device,
    query_unused_device,
)
from inspector.backends.onnxruntime.sessions import devices
from inspector.backends.onnxruntime.sessions.providers import CPU
from inspector.backends.onnxruntime.sessions.session import create_session
from inspector.report.report import Support
from inspector.report.run_spec import RunSpec
from inspector.wording.support_marks import Mark, Rule, Source
from tests import models

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


def graphs_of(model: ModelProto, **types: TypeProto) -> tuple[TypedGraph, ...]:
    return (TypedGraph(model.graph, types, {}),)


@pytest.fixture
def question(whole: ModelProto, tmp_path: Path) -> PlacementQuery:
    graphs = typed_graphs(whole, RunSpec(), {"x": (2, 4), "c": ()}, tmp_path)
    return PlacementQuery(whole, graphs, graphs, RunSpec(), tmp_path)


def asked(question: PlacementQuery, *layers: int) -> list[Support]:
    (cpu,) = devices.resolve(["cpu"])
    answers = query_device(question, layers, cpu)
    return [answers[layer] for layer in layers]


def test_every_tensor_of_the_main_graph_gets_its_type_and_lengths(question):
    types = question.graphs[0].types
    words = {name: in_words(kind) for name, kind in types.items()}
    product = question.model.graph.node[0].output[0]
    assert words["x"] == words[product] == "float32 2×4"
    assert words["w"] == "float32 4×4"
    assert words["c"] == "bool scalar"
    assert is_exact(types[product])
    assert not is_exact(types["u"])
    assert in_words(None) == ""


def test_types_are_named_as_the_runtime_names_them(question):
    types = question.graphs[0].types
    assert runtime_name(types["x"]) == "tensor(float)"
    assert runtime_name(types["c"]) == "tensor(bool)"
    assert runtime_name(None) == ""


def test_a_model_that_does_not_load_has_no_types(tmp_path):
    model = parser.parse_model("""
    <ir_version: 9, opset_import: ["" : 17]>
    g (float[2] x) => (float[2] y) { y = NoSuchOperator(x) }""")
    assert tensor_types(model, RunSpec(), {}, tmp_path) == {}


def test_values_inside_control_flow_have_types_too(question, whole, tmp_path):
    then, other = question.graphs[1:]
    assert [in_words(g.types[g.graph.node[0].output[0]]) for g in (then, other)] == [
        "float32 2×4"
    ] * 2
    text = """
    <ir_version: 9, opset_import: ["" : 17]>
    g (float[3,4] x) => (float[3,4] y, float[3] z) <int64 n = {7}, bool go = {1}> {
      y = Loop(n, go, x) <body = body (i, b, s)
        => (a, t) { t = MatMul(s, w) a = Identity(b) } >
      v, z = Scan<num_scan_inputs = 1, body = step (p, q)
        => (r, u) { r = Add(p, q) u = ReduceSum<keepdims = 0>(q) }>(start, x)
    }"""
    loop = rename(parser.parse_model(text))[0]
    for name, shape in (("w", [4, 4]), ("start", [4])):
        loop.graph.initializer.append(helper.make_tensor(name, 1, shape, [1.0] * prod(shape)))
    graphs = typed_graphs(loop, RunSpec(), {}, tmp_path)
    seen = [graph.types.get(graph.graph.node[0].output[0]) for graph in graphs[1:]]
    assert [in_words(kind).split()[0] for kind in seen] == ["float32", "float32"]


def test_the_processor_tells_what_it_would_run(question):
    found = asked(question, *range(6))
    assert [support.mark for support in found] == [
        Mark.SUPPORTED, Mark.SUPPORTED, Mark.SUPPORTED, Mark.SUPPORTED, Mark.DECOMPOSED,
        Mark.SUPPORTED,
    ]  # fmt: skip
    sources = {support.source for support in found if support is not found[1]}
    assert sources == {Source.PROBED}
    assert (found[1].source, found[1].reason) == (Source.TABLE, "CPU has a kernel for If.")
    assert found[4].reason == "The layer would run as Mul, Tanh."


def test_a_layer_without_a_kernel_is_named_and_the_others_still_answered(tmp_path):
    text = """
    <ir_version: 9, opset_import: ["" : 17]>
    g (uint16[4] x, uint16[4] z) => (uint16[4] y) {
      a = Mod(x, z)
      b = Einsum<equation = "i,i->i">(a, z)
      y = Mod(b, z)
    }"""
    model = rename(parser.parse_model(text))[0]
    names = ("x", "z", *(n for node in model.graph.node for n in node.output))
    kind = helper.make_tensor_type_proto(TensorProto.UINT16, [4])
    graphs = graphs_of(model, **dict.fromkeys(names, kind))
    question = PlacementQuery(model, graphs, graphs, RunSpec(), tmp_path)
    first, second, third = asked(question, 0, 1, 2)
    assert first.mark is third.mark is Mark.SUPPORTED
    assert (second.mark, second.rule) == (Mark.UNSUPPORTED, Rule.TYPE)
    assert second.reason == (
        "The CPU provider has no kernel for Einsum in opset 17 with uint16."
    )


@pytest.mark.parametrize(
    ("parts", "kernels", "mark", "reason"),
    [
        (
            {"CPUExecutionProvider": ["Tanh", "Mul"]}, True, Mark.DECOMPOSED,
            "The layer would run as Mul, Tanh.",
        ),
        (
            {"CPUExecutionProvider": ["Mul"], "Other": ["Tanh", "Erf"]}, True,
            Mark.UNSUPPORTED,
            "The CPU provider has no kernel for Gate and cannot run all of its component "
            "operators: not Erf, Tanh.",
        ),
        (
            {"Other": ["Tanh"]}, False, Mark.UNSUPPORTED,
            "The CPU provider rejected this Gate: a shape, rank or attribute is not "
            "supported, or the provider prefers the CPU for it.",
        ),
        (
            {}, False, Mark.UNSUPPORTED,
            "The CPU provider did not report where this Gate would run.",
        ),
    ],
)  # fmt: skip
def test_what_a_layer_is_replaced_by_decides_where_it_runs(
    question, monkeypatch, parts, kernels, mark, reason
):
    assigned = [
        SimpleNamespace(
            ep_name=owner,
            get_nodes=lambda inner=inner: [SimpleNamespace(op_type=name) for name in inner],
        )
        for owner, inner in parts.items()
    ]
    session = SimpleNamespace(get_provider_graph_assignment_info=lambda: assigned)
    monkeypatch.setattr(placement._Probe, "_session", lambda *_: session)
    (cpu,) = devices.resolve(["cpu"])
    probe = placement._Probe(question, question.graphs, cpu)
    if not kernels:
        monkeypatch.setattr(probe, "_table", kernel_table("no such provider"))
    found = probe._answer(4, None)
    assert (found.mark, found.reason) == (mark, reason)


def test_half_precision_on_the_processor_goes_through_casts(tmp_path):
    kind = helper.make_tensor_type_proto(TensorProto.FLOAT16, [4, 4])
    values = [helper.make_value_info(name, kind) for name in "xy"]
    node = helper.make_node("Exp", ["x"], ["y"])
    model = rename(models.model([node], values[:1], values[1:]))[0]
    graphs = graphs_of(model, x=kind, y=kind)
    (found,) = asked(PlacementQuery(model, graphs, graphs, RunSpec(), tmp_path), 0)
    assert found.mark is Mark.CAST


def test_isolated_layers_share_nothing(whole, question):
    apart = isolate(whole, [0, 4, 5], question.graphs)
    assert apart.layers == (0, 4, 5)
    inputs = [name for node in apart.model.graph.node for name in node.input]
    assert len(inputs) == len(set(inputs))
    assert [tensor.name for tensor in apart.model.graph.initializer] == ["n0_i1"]
    fewer = without(apart, [0])
    assert fewer.layers == (4, 5)
    assert not [v for v in fewer.model.graph.output if v.name.startswith("n0_")]
    assert not fewer.model.graph.initializer


def test_a_layer_of_unknown_input_stays_out(whole):
    apart = isolate(whole, [0, 5], graphs_of(whole))
    assert apart.layers == ()
    assert apart.left_out[5] == "the type of an input is unknown"


QUANTISED = """
<ir_version: 9, opset_import: ["" : 17]>
g (float[2,4] x) => (float[2,4] y)
    <float s = {0.1}, int8 z = {0}, int8[4,4] w = {1,2,3,4,1,2,3,4,1,2,3,4,1,2,3,4}> {
  a = QuantizeLinear(x, s, z)
  b = DequantizeLinear(a, s, z)
  k = DequantizeLinear(w, s, z)
  c = MatMul(b, k)
  d = QuantizeLinear(c, s, z)
  e = DequantizeLinear(d, s, z)
  y = Relu(e)
}"""


def test_a_quantised_layer_stands_alone_with_what_quantises_it(tmp_path):
    model = rename(parser.parse_model(QUANTISED))[0]
    graphs = typed_graphs(model, RunSpec(), {}, tmp_path)
    apart = isolate(model, range(7), graphs, whole_units=True)
    assert apart.layers == (0, 3, 6)
    product = [node.name for node in apart.model.graph.node if node.name.startswith("n3")]
    assert product == ["n3_L1", "n3_L2", "n3", "n3_L4"]
    assert apart.units == {0: (0,), 1: (3,), 2: (3,), 3: (3,), 4: (3,), 5: (6,), 6: (6,)}
    (given,) = [v for v in apart.model.graph.input if v.name.startswith("n3_")]
    assert in_words(given.type) == "int8 2×4"
    assert create_session(apart.model.SerializeToString(), RunSpec(), devices.resolve(["cpu"]))


def test_what_quantises_the_output_is_where_its_layer_is(tmp_path):
    model = rename(parser.parse_model(QUANTISED))[0]
    graphs = typed_graphs(model, RunSpec(), {}, tmp_path)
    apart = isolate(model, range(7), graphs, whole_units=True)
    homes = homes_of(range(7), apart, {0: "CPU", 3: "NPU"}, "NPU")
    assert homes == {0: "CPU", 1: "NPU", 2: "NPU", 3: "NPU", 4: "NPU", 5: None, 6: None}


@pytest.mark.parametrize(
    ("operator", "domain", "opset", "types", "objection"),
    [
        ("Conv", "", 17, ("tensor(float)", "tensor(float)"), (Rule.NONE, "")),
        ("Conv", "ai.onnx", 17, ("tensor(float)",), (Rule.NONE, "")),
        ("Foo", "", 17, ("tensor(float)",), (Rule.OPERATOR, "has no kernel for Foo")),
        (
            "Conv", "", 17, ("tensor(double)", "tensor(double)"),
            (Rule.TYPE, "has no kernel for Conv in opset 17 with float64"),
        ),
        ("Conv", "", 17, ("", ""), (Rule.NONE, "")),
    ],
)  # fmt: skip
def test_a_kernel_table_says_what_it_misses(operator, domain, opset, types, objection):
    table = kernel_table(CPU)
    assert table.objection(KernelQuery(operator, domain, opset, types, types[:1])) == objection


def test_a_provider_that_is_not_there_has_an_empty_table():
    assert not kernel_table("NoSuchExecutionProvider").kernels


def test_a_device_that_is_here_and_was_not_asked_for_is_excluded(question):
    (cpu,) = devices.resolve(["cpu"])
    found = query_unused_device(question, cpu)
    product, whole_function = found[0], found[4]
    assert (product.mark, product.source) == (Mark.EXCLUDED, Source.PROBED)
    assert product.reason.endswith("did not use the device.")
    assert whole_function.mark is Mark.EXCLUDED
