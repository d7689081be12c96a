"""Conditions on two reports, as a CI job states them: "prediction.p50>+10%"."""

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from enum import StrEnum
from functools import partial

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from inspector import units
from inspector.analysis.verdicts.matched_cpu_speed import at_matched_speed, full_speed_text
from inspector.analysis.verdicts.speed import compare_medians
from inspector.comparison.comparison import Comparison, compare
from inspector.errors import BadInput
from inspector.model.tensors.difference import Difference
from inspector.report.report import PerformanceReport
from inspector.statistics.cpu_speed import CountedPredictions
from inspector.statistics.intervals import (
    MIN_P90_SAMPLES,
    MIN_P95_SAMPLES,
    MIN_P99_SAMPLES,
    MIN_SAMPLES,
    Interval,
    Quantile,
    Statistic,
    mean,
    median,
)
from inspector.statistics.process_starts import (
    over_processes,
    pooled_statistic,
    ratio_interval,
    statistic_interval,
)
from inspector.statistics.significance import RatioVerdict, Verdict, compare_samples
from inspector.wording.values import Count, Sentence, counted

_FORM = re.compile(
    r"([A-Za-z0-9._]+)\s*(>=|<=|>|<)\s*([+-]?)(\d+(?:\.\d+)?(?:e-?\d+)?)\s*([^\s\d]*)"
)
_NS = {"ns": 1.0, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9}
_TOKENS = {"": 1.0, "tokens/s": 1.0, "/s": 1.0}
_UNITS = {
    "ns": _NS, "bytes": units.BYTES, "dB": {"": 1.0, "dB": 1.0}, "": {"": 1.0},
    "tokens/s": _TOKENS, "share": {"": 1.0, "%": 0.01},
}  # fmt: skip
_EXAMPLES = "Use the form 'latency.p50>+10%', 'memory.peak>300MiB' or 'layers.moved>0'."
_MEDIAN = "prediction.p50"
_LAYERS = ("layers.moved", "layers.new", "layers.gone")
_TOKENS_PER_SECOND = "generation.tokens_per_second"
_OF_GENERATION = (_TOKENS_PER_SECOND, "generation.first_token")


class Outcome(StrEnum):
    """Outcome of a condition; inconclusive where noise leaves it open."""

    HOLDS = "holds"
    FAILS = "does not hold"
    UNDECIDED = "undecided"

    @property
    def label(self) -> str:
        """Return the outcome as people read it; the value is that of earlier versions."""
        return _LABELS[self]


_LABELS = {Outcome.HOLDS: "FAIL", Outcome.FAILS: "pass", Outcome.UNDECIDED: "inconclusive"}


class Form(StrEnum):
    """The quantity that is compared with the limit: a value, a change, or a relative change."""

    VALUE = "value"
    CHANGE = "change"
    SHARE = "share"


class Condition(Struct, frozen=True):
    """A limit on one quantity; limit in nanoseconds, bytes, decibels, layers, shares of 1.

    relation: ">", ">=", "<" or "<=".
    """

    text: str
    subject: str
    relation: str
    limit: float
    form: Form

    @property
    def stands_alone(self) -> bool:
        """Return whether one report decides it, as it does 'latency.p95>3ms'."""
        return self.form is Form.VALUE and not self.subject.startswith("layers.")

    def outcome(self, *values: float) -> "Outcome":
        """Return whether all of these values meet it; undecided where only some do."""
        met = set(map(self.true_of, values))
        if len(met) > 1:
            return Outcome.UNDECIDED
        return Outcome.HOLDS if True in met else Outcome.FAILS

    def true_of(self, value: float) -> bool:
        """Return whether one value meets it."""
        if self.relation[0] == ">":
            return value >= self.limit if self.relation == ">=" else value > self.limit
        return value <= self.limit if self.relation == "<=" else value < self.limit


class Finding(Struct, frozen=True):
    """The outcome of a condition for one report; text: the numbers behind it."""

    condition: Condition
    name: str
    outcome: Outcome
    text: str

    @property
    def plain(self) -> str:
        """Return the text for scripts, with an ASCII minus."""
        return self.text.replace("−", "-")


