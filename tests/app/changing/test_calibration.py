"""Calibration: inputs that fail are left out and named, tensors without values are no fault."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper

from inspector.app.changing import conversion
from inspector.app.changing.calibration import NamedInput, UnusableInputs, named
from inspector.conversion.action import parse_step
from inspector.conversion.registry import ACTIONS
from inspector.errors import BadInput, UnreadableFile
from tests import models
from tests.conversion.conversions import both_outputs

pytestmark = pytest.mark.engine
STEP = parse_step("int8", ACTIONS)
RANDOM = np.random.default_rng(0)


def with_memory(path: Path) -> Path:
    """A model with a part that has no values while its input is short, as an empty memory."""
    weights = {"start": [8], "end": [2**31], "axis": [1]}
    weights["w"] = RANDOM.standard_normal((16, 16)).astype(np.float32)
    nodes = [
        helper.make_node("Slice", ["x", "start", "end", "axis"], ["late"], "memory"),
        helper.make_node("MatMul", ["late", "w"], ["m"], "on_memory"),
        helper.make_node("Relu", ["m"], ["mr"], "relu"),
        helper.make_node("MatMul", ["x", "w"], ["all"], "on_all"),
        helper.make_node("Concat", ["all", "mr"], ["y"], "join", axis=1),
    ]
    ends = [models.value("x", [1, "t", 16])], [models.value("y", [1, None, 16])]
    return models.save(path, nodes, *ends, weights)


@pytest.mark.parametrize("method", ["minmax", "percentile"])
def test_an_empty_tensor_does_not_drop_the_whole_input(method, tmp_path, engine):
    path = with_memory(tmp_path / "net.onnx")
    loud = RANDOM.standard_normal((1, 4, 16)).astype(np.float32) * 50
    quiet = RANDOM.standard_normal((1, 12, 16)).astype(np.float32) * 0.5
    step = parse_step(f"int8:method={method}", ACTIONS)
    made = conversion.convert(engine, path, [step], tmp_path, [{"x": loud}, {"x": quiet}])
    assert made.calibrated == 2
    assert not any("could not be used" in note for note in made.notes)
    before, after = both_outputs(engine, made, {"x": loud})
    reference, result = before[0].array, after[0].array
    # With the range of `quiet` alone, nearly all would be cut off.
    assert np.abs(result - reference).max() < 0.1 * np.abs(reference).max()


def test_inputs_that_fail_are_named_with_the_reason(tmp_path, engine):
    path = with_memory(tmp_path / "net.onnx")
    good = {"x": RANDOM.standard_normal((1, 12, 16)).astype(np.float32)}

    def unreadable() -> dict[str, np.ndarray]:
        raise UnreadableFile("Could not read d.npy", "the file is cut off")

    holes = {"x": np.where(good["x"] > 2, np.nan, good["x"])}
    inputs = [
        NamedInput("a.npy", lambda: good),
        NamedInput("b.npy", lambda: {"x": np.zeros((1, 12, 9), np.float32)}),
        NamedInput("c.npy", lambda: holes),
        NamedInput("d.npy", unreadable),
    ]
    made = conversion.convert(engine, path, [STEP], tmp_path, inputs)
    assert made.calibrated == 1
    (note,) = [note for note in made.notes if "could not be used" in note]
    assert note.startswith("3 of 4 calibration inputs could not be used: b.npy: ")
    assert "c.npy: " in note
    assert "of input 'x' are NaN" in note
    assert note.endswith("d.npy: the file is cut off.")
    with pytest.raises(BadInput, match=r"3 of 3 calibration inputs could not be used"):
        conversion.convert(engine, path, [STEP], tmp_path, inputs[1:])


def test_a_note_names_a_few_inputs_and_counts_the_others():
    unusable = UnusableInputs({f"{n}.npy": "too short" for n in range(9)})
    text = unusable.note(12, "test input")
    assert text.startswith("9 of 12 test inputs could not be used: 0.npy: too short; ")
    assert text.endswith("2.npy: too short; and 6 more")
    assert UnusableInputs().note(12, "test input") == ""
    assert [each.name for each in named([{}, {}])] == ["input 1", "input 2"]


def test_made_up_inputs_are_random_only_where_usual_ones_are(tmp_path, engine):
    path = with_memory(tmp_path / "net.onnx")
    made = conversion.convert(
        engine, path, [parse_step("int8:calibration=random", ACTIONS)], tmp_path
    )
    assert (made.calibrated, made.made_up) == (8, True)
    entries = {entry.key: entry.value for entry in onnx.load(made.path).metadata_props}
    assert '["calibration","random"]' in entries["inspector.recipe"]
