"""Which of several models are compared, and which is the original."""

from pathlib import Path

import pytest

from inspector.comparison.pairing import Candidate, original_first, partner
from inspector.formats.opening import open_model

SAMPLES = Path(__file__).parent.parent.parent / "sample_models"


def candidate(stem: str, name: str = "", changed_ns: int = 0) -> Candidate:
    return Candidate(name or stem, open_model(SAMPLES / f"{stem}.onnx"), changed_ns)


def test_a_model_with_the_same_inputs_and_outputs_is_compared():
    names = ("wine_tabular", "clothes_float32", "language_bert", "digits_int8_qdq")
    every = [candidate("digits_float32"), *map(candidate, names)]
    assert every[partner(0, every)].name == "digits_int8_qdq"


@pytest.mark.parametrize(
    ("one", "two", "first"),
    [
        (("digits_int8_qdq", ""), ("digits_float32", ""), 1),
        (("digits_float32", "net.onnx"), ("digits_float32", "net_optimized.onnx"), 0),
        (("digits_float32", "net_v2.onnx"), ("digits_float32", "net.onnx"), 1),
        (("digits_float16", "b.onnx"), ("digits_float32", "a.onnx"), 1),  # smaller types
    ],
)
def test_the_original_is_a(one, two, first):
    assert original_first(0, 1, [candidate(*one), candidate(*two)])[0] == first


def test_the_older_file_is_a_where_nothing_else_tells():
    pair = [candidate("digits_float32", "b", 5), candidate("digits_float32", "a", 3)]
    assert original_first(0, 1, pair) == (1, 0)
    assert original_first(0, 1, pair[::-1]) == (0, 1)
