"""inspector trace: add up what a trace holds, find things in it, export it."""

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from inspector import units
from inspector.analysis.advice.trace_rules import program_findings
from inspector.app.record import opened_trace
from inspector.cli import pages
from inspector.cli.commands.trace import COMPARISON_SCHEMA, SCHEMA
from inspector.comparison.trace_comparison import compare_traces
from inspector.errors import BadInput
from inspector.formats.traces.detection import merged
from inspector.formats.traces.span_collector import OpenedTrace
from inspector.pages.trace import trace_page
from inspector.pages.trace_comparison import trace_comparison_page
from inspector.platform import files
from inspector.platform.terminal import write_bytes
from inspector.render import registry
from inspector.render.registry import Subject
from inspector.render.traces.trace_content import TraceContent
from inspector.trace.aggregation import Aggregation, GroupBy, aggregate
from inspector.trace.event_search import Mask, find
from inspector.trace.trace import Span, Trace
from inspector.wording import stored


def run(options: argparse.Namespace) -> None:
    """Print or export what a trace holds. Raises UnreadableFile, BadInput, NotSaved."""
    opened = _opened(options.files)
    if options.against is not None:
        _compare(options, opened)
        return
    stretch = _stretch(options, opened.trace)
    if options.output not in (None, "-"):
        named = registry.format_for(Subject.TRACE, Path(options.output), options.export or "")
        options.export = named.id
    if options.export:
        _export(options, opened, stretch)
        return
    if options.json:
        print(stored.json_text(_summary_json(options, opened, stretch)))
    else:
        _show(options, opened, stretch)


def _compare(options: argparse.Namespace, opened: OpenedTrace) -> None:
    """Print what differs from another trace."""
    if options.export or options.find or (options.begin, options.end) != (None, None):
        why = "--against takes no --export, --find, --from or --to"
        raise BadInput("Could not compare the traces", why, "Leave them out.")
    other = opened_trace(options.against)
    comparison = compare_traces(opened, other, GroupBy(options.by))
    if options.json:
        print(stored.json_text({"schema": COMPARISON_SCHEMA, **asdict(comparison)}))
        return
    names = ", ".join(path.name for path in options.files), options.against.name
    pages.show(trace_comparison_page(comparison, names, options.top))


def _opened(paths: list[Path]) -> OpenedTrace:
    """One trace of all files, on one clock if they have one."""
    results = [opened_trace(path) for path in paths]
    return results[0] if len(results) == 1 else merged(results, [path.name for path in paths])


def _stretch(options: argparse.Namespace, trace: Trace) -> tuple[float, float] | None:
    if options.begin is None and options.end is None:
        return None
    begin = options.begin if options.begin is not None else 0.0
    end = options.end if options.end is not None else float(trace.end_ns + 1)
    if not begin < end:
        raise BadInput(
            "Could not select the time range", "--from must be before --to", "Swap them."
        )
    return begin, end


def _summary_json(
    options: argparse.Namespace, opened: OpenedTrace, stretch: tuple[float, float] | None
) -> dict[str, Any]:
    """Return the summary of a trace as printed by --json."""
    trace = opened.trace
    found = find(opened, options.find)
    result = aggregate(trace, opened.layers, GroupBy(options.by), stretch, found)
    return {
        "schema": SCHEMA,
        "source": opened.source,
        "spans": len(trace),
        "length_ns": trace.end_ns,
        "clock": opened.clock.name if opened.clock else None,
        "tracks": trace.tracks,
        "by": options.by,
        "stretch_ns": stretch,
        "groups": _groups(trace, result),
        "found": [
            {"name": one.name, "track": one.track.name, "start_ns": one.start_ns}
            | {"duration_ns": one.duration_ns, "iteration": one.run}
            for one in _spans(trace, found, stretch, options.top)
        ],
        "arrows": len(trace.flows),
        "counters": [
            {"name": one.name, "unit": one.unit, "process": one.process}
            | {"values": len(one.values)}
            | {"least": float(one.values.min()), "most": float(one.values.max())}
            for one in trace.counters
            if len(one.values)
        ],
        "moments": trace.moments,
        "findings": program_findings(trace, opened.layers),
        "notes": opened.notes,
    }


def _order(groups: Aggregation) -> list[int]:
    """Return the groups with most time first."""
    order: list[int] = (-groups.total_ns).argsort(kind="stable").tolist()
    return order


def _groups(trace: Trace, groups: Aggregation) -> list[dict[str, Any]]:
    shares = groups.shares().tolist()
    times = ("total", "self", "mean", "minimum", "p50", "p95", "maximum")
    rows = []
    for group in _order(groups):
        track = trace.tracks[int(groups.tracks[group])]
        row: dict[str, Any] = {"name": groups.names[group], "operator": groups.operators[group]}
        row |= {"lane": track.lane.value, "track": track.name}
        row |= {"count": int(groups.count[group])}
        row |= {f"{key}_ns": int(getattr(groups, f"{key}_ns")[group]) for key in times}
        rows.append(row | {"share": shares[group]})
    return rows


def _spans(
    trace: Trace, found: Mask | None, stretch: tuple[float, float] | None, most: int
) -> list[Span]:
    """Return the first events that a search found; none without a search."""
    if found is None:
        return []
    selected = found if stretch is None else found & trace.lies_in(*stretch)
    places = np.flatnonzero(selected)
    places = places[np.argsort(trace.start_ns[places], kind="stable")][: most or None]
    return [trace.span(int(place)) for place in places]


def _show(
    options: argparse.Namespace, opened: OpenedTrace, stretch: tuple[float, float] | None
) -> None:
    found = find(opened, options.find)
    groups = aggregate(opened.trace, opened.layers, GroupBy(options.by), stretch, found)
    pages.show(
        trace_page(
            opened,
            groups,
            _order(groups),
            options.by,
            most=options.top,
            stretch_ns=stretch,
            found=_spans(opened.trace, found, stretch, options.top),
            findings=program_findings(opened.trace, opened.layers),
        )
    )


def _export(
    options: argparse.Namespace, opened: OpenedTrace, stretch: tuple[float, float] | None
) -> None:
    body = _body(options, opened, stretch)
    if options.output == "-":
        write_bytes(body)
        return
    stem = options.files[0].name.removesuffix(".gz").removesuffix(".json")
    suffix = registry.format_of(Subject.TRACE, options.export).suffix
    target = Path(options.output or options.files[0].with_name(stem + suffix))
    if any(files.exists(target) and target.samefile(path) for path in options.files):
        why = "this would overwrite the trace itself"
        raise BadInput(f"Could not save {target.name}", why, "Choose another name with -o.")
    files.write_pieces(target, (body,))
    print(f"Saved {units.visible(target)} ({units.size(len(body))})")


def _body(
    options: argparse.Namespace, opened: OpenedTrace, stretch: tuple[float, float] | None
) -> bytes | memoryview:
    """Return the content of the exported file."""
    clock = opened.clock
    content = TraceContent(
        opened.trace,
        opened.layers,
        opened.notes,
        opened.source,
        {"source": opened.source, "file": ", ".join(path.name for path in options.files)},
        stretch,
        aggregate(opened.trace, opened.layers, GroupBy(options.by), stretch),
        (clock.name, clock.zero_ns, clock.within_ns) if clock else (),
    )
    return registry.format_of(Subject.TRACE, options.export).writer(content)
