"""Starts that were measured, as small as verdicts allow; to a file and back.

A report holds a Python integer for each time, 24 bytes or more of 8; with 100,000 predictions
in a start, 100 starts and their pairs do not fit into memory. What is kept here are columns,
and the report without its predictions. That verdicts on both are the same is a test of
`inspector.analysis.verdicts.pooled_starts`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import msgspec
import numpy as np

from inspector.analysis.verdicts.pooled_starts import StartSamples
from inspector.report.report import PerformanceReport, from_json, to_json


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """One start. report: without predictions, for its pace and its layers."""

    start: StartSamples
    report: PerformanceReport


Pool = list[Sample]
Pools = tuple[Pool, Pool]


@dataclass(frozen=True, slots=True)
class Taken:
    """What was measured of a model, and of the same with more work.

    seconds_each: what a start took. load: of the machine, the middle one.
    """

    model: str
    pools: Pools
    seconds_each: float
    load: float


def sample(report: PerformanceReport) -> Sample:
    """Keep what verdicts take of a report of one start."""
    return Sample(StartSamples(report), replace(report, prediction_ns=(), prediction_cpu_ns=()))


@cache
def slower(one: Sample, by: float) -> StartSamples:
    """A start with predictions that took so many times as long."""
    wall, cpu = ((by * times).astype(np.int64) for times in (one.start.wall, one.start.cpu))
    return StartSamples(one.report, wall, cpu)


def keep(every: Sequence[Taken], path: Path) -> None:
    """Write starts into a file of columns, .npz."""
    about = [(each.model, each.seconds_each, each.load) for each in every]
    columns = {"about": _bytes(msgspec.json.encode(about))}
    for number, each in enumerate(every):
        for side, pool in enumerate(each.pools):
            starts, name = [one.start for one in pool], f"{number}_{side}"
            columns[f"{name}_reports"] = _bytes(b"".join(to_json(one.report) for one in pool))
            columns[f"{name}_lengths"] = np.array([len(one.wall) for one in starts], np.int64)
            columns[f"{name}_wall"] = np.concatenate([one.wall for one in starts])
            columns[f"{name}_cpu"] = np.concatenate([one.cpu for one in starts])
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **columns)


def restored(path: Path) -> list[Taken]:
    """Read what `keep` wrote."""
    with np.load(path) as file:
        about = msgspec.json.decode(
            file["about"].tobytes(), type=list[tuple[str, float, float]]
        )
        return [
            Taken(model, (_pool(file, f"{number}_0"), _pool(file, f"{number}_1")), *rest)
            for number, (model, *rest) in enumerate(about)
        ]


def _pool(file: "np.lib.npyio.NpzFile", name: str) -> Pool:
    lines = file[f"{name}_reports"].tobytes().splitlines()
    ends = np.cumsum(file[f"{name}_lengths"])[:-1]
    columns = (np.split(file[f"{name}_{each}"], ends) for each in ("wall", "cpu"))
    pool = []
    for line, wall, cpu in zip(lines, *columns, strict=True):
        report = from_json(line, name)
        pool.append(Sample(StartSamples(report, wall.copy(), cpu.copy()), report))
    return pool


def _bytes(text: bytes) -> "np.ndarray[tuple[int], np.dtype[np.uint8]]":
    return np.frombuffer(text, np.uint8)
