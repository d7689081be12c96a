"""What looking at weights costs: time and memory beside numpy, and the list of many tensors.

Run: python -m benchmarks.weights [GIB] [FOLDER]      (by default 2 GiB in the temporary folder)
Makes a model with one float32 tensor of that size in a file of its own, then prints for each
way of looking at it, in a process of its own, the seconds, the rate, and how much memory the
process took at its peak beyond what it had before. The peer is numpy: `np.fromfile` and
`np.min`, which tells one number. Then the list of 100,000 tensors: milliseconds of the thread
to sort and to filter it for the first time, limit 50.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from inspector.formats import opening
from inspector.formats.onnx import weight_values
from inspector.model.model import Model, Place, WeightInfo
from inspector.model.tensors.tensor_statistics import statistics
from inspector.pages.lists.weight_rows import weight_table
from inspector.ui.documents.weight_reading import View, gather, plane
from inspector.ui.widgets.page_table import PageTableModel

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

LIMIT_MS = 50


def make(folder: Path, size_bytes: int) -> Path:
    """Write a model whose only weight lies in a file beside it."""
    from onnx import TensorProto, helper

    block = np.random.default_rng(1).normal(0, 0.02, 16 << 20).astype(np.float32)
    rows = size_bytes // block.nbytes
    with (folder / "weights.data").open("wb") as file:
        for _ in range(rows):
            file.write(block.data)
    tensor = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[rows, 4096, 4096])
    tensor.data_location = TensorProto.EXTERNAL
    tensor.external_data.add(key="location", value="weights.data")
    value = helper.make_tensor_value_info("x", 1, [1])
    graph = helper.make_graph([], "g", [value], [value], [tensor])
    path = folder / "model.onnx"
    path.write_bytes(helper.make_model(graph).SerializeToString())
    return path


def _opened(path: Path) -> None:
    opening.open_model(path)


def _counted(path: Path) -> None:
    statistics(weight_values.chunks(path, opening.open_model(path).weights[0]))


def _gathered(path: Path) -> None:
    gather(path, opening.open_model(path).weights[0], {}, lambda _: None)


def _plane(path: Path) -> None:
    plane(path, 0, opening.open_model(path).weights[0], View(1, 2, (0, 0, 0)), {})


def _numpy(path: Path) -> None:
    np.min(np.fromfile(path.with_name("weights.data"), np.float32))


WAYS: dict[str, Callable[[Path], None]] = {
    "open the model": _opened,
    "a plane of 4096x4096": _plane,
    "statistics": _counted,
    "statistics and digest": _gathered,
    "np.fromfile, np.min": _numpy,
}


def child(way: str, path: Path) -> None:
    """Do one thing and print its seconds and its memory in KiB."""
    before = _peak_kib()
    begin = time.perf_counter()
    WAYS[way](path)
    took = time.perf_counter() - begin
    print(took, _peak_kib() - before)


def _peak_kib() -> int:
    """Highest memory of this process so far."""
    status = Path("/proc/self/status")
    if status.is_file():  # ru_maxrss begins with that of the process which started this one
        lines = status.read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def sort_and_filter(number: int) -> dict[str, float]:
    """Milliseconds of the thread for the first time of each thing done to a long list."""
    weights = tuple(
        WeightInfo(
            f"block.{i % 977}/op{i}", "float32", (i % 7, 16), i % 1009, Place("", i * 64, 64)
        )
        for i in range(number)
    )
    text = ("", "onnx", 0, 8, (), "", "", "", 0, "", "", (), (), (), ())
    model = PageTableModel(weight_table(Model(*text, weights), ((),) * number))
    times = {}
    acts: list[tuple[str, Callable[[], None]]] = [
        (f"sort by {str(what).lower()}", lambda column=column: model.turn(column))  # type: ignore[misc]
        for column, what in enumerate(model.columns)
    ]
    acts.append(("filter by two words", lambda: model.pick("block.9 op7")))
    for words, act in acts:
        begin = time.thread_time()
        act()
        times[words] = (time.thread_time() - begin) * 1e3
    return times


def main(size_bytes: int, folder: Path) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        path = make(Path(place), size_bytes)
        size = path.with_name("weights.data").stat().st_size
        print(f"{size / 2**30:.2f} GiB of float32 in one tensor, warm file cache")
        print(f"{'':<24}{'seconds':>9}{'GB/s':>8}{'memory':>12}")
        for way in WAYS:
            command = [sys.executable, __file__, "--child", way, str(path)]
            told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            took, memory = (float(word) for word in told.split())
            whole = way not in ("open the model", "a plane of 4096x4096")
            rate = f"{size / took / 1e9:.2f}" if whole else ""
            print(f"{way:<24}{took:>9.3f}{rate:>8}{memory / 1024:>8.1f} MiB", flush=True)
    print(f"\n100,000 tensors, first time, limit {LIMIT_MS} ms")
    for words, took in sort_and_filter(100_000).items():
        print(f"{words:<24}{took:>7.1f} ms")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], Path(sys.argv[3]))
    else:
        gib = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
        main(
            int(gib * 2**30), Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.gettempdir())
        )
