from typing import Any

from onnx import helper

from inspector.analysis.facts.declarations import declarations, function_text
from inspector.formats.opening import open_model
from inspector.model.model import Annotation, DeviceConfiguration, Opset
from tests.formats.build import add, model, ramp, save, value, weight

OPSETS = [helper.make_opsetid("", 17), helper.make_opsetid("us", 1)]


def function(overload: str, nodes: list[Any], **more: Any) -> Any:
    return helper.make_function(
        "us", "F", ["a"], ["b"], nodes, OPSETS, overload=overload, **more
    )


def test_a_function_tells_attributes_operator_sets_inner_types_and_metadata(tmp_path):
    nodes = [add("a", "a", "t"), add("t", "t", "b")]
    proto = function(
        "fast",
        nodes,
        attributes=["alpha"],
        attribute_protos=[helper.make_attribute("beta", 0.5)],
        doc_string="twice",
        value_info=[value("t", ["n"])],
    )
    proto.metadata_props.add(key="from", value="torch")
    call = helper.make_node("F", ["x"], ["y"], domain="us", overload="fast")
    found = open_model(
        save(model([call], opsets=OPSETS, functions=[proto]), tmp_path / "m.onnx")
    )
    (known,) = found.functions
    assert [(a.name, a.kind, a.text) for a in known.attributes] == [
        ("alpha", "", ""),
        ("beta", "float", "0.5"),
    ]
    assert known.opsets == (Opset("", 17), Opset("us", 1))
    assert [(v.name, v.shape) for v in known.values] == [("t", ("n",))]
    assert (known.doc, known.metadata) == ("twice", (("from", "torch"),))
    assert found.layers[0].overload == "fast"


def test_an_overload_that_calls_the_other_is_no_circle(tmp_path):
    inner = function("plain", [helper.make_node("Relu", ["a"], ["b"])])
    outer = function(
        "deep", [helper.make_node("F", ["a"], ["b"], domain="us", overload="plain")]
    )
    call = helper.make_node("F", ["x"], ["y"], domain="us", overload="deep")
    proto = model([call], opsets=OPSETS, functions=[outer, inner])
    assert open_model(save(proto, tmp_path / "m.onnx")).findings == ()


def test_training_is_read_apart_from_the_model(tmp_path):
    proto = model([add()], [weight("w", ramp(4))])
    info = proto.training_info.add()
    first = helper.make_graph([add("w", "z", "w0")], "i", [], [value("w0")])
    step = helper.make_graph([add("w", "g", "w1")], "a", [], [], [weight("g", ramp(4))])
    info.initialization.CopyFrom(first)
    info.algorithm.CopyFrom(step)
    info.initialization_binding.add(key="w", value="w0")
    info.update_binding.add(key="w", value="w1")
    found = open_model(save(proto, tmp_path / "m.onnx"))
    (training,) = found.training
    assert [x.operator for x in (*training.initialization, *training.algorithm)] == [
        "Add",
        "Add",
    ]
    assert [w.name for w in training.weights] == ["g"]
    assert (training.bindings, training.updates) == ((("w", "w0"),), (("w", "w1"),))
    assert (found.parameters, len(found.layers)) == (4, 1)


def test_quantisation_annotations_are_kept(tmp_path):
    proto = model([add("x", "x")])
    note = proto.graph.quantization_annotation.add(tensor_name="y")
    note.quant_parameter_tensor_names.add(key="SCALE_TENSOR", value="y_scale")
    found = open_model(save(proto, tmp_path / "m.onnx"))
    assert found.annotations == (Annotation("y", (("SCALE_TENSOR", "y_scale"),)),)


def test_devices_that_a_model_and_its_nodes_ask_for_are_told(tmp_path):
    proto = model([add("x", "x", "t"), add("t", "t")])
    proto.configuration.add(name="two", num_devices=2, device=["gpu:0", "gpu:1"])
    asked = proto.graph.node[0].device_configurations.add(
        configuration_id="two", pipeline_stage=1
    )
    sharding = asked.sharding_spec.add(tensor_name="x", device=[0, 1])
    axis = sharding.sharded_dim.add(axis=-1)
    axis.simple_sharding.add(dim_value=8, num_shards=2)
    found = open_model(save(proto, tmp_path / "m.onnx"))
    assert found.configurations == (DeviceConfiguration("two", 2, ("gpu:0", "gpu:1")),)
    words = "pipeline stage 1; x split along axis -1 (8) into 2 on device 0, 1"
    assert [layer.placement for layer in found.layers] == [(("two", words),), ()]


def test_what_nodes_ask_of_devices_that_the_file_never_declares_is_kept(tmp_path):
    proto = model([add("x", "x")])
    proto.ir_version = 11
    proto.graph.node[0].device_configurations.add(configuration_id="own", pipeline_stage=3)
    found = open_model(save(proto, tmp_path / "m.onnx"))
    assert found.layers[0].placement == (("own", "pipeline stage 3"),)
    ((name, words),) = dict(declarations(found))["Device configurations"]
    assert name == "own"
    first, asked = words.splitlines()
    assert first == "not declared in the file, requested by 1 layer"
    assert asked.endswith("pipeline stage 3")


def test_graphs_that_are_defaults_of_a_functions_attributes_are_kept(tmp_path):
    branch = helper.make_graph([add("o", "o2")], "b", [], [value("o2")], [weight("o", ramp(4))])
    made = helper.make_function(
        "own", "Pick", ["c"], ["y"], [add("c", "y")], [helper.make_opsetid("", 17)],
        attribute_protos=[helper.make_attribute("otherwise", branch)],
    )  # fmt: skip
    proto = model([add("x", "x")])
    proto.functions.append(made)
    found = open_model(save(proto, tmp_path / "m.onnx"))
    (function,) = found.functions
    assert [(x.operator, x.branch) for x in function.defaults] == [("Add", "otherwise")]
    assert [(g.branch, g.name) for g in function.graphs] == [("otherwise", "b")]
    assert [w.name for w in found.weights] == ["o"]
    assert len(function.layers) == 1
    assert "otherwise: b: nothing → o2" in function_text(function)


def test_what_is_said_of_graph_values_and_weights_is_kept(tmp_path):
    tensor = weight("w", ramp(4))
    tensor.doc_string = "learned"
    tensor.metadata_props.add(key="rank", value="2")
    given = value("x")
    given.metadata_props.add(key="unit", value="mV")
    proto = model([add()], [tensor], inputs=[given])
    proto.graph.doc_string = "the graph"
    proto.graph.metadata_props.add(key="scope", value="all")
    found = open_model(save(proto, tmp_path / "m.onnx"))
    assert (found.weights[0].doc, found.weights[0].metadata) == ("learned", (("rank", "2"),))
    assert found.inputs[0].metadata == (("unit", "mV"),)
    assert (found.graph_doc, found.graph_metadata) == ("the graph", (("scope", "all"),))


def test_hostile_declarations_stay_short(tmp_path):
    proto = model([add("x", "x")])
    proto.configuration.add(name="n", num_devices=2**31 - 1)
    asked = proto.graph.node[0].device_configurations.add(configuration_id="n")
    for number in range(5000):
        asked.sharding_spec.add(tensor_name=f"t{number}", device=range(500))
    (layer,) = open_model(save(proto, tmp_path / "m.onnx")).layers
    assert len(layer.placement[0][1]) < 1000
    assert layer.placement[0][1].endswith("and 4,992 more")
