"""What a step of a recurrent model costs in the engine, beside a plain loop.

Run: python -m benchmarks.steps
Rounds of 800 steps through `EngineProcess.predict` and through a loop of `session.run` take
turns, with one thread each. Prints the time of a step of both, the fastest round of each, and
their ratio. Status 1 above `MAX_RATIO`.
"""

import sys
import tempfile
from pathlib import Path
from time import perf_counter_ns

import numpy as np

from inspector.engine.client.engine_process import EngineProcess
from inspector.preview.runs.steps import Steps
from inspector.report.run_spec import RunSpec
from tests.engine import recurrent_model

STEPS = 800
ROUNDS = 10
# Of the fastest rounds. Measured: 1.1 to 1.3; a trip between two processes for each step: 20.
MAX_RATIO = 2.0


def main() -> int:
    """Return 1 where a step in the engine takes too much longer than in a plain loop."""
    frames = recurrent_model.random_frames(STEPS)
    zeros = np.zeros((1, recurrent_model.WIDTH), np.float32)
    feeds, spec = {"x": frames[0], "state": zeros}, RunSpec(threads=1)
    steps = Steps({"x": frames}, {"state": "stateN"})
    engine_ns, loop_ns = list[int](), list[int]()
    with tempfile.TemporaryDirectory() as folder, EngineProcess() as engine:
        path = recurrent_model.write_recurrent(Path(folder) / "recurrent.onnx")
        session = recurrent_model.plain_session(path)
        engine.load(path, spec)
        for _ in range(ROUNDS):
            began = perf_counter_ns()
            recurrent_model.plain_loop(session, frames)
            between = perf_counter_ns()
            engine.predict(path, spec, feeds, warm=True, steps=steps)
            loop_ns.append(between - began)
            engine_ns.append(perf_counter_ns() - between)
    ratio = min(engine_ns) / min(loop_ns)
    for name, best_ns in (("engine", min(engine_ns)), ("plain loop", min(loop_ns))):
        print(f"{name:<12} {best_ns / STEPS / 1e3:7.1f} us a step")
    print(f"ratio {ratio:.2f}; limit {MAX_RATIO}")
    return int(ratio > MAX_RATIO)


if __name__ == "__main__":
    sys.exit(main())
