"""Verdicts on models that are measured again and again, on this machine."""

import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray

from benchmarks.parts import verdict_turns
from benchmarks.parts.verdict_pairs import (
    STARTS,
    Pair,
    at_any_time,
    in_turns,
    one_after_the_other,
    until_narrow,
    verdict,
)
from benchmarks.parts.verdict_power import ideal
from benchmarks.parts.verdict_samples import Pool, Pools, Sample, Taken, keep, restored, sample
from benchmarks.parts.verdict_starts import kept
from inspector import units
from inspector.analysis.verdicts.interleaved import PrecisionGoal
from inspector.analysis.verdicts.layer_significance import Change
from inspector.analysis.verdicts.pooled_starts import pool_starts
from inspector.comparison.alignment import align
from inspector.comparison.layer_changes import blocks
from inspector.engine.client.process_repetitions import merge_reports
from inspector.report.report import ModelIdentity
from inspector.report.run_spec import DEFAULT_SPEC
from inspector.statistics.significance import Verdict

# So many pairs that which are drawn decides less than it does of 100.
PAIRS, LISTS, SLOWER = 200, 100, 1.05


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


def real(starts: int, to: Path | None = None) -> None:
    """Measure each model so often, and every second time with more work, then judge pairs.

    to: a file that keeps the starts, to judge them again.
    """
    with tempfile.TemporaryDirectory() as folder:
        taken = [_taken(each, starts, Path(folder)) for each in REAL]
    if to is not None:
        keep(taken, to)
    tell_all(taken)


def again(path: Path) -> None:
    """Judge pairs of starts that were kept."""
    tell_all(restored(path))


