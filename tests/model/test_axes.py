"""Sizes that are expressions: parsed, evaluated and solved, against what Python computes."""

import random

import pytest

from inspector import units
from inspector.analysis.facts.symbolic_sizes import evaluated, number, product, symbol, symbols
from inspector.errors import BadInput
from inspector.model.axes import expression, free_axes, known_length, of_symbols
from inspector.model.model import TensorInfo
from inspector.preview.inputs.input_shapes import check_dimensions, lengths_in, shape_of
from tests.formats.build import ramp

# As PyTorch, Optimum and symbolic shape inference write them, and the same in Python.
WRITTEN = {
    "2*s31": "2*s31",
    "s31 + s8": "s31 + s8",
    "past_length + sequence_length": "past_length + sequence_length",
    "s0**2 - 3*s0 + 7": "s0**2 - 3*s0 + 7",
    "((s77 - 1)//2) + 1": "((s77 - 1)//2) + 1",
    "FloorDiv(s0 + 3, 2)": "(s0 + 3)//2",
    "Max(1, s0 - 40)": "max(1, s0 - 40)",
    "Min(s0, 2*s8)": "min(s0, 2*s8)",
    "Mod(s0, 7)": "s0 % 7",
    "CeilDiv(s0, 4)": "-(-s0//4)",
    "floor(height/8 - 1/2) + 1": "(2*height - 8)//16 + 1",
    "4*FloorDiv(s0, 2)*s8": "4*(s0//2)*s8",
    "TruncToInt(FloatTrueDiv(s0, 3))": "s0//3",
}


@pytest.mark.parametrize("text", WRITTEN)
def test_expressions_have_the_value_that_python_computes(text):
    parsed = expression(text)
    assert parsed is not None
    generator = random.Random(text)
    for _ in range(20):
        lengths = {name: generator.randrange(8, 90) for name in parsed.symbols}
        value = eval(WRITTEN[text], {"max": max, "min": min}, lengths)
        assert known_length(text, lengths) == value
        assert number(symbol(text), lengths) == value
        assert evaluated(symbol(text), lengths) == value
        assert number(product((text, 3, "n", text)) or 0, lengths | {"n": 5}) == 15 * value**2
    assert set() < {*symbols(symbol(text))} <= {*parsed.symbols}


@pytest.mark.parametrize(
    "name",
    ["batch", "batch-size", "2", "unk__61", "a/b:0_dim_1", "input[1]", "x (y)", "f(n)", "a +",
     "é", "((((", "9**9**9*n" * 60, "lambda: 0", "[1, 2]*n", "n if n else m*2",
     "n.__class__()*2"],
)  # fmt: skip
def test_plain_names_and_nonsense_are_names(name):
    assert expression(name) is None
    assert known_length(name, {name: 3}) == 3
    assert known_length(name, {}) is None


def test_values_that_are_no_sizes_stay_open():
    assert known_length("s0 - 5", {"s0": 3}) is None
    assert known_length("s0 / 2", {"s0": 3}) is None
    assert known_length("8 // s0", {"s0": 0}) is None
    assert known_length("s0**9**9", {"s0": 3}) is None
    assert known_length("2*s0", {"s1": 3}) is None
    assert number(symbol("8 // s0"), {"s0": 0}) == 1


def test_only_symbols_are_free_and_arrays_decide_them():
    x = TensorInfo("x", "tensor", "float32", ("b", "2*s0", None))
    mask = TensorInfo("mask", "tensor", "int64", ("b", "past + s0"))
    assert free_axes((x, mask)) == ("b", "s0", "x[2]", "past")
    assert shape_of(x, {"b": 3, "s0": 4}) == (3, 8, 1)
    assert shape_of(mask, {"b": 3, "s0": 4, "past": 2}) == (3, 6)
    assert lengths_in(x, ramp(24).reshape(2, 6, 2)) == {"s0": 3, "b": 2, "x[2]": 2}
    assert of_symbols({"2*s0": 7, "past + s0": 4, "n": 1}) == {"n": 1}
    with pytest.raises(BadInput, match="it follows from past and s0") as refusal:
        check_dimensions((x, mask), {"past + s0": 4})
    assert refusal.value.hint == "Use --dim past=SIZE."


def test_shapes_bracket_expressions_and_quote_names_like_numbers():
    assert (
        units.shape(("2", 3, "2*s31", "batch", None, "seq-len"))
        == '"2"×3×(2*s31)×batch×?×seq-len'
    )
    assert units.shape(("a/b:0", "s0 - 1", "?", "1x2")) == 'a/b:0×(s0 - 1)×"?"×1x2'
