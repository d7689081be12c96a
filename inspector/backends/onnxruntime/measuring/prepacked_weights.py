"""Count weights that kernels prepack, and the memory of a session with and without that.

The runtime counts: asked to save its optimised graph with the packed weights, it names each
with its length. What a session holds is from the books of the C library, if it has any (glibc).
"""

import ctypes
import gc
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter_ns

import onnx
import onnxruntime
from onnx import TensorProto

from inspector.backends.base import DISK_HINT
from inspector.backends.onnxruntime.graphs import layer_names
from inspector.backends.onnxruntime.graphs.tensor_types import WITHOUT_PREPARATION
from inspector.backends.onnxruntime.sessions import devices
from inspector.backends.onnxruntime.sessions.devices import DeviceHandle
from inspector.backends.onnxruntime.sessions.session import NOTHING, create_session
from inspector.errors import EngineFailed
from inspector.platform.heap import trim_heap
from inspector.report.environment import WeightPrepacking
from inspector.report.run_spec import RunSpec
from inspector.units import size

MOST_BYTES = 1 << 30  # of a model whose packed weights are written down to be counted
_SINCE = (1, 21)  # of the runtime
_TOGETHER_NS = 20_000_000_000
_MOST = 3
_LEAST = 2
_GRAPH = "packed.onnx"
_WEIGHTS = "packed.bin"
_HINT = "Measure a smaller model. All other results of this report are complete."
_SAVED = "prepacked_"
SAVING: Mapping[str, str] = {
    "session.save_external_prepacked_constant_initializers": "1",
    "session.optimized_model_external_initializers_file_name": _WEIGHTS,
    "session.optimized_model_external_initializers_min_size_in_bytes": "0",
}


def count_prepacked(model: Path, spec: RunSpec, folder: Path) -> WeightPrepacking:
    """Load a model as a spec asks, again and again; meant for a process of its own.

    folder: private, takes the optimised graph with all weights for a while.
    Raises EngineFailed: the runtime refused, or there is no room. BadInput: a setting.
    """
    units = devices.resolve(spec.devices)
    prepacked, replaced = _counted(model, spec, units, folder)
    held, plain = _held(model, spec, units)
    both = [each for each in (held, plain) if each]
    return WeightPrepacking(
        prepacked,
        replaced,
        int(median(held)) if held else 0,
        int(median(plain)) if plain else 0,
        max((max(each) - min(each) for each in both), default=0),
        len(held),
    )


def _counted(
    model: Path, spec: RunSpec, units: Sequence[DeviceHandle], folder: Path
) -> tuple[int | None, int]:
    """Return the bytes that kernels packed, and of weights they came from; None: not known."""
    version = tuple(int(part) for part in onnxruntime.__version__.split(".")[:2])
    if version < _SINCE:
        return None, 0
    stored = model.stat().st_size
    what = f"Could not count the prepacked weights of {model.name}"
    if stored > MOST_BYTES:
        raise EngineFailed(what, f"it is larger than {size(MOST_BYTES)}", _HINT, "packing")
    free = shutil.disk_usage(folder).free
    if free < 3 * stored:
        raise EngineFailed(
            what, f"only {size(free)} of disk space is free", DISK_HINT, "packing"
        )
    saved = folder / _GRAPH
    try:
        create_session(model, spec, units, optimized_path=saved, config=SAVING)
        graph = onnx.load(saved, load_external_data=False).graph
    finally:
        for name in (_GRAPH, _WEIGHTS):
            (folder / name).unlink(missing_ok=True)
    each = [
        (_packed(tensor), _length(tensor))
        for inner in layer_names.graphs(graph)
        for tensor in inner.initializer
    ]
    return sum(packed for packed, _ in each), sum(given for packed, given in each if packed)


def _packed(tensor: TensorProto) -> int:
    """Return the bytes of packed weights of an initializer:
    'MatMul+HASH|OFFSET;LENGTH;CHECKSUM|...'."""
    entries = (pair for pair in tensor.external_data if pair.key.startswith(_SAVED))
    blobs = (blob for pair in entries for blob in pair.value.split("|")[1:])
    return sum(int(blob.split(";")[1]) for blob in blobs)


def _length(tensor: TensorProto) -> int:
    location = {pair.key: pair.value for pair in tensor.external_data}
    return int(location.get("length", 0))


def _held(
    model: Path, spec: RunSpec, units: Sequence[DeviceHandle]
) -> tuple[list[int], list[int]]:
    """Return the bytes that sessions hold, with prepacking and without, in turns; none where
    not known."""
    held: list[int] = []
    plain: list[int] = []
    if in_use() is None:
        return held, plain
    began = perf_counter_ns()
    _of_session(model, spec, units, NOTHING)  # the first one brings what stays for good
    times = _MOST if 2 * _MOST * (perf_counter_ns() - began) < _TOGETHER_NS else _LEAST
    for _ in range(times):
        held.append(_of_session(model, spec, units, NOTHING))
        plain.append(_of_session(model, spec, units, WITHOUT_PREPARATION))
    return held, plain


def _of_session(
    model: Path, spec: RunSpec, units: Sequence[DeviceHandle], config: Mapping[str, str]
) -> int:
    trim_heap()
    before = in_use() or 0
    session = create_session(model, spec, units, config=config)
    after = in_use() or 0
    del session
    gc.collect()
    return max(0, after - before)


class _HeapStatistics(ctypes.Structure):
    """struct mallinfo2 of glibc 2.33: https://man7.org/linux/man-pages/man3/mallinfo.3.html"""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
            "fordblks", "keepcost",
        )
    )  # fmt: skip


def in_use() -> int | None:
    """Return the bytes that the C library has given out and not got back; None where it does
    not say."""
    if sys.platform != "linux":
        return None
    ask = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if ask is None:
        return None
    ask.restype = _HeapStatistics
    books = ask()
    return int(books.uordblks + books.hblkhd)
