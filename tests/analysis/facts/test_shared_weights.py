"""Weights that share bytes are counted once; inputs with defaults are told and used."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from onnx import helper

from inspector.analysis.cost.model_cost import cost
from inspector.analysis.facts.model_facts import facts, optional_inputs, shared_weights
from inspector.analysis.facts.shapes import declared
from inspector.comparison.model_diff import diff
from inspector.formats.onnx.weight_values import WeightReader
from inspector.formats.opening import open_model
from inspector.model.model import Function, Model, Place, WeightInfo
from tests.analysis.build import layers, model
from tests.command_line import json_of, output_of
from tests.formats.build import external, save, value
from tests.formats.build import model as onnx_model
from tests.formats.build import weight as stored


def _tied(folder: Path, second_offset: int) -> Model:
    """Return a model with two matrices of 4 KiB in a file beside it."""
    (folder / "w.bin").write_bytes(np.ones(2048, np.float32).tobytes())
    weights = [
        external("embed", [32, 32], location="w.bin", offset="0", length="4096"),
        external("head", [32, 32], location="w.bin", offset=str(second_offset), length="4096"),
    ]
    nodes = [
        helper.make_node("MatMul", ["x", "embed"], ["h"]),
        helper.make_node("MatMul", ["h", "head"], ["y"]),
    ]
    proto = onnx_model(nodes, weights, inputs=[value("x", [1, 32])])
    return open_model(save(proto, folder / "m.onnx"))


@pytest.mark.parametrize(
    ("offset", "parameters", "text"),
    [
        (0, 1024, "2 weights share 4.00 KiB"),
        (1024, 1280, "2 weights share 3.00 KiB"),
        (4092, 2047, "2 weights share 4 B"),
        (4096, 2048, ""),
    ],
)
def test_tied_external_weights_are_counted_once(tmp_path, offset, parameters, text):
    tied = _tied(tmp_path, offset)
    assert tied.parameters == parameters
    assert facts(tied).weights_bytes == 4 * parameters
    assert facts(tied).precision.storage == (("float32", 4 * parameters),)
    assert cost(tied, declared(tied)).weights_bytes == 4 * parameters
    assert shared_weights(tied) == text


def test_of_parts_at_one_place_the_largest_counts():
    places = (Place("w", 0, 64), Place("w", 0, 16), Place("w", 64, 16), None)
    weights = tuple(
        WeightInfo(f"w{n}", "float32", (place.length // 4 if place else 8,), 0, place)
        for n, place in enumerate(places)
    )
    assert [w.name for w in model((), weights=weights).distinct_weights] == ["w0", "w2", "w3"]


def test_bytes_of_random_places_are_counted_once():
    chance = np.random.default_rng(5)
    for _ in range(50):
        places = [
            Place(chance.choice(["a", "b"]).item(), *chance.integers(0, 40, 2).tolist())
            for _ in range(chance.integers(1, 12))
        ]
        weights = tuple(
            WeightInfo(f"w{n}", "uint8", (place.length,), place.length, place)
            for n, place in enumerate(places)
        )
        bytes_of = [
            {(p.file, at) for at in range(p.offset, p.offset + p.length)} for p in places
        ]
        times = Counter(byte for each in bytes_of for byte in each)
        made = model((), weights=weights)
        assert made.parameters == len(times)
        assert sum(w.size_bytes or 0 for w in made.distinct_weights) == len(times)
        sharing = sum(any(times[byte] > 1 for byte in each) for each in bytes_of)
        assert made.shared_weights == (sharing, sum(n > 1 for n in times.values()))


def test_weights_of_a_function_are_not_called_unused():
    body = layers(("Add", "a w", "b"))
    place = Place("w", 0, 64)
    own = WeightInfo("w", "float32", (16,), 64, place)
    other = own._replace(name="f/w", place=place._replace(offset=64))
    function = Function("f", "", "", ("a",), ("b",), body)
    nodes = layers(("Add", "x w", "y"))
    one = model(nodes, weights=(own, other), functions=(function,))
    titles = [group.title for group in diff(one, model(nodes, weights=(own,))).groups]
    assert "1 function weight" in titles
    assert not any("unused" in title for title in titles)


def _adapted(folder: Path, every_weight: bool) -> Path:
    """Save a network with a low-rank adapter whose matrices are inputs with defaults."""
    names = [("A", [4, "r"], (4, 2)), ("B", ["r", 4], (2, 4))]
    weights = [stored(name, np.ones(shape, np.float32)) for name, _, shape in names]
    weights.append(stored("W", np.ones((4, 4), np.float32)))
    inputs = [value("x", [1, 4]), *(value(name, axes) for name, axes, _ in names)]
    if every_weight:  # as files of IR version 3 had to
        shapes = [list(shape) for _, _, shape in names]
        inputs = [
            value(n, s)
            for n, s in zip(("x", "A", "B", "W"), ([1, 4], *shapes, [4, 4]), strict=True)
        ]
    nodes = [
        helper.make_node("MatMul", ["x", "W"], ["b"]),
        helper.make_node("MatMul", ["x", "A"], ["a1"]),
        helper.make_node("MatMul", ["a1", "B"], ["a2"]),
        helper.make_node("Add", ["b", "a2"], ["y"]),
    ]
    return save(onnx_model(nodes, weights, inputs=inputs), folder / "m.onnx")


def test_inputs_with_defaults_are_those_that_a_caller_may_give(tmp_path):
    adapted = open_model(_adapted(tmp_path, every_weight=False))
    assert [each.name for each in optional_inputs(adapted)] == ["A", "B"]
    assert optional_inputs(open_model(_adapted(tmp_path, every_weight=True))) == ()


@pytest.mark.engine
def test_the_cost_takes_the_sizes_of_the_defaults(tmp_path):

    path = str(_adapted(tmp_path, every_weight=False))
    for options, rank in (([], 2), (["--dim", "r=3"], 3)):
        found = json_of("info", path, *options)
        assert found["cost"]["macs"] == 16 + 8 * rank
    text = output_of("info", path, "--no-shapes")
    optional = text.partition("Inputs with defaults")[2].partition("\n\n")[0]
    assert ["A", "float32", "4×r", "4×2"] in [line.split() for line in optional.splitlines()]


def test_values_of_tied_weights_are_read_for_both(tmp_path):
    tied = _tied(tmp_path, 0)
    with WeightReader(tmp_path / "m.onnx") as reader:
        assert all(next(reader.read(each)).sum() == 1024 for each in tied.weights)
