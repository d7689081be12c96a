"""Opening a long profile: how long it takes and how much memory, beside Python's json.

Run: python -m benchmarks.traces [MEGABYTES]      (by default 500)
Writes a profile of ONNX Runtime of that size, opens it in a fresh process and loads it, or the
first 100 MB of it, with json.load in another. Prints processor time and the most memory that
each process held, then what the window does with the trace: nest, add up, prepare for drawing.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

NODES, GAP_US, PEER_MB = 60, 400, 100


def write(path: Path, megabytes: int) -> int:
    """Write runs of a model with NODES nodes; gives the number of events."""
    events, ts = 0, 0
    with path.open("w") as file:
        file.write("[\n")
        begin = '{"cat":"Session","pid":1,"tid":1,"dur":900,"ts":0,"ph":"X",'
        file.write(begin + '"name":"session_initialization","args":{}}')
        while file.tell() < megabytes * 1_000_000:
            for node in range(NODES):
                file.write(",\n" + json.dumps(_node(node, ts + 20 * node)))
            file.write(
                f',\n{{"cat":"Session","pid":1,"tid":1,"dur":{NODES * 20 + 9},"ts":{ts},'
                '"ph":"X","name":"model_run","args":{}}'
            )
            events, ts = events + NODES + 1, ts + NODES * 20 + GAP_US
        file.write("\n]\n")
    return events + 1


def _node(number: int, ts: int) -> dict[str, Any]:
    shape = [{"float": [1, 64, 56, 56]}]
    return {
        "cat": "Node", "pid": 1, "tid": 1, "dur": 15 + number % 5, "ts": ts, "ph": "X",
        "name": f"/layer{number // 8}/conv{number}/Conv_kernel_time",
        "args": {
            "op_name": ("Conv", "Relu", "Add")[number % 3], "node_index": str(number),
            "provider": "CPUExecutionProvider", "thread_scheduling_stats": "",
            "input_type_shape": shape * 2, "output_type_shape": shape,
            "parameter_size": "147456", "activation_size": "802816", "output_size": "802816",
            "mem_in_use_delta": "0", "mem_bytes_in_use": "9087232", "mem_arena_held": "0",
        },
    }  # fmt: skip


def ours(path: Path) -> None:
    """Open it as the window does, then what comes after."""
    from inspector.formats.traces.detection import open_trace
    from inspector.trace.aggregation import aggregate
    from inspector.trace.trace_rows import build_level_of_detail

    opened = _timed("open_trace", lambda: open_trace(path))
    print(f"{'':>24}{len(opened.trace):>12,} spans, {len(opened.layers):,} layers")
    _timed("aggregate", lambda: aggregate(opened.trace, opened.layers))
    _timed("detail", lambda: build_level_of_detail(opened.trace))


def peer(path: Path) -> None:
    """Load it as most tools do."""
    with path.open() as file:
        _timed("json.load", lambda: json.load(file))


def _timed(name: str, job: Callable[[], Any]) -> Any:
    before, begin = _peak_mb(), time.process_time()
    found = job()
    seconds = time.process_time() - begin
    print(f"{name:>24}{seconds:>10.2f} s{_peak_mb():>10,.0f} MB at most ({before:,.0f} before)")
    return found


def _peak_mb() -> float:
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 1e6 * (1 if sys.platform == "darwin" else 1024)


def main(megabytes: int) -> None:
    """Measure and print."""
    with TemporaryDirectory(prefix="inspector-traces-") as folder:
        path = Path(folder) / "profile.json"
        events = write(path, megabytes)
        print(f"a profile of {path.stat().st_size / 1e6:,.0f} MB with {events:,} events")
        _run("ours", path)
        if megabytes > PEER_MB:  # it would need gigabytes
            events = write(path, PEER_MB)
            print(f"a profile of {PEER_MB:,} MB with {events:,} events")
        _run("peer", path)


def _run(job: str, path: Path) -> None:
    command = [sys.executable, "-m", "benchmarks.traces", job, str(path)]
    subprocess.run(command, check=True, cwd=Path(__file__).parent.parent)


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in ("ours", "peer"):
        {"ours": ours, "peer": peer}[sys.argv[1]](Path(sys.argv[2]))
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else 500)
