"""Results of a search for the best settings, in numbers and sentences."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from msgspec import Struct

from inspector import units
from inspector.analysis.verdicts.interleaved import StartRatios, verdict_for_start_ratios
from inspector.report.report import PredictionFilter
from inspector.report.run_spec import SETTINGS, RunSpec
from inspector.report.settings import Goal
from inspector.report.sweep import AXES
from inspector.report.tuning import InterleavedStart, Tuning, p95_ns
from inspector.statistics.process_starts import MIN_STARTS
from inspector.statistics.significance import RatioVerdict, Verdict
from inspector.wording.values import Sentence, joined

OWN = "the default settings"


def settings_text(spec: RunSpec, default: RunSpec | None = None) -> str:
    """Return the settings in which a spec differs from `default`: 'threads 2, no spinning'."""
    usual = RunSpec() if default is None else default
    changes = []
    for name in AXES:
        value, setting = getattr(spec, name), SETTINGS[name]
        if value == getattr(usual, name):
            continue
        if isinstance(value, bool):
            changes.append(setting.noun if value else f"no {setting.noun}")
        elif value == 0:
            changes.append(f"{setting.zero} {setting.noun}")
        else:
            changes.append(f"{setting.noun} {setting.text(value)}")
    if spec.dimensions != usual.dimensions:
        sizes = {each.name: each.size for each in usual.dimensions}
        new = [d for d in spec.dimensions if sizes.get(d.name) != d.size]
        changes += [f"{units.clip(each.name, 40)} {each.size}" for each in new]
    if spec.devices != usual.devices:
        changes.insert(0, f"device {', '.join(spec.devices)}")
    known = {*usual.provider_options}
    options = [each for each in spec.provider_options if each not in known]
    changes += [f"{each.key}={units.clip(each.value, 40)}" for each in options]
    if spec.on_cpu != usual.on_cpu:
        changes.append(f"forced to CPU: {units.clip(', '.join(spec.on_cpu) or 'nothing', 60)}")
    return joined(*changes) or OWN


class _Words(Struct, frozen=True):
    """How a goal is written: '10% less {noun}', '3.0 times {as_much}'; number: of its cost."""

    noun: str
    as_much: str
    number: Callable[[float], str]
    none: str
    none_clearly: str
    measure: str


def _items_per_second(ns: float) -> str:
    return f"{1e9 / ns:,.1f} items per second" if ns else "unknown"


_WORDS = {
    Goal.LATENCY: _Words(
        "time", "as long", units.duration,
        "No settings are faster than the default settings.",
        "No settings are clearly faster than the default settings.",
        "medians of {}",
    ),
    Goal.THROUGHPUT: _Words(
        "time per item", "as long per item", _items_per_second,
        "No settings compute more items per second than the default settings.",
        "No settings clearly compute more items per second than the default settings.",
        "medians of {}, one run at a time",
    ),
    Goal.MEMORY: _Words(
        "memory", "as much memory", units.size,
        "No settings take less memory than the default settings.",
        "No settings clearly take less memory than the default settings.",
        "peak memory that the model adds to a process",
    ),
}  # fmt: skip


class Combined(Struct, frozen=True):
    """The pooled result of pairs of process starts: the second settings' time over the first's.

    judgement: with a 95% interval. filter: which predictions of both sides were counted.
    first_ns: their median on the first side. starts: pairs that had a say.
    """

    judgement: RatioVerdict
    filter: PredictionFilter
    first_ns: float
    starts: int

    @property
    def ratio(self) -> float:
        """The geometric mean over the pairs of starts."""
        return self.judgement.ratio


@lru_cache(64)
def combined(starts: tuple[InterleavedStart, ...]) -> Combined:
    """Combine the estimates of pairs of starts; of none: undecided.

    Undisturbed predictions are counted where enough starts had them, else all predictions: the
    same on both sides, in every start.
    """
    every = [one for start in starts for one in start.estimates]
    filtered = [one for one in every if one.filter is not PredictionFilter.ALL]
    enough = len(filtered) >= max(1, min(MIN_STARTS, len(starts)))
    counted = (
        filtered if enough else [one for one in every if one.filter is PredictionFilter.ALL]
    )
    if not counted:
        return Combined(
            RatioVerdict(Verdict.UNDECIDED, 1.0, None, None), PredictionFilter.ALL, 0.0, 0
        )
    logs = np.log([one.ratio for one in counted])
    errors = np.array([one.error for one in counted])
    first_ns = float(np.exp(np.mean(np.log([one.first_ns for one in counted]))))
    kinds = {one.filter for one in counted}
    which = kinds.pop() if len(kinds) == 1 else PredictionFilter.HAD_CORE
    return Combined(
        verdict_for_start_ratios(StartRatios(logs, errors)), which, first_ns, len(counted)
    )


def gained(tuning: Tuning) -> Combined:
    """Return the challenger against the default, by the last match alone."""
    return combined(tuning.starts)


def chosen(tuning: Tuning) -> RunSpec:
    """Return the settings to take: the default unless something beats it, or it takes longer
    than is allowed."""
    if tuning.challenger is None or tuning.too_slow(tuning.challenger_rounds):
        return tuning.default
    too_slow = tuning.too_slow(tuning.default_rounds)
    kept = bool(tuning.challenger_rounds) and too_slow
    return tuning.challenger if kept or _beaten(gained(tuning)) else tuning.default


def sentences(tuning: Tuning) -> tuple[str, ...]:
    """Return sentences on the result of a search, its certainty, and its caveats."""
    notes = (f"Note: {note}." for note in tuning.notes)
    return (*_outcome(tuning), *_limit(tuning), *_end(tuning), *notes)


def leader_text(tuning: Tuning) -> str:
    """Return the best settings so far as text: 'threads 2, about 12.0% less time'."""
    if tuning.leader is None:
        return OWN
    change = _in_words(units.time_change(tuning.leader_ratio), tuning.goal)
    return f"{settings_text(tuning.leader, tuning.default)}, about {change}"


def _outcome(tuning: Tuning) -> tuple[str, ...]:
    result, challenger = gained(tuning), tuning.challenger
    if challenger is None:
        if not tuning.complete:
            return (f"The search ended before it had a result. Best so far: "
                    f"{leader_text(tuning)}.",)  # fmt: skip
        return ("Only the default settings could be measured.",)
    settings = settings_text(challenger, tuning.default)
    words = _WORDS[tuning.goal]
    change = _in_words(units.time_change(result.ratio), tuning.goal)
    low, high = result.judgement.low, result.judgement.high
    if result.starts < MIN_STARTS or low is None or high is None:
        about = f", about {change}" if result.starts else ""
        if result.starts and result.ratio >= 1:
            settings, about = OWN, f"; next: {settings}{about}"
        return (
            f"Best so far: {settings}{about}; not confirmed, because time was up. Allow more "
            "time (--time).",
        )
    new, old = result.ratio * result.first_ns, result.first_ns
    times = f"{words.number(new)} instead of {words.number(old)}"
    between = f"95% CI: {units.time_change_range(low, high)}"
    if result.judgement.verdict is Verdict.FASTER:
        first = f"{units.capitalized(settings)}: {change}, {times} ({between})."
    elif result.judgement.verdict is Verdict.SLOWER:
        first = f"{words.none} Second best: {settings}: {change} ({between})."
    else:
        first = Sentence(
            "{none} Best candidate: {settings}: {value} ({between}).",
            words.none_clearly,
            settings,
            result.judgement.label.partition(":")[0],
            between,
        )
    starts = f"Compared in {result.starts} interleaved pairs of processes"
    return first, f"{starts}; {words.measure.format(_filter_text(result.filter))}."


def _limit(tuning: Tuning) -> tuple[str, ...]:
    """Return whether the settings to take keep the limit of a run's time, if there is one."""
    if not tuning.most_p95_ns:
        return ()
    is_default = chosen(tuning) == tuning.default
    rounds = tuning.default_rounds if is_default else tuning.challenger_rounds
    if not rounds:  # no last match
        rounds = next((t.rounds for t in tuning.trials if t.spec == tuning.default), ())
    p95, most = p95_ns(rounds), units.duration(tuning.most_p95_ns)
    if p95 is None:
        return ()
    if p95 > tuning.most_p95_ns:
        return (f"No settings keep p95 at or below {most}: it is {units.duration(p95)}.",)
    return (f"Within the limit: p95 is {units.duration(p95)}, at most {most} is allowed.",)


def _end(tuning: Tuning) -> tuple[str, ...]:
    """Return the reason why a search ended early, if it did."""
    return (tuning.ended,) if tuning.ended else ()


def _beaten(result: Combined) -> bool:
    return result.starts >= MIN_STARTS and result.judgement.verdict is Verdict.FASTER


def _filter_text(which: PredictionFilter) -> str:
    if which is PredictionFilter.ALL:
        return "all runs, because too few were at full CPU speed"
    if which is PredictionFilter.HAD_CORE:
        return "runs that never waited for a CPU core"
    return f"runs {which.value}"


def in_time(change: str) -> str:
    """Finish a change in time: '10.0% less time', '3.0 times as long'."""
    return _in_words(change, Goal.LATENCY)


def _in_words(change: str, goal: Goal) -> str:
    """Finish a change: '10.0% less time', '3.0 times as long', '10.0% less memory'."""
    words = _WORDS[goal]
    return f"{change} {words.as_much if change.endswith('times') else words.noun}"
