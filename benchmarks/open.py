"""How long until the first facts of a model, and the memory for it, beside onnx.load.

    python -m benchmarks.open [--small]

Makes three models in a temporary folder (3.2 GB; --small: 60 MB): 2 GB of weights in one
file, 100,000 nodes, and 1 GB of weights in one file. Each is opened by each reader in a
fresh process. Printed: seconds from the end of the imports to the first facts (ours are the
model and everything that the Overview shows), most memory of the process, and how many times
the seconds and the memory of ours the others take. Bounds: 2 GB in 0.3 s and 60 MB more than
an empty process that has imported onnx; 100 times faster than onnx.load; 100,000 nodes in 1 s.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.big_models import many_nodes, many_weights

READERS = {
    "nothing": "pass",
    "inspector": "analysis.facts(readers.open_model(Path(sys.argv[1])))",
    "onnx.load": "onnx.load(sys.argv[1])",
    "onnx.load, no external data": "onnx.load(sys.argv[1], load_external_data=False)",
}
CODE = """
import sys, time
from pathlib import Path
import onnx
from inspector import analysis, readers
import psutil
began = time.perf_counter()
{work}
took = time.perf_counter() - began
memory = psutil.Process().memory_info()
if hasattr(memory, "peak_wset"):  # Windows
    peak = memory.peak_wset
elif sys.platform == "linux":  # getrusage counts what the parent had when it forked
    lines = Path("/proc/self/status").read_text().splitlines()
    peak = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))
else:
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(took, peak)
"""
# While a thread opens the model, the gaps of a timer on the window's thread.
GAPS = """
import sys, threading, time
from pathlib import Path
from inspector import analysis, readers
from PySide6.QtCore import QCoreApplication, QTimer
application = QCoreApplication([])
gaps, last = [], time.perf_counter()
def tick():
    global last
    now = time.perf_counter()
    gaps.append(now - last)
    last = now
timer = QTimer()
timer.timeout.connect(tick)
timer.start(4)
def spin(seconds, thread=None):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end and (thread is None or thread.is_alive()):
        application.processEvents()
        time.sleep(0.001)
spin(0.2)
gaps.clear()
spin(1.5)
idle = max(gaps)
kept = []
def work():
    kept.append(readers.open_model(Path(sys.argv[1])))
    kept.append(analysis.facts(kept[0]))
thread = threading.Thread(target=work)
gaps.clear()
thread.start()
spin(60, thread)
print(idle, max(gaps))
"""


def main() -> None:
    """Make the models, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--small", action="store_true", help="a fiftieth of the sizes")
    small = parser.parse_args().small
    part = 50 if small else 1
    with tempfile.TemporaryDirectory(prefix="inspector-bench-") as name:
        folder = Path(name)
        if shutil.disk_usage(folder).free < (4 << 30) // part:
            sys.exit(f"{folder} has no room for the models; set TMPDIR to another folder")
        models = {
            f"{2013 // part} MB in one file": many_weights(folder / "a.onnx", 2013 // part),
            f"{100_000 // part:,} nodes": many_nodes(folder / "b.onnx", 100_000 // part),
            f"{1024 // part} MB in one file": many_weights(folder / "c.onnx", 1024 // part),
        }
        for title, path in models.items():
            _table(title, path)
        idle, opening = map(float, _run(GAPS, models[f"{100_000 // part:,} nodes"]))
        print(
            f"\nlongest gap of a 4 ms timer of the window: idle {idle * 1e3:.0f} ms, "
            f"while {100_000 // part:,} nodes open {opening * 1e3:.0f} ms"
        )


def _table(title: str, path: Path) -> None:
    print(f"\n{title:<32}{'seconds':>10}{'x ours':>9}{'peak MB':>10}{'x ours':>9}")
    found = {}
    for reader, work in READERS.items():
        took, peak = _run(CODE.format(work=work), path)
        found[reader] = float(took), float(peak) / 1e6
    ours = found["inspector"]
    for reader, (took, peak) in found.items():
        times = f"{took / ours[0]:>9.1f}{peak:>10.0f}{peak / ours[1]:>9.1f}"
        print(f"  {reader:<30}{took:>10.3f}{times}", flush=True)


def _run(code: str, path: Path) -> list[str]:
    command = [sys.executable, "-c", code, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["it ended"])[-1]
        sys.exit(f"{path.name}: {reason}")
    return done.stdout.split()


if __name__ == "__main__":
    began = time.monotonic()
    main()
    print(f"\nall in {time.monotonic() - began:.0f} s")
