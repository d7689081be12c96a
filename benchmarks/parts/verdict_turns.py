"""Verdicts on models that predict in turns, a moment each, as `measure --against` has it."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from benchmarks.parts.verdict_pairs import STARTS
from benchmarks.parts.verdict_starts import kept
from inspector import units
from inspector.analysis.verdicts.interleaved import (
    PrecisionGoal,
    StartRatios,
    join_ratios,
    start_ratios,
    verdict_for_start_ratios,
)
from inspector.backends.interleaving import Seated, TurnHolder, run_interleaved
from inspector.engine.client.engine_process import EngineProcess
from inspector.report.report import ModelIdentity, PerformanceReport
from inspector.report.run_spec import DEFAULT_SPEC, RunSpec
from inspector.statistics.significance import Verdict

PAIRS, SLOWER = 1000, 1.05
Feeds = dict[str, NDArray[np.float32]]


def measured(paths: tuple[Path, Path], feeds: Feeds, pairs: int) -> tuple[StartRatios, float]:
    """How much longer the second of two models takes, in so many pairs of starts on one thread.

    Those of which nothing was told, as other programs had the cores, are missing. Beside them
    the seconds that a pair took.
    """
    turn, spec = run_interleaved((_seated(paths[0], feeds), _seated(paths[1], feeds))), _SPEC
    begun = monotonic()
    found = [start_ratios(*turn((spec, spec), "", number % 2)) for number in range(pairs)]
    return join_ratios(found), (monotonic() - begun) / pairs


_SPEC = replace(DEFAULT_SPEC, threads=1, profiled_runs=0)


def _seated(path: Path, feeds: Feeds) -> Seated:
    identity = ModelIdentity(path.name, path.name, 0, 0, 0)

    def measure(spec: RunSpec, _: str, seat: TurnHolder) -> PerformanceReport:
        with EngineProcess(seat=seat) as engine:
            return engine.measure(path, identity, spec, feeds)

    return measure


def tell(same: StartRatios, slower: StartRatios) -> None:
    """Lines about pairs of starts of the same, and of a model beside one with more work."""
    if min(len(same), len(slower)) < STARTS:
        print("  other programs had the cores: too few turns to tell of")
        return
    print(
        f"  {units.plural(len(same), 'pair')} of starts that predicted in turns: their ratios "
        f"scatter by {100 * np.std(same.logs, ddof=1):.2f}% about "
        f"{100 * np.mean(same.logs):+.2f}%"
    )
    either = join_ratios(
        [same, StartRatios(-same.logs, same.errors)]
    )  # who is first is drawn, too
    for asked, least in ((1, 0), (STARTS, 90)):
        every = tuple(_drawn(either, asked))
        right = _share(every, Verdict.SAME)
        longer = (StartRatios(one.logs + np.log(SLOWER), one.errors) for one in every)
        found, made = (_share(some, Verdict.SLOWER) for some in (longer, _drawn(slower, asked)))
        taken = int(np.median(list(map(len, every))))
        until = f" until ±{100 * PrecisionGoal().half_width:g}%" if asked > 1 else ""
        limit = f" (>= {least}%: {kept(found >= least)})" if least else ""
        print(
            f"    in turns{until}, {units.plural(taken, 'start')} a side: same is same "
            f"{right:.1f}% (>= 95%: {kept(right >= 95)}), 5% more is found {found:.1f}%"
            f"{limit}; the model that is {100 * (slower.ratio - 1):.1f}% slower is found "
            f"{made:.1f}%",
            flush=True,
        )


def _drawn(every: StartRatios, asked: int) -> Iterator[StartRatios]:
    """PAIRS times as many of these as `measure --against` takes.

    asked: starts a side; 1 takes one and no more.
    """
    random, goal = np.random.default_rng(29), PrecisionGoal()
    most = goal.starts if asked > 1 else asked
    for _ in range(PAIRS):
        some = random.integers(0, len(every), most)
        for count in range(asked, most + 1):
            taken = StartRatios(every.logs[some[:count]], every.errors[some[:count]])
            width = verdict_for_start_ratios(taken).half_width
            if width is not None and width <= goal.half_width:
                break
        yield taken


def _share(every: Iterable[StartRatios], right: Verdict) -> float:
    """Percent of some pairs with a verdict."""
    return 100 * sum(verdict_for_start_ratios(one).verdict is right for one in every) / PAIRS
