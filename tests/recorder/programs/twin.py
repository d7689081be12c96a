"""What native.c, native.cpp, native.mjs, native.rs and Native.java do badly, in Python.

twin.py MODEL RUNS
"""

import os
import sys

import numpy as np
import onnxruntime

ROWS = 2048
model, runs = sys.argv[1], int(sys.argv[2])
options = onnxruntime.SessionOptions()
options.intra_op_num_threads = 2 * (os.cpu_count() or 1)
options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
picture = (np.arange(64, dtype=np.float32) % 17).reshape(1, 1, 8, 8)


def load() -> onnxruntime.InferenceSession:
    providers = ["CUDAExecutionProvider", "CPUExecutionProvider"]
    return onnxruntime.InferenceSession(model, options, providers=providers)


for _ in range(6 * runs):  # a session for each run
    load().run(None, {"picture": picture})
first, second = load(), load()  # the same model twice
for session in (first, second):
    for _ in range(runs):
        session.run(None, {"picture": picture})
if "copies" in sys.argv:  # each input is copied into a new tensor in the runtime's memory
    batch = np.zeros((ROWS, 1, 8, 8), np.float32)
    for _ in range(runs):
        value = onnxruntime.OrtValue.ortvalue_from_numpy(batch)
        first.run_with_ort_values(None, {"picture": value})
