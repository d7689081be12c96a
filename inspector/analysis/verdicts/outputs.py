"""The verdict on the outputs of a changed model beside those of its original.

    judge = OutputJudge()
    for feeds in inputs:
        judge.add(original_outputs, changed_outputs)
    judge.add_repeat(first_outputs, second_outputs)  # the original, run twice on one input
    verdict = judge.verdict(TYPICAL, held_out=True)
    print(sentence(verdict))

Where the answers were read as classes, boxes, ..., pass their `TaskAgreement`: an agreement
makes up for inexact numbers, but not for channels that no longer vary.
"""

from collections.abc import Collection, Sequence
from math import inf, log10
from typing import Any

import numpy as np
from msgspec import Struct, field, structs, to_builtins
from numpy.typing import NDArray

from inspector.analysis.verdicts import output_findings
from inspector.analysis.verdicts.output_findings import (
    DESTROYED_TIMES,
    MOST_FINDINGS,
    SAME_ERROR,
    load_of,
)
from inspector.model.tensors.paired_sums import PairedSums
from inspector.model.tensors.prediction import UNDEFINED, OutputValue
from inspector.report.output_verdict import (
    CONSTANT,
    DEAD,
    DEGRADED,
    DESTROYED,
    ERROR,
    FROZEN,
    GUESSED,
    MISSING,
    NON_FINITE,
    RANDOM,
    REALISTIC,
    RESPONSE,
    ROWS,
    SAME,
    SATURATED,
    SHAPE,
    SHIFT,
    TEST_DATA,
    TYPICAL,
    UNDECIDED,
    UNEQUAL,
    WITHIN,
    ZEROS,
    OutputFinding,
    OutputVerdict,
    TaskAgreement,
    UndecidedReason,
)
from inspector.units import clip
from inspector.wording.values import Count, Name, Sentence, counted, joined

MIN_INPUTS = 4  # realistic ones; fewer say nothing about what inputs change in an output
# Share of whole numbers, truths, texts and listed rows that may differ, beyond chance.
MAX_UNEQUAL = 0.05
DESTROYED_UNEQUAL = 0.3
_DESTROYED_SHARES = DESTROYED_UNEQUAL / MAX_UNEQUAL  # times the bound
# Mean agreement of the answers; an int8 model within one point of accuracy has 97% of the
# classes. Boxes and edges of masks near a threshold come and go.
MIN_CLASSES = 0.95
MIN_AGREEMENT = {"boxes": 0.9, "mask": 0.9}
MIN_MAKING_UP = 8  # inputs whose answers agree, to make up for inexact numbers
# Of a channel's spread: beyond, a channel has nothing to do with what it was, and these inputs
# only happen to give the same answers; two swapped channels are 1.4 apart.
MOST_MADE_UP = 1.25
DESTROYED_AGREEMENT = 0.7
ROW_TOLERANCE = 0.1  # of a column's spread, in each column, for rows that are the same one
_MOST_VALUES = 4096  # distinct whole numbers that are counted; indices have more
_HALF = 0.5  # below 1, the least difference of whole numbers
_MOST_LISTED = 10_000  # numbers of a list whose rows are counted beside its values
_MOST_ROWS = 2000  # of a list, that are paired
_ANY = frozenset((NON_FINITE, MISSING, SHAPE))  # proven by any input
_FIXED = frozenset((DEAD, CONSTANT, FROZEN))
_SHARES = frozenset((ROWS, UNEQUAL))  # whose error is a share of rows or values
FEWEST_RANKED = 8  # rows; fewer fall by chance
_TASKS = {
    "classes": "same top class", "boxes": "same boxes", "mask": "same mask",
    "points": "same points", "text": "same text",
}  # fmt: skip
_COUNTED = (NON_FINITE, ROWS, UNEQUAL, MISSING, SHAPE)  # not by parts of an axis
_MOST_NAMED = 2  # findings in a sentence
_FEWEST_TIMES = 2  # times a spread; a smaller error is a percentage of the spread
_MOST_TIMES = 1_000_000  # times a spread; a larger error has no number
_WHOLE_PERCENT = 0.1  # of a spread, from which on percentages have no decimals
_LABELS = {
    SAME: "the same", WITHIN: "nearly the same", UNDECIDED: "no verdict",
    DEGRADED: "degraded", DESTROYED: "mostly different",
}  # fmt: skip


