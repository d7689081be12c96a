"""What a search for the best settings found, in numbers and sentences."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

import numpy as np

from inspector import units
from inspector.analysis.gains import Gain, gain_of
from inspector.judge import LEAST_EFFECT, Verdict
from inspector.report import RunSpec
from inspector.sweep import Round, at_full_pace
from inspector.tuning import Trial, Tuning

OWN = "the runtime's own settings"
_WORDS = {
    "threads": "threads",
    "inter_threads": "inter-op threads",
    "optimization": "optimisation",
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


def samples(rounds: Sequence[Round]) -> tuple[int, ...]:
    """All predictions of the rounds at full pace, or of all."""
    return tuple(
        chain.from_iterable(each.prediction_ns for each in at_full_pace(tuple(rounds)))
    )


def middle_ns(rounds: Sequence[Round]) -> float:
    """Geometric mean of medians of the rounds at full pace, or of all; infinite of none."""
    known = tuple(each for each in rounds if each.prediction_ns)
    medians = [np.median(each.prediction_ns) for each in at_full_pace(known)]
    return float(np.exp(np.mean(np.log(medians)))) if medians else float("inf")


def leading(trials: Sequence[Trial], besides: RunSpec | None = None) -> Trial | None:
    """The fastest trial, the one with spec `besides` left out."""
    known = [each for each in trials if each.rounds and each.spec != besides]
    return min(known, key=lambda each: middle_ns(each.rounds)) if known else None


@lru_cache(4)
def gained(tuning: Tuning) -> Gain:
    """The challenger against the default, by the last measurements alone."""
    return gain_of(tuning.default_rounds, tuning.challenger_rounds)


def chosen(tuning: Tuning) -> RunSpec:
    """The settings to take: the default unless something beats it."""
    if tuning.challenger is None or gained(tuning).verdict is not Verdict.FASTER:
        return tuning.default
    return tuning.challenger


def sentences(tuning: Tuning) -> tuple[str, ...]:
    """What was found, and how sure it is."""
    found, challenger = gained(tuning), tuning.challenger
    if challenger is None:
        return ("Nothing but the runtime's own settings could be measured.",)
    usual, other = middle_ns(tuning.default_rounds), middle_ns(tuning.challenger_rounds)
    words = settings_words(challenger, tuning.default)
    times = f"{units.duration(other)} instead of {units.duration(usual)}"
    if found.low is None or found.high is None:
        return (
            f"Best of what was tried: {words}, {times}; "
            "there was no time to tell whether that is chance.",
        )
    between = f"{_percent(1 - found.high)} to {_percent(1 - found.low)} less at 95 %"
    starts = f"measured again in {found.starts} starts each, in turns"
    if found.verdict is Verdict.FASTER:
        first = f"{_capital(words)}: {times}, {_percent(found.faster)} less time ({between})."
    else:
        unsure = found.verdict is Verdict.SAME and found.faster > LEAST_EFFECT
        doubt = " beyond doubt" if unsure else ""
        first = (
            f"Nothing beats the runtime's own settings{doubt}. "
            f"Next comes {words}: {times} ({between})."
        )
    return (first, f"{_capital(starts)}. {_spreads(tuning)}")


def _spreads(tuning: Tuning) -> str:
    """More threads raise the variance, so both spreads are told."""
    wide = []
    for rounds in (tuning.default_rounds, tuning.challenger_rounds):
        low, high = np.quantile(samples(rounds), (0.05, 0.95))
        wide.append(f"{units.duration(low)} to {units.duration(high)}")
    return f"Nine of ten predictions: {wide[0]} by default, {wide[1]} with these."


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %".replace("-", "−")


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
