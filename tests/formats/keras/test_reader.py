"""Configurations of Keras 2 and 3 as JSON in an HDF5 file, which is where Keras 2 has them."""

import json
from typing import Any

import pytest

from inspector.analysis.cost import model_cost
from inspector.analysis.facts.model_facts import facts
from inspector.analysis.facts.shapes import Body
from inspector.formats.opening import open_bytes
from inspector.model.model import Model
from inspector.pages.model.page import model_page
from inspector.preview.identity import identify
from tests.page_text import text


def opened(*layers: dict[str, Any]) -> Model:
    config = {"class_name": "Functional", "config": {"name": "net", "layers": [*layers]}}
    body = b"\x89HDF\r\n\x1a\n" + bytes(99) + json.dumps(config).encode() + bytes(9)
    return open_bytes(body, "net.h5")


def layer(kind: str, name: str, inbound: Any = (), **config: Any) -> dict[str, Any]:
    own = {"name": name, **config}
    return {"class_name": kind, "name": name, "config": own, "inbound_nodes": inbound}


def tensor(of: str) -> dict[str, Any]:
    return {"class_name": "__keras_tensor__", "config": {"keras_history": [of, 0, 0]}}


IMAGE = layer("InputLayer", "image", batch_input_shape=[None, 8, 8, 3], dtype="float16")


def attributes(**config: Any) -> dict[str, tuple[str, str]]:
    (found,) = opened(IMAGE, layer("Dense", "d", **config)).layers
    return {each.name: (each.kind, each.text) for each in found.attributes}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"class_name": "GlorotUniform", "config": {}}, "GlorotUniform"),
        ({"name": "mixed_float16"}, "mixed_float16"),
        ({"class_name": "A", "name": "b"}, "A"),
        ({"class_name": "DTypePolicy", "config": {"name": "float32"}}, "float32"),
        ({"class_name": "Other", "config": {"name": "float32"}}, "Other"),
        ({"class_name": "DTypePolicy", "config": None}, "DTypePolicy"),
        ({"seed": 3}, "…"),
        ([3, 3], "3, 3"),
        (list(range(16)), ", ".join(map(str, range(16)))),
        (list(range(17)), f"{', '.join(map(str, range(16)))}, …"),
        (["x" * 70], "x" * 60),
        ("x" * 500, "x" * 400),
        (True, "true"),
        (False, "false"),
        (0.5, "0.5"),
    ],
)
def test_settings_of_a_layer_are_told_in_short(value, text):
    assert attributes(given=value)["given"][1] == text


def test_settings_that_are_not_set_and_the_name_are_left_out():
    assert attributes(units=10, activation=None) == {"units": ("int", "10")}


@pytest.mark.parametrize(
    ("inbound", "taken"),
    [
        ([[["image", 0, 0, {}], ["first", 0, 0, {}]]], ("image", "first")),  # Keras 2
        ([{"args": [[tensor("first"), tensor("image")]]}], ("first", "image")),  # Keras 3
        ([{"args": [tensor("image"), tensor("image")]}], ("image", "image")),  # x + x
        ([], ("first",)),  # what comes before
    ],
)
def test_a_layer_takes_what_its_inbound_nodes_name(inbound, taken):
    found = opened(IMAGE, layer("Dense", "first"), layer("Add", "sum", inbound))
    assert [each.inputs for each in found.layers] == [("image",), taken]
    assert [each.outputs for each in found.layers] == [("first",), ("sum",)]


def test_an_input_has_its_type_and_a_free_batch_axis():
    def of(**config: Any) -> tuple[object, object]:
        (info,) = opened(layer("InputLayer", "x", **config), layer("Dense", "d")).inputs
        return info.dtype, info.shape

    assert of(batch_input_shape=[None, 8, None], dtype="float16") == (
        "float16", ("batch", 8, None),
    )  # fmt: skip
    assert of(batch_shape=[2, 8], dtype={"class_name": "DTypePolicy"}) == ("float32", (2, 8))
    assert of(batch_shape=[None, -1, 0, "wide"]) == ("float32", ("batch", None, 0, None))
    assert of() == ("float32", None)


def test_a_sequence_without_an_input_layer_gets_one():
    found = opened(layer("Dense", "a", batch_input_shape=[None, 4]), layer("Dense", "b"))
    assert [(each.name, each.shape) for each in found.inputs] == [("input", ("batch", 4))]
    assert [each.inputs for each in found.layers] == [("input",), ("a",)]


def test_layers_of_a_model_inside_lie_below_it():
    inner = layer("InputLayer", "in"), layer("Dense", "inside")
    outer = layer("Functional", "block", [[["image", 0, 0, {}]]], layers=[*inner])
    found = opened(IMAGE, outer, layer("Dense", "last"))
    told = [(each.name, each.parent, each.branch, each.inputs) for each in found.layers]
    assert told == [
        ("block", None, "", ("image",)),
        ("block/inside", 0, "model", ("block/in",)),
        ("last", None, "", ("block",)),
    ]
    assert [info.name for info in found.inputs] == ["image"]


