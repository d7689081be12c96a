"""The report as one page that opens anywhere: styles, fonts, charts and script inside."""

import base64
import hashlib
from dataclasses import asdict
from datetime import datetime
from functools import cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from inspector import units
from inspector.analysis.advice.rules import advice
from inspector.analysis.measured import phases, roofline_points
from inspector.analysis.measured.asynchronous_devices import timing_words
from inspector.analysis.measured.latency import HEADS, interval_text, latency, rows
from inspector.analysis.measured.layer_sum import cautions, selection_words, sum_sentence
from inspector.analysis.measured.noise import disturbances
from inspector.analysis.measured.partitions import partition
from inspector.analysis.measured.sample_statistics import sentences
from inspector.compare.comparison import properties
from inspector.export.charts import palette as palette_module
from inspector.export.charts.report_plots import load_curve
from inspector.export.charts.roofline_plot import roofline_plot
from inspector.export.charts.sample_charts import histogram, series
from inspector.export.charts.svg import inline_svg
from inspector.export.pages.html_timeline import MOST_SPANS, stretch, timeline_data
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
from inspector.platform import files
from inspector.report.report import PerformanceReport
from inspector.tensors.agreement import summary_text

FONTS = (("Inter", 400), ("Inter", 500), ("Inter", 600), ("JetBrains Mono", 400))
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
        "handed": timing_words(report),
        "sum_line": sum_sentence(report),
        "cautions": cautions(report),
        "selection": selection_words(report),
        "time_title": report.profiling.time_title,
        "spread": any(layer.spread is not None for layer in report.layers),
        "answer": summary_text(report.outputs),
        "wrong": any(output.over for output in report.outputs),
        "advised": advice(report),
        "timed": phases.timed_phases(report),
        "held": phases.held_phases(report.memory),
        "phase_words": (
            *phases.loading_words(report),
            *phases.memory_words(report.memory, report.model.size_bytes),
        ),
    }


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
        "latency_heads": HEADS,
        "latency_rows": rows(report),
        "memory_note": phases.memory_note(report.memory),
        "said": sentences(report),
        "stretch": stretch(report),
        "spans": timeline_data(report.trace),
        "coarse": len(report.trace) > MOST_SPANS,
        "curve": inline_svg(load_curve(report.throughput)) if report.throughput else "",
        "checked": checked_rows(report.outputs),
        "roofs": inline_svg(roofline_plot(report)) if report.roofline.ceilings else "",
        "roof_words": roofline_points.sentences(report),
    }


def _tables(report: PerformanceReport) -> dict[str, Any]:
    devices, columns = units_of(report), columns_of(report)
    found = partition(report)
    return {
        "devices": devices,
        "columns": columns,
        "rows": rows_of(report, columns),
        "legend": tuple(marks_of(report, columns)),
        "reasons": reasons_of(report, columns),
        "parts": parts_of(found, devices),
        "dear": dear_of(report, found),
        "crossings": found.crossings,
        "crossed": found.copied,
        "inserted": inserted_of(report),
        "inserted_share": sum(n.time_ns for n in report.inserted) / max(1, report.kernel_ns),
    }


@cache
def _template() -> Any:
    """The page's template, escaping on; an unknown name in it is an error."""
    environment = Environment(
        loader=FileSystemLoader(files.resource("report")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "duration": units.duration,
        "duration_parts": units.duration_parts,
        "size_parts": units.size_parts,
        "size": units.size,
        "count": units.count,
        "plural": units.plural,
        "rate": units.rate,
        "thousands": "{:,}".format,
        "clip": units.clip,
    }
    return environment.get_template("page.html")


@cache
def _styles() -> dict[str, Any]:
    parts = (files.resource("report", name) for name in ("names.js", "page.js", "timeline.js"))
    script = "\n".join(part.read_text("utf-8") for part in parts)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return {
        "style": files.resource("report", "page.css").read_text("utf-8"),
        "fonts": "".join(_font(family, weight) for family, weight in FONTS),
        "light": _variables(palette_module.LIGHT),
        "dark": _variables(palette_module.DARK),
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
