from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from inspector.formats.onnx import weight_values
from inspector.formats.onnx.types import ELEMENTS
from inspector.formats.opening import open_model
from inspector.formats.protobuf_wire import framed
from inspector.model.model import Model, Opset, Place, TensorInfo
from tests.formats.build import add, model, nested, ramp, save, value, weight


def opened(proto: Any, folder: Path) -> Model:
    return open_model(save(proto, folder / "m.onnx"))


def typed(kind: Any, folder: Path, name: str = "x") -> TensorInfo:
    found = opened(model([], inputs=[helper.make_value_info(name, kind)]), folder)
    return found.inputs[0]


def test_the_head_of_a_model_is_read(tmp_path):
    opsets = [helper.make_opsetid("ai.onnx", 17), helper.make_opsetid("us", 2)]
    proto = model([add("x", "x")], opsets=opsets, producer_name="us", producer_version="1.2")
    proto.domain, proto.model_version, proto.doc_string = "our.org", 7, "what it is"
    proto.metadata_props.add(key="b", value="2")
    proto.metadata_props.add(key="a", value="1")
    found = opened(proto, tmp_path)
    assert (found.name, found.format, found.graph_name) == ("m.onnx", "onnx", "g")
    assert found.size_bytes == (tmp_path / "m.onnx").stat().st_size
    assert (found.ir_version, found.opsets) == (8, (Opset("", 17), Opset("us", 2)))
    assert (found.producer, found.producer_version) == ("us", "1.2")
    assert (found.domain, found.version, found.doc) == ("our.org", 7, "what it is")
    assert found.metadata == (("b", "2"), ("a", "1"))


def test_inputs_with_an_initializer_are_defaults(tmp_path):
    inputs = [value("x"), value("w"), value("s")]
    sparse = helper.make_sparse_tensor(weight("s", ramp(1)), weight("", ramp(1, "int64")), [4])
    found = opened(
        model([add()], [weight("w", ramp(4))], inputs=inputs, sparse=[sparse]), tmp_path
    )
    assert [v.name for v in found.inputs] == ["x"]
    assert [v.name for v in found.defaults] == ["w", "s"]


def test_axes_are_lengths_names_or_unknown(tmp_path):
    shape = [1, "batch", None, 0, -1, ""]
    kind = helper.make_tensor_type_proto(1, shape)
    assert typed(kind, tmp_path).shape == (1, "batch", None, 0, None, None)
    assert typed(helper.make_tensor_type_proto(1, []), tmp_path).shape == ()
    assert typed(helper.make_tensor_type_proto(1, None), tmp_path).shape is None


@pytest.mark.parametrize("number", sorted(ELEMENTS))
def test_every_element_type_has_its_name(tmp_path, number):
    name = TensorProto.DataType.Name(number).lower()
    usual = {"float": "float32", "double": "float64"}
    kind = helper.make_tensor_type_proto(number, [1])
    assert typed(kind, tmp_path).dtype == usual.get(name, name)


def test_no_element_type_of_onnx_is_missing():
    assert set(TensorProto.DataType.values()) - {0} <= set(ELEMENTS)


def test_types_that_are_no_tensors_are_told_in_words(tmp_path):
    tensor = helper.make_tensor_type_proto(1, [3])
    of_map = helper.make_map_type_proto(7, tensor)
    sequence = helper.make_sequence_type_proto(of_map)
    optional = helper.make_optional_type_proto(sequence)
    sparse = helper.make_sparse_tensor_type_proto(10, [2, "n"])
    kinds = [
        (v.kind, v.dtype, v.shape)
        for v in (typed(k, tmp_path) for k in (of_map, sequence, optional, sparse))
    ]
    assert kinds == [
        ("map", "map(int64, float32)", None),
        ("sequence", "sequence(map(int64, float32))", None),
        ("optional", "optional(sequence(map(int64, float32)))", None),
        ("sparse tensor", "float16", (2, "n")),
    ]