class _Quantity(Struct, frozen=True):
    """A quantity of a report: a single value, or a statistic of samples in nanoseconds."""

    unit: str
    samples: Callable[[PerformanceReport], tuple[float, ...]]
    statistic: Statistic | None = None
    least: int = MIN_SAMPLES
    all_predictions: bool = False  # else those at full CPU speed


def _predictions(statistic: Statistic, least: int = MIN_SAMPLES) -> _Quantity:
    return _Quantity("ns", lambda report: report.prediction_ns, statistic, least)


def _of_all(statistic: Statistic, least: int = MIN_SAMPLES) -> _Quantity:
    return replace(_predictions(statistic, least), all_predictions=True)


def _single(unit: str, value: Callable[[PerformanceReport], int]) -> _Quantity:
    return _Quantity(unit, lambda report: (value(report),))


def _output(unit: str, pick: Callable[[Sequence[float]], float], name: str) -> _Quantity:
    """Of the worst output; nothing where no output was checked or has such a number."""

    def samples(report: PerformanceReport) -> tuple[float, ...]:
        apart = [each.difference for each in report.outputs if each.difference is not None]
        values = [_worth(one, name) for one in apart]
        known = [value for value in values if value is not None]
        return (pick(known),) if known else ()

    return _Quantity(unit, samples)


def _worth(apart: Difference, name: str) -> float | None:
    """A number of a difference; what cannot be compared at all is as wrong as can be."""
    if apart.problem or apart.unmatched:
        return math.inf if name == "max_abs" else -math.inf if name.endswith("db") else 0.0
    value: float | None = getattr(apart, name)
    return value


_QUANTITIES = {
    "prediction.p50": _predictions(median),
    "prediction.p90": _predictions(Quantile(0.9), MIN_P90_SAMPLES),
    "prediction.p95": _predictions(Quantile(0.95), MIN_P95_SAMPLES),
    "prediction.p99": _predictions(Quantile(0.99), MIN_P99_SAMPLES),
    "prediction.mean": _predictions(mean),
    "prediction.all.p50": _of_all(median),
    "prediction.all.p90": _of_all(Quantile(0.9), MIN_P90_SAMPLES),
    "prediction.all.p95": _of_all(Quantile(0.95), MIN_P95_SAMPLES),
    "prediction.all.p99": _of_all(Quantile(0.99), MIN_P99_SAMPLES),
    "prediction.all.mean": _of_all(mean),
    "prediction.all.max": _single("ns", lambda report: max(report.prediction_ns, default=0)),
    "prediction.first": _single("ns", lambda report: report.first_prediction_ns),
    "load": _single("ns", lambda report: report.load_ns),
    "memory.peak": _single("bytes", lambda report: report.memory.peak_bytes),
    "memory.loaded": _single("bytes", lambda report: report.memory.loaded_bytes),
    "memory.model": _single("bytes", lambda report: report.memory.model_bytes),
    "model.size": _single("bytes", lambda report: report.model.size_bytes),
    # What these two are judged by stands in `_of_generation`.
    "generation.tokens_per_second": _Quantity("tokens/s", lambda report: ()),
    "generation.first_token": _Quantity("ns", lambda report: ()),
    "output.psnr": _output("dB", min, "psnr_db"),
    "output.sqnr": _output("dB", min, "sqnr_db"),
    "output.max_abs": _output("", max, "max_abs"),
    "output.top1": _output("", min, "top1"),
}
SUBJECTS = (*_QUANTITIES, *_LAYERS)
# "latency.p50" is the name for people; "prediction.p50" is that of earlier versions.
_ALIASES = {
    name.replace("prediction.", "latency."): name for name in SUBJECTS if "prediction." in name
} | {"layers.added": "layers.new", "layers.removed": "layers.gone"}
SHOWN_SUBJECTS = (*_ALIASES, *(name for name in SUBJECTS if name not in _ALIASES.values()))


def parse(text: str) -> Condition:
    """Read a condition on reports. Raises BadInput: not understood, and what would be."""
    metrics = dict.fromkeys(_LAYERS, None) | {name: q.unit for name, q in _QUANTITIES.items()}
    return read_condition(text, metrics, set(_QUANTITIES), SHOWN_SUBJECTS, _ALIASES, _EXAMPLES)


