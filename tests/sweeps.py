"""Sweeps and measurements by hand: what each setting costs is written down."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np

from inspector.backends.interleaving import Pair
from inspector.report.report import ModelIdentity, PerformanceReport, TurnOrder
from inspector.report.run_spec import RunSpec
from inspector.report.sweep import Axis, Round, Sweep, plan
from tests.reports import example_report

AXES = (Axis("threads", (0, 1, 2)), Axis("optimization", ("none", "all")))
Cost = Callable[[RunSpec], float]
TURNS, EACH = 12, 6  # of a pair, and predictions in each
SPEC = RunSpec(runs=10, profiled_runs=0)


def model(name: str = "net.onnx", size_bytes: int = 1000) -> ModelIdentity:
    return ModelIdentity(name, name.ljust(64, "0"), size_bytes, 10, 2)


def samples(middle_ns: float, seed: int = 0, count: int = 20) -> tuple[int, ...]:
    noise = np.random.default_rng(seed).lognormal(0, 0.03, count)
    return tuple((middle_ns * noise).astype(np.int64).tolist())


def round_of(middle_ns: float, seed: int = 0) -> Round:
    times_ns = samples(middle_ns, seed)
    return Round(5_000_000, 2 * int(middle_ns), times_ns, 1 << 20, at_full_speed=True)


def costs(spec: RunSpec) -> float:
    """Two threads are best, all optimisation better than none; alone, 2 ms."""
    threads = {0: 2e6, 1: 3e6, 2: 1e6}.get(spec.threads, 4e6)
    return threads * (2 if spec.optimization == "none" else 1)


def measured(spec: RunSpec, middle_ns: float, seed: int = 0) -> PerformanceReport:
    return replace(example(), spec=spec, prediction_ns=samples(middle_ns, seed))


example = cache(example_report)  # making one takes longer than all else of a test


def in_turns(specs: tuple[RunSpec, RunSpec], cost: Cost, seed: int, busy: float = 0.0) -> Pair:
    """Return a pair of starts in turns: the machine drifts by 30%, in both alike.

    busy: share of the predictions that other programs interrupt for four times as long.
    """
    random = np.random.default_rng(seed)
    drift = 0.3 * random.normal(size=(TURNS, 1))
    reports = []
    for side, spec in enumerate(specs):
        start, each = 0.01 * random.normal(), 0.01 * random.normal(size=(TURNS, EACH))
        cpu = cost(spec) * np.exp(drift + start + each).ravel()
        wall = cpu * (1 + 4 * (random.random(cpu.size) < busy))
        report = replace(
            example(),
            spec=replace(spec, threads=spec.threads or 1),
            prediction_ns=tuple(wall.astype(int).tolist()),
            prediction_cpu_ns=tuple(cpu.astype(int).tolist()),
            turns=TurnOrder("both", tuple(range(1 + side, 1 + 2 * TURNS, 2)), (EACH,) * TURNS),
        )
        reports.append(report)
    return reports[0], reports[1]


def measuring(
    cost: Callable[[RunSpec], float] = costs,
) -> Callable[[int, RunSpec], PerformanceReport]:
    """Measures by a rule; each start has another seed."""
    starts = iter(range(10_000))
    return lambda number, spec: measured(spec, (1 + number) * cost(spec), next(starts))


def planned(*models: ModelIdentity, rounds: int = 2, confirm: int = 0) -> Sweep:
    return plan(models or (model(),), SPEC, AXES, rounds, confirm=confirm)
