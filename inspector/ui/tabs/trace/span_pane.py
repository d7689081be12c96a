"""The details of the selected event of a trace, or of the trace if none is selected."""

from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout

from inspector.pages.charts.palette import role
from inspector.pages.trace import counter_facts
from inspector.trace.aggregation import unprofiled_calls
from inspector.trace.trace import FLOW_KINDS, FlowKind, Span, Trace
from inspector.ui import commands, units
from inspector.ui.documents.trace_document import TraceDocument
from inspector.ui.timeline.model import span_facts
from inspector.ui.timeline.model.predictions import iterations
from inspector.ui.translate import mark, tr, wording
from inspector.ui.widgets.chart import sparkline_view
from inspector.ui.widgets.parts import Elided, add_to, hairline, label, row, unit, wrapped
from inspector.ui.widgets.theme import Theme

_MOST = 12  # arrows
_LIKE = 400  # spans of one name that are looked at
_MOST_MODELS = 8
_FLOW_TEXTS = {
    FlowKind.LAUNCH: (mark("Launched"), mark("Launched by")),
    FlowKind.FORCED: (mark("Required by"), mark("Required")),
    FlowKind.EVENT: (mark("Leads to"), mark("Follows from")),
}


def fill(column: QVBoxLayout, theme: Theme, document: TraceDocument) -> None:
    """Put the facts of the selected event, or of all, into a column."""
    index = document.selection.now.span
    trace = document.opened.trace
    if index is None or index >= len(trace):
        _fill_trace_facts(column, theme, document)
        return
    span = trace.span(index)
    column.addWidget(Elided(span_facts.title(span), "title"))
    column.addWidget(Elided(span.track.name, "secondary"))
    _add_line(column)
    number, after = units.duration_parts(span.duration_ns)
    value = label(number, "metric")
    own = self_ns(trace, index)
    if own is None:
        message = tr("not profiled")
    elif own == span.duration_ns:
        message = tr("no nested events")
    else:
        message = tr("self {duration}").format(duration=units.duration(own))
    aside = Elided(message, "secondary")
    aside.setAlignment(Qt.AlignmentFlag.AlignRight)
    column.addLayout(row(value, unit(after), aside, spacing=5, stretch=2))
    _add_similar_events(column, theme, trace, span)
    _add_line(column)
    for name, text in facts(document, span):
        _add_pair(column, name, text)
    _add_layer_link(column, document, span)
    _add_flows(column, document, index)


def facts(document: TraceDocument, span: Span) -> tuple[tuple[str, str], ...]:
    """Everything but name and duration: when, what, where, inside of what."""
    opened, track = document.opened, span.track
    end = span.start_ns + span.duration_ns
    items = [pair for pair in span_facts.facts(span, opened) if pair[0] != "Duration"]
    items = [pair for pair in items if pair[0] != "Start"]
    items[:0] = [
        (tr("Start"), units.milliseconds(span.start_ns)),
        (tr("End"), units.milliseconds(end)),
    ]
    items.append(
        (
            tr("Row"),
            tr("{name}, depth {depth}").format(
                name=units.clip(track.name, 60), depth=span.depth
            ),
        )
    )
    where = ((tr("Thread"), track.thread), (tr("Process"), track.process))
    items += [(name, units.clip(value, 60)) for name, value in where if value]
    around = parent(opened.trace, span.index)
    if around is not None:
        items.append((tr("Parent"), span_facts.title(opened.trace.span(around))))
    by_name = dict(items)
    if by_name.get(tr("Device")) == by_name.get(tr("Row"), "").partition(",")[0]:
        items = [pair for pair in items if pair[0] != tr("Device")]
    return tuple(items)


def parent(trace: Trace, index: int) -> int | None:
    """The event of the row above that holds this one; None for none."""
    depth = int(trace.depth[index])
    own = _row(trace, int(trace.track[index]), depth - 1) if depth else slice(0, 0)
    at = own.start + int(np.searchsorted(trace.start_ns[own], trace.start_ns[index], "right"))
    if at <= own.start:
        return None
    end = int(trace.start_ns[at - 1] + trace.duration_ns[at - 1])
    return at - 1 if end >= int(trace.start_ns[index] + trace.duration_ns[index]) else None


def self_ns(trace: Trace, index: int) -> int | None:
    """Return the duration without the spans directly inside; None for a run not profiled."""
    run = int(trace.run[index])
    if run < 0:
        begin = int(trace.start_ns[index])
        end = begin + int(trace.duration_ns[index])
        below = _row(trace, int(trace.track[index]), int(trace.depth[index]) + 1)
        first = below.start + int(np.searchsorted(trace.start_ns[below], begin))
        last = below.start + int(np.searchsorted(trace.start_ns[below], end))
        inner = trace.duration_ns[first:last]
        whole = trace.start_ns[first:last] + inner <= end
        return end - begin - int(inner[whole].sum())
    if unprofiled_calls(trace)[index]:
        return None
    places = np.flatnonzero(trace.run == run)
    return int(trace.select(places).self_ns()[np.searchsorted(places, index)])