class _Output(Struct):
    """The sums and counts of one output over the inputs so far."""

    sums: PairedSums | None = None
    repeat: PairedSums | None = None
    compared: bool = False
    unmatched: int = 0  # NaN or infinite on one side only
    unmatched_at: tuple[int, ...] = ()
    elements: int = 0
    discrete: bool = False
    unequal: int = 0
    repeat_unequal: int = 0
    repeat_elements: int = 0
    signed: float = 0.0  # sums of errors of whole numbers, and of their squares
    squares: float = 0.0
    values: dict[object, list[int]] = field(default_factory=dict)  # how often on each side
    rows_same: int = 0
    rows: int = 0
    # The same where both lists are equally long: counted if another input's are not.
    even_rows_same: int = 0
    even_rows: int = 0
    shape: str = ""
    rank: int = 0
    reordered: bool = False


class OutputJudge:
    """Compares the outputs of two models over inputs; see above.

    states: names of outputs that the model gets back at the next step.
    """

    def __init__(self, states: Collection[str] = ()) -> None:
        self.inputs = 0
        self._states = frozenset(states)
        self._outputs: dict[str, _Output] = {}
        self._missing: set[str] = set()
        self._repeats = False

    def add(self, original: Sequence[OutputValue], changed: Sequence[OutputValue]) -> None:
        """Compare the outputs for one input, by name, or by place where names differ."""
        self.inputs += 1
        for one, two in paired(original, changed):
            if one.kind == UNDEFINED or (two is not None and two.kind == UNDEFINED):
                continue
            if two is None:
                self._missing.add(one.name)
                continue
            state = self._outputs.setdefault(one.name, _Output())
            for first, second in _arrays(one, two):
                self._compare(state, first, second)

    def add_repeat(self, first: Sequence[OutputValue], second: Sequence[OutputValue]) -> None:
        """Compare two runs of the original on one input."""
        self._repeats = True
        for one, two in paired(first, second):
            if two is None or one.kind == UNDEFINED:
                continue
            state = self._outputs.setdefault(one.name, _Output())
            for a, b in _arrays(one, two):
                if a is None or b is None or a.shape != b.shape:
                    continue
                state.repeat_elements += a.size
                state.repeat_unequal += int((a != b).sum())
                if _is_numeric(a) and not _is_discrete(a):
                    if state.repeat is None:
                        state.repeat = PairedSums()
                    if not state.repeat.inputs or len(state.repeat.lengths) == max(a.ndim, 1):
                        state.repeat.add(a, b)

    @property
    def notes(self) -> tuple[str, ...]:
        """Return a sentence on each list that is judged by its rows in any order, where errors
        at equal places say something else."""
        return tuple(
            Sentence(
                "Rows of {output} are not in the same order in both runs. Errors compare equal "
                "places; the verdict compares equal rows.",
                Name(name),
            )
            for name, state in self._outputs.items()
            if state.reordered and state.rows_same >= (1 - MAX_UNEQUAL) * state.rows
        )

    def verdict(
        self,
        input_kind: str = GUESSED,
        held_out: bool | None = None,
        tasks: Sequence[TaskAgreement] = (),
    ) -> OutputVerdict:
        """Return the verdict over all inputs. input_kind: TYPICAL, TEST_DATA, RANDOM, ..."""
        findings = [OutputFinding(name, MISSING) for name in sorted(self._missing)]
        judged = []
        repeats, noisy, close = 0.0, False, False
        for name, state in self._outputs.items():
            findings += self._of_discrete(name, state)
            if state.sums is not None and state.sums.inputs:
                is_state = name in self._states
                numbers = output_findings.judged(name, state.sums, state.repeat, is_state)
                judged.append(numbers)
                findings += numbers.findings
                noisy |= numbers.noisy
                # Equal values that vary are certain, however few of them are large.
                equal = numbers.apart == 0 and _varies(state.sums)
                close |= (numbers.close or numbers.unseen) and not equal
                repeats = max(repeats, numbers.repeats)
            if state.discrete and state.repeat_elements:
                share = state.repeat_unequal / state.repeat_elements
                repeats, noisy = max(repeats, share), noisy or share > MAX_UNEQUAL
        worst = max(judged, key=lambda each: each.load, default=None)
        worst_findings = tuple(sorted(findings, key=lambda f: -_severity(f))[:MOST_FINDINGS])
        verdict = OutputVerdict(
            UNDECIDED,
            worst_findings,
            next(iter(worst_findings), worst.worst if worst is not None else None),
            self.inputs,
            input_kind,
            held_out,
            repeats if self._repeats else None,
            tuple(tasks),
        )
        compared = any(state.compared for state in self._outputs.values())
        if not compared and not findings:
            return structs.replace(verdict, reason=UndecidedReason.NOTHING_COMPARED)
        level, reason = _level(verdict, close, noisy, self._same(judged))
        return structs.replace(verdict, level=level, reason=reason)

    def _same(self, judged: Sequence[output_findings.Judged]) -> bool:
        """Return whether nothing differs but for the rounding of the arithmetic."""
        return all(each.apart <= SAME_ERROR for each in judged) and not any(
            state.unequal or state.unmatched or state.shape or state.rows_same < state.rows
            for state in self._outputs.values()
        )

    def _compare(
        self, state: _Output, one: NDArray[np.generic] | None, two: NDArray[np.generic] | None
    ) -> None:
        if one is None or two is None:
            state.shape = state.shape or "one side is no tensor"
            return
        texts = [not _is_numeric(array) for array in (one, two)]
        if texts[0] != texts[1] or one.ndim != two.ndim:
            state.shape = f"{list(one.shape)} and {list(two.shape)}"
            return
        state.compared = True
        state.rank = one.ndim
        state.elements += one.size
        if one.shape != two.shape:
            self._compare_rows(state, one, two)
            return
        if texts[0] or _is_discrete(one):
            self._compare_discrete(state, one, two, texts[0])
            return
        self._count_unmatched(state, one, two)
        if _is_ranked(one):
            with np.errstate(invalid="ignore"):  # infinity on both sides
                a, b = one.astype(np.float64), two.astype(np.float64)
                state.reordered |= bool(np.abs(b - a).max() > MAX_UNEQUAL * np.ptp(a))
            self._compare_rows(state, one, two)
            return
        if state.sums is None:
            state.sums = PairedSums()
        if not state.sums.inputs or len(state.sums.lengths) == max(one.ndim, 1):
            state.sums.add(one, two)

    @staticmethod
    def _count_unmatched(
        state: _Output, one: NDArray[np.generic], two: NDArray[np.generic]
    ) -> None:
        a, b = one.astype(np.float64), two.astype(np.float64)
        wrong = ~np.isfinite(b) & ~((a == b) | (np.isnan(a) & np.isnan(b)))
        wrong &= np.isfinite(a)
        count = int(wrong.sum())
        if count and not state.unmatched:
            state.unmatched_at = tuple(int(i) for i in np.argwhere(wrong)[0])
        state.unmatched += count

    @staticmethod
    def _compare_discrete(
        state: _Output, one: NDArray[np.generic], two: NDArray[np.generic], texts: bool
    ) -> None:
        state.discrete = True
        if texts:
            one, two = one.astype(object), two.astype(object)
        state.unequal += int((one != two).sum())
        first, second = _as_rows(one), _as_rows(two)
        if first is not None and second is not None and one.size <= _MOST_LISTED:
            state.even_rows += len(first)
            state.even_rows_same += _same_rows(first, second)
        if not texts:
            error = two.astype(np.float64) - one.astype(np.float64)
            state.signed += float(error.sum())
            state.squares += float((error**2).sum())
        for side, array in enumerate((one, two)):
            if len(state.values) > _MOST_VALUES:
                break
            kinds, counts = np.unique(array.astype(str) if texts else array, return_counts=True)
            for kind, count in zip(kinds.tolist(), counts.tolist(), strict=True):
                state.values.setdefault(kind, [0, 0])[side] += count

    @staticmethod
    def _compare_rows(
        state: _Output, one: NDArray[np.generic], two: NDArray[np.generic]
    ) -> None:
        """Compare lists of any length in any order: which rows are in both?"""
        first, second = _as_rows(one), _as_rows(two)
        if first is None or second is None or first.shape[1] != second.shape[1]:
            state.shape = state.shape or f"{list(one.shape)} and {list(two.shape)}"
            return
        if first.dtype.kind == second.dtype.kind == "f":  # each is held against each
            first, second = first[:_MOST_ROWS], second[:_MOST_ROWS]
        state.rows += max(len(first), len(second))
        state.rows_same += _same_rows(first, second)

    def _of_discrete(self, name: str, state: _Output) -> list[OutputFinding]:
        findings = []
        rank = state.rank
        if state.shape:
            findings.append(OutputFinding(name, SHAPE, rank=rank))
        if state.unmatched:
            place = state.unmatched_at[-1] if state.unmatched_at else 0
            findings.append(
                OutputFinding(
                    name, NON_FINITE, None, max(rank - 1, 0), place, place,
                    state.unmatched, state.elements, rank,
                )
            )  # fmt: skip
        if state.rows:
            rows = state.rows + state.even_rows
            lost = rows - state.rows_same - state.even_rows_same
            if lost / rows > MAX_UNEQUAL:
                findings.append(
                    OutputFinding(name, ROWS, lost / rows, count=lost, of=rows, rank=rank)
                )
        # A list that varies in length is judged by its rows on each input.
        if state.discrete and state.unequal and not (state.rows and state.even_rows):
            error = _beyond_chance(state)
            if error > MAX_UNEQUAL and not _is_rounding(state):
                findings.append(
                    OutputFinding(
                        name, UNEQUAL, error, count=state.unequal, of=state.elements, rank=rank
                    )
                )
        return findings


