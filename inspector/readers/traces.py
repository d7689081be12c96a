"""Traces of other programs, judged by what is in the file, not by its name."""

import re
from dataclasses import replace
from pathlib import Path

from inspector import trace_file
from inspector.readers import (
    chrome_trace,
    clocks,
    exported,
    json_stream,
    kinds,
    ort_profile,
    perfetto,
    perfetto_wire,
    trace_events,
)
from inspector.readers.source import Source, opened
from inspector.readers.spans import OpenedTrace, trace

_HEAD = 1 << 16
_REPORT = re.compile(rb'"schema"\s*:\s*"report/')
_TRACES = (
    "Give a profile of ONNX Runtime, a trace in Chrome's or Perfetto's format, a recording, "
    "or a report."
)
RECORDED = "Recording of Inspector"


def looks_like_trace(path: Path) -> bool:
    """Whether a file begins as a list of events does. Raises UnreadableFile."""
    with opened(path) as source:
        first = source.head(_HEAD)
        if trace_file.is_one(first) or perfetto_wire.looks_like_one(first):
            return True
        head = json_stream.head(source, _HEAD)
    if head.startswith(b"{"):
        return not _REPORT.search(head) and (b'"traceEvents"' in head or b'"ph"' in head)
    return head.startswith(b"[") or not head


def expect_events(path: Path) -> None:
    """Raise UnreadableFile that says what a file is, where it is no trace and no report."""
    with opened(path) as source:
        if not json_stream.head(source, _HEAD).lstrip().startswith(b"{"):
            told = kinds.by_first_bytes(source.head(kinds.HEAD_BYTES))
            why = (
                f"it is no trace and no report: {told[0]}"
                if told
                else ("it is no trace and no report")
            )
            raise source.failure(why, _TRACES)


def open_trace(path: Path) -> OpenedTrace:
    """Read a profile of ONNX Runtime, a trace in Chrome's format, compressed or not, or ours.

    What of a damaged file can be read is there, and a note says what is not.
    Raises UnreadableFile: no such file, no trace, or nothing in it that takes time.
    """
    with opened(path) as source:
        if trace_file.is_one(source.head(_HEAD)):
            saved = trace_file.load(path)
            known = clocks.Clock(saved.clock, saved.zero_ns, saved.within_ns)
            clock = known if saved.clock else None
            return OpenedTrace(saved.trace, saved.layers, saved.notes, saved.source, clock)
        if perfetto_wire.looks_like_one(source.head(_HEAD)):
            found = trace(perfetto.spans(source))
            return replace(found, clock=clocks.Clock(perfetto.CLOCK, found.first_ns))
        found = _of_events(source)
        is_profile = found.source == ort_profile.SOURCE
        if found.source == exported.SOURCE and clocks.is_recording(source):
            found = replace(found, source=RECORDED)
        return replace(found, clock=clocks.clock(source, found.first_ns, is_profile))


def _of_events(source: Source) -> OpenedTrace:
    events = trace_events.read(source)
    if not len(events):
        why = " ".join(("it holds no events that can be shown.", *events.notes))
        raise source.failure(why.removesuffix("."))
    reader = next(
        made
        for fits, made in (
            (exported.is_ours, exported.spans),
            (ort_profile.is_profile, ort_profile.spans),
            (lambda _: True, chrome_trace.spans),
        )
        if fits(events)
    )
    spans = reader(events)
    found = trace(replace(spans, notes=(*events.notes, *spans.notes)))
    if not len(found.trace):
        why = " ".join(("nothing in it has a begin.", *found.notes))
        raise source.failure(why.removesuffix("."))
    return found