def _row(trace: Trace, track: int, depth: int) -> slice:
    """The events of a track and depth; they lie together and are sorted by start."""
    first, last = np.searchsorted(trace.track, [track, track + 1]).tolist()
    low, high = np.searchsorted(trace.depth[first:last], [depth, depth + 1]).tolist()
    return slice(first + low, first + high)


def _fill_trace_facts(column: QVBoxLayout, theme: Theme, document: TraceDocument) -> None:
    opened = document.opened
    trace = opened.trace
    add_to(column, Elided(document.name, "title"), label(opened.source, "secondary"))
    _add_line(column)
    _add_pair(column, tr("Events"), units.number(len(trace)))
    _add_pair(column, tr("Duration"), units.duration(document.length_ns))
    runs = predictions(trace)
    for name, count in runs:
        _add_pair(column, name, count)
    models = [(tr("Models"), "model")] * (len(runs) < 2)  # several have a line each
    for name, text in (*models, (tr("Threads"), "thread"), (tr("Processes"), "process")):
        values = dict.fromkeys(getattr(track, text) for track in trace.tracks)
        items = [value for value in values if value]
        if items:
            _add_pair(column, name, ", ".join(units.clip(value, 40) for value in items[:4]))
    for fact in counter_facts(trace)[:4]:
        _add_pair(column, wording().text(fact.label), wording().text(fact.value))
    _add_line(column)
    text_label = label(
        tr("Select an event in the timeline or the table to see its details."), "secondary"
    )
    text_label.setWordWrap(True)
    column.addWidget(text_label)


def predictions(trace: Trace) -> tuple[tuple[str, str], ...]:
    """Return how many there are in all, and of each of several models, as the ruler counts
    them."""
    runs = [(one.model or tr("unnamed model"), len(one)) for one in iterations(trace)]
    text = units.number(sum(count for _, count in runs))
    if len(runs) < 2:
        return ((tr("Runs"), text),) if runs else ()
    each = (
        (tr("Runs of {model}").format(model=units.clip(model, 40)), units.number(count))
        for model, count in runs[:_MOST_MODELS]
    )
    return (
        tr("Runs"),
        tr("{whole} across {count:,} models").format(whole=text, count=len(runs)),
    ), *each


def _add_similar_events(column: QVBoxLayout, theme: Theme, trace: Trace, span: Span) -> None:
    """Add a chart of the durations of the same event on the same track, in order of time."""
    name, track = trace.name[span.index], trace.track[span.index]
    likes = np.flatnonzero((trace.name == name) & (trace.track == track))
    took: NDArray[np.int64] = trace.duration_ns[likes]
    if len(likes) < 3 or not took.max():
        return
    some = took[:: max(1, len(took) // _LIKE)]
    column.addWidget(sparkline_view(theme, some.tolist(), role(span.track.family)))
    slower = float((took < span.duration_ns).mean())
    message = tr("1 of {count:,} similar events · longer than {slower:.0%} of them").format(
        count=len(likes), slower=slower
    )
    text = tr("median {duration}").format(duration=units.duration(float(np.median(took))))
    column.addWidget(wrapped(f"{message} · {text}", "caption"))


def _add_layer_link(column: QVBoxLayout, document: TraceDocument, span: Span) -> None:
    """Add a link to the layer that an event computes, in the model where that is open."""
    layer = span_facts.layer_of(document.opened, span.layer)
    if layer is None:
        return
    link = QPushButton(tr("Show the layer in its model"))
    link.setProperty("role", "link")
    link.clicked.connect(commands.runner(link, "trace/layer", layer, span.track.model))
    column.addLayout(row(link, None))


def _add_flows(column: QVBoxLayout, document: TraceDocument, index: int) -> None:
    """Add the events at the other ends of the flow arrows; a click selects one."""
    trace = document.opened.trace
    result = trace.flows.of(index) if len(trace.flows) else None
    if result is None or not len(result):
        return
    _add_line(column)
    column.addWidget(label(tr("Flow arrows"), "section"))
    arrows = zip(result.begin.tolist(), result.end.tolist(), result.kind.tolist(), strict=True)
    for begin, end, kind in list(arrows)[:_MOST]:
        other = end if begin == index else begin
        text = tr(_FLOW_TEXTS[FLOW_KINDS[kind]][begin != index])
        link = QPushButton(units.clip(span_facts.title(trace.span(other)), 34))
        link.setProperty("role", "link")
        link.setAccessibleName(f"{text} {link.text()}")
        layer = int(trace.layer[other])
        choose = partial(document.selection.choose, layer if layer >= 0 else None, other)
        link.clicked.connect(lambda _=False, choose=choose: choose())
        column.addLayout(row(label(text, "secondary"), None, link))
    if len(result) > _MOST:
        column.addWidget(
            label(tr("and {count:,} more").format(count=len(result) - _MOST), "caption")
        )


def _add_pair(column: QVBoxLayout, name: str, value: str) -> None:
    text_label = Elided(value, "value")
    text_label.setAlignment(Qt.AlignmentFlag.AlignRight)
    column.addLayout(row(label(name, "secondary"), text_label, stretch=1))


def _add_line(column: QVBoxLayout) -> None:
    add_to(column, 4, hairline(), 4)