def paired(
    first: Sequence[OutputValue], second: Sequence[OutputValue]
) -> list[tuple[OutputValue, OutputValue | None]]:
    """Return the outputs of two models in pairs: by name, or by place where names differ."""
    names = {output.name: output for output in second}
    rest = [output for output in second if output.name not in {one.name for one in first}]
    places = iter(rest)
    return [(one, names.get(one.name) or next(places, None)) for one in first]


def _arrays(
    one: OutputValue, two: OutputValue
) -> list[tuple[NDArray[np.generic] | None, NDArray[np.generic] | None]]:
    if one.parts or two.parts:
        if len(one.parts) != len(two.parts):
            return [(None, None)]
        return list(zip(one.parts, two.parts, strict=True))
    if one.array is None and two.array is None and one.text == two.text:
        return []
    return [(one.array, two.array)]


def _is_numeric(array: NDArray[np.generic]) -> bool:
    return array.dtype.kind in "fiubV"


def _is_discrete(array: NDArray[np.generic]) -> bool:
    """Return whether numbers are names of things, such as classes: equal or not."""
    return array.dtype.kind in "iu" and array.dtype.itemsize > 1


def _is_ranked(array: NDArray[np.generic]) -> bool:
    """Return whether rows are a list by falling score, whose order rounding may change."""
    if array.ndim not in (2, 3) or array.dtype.kind != "f" or array.shape[-1] > 64:
        return False
    rows = array.reshape(-1, array.shape[-1])
    if len(rows) < FEWEST_RANKED or (array.ndim == 3 and array.shape[0] != 1):
        return False
    steps = np.diff(rows.astype(np.float64), axis=0)
    falls = (steps <= 0).all(0) & ((steps < 0).mean(0) > 0.5)
    return bool(falls.sum() == 1 and rows.shape[1] >= 5)