def read_condition(
    text: str,
    metrics: Mapping[str, str | None],
    changing: Collection[str],
    shown: Sequence[str],
    aliases: Mapping[str, str],
    examples: str,
) -> Condition:
    """Read a condition on one of these metrics. Raises BadInput: not understood.

    metrics: unit of each, a key of `_UNITS`; None for counts. changing: those whose change,
    also in percent, can be limited. shown: names for people. examples: a hint.
    """
    what = Sentence("Could not read the condition '{text}'", units.clip(text, 80))
    match = _FORM.fullmatch(text.strip())
    if match is None:
        raise BadInput(
            what,
            "it must consist of a metric, a comparison operator such as >, and a limit",
            examples,
        )
    subject, relation, sign, digits, unit = match.groups()
    subject = aliases.get(subject, subject)
    if subject not in metrics:
        first = next((name for name in shown if name.startswith(f"{subject}.")), "")
        near = first or next(iter(get_close_matches(subject, (*shown, *metrics), n=1)), "")
        meant = f"Did you mean '{near}'? " if near else ""
        hint = f"{meant}The metrics are {', '.join(shown)}."
        raise BadInput(what, f"there is no metric '{subject}'", hint)
    changes, limit_unit = subject in changing, metrics[subject]
    scales = {"": 1.0} if limit_unit is None else _UNITS[limit_unit]
    if changes and unit == "%" and unit not in scales:
        if not sign:
            hint = f"{subject}>+10% means more than 10% above the baseline."
            raise BadInput(what, "a percentage is a change, so it must start with + or -", hint)
        scale, form = 0.01, Form.SHARE
    elif unit in scales and (changes or not sign):
        scale, form = scales[unit], Form.CHANGE if sign else Form.VALUE
    else:
        allowed = [name or "a number" for name in scales]
        allowed += ["a signed percentage"] * (changes and "%" not in scales)
        why = f"the limit of {subject} must be one of: {', '.join(allowed)}"
        raise BadInput(what, why, examples)
    limit = float(digits) * scale * (-1 if sign == "-" else 1)
    return Condition(text.strip(), subject, relation, limit, form)


def judged(
    conditions: Sequence[Condition],
    reports: Sequence[PerformanceReport],
    comparison: Comparison,
) -> tuple[Finding, ...]:
    """Return the outcome of every condition for each report but the first."""
    return tuple(_findings(conditions, reports, comparison))


def judged_alone(
    conditions: Sequence[Condition], report: PerformanceReport, name: str
) -> tuple[Finding, ...]:
    """Return the outcomes of conditions that need no second report."""
    pair = (report, report)
    return judged(conditions, pair, compare(pair, (name, name)))


def _findings(
    conditions: Sequence[Condition],
    reports: Sequence[PerformanceReport],
    comparison: Comparison,
) -> Iterator[Finding]:
    for condition in conditions:
        for side in range(1, len(reports)):
            early = _ended_early(condition, (reports[0], reports[side]))
            if early:
                outcome, text = Outcome.UNDECIDED, early
            elif condition.subject in _LAYERS:
                outcome, text = _of_layers(condition, comparison, side)
            else:
                outcome, text = _of_quantity(condition, reports[0], reports[side])
            yield Finding(condition, comparison.names[side], outcome, text)


def between(
    condition: Condition, value: float, ends: Interval, write: Callable[[float], str]
) -> tuple[Outcome, str]:
    """Decide by the interval of what a number might have been, and say both.

    write: returns the text of such a number.
    """
    low, high = map(write, ends)
    return condition.outcome(*ends), f"{write(value)} (95% CI {low} to {high})"


def _ended_early(condition: Condition, pair: Sequence[PerformanceReport]) -> str:
    """Return why a measurement that ended early cannot decide a condition; else empty.

    What was known before the end stands: loading, the first prediction, and those sampled.
    """
    whole = ("layers.", "memory.", "output.")
    if condition.subject.startswith(whole) and not all(report.complete for report in pair):
        return "the measurement ended early"
    return ""


