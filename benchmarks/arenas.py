"""How near the planned arena is to what TensorFlow Lite Micro's interpreter allocates.

`python -m benchmarks.arenas [FILE ...]` plans the arena of each .tflite file and has the
interpreter allocate it: the package tflite-micro, in this Python or in the one that
INSPECTOR_TFLITE_MICRO names. Without files: those of ../shared/models/other/tflite. Models that
the interpreter refuses are left out. Prints OK where 9 of 10 are within 15%, else MISSED.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from inspector.analysis.cost.arena_plan import arena_plan
from inspector.app.estimates import cost_at
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import InspectorError
from inspector.formats.opening import open_model

FILES = Path(__file__).parents[1] / ".." / "shared" / "models" / "other" / "tflite"
WITHIN = 0.15
SHARE = 0.9
SECONDS = 100
ALLOCATE = """
import sys
from tflite_micro.python.tflite_micro import runtime
runtime.Interpreter.from_file(sys.argv[1], arena_size=256 << 20).print_allocations()
"""
_PARTS = re.compile(r"Arena allocation (head|tail) (\d+) bytes")


def allocated(path: Path) -> tuple[int, int] | None:
    """Return the bytes of values and those kept for layers; None where it is refused."""
    python = os.environ.get("INSPECTOR_TFLITE_MICRO", sys.executable)
    run = subprocess.run(
        [python, "-c", ALLOCATE, str(path)], capture_output=True, text=True, timeout=SECONDS
    )
    found = dict(_PARTS.findall(run.stdout + run.stderr))
    return (int(found["head"]), int(found["tail"])) if len(found) == 2 else None


def main() -> None:
    """Print the table; status 1 where too many are off."""
    given = [Path(name) for name in sys.argv[1:]] or sorted(FILES.glob("**/*.tflite"))
    near = equal = count = 0
    with EngineProcess() as engine:
        for path in given:
            try:
                model = open_model(path)
                plan = arena_plan(model, cost_at(engine, path, model, {}).memory)
            except InspectorError as error:
                print(f"left out: {path.name}: {error.what}")
                continue
            measured = allocated(path)
            if measured is None:
                print(f"left out: {path.name}: the interpreter refuses it")
                continue
            whole = sum(measured)
            off = plan.bytes / whole - 1
            count, equal = count + 1, equal + (plan.values_bytes == measured[0])
            near += abs(off) <= WITHIN
            print(
                f"{path.name}: {len(model.layers)} layers, values {plan.values_bytes:,} of "
                f"{measured[0]:,}, arena {plan.bytes:,} of {whole:,} bytes ({off:+.1%})"
            )
    if not count:
        print("the package tflite-micro is not here: nothing was compared")
        return
    good = near >= SHARE * count
    print(
        f"{'OK' if good else 'MISSED'}: {near} of {count} arenas within {WITHIN:.0%}, values "
        f"equal to the byte for {equal}"
    )
    sys.exit(not good)


if __name__ == "__main__":
    main()