def _as_rows(array: NDArray[np.generic]) -> NDArray[np.generic] | None:
    if array.ndim == 0 or (array.ndim > 2 and int(np.prod(array.shape[:-2])) != 1):
        return None
    return array.reshape(-1, 1) if array.ndim == 1 else array.reshape(-1, array.shape[-1])


def _same_rows(first: NDArray[np.generic], second: NDArray[np.generic]) -> int:
    """Return how many rows of one list have a partner in the other, within ROW_TOLERANCE."""
    if not len(first) or not len(second):
        return 0
    if first.dtype.kind != "f" or second.dtype.kind != "f":
        counts: dict[tuple[object, ...], int] = {}
        for row in first.tolist():
            counts[tuple(row)] = counts.get(tuple(row), 0) + 1
        paired_rows = 0
        for row in second.tolist():
            if counts.get(tuple(row), 0):
                counts[tuple(row)] -= 1
                paired_rows += 1
        return paired_rows
    reference, other = first.astype(np.float64), second.astype(np.float64)
    spread = reference.std(0)
    scale = (
        np.where(spread > 0, spread, np.maximum(np.abs(reference).max(0), 1e-9)) * ROW_TOLERANCE
    )
    is_integer = (reference == np.rint(reference)).all(0)
    if not is_integer.all():  # numbers of classes beside coordinates and scores: equal or not
        scale = np.where(is_integer, _HALF, scale)
    unpaired = np.ones(len(other), bool)
    paired_rows = 0
    for row in reference:
        distance = np.where(unpaired, (np.abs(other - row) / scale).max(1), inf)
        nearest = int(distance.argmin())
        if distance[nearest] <= 1:
            unpaired[nearest] = False
            paired_rows += 1
    return paired_rows


def _beyond_chance(state: _Output) -> float:
    """Return the share of unequal values, in parts of what chance would give; see Cohen,
    Educ. Psychol. Meas. 20 (1960)."""
    unequal = state.unequal / max(state.elements, 1)
    if len(state.values) > _MOST_VALUES:
        return unequal
    chance = sum(a * b for a, b in state.values.values()) / max(state.elements, 1) ** 2
    return min(unequal / (1 - chance), 1.0) if chance < 1 else unequal


def _is_rounding(state: _Output) -> bool:
    """Return whether unequal whole numbers are quantities that were rounded: small errors
    without a direction."""
    if not state.values or any(not isinstance(v, int | float) for v in state.values):
        return False
    numbers = np.array([float(v) for v in state.values])  # type: ignore[arg-type]
    counts = np.array([before for before, _ in state.values.values()], np.float64)
    if len(state.values) > _MOST_VALUES or not counts.sum():
        return False
    mean = (numbers * counts).sum() / counts.sum()
    spread = float(np.sqrt(((numbers - mean) ** 2 * counts).sum() / counts.sum()))
    rms = (state.squares / max(state.elements, 1)) ** 0.5
    directed = abs(state.signed) / max(state.elements, 1) > 0.5 * rms
    return not directed and rms <= MAX_UNEQUAL * spread