def test_a_layer_that_is_called_three_times_is_three_layers():
    last = {"args": [call("late", 0)], "kwargs": {"training": False, "mask": None}}
    calls = [{"args": [tensor("image")]}, {"args": [call("shared", 0)]}, last]
    shared, late = layer("Dense", "shared", calls), layer("Add", "late", of("shared", 1))
    found = opened(IMAGE, shared, late, layer("Add", "sum", of("shared", 2)))
    told = [(each.name, each.inputs, each.outputs) for each in found.layers]
    assert told == [
        ("shared", ("image",), ("shared",)),
        ("shared:1", ("shared",), ("shared:1",)),
        ("late", ("shared:1",), ("late",)),  # the third call takes it
        ("shared:2", ("late",), ("shared:2",)),
        ("sum", ("shared:2",), ("sum",)),
    ]
    assert found.layers[1].metadata == (("layer", "shared"),)
    assert [(each.name, each.text) for each in found.layers[3].attributes] == [
        ("training", "false")
    ]


def call(layer_name: str, number: int, output: int = 0) -> dict[str, Any]:
    history = [layer_name, number, output]
    config = {"keras_history": history, "shape": [None, 8], "dtype": "float16"}
    return {"class_name": "__keras_tensor__", "config": config}


def of(layer_name: str, number: int) -> Any:
    return [{"args": [call(layer_name, number)], "kwargs": {}}]


def test_values_have_the_types_that_their_uses_declare():
    split = layer("Split", "b", of("a", 0))
    both = layer("Add", "c", [{"args": [[call("b", 0, 1), call("b", 0)]]}])
    found = opened(IMAGE, layer("Dense", "a"), split, both)
    types = {value.name: (value.dtype, value.shape) for value in found.values}
    assert types == dict.fromkeys(("a", "b.1", "b"), ("float16", ("batch", 8)))
    assert found.layers[2].inputs == ("b.1", "b")


def test_arguments_by_name_are_inputs_in_keras_2_and_3():
    two = [[["image", 0, 0, {"mask": ["a", 0, 0], "training": True}]]]
    three = [{"args": [tensor("image")], "kwargs": {"mask": tensor("a")}}]
    for inbound in (two, three):
        found = opened(IMAGE, layer("Dense", "a"), layer("LSTM", "b", inbound))
        assert found.layers[1].inputs == ("image", "a")


def test_a_call_that_keras_2_counts_for_an_inner_model_is_none():
    inner = layer("Functional", "block", [[["image", 0, 0, {}]]], layers=[IMAGE])
    found = opened(IMAGE, inner, layer("Dense", "last", [[["block", 1, 0, {}]]]))
    assert found.layers[-1].inputs == ("block",)


def test_a_layer_that_feeds_itself_is_shown_as_the_file_has_it():
    found = opened(IMAGE, layer("Dense", "a", of("b", 0)), layer("Dense", "b", of("a", 0)))
    assert [(each.name, each.inputs) for each in found.layers] == [("a", ("b",)), ("b", ("a",))]


@pytest.mark.parametrize(
    "outputs",
    [
        [["a", 0, 0], ["b", 0, 0]],
        {"x": ["a", 0, 0], "y": ["b", 0, 0]},
        [call("a", 0), call("b", 0)],
    ],
)
def test_outputs_are_those_that_the_model_names(outputs):
    layers = [IMAGE, layer("Dense", "a"), layer("Dense", "b"), layer("Dense", "unused")]
    found = model({"layers": layers, "output_layers": outputs})
    assert [info.name for info in found.outputs] == ["a", "b"]


def model(config: dict[str, Any], kind: str = "Functional", **more: Any) -> Model:
    plain = {"class_name": kind, "config": config, **more}
    body = b"\x89HDF\r\n\x1a\n" + json.dumps(plain).encode() + bytes(9)
    return open_bytes(body, "net.h5")


def test_a_subclassed_model_says_that_its_layers_are_in_its_code():
    found = model({"width": 4}, "Net", module="own", registered_name="own>Net")
    assert (found.layers, found.inputs, found.outputs) == ((), (), ())
    assert found.findings[0].subject == "Net"
    assert found.findings[0].text.startswith("this is a subclassed model: its layers are in")
    facts = dict(found.details.facts)
    assert facts["Class"] == "own>Net"
    assert facts["Configuration"] == "width 4"


def test_layers_of_a_class_of_its_own_are_shown_with_a_caveat():
    found = model({"layers": [IMAGE, layer("Dense", "a"), layer("Dense", "b")]}, "Net")
    assert [each.inputs for each in found.layers] == [("image",), ("a",)]
    assert found.findings[0].text.startswith("this is a class of its own")
    connected = model({"layers": [IMAGE, layer("Dense", "a", of("image", 0))]}, "Net")
    assert [each.subject for each in connected.findings] == [""]


def test_a_type_that_quantizes_says_so():
    own = {"mode": "int8", "source_name": "float32"}
    policy = {"class_name": "QuantizedDTypePolicy", "config": own}
    assert attributes(dtype=policy)["dtype"] == ("str", "int8 from float32")


def test_layers_of_an_inner_model_are_its_parts_and_run_once():
    inner = [layer("InputLayer", "in", batch_shape=[None, 8]), layer("Dense", "inside")]
    block = layer("Functional", "block", [[["image", 0, 0, {}]]], layers=inner)
    found = opened(IMAGE, block)
    assert [each.is_part for each in found.layers] == [False, True]
    assert model_cost.nesting(found.layers, Body(), {}).trips(0) == 1
    page = model_page(found, facts(found), identify(found))
    assert "1 inside composite layers" in text(page)