def test_opaque_unknown_and_future_types_are_no_trouble(tmp_path):
    kind = helper.make_tensor_type_proto(77, [1])
    assert typed(kind, tmp_path).dtype == "type 77"
    kind.tensor_type.elem_type = 0
    assert typed(kind, tmp_path).dtype == "unknown"
    kind.Clear()
    assert (typed(kind, tmp_path).kind, typed(kind, tmp_path).dtype) == ("unknown", "unknown")
    kind.opaque_type.domain, kind.opaque_type.name = "us", "Thing"
    assert (typed(kind, tmp_path).kind, typed(kind, tmp_path).dtype) == (
        "opaque",
        "opaque(us.Thing)",
    )


def test_nodes_of_subgraphs_follow_their_node_in_the_files_order(tmp_path):
    proto = model(
        [nested(2), add("y", "y", "q", name="last")], inputs=[value("x"), value("c", [], 9)]
    )
    found = opened(proto, tmp_path)
    rows = [(x.index, x.name, x.parent, x.branch) for x in found.layers]
    assert rows == [
        (0, "if0", None, ""),
        (1, "", 0, "else_branch"),
        (2, "if1", 0, "then_branch"),
        (3, "", 2, "else_branch"),
        (4, "leaf2", 2, "then_branch"),
        (5, "last", None, ""),
    ]


def test_several_graphs_in_one_attribute_are_told_apart(tmp_path):
    graphs = [helper.make_graph([add("x", "x", f"t{n}")], f"g{n}", [], []) for n in range(2)]
    node = helper.make_node("Switch", ["x"], ["y"], domain="us", cases=graphs)
    assert [x.branch for x in opened(model([node]), tmp_path).layers] == [
        "",
        "cases[0]",
        "cases[1]",
    ]


def test_a_node_keeps_all_it_says(tmp_path):
    node = helper.make_node("Conv", ["x", "", "b"], ["y"], "c1", "a doc", "us", pads=[1, 2])
    node.metadata_props.add(key="scope", value="/block")
    (layer,) = opened(model([node]), tmp_path).layers
    assert (layer.name, layer.operator, layer.domain) == ("c1", "Conv", "us")
    assert (layer.inputs, layer.outputs) == (("x", "", "b"), ("y",))
    assert (layer.doc, layer.metadata) == ("a doc", (("scope", "/block"),))
    assert [(a.name, a.kind, a.text) for a in layer.attributes] == [("pads", "ints", "1, 2")]


def test_attributes_are_short_texts(tmp_path):
    values = {
        "f": 0.1, "i": -3, "s": "text", "to": TensorProto.FLOAT16, "floats": [1.5, 2.0],
        "many": list(range(100)), "strings": ["a", "b"], "t": weight("", ramp(3)),
        "small": helper.make_tensor("", TensorProto.INT64, [2], [1, 64]),
        "g": helper.make_graph([add()], "g", [], []),
        "tp": helper.make_tensor_type_proto(1, [1]),
        "sparse": helper.make_sparse_tensor(
            weight("", ramp(1)), weight("", ramp(1, "int64")), [4]
        ),
    }  # fmt: skip
    node = helper.make_node("Any", ["x"], ["y"], domain="us", **values)
    node.attribute.add(name="ref", ref_attr_name="alpha", type=1)
    layer = opened(model([node]), tmp_path).layers[0]
    assert {a.name: a.text for a in layer.attributes} == {
        "f": "0.1", "i": "-3", "s": "text", "to": "float16", "floats": "1.5, 2",
        "many": "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, … (100)",
        "strings": "a, b", "t": "float32 3 = 0, 1, 2", "small": "int64 2 = 1, 64",
        "g": "1 node", "tp": "float32[1]", "sparse": "float32 4, 1 stored = 0",
        "ref": "the function's attribute alpha",
    }  # fmt: skip


def test_a_text_of_megabytes_is_clipped(tmp_path):
    node = helper.make_node("Any", ["x"], ["y"], s="a" * 3_000_000, ss=["b" * 9000] * 3)
    texts = [a.text for a in opened(model([node]), tmp_path).layers[0].attributes]
    assert [len(text) for text in texts] == [400, 400]


def test_names_that_are_no_text_are_made_readable(tmp_path):
    body = model([add("in", "in", "y", name="name")]).SerializeToString()
    path = tmp_path / "m.onnx"
    path.write_bytes(body.replace(b"name", b"\xff\xfeme"))
    assert open_model(path).layers[0].name == "\ufffd\ufffdme"