def _varies(sums: PairedSums) -> bool:
    """Return whether the original's values of an output are not all the same."""
    return bool(sums.cells["high"].max() > sums.cells["low"].min())


def _severity(finding: OutputFinding) -> float:
    """Return an error in parts of its bound; infinite for a part that is dead or missing."""
    if finding.kind in _ANY:
        return inf
    if finding.kind in _SHARES:
        return (finding.error or 0.0) / MAX_UNEQUAL
    return load_of(finding)


def _destroys(finding: OutputFinding) -> bool:
    is_share = finding.kind in _SHARES
    return _severity(finding) > (_DESTROYED_SHARES if is_share else DESTROYED_TIMES)


def _level(verdict: OutputVerdict, close: bool, noisy: bool, same: bool) -> tuple[str, str]:
    """Return the level and, of UNDECIDED, the reason.

    close: whether an error is too near its bound for so few inputs. noisy: whether the original
    does not repeat. same: whether nothing differs but for the rounding of the arithmetic.
    """
    findings, tasks = verdict.findings, verdict.tasks
    enough = verdict.inputs >= MIN_INPUTS
    if any(each.kind in _ANY for each in findings):
        return DESTROYED, ""
    realistic = verdict.input_kind in REALISTIC
    if realistic and any(each.kind in _FIXED for each in findings):
        return DESTROYED, ""
    if noisy:
        return UNDECIDED, UndecidedReason.NOT_REPEATING
    if not realistic:
        return UNDECIDED, UndecidedReason.MADE_UP
    unexcused = [each for each in findings if not _has_answers(each, tasks)]
    # Of inexact numbers that are excused, only the answers read from them matter.
    excused = len(unexcused) < len(findings)
    disagreeing = [
        each
        for each in tasks
        if (each.share if excused else each.high) < _least_agreement(each)
    ]
    destroyed = any(
        _destroys(each) and not _answers_hold(each, tasks) for each in unexcused
    ) or any(each.high < DESTROYED_AGREEMENT for each in disagreeing)
    if unexcused or disagreeing:
        if not enough and not destroyed:
            return UNDECIDED, UndecidedReason.FEW_INPUTS
        return (DESTROYED if destroyed else DEGRADED), ""
    if not enough:
        return UNDECIDED, UndecidedReason.FEW_INPUTS
    compared = max((each.count for each in tasks), default=verdict.inputs)
    if (findings and compared < MIN_MAKING_UP) or (close and not tasks):
        return UNDECIDED, UndecidedReason.CLOSE
    inexact = verdict.worst is not None and load_of(verdict.worst) > 1
    if inexact and any(each.share < _least_agreement(each) for each in tasks):
        # Answers that differ, and numbers that do not excuse them.
        return UNDECIDED, UndecidedReason.CLOSE
    return (SAME if same else WITHIN), ""


def _least_agreement(task: TaskAgreement) -> float:
    return MIN_AGREEMENT.get(task.kind, MIN_CLASSES)


def _has_answers(finding: OutputFinding, tasks: Sequence[TaskAgreement]) -> bool:
    """Return whether answers are read from this output, so that they decide how much its
    inexact numbers matter."""
    if finding.kind in _SHARES or (finding.error or inf) > MOST_MADE_UP:
        return False
    return bool(_answers_from(finding, tasks))


def _answers_hold(finding: OutputFinding, tasks: Sequence[TaskAgreement]) -> bool:
    """Return whether the answers read from an output agree, whatever one part of it does: then
    it is worse than before, but nobody loses an answer."""
    answers = _answers_from(finding, tasks)
    agree = all(each.share >= _least_agreement(each) for each in answers)
    return finding.kind not in _SHARES and bool(answers) and agree


def _answers_from(
    finding: OutputFinding, tasks: Sequence[TaskAgreement]
) -> list[TaskAgreement]:
    return [each for each in tasks if each.telling and each.output in ("", finding.output)]


def broken_part(
    name: str, reference: NDArray[np.generic] | None, other: NDArray[np.generic] | None
) -> str:
    """Return which part of an output is broken for one input, as a clause; "" for none.

    That is a part that is always 0, no longer varies, or whose error is as large as its
    spread: what larger values in the same output hide from an error of the whole.
    """
    if reference is None or other is None or reference.shape != other.shape:
        return ""
    if not (_is_numeric(reference) and _is_numeric(other)) or _is_discrete(reference):
        return ""
    sums = PairedSums()
    sums.add(reference, other)
    for finding in output_findings.judged(name, sums).findings:
        if finding.kind in _FIXED or (finding.error or 0.0) >= 1:
            return finding_text(finding)
    return ""


