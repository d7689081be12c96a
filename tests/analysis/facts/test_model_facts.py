import pytest

from inspector.analysis.facts.model_facts import compute_types, precision
from tests.analysis.build import layers, model, value, weight


def test_storage_is_bytes_by_type_largest_first():
    weights = (
        weight("a", "float16", 10, 20),
        weight("b", "float32", 100, 400),
        weight("c", "float16", 5, 10, origin="constant", layer=0),
    )
    assert precision(model(weights=weights)).storage == (("float32", 400), ("float16", 30))


def test_bytes_out_of_reach_count_as_their_type_and_shape_take():
    weights = (weight("a", "int4", 11, None), weight("s", "string", 3, None))
    assert precision(model(weights=weights)).storage == (("int4", 6), ("string", 0))


def test_types_go_from_layer_to_layer():
    nodes = layers(
        ("Conv", "x w", "a"),
        ("Relu", "a", "b"),
        ("Shape", "b", "s"),
        ("Gather", "s i", "g"),
        ("Split", "b", "p q"),
        ("Greater", "p q", "c"),
        ("Where", "c p q", "y"),
    )
    found = model(nodes, inputs=(value("x", "float16"),))
    assert compute_types(found) == (
        "float16", "float16", "float16", "int64", "float16", "float16", "float16",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("operator", "inputs", "outputs"),
    [
        ("TopK", "x k", "float32 int64"),
        ("MaxPool", "x", "float32 int64"),
        ("Dropout", "x", "float32 bool"),
        ("LSTM", "x w r", "float32 float32 float32"),
        ("DynamicQuantizeLinear", "x", "uint8 float32 uint8"),
        ("QuantizeLinear", "x s", "uint8"),
        ("QuantizeLinear", "x s z", "int8"),
        ("DequantizeLinear", "z s", "float32"),
        ("ConvInteger", "z z", "int32"),
        ("ArgMax", "x", "int64"),
        ("IsNaN", "x", "bool"),
        ("OneHot", "k k x", "float32"),
        ("CastLike", "k x", "float32"),
        ("ConstantOfShape", "k", "float32"),
        ("com.microsoft.FusedConv", "x w", "float32"),
        ("own.Thing", "x", "unknown"),
        ("If", "c", "unknown"),
        ("SequenceAt", "x", "unknown"),
    ],
)
def test_what_a_layer_makes_follows_from_its_operator(operator, inputs, outputs):
    names = outputs.split()
    made = " ".join(f"o{place}" for place in range(len(names)))
    after = [("Identity", f"o{place}", f"p{place}") for place in range(len(names))]
    weights = (
        weight("k", "int64", 1, 8),
        weight("z", "int8", 1, 1),
        weight("w", "float32", 1, 4),
        weight("s", "float32", 1, 4),
    )
    found = model(layers((operator, inputs, made), *after), weights=weights)
    assert compute_types(found)[1:] == tuple(names)


def test_a_cast_makes_the_type_it_names():
    nodes = layers(("Cast", "x", "a"), ("Relu", "a", "y"), to="float16")
    assert compute_types(model(nodes)) == ("float32", "float16")


def test_a_constant_has_the_type_of_its_value():
    nodes = layers(("Constant", "", "k"), ("Relu", "k", "y"))
    known = (weight("k", "bfloat16", 1, 2, origin="constant", layer=0),)
    assert compute_types(model(nodes, weights=known)) == ("bfloat16", "bfloat16")
    of_numbers = layers(("Constant", "", "k"), ("Relu", "k", "y"), value_ints="1, 2")
    assert compute_types(model(of_numbers)) == ("int64", "int64")


def test_what_the_file_declares_comes_first():
    nodes = layers(("own.Thing", "x", "t"), ("Relu", "t", "y"))
    assert compute_types(model(nodes, values=(value("t", "int8"),))) == ("float32", "int8")


def test_layers_are_counted_by_type():
    nodes = layers(("Relu", "x", "a"), ("own.Thing", "?", "b"), ("Abs", "a", "y"))
    found = precision(model(nodes))
    assert found.compute == (("float32", 2), ("unknown", 1))
    assert found.layers == ("float32", "unknown", "float32")
