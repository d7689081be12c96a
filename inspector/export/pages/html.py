"""The report as one page that opens anywhere: styles, fonts, charts and script inside.

Its timeline shows a stretch of the trace as boxes in lanes, in percent of its length.
"""

import base64
import hashlib
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cache
from typing import Any

import msgspec
import numpy as np
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from numpy.typing import NDArray

from inspector import units
from inspector.analysis.advice.rules import advice
from inspector.analysis.advice.summary import next_steps, summary
from inspector.analysis.measured import phases, roofline_points
from inspector.analysis.measured.extra_tables import extra_tables
from inspector.analysis.measured.latency import (
    HEADS,
    interval_scope,
    interval_text,
    latency,
    rows,
    spread_text,
)
from inspector.analysis.measured.layer_sum import (
    cautions,
    selection_text,
    sum_sentence,
    timing_text,
)
from inspector.analysis.measured.noise import disturbances
from inspector.analysis.measured.operator_types import operator_types
from inspector.analysis.measured.partitions import partition
from inspector.analysis.measured.sample_statistics import sentences
from inspector.comparison.comparison import properties
from inspector.export.charts import palette as palette_module
from inspector.export.charts.improvement_plot import pareto_plot
from inspector.export.charts.report_plots import load_curve
from inspector.export.charts.roofline_plot import roofline_plot
from inspector.export.charts.sample_charts import axis_text, histogram, round_step, series
from inspector.export.charts.svg import inline_svg
from inspector.export.pages.improvement_rows import (
    HEAD,
    TARGET_HEAD,
    candidate_rows,
    target_rows,
)
from inspector.export.pages.page_rows import (
    checked_rows,
    columns_of,
    dear_of,
    inserted_of,
    marks_of,
    parts_of,
    reasons_of,
    rows_of,
    units_of,
)
from inspector.model.tensors.agreement import summary_text
from inspector.platform import files
from inspector.preview.inputs import image_files
from inspector.report.report import PerformanceReport
from inspector.trace.trace import KINDS, Counter, Kind, Lane, Span, Trace
from inspector.trace.trace_builder import span_depths
from inspector.trace.trace_rows import Row, build_level_of_detail, extent, median_prediction

Rows = NDArray[np.intp]

ROW_PX, GAP_PX, BAR_PX = 22, 3, 7
MOST_ROWS = 6
CELLS = 1200  # spans narrower than 1 / CELLS of the stretch are drawn together
_LETTER_PX, _MARGIN_PX = 6.0, 13.0
_WIDTHS = range(400, 1201, 80)
_HATCHED = {Kind.COPY, Kind.LAYOUT}


@dataclass(frozen=True, slots=True)
class Box:
    """A span to draw: left and width in percent, top and height in pixels.

    look: classes of the style sheet. wide: the lane's width in pixels from which the label
    fits; 0 when it never does. solid: share of the box that is really covered, 0 to 1.
    """

    left: float
    width: float
    top: int
    height: int
    look: str
    label: str
    wide: int
    title: str
    solid: float = 1.0


