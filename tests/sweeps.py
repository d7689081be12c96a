"""Sweeps and measurements by hand: what each setting costs is written down."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np

from inspector.report import ModelIdentity, PerformanceReport, RunSpec
from inspector.sweep import Axis, Round, Sweep, plan
from tests.reports import example_report

AXES = (Axis("threads", (0, 1, 2)), Axis("optimization", ("none", "all")))
SPEC = RunSpec(runs=10, profiled_runs=0)


def model(name: str = "net.onnx", size_bytes: int = 1000) -> ModelIdentity:
    return ModelIdentity(name, name.ljust(64, "0"), size_bytes, 10, 2)


def samples(middle_ns: float, seed: int = 0, count: int = 20) -> tuple[int, ...]:
    noise = np.random.default_rng(seed).lognormal(0, 0.03, count)
    return tuple((middle_ns * noise).astype(np.int64).tolist())


def round_of(middle_ns: float, seed: int = 0) -> Round:
    return Round(5_000_000, 2 * int(middle_ns), samples(middle_ns, seed), 1 << 20)


def costs(spec: RunSpec) -> float:
    """Two threads are best, all optimisation better than none; alone, 2 ms."""
    threads = {0: 2e6, 1: 3e6, 2: 1e6}.get(spec.threads, 4e6)
    return threads * (2 if spec.optimization == "none" else 1)


def measured(spec: RunSpec, middle_ns: float, seed: int = 0) -> PerformanceReport:
    return replace(example(), spec=spec, prediction_ns=samples(middle_ns, seed))


example = cache(example_report)  # making one takes longer than all else of a test


def measuring(
    cost: Callable[[RunSpec], float] = costs,
) -> Callable[[int, RunSpec], PerformanceReport]:
    """Measures by a rule; each start has another seed."""
    starts = iter(range(10_000))
    return lambda number, spec: measured(spec, (1 + number) * cost(spec), next(starts))


def planned(*models: ModelIdentity, rounds: int = 2, confirm: int = 0) -> Sweep:
    return plan(models or (model(),), SPEC, AXES, rounds, confirm=confirm)
