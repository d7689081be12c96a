"""Answers and numbers of a changed model give one verdict."""

from collections.abc import Sequence
from types import SimpleNamespace

import numpy as np
from msgspec import structs

from inspector.analysis.verdicts.outputs import sentence
from inspector.formats.opening import open_model
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.runs.model_comparison import ModelComparison, comparison_of, image_size
from inspector.preview.runs.truths import Truth
from inspector.report.output_verdict import (
    DEGRADED,
    DESTROYED,
    RANDOM,
    SAME,
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
        comparison.add(before, change(after, np.random.default_rng(1000 + seed)))
    return comparison


def with_noise(place: int, size: float):
    def change(outputs: list[OutputValue], random: np.random.Generator) -> list[OutputValue]:
        array = outputs[place].array
        array += (size * random.normal(size=array.shape)).astype(np.float32)
        return outputs

    return change


def test_the_same_classes_make_up_for_noise():
    verdict = compared(with_noise(0, 1.5)).verdict(TEST_DATA)
    assert verdict.level == WITHIN, sentence(verdict)
    assert "on 30 test inputs (same top class on all" in sentence(verdict)


def test_the_same_classes_say_nothing_of_another_head():
    verdict = compared(with_noise(1, 0.5)).verdict(TEST_DATA)
    assert verdict.bad
    assert "angles" in sentence(verdict)


def test_the_same_classes_do_not_make_up_for_two_swapped_ones_that_never_won():
    def swap(outputs: list[OutputValue], _: object) -> list[OutputValue]:
        array = outputs[0].array
        array[:, [3, 4]] = array[:, [4, 3]]
        return outputs

    comparison = ModelComparison(labels=LABELS)
    for seed in [*range(3), *range(10, 13), *range(20, 23)] * 3:
        comparison.add(logits(seed), swap(logits(seed), None))
    assert comparison.verdict(TEST_DATA).level == DEGRADED


def test_other_classes_are_told_with_their_count():
    verdict = compared(with_noise(0, 8.0)).verdict(TEST_DATA)
    assert verdict.level in (DEGRADED, DESTROYED)
    assert "same top class on" in sentence(verdict)


def test_one_random_input_is_told_as_such():
    verdict = compared(with_noise(0, 0.1), 1).verdict(RANDOM)
    assert verdict.level == UNDECIDED
    assert sentence(verdict) == "No verdict from only 1 random input (same top class)."


def test_one_class_for_all_inputs_makes_up_for_nothing():
    comparison = ModelComparison(labels=LABELS)
    for seed in range(0, 100, 10):
        random = np.random.default_rng(seed)
        comparison.add(logits(seed), with_noise(0, 1.5)(logits(seed), random))
    assert not comparison.verdict(TEST_DATA).good


def test_the_largest_value_of_a_sound_is_no_class():
    comparison = ModelComparison()
    for seed in range(10):
        random = np.random.default_rng(seed)
        wave = np.convolve(random.normal(size=500), np.ones(9) / 9, "same")[None]
        after = wave + 0.05 * random.normal(size=wave.shape)
        one, two = (
            [OutputValue("wave", "tensor", "float32", array.astype(np.float32))]
            for array in (wave, after)
        )
        comparison.add(one, two)
    verdict = comparison.verdict(TEST_DATA)
    assert verdict.tasks == ()
    assert verdict.level == DEGRADED
    assert "top class" not in sentence(verdict)


def test_boxes_that_do_not_agree_with_themselves_were_misread():
    comparison = ModelComparison(size=(64, 64, 3))
    for seed in range(10):
        random = np.random.default_rng(seed)
        # x, y, width, height, where corners are read: no area
        boxes = np.stack([random.uniform(30, 60, 50), random.uniform(30, 60, 50),
                          random.uniform(2, 9, 50), random.uniform(2, 9, 50)], 1)  # fmt: skip
        scores = random.uniform(0, 1, (50, 3))
        values = [boxes[None].astype(np.float32), scores[None].astype(np.float32)]
        outputs = [
            OutputValue(name, "tensor", "float32", array)
            for name, array in zip(("boxes", "scores"), values, strict=True)
        ]
        comparison.add(outputs, outputs)
    verdict = comparison.verdict(TEST_DATA)
    assert all(task.share >= 0.99 for task in verdict.tasks)
    assert verdict.good


def test_a_comparison_knows_the_size_of_the_picture_and_the_tokenizer(samples):
    path = samples / "clothes_float32.onnx"
    model = open_model(path)
    assert image_size(model, {"photo": np.zeros((1, 1, 28, 30), np.float32)}) == (30, 28, 1)
    assert image_size(model, {"photo": np.zeros((28, 30), np.float32)}) == (0, 0, 0)
    assert image_size(model, {}) == (0, 0, 0)
    comparison = comparison_of(path, model, {}, LABELS)
    for seed in range(10):
        comparison.add(logits(seed), logits(seed), f"{seed}.png", Truth("class 3"))
    assert comparison.inputs == 10
    assert [each.file for each in comparison.judged][:2] == ["0.png", "1.png"]
    assert comparison.verdict(TEST_DATA).level == SAME


def test_classes_without_names_are_read_by_the_name_of_their_output():
    comparison = ModelComparison()
    for seed in range(10):
        one = [structs.replace(logits(seed)[0], name="logits")]
        comparison.add(one, one)
    (task,) = comparison.verdict(TEST_DATA).tasks
    assert (task.kind, task.output, task.share, task.same, task.count) == (
        "classes", "logits", 1.0, 10, 10,
    )  # fmt: skip


def test_masks_are_read_and_most_of_one_is_the_same_one():
    comparison = ModelComparison(size=(32, 32, 3))
    for seed in range(9):
        random = np.random.default_rng(seed)
        maps = np.kron(random.normal(size=(1, 5, 4, 4)) * 9, np.ones((1, 1, 8, 8)))
        other = maps.copy()
        other[0, :, :1] = np.roll(other[0, :, :1], 1, 0)  # one row of 32
        one, two = (
            [OutputValue("maps", "tensor", "float32", array.astype(np.float32))]
            for array in (maps, other)
        )
        comparison.add(one, two)
    (task,) = comparison.verdict(TEST_DATA).tasks
    assert (task.kind, task.output, task.count) == ("mask", "", 9)
    assert 0.8 < task.low < task.share < task.high < 1
    assert 0 < task.same <= 9


WAVE = np.sin(np.linspace(0, 6, 50))
NOISE = 100 + np.random.default_rng(0).normal(size=50)


def kinds_read(
    *rows: np.ndarray, labels: Sequence[str] = (), keys: tuple[str, ...] = ()
) -> list[str]:
    """Return as what answers are read that an output called "logits" gives."""
    comparison = ModelComparison(labels=labels)
    for row in rows:
        kept = row if row.dtype.kind in "iu" else row.astype(np.float32)
        outputs = [OutputValue("logits", "tensor", str(kept.dtype), kept[None], keys)]
        comparison.add(outputs, outputs)
    return [task.kind for task in comparison.verdict(TEST_DATA).tasks]


def test_the_first_four_inputs_say_whether_answers_are_classes():
    assert kinds_read(*[NOISE] * 5) == ["classes"]
    assert kinds_read(*[NOISE] * 3, WAVE) == []
    assert kinds_read(*[NOISE] * 4, WAVE) == ["classes"]
    assert kinds_read(WAVE, *[NOISE] * 4) == []


def test_a_row_with_names_is_classes_however_smooth():
    names = tuple(f"kind {number}" for number in range(50))
    assert kinds_read(WAVE, labels=names) == ["classes"]
    assert kinds_read(WAVE, keys=names) == ["classes"]
    assert kinds_read(WAVE, labels=names[:49]) == []


def test_smooth_rows_are_series_around_any_mean():
    assert kinds_read(WAVE + 100) == kinds_read(WAVE - 100) == []


def test_rows_without_a_direction_are_classes():
    for row in (np.full(50, 3.0), np.array([1.0, 9.0]), np.array([1.0, 2.0, np.inf, 3.0])):
        assert kinds_read(row) == ["classes"], row


def test_the_size_of_a_picture_does_not_depend_on_where_its_channels_are():
    for shape, size in (((1, 3, 20, 30), (30, 20, 3)), ((1, 20, 30, 3), (30, 20, 3))):
        info = TensorInfo("picture", "tensor", "float32", shape)
        model = SimpleNamespace(inputs=(info,))
        assert image_size(model, {"picture": np.zeros(shape, np.float32)}) == size
