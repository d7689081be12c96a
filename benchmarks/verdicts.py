"""How often a verdict about two measurements is right, where the truth is known.

`python -m benchmarks.verdicts` draws pairs of measurements of several shapes: plain noise,
noise with a memory from one prediction to the next, hiccups, two speeds, a slow drift. The
limits are those that the comparison promises: at most 5 of 100 equal pairs are told apart, a
median interval holds the truth in 95 of 100, and 5% are found. The truth of a shape that is
not symmetric is the median of a million draws. Then the same for starts that differ, five a
side and in turns until the ratio is known as `measure --against` wants it, and for lists of
layers, which differ from start to start: all together, and each by itself.
`--real N` measures two models N times each as a user does who asks for nothing, on one
thread, in turns with the same with more work, and compares reports drawn from these, of one
start and of five a side, and their layers: at any two times, in turns, and of as many starts
as `measure --against` takes. A busy machine has several speeds: then a verdict may be
"undecided", never wrong. "The best test" is Student's t, at its exact level, on starts that
scatter as much: where it misses a limit, so does every rule (`parts.verdict_power`).
`--turns N` does the same with predictions that take turns, as `measure --against` lets them: N
pairs of starts of each model beside itself, and half as many beside the one with more work.
`--keep FILE` writes the starts into a file of columns, and `--from FILE` judges them again
without a measurement, to try another rule.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.parts import verdict_real, verdict_starts
from inspector import units
from inspector.analysis.measured.sample_statistics import statistics
from inspector.analysis.verdicts.layer_significance import Change, LayerTimes, classify_changes
from inspector.statistics.significance import RatioVerdict, Verdict, compare_samples

PAIRS, MEDIAN_NS, MANY = 200, 2e6, 1_000_000
LISTS, LAYERS, RUNS, BUSY, APART = 50, 200, 10, 0.1, 0.04


@dataclass(frozen=True, slots=True)
class Kind:
    """A way in which predictions scatter; alike: correlation with the one before.

    spread: of the logarithm. hiccups: share that takes half as long again. second: share in a
    second mode, 30% slower. drift: how much slower the last is than the first.
    """

    name: str
    count: int
    alike: float = 0.0
    spread: float = 0.04
    hiccups: float = 0.0
    second: float = 0.0
    drift: float = 0.0


KINDS = (
    Kind("30 predictions", 30),
    Kind("200 predictions", 200),
    Kind("30, lognormal, much noise", 30, spread=0.3),
    Kind("200, lognormal, much noise", 200, spread=0.3),
    Kind("30, each like the one before", 30, alike=0.5),
    Kind("200, each like the one before", 200, alike=0.5),
    Kind("200, hiccups in 5 of 100", 200, hiccups=0.05),
    Kind("200, two speeds, 65 and 35 of 100", 200, second=0.35),
    Kind("200, drifting by 3%", 200, drift=0.03),
)


def draw(kind: Kind, seed: int) -> NDArray[np.float64]:
    """Predictions in nanoseconds: float64 (kind.count,)."""
    random = np.random.default_rng(seed)
    noise = random.normal(size=kind.count)
    for place in range(1, kind.count if kind.alike else 1):
        noise[place] *= (1 - kind.alike**2) ** 0.5
        noise[place] += kind.alike * noise[place - 1]
    values: NDArray[np.float64] = MEDIAN_NS * np.exp(kind.spread * noise)
    values[random.random(kind.count) < kind.hiccups] *= 1.5
    values[random.random(kind.count) < kind.second] *= 1.3
    values *= np.linspace(1, 1 + kind.drift, kind.count)
    return values


def samples(kind: Kind, slower: float, seed: int) -> tuple[int, ...]:
    """The same, so many times as slow."""
    return tuple(int(value) for value in slower * draw(kind, seed))


def truth(kind: Kind) -> float:
    """The median of the shape, whatever the memory between neighbours."""
    many = Kind(kind.name, MANY, 0.0, kind.spread, kind.hiccups, kind.second, kind.drift)
    return float(np.median(draw(many, 12345)))


def rate(kind: Kind, slower: float, right: Callable[[Verdict], bool]) -> float:
    """Percent of pairs with a verdict that is right."""
    found = []
    for seed in range(PAIRS):
        sides = samples(kind, 1.0, seed), samples(kind, slower, PAIRS + seed)
        found.append(compare_samples(*sides, start_spread=0).verdict)
    return 100 * sum(map(right, found)) / PAIRS


def held(kind: Kind) -> float:
    """Percent of intervals of the median that hold the true one."""
    middle, hits = truth(kind), 0
    for seed in range(PAIRS):
        found = statistics(samples(kind, 1.0, seed))
        if found and found.median_low_ns is not None and found.median_high_ns is not None:
            hits += found.median_low_ns <= middle <= found.median_high_ns
    return 100 * hits / PAIRS


def layers(starts: int) -> tuple[float, float, float]:
    """Percent of lists without a false entry; of entries that are false; of 20% found.

    starts: of the process, in each of the reports.
    """
    clean = false = told = found = there = 0
    for seed in range(LISTS):
        random = np.random.default_rng(seed)
        level = 1e5 * np.exp(random.normal(size=(LAYERS, 1, 1)))
        one, other = (level * np.exp(_scatter(random, starts)) for _ in range(2))
        wrong = [c for c in changes(one, other) if c in (Change.SLOWER, Change.FASTER)]
        clean += not wrong
        other[: LAYERS // 10] *= 1.2
        mixed = changes(one, other)
        slower = [n for n, change in enumerate(mixed) if change is Change.SLOWER]
        told += len(slower)
        false += sum(n >= LAYERS // 10 for n in slower)
        found += sum(n < LAYERS // 10 for n in slower)
        there += LAYERS // 10
    return 100 * clean / LISTS, 100 * false / max(1, told), 100 * found / there


def _scatter(random: np.random.Generator, starts: int) -> NDArray[np.float64]:
    """Of logarithms: all layers of a start, each in a start, each in a prediction."""
    shape = LAYERS, starts, RUNS
    together, each = random.normal(size=(1, starts, 1)), random.normal(size=(LAYERS, starts, 1))
    return np.asarray(BUSY * together + APART * each + 0.04 * random.normal(size=shape))


def changes(one: NDArray[np.float64], other: NDArray[np.float64]) -> list[Change]:
    """Verdicts on layers from their times in each profiled prediction of each start."""
    sides = []
    for times in (one, other):
        middles = np.median(times, axis=2)
        told = tuple(int(ns) for ns in np.exp(np.log(middles).mean(axis=1)))
        sides.append(LayerTimes(told, middles, times[:, 0]))
    return classify_changes(sides[0], sides[1], RatioVerdict(Verdict.SAME, 1.0, None, None))


def _tell_lists() -> None:
    """Lines about lists of layers."""
    print(f"\n{LAYERS} layers, {RUNS} profiled predictions each, 4% of noise,")
    print(f"{100 * APART:.0f}% from start to start, all layers together {100 * BUSY:.0f}%")
    for starts in (1, 5):
        clean, false, found = layers(starts)
        print(f"  {units.plural(starts, 'start')} a side")
        print(f"    lists of equal reports without an entry {clean:.0f}% (promised >= 95%)")
        print(f"    entries that are false, where a tenth is 20% slower: {false:.1f}% (<= 5%)")
        print(f"    of these found: {found:.0f}%")


def main() -> None:
    """Print a line for each kind of noise, and those of the other two questions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=int, default=0, metavar="N", help="starts of each")
    parser.add_argument("--turns", type=int, default=0, metavar="N", help="pairs of each")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="keep these, .npz")
    parser.add_argument("--from", type=Path, metavar="FILE", help="judge those", dest="known")
    options = parser.parse_args()
    if options.known:
        verdict_real.again(options.known)
        return
    print(f"{'':<34}{'same is same':>14}{'5% found':>11}{'interval holds':>16}")
    print(f"{'promised':<34}{'>= 95%':>14}{'':>11}{'95%':>16}")
    for kind in KINDS:
        same = rate(kind, 1.0, lambda verdict: verdict is Verdict.SAME)
        seen = rate(kind, 1.05, lambda verdict: verdict is Verdict.SLOWER)
        print(f"{kind.name:<34}{same:>12.1f}%{seen:>9.1f}%{held(kind):>14.1f}%", flush=True)
    verdict_starts.tell()
    _tell_lists()
    if options.real:
        verdict_real.real(options.real, options.keep)
    if options.turns:
        verdict_real.in_turns_too(options.turns)


if __name__ == "__main__":
    main()
