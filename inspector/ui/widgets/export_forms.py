"""The forms in which the window exports things: what menus show of each, and its id."""

from dataclasses import replace

from inspector.render.registry import ExportFormat, Subject, formats_of
from inspector.ui.translate import mark, tr, with_ellipsis

# Prefixes of the ids that the menus emit; a format of a report has none.
PICTURE = "picture/"
SWEEP = "sweep/"
TRACE = "trace/"
DIFF = "diff/"
RESULTS = "improvement"  # of Improve; the dialog has their formats
VISIBLE = "visible"  # the forms of a trace that the window makes: this part of it,
IMAGE = "png"  # its picture in pixels,
DRAWING = "svg"  # and in vectors
PICTURES = (
    (mark("Latency per run…"), "series"),
    (mark("Latency distribution…"), "histogram"),
    (mark("Slowest layers…"), "layers"),
    (mark("Timeline…"), "timeline"),
    (mark("Load phases…"), "phases"),
    (mark("Memory…"), "memory"),
    (mark("Latency of concurrent runs…"), "throughput"),
    (mark("Roofline…"), "roofline"),
)
SWEEP_PLOTS = (
    (mark("Heat map…"), "sweep/heat"),
    (mark("Line chart…"), "sweep/lines"),
    (mark("Latency by model size…"), "sweep/choice"),
    (mark("Latency and memory by machine…"), "sweep/machines"),
)


def report_forms() -> tuple[tuple[str, str], ...]:
    """Return the menu title and the id of each format of a report."""
    return tuple(
        (with_ellipsis(tr(each.title)), each.id) for each in formats_of(Subject.REPORT)
    )


def sweep_forms() -> tuple[tuple[str, str], ...]:
    """Return the menu title and the id of each plot and format of a sweep."""
    formats = formats_of(Subject.SWEEP)
    plots = ((tr(text), form) for text, form in SWEEP_PLOTS)
    return (*plots, *((with_ellipsis(tr(each.title)), f"sweep/{each.id}") for each in formats))


def diff_forms() -> tuple[tuple[str, str], ...]:
    """Return the menu title and the id of each format of a comparison of models."""
    formats = formats_of(Subject.MODEL_DIFF)
    return tuple((with_ellipsis(tr(each.title)), f"{DIFF}{each.id}") for each in formats)


def trace_forms() -> tuple[ExportFormat, ...]:
    """Return the formats of traces and, made by the window, pictures of what is visible."""
    first, *others = formats_of(Subject.TRACE)
    title = tr("Chrome trace of the visible range")
    visible = replace(first, id=VISIBLE, suffix=".part.trace.json", title=title)
    image = replace(first, id=IMAGE, suffix=".png", title=tr("Image (PNG)"))
    return (first, visible, *others, image)