def label(verdict: OutputVerdict) -> str:
    """Return the level of a verdict in two or three words, beside its sentence."""
    return _LABELS[verdict.level]


def sentence(verdict: OutputVerdict) -> str:
    """Return the verdict as people read it, in one sentence."""
    inputs = inputs_text(verdict)
    if verdict.level == UNDECIDED:
        return _undecided(verdict, inputs)
    tasks, worst = _tasks_text(verdict), error_text(verdict.worst)
    if verdict.level == SAME:
        return Sentence(
            "Outputs are the same on {inputs}{parenthesis}.", inputs, _parenthesis(tasks)
        )
    if verdict.level == WITHIN:
        # Without answers that were read, nothing can be said of them.
        if not verdict.tasks or verdict.worst is None or load_of(verdict.worst) <= 1:
            return Sentence(
                "Outputs are nearly the same on {inputs}{parenthesis}.",
                inputs,
                _parenthesis(tasks, worst),
            )
        if all(each.same == each.count for each in verdict.tasks):
            return Sentence(
                "Answers are the same on {inputs}{parenthesis}, although {worst}.",
                inputs,
                _parenthesis(tasks),
                worst,
            )
        return Sentence(
            "Answers are nearly the same on {inputs}{parenthesis}, although {worst}.",
            inputs,
            _parenthesis(tasks),
            worst,
        )
    if _decided_by_answers(verdict):
        parenthesis = _parenthesis(
            finding_text(verdict.findings[0]) if verdict.findings else ""
        )
        if verdict.level == DEGRADED:
            return Sentence(
                "Answers are degraded on {inputs}: {tasks}{parenthesis}.",
                inputs,
                tasks,
                parenthesis,
            )
        return Sentence(
            "Answers are mostly different on {inputs}: {tasks}{parenthesis}. Do not ship this.",
            inputs,
            tasks,
            parenthesis,
        )
    named = joined(
        *(finding_text(each) for each in verdict.findings[:_MOST_NAMED]), separator="; "
    )
    more = len(verdict.findings) - _MOST_NAMED
    named += Sentence("; {more}", Count(more, "more finding")) if more > 0 else ""
    parenthesis = _parenthesis(tasks)
    if verdict.level == DEGRADED:
        return Sentence(
            "Outputs are degraded on {inputs}: {named}{parenthesis}.",
            inputs,
            named,
            parenthesis,
        )
    if not _is_numeric_error(verdict):
        return Sentence(
            "Outputs are broken on {inputs}: {named}{parenthesis}. Do not ship this.",
            inputs,
            named,
            parenthesis,
        )
    ratio = _ratio_text(verdict)
    return Sentence(
        "Outputs are mostly different{ratio} on {inputs}: {named}{parenthesis}. "
        "Do not ship this.",
        ratio,
        inputs,
        named,
        parenthesis,
    )


def is_rounding(verdict: OutputVerdict) -> bool:
    """Return whether all that differs is rounding, even if there are too few inputs to say
    that answers stay the same."""
    error = verdict.worst.error if verdict.worst is not None else None
    return not verdict.findings and (error or 0.0) <= SAME_ERROR


def _decided_by_answers(verdict: OutputVerdict) -> bool:
    """Return whether a bad level comes from answers, and not from findings of their own."""
    return all(
        each.kind not in _ANY | _FIXED and _has_answers(each, verdict.tasks)
        for each in verdict.findings
    )


def repeat_text(repeats: float) -> str:
    """Return how far two runs of a model are apart that does not repeat, as a clause.

    repeats: as in `OutputVerdict`.
    """
    return Sentence(
        "the model does not repeat its outputs: two runs on one input differ by {spread_text}",
        _spread_text(repeats),
    )


def _spread_text(error: float) -> str:
    amount, times = _amount(error)
    return (
        Sentence("{amount} times their spread", amount)
        if times
        else Sentence("{amount} of their spread", amount)
    )


def as_json(verdict: OutputVerdict) -> dict[str, Any]:
    """Return a verdict for --json, with its sentence."""
    body: dict[str, Any] = to_builtins(verdict)
    return body | {"good": verdict.good, "sentence": sentence(verdict)}


def inputs_text(verdict: OutputVerdict) -> str:
    """Return what was compared: "20 typical inputs, held out from calibration"."""
    number = _input_count(verdict)
    if verdict.held_out is None:
        return number
    if verdict.held_out:
        return Sentence("{number}, not used for calibration", number)
    return Sentence("{number}, also used for calibration", number)


