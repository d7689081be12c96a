"""From a dropped picture to a tensor and what is shown of it, beside the limit of 30 ms.

python -m benchmarks.preview_drop
"""

import gc
import tracemalloc
from pathlib import Path
from time import perf_counter_ns

import numpy as np

from inspector import units
from inspector.prediction import OutputValue, Prediction
from inspector.preview.frames import Pace
from inspector.preview.image import guess
from inspector.readers import open_model
from inspector.ui.preview import filling, reading
from inspector.ui.preview.filling import Photo

ROOT = Path(__file__).parent.parent
LIMIT_NS, RUNS, CHANGES = 30_000_000, 50, 10_000


def main() -> None:
    """Print the median and the growth of memory over ten thousand changes."""
    samples = ROOT / "sample_models"
    model = open_model(samples / "digits_float32.onnx")
    info = model.inputs[0]
    preparation = guess(info, model.metadata, model.producer)
    assert preparation is not None
    photo = {info.name: Photo(preparation, samples / "inputs" / "digit_3.png")}
    values = np.random.default_rng(0).random((1, 1000)).astype(np.float32)
    answer = Prediction((OutputValue("p", "tensor", "float32", values),), ("cpu",), 1, 0)

    def once() -> int:
        began = perf_counter_ns()
        filling.fill(model, photo, {})
        reading.read_all(answer, (), Pace())
        return perf_counter_ns() - began

    times = sorted(once() for _ in range(RUNS))
    median = times[RUNS // 2]
    print(f"from file to tensor and reading: {units.duration(median)} (limit 30 ms)")
    tracemalloc.start()
    for _ in range(200):
        once()
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(CHANGES):
        once()
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - before
    print(f"memory after {CHANGES:,} changes: {units.size(max(0, grown))} more")


if __name__ == "__main__":
    main()
