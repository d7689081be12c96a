"""How often a verdict about two measurements is right, where the truth is known.

`python -m benchmarks.verdicts` draws pairs of measurements of several shapes: plain noise,
noise with a memory from one prediction to the next, hiccups, two speeds, a slow drift. The
limits are those that the comparison promises: at most 5 of 100 equal pairs are told apart, a
median interval holds the truth in 95 of 100, and 5 % are found. The truth of a shape that is
not symmetric is the median of a million draws. Then the same for five starts a side that
differ, and for lists of layers, which differ from start to start: all together, and each by
itself.
`--real N` measures two models N times each as a user does who asks for nothing, on one
thread, in turns with the same with more work, and compares reports drawn from these, of one
start and of five a side, and their layers: at any two times, in turns, and of as many starts
as `measure --against` takes, until the ratio is known narrowly enough. A busy machine has
several speeds: then a verdict may be "undecided", never wrong.
"""

import argparse
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray

from benchmarks.verdict_pairs import (
    REAL_PAIRS,
    STARTS,
    Pair,
    Pool,
    at_any_time,
    in_turns,
    until_narrow,
)
from inspector import units
from inspector.alignment import align
from inspector.analysis.statistics import statistics
from inspector.equal_pace import at_equal_pace
from inspector.judge import Judgement, Verdict, judge, judge_paced
from inspector.layer_changes import blocks
from inspector.layer_judge import Change, Timed, judged
from inspector.report import USUAL, ModelIdentity, PerformanceReport

PAIRS, MEDIAN_NS, MANY = 200, 2e6, 1_000_000
LEAST, MANY_PAIRS = 9, 2000
LISTS, LAYERS, RUNS, BUSY, APART = 50, 200, 10, 0.1, 0.04
Pools = tuple[Pool, Pool]


@dataclass(frozen=True, slots=True)
class Real:
    """A model, its input, and error functions that make it slower."""

    path: Path
    name: str
    shape: tuple[int, ...]
    more: int


_LIGHT = Path(onnx.__file__).parent / "backend/test/data/light"
REAL = (
    Real(Path("sample_models/digits_float32.onnx"), "picture", (1, 1, 8, 8), 1),
    Real(_LIGHT / "light_squeezenet.onnx", "data_0", (1, 3, 224, 224), 3),
)


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
    found = []
    for seed in range(PAIRS):
        sides = samples(kind, 1.0, seed), samples(kind, slower, PAIRS + seed)
        found.append(judge(*sides, start_spread=0).verdict)
    return 100 * sum(map(right, found)) / PAIRS


def rate_of_starts(spreads: tuple[float, float], tail: float, slower: float) -> float:
    """Percent of pairs of STARTS starts a side that are told apart.

    spreads: standard deviation of the logarithm over starts, of both sides. tail: share of
    starts that are slow besides, by 3 to 9 %.
    """
    random, lengths = np.random.default_rng(1), ([LEAST] * STARTS,) * 2
    told = 0
    for _ in range(MANY_PAIRS):
        sides = []
        for spread, by in zip(spreads, (1.0, slower), strict=True):
            logs = spread * random.normal(size=(STARTS, 1))
            slow = random.random((STARTS, 1)) < tail
            logs = logs + slow * random.uniform(0.03, 0.09, (STARTS, 1))
            logs = logs + 0.01 * random.normal(size=(STARTS, LEAST))
            sides.append((MEDIAN_NS * by * np.exp(logs)).astype(int).ravel().tolist())
        told += judge(sides[0], sides[1], lengths=lengths).verdict is not Verdict.SAME
    return 100 * told / MANY_PAIRS


def held(kind: Kind) -> float:
    """Percent of intervals of the median that hold the true one."""
    middle, hits = truth(kind), 0
    for seed in range(PAIRS):
        found = statistics(samples(kind, 1.0, seed))
        if found and found.median_low_ns is not None and found.median_high_ns is not None:
            hits += found.median_low_ns <= middle <= found.median_high_ns
    return 100 * hits / PAIRS