def _input_count(verdict: OutputVerdict) -> str:
    count, kind = verdict.inputs, verdict.input_kind
    if kind == TYPICAL:
        return counted(count, "typical input")
    if kind == TEST_DATA:
        return counted(count, "test input")
    if kind == RANDOM:
        return counted(count, "random input")
    if kind == ZEROS:
        return (
            "1 input of zeros"
            if count == 1
            else Sentence("{count} inputs of zeros", Count(count))
        )
    return counted(count, "made-up input")


def _undecided(verdict: OutputVerdict, inputs: str) -> str:
    repeats = verdict.repeats or 0.0
    if verdict.reason == UndecidedReason.NOT_REPEATING:
        return Sentence(
            "No verdict: the original does not repeat its outputs: two runs on one input "
            "differ by {spread_text}.",
            _spread_text(repeats),
        )
    if verdict.reason == UndecidedReason.NOTHING_COMPARED:
        return "No verdict: no output could be compared."
    seen = _tasks_text(verdict)
    if is_rounding(verdict) and verdict.reason != UndecidedReason.CLOSE:
        return Sentence(
            "No verdict from only {inputs}{parenthesis}.",
            inputs,
            _parenthesis("outputs agree within rounding", seen),
        )
    if verdict.findings:
        seen = joined(seen, finding_text(verdict.findings[0]), separator="; ")
    elif not seen and verdict.worst is not None:
        seen = error_text(verdict.worst)
    if verdict.reason == UndecidedReason.CLOSE:
        return Sentence(
            "No verdict: {inputs} are too few to tell{parenthesis}.", inputs, _parenthesis(seen)
        )
    return Sentence("No verdict from only {inputs}{parenthesis}.", inputs, _parenthesis(seen))


def _parenthesis(*texts: str) -> str:
    text = joined(*texts, separator="; ")
    return Sentence(" ({text})", text) if text else ""


def _tasks_text(verdict: OutputVerdict) -> str:
    parts = list[str]()
    for each in verdict.tasks:
        same_answer = _TASKS.get(each.kind, f"same {each.kind}")
        if each.same == each.count < verdict.inputs:
            parts.append(
                Sentence(
                    "{same_answer} on all {plural} with any",
                    same_answer,
                    Count(each.count, "input"),
                )
            )
        elif each.same == each.count:
            parts.append(
                same_answer
                if each.count == 1
                else Sentence("{same_answer} on all", same_answer)
            )
        elif each.kind in ("classes", "text") and each.count == verdict.inputs:
            parts.append(
                Sentence("{same_answer} on {same} of them", same_answer, Count(each.same))
            )
        elif each.kind in ("classes", "text"):
            parts.append(
                Sentence(
                    "{same_answer} on {same} of {plural}",
                    same_answer,
                    Count(each.same),
                    Count(each.count, "input"),
                )
            )
        elif each.kind == "boxes":
            parts.append(Sentence("{share} agreement of boxes", f"{each.share:.0%}"))
        elif each.kind == "mask":
            parts.append(Sentence("{share} agreement of masks", f"{each.share:.0%}"))
        else:
            parts.append(Sentence("{share} agreement of points", f"{each.share:.0%}"))
    return joined(*parts)


def error_text(worst: OutputFinding | None) -> str:
    """Return how large the largest error is: "row 3 of output0 is off by 2.10% of its
    spread"; empty for none."""
    if worst is None or not worst.error:
        return ""
    return finding_text(worst)


def finding_text(finding: OutputFinding) -> str:
    """Return a finding as a clause: "rows 4 to 6 of output0 no longer vary"."""
    part, several = _part(finding)
    are, vary, have = ("are", "vary", "depend") if several else ("is", "varies", "depends")
    kind, others = finding.kind, finding.count - (finding.last - finding.first + 1)
    if others > 0 and kind not in _COUNTED:
        part, several = Sentence("{part} and {others} more", part, Count(others)), True
        are, vary, have = "are", "vary", "depend"
    if kind == DEAD:
        return Sentence("{part} {are} always 0", part, are)
    if kind == CONSTANT:
        return Sentence("{part} no longer {vary}", part, vary)
    if kind == FROZEN:
        return Sentence("{part} no longer {have} on the input", part, have)
    if kind == SATURATED:
        return Sentence("{part} {are} clipped", part, are)
    if kind == NON_FINITE:
        are = "are" if finding.count > 1 else "is"
        return Sentence(
            "{plural} of {part} {are} NaN or infinite", Count(finding.count, "value"), part, are
        )
    if kind == MISSING:
        return Sentence("{part} is missing", part)
    if kind == SHAPE:
        return Sentence("{part} has another shape or type", part)
    if kind == ROWS:
        return Sentence(
            "{count} of {plural} of {part} differ",
            Count(finding.count),
            Count(finding.of, "row"),
            part,
        )
    if kind == UNEQUAL:
        return Sentence(
            "{count} of {plural} of {part} differ",
            Count(finding.count),
            Count(finding.of, "value"),
            part,
        )
    if kind == ERROR and finding.error == inf:
        return Sentence("{part} {are} no longer constant", part, are)
    return _error_clause(kind, part, several, finding.error or 0.0, largest=others > 0)