@dataclass(frozen=True, slots=True)
class Strip:
    """One lane, or one unit of the compute lane. total_ns: time of its outermost spans."""

    name: str
    family: str
    total_ns: int
    height: int
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark of the time axis: place in percent, and its text."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """One whole profiled prediction. run counts from 1; spans are all it has."""

    run: int
    runs: int
    length_ns: int
    spans: int
    ticks: tuple[Tick, ...]
    strips: tuple[Strip, ...]


def stretch(report: PerformanceReport) -> Stretch | None:
    """Take the profiled prediction of middle length; None when the trace has none."""
    trace = report.trace
    runs = np.unique(trace.run[trace.run >= 0])
    if not len(runs):
        return None
    edges = [_edges(trace, trace.run == run) for run in runs]
    by_length = sorted(range(len(runs)), key=lambda i: edges[i][1] - edges[i][0])
    middle = by_length[(len(runs) - 1) // 2]  # the median prediction
    start, end = edges[middle]
    shown = trace.run == runs[middle]
    air = (end - start) // 100 + 1
    length = end - start + 2 * air
    strips = tuple(
        _strip(
            trace, index, np.flatnonzero(shown & (trace.track == index)), start - air, length
        )
        for index in range(len(trace.tracks))
    )
    return Stretch(
        int(runs[middle]) + 1,
        len(runs),
        end - start,
        int(shown.sum()),
        _ticks(length, air),
        strips,
    )


def _edges(trace: Trace, selected: NDArray[np.bool_]) -> tuple[int, int]:
    start = trace.start_ns[selected]
    return int(start.min()), int((start + trace.duration_ns[selected]).max())


def _ticks(length_ns: int, air_ns: int, tick_count: int = 8) -> tuple[Tick, ...]:
    """Marks at round times, but for those at the edges, where their text would be cut."""
    step = round_step(length_ns / tick_count)
    places = np.arange(1, length_ns / step) * step
    at = (places + air_ns) / length_ns * 100
    return tuple(
        Tick(float(percent), axis_text(float(place), length_ns))
        for place, percent in zip(places, at, strict=True)
        if 3 < percent < 97
    )


def _strip(trace: Trace, index: int, rows: Rows, start: int, length: int) -> Strip:
    track = trace.tracks[index]
    bars = trace.kind[rows] == KINDS.index(Kind.PARTITION)
    kernels = rows[~bars]
    depth = span_depths(
        trace.start_ns[kernels], trace.duration_ns[kernels], np.zeros(len(kernels), np.int64)
    )
    top = BAR_PX + 2 if bars.any() else 0
    deepest = min(int(depth.max(initial=0)), MOST_ROWS - 1)
    boxes = [
        box
        for row in range(deepest + 1)
        for box in _row(trace, kernels[depth == row], start, length, row, top)
    ]
    boxes += [_box(trace, i, start, length, 0, BAR_PX, "partition") for i in rows[bars]]
    total = int(trace.duration_ns[kernels[depth == 0]].sum())
    height = top + (deepest + 1) * (ROW_PX + GAP_PX) - GAP_PX
    return Strip(track.name, track.family, total, height, tuple(boxes))


def _row(trace: Trace, rows: Rows, start: int, length: int, row: int, top: int) -> list[Box]:
    """Return the boxes of one depth; among narrow spans of a cell, only the longest is
    drawn."""
    style, place = ("inner" if row else ""), top + row * (ROW_PX + GAP_PX)
    cell = max(1, length // CELLS)
    narrow = trace.duration_ns[rows] < cell
    boxes = [_box(trace, i, start, length, place, ROW_PX, style) for i in rows[~narrow]]
    small = rows[narrow]
    changes = np.flatnonzero(np.diff((trace.start_ns[small] - start) // cell)) + 1
    for crowd in np.split(small, changes) if len(small) else []:
        longest = crowd[trace.duration_ns[crowd].argmax()]
        box = _box(trace, longest, start, length, place, ROW_PX, style)
        boxes.append(_crowd(box, trace, crowd, cell, length))
    return boxes


def _crowd(box: Box, trace: Trace, crowd: Rows, cell: int, length: int) -> Box:
    covered = min(1.0, float(trace.duration_ns[crowd].sum()) / cell)
    more = f" and {len(crowd) - 1:,} more" if len(crowd) > 1 else ""
    return Box(
        box.left, 100 * cell / length, box.top, box.height, f"{box.look} narrow".strip(), "", 0,
        box.title + more, max(0.35, covered),
    )  # fmt: skip


def _box(
    trace: Trace, index: np.intp, start: int, length: int, top: int, height: int, style: str
) -> Box:
    span = trace.span(int(index))
    width = 100 * span.duration_ns / length
    classes = [style, "copy" if span.kind in _HATCHED else ""]
    plain = style != "partition" and "copy" not in classes
    label, wide = _label(span, width) if plain else ("", 0)
    moved = f", {units.size(span.size_bytes)}" if span.size_bytes else ""
    title = (
        f"{units.clip(span.name, 120)}: {span.kind.value}, {units.duration(span.duration_ns)}"
    )
    return Box(
        100 * (span.start_ns - start) / length, width, top, height,
        " ".join(filter(None, classes)), label, wide, title + moved,
    )  # fmt: skip


def _label(span: Span, width: float) -> tuple[str, int]:
    """The most that fits in a lane of usual width, and from which width on it does."""
    leaf = span.name if span.track.lane is Lane.ACTIVITY else units.scope_and_name(span.name)[1]
    for text in (units.clip(leaf, 40), span.kind.value if span.track.lane is Lane.DATA else ""):
        needed = (len(text) * _LETTER_PX + _MARGIN_PX) * 100 / max(width, 1e-6)
        wide = next((limit for limit in _WIDTHS if needed <= limit), 0)
        if text and wide:
            return text, wide
    return "", 0


# The whole trace as numbers for the page's own timeline, with a bound on how many.


MOST_SPANS, MOST_TIMELINE_ROWS, MOST_VALUES, MOST_COUNTERS, MOST_MOMENTS = (
    12_000,
    60,
    600,
    12,
    200,
)
_LONGEST_NAME = 100
_FINEST = 1 << 16  # cells of the timeline; shorter spans of a cell are merged into a cluster
Numbers = NDArray[np.int64]
# What a browser could take for the end of a script or for markup.
_ESCAPED = str.maketrans({letter: f"\\u{ord(letter):04x}" for letter in "<>&\u2028\u2029"})


@dataclass(frozen=True, slots=True)
class _Crowds:
    """Spans of a row, neighbours together. first: index of each one's first span: (G,).

    longest: the span that stands for it. count, busy_ns, length_ns: (G,).
    """

    first: Numbers
    longest: Numbers
    count: Numbers
    busy_ns: Numbers
    length_ns: Numbers


def timeline_data(trace: Trace) -> str | None:
    """JSON for a script element that is no script; None of an empty trace."""
    if not len(trace):
        return None
    begin, end = extent(trace)
    home = median_prediction(trace)
    rows = build_level_of_detail(trace).rows[:MOST_TIMELINE_ROWS]
    exact = _exact(rows, home)
    cell = _cell(rows, exact, end - begin)
    crowds = [_crowds(row, exact, cell) for row in rows]
    shown = np.unique(np.concatenate([trace.name[crowd.longest] for crowd in crowds]))
    names = {number: place for place, number in enumerate(shown.tolist())}
    body = {
        "begin": begin,
        "end": end,
        "home": home,
        "cell": cell,
        "spans": len(trace),
        "tracks": [_track(one.name, one.family) for one in trace.tracks],
        "kinds": [kind.value for kind in KINDS],
        "names": [units.clip(trace.names[number], _LONGEST_NAME) for number in names],
        "rows": [
            _timeline_data_row(trace, row, crowd, names, begin)
            for row, crowd in zip(rows, crowds, strict=True)
        ],
        "counters": [_counter(one, begin) for one in trace.counters[:MOST_COUNTERS]],
        "moments": [
            (one.time_ns - begin, units.clip(one.name, _LONGEST_NAME))
            for one in trace.moments[:MOST_MOMENTS]
        ],
    }
    text = msgspec.json.encode(body).decode("utf-8", "backslashreplace")
    return text.translate(_ESCAPED)


def _track(name: str, family: str) -> dict[str, str]:
    known = family in ("activity", "data", "cpu", "gpu")
    return {"name": units.clip(name, 24), "family": family if known else "npu"}


def _exact(rows: tuple[Row, ...], home: tuple[int, int]) -> tuple[int, int]:
    """The stretch to keep as it is: nothing of it where it alone has too many spans."""
    inside = sum(row.strip.count(*home) for row in rows)
    return home if inside <= MOST_SPANS // 2 else (home[0], home[0])


def _cell(rows: tuple[Row, ...], exact: tuple[int, int], length: int) -> int:
    """Width below which spans stand together, so that few enough are left; 0 for none."""
    if sum(row.last - row.first for row in rows) <= MOST_SPANS:
        return 0
    cell = max(1, length // _FINEST)
    while cell < length:
        starts = (_starts(row, exact, cell) for row in rows)
        if sum(np.count_nonzero(some) for some in starts) <= MOST_SPANS:
            return cell
        cell *= 2
    return length


def _starts(row: Row, exact: tuple[int, int], cell: int) -> NDArray[np.bool_]:
    """Return which spans of a row begin a cluster: bool (N,)."""
    start, duration = row.strip.start_ns, row.strip.duration_ns
    inside = (start < exact[1]) & (start + duration > exact[0])
    single = inside | (duration >= cell)
    place = start // max(cell, 1)
    begins = np.append(True, (np.diff(place) != 0) | single[1:] | single[:-1])
    return np.asarray(begins, bool)


def _crowds(row: Row, exact: tuple[int, int], cell: int) -> _Crowds:
    start, duration = row.strip.start_ns, row.strip.duration_ns
    begins = _starts(row, exact, cell)
    first = np.flatnonzero(begins)
    group = np.cumsum(begins) - 1
    order = np.lexsort((-duration, group))
    last = np.append(first[1:], len(start)) - 1
    return _Crowds(
        first + row.first,
        order[first] + row.first,
        last - first + 1,
        np.add.reduceat(duration, first),
        start[last] + duration[last] - start[first],
    )


def _timeline_data_row(
    trace: Trace, row: Row, crowds: _Crowds, names: dict[int, int], begin: int
) -> dict[str, Any]:
    """Columns of a row; starts as differences, which are short."""
    spans = crowds.longest
    data: dict[str, Any] = {
        "track": row.track,
        "depth": row.depth,
        "start": np.diff(trace.start_ns[crowds.first], prepend=begin).tolist(),
        "length": crowds.length_ns.tolist(),
        "name": [names[number] for number in trace.name[spans].tolist()],
        "kind": trace.kind[spans].tolist(),
        "layer": trace.layer[spans].tolist(),
    }
    if trace.size_bytes[spans].any():
        data["bytes"] = trace.size_bytes[spans].tolist()
    if (crowds.count > 1).any():
        data["count"] = crowds.count.tolist()
        data["busy"] = crowds.busy_ns.tolist()
    return data


def _counter(one: Counter, begin: int) -> dict[str, Any]:
    """Return the values of a counter, thinned out if there are many, maxima included."""
    places = np.arange(len(one.times_ns))
    if len(places) > MOST_VALUES:
        parts = np.array_split(places, MOST_VALUES)
        places = np.array([part[one.values[part].argmax()] for part in parts])
    return {
        "name": units.clip(one.name, 24),
        "unit": one.unit,
        "at": (one.times_ns[places] - begin).tolist(),
        "value": [round(value, 3) for value in one.values[places].tolist()],
    }


FONTS = (("Inter", 400), ("Inter", 500), ("Inter", 600), ("JetBrains Mono", 400))
MOST_TYPES = 40  # rows of operator types; no model that we know has more that take time
_FAMILIES = ("activity", "data", "cpu", "gpu", "npu")


def page(report: PerformanceReport) -> bytes:
    """One HTML file that needs no network and no script to be read; UTF-8.

    Everything a model says is escaped, clipped and isolated in its own direction; the page
    allows no script but its own.
    """
    text: str = _template().render(
        report=report, **_styles(), **_facts(report), **_charts(report), **_tables(report)
    )
    return text.encode("utf-8", "backslashreplace")


def _facts(report: PerformanceReport) -> dict[str, Any]:
    facts = [(group, name, text) for group, name, text in properties(report)]
    groups = {
        group: tuple((name, text) for of, name, text in facts if of == group)
        for group in ("model", "settings", "machine")
    }
    return {
        "groups": groups,
        "created": _date(report.created),
        "disturbed": disturbances(report),
        "handed": timing_text(report),
        "sum_line": sum_sentence(report),
        "cautions": cautions(report),
        "selection": selection_text(report),
        "time_title": report.profiling.time_title,
        "spread": any(layer.spread is not None for layer in report.layers),
        "answer": summary_text(report.outputs),
        "wrong": any(output.over for output in report.outputs),
        "advised": advice(report),
        "summary": summary(report),
        "next_steps": next_steps(report),
        "previewed": report.previewed,
        "thumbnail": _thumbnail(report),
        "timed": phases.timed_phases(report),
        "grown": any(phase.grown_text for phase in phases.timed_phases(report)),
        "held": phases.held_phases(report.memory),
        "phase_words": (
            *phases.loading_sentences(report),
            *phases.memory_sentences(report.memory, report.model.size_bytes),
            phases.MEMORY_KINDS,
        ),
    }


def _thumbnail(report: PerformanceReport) -> str:
    """Return the picture that Preview showed as a data URL, or ""."""
    seen = report.previewed
    if seen is None or not seen.is_whole:
        return ""
    picture = np.frombuffer(seen.pixels, np.uint8).reshape(seen.height, seen.width, 3)
    return f"data:image/png;base64,{base64.b64encode(image_files.png(picture)).decode()}"


def _date(text: str) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return units.clip(text, 40)
    zone = f"{moment:%z}"
    where = f" UTC{zone[:3]}:{zone[3:5]}" if zone else ""
    return f"{moment.day} {moment:%B %Y, %H:%M}{where}"


def _charts(report: PerformanceReport) -> dict[str, Any]:
    return {
        "histogram": histogram(report.prediction_ns, report.median_ns),
        "series": series(report.prediction_ns, report.median_ns),
        "latency": latency(report),
        "latency_interval": interval_text,
        "latency_spread": spread_text(both.headline) if (both := latency(report)) else "",
        "interval_scope": interval_scope(report),
        "latency_heads": HEADS,
        "latency_rows": rows(report),
        "memory_note": phases.memory_note(report.memory),
        "said": sentences(report),
        "stretch": stretch(report),
        "spans": timeline_data(report.trace),
        "coarse": len(report.trace) > MOST_SPANS,
        "curve": inline_svg(load_curve(report.throughput)) if report.throughput else "",
        "extras": extra_tables(report),
        "checked": checked_rows(report.outputs),
        "roofs": inline_svg(roofline_plot(report)) if report.roofline.ceilings else "",
        "roof_words": roofline_points.sentences(report),
    }


def _tables(report: PerformanceReport) -> dict[str, Any]:
    devices, columns = units_of(report), columns_of(report)
    split = partition(report)
    improvement = report.model_results.improvement if report.model_results is not None else None
    drawing = None if improvement is None else pareto_plot(improvement)
    return {
        "targets": () if report.model_results is None else report.model_results.targets,
        "improvement": improvement,
        "candidate_head": HEAD,
        "candidates": () if improvement is None else tuple(candidate_rows(improvement)),
        "candidate_plot": "" if drawing is None else inline_svg(drawing),
        "target_head": TARGET_HEAD,
        "target_changes": () if improvement is None else target_rows(improvement),
        "devices": devices,
        "columns": columns,
        "rows": rows_of(report, columns),
        "legend": tuple(marks_of(report, columns)),
        "reasons": reasons_of(report, columns),
        "types": operator_types(report)[:MOST_TYPES],
        "parts": parts_of(split, devices),
        "dear": dear_of(report, split),
        "crossings": split.crossings,
        "crossed": split.copied,
        "inserted": inserted_of(report),
        "inserted_share": sum(n.time_ns for n in report.inserted) / max(1, report.kernel_ns),
    }


@cache
def environment() -> Environment:
    """Return the templates of pages, escaping on; an unknown name in one is an error."""
    templates = Environment(
        loader=FileSystemLoader(files.resource("report")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {
        "duration": units.duration,
        "duration_parts": units.duration_parts,
        "size_parts": units.size_parts,
        "size": units.size,
        "count": units.count,
        "share": units.share,
        "plural": units.plural,
        "rate": units.rate,
        "thousands": "{:,}".format,
        "clip": units.clip,
    }
    return templates


@cache
def _template() -> Any:
    return environment().get_template("page.html")


@cache
def styles() -> dict[str, Any]:
    """Return the style sheet, fonts and colors that all pages share."""
    return {
        "style": files.resource("report", "page.css").read_text("utf-8"),
        "fonts": "".join(_font(family, weight) for family, weight in FONTS),
        "light": _variables(palette_module.LIGHT),
        "dark": _variables(palette_module.DARK),
    }


@cache
def _styles() -> dict[str, Any]:
    parts = (files.resource("report", name) for name in ("names.js", "page.js", "timeline.js"))
    script = "\n".join(part.read_text("utf-8") for part in parts)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return styles() | {
        "script": script,
        "script_digest": f"sha256-{digest}",
        "markers": palette_module.MARKERS,
    }


def _font(family: str, weight: int) -> str:
    file = f"{'mono' if 'Mono' in family else 'inter'}-{weight}.woff2"
    body = base64.b64encode(files.resource("report", file).read_bytes()).decode()
    return (
        f"@font-face{{font-family:'{family}';font-weight:{weight};font-display:block;"
        f"src:url(data:font/woff2;base64,{body}) format('woff2')}}\n"
    )


def _variables(palette: palette_module.Palette) -> str:
    """The palette as custom properties, with what is mixed or chosen from it."""
    values = {name: value for name, value in asdict(palette).items() if name != "dark"}
    for family in _FAMILIES:
        colour = palette.lane(family)
        values[f"on-{family}"] = palette_module.on_top(colour)
        values[f"{family}-tint"] = palette_module.mix(palette.surface, colour, 0.28)
        values[f"{family}-bar"] = palette_module.mix(palette.surface, colour, 0.38)
    named = "".join(f"--{name.replace('_', '-')}:{value};" for name, value in values.items())
    return f"color-scheme:{'dark' if palette.dark else 'light'};{named}"
