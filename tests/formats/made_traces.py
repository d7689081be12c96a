"""Trace files that tests write, and what is read from them in words."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from inspector.formats.traces.detection import open_trace
from inspector.formats.traces.span_collector import OpenedTrace
from inspector.trace.trace import FLOW_KINDS, KINDS


def opened(folder: Path, content: Any) -> OpenedTrace:
    path = folder / "trace.json"
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    path.write_bytes(body)
    return open_trace(path)


def complete(name: str, ts: Any, dur: Any, **more: Any) -> dict[str, Any]:
    return {"ph": "X", "pid": 1, "tid": 1, "name": name, "ts": ts, "dur": dur} | more


def marks(text: str) -> list[dict[str, Any]]:
    parts = (part.split() for part in text.split(","))
    return [
        {"ph": ph, "pid": 1, "tid": 1, "name": name.strip("-"), "ts": int(ts)}
        for ph, name, ts in parts
    ]


def told(found: OpenedTrace) -> list[tuple[str, int, int, int]]:
    trace = found.trace
    spans = [trace.span(index) for index in range(len(trace))]
    spans.sort(key=lambda span: (span.start_ns, span.depth))
    return [(s.name, s.start_ns // 1000, s.duration_ns // 1000, s.depth) for s in spans]


def summary(found: OpenedTrace) -> Iterator[str]:
    """What a golden text says: how many spans of what kind in which row of which lane."""
    trace = found.trace
    yield f"{found.source}: {len(trace)} spans, {len(found.layers)} layers"
    for number, track in enumerate(trace.tracks):
        mine = trace.track == number
        kinds = ", ".join(
            f"{int((trace.kind[mine] == kind).sum())} {name}"
            for kind, name in enumerate(_kinds())
            if (trace.kind[mine] == kind).any()
        )
        deep, runs = int(trace.depth[mine].max()) + 1, int(trace.run[mine].max()) + 1
        row = f"{track.lane} | {track.name} | {track.family} | {kinds}"
        yield f"{row} | {deep} deep, {runs} runs"
    trace = found.trace
    for begin, end, kind in zip(*_lists(found), strict=True):
        joined = f"{trace.span(begin).name} -> {trace.span(end).name}"
        yield f"{FLOW_KINDS[kind]} arrow | {joined}"
    for one in trace.counters:
        yield f"counter | {one.name} | {one.unit or 'plain'} | {len(one.values)} values"
    yield from (f"- {note}" for note in found.notes)


def _lists(found: OpenedTrace) -> tuple[list[int], list[int], list[int]]:
    flows = found.trace.flows
    return flows.begin.tolist(), flows.end.tolist(), flows.kind.tolist()


def _kinds() -> tuple[str, ...]:
    return tuple(kind.value for kind in KINDS)
