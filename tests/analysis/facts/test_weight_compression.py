"""How weights are stored: linear, palettized, sparse, and patterns that a file does not use."""

import numpy as np
import pytest

from inspector.analysis.facts.weight_compression import (
    EACH_RUN,
    ONCE,
    group_text,
    grouped,
    weight_forms,
)
from inspector.model.model import Model, WeightInfo
from inspector.model.tensors.tensor_statistics import statistics
from inspector.model.tensors.value_patterns import PatternReader, ValuePattern, structure_of
from tests.analysis.build import layers, model, weight

KB = 1000


def quantized() -> Model:
    """A linear weight with 8 bits per channel, indices into a table, and a sparse weight."""
    nodes = layers(
        ("DequantizeLinear", "w s z", "f"), ("Conv", "x f", "a"), ("Cast", "i", "j"),
        ("Gather", "t j", "g"), ("MatMul", "a g", "b"), ("MatMul", "b p", "y"),
    )  # fmt: skip
    return model(
        nodes,
        weights=(
            weight("w", "int8", 4 * KB, 4 * KB),
            weight("s", "float32", 8, 32),
            weight("z", "int8", 8, 8),
            weight("i", "uint4", 2 * KB, KB),
            weight("t", "float32", 16, 64),
            weight("p", "float32", 10 * KB, 9 * KB, origin="sparse initializer", stored=KB),
        ),
    )


def test_each_weight_has_its_form_its_saving_and_its_parameters():
    forms = {quantized().weights[form.weight].name: form for form in weight_forms(quantized())}
    assert forms["w"].text == "linear 8-bit per channel"
    assert (forms["w"].stored_bytes, forms["w"].expanded_bytes) == (4 * KB + 40, 16 * KB)
    assert forms["w"].saving_text == "74.8% smaller"
    assert (forms["i"].kind, forms["i"].bits) == ("lookup table", 4)
    assert (forms["i"].stored_bytes, forms["i"].expanded_bytes) == (KB + 64, 8 * KB)
    assert forms["p"].kind == "sparse"
    assert not forms["s"].kind
    assert not forms["t"].kind


@pytest.mark.parametrize(
    ("reader", "text"),
    [
        ("QLinearConv", "used as stored by QLinearConv"),
        ("DequantizeLinear", EACH_RUN),
        ("", ONCE),
    ],
)
def test_the_optimized_graph_tells_what_becomes_of_a_weight(reader, text):
    kept = quantized().weights[:1] if reader else ()
    optimized = model(layers((reader or "Conv", "x w" if reader else "x", "y")), weights=kept)
    forms = weight_forms(quantized(), optimized=optimized)
    assert forms[0].when_loaded == text
    assert forms[5].when_loaded == ONCE, "sparse initializers become dense"


def test_forms_are_summed_up_in_groups():
    first, *_ = grouped(weight_forms(quantized()))
    assert group_text(first) == "1 tensor sparse, 8.79 KiB instead of 39.1 KiB"


def test_plain_values_that_repeat_or_are_zero_could_be_smaller():
    plain = model(weights=(weight("w", "float32", 4096, 16_384),))

    def form(pattern: ValuePattern) -> tuple[str, str]:
        (found,) = weight_forms(plain, {0: pattern})
        assert found.is_stored_so == (not found.kind)
        return found.text, found.saving_text

    assert form(ValuePattern(4096, 0, 16)) == (
        "lookup table of 16 values, 4-bit", "could be 87.1% smaller",
    )  # fmt: skip
    assert form(ValuePattern(4096, 2048, None)) == (
        "sparse, 50% zeros", "could be 46.9% smaller",
    )  # fmt: skip
    assert form(ValuePattern(4096, 2048, None, "2:4", 1))[0] == "2:4 sparse, 50% zeros"
    assert form(ValuePattern(4096, 10, None)) == ("plain", "")


def test_structure_is_found_in_values():
    random = np.random.default_rng(0)
    dense = random.normal(size=(16, 32))
    two_of_four = dense.copy()
    two_of_four.reshape(-1, 4)[:, :2] = 0
    assert structure_of(two_of_four) == ("2:4", 1)
    assert structure_of(two_of_four.T.copy()) == ("2:4", 0)
    kernels = random.normal(size=(8, 4, 3, 3))
    kernels.reshape(8, -1, 4)[:, :, 1:3] = 0
    assert structure_of(kernels) == ("2:4", 1)
    channels = dense.copy()
    channels[[3, 7]] = 0
    assert structure_of(channels) == ("channels", 0)
    anywhere = np.where(random.random((16, 32)) < 0.6, 0, dense)
    assert structure_of(anywhere) == ("", None)
    assert structure_of(dense) == ("", None)


def test_pieces_of_a_tensor_are_passed_on_and_put_together():
    values = np.ones((8, 8), np.float32)
    values.reshape(-1, 4)[:, 2:] = 0
    reader = PatternReader(values.shape)
    found = statistics(reader.passed_on(iter((values.ravel()[:40], values.ravel()[40:]))))
    pattern = reader.pattern(found)
    assert (pattern.zeros, pattern.distinct, pattern.structure) == (32, 2, "2:4")
    small = PatternReader(values.shape, limit_bytes=10)
    found = statistics(small.passed_on(iter((values.ravel(),))))
    assert small.pattern(found) == ValuePattern(64, 32, 2)


def test_a_weight_of_a_layer_that_is_unknown_stays_plain():
    info = WeightInfo("w", "int8", (64,), 64, None)
    (form,) = weight_forms(model(layers(("Own", "x w", "y")), weights=(info,)))
    assert form.text == "plain"
