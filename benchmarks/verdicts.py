"""How often a verdict about two measurements is right, where the truth is known.

`python -m benchmarks.verdicts` draws pairs of measurements of several shapes: plain noise,
noise with a memory from one prediction to the next, hiccups, two speeds, a slow drift. The
limits are those that the comparison promises: at most 5 of 100 equal pairs are told apart, a
median interval holds the truth in 95 of 100, and 5 % are found. The truth of a shape that is
not symmetric is the median of a million draws. Then the same for lists of layers.
`--real N` measures a sample model 2 × N times, each in a process of its own, and compares these
in pairs, as they are and with the second made 5 % slower by arithmetic: what differs between
two starts of a process is in no interval, and here is how much that matters on this machine.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from inspector.analysis.statistics import statistics
from inspector.judge import Verdict, judge
from inspector.layer_changes import Change, judged

PAIRS, MEDIAN_NS, MANY = 200, 2e6, 1_000_000
LISTS, LAYERS, RUNS = 50, 200, 10
GROUP = 10
MODEL = Path("sample_models/digits_float32.onnx")


@dataclass(frozen=True, slots=True)
class Kind:
    """A way in which predictions scatter; alike: correlation with the one before.

    spread: of the logarithm. hiccups: share that takes half as long again. second: share in a
    second mode, 30 % slower. drift: how much slower the last is than the first.
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
    Kind("200, drifting by 3 %", 200, drift=0.03),
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
    found = (
        judge(samples(kind, 1.0, seed), samples(kind, slower, PAIRS + seed)).verdict
        for seed in range(PAIRS)
    )
    return 100 * sum(map(right, found)) / PAIRS


def held(kind: Kind) -> float:
    """Percent of intervals of the median that hold the true one."""
    middle, hits = truth(kind), 0
    for seed in range(PAIRS):
        found = statistics(samples(kind, 1.0, seed))
        if found and found.median_low_ns is not None and found.median_high_ns is not None:
            hits += found.median_low_ns <= middle <= found.median_high_ns
    return 100 * hits / PAIRS


def layers() -> tuple[float, float, float]:
    """Percent of lists without a false entry; of entries that are false; of 20 % found."""
    clean = false = told = found = there = 0
    for seed in range(LISTS):
        random = np.random.default_rng(seed)
        level = 1e5 * np.exp(random.normal(size=(LAYERS, 1)))
        one, other = (
            level * np.exp(0.04 * random.normal(size=(LAYERS, RUNS))) for _ in range(2)
        )
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


def changes(one: NDArray[np.float64], other: NDArray[np.float64]) -> list[Change]:
    """Verdicts on layers from their times in each profiled prediction."""
    means = [[int(value) for value in side.mean(axis=1)] for side in (one, other)]
    return judged(means[0], means[1], one, other)


def real(pairs: int) -> None:
    """Measure a sample model in so many pairs of processes and judge each pair."""
    measured = [_measured() for _ in range(2 * pairs)]
    two = list(zip(measured[::2], measured[1::2], strict=True))
    same = [judge(one, other).verdict for one, other in two]
    slow = [judge(one, [int(1.05 * ns) for ns in other]).verdict for one, other in two]
    ratios = [float(np.median(other) / np.median(one)) - 1 for one, other in two]
    apart = f"{100 * float(np.median(np.abs(ratios))):.1f} % in the middle"
    print(f"\n{pairs} pairs of processes of {MODEL.name}, 1 thread: medians apart {apart}")
    print(f"  same is same {_percent(same, Verdict.SAME)}", end=", ")
    print(f"5 % slower is slower {_percent(slow, Verdict.SLOWER)}")
    if 2 * pairs < 2 * GROUP:
        return
    random, middles = np.random.default_rng(0), [int(np.median(one)) for one in measured]
    splits = [random.permutation(middles)[: 2 * GROUP].tolist() for _ in range(PAIRS)]
    same = [judge(some[:GROUP], some[GROUP:]).verdict for some in splits]
    slow = [judge(s[:GROUP], [int(1.05 * ns) for ns in s[GROUP:]]).verdict for s in splits]
    print(f"  by the medians of {GROUP} processes a side, {PAIRS} ways to draw them:", end=" ")
    print(f"same is same {_percent(same, Verdict.SAME)}", end=", ")
    print(f"5 % slower is slower {_percent(slow, Verdict.SLOWER)}")


def _percent(found: Sequence[Verdict], right: Verdict) -> str:
    return f"{100 * sum(one is right for one in found) / max(1, len(found)):.0f} %"


def _measured() -> tuple[int, ...]:
    from inspector.engine.process import EngineProcess
    from inspector.report import ModelIdentity, RunSpec

    feeds = {"picture": np.zeros((1, 1, 8, 8), np.float32)}
    spec = RunSpec(threads=1, runs=1000, warmup=100, profiled_runs=0)
    with EngineProcess() as engine:
        identity = ModelIdentity(MODEL.name, "", 0, 0, 0)
        return engine.measure(MODEL, identity, spec, feeds).prediction_ns


def main() -> None:
    """Print a line for each kind of noise, and those of the other two questions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=int, default=0, metavar="N", help="pairs of processes")
    options = parser.parse_args()
    print(f"{'':<34}{'same is same':>14}{'5 % found':>11}{'interval holds':>16}")
    print(f"{'promised':<34}{'>= 95 %':>14}{'':>11}{'95 %':>16}")
    for kind in KINDS:
        same = rate(kind, 1.0, lambda verdict: verdict is Verdict.SAME)
        seen = rate(kind, 1.05, lambda verdict: verdict is Verdict.SLOWER)
        print(f"{kind.name:<34}{same:>12.1f} %{seen:>9.1f} %{held(kind):>14.1f} %", flush=True)
    clean, false, found = layers()
    print(f"\n{LAYERS} layers, {RUNS} profiled predictions each, 4 % of noise")
    print(f"  lists of equal reports without an entry: {clean:.0f} % (promised >= 95 %)")
    print(f"  entries that are false, where a tenth is 20 % slower: {false:.1f} % (<= 5 %)")
    print(f"  of these found: {found:.0f} %")
    if options.real:
        real(options.real)


if __name__ == "__main__":
    main()