def _of_layers(condition: Condition, comparison: Comparison, side: int) -> tuple[Outcome, str]:
    pairs = [(layer.cells[0], layer.cells[side]) for layer in comparison.layers]
    counts = {
        "layers.moved": sum(layer.moved_in(side) for layer in comparison.layers),
        "layers.new": sum(a is None and b is not None for a, b in pairs),
        "layers.gone": sum(a is not None and b is None for a, b in pairs),
    }
    count = counts[condition.subject]
    return condition.outcome(count), counted(count, "layer")


def _of_quantity(
    condition: Condition, first: PerformanceReport, other: PerformanceReport
) -> tuple[Outcome, str]:
    if condition.subject in _OF_GENERATION:
        return _of_generation(condition, first, other)
    quantity = _QUANTITIES[condition.subject]
    sides = (quantity.samples(first), quantity.samples(other))
    if quantity.statistic is None:
        needed = sides[1:] if condition.form is Form.VALUE else sides
        if not all(needed):
            return Outcome.UNDECIDED, "outputs were not checked; measure with --check"
        sides = (sides[0] or sides[1], sides[1])
        value = _formed(condition.form, *(float(side[0]) for side in sides))
        text = f"{_words(condition, value)} (one value per report; no interval)"
        return condition.outcome(value), text
    if condition.form is not Form.VALUE and condition.subject == _MEDIAN:
        return _of_change(condition, float(first.median_ns), compare_medians(first, other))
    if quantity.all_predictions:
        chosen = _every(first), _every(other)
    elif condition.form is Form.VALUE:
        chosen = (other.full_speed_predictions,) * 2
    else:
        chosen = at_matched_speed(first, other)
    fewest = min(len(side.samples_ns) for side in chosen)
    if fewest < quantity.least:
        few = counted(fewest, "run")
        return Outcome.UNDECIDED, f"{few}, but at least {quantity.least} are needed"
    if condition.form is Form.VALUE:
        return _of_value(condition, quantity, other, chosen[1])
    if not all(side.enough for side in chosen):
        return Outcome.UNDECIDED, _full_speed((first, other))
    samples, lengths = (
        (chosen[0].samples_ns, chosen[1].samples_ns),
        (chosen[0].lengths, chosen[1].lengths),
    )
    first_ns = pooled_statistic(samples[0], lengths[0], quantity.statistic, quantity.least)
    judgement = compare_samples(
        *samples, quantity.statistic, lengths=lengths, least=quantity.least
    )
    return _of_change(condition, first_ns, judgement)


def _of_generation(
    condition: Condition, first: PerformanceReport, other: PerformanceReport
) -> tuple[Outcome, str]:
    """Return the outcome for the speed of a language model, at the headline's conditions."""
    of_speed = condition.subject == _TOKENS_PER_SECOND
    rows = []
    for report in (other,) if condition.form is Form.VALUE else (first, other):
        speed = report.generation
        row = None if speed is None else speed.decode if of_speed else speed.prompt
        if row is None:
            return Outcome.UNDECIDED, "nothing was generated; measure with --new-tokens"
        rows.append(row)
    if {(row.context, row.batch) for row in rows} != {(rows[0].context, rows[0].batch)}:
        lengths = " and ".join(str(row.context) for row in rows)
        return Outcome.UNDECIDED, f"measured at different lengths: {lengths} tokens"
    ends = rows[-1].speed_interval if of_speed else rows[-1].first_token_interval
    value = rows[-1].tokens_per_second if of_speed else rows[-1].median_first_token_ns
    if condition.form is Form.VALUE:
        if ends is None or value is None:
            return Outcome.UNDECIDED, f"too few repetitions; measure with --runs {MIN_SAMPLES}"
        processes = max(1, len(other.start_lengths))
        return _between(condition, value, over_processes(value, ends, processes))
    before = rows[0].tokens_per_second if of_speed else rows[0].median_first_token_ns
    times = [row.steps if of_speed else row.first_token_ns for row in rows]
    lengths_of = [row.lengths if of_speed else () for row in rows]
    ratio = ratio_interval((times[0], times[1]), (lengths_of[0], lengths_of[1]), median)
    if ratio is None or not before or value is None:
        return Outcome.UNDECIDED, f"too few repetitions; measure with --runs {MIN_SAMPLES}"
    low, high = (1 / ratio[1], 1 / ratio[0]) if of_speed else ratio
    scale = 1.0 if condition.form is Form.SHARE else before
    changes = scale * (low - 1), scale * (high - 1)
    return _between(condition, scale * (value / before - 1), changes)