def in_turns_too(pairs: int) -> None:
    """Measure each model so often beside itself, and half as often beside more work."""
    with tempfile.TemporaryDirectory() as folder:
        for each in REAL:
            slower, feeds = _slower(each, Path(folder)), _feeds(each)
            same, seconds = verdict_turns.measured((each.path, each.path), feeds, pairs)
            print(f"\n{each.path.name}, 1 thread, in turns, {seconds:.1f} s a pair of starts")
            apart, _ = verdict_turns.measured((each.path, slower), feeds, pairs // 2)
            verdict_turns.tell(same, apart)


def tell_all(every: Iterable[Taken]) -> None:
    """Lines about all models."""
    for each in every:
        print(f"\n{each.model}, 1 thread, a load of {each.load:.1f}", flush=True)
        tell(each.pools, each.seconds_each)


def _taken(each: Real, starts: int, folder: Path) -> Taken:
    slower = _slower(each, folder)
    pools: Pools = ([], [])
    loads, begun = list[float](), time.monotonic()
    for number in range(starts):
        pools[0].append(_measured(each.path, each))
        if number % 2:
            pools[1].append(_measured(slower, each))
        loads.append(os.getloadavg()[0])
    seconds = (time.monotonic() - begun) / sum(map(len, pools))
    print(f"{each.path.name} is measured, {seconds:.1f} s a start", flush=True)
    return Taken(each.path.name, pools, seconds, float(np.median(loads)))


def _slower(each: Real, folder: Path) -> Path:
    slower = folder / f"slower_{each.path.name}"
    onnx.save(_with_more_work(onnx.load(each.path), each.more), slower)
    return slower


def _feeds(each: Real) -> dict[str, NDArray[np.float32]]:
    return {each.name: np.zeros(each.shape, np.float32)}


def tell(pools: Pools, seconds_each: float) -> None:
    """Lines about the starts of a model and of the same with more work, as they came.

    seconds_each: what one took to be measured.
    """
    at_full = [
        [one for one in pool if pool_starts([one.start]).starts_at_full_speed] for pool in pools
    ]
    paces = [one.report.pace for pool in pools for one in pool]
    shares = [share for pace in paces if (share := pace.share) is not None]
    print(
        f"  {len(pools[0])} and {len(pools[1])} starts, {len(at_full[0])} and "
        f"{len(at_full[1])} with enough predictions at full pace; the middle one was at "
        f"{100 * np.median(shares):.0f}% of it or less half of its time"
    )
    if min(map(len, at_full)) < 3:
        wrong = PAIRS - _judged(at_any_time(pools[0], pools[0], 1, PAIRS))[Verdict.PACE]
        print(f"    the processor was too busy to decide; {wrong} of {PAIRS} pairs were")
        return
    every = np.log([np.median(one.start.wall) for one in pools[0]])
    chosen = [np.array([_log(one) for one in pool]) for pool in at_full]
    spread = float(np.std(chosen[0], ddof=1))
    beside = float(np.sqrt(np.mean(np.diff(chosen[0]) ** 2) / 2))
    print(
        f"  medians scatter by {100 * np.std(every, ddof=1):.1f}% with all predictions, "
        f"by {100 * spread:.1f}% with those at full pace, neighbours by {100 * beside:.1f}%"
    )
    slower = float(np.exp(np.mean(chosen[1]) - np.mean(chosen[0])))
    for count, promised in ((1, 30), (STARTS, 90)):
        if min(map(len, pools)) >= 2 * count + 2:
            words = f"{units.plural(count, 'start')} a side"
            pairs = tuple(at_any_time(pools[0], pools[0], count, PAIRS))
            _tell_line(words, pairs, promised, count, spread)
            _tell_made(at_any_time(pools[0], pools[1], count, PAIRS), slower)
            _tell_layers(pools[0], count)
    if len(pools[0]) > 2 * STARTS:
        _tell_more(pools[0], spread, beside, seconds_each)


def _tell_more(pool: Pool, spread: float, beside: float, seconds_each: float) -> None:
    """Lines about starts in the order in which they came, and about many of them."""
    apart = tuple(one_after_the_other(pool, STARTS))
    _tell_line(f"{STARTS} starts that followed each other", apart, 0, STARTS, spread)
    print("      (what drifts between two times is in no interval; --against is for that)")
    words = f"{STARTS} starts a side in turns, that overlap"
    _tell_line(words, tuple(in_turns(pool)), 90, STARTS, beside)
    pairs = tuple(until_narrow(pool, PAIRS, seconds_each))
    taken = [len(one) for one, _ in pairs]
    goal = 100 * PrecisionGoal().half_width
    words = f"in turns until ±{goal:g}%, {np.median(taken):g} starts a side"
    _tell_line(words, pairs, 90)
    print(f"      (at most {max(taken)}, of {len(pool)} starts on both sides)")


def _tell_line(
    words: str, pairs: tuple[Pair, ...], promised: int, starts: int = 0, spread: float = 0.0
) -> None:
    """A line about pairs that are the same, and with 5% more.

    starts: a side, that differ by this spread, to tell how many the best test would find; 0
    where there is no such test. promised: percent to be found, 0 for no limit, of both.
    """
    same = _judged(pairs)
    right = _decided(same, Verdict.SAME)
    found = _decided(_judged(pairs, SLOWER), Verdict.SLOWER)
    least = f" (>= 95%: {kept(right >= 95)})" if promised else ""
    limit = f" (>= {promised}%: {kept(found >= promised)})" if promised else ""
    best = f", by the best test {ideal(starts, spread):.0f}%" if starts else ""
    print(
        f"    {words}: same is same {right:.1f}%{least}, 5% more is found {found:.1f}%"
        f"{limit}{best}; undecided {same[Verdict.PACE]} of {same.total()} pairs",
        flush=True,
    )


def _tell_made(pairs: Iterable[Pair], slower: float) -> None:
    """A line about a model that has more work; slower: so many times."""
    found = _decided(_judged(pairs), Verdict.SLOWER)
    more = f"{100 * (slower - 1):.1f}%"
    print(f"      the model that is {more} slower is found {found:.1f}%", flush=True)


def _tell_layers(pool: Pool, count: int) -> None:
    """A line about the layers of pairs that are the same."""
    clean = told = there = 0
    for pair in at_any_time(pool, pool, count, LISTS):
        reports = [merge_reports([one.report for one in some]) for some in pair]
        rows = align([report.layers for report in reports], ["same", "same"])
        whole = verdict(pair)
        found, _ = blocks(rows, reports, (whole, whole))
        wrong = sum(b.changes[1] in (Change.SLOWER, Change.FASTER) for b in found)
        clean += not wrong
        told += wrong
        there += sum(b.changes[1] is not Change.NONE for b in found)
    share, apart = 100 * clean / LISTS, 100 * told / max(1, there)
    print(
        f"      lists of their layers without a false entry {share:.0f}% (>= 95%: "
        f"{kept(share >= 95)}), layers that are told apart {apart:.2f}%",
        flush=True,
    )


def _log(one: Sample) -> float:
    """Logarithm of the median of a start, of predictions at full pace if there are enough."""
    alone = pool_starts([one.start])
    return (alone.chosen() or alone.every)[0].log


def _decided(verdicts: Counter[Verdict], right: Verdict) -> float:
    """Percent of a verdict among those that were one."""
    return 100 * verdicts[right] / max(1, verdicts.total() - verdicts[Verdict.PACE])


def _judged(pairs: Iterable[Pair], by: float = 1.0) -> Counter[Verdict]:
    """Verdicts, the second side of each pair so many times as slow."""
    return Counter(verdict(pair, by).verdict for pair in pairs)


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


def _measured(path: Path, each: Real) -> Sample:
    from inspector.engine.client.engine_process import EngineProcess

    feeds = _feeds(each)
    spec = replace(DEFAULT_SPEC, threads=1)
    with EngineProcess() as engine:
        known = ModelIdentity(path.name, path.name, 0, 0, 0)
        return sample(engine.measure(path, known, spec, feeds))
