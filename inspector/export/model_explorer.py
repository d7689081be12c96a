"""Times of a report for Model Explorer, which colours the nodes by them.

Format: its node data of one graph, "results" by node id. The ids of its ONNX adapter are the
names of the nodes, so a layer without a name of its own cannot be reached.
"""

import msgspec

from inspector.export.netron import own_names
from inspector.report import PerformanceReport

_GRADIENT = ((0.0, "#ffffff"), (0.5, "#f9d27a"), (1.0, "#d6453d"))


def model_explorer(report: PerformanceReport) -> bytes:
    """Microseconds of every layer with a time and a name of its own; UTF-8."""
    body = {
        "results": {
            layer.name: {"value": layer.time_ns / 1000}
            for layer in own_names(report)
            if layer.time_ns is not None
        },
        "gradient": [{"stop": stop, "bgColor": tint} for stop, tint in _GRADIENT],
    }
    return msgspec.json.format(msgspec.json.encode(body), indent=1) + b"\n"
