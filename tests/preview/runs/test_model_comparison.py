"""Answers and numbers of a changed model give one verdict."""

import numpy as np

from inspector.analysis.verdicts.outputs import sentence
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.runs.model_comparison import ModelComparison
from inspector.report.output_verdict import (
    DEGRADED,
    DESTROYED,
    RANDOM,
    TEST_DATA,
    UNDECIDED,
    WITHIN,
)

LABELS = [f"class {number}" for number in range(10)]


def logits(seed: int) -> list[OutputValue]:
    """Sure of one class, and a second head."""
    random = np.random.default_rng(seed)
    values = random.normal(size=(1, 10)).astype(np.float32)
    values[0, seed % 10] += 12
    angles = random.normal(size=(1, 3)).astype(np.float32)
    return [
        OutputValue("scores", "tensor", "float32", values),
        OutputValue("angles", "tensor", "float32", angles),
    ]


def compared(change: object, inputs: int = 30) -> ModelComparison:
    comparison = ModelComparison(labels=LABELS)
    for seed in range(inputs):
        before, after = logits(seed), logits(seed)
        comparison.add(before, change(after, np.random.default_rng(1000 + seed)))  # type: ignore[operator]
    return comparison


def with_noise(place: int, size: float):  # type: ignore[no-untyped-def]
    def change(outputs: list[OutputValue], random: np.random.Generator) -> list[OutputValue]:
        array = outputs[place].array
        assert array is not None
        array += (size * random.normal(size=array.shape)).astype(np.float32)
        return outputs

    return change


def test_the_same_classes_make_up_for_noise() -> None:
    verdict = compared(with_noise(0, 1.5)).verdict(TEST_DATA)
    assert verdict.level == WITHIN, sentence(verdict)
    assert "on 30 test inputs (same top class on all" in sentence(verdict)


def test_the_same_classes_say_nothing_of_another_head() -> None:
    verdict = compared(with_noise(1, 0.5)).verdict(TEST_DATA)
    assert verdict.bad
    assert "angles" in sentence(verdict)


def test_the_same_classes_do_not_make_up_for_two_swapped_ones_that_never_won() -> None:
    def swap(outputs: list[OutputValue], _: object) -> list[OutputValue]:
        array = outputs[0].array
        assert array is not None
        array[:, [3, 4]] = array[:, [4, 3]]
        return outputs

    comparison = ModelComparison(labels=LABELS)
    for seed in [*range(3), *range(10, 13), *range(20, 23)] * 3:
        comparison.add(logits(seed), swap(logits(seed), None))
    assert comparison.verdict(TEST_DATA).level == DESTROYED


def test_other_classes_are_told_with_their_count() -> None:
    verdict = compared(with_noise(0, 8.0)).verdict(TEST_DATA)
    assert verdict.level in (DEGRADED, DESTROYED)
    assert "same top class on" in sentence(verdict)


def test_one_random_input_is_told_as_such() -> None:
    verdict = compared(with_noise(0, 0.1), 1).verdict(RANDOM)
    assert verdict.level == UNDECIDED
    assert sentence(verdict) == "No verdict: only 1 random input (same top class)."


def test_one_class_for_all_inputs_makes_up_for_nothing() -> None:
    comparison = ModelComparison(labels=LABELS)
    for seed in range(0, 100, 10):
        random = np.random.default_rng(seed)
        comparison.add(logits(seed), with_noise(0, 1.5)(logits(seed), random))
    assert not comparison.verdict(TEST_DATA).good
