"""How often a verdict about two measurements is right, on samples whose truth is known.

`python -m benchmarks.verdicts` draws pairs of measurements: 30 and 200 predictions, 4 % of
noise, with and without memory from one prediction to the next, and now and then a hiccup.
The limits are those that the comparison promises: at most 5 of 100 equal pairs are told
apart, a median interval holds the truth in 95 of 100, and 5 % are found.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from inspector.analysis.statistics import statistics
from inspector.judge import Verdict, judge

PAIRS, MEDIAN_NS = 200, 2e6


@dataclass(frozen=True, slots=True)
class Kind:
    """A way in which predictions scatter; alike: correlation with the one before."""

    name: str
    count: int
    alike: float = 0.0
    hiccups: float = 0.0


KINDS = (
    Kind("30 predictions", 30),
    Kind("200 predictions", 200),
    Kind("30, each like the one before", 30, alike=0.5),
    Kind("200, each like the one before", 200, alike=0.5),
    Kind("200, hiccups in 5 of 100", 200, hiccups=0.05),
)


def samples(kind: Kind, slower: float, seed: int) -> tuple[int, ...]:
    """Predictions in nanoseconds whose true median is MEDIAN_NS times `slower`."""
    random = np.random.default_rng(seed)
    noise = random.normal(size=kind.count)
    for place in range(1, kind.count):
        noise[place] *= (1 - kind.alike**2) ** 0.5
        noise[place] += kind.alike * noise[place - 1]
    values = MEDIAN_NS * slower * np.exp(0.04 * noise)
    values[random.random(kind.count) < kind.hiccups] *= 1.5
    return tuple(int(value) for value in values)


def rate(kind: Kind, slower: float, right: Callable[[Verdict], bool]) -> float:
    """Percent of pairs with a verdict that is right."""
    found = (
        judge(samples(kind, 1.0, seed), samples(kind, slower, PAIRS + seed)).verdict
        for seed in range(PAIRS)
    )
    return 100 * sum(map(right, found)) / PAIRS


def held(kind: Kind) -> float:
    """Percent of intervals of the median that hold the true one, without hiccups."""
    steady, hits = Kind(kind.name, kind.count, kind.alike), 0
    for seed in range(PAIRS):
        found = statistics(samples(steady, 1.0, seed))
        if found and found.median_low_ns is not None and found.median_high_ns is not None:
            hits += found.median_low_ns <= MEDIAN_NS <= found.median_high_ns
    return 100 * hits / PAIRS


def main() -> None:
    """Print a line for each kind of noise."""
    print(f"{'':<32}{'same is same':>14}{'5 % found':>11}{'interval holds':>16}")
    print(f"{'promised':<32}{'>= 95 %':>14}{'>= 90 %':>11}{'95 %':>16}")
    for kind in KINDS:
        same = rate(kind, 1.0, lambda verdict: verdict is Verdict.SAME)
        seen = rate(kind, 1.05, lambda verdict: verdict is Verdict.SLOWER)
        print(f"{kind.name:<32}{same:>12.1f} %{seen:>9.1f} %{held(kind):>14.1f} %")


if __name__ == "__main__":
    main()
