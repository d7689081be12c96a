"""What a person waits for with very long models and lists, in the thread's own time.

Run: python -m benchmarks.at_once
Prints the milliseconds for the first time of each, with its limit: lists of 100,000 layers
made, sorted and filtered, a part read from a tensor of 16 GiB, the second look at 10,000
reports, and the verdict after one further start, beside that after the first thirty.
Weights and attribution have files of their own (`benchmarks.weights`,
`benchmarks.attribution`). Status 1 where a limit is missed.
"""

import os
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from time import thread_time

import numpy as np
from onnx import TensorProto, helper

from inspector.analysis.layer_search import values_by_name
from inspector.analysis.measured.history import INDEX, History
from inspector.analysis.verdicts.pooled_starts import StartSamples, compare_pooled, pool_starts
from inspector.formats.onnx import weight_values
from inspector.formats.opening import open_model
from inspector.model.model import Layer
from inspector.pages.model.layers import layer_table
from inspector.pages.report.layer_table import layer_table as timed_layers
from inspector.report.environment import SystemLoad
from inspector.report.report import LayerUse, Support, save
from inspector.report.run_spec import RunSpec
from inspector.statistics.cpu_speed import CpuSpeed
from inspector.ui.widgets.page_table import PageTableModel
from inspector.wording.support_marks import Mark, Source, Status
from tests.reports import example_report

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

LAYERS, STARTS, PREDICTIONS = 100_000, 31, 30_000
REPORTS = 10_000
LIST_MS, TABLE_MS, PART_MS = 1_000.0, 600.0, 1_000.0  # limits, generous on a busy machine
HISTORY_MS = 600.0
FURTHER_SHARE = 1 / 3  # of the first thirty starts, which one further start may take


def milliseconds(act: Callable[[], object]) -> float:
    """Return the thread's own time of one call."""
    begin = thread_time()
    act()
    return (thread_time() - begin) * 1e3


def layer_list(folder: Path) -> float:
    """List the layers of the Overview tab and filter them by two words."""
    path = folder / "small.onnx"
    value = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1])
    path.write_bytes(
        helper.make_model(helper.make_graph([], "g", [value], [value])).SerializeToString()
    )
    layers = tuple(
        Layer(i, f"/block{i // 100}/node_{i}", "Relu", "", (f"in_{i}",), (f"out_{i}",))
        for i in range(LAYERS)
    )
    model = replace(open_model(path), layers=layers)

    def list_and_filter() -> None:
        rows = PageTableModel(layer_table(model))
        rows.search_layers(lambda: (layers, values_by_name(model)))
        rows.pick("block77/ node_77")

    return milliseconds(list_and_filter)


def performance_table() -> float:
    """Sort and filter the table of the Performance tab, which was shown before."""
    marks = {"cpu": Support(Mark.RAN, Source.MEASURED)}
    layers = tuple(
        LayerUse(
            i,
            f"block.{i % 977}/op{i}",
            "Conv",
            Status.EXECUTED,
            "cpu",
            i * 7919 % 10_007,
            marks,
        )
        for i in range(LAYERS)
    )
    model = PageTableModel(timed_layers(replace(example_report(), layers=layers)))
    model.pick("warm")
    time_column = model.place("time")

    def sort_and_filter() -> None:
        model.sort_by(time_column, downwards=True)
        model.pick("op99 conv")

    return milliseconds(sort_and_filter)


def part_of_a_long_tensor(folder: Path) -> float:
    """Open a model with a tensor of 16 GiB, sparse on the disk, and read nine of its values."""
    tensor = TensorProto(
        name="w",
        data_type=TensorProto.FLOAT,
        dims=[4, 1 << 15, 1 << 15],
        data_location=TensorProto.EXTERNAL,
    )
    tensor.external_data.add(key="location", value="big.data")
    value = helper.make_tensor_value_info("x", TensorProto.FLOAT, [1])
    graph = helper.make_graph([], "g", [value], [value], [tensor])
    path = folder / "large.onnx"
    path.write_bytes(helper.make_model(graph).SerializeToString())
    with (folder / "big.data").open("wb") as file:
        file.truncate(16 << 30)

    def read() -> None:
        info = open_model(path).weights[0]
        known = weight_values.stamps(path, [info])
        weight_values.part(path, info, (3, slice(4, 7), slice(6, 9)), known)

    return milliseconds(read)


def second_look_at_the_history(folder: Path) -> float:
    """List reports that the index knows: one is read, the others have its row."""
    library = folder / "library"
    library.mkdir()
    save(example_report(), library / "0.report.json")
    history = History(library)
    history.reports()
    with closing(sqlite3.connect(library / INDEX)) as index:
        row = index.execute("select * from reports").fetchone()
        for number in range(1, REPORTS):
            path = library / f"{number}.report.json"
            path.touch()
            values = (str(path), path.stat().st_mtime_ns, 0, *row[3:])
            index.execute(f"insert into reports values ({', '.join('?' * len(row))})", values)
        index.commit()
    listed: list[int] = []
    took = milliseconds(lambda: listed.append(len(history.reports())))
    assert listed == [REPORTS]
    return took


def verdict_after_a_further_start() -> tuple[float, float]:
    """Return what the verdict takes after thirty starts, and after one more."""
    random, starts = np.random.default_rng(5), []
    alone = replace(
        example_report(), spec=RunSpec(threads=1), surroundings=SystemLoad(0.0, 0.0)
    )
    probes = CpuSpeed((4000,) * 301, tuple(range(0, PREDICTIONS + 1, 100)), 4000)
    for _ in range(STARTS):
        wall = random.integers(9_000, 15_000, PREDICTIONS)
        starts.append(StartSamples(replace(alone, pace=probes), wall, wall))
    half = STARTS // 2
    first = milliseconds(
        lambda: compare_pooled(pool_starts(starts[:half]), pool_starts(starts[half:-1]))
    )
    return first, milliseconds(
        lambda: compare_pooled(pool_starts(starts[:half]), pool_starts(starts[half:]))
    )


def main() -> int:
    """Measure and print; return 1 where a limit is missed."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        rows = [
            (f"list and filter {LAYERS:,} layers", layer_list(folder), LIST_MS),
            (f"sort and filter a table of {LAYERS:,} layers", performance_table(), TABLE_MS),
        ]
        rows.append(
            (f"list {REPORTS:,} reports", second_look_at_the_history(folder), HISTORY_MS)
        )
        if os.name != "nt":  # such a file would take its room on the disk
            rows.append(("part of 16 GiB", part_of_a_long_tensor(folder), PART_MS))
    first, further = verdict_after_a_further_start()
    rows.append(("verdict after a further start", further, first * FURTHER_SHARE))
    for words, took, limit in rows:
        missed = "  MISSED" if took > limit else ""
        print(f"{words:<42}{took:>8.1f} ms, limit {limit:>7.1f}{missed}")
    return int(any(took > limit for _, took, limit in rows))


if __name__ == "__main__":
    sys.exit(main())
