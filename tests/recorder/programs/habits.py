"""Good and bad ways to use the runtime, each recorded into a trace of its own name."""

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from onnxruntime.capi.onnxruntime_pybind11_state import InvalidArgument

import inspector

FOLDER = Path(sys.argv[1])
CORES = (
    len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
)
FEED = np.ones((4, 4), np.float32)


def session(name: str, threads: int = 1) -> Any:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    return onnxruntime.InferenceSession(str(FOLDER / f"{name}.onnx"), options)


def load_each_time() -> None:
    """Loads before each prediction."""
    for _ in range(4):
        session("plain").run(None, {"x": FEED})


def load_now_and_then() -> None:
    """A session for three calls."""
    for _ in range(3):
        one = session("plain")
        for _ in range(3):
            one.run(None, {"x": FEED})


def feed(value: Any, name: str = "plain") -> None:
    """Gives the same five times."""
    one = session(name)
    for _ in range(5):
        with suppress(InvalidArgument):
            one.run(None, {"x": value})


def bound(copies: bool) -> None:
    """Reads a bound output of 1 MiB."""
    one = session("wide")
    binding = one.io_binding()
    binding.bind_cpu_input("x", np.ones((512, 512), np.float32))
    binding.bind_output("y")
    for _ in range(4):
        one.run_with_iobinding(binding)
        _ = binding.copy_outputs_to_cpu() if copies else binding.get_outputs()[0].numpy()


def twice() -> None:
    """Holds the same model two times."""
    both = session("plain"), session("plain")
    for one in both:
        one.run(None, {"x": FEED})


def at_once(threads: int) -> None:
    """Runs two models at the same time."""
    both = session("wide", threads), session("other", threads)
    meeting = threading.Barrier(2)

    def work(one: Any) -> None:
        meeting.wait()
        for _ in range(100):
            one.run(None, {"x": np.ones((512, 512), np.float32)})

    workers = [threading.Thread(target=work, args=(one,)) for one in both]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def with_options(ends: bool = False, **options: Any) -> None:
    """Predicts five times in a session with options of its own."""
    given = onnxruntime.SessionOptions()
    given.intra_op_num_threads = 1
    given.profile_file_prefix = str(FOLDER / "own-profile")
    for name, value in options.items():
        setattr(given, name, value)
    one = onnxruntime.InferenceSession(str(FOLDER / "plain.onnx"), given)
    for _ in range(5):
        one.run(None, {"x": FEED})
    if ends:
        one.end_profiling()


def requesting_cuda() -> None:
    """Asks for a GPU that this build of the runtime cannot use."""
    providers = [("CUDAExecutionProvider", {"device_id": 0}), "CPUExecutionProvider"]
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    path = str(FOLDER / "plain.onnx")
    one = onnxruntime.InferenceSession(path, options, providers=providers)
    for _ in range(5):
        one.run(None, {"x": FEED})


def threads(number: int) -> None:
    """Predicts five times with a number of threads."""
    one = session("plain", number)
    for _ in range(5):
        one.run(None, {"x": FEED})


def returned(name: str, size: int, copies: bool) -> None:
    """Feeds the output of a run to the next one, or a copy of it."""
    one, state = session(name), np.ones((size, size), np.float32)
    for _ in range(6):
        (state,) = one.run(None, {"x": state.copy() if copies else state})


def from_float64(first: bool) -> None:
    """Scales an image of bytes in float64, or casts it first."""
    one, image = session("plain"), np.arange(16, dtype=np.uint8).reshape(4, 4)
    for _ in range(6):
        scaled = image.astype(np.float32) / np.float32(255) if first else image / 255
        one.run(None, {"x": scaled.astype(np.float32)})


async def blocking(apart: bool) -> None:
    """Predicts inside an event loop, or in a thread beside it."""
    one = session("plain")
    for _ in range(5):
        if apart:
            await asyncio.to_thread(one.run, None, {"x": FEED})
        else:
            one.run(None, {"x": FEED})


CASES: dict[str, Callable[[], None]] = {
    "healthy": lambda: feed(FEED),
    "load-per-prediction": load_each_time,
    "session-per-call": load_now_and_then,
    "input-not-contiguous": lambda: feed(np.ones((4, 8), np.float32)[:, ::2]),
    "input-converted": lambda: feed(FEED.tolist()),
    "wrong-type": lambda: feed(FEED.astype(np.float64)),
    "byte-order": lambda: feed(FEED.astype(">f4")),
    "float16-fed-float32": lambda: feed(FEED, "half"),
    "casts-in-model": lambda: feed(FEED.astype(np.float16), "half"),
    "initializers-as-inputs": lambda: feed(FEED, "free"),
    "outputs-copied": lambda: bound(copies=True),
    "bound": lambda: bound(copies=False),
    "model-twice": twice,
    "profiling-left-on": lambda: with_options(enable_profiling=True),
    "profiling-ended": lambda: with_options(ends=True, enable_profiling=True),
    "optimization-disabled": lambda: with_options(
        graph_optimization_level=onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    ),
    "threads-oversubscribed": lambda: at_once(CORES),
    "provider-missing": requesting_cuda,
    "more-threads-than-cores": lambda: threads(CORES + 2),
    "as-many-threads-as-cores": lambda: threads(CORES),
    "states-through-numpy": lambda: returned("wide", 512, copies=False),
    "states-through-numpy-2": lambda: returned("wide", 512, copies=True),
    "small-states": lambda: returned("plain", 4, copies=False),
    "input-from-float64": lambda: from_float64(first=False),
    "cast-first": lambda: from_float64(first=True),
    "run-in-event-loop": lambda: asyncio.run(blocking(apart=False)),
    "run-beside-event-loop": lambda: asyncio.run(blocking(apart=True)),
    "one-thread-each": lambda: at_once(max(1, CORES // 2)),
}
for case in CASES:
    with inspector.recording(FOLDER / f"{case}.json", nodes=5 * (case == "casts-in-model")):
        CASES[case]()
