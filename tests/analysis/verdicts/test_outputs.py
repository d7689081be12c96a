"""The verdict on changed outputs: planted damage is seen, rounding is not called damage."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from inspector.analysis.verdicts.outputs import OutputJudge, finding_text, sentence
from inspector.model.tensors.prediction import OutputValue
from inspector.report.output_verdict import (
    DEAD,
    DEGRADED,
    DESTROYED,
    MISSING,
    NON_FINITE,
    RANDOM,
    ROWS,
    SAME,
    SHAPE,
    TEST_DATA,
    TYPICAL,
    UNDECIDED,
    UNEQUAL,
    WITHIN,
    OutputVerdict,
    TaskAgreement,
    UndecidedReason,
)

Array = NDArray[np.float64]
POSITIONS = 400


def outputs(*arrays: NDArray[np.generic]) -> list[OutputValue]:
    names = ("output0", "output1", "output2")
    return [
        OutputValue(name, "tensor", str(array.dtype), array)
        for name, array in zip(names, arrays, strict=False)
    ]


def verdict(
    before: Sequence[Array],
    after: Sequence[Array],
    kind: str = TYPICAL,
    tasks: Sequence[TaskAgreement] = (),
) -> OutputVerdict:
    judge = OutputJudge()
    for one, two in zip(before, after, strict=True):
        narrow = [
            np.asarray(a, np.float32 if a.dtype.kind == "f" else a.dtype) for a in (one, two)
        ]
        judge.add(outputs(narrow[0]), outputs(narrow[1]))
    return judge.verdict(kind, tasks=tasks)


def sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-x)))


def detections(inputs: int = 12, classes: int = 12) -> list[Array]:
    """Boxes in pixels and scores in one output (1, 4 + classes, positions); a third of the
    classes fires, in a few positions."""
    random = np.random.default_rng(11)
    axes = np.meshgrid(np.arange(20) * 32 + 16, np.arange(20) * 32 + 16)
    grid = np.stack([axis.ravel() for axis in axes]).astype(float)
    made = []
    for _ in range(inputs):
        center = grid + random.normal(size=grid.shape) * 4
        size = 60 + random.normal(size=grid.shape) * 20
        scores = sigmoid(random.normal(size=(classes, POSITIONS)) - 7)
        for _ in range(8):
            place = random.integers(0, classes // 3), random.integers(0, POSITIONS)
            scores[place] = random.uniform(0.5, 0.95)
        made.append(np.concatenate([center, size, scores])[None])
    return made


def regressions(inputs: int = 20) -> list[Array]:
    random = np.random.default_rng(5)
    means, spreads = np.array([50_000, 2_000, 0.3, 0.3]), np.array([8_000, 300, 0.05, 0.05])
    return [means + spreads * random.normal(size=(1, 4)) for _ in range(inputs)]


def landmarks(inputs: int = 12) -> list[Array]:
    random = np.random.default_rng(3)
    base = random.uniform(40, 200, (1, 68, 2))
    return [base + random.normal(size=base.shape) * 8 for _ in range(inputs)]


def steps(inputs: int = 12) -> list[Array]:
    """Class logits over time, of any length."""
    random = np.random.default_rng(4)
    return [2 * random.normal(size=(1, int(random.integers(12, 18)), 9)) for _ in range(inputs)]


def waves(inputs: int = 6) -> list[Array]:
    random = np.random.default_rng(4)
    return [
        np.convolve(random.normal(size=4000), np.ones(8) / 8, "same")[None]
        for _ in range(inputs)
    ]


def maps(inputs: int = 8) -> list[Array]:
    random = np.random.default_rng(6)
    return [
        np.kron(random.normal(size=(1, 5, 8, 8)) * 3, np.ones((1, 1, 4, 4)))
        + 0.3 * random.normal(size=(1, 5, 32, 32))
        for _ in range(inputs)
    ]


FAMILIES = (detections, regressions, landmarks, steps, waves, maps)


def changed(arrays: Sequence[Array], change: Callable[[Array], object]) -> list[Array]:
    copies = [array.copy() for array in arrays]
    for copy in copies:
        change(copy)
    return copies


def set_to(index: object, value: float) -> Callable[[Array], object]:
    return lambda array: array.__setitem__(index, value)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_same_outputs_are_the_same(family):
    before = family()
    assert verdict(before, before).level == SAME
    rounded = [array * (1 + 1e-6) for array in before]
    assert verdict(before, rounded).level == SAME


@pytest.mark.parametrize("family", FAMILIES)
def test_eight_bits_for_each_channel_are_within_the_limit(family):
    before = family()
    axis = {detections: 1, maps: 1, regressions: 1, landmarks: 2, steps: 2}.get(family)
    others = tuple(a for a in range(before[0].ndim) if a != axis) if axis else None
    low = np.min([a.min(others, keepdims=True) for a in before], 0)
    step = (np.max([a.max(others, keepdims=True) for a in before], 0) - low) / 255
    result = verdict(before, [np.round((a - low) / step) * step + low for a in before])
    assert result.level == WITHIN, sentence(result)


DAMAGE = {
    "a class that fired is never found": (detections, set_to((0, 5), 0.001)),
    "all scores are 0": (detections, set_to((0, slice(4, None)), 0)),
    "scores of the last positions are 0": (
        detections,
        set_to((0, slice(4, None), slice(300, None)), 0),
    ),
    "boxes are shifted": (detections, lambda a: a[0, 0].__iadd__(12)),
    "the last boxes have another scale": (detections, lambda a: a[0, :4, 300:].__imul__(1.5)),
    "scores saturate": (detections, lambda a: np.minimum(a[0, 4:], 0.3, out=a[0, 4:])),
    "classes are in another order": (
        detections,
        lambda a: a[0, 4:].__setitem__(slice(None), np.roll(a[0, 4:], 1, 0)),
    ),
    "a column is constant": (regressions, set_to((0, 2), 0.3)),
    "a column is 0": (regressions, set_to((0, 3), 0)),
    "a column is shifted": (regressions, lambda a: a[0, 2:3].__iadd__(0.03)),
    "a column has another scale": (regressions, lambda a: a[0, 1:2].__imul__(1.2)),
    "columns are swapped": (
        regressions,
        lambda a: a.__setitem__(slice(None), a[:, [1, 0, 2, 3]]),
    ),
    "one landmark does not move": (landmarks, set_to((0, 3), 100)),
    "one coordinate of a landmark does not move": (landmarks, set_to((0, 3, 1), 100)),
    "one landmark is elsewhere": (landmarks, lambda a: a[0, 3].__iadd__(40)),
    "one time step is 0": (steps, set_to((0, 3), 0)),
    "time is one step late": (steps, lambda a: a.__setitem__(slice(None), np.roll(a, 1, 1))),
    "sound is cut off": (waves, lambda a: np.clip(a, -0.2, 0.2, out=a)),
    "the end of the sound is silent": (waves, set_to((0, slice(3000, None)), 0)),
    "a half of the map is flat": (maps, set_to((0, slice(None), slice(16, None)), 0)),
    "the map is mirrored": (maps, lambda a: a.__setitem__(slice(None), a[..., ::-1].copy())),
    "one value is NaN": (maps, set_to((0, 2, 3, 4), float("nan"))),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_never_called_good(damage):
    family, change = DAMAGE[damage]
    before = family()
    result = verdict(before, changed(before, change))
    assert result.bad, sentence(result)


def test_one_scale_for_boxes_and_scores_is_named_by_its_rows():
    before = detections(classes=3)
    step = 640 / 255
    result = verdict(before, [np.round(array / step) * step for array in before])
    assert result.level == DESTROYED
    assert result.findings[0].kind == DEAD
    assert "rows 4 to 5 of output0 are always 0" in sentence(result) or (
        "row 4 of output0 is always 0" in sentence(result)
    )


def test_a_class_that_never_fires_is_not_held_against_a_model():
    before = detections()
    result = verdict(before, changed(before, set_to((0, 15), 0)))
    assert result.good, sentence(result)
    # but it must not begin to fire
    result = verdict(before, changed(before, set_to((0, 15, 7), 0.8)))
    assert result.bad, sentence(result)


def test_equal_values_are_the_same_though_hardly_any_is_large():
    rows = [np.zeros((1, 40)) for _ in range(12)]
    assert verdict(rows, rows).level == UNDECIDED  # that nothing fires says nothing
    few = changed(rows, set_to((0, 3), 0.01))
    few[1][0, 3] = 0.02
    assert verdict(few, few).level == SAME


def test_a_channel_that_was_constant_before_may_stay_so():
    before = changed(maps(), set_to((0, 1), 3.0))
    assert verdict(before, before).level == SAME
    moved = changed(before, set_to((0, 1), 3.01))
    assert verdict(before, moved).level == WITHIN
    away = changed(before, set_to((0, 1), 4.0))
    assert verdict(before, away).bad


@pytest.mark.parametrize(("kind", "count"), [(RANDOM, 1), (RANDOM, 40), (TYPICAL, 1)])
def test_one_input_or_random_ones_are_no_evidence(kind, count):
    before = regressions(count)
    result = verdict(before, before, kind)
    assert result.level == UNDECIDED
    assert result.reason == (
        UndecidedReason.MADE_UP if kind == RANDOM else UndecidedReason.FEW_INPUTS
    )
    noun = "random" if kind == RANDOM else "typical"
    assert f"only {count} {noun} input" in sentence(result)


def test_nan_is_a_finding_on_any_input():
    before = maps(1)
    result = verdict(before, changed(before, set_to((0, 2, 3, 4), float("nan"))), RANDOM)
    assert (result.level, result.findings[0].kind) == (DESTROYED, NON_FINITE)
    assert "1 value of output0 is NaN or infinite" in sentence(result)


def test_a_missing_output_is_a_finding_on_any_input():
    judge = OutputJudge()
    judge.add(outputs(np.ones(3), np.ones(3)), outputs(np.ones(3)))
    result = judge.verdict(RANDOM)
    assert (result.level, result.findings[0].kind) == (DESTROYED, MISSING)
    assert "output1" in sentence(result)


def test_agreeing_answers_make_up_for_noise_but_not_for_a_dead_channel():
    before = maps()
    random = np.random.default_rng(1)
    noisy = [array + random.normal(size=array.shape) for array in before]
    assert verdict(before, noisy).bad
    same = TaskAgreement("mask", 0.99, 0.98, 1.0, 8, 8)
    assert verdict(before, noisy, tasks=[same]).level == WITHIN
    dead = changed(noisy, set_to((0, 2), 0))
    assert verdict(before, dead, tasks=[same]).level == DESTROYED
    # a channel that has nothing to do with what it was, while no answer is lost
    far = [array + 8 * random.normal(size=array.shape) for array in before]
    assert verdict(before, far, tasks=[same]).level == DEGRADED
    assert verdict(before, far).level == DESTROYED
    apart = TaskAgreement("mask", 0.8, 0.75, 0.85, 8, 0)
    assert verdict(before, far, tasks=[apart]).level == DESTROYED


def test_answers_that_differ_are_bad_though_numbers_are_close():
    before = maps()
    other = TaskAgreement("classes", 0.4, 0.2, 0.6, 20, 8)
    result = verdict(before, before, tasks=[other])
    assert result.level == DESTROYED
    assert "same top class on 8 of 20 inputs" in sentence(result)


def test_answers_that_differ_on_few_inputs_are_not_called_nearly_the_same():
    random = np.random.default_rng(1)
    strengths = np.exp(random.normal(0, 2, (6, 1, 10)))
    scores = strengths / strengths.sum(-1, keepdims=True)
    error = np.zeros_like(scores)
    error[..., 3] = random.normal(0, 0.2 * scores[..., 3].std(), (6, 1))
    few = TaskAgreement("classes", 5 / 6, 0.44, 0.97, 6, 5)
    result = verdict([*scores], [*(scores + error)], tasks=[few])
    assert (result.level, result.reason) == (UNDECIDED, UndecidedReason.CLOSE), sentence(result)
    assert "same top class on 5 of them" in sentence(result)
    every = TaskAgreement("classes", 1.0, 0.61, 1.0, 6, 6)
    assert verdict([*scores], [*(scores + error)], tasks=[every]).level == WITHIN
    # of two classes that are as high, rounding chooses one
    assert verdict([*scores], [*(scores + 0.01 * error)], tasks=[few]).good


def test_a_state_is_held_against_its_spread_as_a_whole():
    random = np.random.default_rng(5)
    before = [random.normal(0, 1, (2, 1, 16)) for _ in range(8)]
    for array in before:
        array[..., 3] *= 0.02  # hardly ever used
    noisy = [array + random.normal(0, 0.02, array.shape) for array in before]

    def judged(after: Sequence[Array], states: tuple[str, ...]) -> OutputVerdict:
        judge = OutputJudge(states)
        for one, two in zip(before, after, strict=True):
            judge.add(outputs(one.astype(np.float32)), outputs(two.astype(np.float32)))
        return judge.verdict(TYPICAL)

    assert judged(noisy, ()).bad
    assert judged(noisy, ("output0",)).level == WITHIN
    wrong = [array + random.normal(0, 0.6, array.shape) for array in before]
    assert judged(wrong, ("output0",)).level == DESTROYED


def test_indices_are_compared_as_rows():
    random = np.random.default_rng(2)
    before = [
        np.stack([np.zeros(20), np.zeros(20), random.permutation(100)[:20]], 1).astype(np.int64)
        for _ in range(6)
    ]
    shorter = [array[[*range(13), 14]] for array in before]
    result = verdict(before, shorter)
    assert result.bad
    assert result.findings[0].kind == ROWS
    assert "36 of 120 rows of output0 differ" in finding_text(result.findings[0])


def test_lists_of_varying_length_are_compared_as_rows_on_every_input():
    random = np.random.default_rng(3)
    before = [random.permutation(100)[: 10 + number, None] for number in range(12)]
    one_less = [before[0][:-1], np.roll(before[1], 1, 0), *before[2:]]
    assert not verdict(before, one_less).bad  # 1 of 186 rows, though others stand elsewhere
    several_less = [array[:-2] if number < 6 else array for number, array in enumerate(before)]
    text = finding_text(verdict(before, several_less).findings[0])
    assert "12 of 186 rows of output0 differ" in text


def test_whole_numbers_off_by_one_are_wrong():
    random = np.random.default_rng(2)
    before = [random.integers(0, 1000, (1, 20)) for _ in range(6)]
    result = verdict(before, [array + 1 for array in before])
    assert (result.level, result.findings[0].kind) == (DESTROYED, UNEQUAL)


def test_a_lost_foreground_is_not_hidden_by_the_background():
    random = np.random.default_rng(2)
    before = [(random.random((1, 40, 40)) < 0.03) * 2 for _ in range(6)]
    assert verdict(before, [array * 0 for array in before]).bad


def test_texts_are_equal_or_not():
    before = [np.array([["cat", "dog"]], object)] * 5
    assert verdict(before, before).level == SAME
    other = [np.array([["cat", "cow"]], object)] * 5
    assert verdict(before, other).bad


def test_nothing_is_judged_beyond_what_the_original_repeats():
    random = np.random.default_rng(2)

    def run() -> list[OutputValue]:
        return outputs(random.normal(size=(1, 200)).astype(np.float32))

    judge = OutputJudge()
    for _ in range(8):
        judge.add(run(), run())
        judge.add_repeat(run(), run())
    result = judge.verdict(TEST_DATA)
    assert (result.level, result.reason) == (UNDECIDED, UndecidedReason.NOT_REPEATING)
    assert "does not repeat" in sentence(result)


def listed(random: np.random.Generator, rows: int = 20) -> Array:
    """Boxes that were chosen, surest first: four corners, the score, the class."""
    table = np.concatenate(
        [
            random.uniform(0, 600, (rows, 4)),
            -np.sort(-random.uniform(0.3, 1, (rows, 1)), 0),
            random.integers(0, 80, (rows, 1)),
        ],
        axis=1,
    )
    return table[None]


def test_a_list_of_boxes_may_come_in_another_order_but_not_with_other_classes():
    random = np.random.default_rng(2)
    before = [listed(random) for _ in range(6)]
    other = [array[:, [1, 0, *range(2, 18), 19, 18]] + 1e-3 for array in before]
    for array in other:
        array[..., 5] = np.rint(array[..., 5])
    judge = OutputJudge()
    judge.add(outputs(before[0]), outputs(other[0]))
    assert len(judge.notes) == 1, "errors at equal places are large"
    result = verdict(before, other)
    assert result.good, sentence(result)
    classes = changed(before, lambda a: a[..., 5].__iadd__(1))
    result = verdict(before, classes)
    assert result.level == DESTROYED
    assert "120 of 120 rows of output0 differ" in sentence(result)
    narrow = [array[..., 1:] for array in before]  # five columns are a list, too
    assert verdict(narrow, [array[:, ::-1] for array in narrow]).good


def test_a_long_list_is_the_same_as_itself():
    random = np.random.default_rng(4)
    before = [listed(random, 2500) for _ in range(4)]
    assert verdict(before, [array.copy() for array in before]).level == SAME
    other = changed(before, lambda a: a[..., 5].__iadd__(1))
    assert verdict(before, other).level == DESTROYED


def test_lists_of_other_lengths_are_compared_by_their_rows():
    random = np.random.default_rng(2)
    before = [listed(random) for _ in range(6)]
    result = verdict(before, [array[:, :15] for array in before])
    assert (result.level, result.findings[0].kind) == (DEGRADED, ROWS)
    assert (result.findings[0].count, result.findings[0].of) == (30, 120)
    assert result.findings[0].error == pytest.approx(0.25)


def test_whole_numbers_are_compared_beyond_chance():
    random = np.random.default_rng(2)
    before = [(random.random((1, 40, 40)) < 0.2) * 5 for _ in range(6)]
    other = [np.where(random.random(array.shape) < 0.1, 5 - array, array) for array in before]
    (finding,) = verdict(before, other).findings
    one, two = (np.concatenate(side).ravel() for side in (before, other))
    chance = sum((one == v).mean() * (two == v).mean() for v in (0, 5))
    assert finding.error == pytest.approx((one != two).mean() / (1 - chance))
    assert finding.count == (one != two).sum()


def test_quantities_in_whole_numbers_may_be_rounded():
    random = np.random.default_rng(2)
    before = [random.integers(0, 1000, (1, 40)) for _ in range(6)]
    assert verdict(before, [a + random.integers(-1, 2, a.shape) for a in before]).good
    assert verdict(before, [a + random.integers(-300, 301, a.shape) for a in before]).bad


def test_sequences_and_outputs_by_place_are_compared():
    random = np.random.default_rng(2)
    judge = OutputJudge()
    for _ in range(5):
        parts = tuple(random.normal(size=(n, 4)).astype(np.float32) for n in (2, 3))
        one = OutputValue("parts", "sequence", "float32", None, parts=parts)
        two = OutputValue("renamed", "sequence", "float32", None, parts=parts)
        judge.add([one], [two])
    assert judge.verdict(TYPICAL).level == SAME
    judge.add([one], [OutputValue("renamed", "sequence", "float32", None, parts=parts[:1])])
    assert judge.verdict(TYPICAL).findings[0].kind == SHAPE


def test_nothing_to_compare_is_no_verdict():
    judge = OutputJudge()
    judge.add([], [])
    assert judge.verdict(TYPICAL).reason == UndecidedReason.NOTHING_COMPARED
    map_ = OutputValue("labels", "map", "", None, "{}")  # neither side holds numbers
    judge.add([map_], [map_])
    assert judge.verdict(TYPICAL).reason == UndecidedReason.NOTHING_COMPARED