def layers(starts: int) -> tuple[float, float, float]:
    """Percent of lists without a false entry; of entries that are false; of 20 % found.

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
        sides.append(Timed(told, middles, times[:, 0]))
    return judged(sides[0], sides[1], Judgement(Verdict.SAME, 1.0, None, None))


def real(starts: int) -> None:
    """Measure each model so often, with and without more work, and judge pairs of these."""
    with tempfile.TemporaryDirectory() as folder:
        for each in REAL:
            slower = Path(folder) / f"slower_{each.path.name}"
            onnx.save(_with_more_work(onnx.load(each.path), each.more), slower)
            loads: list[float] = []
            pools: Pools = ([], [])
            for _ in range(starts):
                for pool, path in zip(pools, (each.path, slower), strict=True):
                    pool.append(_measured(path, each))
                loads.append(os.getloadavg()[0])
            print(f"\n{each.path.name}, 1 thread, a load of {np.median(loads):.1f}", flush=True)
            _tell(pools)


def _tell(pools: Pools) -> None:
    at_full = [[one for one in pool if one.paced.enough] for pool in pools]
    shares = [share for pool in pools for one in pool if (share := one.pace.share) is not None]
    print(
        f"  {len(pools[0])} and {len(pools[1])} starts, {len(at_full[0])} and "
        f"{len(at_full[1])} with enough predictions at full pace; the middle one was at "
        f"{100 * np.median(shares):.0f} % of it or less half of its time"
    )
    if min(map(len, at_full)) < 2:
        wrong = REAL_PAIRS - _verdicts(pools[0], pools[0], 1, 1.0)[Verdict.PACE]
        print(f"    the processor was too busy to decide; {wrong} of {REAL_PAIRS} pairs were")
        return
    every = [np.log([np.median(one.prediction_ns) for one in pool]) for pool in pools]
    chosen = [np.log([one.median_ns for one in pool]) for pool in at_full]
    print(
        f"  medians scatter by {100 * np.std(every[0], ddof=1):.1f} % with all predictions, "
        f"by {100 * np.std(chosen[0], ddof=1):.1f} % with those at full pace"
    )
    slower = 100 * (float(np.exp(np.mean(chosen[1]) - np.mean(chosen[0]))) - 1)
    for count, promised in ((1, 0.3), (5, 0.9)):
        if min(map(len, pools)) >= 2 * count + 2:
            _tell_pairs(pools, count, promised, slower)
            _tell_layers(pools[0], count)
    if len(pools[0]) > 2 * STARTS:
        _tell_turns(in_turns, pools[0], "{:g} starts a side in turns", "pairs that overlap")
        words = "in turns until narrow enough, {:g} starts a side in the middle pair"
        _tell_turns(until_narrow, pools[0], words, "pairs")


def _tell_turns(
    drawn: Callable[[Pool, float], Iterator[Pair]], pool: Pool, words: str, pairs: str
) -> None:
    """A line about pairs in turns; words: of how many starts they are, to be filled in."""
    verdicts, starts = Counter[Verdict](), []
    for pair in drawn(pool, 1.0):
        verdicts.update(_judged([pair]))
        starts.append(len(pair[0].start_lengths))
    right = _decided(verdicts, Verdict.SAME)
    found = _decided(_judged(drawn(pool, 1.05)), Verdict.SLOWER)
    print(
        f"    {words.format(np.median(starts))}: same is same {100 * right:.0f} % (>= 95 %: "
        f"{_kept(right >= 0.95)}), 5 % slower by arithmetic is found {100 * found:.0f} % "
        f"(>= 90 %: {_kept(found >= 0.9)}), of {verdicts.total()} {pairs}",
        flush=True,
    )


def _tell_pairs(pools: Pools, count: int, promised: float, slower: float) -> None:
    """A line about pairs of so many starts a side."""
    same = _verdicts(pools[0], pools[0], count, 1.0)
    made = _verdicts(pools[0], pools[0], count, 1.05)
    there = _verdicts(pools[0], pools[1], count, 1.0)
    right, found = _decided(same, Verdict.SAME), _decided(made, Verdict.SLOWER)
    print(
        f"    {units.plural(count, 'start')} a side: same is same {100 * right:.0f} % "
        f"(>= 95 %: {_kept(right >= 0.95)}), 5 % slower by arithmetic is found "
        f"{100 * found:.0f} % (>= {100 * promised:.0f} %: {_kept(found >= promised)}), "
        f"the model that is {slower:.1f} % slower "
        f"{100 * _decided(there, Verdict.SLOWER):.0f} %; "
        f"undecided were {100 * same[Verdict.PACE] / REAL_PAIRS:.0f} %",
        flush=True,
    )


def _tell_layers(pool: Pool, count: int) -> None:
    """A line about the layers of pairs that are the same."""
    clean = told = there = 0
    for pair in at_any_time(pool, pool, count):
        rows = align([report.layers for report in pair], ["same", "same"])
        whole = judge_paced(at_equal_pace(*pair))
        found, _ = blocks(rows, pair, (whole, whole))
        wrong = sum(b.changes[1] in (Change.SLOWER, Change.FASTER) for b in found)
        clean += not wrong
        told += wrong
        there += sum(b.changes[1] is not Change.NONE for b in found)
    share, apart = clean / REAL_PAIRS, 100 * told / max(1, there)
    print(
        f"      lists of their layers without a false entry {100 * share:.0f} % (>= 95 %: "
        f"{_kept(share >= 0.95)}), layers that are told apart {apart:.2f} %",
        flush=True,
    )


def _kept(kept: bool) -> str:
    return "OK" if kept else "MISSED"


def _decided(verdicts: Counter[Verdict], right: Verdict) -> float:
    """Share of a verdict among those that were one."""
    return verdicts[right] / max(1, verdicts.total() - verdicts[Verdict.PACE])


def _verdicts(one: Pool, other: Pool, count: int, slower: float) -> Counter[Verdict]:
    """Verdicts on pairs of reports of so many starts, no start on both sides."""
    return _judged(at_any_time(one, other, count, slower))


def _judged(pairs: Iterable[Pair]) -> Counter[Verdict]:
    return Counter(judge_paced(at_equal_pace(*sides)).verdict for sides in pairs)


def _with_more_work(model: onnx.ModelProto, more: int) -> onnx.ModelProto:
    """The same with another output: so many times the error function of the first input."""
    graph = model.graph
    known = {weight.name for weight in graph.initializer}
    given = next(value for value in graph.input if value.name not in known)
    names = [given.name, *(f"more{place}" for place in range(more))]
    for before, after in pairwise(names):
        graph.node.append(onnx.helper.make_node("Erf", [before], [after]))
    graph.output.append(onnx.ValueInfoProto(name=names[-1], type=given.type))
    return model


def _measured(path: Path, each: Real) -> PerformanceReport:
    from inspector.engine.process import EngineProcess

    feeds = {each.name: np.zeros(each.shape, np.float32)}
    spec = replace(USUAL, threads=1)
    with EngineProcess() as engine:
        return engine.measure(path, ModelIdentity(path.name, path.name, 0, 0, 0), spec, feeds)


def _tell_starts() -> None:
    """Lines about starts that differ; how much, and how many are slow besides."""
    print(f"\n{STARTS} starts a side that differ by")
    for spreads, tail, promised in (
        ((0.002, 0.002), 0.0, 90),
        ((0.01, 0.01), 0.0, 90),
        ((0.018, 0.018), 0.0, 90),
        ((0.01, 0.03), 0.0, 0),
        ((0.15, 0.15), 0.0, 0),
        ((0.01, 0.01), 0.1, 0),
    ):
        same = 100 - rate_of_starts(spreads, tail, 1.0)
        found = rate_of_starts(spreads, tail, 1.05)
        both = " and ".join(f"{100 * spread:.1f} %" for spread in dict.fromkeys(spreads))
        slow = f", {100 * tail:.0f} % slow" if tail else ""
        limit = f" (>= {promised} %: {_kept(found >= promised)})" if promised else ""
        print(
            f"  {both + slow:<20} same is same {same:.1f} % (>= 95 %: {_kept(same >= 95)}), "
            f"5 % found {found:.1f} %{limit}",
            flush=True,
        )


def _tell_lists() -> None:
    """Lines about lists of layers."""
    print(f"\n{LAYERS} layers, {RUNS} profiled predictions each, 4 % of noise,")
    print(f"{100 * APART:.0f} % from start to start, all layers together {100 * BUSY:.0f} %")
    for starts in (1, 5):
        clean, false, found = layers(starts)
        print(f"  {units.plural(starts, 'start')} a side")
        print(f"    lists of equal reports without an entry {clean:.0f} % (promised >= 95 %)")
        print(
            f"    entries that are false, where a tenth is 20 % slower: {false:.1f} % (<= 5 %)"
        )
        print(f"    of these found: {found:.0f} %")


def main() -> None:
    """Print a line for each kind of noise, and those of the other two questions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", type=int, default=0, metavar="N", help="starts of each")
    options = parser.parse_args()
    print(f"{'':<34}{'same is same':>14}{'5 % found':>11}{'interval holds':>16}")
    print(f"{'promised':<34}{'>= 95 %':>14}{'':>11}{'95 %':>16}")
    for kind in KINDS:
        same = rate(kind, 1.0, lambda verdict: verdict is Verdict.SAME)
        seen = rate(kind, 1.05, lambda verdict: verdict is Verdict.SLOWER)
        print(f"{kind.name:<34}{same:>12.1f} %{seen:>9.1f} %{held(kind):>14.1f} %", flush=True)
    _tell_starts()
    _tell_lists()
    if options.real:
        real(options.real)


if __name__ == "__main__":
    main()