def _error_clause(kind: str, part: str, several: bool, error: float, largest: bool) -> str:
    """Return an error of numbers: "y is off by 24% of its spread", "... 270 times its spread".

    largest: whether it is the largest of several parts.
    """
    are, whose = ("are", "their") if several else ("is", "its")
    amount, times = _amount(error)
    if largest:
        amount = Sentence("up to {amount}", amount)
    if kind == ERROR and times:
        return Sentence(
            "{part} {are} off by {amount} times {whose} spread", part, are, amount, whose
        )
    if kind == ERROR:
        return Sentence(
            "{part} {are} off by {amount} of {whose} spread", part, are, amount, whose
        )
    if kind == RESPONSE and times:
        return Sentence(
            "{part} {are} off by {amount} times {whose} variation between inputs",
            part,
            are,
            amount,
            whose,
        )
    if kind == RESPONSE:
        return Sentence(
            "{part} {are} off by {amount} of {whose} variation between inputs",
            part,
            are,
            amount,
            whose,
        )
    if times:
        return Sentence(
            "{part} {are} shifted or scaled by {amount} times {whose} variation between inputs",
            part,
            are,
            amount,
            whose,
        )
    return Sentence(
        "{part} {are} shifted or scaled by {amount} of {whose} variation between inputs",
        part,
        are,
        amount,
        whose,
    )


def _amount(error: float) -> tuple[str, bool]:
    """Return a relative error as a percentage or, True, a multiple: ("270", True)."""
    if error > _MOST_TIMES:
        return Sentence("more than {most_times}", Count(_MOST_TIMES)), True
    if error >= _FEWEST_TIMES:
        return f"{error:.2g}" if error < 10 else _rounded(error), True
    return f"{error:.0%}" if error >= _WHOLE_PERCENT else f"{error:.2%}", False


def _rounded(number: float) -> str:
    """Return a number from 10 on with two significant digits: "1,200"."""
    return f"{float(f'{number:.2g}'):,.0f}"


def _part(finding: OutputFinding) -> tuple[str, bool]:
    """Return the name of a part, "rows 4 to 6 of output0", and whether it is several."""
    name = clip(finding.output, 60)
    name = f"'{name}'" if name.isdigit() else name  # "channel 5 of 758" reads as a count
    if finding.axis is None or finding.kind in _COUNTED:
        return name, False
    noun, first, last = _axis_noun(finding), finding.first, finding.last
    several = first != last
    if noun == "row":
        text = (
            Sentence("rows {first} to {last} of {name}", first, last, name)
            if several
            else Sentence("row {first} of {name}", first, name)
        )
    elif noun == "column":
        text = (
            Sentence("columns {first} to {last} of {name}", first, last, name)
            if several
            else Sentence("column {first} of {name}", first, name)
        )
    elif noun == "channel":
        text = (
            Sentence("channels {first} to {last} of {name}", first, last, name)
            if several
            else Sentence("channel {first} of {name}", first, name)
        )
    elif several:
        text = Sentence("batch items {first} to {last} of {name}", first, last, name)
    else:
        text = Sentence("batch item {first} of {name}", first, name)
    return text, several


def _axis_noun(finding: OutputFinding) -> str:
    axis, rank = finding.axis, finding.rank
    if finding.period:
        return "channel"
    if rank <= 2:
        return "row" if axis == 0 and rank == 2 else "column"
    if axis == 0:
        return "batch item"
    if rank == 3:
        return "row" if axis == 1 else "column"
    return "channel" if axis == 1 else "row" if axis == rank - 2 else "column"


def _is_numeric_error(verdict: OutputVerdict) -> bool:
    """Return whether the worst finding is an error of numbers, and not a broken part."""
    worst = verdict.findings[0] if verdict.findings else None
    return (
        worst is not None
        and worst.kind in (ERROR, RESPONSE, SHIFT)
        and worst.error not in (None, 0.0, inf)
    )


def _ratio_text(verdict: OutputVerdict) -> str:
    """Return the worst error in decibels, " (SNR 8 dB)"; empty beyond the whole spread."""
    error = verdict.findings[0].error or inf
    return f" (SNR {-20 * log10(error):.0f} dB)" if error < 1 else ""
