"""What a search says of accuracy: with real engines, on models that show one thing each."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import parser

from inspector.app.changing import data_sets, improvement, search
from inspector.app.changing.improvement import Workbench
from inspector.app.changing.search import Goal
from inspector.conversion.action import parse_step
from inspector.conversion.registry import ACTIONS
from inspector.errors import BadInput, UnreadableFile
from inspector.formats.opening import open_model
from inspector.report.improvement import OVER, SIZE, UNDECIDED, Improvement, verdict_text
from inspector.report.output_verdict import DESTROYED, UndecidedReason

pytestmark = pytest.mark.engine
_HEAD = """<ir_version: 8, opset_import: ["" : 17]>
net (float[1, 4] x) => (float[1, n] y) """
# Four classes, each the index of the largest input.
CLASSES = _HEAD + "<float k = {9}> { a = Mul (x, k) y = Softmax (a) }"
# Frame numbers in samples: beyond 65,504 from the 410th on.
FRAMES = (
    _HEAD + "<float hop = {160}, float rate = {16000}> { a = Mul (x, hop) y = Div (a, rate) }"
)
# Random layers of a model that was exported in training mode.
RANDOM = _HEAD + "<float k = {2}> { n = RandomNormalLike (x) a = Mul (x, k) y = Add (a, n) }"


def inputs_of(
    scale: float = 1.0, count: int = 32, truth: Any = None
) -> list[data_sets.TestInput]:
    random = np.random.default_rng(3)
    values = [(random.random((1, 4)) * scale).astype(np.float32) for _ in range(count)]

    def one(number: int, x: Any) -> data_sets.TestInput:
        return data_sets.TestInput(f"{number}.npy", lambda: {"x": x}, truth(x) if truth else "")

    return [one(number, x) for number, x in enumerate(values)]


def searched(
    text: str,
    tests: list[data_sets.TestInput],
    folder: Path,
    *recipes: str,
    ranks: bool = False,
) -> Improvement:
    path, made = folder / "m.onnx", folder / "made"
    made.mkdir()
    onnx.save(parser.parse_model(text), path)
    goal = Goal(SIZE)
    with Workbench(path, open_model(path), tests, (), starts=0, folder=made) as bench:
        state = search.start(bench, goal, None, None)
        steps = [tuple(parse_step(step, ACTIONS) for step in r.split()) for r in recipes]
        return [state, *search.search(bench, state, goal, steps, made, ranks)][-1]


def largest(x: Any) -> str:
    return str(int(x.argmax()))


def test_numbers_of_classes_are_labels_where_classes_have_no_names(tmp_path):
    state = searched(CLASSES, inputs_of(truth=largest), tmp_path, "float16")
    (accuracy,) = state.original.accuracy[:1]
    assert (accuracy.id, accuracy.value) == ("top1", 1.0)
    assert state.candidates[0].measure("top1") is not None


@pytest.mark.parametrize(
    ("truth", "why"),
    [
        (lambda x: f"{largest(x)}x", "4 labels are no classes of the model, such as '"),
        (
            lambda x: largest(x).replace("3", "9"),
            "1 label is no class of the model, such as '9'",
        ),
        (
            lambda x: str((int(largest(x)) + 1) % 4),
            "accuracy of the original is 0.00% on 32 in",
        ),
    ],
)
def test_labels_that_fit_nothing_end_the_search_with_the_reason(truth, why, tmp_path):
    with pytest.raises(BadInput, match="Could not use the true answers") as caught:
        searched(CLASSES, inputs_of(truth=truth), tmp_path, "float16")
    assert why in caught.value.why


def test_float16_that_overflows_is_over_the_limit_and_layers_are_found(tmp_path):
    state = searched(FRAMES, inputs_of(900.0), tmp_path, "float16", ranks=True)
    plain, kept = state.candidates
    assert plain.outputs.good  # this CPU computes in float32
    assert [each.layer for each in plain.float16.out_of_range] == ["a"]
    assert state.verdict(plain) == OVER
    assert any("beyond float16's largest value" in text for text in plain.cautions)
    assert kept.steps == ("float16:keep=a+y",)
    assert not kept.broken


def test_a_model_that_does_not_repeat_is_not_judged(tmp_path):
    state = searched(RANDOM, inputs_of(), tmp_path, "float16")
    (one,) = state.candidates
    assert one.outputs.reason == UndecidedReason.NOT_REPEATING
    assert state.verdict(one) == UNDECIDED
    assert state.best == -1
    assert "the original does not repeat" in one.cautions[0]


def test_outputs_that_died_are_never_best_though_the_cosine_is_1(tmp_path):
    """One scale for pixels and scores: int8 makes all scores 0."""
    text = (
        _HEAD
        + """<float k = {640}, float s = {0.25}> {
            box = Mul (x, k) score = Mul (x, s) y = Concat <axis = 1> (box, score) }"""
    )
    dead = text.replace("score = Mul (x, s)", "z = Mul (x, s) score = Floor (z)")
    tests = inputs_of()
    path, made = tmp_path / "m.onnx", tmp_path / "made"
    made.mkdir()
    onnx.save(parser.parse_model(text), path)
    with Workbench(path, open_model(path), tests, (), starts=0, folder=made) as bench:
        state = search.start(bench, Goal(SIZE), None, None)
        converted = bench.convert((parse_step("opset:18", ACTIONS),), made)
        onnx.save(parser.parse_model(dead), converted.path)
        one = bench.evaluate("changed", converted)
    assert one.outputs.level == DESTROYED
    cosine = one.measure("cosine")
    assert cosine.value > 0.999
    assert state.verdict(one) == OVER


def test_layers_that_cannot_be_compared_cost_no_candidate(tmp_path, monkeypatch):
    def damaged(*_: Any) -> Any:
        raise UnreadableFile("Could not read values-after-model.onnx", "it is damaged")

    monkeypatch.setattr(improvement, "layer_errors", damaged)
    path, made = tmp_path / "m.onnx", tmp_path / "made"
    made.mkdir()
    onnx.save(parser.parse_model(CLASSES), path)
    with Workbench(
        path, open_model(path), inputs_of(count=4), (), starts=0, folder=made, pair_layers=True
    ) as bench:
        goal = Goal(SIZE)
        state = search.start(bench, goal, None, None)
        steps = [(parse_step("float16", ACTIONS),)]
        (last,) = search.search(bench, state, goal, steps, made)
    assert not last.candidates[0].problem
    assert last.candidates[0].notes == ("The errors of layers are not known: it is damaged.",)


def test_each_step_of_a_recipe_that_somebody_runs_is_reported(tmp_path):
    path, made = tmp_path / "m.onnx", tmp_path / "made"
    made.mkdir()
    onnx.save(parser.parse_model(CLASSES), path)
    steps = tuple(parse_step(step, ACTIONS) for step in ("opset:to=19", "strip", "float16"))
    with Workbench(
        path, open_model(path), inputs_of(count=4), (), starts=0, folder=made, pair_layers=True
    ) as bench:
        (made / "0").mkdir()
        converted = bench.convert(steps, made / "0")
        candidate = bench.in_detail(bench.evaluate("both", converted))
    first, newer, half = candidate.after_steps
    assert [each.step for each in candidate.after_steps] == ["", "opset:to=19", "float16"]
    assert first.size_bytes == path.stat().st_size
    assert half.size_bytes == candidate.size_bytes
    assert (first.inputs, newer.inputs, half.inputs) == (0, 4, 4)
    assert (newer.sqnr_db, newer.same_top) == (None, 4), "nothing differs"
    assert half.sqnr_db == candidate.sqnr_db > 40
    assert all(each.median_ns for each in candidate.after_steps)
    assert [each.name for each in (made / "0").iterdir()] == ["model.onnx"], "nothing stays"


@pytest.mark.parametrize(
    "step", ["extract:outputs=a", "rename:x=picture", "delete-layer:layer=a"]
)
def test_an_edit_has_no_verdict_on_speed_or_accuracy_and_is_not_measured(
    step, tmp_path, monkeypatch
):
    def measure(*_: Any) -> Any:
        raise AssertionError("an edit was measured")

    monkeypatch.setattr(Workbench, "measure_pair", measure)
    path, made = tmp_path / "m.onnx", tmp_path / "made"
    made.mkdir()
    onnx.save(parser.parse_model(CLASSES), path)
    with Workbench(path, open_model(path), inputs_of(), (), starts=4, folder=made) as bench:
        goal = Goal(SIZE, None)
        state = search.start(bench, goal, None, None)
        steps = [(parse_step(step, ACTIONS),)]
        (last,) = search.search(bench, state, goal, steps, made)
    (one,) = last.candidates
    assert one.edited
    assert (one.problem, one.levels, one.accuracy, one.latency) == ("", 4, (), None)
    assert verdict_text(last, one).startswith("Edited, runs at 4 of 4 optimization levels")
    assert last.best == -1
