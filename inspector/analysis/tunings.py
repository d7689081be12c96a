"""What a search for the best settings found, in numbers and sentences."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from inspector import units
from inspector.judge import Judgement, Verdict
from inspector.paired import Filter, Ratios, judge_ratios
from inspector.report import RunSpec
from inspector.starts import LEAST_STARTS, SURE
from inspector.tuning import PairedStart, Tuning

OWN = "the runtime's own settings"
_WORDS = {
    "threads": "threads",
    "inter_threads": "inter-op threads",
    "optimization": "optimization",
    "execution_mode": "execution",
    "spinning": "spinning",
    "arena": "memory arena",
    "memory_pattern": "memory pattern",
    "binding": "binding",
}


def settings_words(spec: RunSpec, default: RunSpec | None = None) -> str:
    """What a spec sets other than `default` (the runtime's own): 'threads 2, no spinning'."""
    usual = RunSpec() if default is None else default
    told = []
    for name, words in _WORDS.items():
        value = getattr(spec, name)
        if value == getattr(usual, name):
            continue
        if isinstance(value, bool):
            told.append(words if value else f"no {words}")
        elif value == 0:
            told.append(f"{words} as the runtime likes")
        else:
            shown = units.binding(value) if name == "binding" else value
            told.append(f"{words} {shown}")
    if spec.on_cpu != usual.on_cpu:
        told.append(f"kept on the CPU: {units.clip(', '.join(spec.on_cpu) or 'nothing', 60)}")
    return ", ".join(told) or OWN


@dataclass(frozen=True, slots=True)
class Combined:
    """What pairs of starts say together about two settings: the second's time over the first's.

    judgement: with a 95 % interval. filter: which predictions of both sides were counted.
    first_ns: their median on the first side. starts: pairs that had a say.
    """

    judgement: Judgement
    filter: Filter
    first_ns: float
    starts: int

    @property
    def ratio(self) -> float:
        """The geometric mean over the pairs of starts."""
        return self.judgement.ratio


@lru_cache(64)
def combined(starts: tuple[PairedStart, ...]) -> Combined:
    """Combine the estimates of pairs of starts; of none: undecided.

    Undisturbed predictions are counted where enough starts had them, else all predictions: the
    same on both sides, in every start.
    """
    every = [one for start in starts for one in start.estimates]
    filtered = [one for one in every if one.filter is not Filter.ALL]
    enough = len(filtered) >= max(1, min(LEAST_STARTS, len(starts)))
    counted = filtered if enough else [one for one in every if one.filter is Filter.ALL]
    if not counted:
        return Combined(Judgement(Verdict.UNDECIDED, 1.0, None, None), Filter.ALL, 0.0, 0)
    logs = np.log([one.ratio for one in counted])
    errors = np.array([one.error for one in counted])
    first_ns = float(np.exp(np.mean(np.log([one.first_ns for one in counted]))))
    kinds = {one.filter for one in counted}
    which = kinds.pop() if len(kinds) == 1 else Filter.HAD_CORE
    return Combined(judge_ratios(Ratios(logs, errors)), which, first_ns, len(counted))


def gained(tuning: Tuning) -> Combined:
    """Return the challenger against the default, by the last match alone."""
    return combined(tuning.starts)


def chosen(tuning: Tuning) -> RunSpec:
    """Return the settings to take: the default unless something beats it."""
    if tuning.challenger is None or not _beaten(gained(tuning)):
        return tuning.default
    return tuning.challenger


def sentences(tuning: Tuning) -> tuple[str, ...]:
    """Say what was found, and how sure it is."""
    return (*_outcome(tuning), *_end(tuning))


def leader_words(tuning: Tuning) -> str:
    """Say what is best so far in a search: 'threads 2, about 12.0 % less time'."""
    if tuning.leader is None:
        return OWN
    change = _in_time(units.time_change(tuning.leader_ratio))
    return f"{settings_words(tuning.leader, tuning.default)}, about {change}"


def _outcome(tuning: Tuning) -> tuple[str, ...]:
    found, challenger = gained(tuning), tuning.challenger
    if challenger is None:
        if not tuning.complete:
            return (f"The search ended before anything was decided. Best so far: "
                    f"{leader_words(tuning)}.",)  # fmt: skip
        return ("Nothing but the runtime's own settings could be measured.",)
    words = settings_words(challenger, tuning.default)
    change = _in_time(units.time_change(found.ratio))
    low, high = found.judgement.low, found.judgement.high
    if found.starts < LEAST_STARTS or low is None or high is None:
        about = f", about {change}" if found.starts else ""
        return (
            f"Best of what was tried: {words}{about}; there was no time to tell whether that "
            "is chance.",
        )
    times = (
        f"{units.duration(found.ratio * found.first_ns)} instead of "
        f"{units.duration(found.first_ns)}"
    )
    between = f"95 % interval: {units.time_change_range(low, high)}"
    if found.judgement.verdict is Verdict.FASTER:
        first = f"{_capital(words)}: {change}, {times} ({between})."
    elif found.judgement.verdict is Verdict.SLOWER:
        first = (
            f"Nothing beats the runtime's own settings. Next comes {words}: {change} "
            f"({between})."
        )
    elif (found.judgement.half_width or 0) > SURE:
        first = (
            "Nothing beats the runtime's own settings beyond doubt. "
            f"Next comes {words}: no difference that could be told apart from chance "
            f"({between})."
        )
    else:
        first = (
            f"Nothing beats the runtime's own settings. Next comes {words}: no difference "
            f"({between})."
        )
    starts = f"Measured again in {found.starts} starts each, in turns"
    return first, f"{starts}; medians of {_counted_words(found.filter)}."


def _end(tuning: Tuning) -> tuple[str, ...]:
    """Say why the search ended early, if it did."""
    return (tuning.ended,) if tuning.ended else ()


def _beaten(found: Combined) -> bool:
    return found.starts >= LEAST_STARTS and found.judgement.verdict is Verdict.FASTER


def _counted_words(which: Filter) -> str:
    if which is Filter.ALL:
        return "all predictions, since the CPU was too busy for undisturbed ones"
    return f"predictions {which.value}"


def _in_time(change: str) -> str:
    """Finish a change in time: '10.0 % less time', '3.0 times as long'."""
    return f"{change} as long" if change.endswith("times") else f"{change} time"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
