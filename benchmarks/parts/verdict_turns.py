"""Verdicts on models that predict in turns, a moment each, as `measure --against` has it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from benchmarks.parts.verdict_pairs import STARTS
from benchmarks.parts.verdict_starts import kept
from inspector import units
from inspector.engine.abreast import Seated, abreast
from inspector.engine.floor import Seat
from inspector.engine.process import EngineProcess
from inspector.judge import Verdict
from inspector.narrowing import Goal
from inspector.paired import judge_ratios, log_ratios
from inspector.report import USUAL, ModelIdentity, PerformanceReport, RunSpec

PAIRS, SLOWER = 1000, 1.05
Logs = NDArray[np.float64]
Feeds = dict[str, NDArray[np.float32]]


def measured(paths: tuple[Path, Path], feeds: Feeds, turns: int) -> tuple[Logs, float]:
    """How much longer the second of two models takes, as logarithms: float64 (turns,).

    Each is of a pair of starts on one thread. Beside it the seconds that a pair took. Turns in
    which nothing was told, as other programs had the cores, are missing.
    """
    turn, spec = abreast((_seated(paths[0], feeds), _seated(paths[1], feeds))), _SPEC
    found, begun = list[float](), monotonic()
    for number in range(turns):
        found += log_ratios(*turn((spec, spec), "", number % 2)).tolist()
    return np.array(found), (monotonic() - begun) / turns


_SPEC = replace(USUAL, threads=1, profiled_runs=0)


def _seated(path: Path, feeds: Feeds) -> Seated:
    identity = ModelIdentity(path.name, path.name, 0, 0, 0)

    def measure(spec: RunSpec, _: str, seat: Seat) -> PerformanceReport:
        with EngineProcess(seat=seat) as engine:
            return engine.measure(path, identity, spec, feeds)

    return measure


def tell(same: Logs, slower: Logs) -> None:
    """Lines about pairs of starts of the same, and of a model beside one with more work."""
    print(
        f"  {units.plural(len(same), 'pair')} of starts that predicted in turns: their ratios "
        f"scatter by {100 * np.std(same, ddof=1):.2f} % about {100 * np.mean(same):+.2f} %"
    )
    by = 100 * np.expm1(np.mean(slower))
    for asked, least in ((1, 0), (STARTS, 90)):
        every = tuple(_drawn(np.concatenate((same, -same)), asked))  # either may be the first
        right = _share(every, Verdict.SAME)
        found = _share((logs + np.log(SLOWER) for logs in every), Verdict.SLOWER)
        made = _share(_drawn(slower, asked), Verdict.SLOWER)
        taken = np.median([len(logs) for logs in every])
        until = f" until ±{100 * Goal().half_width:g} %" if asked > 1 else ""
        limit = f" (>= {least} %: {kept(found >= least)})" if least else ""
        print(
            f"    in turns{until}, {units.plural(int(taken), 'start')} a side: same is same "
            f"{right:.1f} % (>= 95 %: {kept(right >= 95)}), 5 % more is found {found:.1f} %"
            f"{limit}; the model that is {by:.1f} % slower is found {made:.1f} %",
            flush=True,
        )


def _drawn(logs: Logs, asked: int) -> Iterator[Logs]:
    """PAIRS times as many of these as `measure --against` takes.

    asked: starts a side; 1 takes one and no more.
    """
    random, goal = np.random.default_rng(29), Goal()
    most = goal.starts if asked > 1 else asked
    for _ in range(PAIRS):
        taken = random.choice(logs, most)
        for count in range(asked, most + 1):
            width = judge_ratios(taken[:count]).half_width
            if width is not None and width <= goal.half_width:
                break
        yield taken[:count]


def _share(every: Iterator[Logs] | tuple[Logs, ...], right: Verdict) -> float:
    """Percent of some pairs with a verdict."""
    return 100 * sum(judge_ratios(logs).verdict is right for logs in every) / PAIRS