def test_weights_tell_type_shape_bytes_and_place(tmp_path):
    arrays = [ramp(6, "float16").reshape(2, 3), np.array(5, np.int64), ramp(900, "float64")]
    found = opened(model([], [weight(f"w{n}", a) for n, a in enumerate(arrays)]), tmp_path)
    body = (tmp_path / "m.onnx").read_bytes()
    for known, array in zip(found.weights, arrays, strict=True):
        assert (known.dtype, known.shape) == (str(array.dtype), array.shape)
        assert (known.size_bytes, known.problem) == (array.nbytes, "")
        stored = body[known.place.offset :][: known.place.length]
        assert stored == array.tobytes()
    assert found.parameters == 6 + 900  # the int64 counts something


def test_typed_values_tell_their_field(tmp_path):
    floats = helper.make_tensor("w", TensorProto.FLOAT, [3], [1.0, 2.0, 3.0])
    texts = helper.make_tensor("s", TensorProto.STRING, [2], [b"ab", b"cde"])
    found = opened(model([], [floats, texts]), tmp_path).weights
    assert (found[0].place.field, found[0].size_bytes) == ("float_data", 12)
    assert found[1].place.field == "string_data"
    body = (tmp_path / "m.onnx").read_bytes()
    place = found[1].place
    assert body[place.offset :][: place.length] == b"\x32\x02ab\x32\x03cde"


def test_constants_of_nodes_are_weights_with_their_layer(tmp_path):
    sparse = helper.make_sparse_tensor(weight("", ramp(2)), weight("", ramp(2, "int64")), [9])
    nodes = [
        helper.make_node("Constant", [], ["k"], value=weight("other", ramp(3))),
        helper.make_node("Constant", [], ["s"], sparse_value=sparse),
        helper.make_node(
            "ConstantOfShape", ["x"], ["f"], name="fill", value=weight("", ramp(1))
        ),
        helper.make_node("Own", ["x"], ["y"], domain="us", tables=[weight("", ramp(2))] * 2),
    ]
    found = opened(model(nodes), tmp_path)
    rows = [(w.name, w.origin, w.layer, w.shape, w.size_bytes) for w in found.weights]
    assert rows == [
        ("k", "constant", 0, (3,), 12),
        ("s", "constant", 1, (9,), 8 + 16),
        ("fill.value", "constant", 2, (1,), 4),
        ("Own 3.tables[0]", "constant", 3, (2,), 8),
        ("Own 3.tables[1]", "constant", 3, (2,), 8),
    ]
    assert all(isinstance(w.place, Place) for w in found.weights)
    result = sum(w.elements for w in found.weights if w.dtype == "float32" and w.elements > 1)
    assert found.parameters == result


def test_weights_of_a_subgraph_belong_to_its_node(tmp_path):
    branch = helper.make_graph([add()], "b", [], [value("y")], [weight("w", ramp(4))])
    node = helper.make_node("If", ["x"], ["y"], then_branch=branch, else_branch=branch)
    found = opened(model([add("x", "x", "t"), node]), tmp_path)
    assert [(w.name, w.layer) for w in found.weights] == [("w", 1), ("w", 1)]
    assert found.parameters == 8


def test_sparse_initializers_have_the_dense_shape(tmp_path):
    sparse = helper.make_sparse_tensor(
        weight("s", ramp(2)), weight("", ramp(2, "int64")), [100, 100]
    )
    (found,) = opened(model([], sparse=[sparse]), tmp_path).weights
    assert (found.name, found.origin, found.shape) == ("s", "sparse initializer", (100, 100))
    assert found.size_bytes == 8 + 16


def test_functions_are_read_with_their_bodies(tmp_path):
    body = [
        helper.make_node("Constant", [], ["k"], value=weight("", ramp(3))),
        add("a", "k", "b"),
    ]
    function = helper.make_function(
        "us", "F", ["a"], ["b"], body, [helper.make_opsetid("", 17)], overload="fast"
    )
    node = helper.make_node("F", ["x"], ["y"], domain="us", overload="fast")
    found = opened(model([node], functions=[function]), tmp_path)
    (known,) = found.functions
    assert (known.name, known.domain, known.overload) == ("F", "us", "fast")
    assert (known.inputs, known.outputs) == (("a",), ("b",))
    assert [(x.index, x.operator) for x in known.layers] == [(0, "Constant"), (1, "Add")]
    assert [(w.name, w.layer) for w in found.weights] == [("F/k", None)]
    assert len(found.layers) == 1


