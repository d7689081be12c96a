"""Spans by what they have in common as a table, one row a group."""

import csv
import io

from inspector.analysis.aggregation import Aggregation
from inspector.export.csv import safe
from inspector.trace import Trace

_COLUMNS = (
    "name", "operator", "lane", "track", "count", "total_ns", "self_ns", "mean_ns", "min_ns",
    "p50_ns", "p95_ns", "max_ns", "share",
)  # fmt: skip


def aggregation_csv(trace: Trace, found: Aggregation) -> bytes:
    """Every group with its times, that with most time first; RFC 4180, UTF-8.

    share: of the own time of all groups, 0 to 1.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(_COLUMNS)
    shares = found.shares()
    numbers = (
        found.count, found.total_ns, found.self_ns, found.mean_ns, found.minimum_ns,
        found.p50_ns, found.p95_ns, found.maximum_ns,
    )  # fmt: skip
    for group in (-found.total_ns).argsort(kind="stable").tolist():
        track = trace.tracks[int(found.tracks[group])]
        words = (found.names[group], found.operators[group], track.lane.value, track.name)
        share = f"{shares[group]:.6f}"
        writer.writerow([*map(safe, words), *(int(one[group]) for one in numbers), share])
    return text.getvalue().encode("utf-8", "backslashreplace")
