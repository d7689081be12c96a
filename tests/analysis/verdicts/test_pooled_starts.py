"""What starts tell one by one is what a report of them all tells."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from inspector.analysis.verdicts.matched_cpu_speed import at_matched_speed
from inspector.analysis.verdicts.pooled_starts import StartSamples, compare_pooled, pool_starts
from inspector.engine.client.process_repetitions import merge_reports
from inspector.report.environment import SystemLoad
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.statistics.cpu_speed import CpuSpeed
from inspector.statistics.significance import Verdict, compare_counted
from tests.reports import example_report

pytestmark = pytest.mark.simulation

FULL, EACH, STRETCHES = 4000, 10, 24
ALONE, MANY = RunSpec(threads=1), RunSpec()
Make = Callable[[np.random.Generator], PerformanceReport]
Pool = list[PerformanceReport]


def start(
    random: np.random.Generator,
    spec: RunSpec = ALONE,
    known_ns: int = FULL,
    others: float | None = 0.0,
    at_full: float = 0.6,
    slower: float = 1.0,
) -> PerformanceReport:
    """A start whose predictions follow a pace that comes and goes, and wait now and then."""
    times = np.where(random.random(STRETCHES + 1) < at_full, 1.0, 1.5)
    probes = (FULL * times * random.uniform(0.97, 1.06, STRETCHES + 1)).astype(int)
    runs = random.integers(0, 2 * EACH, STRETCHES)
    follow = np.repeat(times[:-1], runs) * np.exp(0.02 * random.normal(size=runs.sum()))
    level = slower * np.exp(0.02 * random.normal())
    wall = (1e6 * level * follow).astype(int)
    cores = random.uniform(1.6, 2.0, len(wall)) if spec is MANY else 1.0
    waits = np.where(random.random(len(wall)) < 0.1, 0.8, 1.0)
    return example_report(
        prediction_ns=tuple(wall.tolist()),
        prediction_cpu_ns=tuple((wall * cores * waits).astype(int).tolist()),
        spec=spec,
        pace=CpuSpeed(tuple(probes.tolist()), (0, *np.cumsum(runs).tolist()), known_ns),
        surroundings=SystemLoad(0.0, others),
    )


def bare(random: np.random.Generator) -> PerformanceReport:
    """A start of another device: no probes."""
    return replace(start(random), pace=CpuSpeed())


def short(random: np.random.Generator) -> PerformanceReport:
    """A start with too few runs to choose among."""
    found = start(random)
    return replace(
        found,
        prediction_ns=found.prediction_ns[:5],
        prediction_cpu_ns=found.prediction_cpu_ns[:5],
        pace=CpuSpeed(found.pace.probes_ns[:2], (0, 5), FULL),
    )


def coarse(random: np.random.Generator) -> PerformanceReport:
    """A start whose clock of processor time tells nothing."""
    found = start(random)
    return replace(found, prediction_cpu_ns=(0, *found.prediction_cpu_ns[1:]))


def unlike(random: np.random.Generator) -> PerformanceReport:
    """Of another model."""
    found = start(random, slower=1.1)
    return replace(found, model=replace(found.model, sha256="another"))


KINDS: dict[str, Make] = {
    "one thread": start,
    "mostly at full pace": lambda random: start(random, at_full=0.95),
    "seldom at full pace": lambda random: start(random, at_full=0.25),
    "never at full pace": lambda random: start(random, at_full=0.0),
    "pace not known before": lambda random: start(random, known_ns=0, at_full=0.2),
    "all threads": lambda random: start(random, MANY),
    "all threads, shared": lambda random: start(random, MANY, others=0.5),
    "all threads, nobody looked": lambda random: start(random, MANY, others=None),
    "slower": lambda random: start(random, slower=1.2, at_full=0.95),
    "another model": unlike,
    "no probes": bare,
    "few predictions": short,
    "coarse clock": coarse,
}


FEW = "mostly at full pace", "never at full pace", "no probes"  # each with all others, always


def sides(kind: str, other: str, count: int, least: int = 2) -> tuple[Pool, Pool]:
    """Starts of both; of the second, so many at least are of the other kind."""
    random = np.random.default_rng(count)
    one = [KINDS[kind](random) for _ in range(count)]
    return one, [KINDS[other if n < least else kind](random) for n in range(count)]


def expect_the_same(pair: tuple[Pool, Pool]) -> Verdict:
    """Hold what starts tell one by one against the reports of them all; their verdict."""
    whole = merge_reports(pair[0]), merge_reports(pair[1])
    told = [pool_starts([StartSamples(report) for report in reports]) for reports in pair]
    for report, found in zip(whole, told, strict=True):
        chosen = report.full_speed_predictions
        assert found.reference_ns == report.pace.reference_ns
        assert found.starts_at_full_speed == (len(chosen.lengths) or 1 if chosen.enough else 0)
        picked = found.chosen() or found.every
        samples = np.concatenate([kept.samples for kept in picked])
        assert tuple(samples.tolist()) == chosen.samples_ns
    judgement = compare_counted(at_matched_speed(*whole))
    assert compare_pooled(told[0], told[1]) == judgement
    return judgement.verdict


@pytest.mark.parametrize("kind", KINDS)
def test_the_decision_is_that_of_the_joined_reports(kind):
    for count in (1, 3, 4):
        expect_the_same(sides(kind, kind, count))


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=[] if kind in FEW else pytest.mark.slow) for kind in KINDS],
)
def test_it_is_so_for_starts_of_two_kinds(kind):
    for other in KINDS:
        expect_the_same(sides(kind, other, 4))


def test_it_is_so_for_every_verdict():
    others = "mostly at full pace", "slower", "never at full pace", "few predictions"
    found = {expect_the_same(sides("mostly at full pace", other, 9, 9)) for other in others}
    assert found == {Verdict.SAME, Verdict.SLOWER, Verdict.PACE, Verdict.NOISY}
    few = sides("few predictions", "few predictions", 1)
    assert expect_the_same(few) is Verdict.UNDECIDED


def test_a_start_that_is_asked_again_tells_what_it_told():
    random = np.random.default_rng(3)
    starts = [StartSamples(start(random)) for _ in range(8)]
    before = compare_pooled(pool_starts(starts[:4]), pool_starts(starts[4:]))
    compare_pooled(pool_starts(starts[::2]), pool_starts(starts[1::2]))
    assert compare_pooled(pool_starts(starts[:4]), pool_starts(starts[4:])) == before
