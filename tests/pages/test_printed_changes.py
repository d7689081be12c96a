"""A change that stands beside two numbers is their ratio, as they are written."""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from inspector.comparison.comparison import Comparison, compare
from inspector.pages.blocks import Table
from inspector.pages.comparison import comparison_page
from inspector.pages.improvement import candidate_table
from inspector.render.tables.report_csv import comparison_csv
from inspector.report.environment import SystemLoad
from inspector.report.improvement import Candidate, Improvement, Latency
from inspector.report.report import PerformanceReport, TurnOrder
from inspector.report.run_spec import RunSpec
from inspector.statistics.cpu_speed import CpuSpeed
from inspector.wording.values import ENGLISH, Change, Duration, Sentence
from tests.reports import example_report

pytestmark = pytest.mark.simulation

TURNS, EACH = 8, 5
_SCALES = {
    "ns": 1.0, "µs": 1e3, "ms": 1e6, "s": 1e9,
    "B": 1.0, "KiB": 2.0**10, "MiB": 2.0**20, "GiB": 2.0**30,
}  # fmt: skip
_AMOUNT = re.compile(r"([\d.,]+) (ns|µs|ms|s|B|KiB|MiB|GiB)")
Reports = tuple[PerformanceReport, PerformanceReport]


def drawn(seed: int) -> Reports:
    """Two reports of any kind: processes, threads, turns, load, CPU speed, waiting."""
    random = np.random.default_rng(seed)
    starts, threads = int(random.choice([1, 3, 6])), int(random.choice([0, 1]))
    interleaved, crowded = random.random(2) < (0.7, 0.5)
    base, ratio = 10 ** random.uniform(4, 8), 10 ** random.uniform(-0.8, 0.8)
    sides = []
    for side, by in enumerate((1.0, ratio)):
        shape = (starts, TURNS, EACH)
        level = np.exp(0.1 * random.normal(size=(starts, 1, 1)))
        cpu = base * by * level * np.exp(0.1 * np.abs(random.normal(size=shape)))
        waits = np.where(random.random(shape) < random.choice([0, 0.5, 0.9]), 9.0, 0.0)
        wall = cpu * (1 + waits * random.random(shape))
        count = wall.size
        places = tuple(range(0, count + 1, EACH))
        probes = np.where(random.random(len(places)) < 0.5, 4000, 5500)
        report = example_report(
            prediction_ns=tuple(wall.astype(int).ravel().tolist()),
            prediction_cpu_ns=tuple(cpu.astype(int).ravel().tolist()),
            pace=CpuSpeed(tuple(probes.tolist()), places),
            surroundings=SystemLoad(0.0, 0.8 if crowded else 0.0),
        )
        numbers = tuple(range(1 + side, 1 + 2 * starts * TURNS, 2))
        turns = TurnOrder("both", numbers, (EACH,) * len(numbers))
        sides.append(
            replace(
                report,
                spec=RunSpec(threads=threads, starts=starts),
                start_lengths=(TURNS * EACH,) * starts if starts > 1 else (),
                turns=turns if interleaved else TurnOrder(),
            )
        )
    return sides[0], sides[1]


def ends(text: str) -> tuple[float, float]:
    """Return the smallest and the largest amount that are written so."""
    number, unit = _AMOUNT.findall(text)[0]
    digits = len(number.partition(".")[2])
    half = 0.5 * 10.0**-digits
    return ((float(number) - half) * _SCALES[unit], (float(number) + half) * _SCALES[unit])


def agrees(first: str, other: str, change: str) -> bool:
    """Return whether a written change is that of two written amounts, within rounding."""
    (low, high), (least, most) = ends(first), ends(other)
    digits = len(change.strip("%").partition(".")[2])
    percent = float(change.strip("%").replace("−", "-").replace(",", ""))
    half = 0.5 * 10.0**-digits + 1e-6
    lowest, highest = 100 * (least / high - 1), 100 * (most / max(low, 1e-9) - 1)
    return lowest - half <= percent <= highest + half


def changes(found: Comparison) -> Iterator[tuple[str, str, str]]:
    """Yield two amounts and the change between them, as a reader sees them."""
    tables = [b for s in comparison_page(found).sections for b in s.blocks]
    for table in tables:
        for row in table.rows if isinstance(table, Table) else ():
            place = next((n for n, c in enumerate(row.cells) if isinstance(c, Change)), 0)
            if place and ENGLISH.text(row.cells[place]) != "=":
                first, other, _, change = map(ENGLISH.text, row.cells[place - 3 : place + 1])
                yield first, other, change


@pytest.mark.parametrize(
    "seeds", [range(6), pytest.param(range(6, 300), marks=pytest.mark.slow)]
)
def test_every_printed_change_is_that_of_the_two_numbers_next_to_it(seeds):
    rows = 0
    for seed in seeds:
        found = compare(drawn(seed))
        for row in changes(found):
            rows += 1
            assert agrees(*row), (seed, row)
        head, *body = csv.reader(io.StringIO(comparison_csv(found).decode("utf-8-sig")))
        at = head.index("B ratio")
        for line in body:
            if line[at]:
                one, other = (float(line[head.index(name)]) for name in "AB")
                assert float(line[at]) == pytest.approx(other / one, 1e-3, 6e-5), (seed, line)
    assert rows > 5 * len(seeds), "they were read"


def test_improve_prints_changes_of_its_own_two_medians():
    random = np.random.default_rng(5)
    for _ in range(300):
        before, own = 10 ** random.uniform(3, 9, size=2)
        change = float(own / before * np.exp(0.1 * random.normal()) - 1)
        ends_ = change - 0.02, change + 0.02
        latency = Latency(
            own, change=change, low=ends_[0], high=ends_[1], original=Latency(before)
        )
        one = Candidate("Int8", ("int8",), 300, 4, "", latency)
        original = Candidate("model.onnx", size_bytes=1000, latency=Latency(0.9 * before))
        now = Improvement("model.onnx", "", "cpu", original, (one,))
        (table,) = candidate_table(now)
        assert isinstance(table, Table)
        cells = table.rows[1].cells
        assert isinstance(cells[2], Sentence)
        assert cells[2].values == {"own": Duration(own), "original": Duration(before)}
        assert cells[3] == latency.judgement.text(explained=False)