def test_inner_values_are_known_as_far_as_the_file_tells(tmp_path):
    info = [value("t", ["n", 4])]
    found = opened(model([add("x", "x", "t"), add("t", "t")], value_info=info), tmp_path)
    assert [(v.name, v.shape) for v in found.values] == [("t", ("n", 4))]


def test_the_oldest_attributes_without_a_type_are_understood(tmp_path):
    node = helper.make_node("Constant", [], ["y"], value=weight("", ramp(3)))
    node.attribute[0].ClearField("type")
    (found,) = opened(model([node]), tmp_path).weights
    assert found.place.length == 12


def test_values_without_bytes_or_in_wrong_number_are_told(tmp_path):
    empty = weight("e", ramp(4))
    empty.ClearField("raw_data")
    wrong = weight("w", ramp(4))
    wrong.dims[:] = [5]
    negative = weight("n", ramp(4))
    negative.dims[:] = [-4]
    none = weight("z", ramp(0))
    found = {
        w.name: w.problem
        for w in opened(model([], [empty, wrong, negative, none]), tmp_path).weights
    }
    assert found == {
        "e": "it has no values",
        "w": "it has 16 B of values, but its shape needs 20 B",
        "n": "its shape has a negative axis size",
        "z": "",
    }


def test_a_shape_beyond_any_number_is_told(tmp_path):
    tensor = weight("w", ramp(4))
    del tensor.dims[:]
    tensor.dims.extend([2**62] * 400)
    found = opened(model([add()], [tensor]), tmp_path).weights[0]
    assert found.problem == "its shape has too many elements for any file"
    assert found.elements == 0


def test_groups_of_old_are_unknown_fields_wherever_they_are(tmp_path):
    group = b"\xfb\x07" + b"\x08\x01" + framed(2, b"inside") + b"\xfc\x07"  # field 127
    node = add(name="sum").SerializeToString() + group
    tensor = weight("w", ramp(4)).SerializeToString() + group
    whole = model([], []).SerializeToString()
    path = tmp_path / "m.onnx"
    path.write_bytes(group + whole + framed(7, framed(1, node) + group + framed(5, tensor)))
    found = open_model(path)
    assert [layer.name for layer in found.layers] == ["sum"]
    assert found.weights[0].problem == ""
    assert np.array_equal(weight_values.tensor(path, found.weights[0], 1 << 10), ramp(4))


def test_weights_in_constants_and_functions_are_parameters(tmp_path):
    held = helper.make_node("Constant", [], ["w"], value=weight("", ramp(6)))
    shape = helper.make_node("Constant", [], ["s"], value_ints=[2, 3])
    found = opened(model([held, shape, add("x", "w", "y")]), tmp_path)
    assert (found.parameters, found.constants) == (6, 0)
    body = [
        helper.make_node("Constant", [], ["w"], value=weight("", ramp(5))),
        add("a", "w", "b"),
    ]
    opset = [helper.make_opsetid("", 17)]
    function = helper.make_function("us", "F", ["a"], ["b"], body, opset)
    made = model([helper.make_node("F", ["x"], ["y"], domain="us")])
    made.functions.append(function)
    assert opened(made, tmp_path).parameters == 5


def test_a_packed_4_bit_weight_counts_its_numbers_as_parameters(tmp_path):
    packed = numpy_helper.from_array(np.zeros((8, 2, 16), np.uint8), "w")  # 8 x 64 of 4 bits
    scales = weight("s", ramp(16))
    node = helper.make_node(
        "MatMulNBits", ["x", "w", "s"], ["y"], domain="com.microsoft", K=64, N=8, bits=4,
        block_size=32,
    )  # fmt: skip
    found = opened(model([node], [packed, scales]), tmp_path)
    assert found.parameters == 64 * 8  # scales say how weights are stored
