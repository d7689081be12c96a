"""Tables of what a measurement did besides its runs: several sessions, asynchronous calls.

Terminal, window, page, PDF and Markdown show the same tables.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from msgspec import Struct

from inspector import units
from inspector.report.report import AsyncCalls, PerformanceReport, SharedSessions
from inspector.statistics.intervals import MIN_P95_SAMPLES
from inspector.wording.values import counted

_SESSION_HEADS = (
    "Shared", "Load, each", "First session", "Each further", "Runs/s", "Median", "p95",
)  # fmt: skip
_SHARED = {"nothing": "Nothing", "arena": "Memory arena", "threads": "Threads"}
_CALL_HEADS = ("Call", "Median", "p95", "Compared with run")
_UNKNOWN = "n/a"


class ExtraTable(Struct, frozen=True):
    """A table of texts: names in the first column, numbers in the others.

    about: what all of it is of. sentences: what the numbers mean.
    """

    title: str
    about: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    sentences: tuple[str, ...]


def extra_tables(report: PerformanceReport) -> tuple[ExtraTable, ...]:
    """Return the tables of a report; none where nothing of this was measured."""
    return tuple(_tables(report))


def _tables(report: PerformanceReport) -> Iterator[ExtraTable]:
    if report.sessions:
        yield _sessions(report.sessions)
    if report.async_calls is not None and report.async_calls.run_ns:
        yield _calls(report.async_calls)


def _sessions(ways: Sequence[SharedSessions]) -> ExtraTable:
    count = max(len(way.loads_ns) for way in ways)
    private = all(way.private_bytes for way in ways)
    kind = "private" if private else "resident"
    sentence = (
        f"Memory is what the process grew by ({kind}): with the first session and its first "
        "run, and on average with each further one. Latency and runs/s are of all "
        "sessions at once, one run at a time in each."
    )
    return ExtraTable(
        "Several sessions in one process",
        counted(count, "session"),
        _SESSION_HEADS,
        tuple(map(_session_row, ways)),
        (sentence,),
    )


def _session_row(way: SharedSessions) -> tuple[str, ...]:
    together = way.together
    grown = way.private_bytes or way.resident_bytes
    return (
        _SHARED.get(way.sharing, units.clip(way.sharing, 40)),
        units.duration(sum(way.loads_ns) // len(way.loads_ns)) if way.loads_ns else _UNKNOWN,
        units.size(grown[0]) if grown else _UNKNOWN,
        _UNKNOWN if way.more_bytes is None else units.size(way.more_bytes),
        units.rate(together.per_second),
        units.duration(together.quantile_ns(0.5)),
        units.duration(together.quantile_ns(0.95)) if together.has_p95 else _UNKNOWN,
    )


def _calls(calls: AsyncCalls) -> ExtraTable:
    run_ns = _quantile(calls.run_ns, 0.5)
    rows = (
        ("run", calls.run_ns),
        ("run_async, until it returns", calls.returned_ns),
        ("run_async, until the callback begins", calls.called_back_ns),
        ("run_async, until the caller has the outputs", calls.round_trip_ns),
    )
    round_trip = _quantile(calls.round_trip_ns, 0.5)
    free = max(0, round_trip - _quantile(calls.returned_ns, 0.5))
    sentences = (
        "One call at a time, run and run_async interleaved in the same session. run_async does "
        "not make a run faster: a thread of ONNX Runtime computes it, and handing over and "
        "calling back into Python come on top. The calling thread is free for other work for "
        f"{units.duration(free)} of {units.duration(round_trip)}.",
    )
    return ExtraTable(
        "Asynchronous calls",
        counted(len(calls.run_ns), "call"),
        _CALL_HEADS,
        tuple(_call_row(name, times, run_ns) for name, times in rows),
        sentences,
    )


def _call_row(name: str, times: Sequence[int], run_ns: int) -> tuple[str, ...]:
    median_ns = _quantile(times, 0.5)
    p95 = len(times) >= MIN_P95_SAMPLES
    return (
        name,
        units.duration(median_ns),
        units.duration(_quantile(times, 0.95)) if p95 else _UNKNOWN,
        "" if name == "run" else units.signed(median_ns - run_ns, units.duration),
    )


def _quantile(times: Sequence[int], q: float) -> int:
    return int(np.quantile(times, q)) if times else 0