def _every(report: PerformanceReport) -> CountedPredictions:
    """All predictions of a report, whatever the CPU's speed."""
    wall, lengths = report.prediction_ns, report.start_lengths
    places = np.arange(len(wall))
    starts = len(lengths) or 1
    return CountedPredictions(
        None, True, places, wall, report.prediction_cpu_ns, lengths, starts
    )


def _of_change(
    condition: Condition, first_ns: float, judgement: RatioVerdict
) -> tuple[Outcome, str]:
    """Return the outcome for a change by the verdict on it, which every surface shows."""
    if judgement.low is None or judgement.high is None:
        return Outcome.UNDECIDED, judgement.text()
    scale = 1.0 if condition.form is Form.SHARE else first_ns
    value, *ends = (
        scale * (ratio - 1) for ratio in (judgement.ratio, judgement.low, judgement.high)
    )
    outcome, text = _between(condition, value, (ends[0], ends[1]))
    if judgement.verdict is Verdict.CONTRADICTED:
        return Outcome.UNDECIDED, judgement.text()
    return outcome, text


def _of_value(
    condition: Condition,
    quantity: _Quantity,
    report: PerformanceReport,
    side: CountedPredictions,
) -> tuple[Outcome, str]:
    """Return the outcome for a value over other starts of the process."""
    statistic = quantity.statistic
    assert statistic is not None, "what is no statistic of samples has no interval"
    if not side.enough:
        return _slowed(condition, quantity, report)
    value = pooled_statistic(side.samples_ns, side.lengths, statistic, quantity.least)
    ends = statistic_interval(side.samples_ns, side.lengths, statistic, least=quantity.least)
    if ends is None:
        return Outcome.UNDECIDED, Sentence(
            "{runs}, too few", Count(len(side.samples_ns), "run")
        )
    return _between(condition, value, ends)


def _between(condition: Condition, value: float, ends: Interval) -> tuple[Outcome, str]:
    return between(condition, value, ends, partial(_words, condition))


def _full_speed(reports: Sequence[PerformanceReport]) -> str:
    """Return how few runs were at full CPU speed."""
    counts = " and ".join(filter(None, map(full_speed_text, reports)))
    return f"{'' if counts.startswith('none') else 'only '}{counts} at full CPU speed"


def _slowed(
    condition: Condition, quantity: _Quantity, report: PerformanceReport
) -> tuple[Outcome, str]:
    """Return the outcome for a value where the CPU was slower, from bounds on it."""
    text, samples, statistic = _full_speed((report,)), report.prediction_ns, quantity.statistic
    assert statistic is not None, "what is no statistic of samples has no bounds"
    ends = statistic_interval(samples, (), statistic, least=quantity.least)
    if ends is None:
        return Outcome.UNDECIDED, text
    low, high = min(samples) * (report.pace.share or 0.0), ends[1]
    if condition.true_of(low) is not condition.true_of(high):
        return Outcome.UNDECIDED, text
    between = f"{_words(condition, low)} to {_words(condition, high)}"
    return condition.outcome(high), f"{between}; {text}"


def _formed(form: Form, first: float, other: float) -> float:
    if form is Form.VALUE:
        return other
    return other - first if form is Form.CHANGE else other / max(first, 1.0) - 1


def _words(condition: Condition, value: float) -> str:
    if condition.form is Form.SHARE:
        return units.change(1 + value)
    unit = _QUANTITIES[condition.subject].unit

    def write(number: float) -> str:
        if unit in ("ns", "bytes"):
            return (units.duration if unit == "ns" else units.size)(round(number))
        return f"{number:.4g} {unit}".replace("inf", "∞").strip()

    if condition.form is Form.CHANGE or value < 0:
        return units.signed(value, write)
    return write(value)
