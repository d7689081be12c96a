"""Results of a search for the best settings, in numbers and sentences."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from inspector import units
from inspector.analysis.verdicts.interleaved import StartRatios, verdict_for_start_ratios
from inspector.report.report import PredictionFilter
from inspector.report.run_spec import SETTINGS, RunSpec
from inspector.report.sweep import AXES
from inspector.report.tuning import InterleavedStart, Tuning
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
    if spec.on_cpu != usual.on_cpu:
        changes.append(f"forced to CPU: {units.clip(', '.join(spec.on_cpu) or 'nothing', 60)}")
    return joined(*changes) or OWN


@dataclass(frozen=True, slots=True)
class Combined:
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
    """Return the settings to take: the default unless something beats it."""
    if tuning.challenger is None or not _beaten(gained(tuning)):
        return tuning.default
    return tuning.challenger


def sentences(tuning: Tuning) -> tuple[str, ...]:
    """Return sentences on the result of a search, its certainty, and its caveats."""
    return (*_outcome(tuning), *_end(tuning), *(f"Note: {note}." for note in tuning.notes))


def leader_text(tuning: Tuning) -> str:
    """Return the best settings so far as text: 'threads 2, about 12.0% less time'."""
    if tuning.leader is None:
        return OWN
    change = in_time(units.time_change(tuning.leader_ratio))
    return f"{settings_text(tuning.leader, tuning.default)}, about {change}"


def _outcome(tuning: Tuning) -> tuple[str, ...]:
    result, challenger = gained(tuning), tuning.challenger
    if challenger is None:
        if not tuning.complete:
            return (f"The search ended before it had a result. Best so far: "
                    f"{leader_text(tuning)}.",)  # fmt: skip
        return ("Only the default settings could be measured.",)
    settings = settings_text(challenger, tuning.default)
    change = in_time(units.time_change(result.ratio))
    low, high = result.judgement.low, result.judgement.high
    if result.starts < MIN_STARTS or low is None or high is None:
        about = f", about {change}" if result.starts else ""
        return (
            f"Best so far: {settings}{about}; not confirmed, because time was up. Allow more "
            "time (--time).",
        )
    times = (
        f"{units.duration(result.ratio * result.first_ns)} instead of "
        f"{units.duration(result.first_ns)}"
    )
    between = f"95% CI: {units.time_change_range(low, high)}"
    if result.judgement.verdict is Verdict.FASTER:
        first = f"{_capital(settings)}: {change}, {times} ({between})."
    elif result.judgement.verdict is Verdict.SLOWER:
        first = (
            f"No settings are faster than the default settings. Second best: {settings}: "
            f"{change} ({between})."
        )
    else:
        first = Sentence(
            "No settings are clearly faster than the default settings. Best candidate: "
            "{settings}: {value} ({between}).",
            settings,
            result.judgement.label.partition(":")[0],
            between,
        )
    starts = f"Compared in {result.starts} interleaved pairs of processes"
    return first, f"{starts}; medians of {_filter_text(result.filter)}."


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
    return f"{change} as long" if change.endswith("times") else f"{change} time"


def _capital(text: str) -> str:
    return units.capitalized(text)
