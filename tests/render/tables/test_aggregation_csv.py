import csv
import io

from inspector.render.tables.report_csv import aggregation_csv
from inspector.trace.aggregation import aggregate
from inspector.trace.trace import Kind, Lane, TracedLayer, Track
from inspector.trace.trace_builder import TraceBuilder

CPU = Track(Lane.COMPUTE, "CPU", "cpu", "cpu")


def rows(*names: str) -> list[dict[str, str]]:
    build = TraceBuilder()
    for place, name in enumerate(names):
        build.add(CPU, name, place * 100, 10 + place, Kind.KERNEL, 0)
    trace = build.trace()
    body = aggregation_csv(trace, aggregate(trace, (TracedLayer(0, "conv", "Conv"),)))
    return list(csv.DictReader(io.StringIO(body.decode())))


def test_a_group_is_a_row_and_that_with_most_time_comes_first():
    first, second = rows("relu", "conv", "conv")
    assert (first["name"], first["operator"], first["track"]) == ("conv", "Conv", "CPU")
    assert (first["count"], first["total_ns"], first["mean_ns"]) == ("2", "23", "11")
    assert (second["name"], second["max_ns"], second["lane"]) == ("relu", "10", "compute")
    assert float(first["share"]) + float(second["share"]) == 1


def test_a_name_is_no_formula_for_a_spreadsheet():
    assert rows("=HYPERLINK(1)")[0]["name"] == "'=HYPERLINK(1)"
