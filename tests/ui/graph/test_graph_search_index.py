"""Layers found by their words."""

from pathlib import Path

from inspector.formats.opening import open_model
from inspector.model.model import Layer
from inspector.platform.files import sample
from inspector.ui.graph.search import Index, types_of

LAYERS = (
    Layer(0, "stem/conv", "Conv", "", ("x", "kernel"), ("a",)),
    Layer(1, "stem/relu", "Relu", "", ("a",), ("b",)),
    Layer(2, "head/conv", "Conv", "com.own", ("b", "kernel"), ("c",)),
    Layer(3, "", "Cast", "", ("c",), ("y",)),
)
TYPES = {"a": "float16", "b": "float16", "c": "float16", "y": "float32"}


def test_a_layer_is_found_by_name_operator_domain_and_values() -> None:
    index = Index(LAYERS, {})
    assert index.find("STEM") == (0, 1)
    assert index.find("conv") == (0, 2)
    assert index.find("com.own") == (2,)
    assert index.find("kernel") == (0, 2)


def test_a_layer_is_found_by_the_type_of_what_it_makes() -> None:
    assert Index(LAYERS, TYPES).find("float16") == (0, 1, 2)
    assert Index(LAYERS, TYPES).find("float32") == (3,)
    assert Index(LAYERS, {}).find("float16") == ()


def test_a_layer_has_to_hold_all_words_in_any_order() -> None:
    index = Index(LAYERS, TYPES)
    assert index.find("float16 conv head") == (2,)
    assert index.find("conv float32") == ()
    assert index.find("  ") == ()


def test_no_word_reaches_from_one_layer_into_the_next() -> None:
    layers = (Layer(0, "n", "Add", "", (), ("left",)), Layer(1, "right", "Add", "", (), ("z",)))
    assert Index(layers, {}).find("left\0right") == ()
    assert Index(layers, {}).find("leftright") == ()
    assert Index((), {}).find("a") == ()


def test_all_answers_are_those_of_looking_at_each_layer_alone() -> None:
    layers = open_model(sample_of("digits_int8_qdq.onnx")).layers
    index = Index(layers, {})
    for word in ("conv", "quantize", "block1", "_output", "e", "weight"):
        slow = [
            layer.index
            for layer in layers
            if any(
                word in text.lower()
                for text in (
                    layer.label,
                    layer.operator,
                    layer.domain,
                    *layer.inputs,
                    *layer.outputs,
                )
            )
        ]
        assert index.find(word) == tuple(slow), word


def test_types_are_known_as_far_as_the_file_declares_them() -> None:
    model = open_model(sample_of("digits_float16.onnx"))
    types = types_of(model, None)
    assert types[model.inputs[0].name] == model.inputs[0].dtype


def sample_of(name: str) -> Path:
    path = sample(name)
    assert path is not None
    return path
