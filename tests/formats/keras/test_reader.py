"""Configurations of Keras 2 and 3 as JSON in an HDF5 file, which is where Keras 2 has them."""

import json
from typing import Any

import pytest

from inspector.formats.opening import open_bytes
from inspector.model.model import Model


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
def test_settings_of_a_layer_are_told_in_short(value: object, text: str) -> None:
    assert attributes(given=value)["given"][1] == text


def test_settings_that_are_not_set_and_the_name_are_left_out() -> None:
    assert attributes(units=10, activation=None) == {"units": ("int", "10")}


@pytest.mark.parametrize(
    ("inbound", "taken"),
    [
        ([[["image", 0, 0, {}], ["first", 0, 0, {}]]], ("image", "first")),  # Keras 2
        ([{"args": [[tensor("first"), tensor("image")]]}], ("first", "image")),  # Keras 3
        ([{"args": [tensor("image"), tensor("image")]}], ("image",)),
        ([], ("first",)),  # what comes before
    ],
)
def test_a_layer_takes_what_its_inbound_nodes_name(
    inbound: Any, taken: tuple[str, ...]
) -> None:
    found = opened(IMAGE, layer("Dense", "first"), layer("Add", "sum", inbound))
    assert [each.inputs for each in found.layers] == [("image",), taken]
    assert [each.outputs for each in found.layers] == [("first",), ("sum",)]


def test_an_input_has_its_type_and_a_free_batch_axis() -> None:
    def of(**config: Any) -> tuple[object, object]:
        (info,) = opened(layer("InputLayer", "x", **config), layer("Dense", "d")).inputs
        return info.dtype, info.shape

    assert of(batch_input_shape=[None, 8, None], dtype="float16") == (
        "float16", ("batch", 8, None),
    )  # fmt: skip
    assert of(batch_shape=[2, 8], dtype={"class_name": "DTypePolicy"}) == ("float32", (2, 8))
    assert of(batch_shape=[None, -1, 0, "wide"]) == ("float32", ("batch", None, 0, None))
    assert of() == ("float32", None)


def test_a_sequence_without_an_input_layer_gets_one() -> None:
    found = opened(layer("Dense", "a", batch_input_shape=[None, 4]), layer("Dense", "b"))
    assert [(each.name, each.shape) for each in found.inputs] == [("input", ("batch", 4))]
    assert [each.inputs for each in found.layers] == [("input",), ("a",)]


def test_layers_of_a_model_inside_lie_below_it() -> None:
    inner = layer("InputLayer", "in"), layer("Dense", "inside")
    outer = layer("Functional", "block", [[["image", 0, 0, {}]]], layers=[*inner])
    found = opened(IMAGE, outer, layer("Dense", "last"))
    told = [(each.name, each.parent, each.branch, each.inputs) for each in found.layers]
    assert told == [
        ("block", None, "", ("image",)),
        ("inside", 0, "model", ("in",)),
        ("last", None, "", ("block",)),
    ]
    assert [info.name for info in found.inputs] == ["image"]
