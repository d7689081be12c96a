"""Traces of other programs, judged by what is in the file, not by its name."""

import re
from dataclasses import replace
from pathlib import Path

from inspector.formats import json_stream, kinds
from inspector.formats.model_formats import HEAD_BYTES
from inspector.formats.source import Source, opened
from inspector.formats.traces import (
    chrome_trace,
    clocks,
    ort_profile,
    own_export,
    perfetto,
    trace_events,
)
from inspector.formats.traces import perfetto as perfetto_module
from inspector.formats.traces.span_collector import OpenedTrace, trace
from inspector.trace import trace_file

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
        if trace_file.is_trace_file(first) or perfetto_module.looks_like_one(first):
            return True
        head = json_stream.head(source, _HEAD)
    if head.startswith(b"{"):
        return not _REPORT.search(head) and (b'"traceEvents"' in head or b'"ph"' in head)
    return head.startswith(b"[") or not head


def expect_events(path: Path) -> None:
    """Raise UnreadableFile that says what a file is, where it is no trace and no report."""
    with opened(path) as source:
        if not json_stream.head(source, _HEAD).lstrip().startswith(b"{"):
            kind = kinds.by_first_bytes(source.head(HEAD_BYTES))
            why = (
                f"it is no trace and no report: {kind[0]}"
                if kind
                else ("it is no trace and no report")
            )
            raise source.failure(why, _TRACES)


def open_trace(path: Path) -> OpenedTrace:
    """Read a profile of ONNX Runtime, a trace in Chrome's format, compressed or not, or ours.

    What of a damaged file can be read is there, and a note says what is not.
    Raises UnreadableFile: no such file, no trace, or nothing in it that takes time.
    """
    with opened(path) as source:
        if trace_file.is_trace_file(source.head(_HEAD)):
            saved = trace_file.load(path)
            saved_clock = clocks.Clock(saved.clock, saved.zero_ns, saved.within_ns)
            clock = saved_clock if saved.clock else None
            return OpenedTrace(saved.trace, saved.layers, saved.notes, saved.source, clock)
        if perfetto_module.looks_like_one(source.head(_HEAD)):
            opened_trace = trace(perfetto.spans(source))
            return replace(
                opened_trace, clock=clocks.Clock(perfetto.CLOCK, opened_trace.first_ns)
            )
        opened_trace = _of_events(source)
        is_profile = opened_trace.source == ort_profile.SOURCE
        if opened_trace.source == own_export.SOURCE and clocks.is_recording(source):
            opened_trace = replace(opened_trace, source=RECORDED)
        return replace(
            opened_trace, clock=clocks.clock(source, opened_trace.first_ns, is_profile)
        )


def _of_events(source: Source) -> OpenedTrace:
    events = trace_events.read(source)
    if not len(events):
        why = " ".join(("it holds no events that can be shown.", *events.notes))
        raise source.failure(why.removesuffix("."))
    reader = next(
        made
        for fits, made in (
            (own_export.is_ours, own_export.spans),
            (ort_profile.is_profile, ort_profile.spans),
            (lambda _: True, chrome_trace.spans),
        )
        if fits(events)
    )
    spans = reader(events)
    opened_trace = trace(replace(spans, notes=(*events.notes, *spans.notes)))
    if not len(opened_trace.trace):
        why = " ".join(("nothing in it has a begin.", *opened_trace.notes))
        raise source.failure(why.removesuffix("."))
    return opened_trace
