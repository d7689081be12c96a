"""How long until the first facts of a model, and the memory for it, beside onnx.load.

    python -m benchmarks.open [--small]

Makes three models in a temporary folder (3.2 GB; --small: 60 MB): 2 GB of weights in one
file, 100,000 nodes, and 1 GB of weights in one file. Each is opened by each reader in a
fresh process: ours, onnx, and Netron's where it can be driven. Printed: seconds from the end
of the imports to the first facts (ours are the model and everything that the Overview shows),
processor seconds, which neighbours on the machine hardly change, most memory of the process,
and how many times the seconds and the memory of ours the others take.

Bounds: 2 GB in 0.3 s and 60 MB more than a process that has only imported; 100 times faster
than onnx.load; 100,000 nodes in 1 s; gaps of the window's timer 50 ms over the idle ones.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.parts import peer_netron
from benchmarks.parts.big_models import many_nodes, many_weights

READERS = {
    "nothing": "pass",
    "inspector": "facts(open_model(Path(sys.argv[1])))",
    "onnx.load": "onnx.load(sys.argv[1])",
    "onnx.load, no external data": "onnx.load(sys.argv[1], load_external_data=False)",
}
CODE = """
import sys, time
from pathlib import Path
import onnx
from inspector.analysis.facts.model_facts import facts
from inspector.formats.opening import open_model
import psutil
began, used = time.perf_counter(), time.process_time()
{work}
took, used = time.perf_counter() - began, time.process_time() - used
memory = psutil.Process().memory_info()
if hasattr(memory, "peak_wset"):  # Windows
    peak = memory.peak_wset
elif sys.platform == "linux":  # getrusage counts what the parent had when it forked
    lines = Path("/proc/self/status").read_text().splitlines()
    peak = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))
else:
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(took, peak, used)
"""
# While a thread opens the model, the gaps of a timer on the window's thread.
GAPS = """
import sys, threading, time
from pathlib import Path
from inspector.analysis.facts.model_facts import facts
from inspector.formats.opening import open_model
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
    kept.append(open_model(Path(sys.argv[1])))
    kept.append(facts(kept[0]))
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
        netron = peer_netron.prepared(folder)
        if netron is None:
            print("Netron is left out: it needs node and `pip install netron`.")
        for title, path in models.items():
            _table(title, path, netron)
        longest = _run([sys.executable, "-c", GAPS], models[f"{100_000 // part:,} nodes"])
        idle, opening = map(float, longest)
        print(
            f"\nlongest gap of a 4 ms timer of the window: idle {idle * 1e3:.0f} ms, "
            f"while {100_000 // part:,} nodes open {opening * 1e3:.0f} ms"
        )


def _table(title: str, path: Path, netron: list[str] | None) -> None:
    print(f"\n{title:<32}{'seconds':>10}{'cpu s':>8}{'x ours':>9}{'peak MB':>10}{'x ours':>9}")
    commands = {
        reader: [sys.executable, "-c", CODE.format(work=work)]
        for reader, work in READERS.items()
    }
    if netron is not None:
        commands["Netron, without its window"] = netron
    found = {}
    for reader, command in commands.items():
        told = _run(command, path)
        if told:
            found[reader] = float(told[0]), float(told[1]) / 1e6, float(told[2])
        else:
            print(f"  {reader:<30} could not open it")
    ours = found["inspector"]
    for reader, (took, peak, used) in found.items():
        times = f"{used:>8.3f}{took / ours[0]:>9.1f}{peak:>10.0f}{peak / ours[1]:>9.1f}"
        print(f"  {reader:<30}{took:>10.3f}{times}", flush=True)


def _run(command: list[str], path: Path) -> list[str]:
    """Return the words that a command prints; none when it fails."""
    done = subprocess.run([*command, str(path)], capture_output=True, text=True, check=False)
    if done.returncode:
        print(done.stderr[-500:], file=sys.stderr)
        return []
    return done.stdout.split()


if __name__ == "__main__":
    began = time.monotonic()
    main()
    print(f"\nall in {time.monotonic() - began:.0f} s")
