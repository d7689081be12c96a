"""Metrics of a report for Netron and Model Explorer, which show them at the selected node.

Format: JSON with the signature "netron:attachment", dropped onto the open model. Netron finds
a node by the first line of its name, so a layer without a name of its own cannot be reached.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from inspector import units
from inspector.analysis.measured.latency import TAILS_OF, latency
from inspector.analysis.measured.layer_sum import unranked
from inspector.pages.charts.palette import HEAT
from inspector.report.report import LayerUse, PerformanceReport

_LONGEST = 1000


def netron(report: PerformanceReport) -> bytes:
    """Return metrics of the model and of every layer with a unique name; UTF-8."""
    body = {
        "signature": "netron:attachment",
        "metadata": list(_metadata(report)),
        "metrics": list(_metrics(report)),
    }
    return msgspec.json.format(msgspec.json.encode(body), indent=1) + b"\n"


def own_names(report: PerformanceReport) -> Iterator[LayerUse]:
    """Layers that other viewers can find: with a short name of one line that no other has."""
    names = Counter(layer.name for layer in report.layers)
    for layer in report.layers:
        if layer.name and names[layer.name] == 1 and _is_short(layer.name):
            yield layer


def _is_short(name: str) -> bool:
    return "\n" not in name and len(name) <= _LONGEST


def _metrics(report: PerformanceReport) -> Iterator[dict[str, Any]]:
    latencies = latency(report)
    if latencies is not None:
        median, every = latencies.headline.p50_ns, latencies.all_predictions
        yield _item(
            "model", "", f"latency, {latencies.headline_label} (ms)", _milliseconds(median)
        )
        if every.has_p95:
            late = _milliseconds(every.p95_ns)
            yield _item("model", "", f"latency, p95 {TAILS_OF} (ms)", late)
    yield _item("model", "", "load (ms)", _milliseconds(report.load_ns))
    yield _item("model", "", "peak model memory (bytes)", report.memory.model_bytes)
    yield _item("model", "", "peak process memory (bytes)", report.memory.peak_bytes)
    for layer in own_names(report):
        if layer.time_ns is not None:
            yield _item("node", layer.name, "time (ms)", _milliseconds(layer.time_ns))
            share = units.share(layer.time_ns, report.kernel_ns)
            yield _item("node", layer.name, "% of kernel time", share)


def _metadata(report: PerformanceReport) -> Iterator[dict[str, Any]]:
    yield _item("model", "", "measured", report.created)
    yield _item("model", "", "onnxruntime", report.environment.onnxruntime)
    names = {layer.index: layer.name for layer in report.layers}
    for layer in own_names(report):
        yield _item("node", layer.name, "status", str(layer.status))
        if layer.ran_on is not None:
            yield _item("node", layer.name, "ran on", layer.ran_on)
        if layer.into is not None:
            yield _item("node", layer.name, "time is in", units.clip(names.get(layer.into, "")))


def _item(kind: str, target: str, name: str, value: str | float) -> dict[str, Any]:
    return {"kind": kind, "target": target, "name": name, "value": value}


def _milliseconds(ns: float) -> float:
    return ns / 1e6


def model_explorer(report: PerformanceReport) -> bytes:
    """Microseconds of every layer with a time and a name of its own; UTF-8.

    All nodes have one color where layers cannot be ranked.
    """
    gradient = [(stop, HEAT[0][1] if unranked(report) else tint) for stop, tint in HEAT]
    body = {
        "results": {
            layer.name: {"value": layer.time_ns / 1000}
            for layer in own_names(report)
            if layer.time_ns is not None
        },
        "gradient": [{"stop": stop, "bgColor": tint} for stop, tint in gradient],
    }
    return msgspec.json.format(msgspec.json.encode(body), indent=1) + b"\n"
