"""Times of operators from LiteRT's own profiler, through the C interface of its library.

The declarations are those of LiteRT's litert/c/*.h at commit f67457790c9c. Python's package has
no profiler; the functions are looked up by name, and a library without them is told as such.
"""

import ctypes
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import ai_edge_litert
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.backends.litert.layer_times import (
    DELEGATED,
    OPERATOR,
    REQUEST,
    WHOLE,
    Event,
    is_invoke,
)
from inspector.units import clip

_LIBRARIES = ("libLiteRt.so", "libLiteRt.dylib", "libLiteRt.dll", "LiteRt.dll")
# of a lock on a tensor buffer
_WRITE = 1
_BATCH_NS = 20_000_000  # of runs in a row: reading events in between would empty the caches
_MOST_IN_BATCH = 20
_RECORDED = (OPERATOR, DELEGATED, WHOLE, REQUEST)
_CPU = 1  # bit of the hardware accelerators
_RANK_BITS = 127
_LONGEST_EVENT_US = 1 << 31  # one event has a duration of 2**32; it is no time
_Pointer = ctypes.c_void_p
_DELETER = ctypes.CFUNCTYPE(None, _Pointer)


class Unavailable(Exception):
    """The profiler cannot be used; says why."""


class Profiled(Struct, frozen=True):
    """The events of each profiled run, in order; and times of runs without the profiler.

    All were made in turns, so that the CPU was equally fast.

    stopped_ns: of the profiled model while its profiler was stopped. plain_ns: of the same
    model compiled without a profiler. The first take longer by what XNNPACK's reports of its
    kernels cost, which it writes even then. Both are empty where they were not asked for.
    """

    runs: tuple[tuple[Event, ...], ...]
    unprofiled_ns: tuple[int, ...]
    stopped_ns: tuple[int, ...] = ()
    plain_ns: tuple[int, ...] = ()


class _Layout(ctypes.Structure):
    _fields_ = (("bits", ctypes.c_uint32), ("dims", ctypes.c_int32 * 8),
                ("strides", ctypes.c_uint32 * 8))  # fmt: skip


class _Ranked(ctypes.Structure):
    _fields_ = (("element", ctypes.c_int32), ("layout", _Layout))


class _Memory(ctypes.Structure):
    _fields_ = (("total", ctypes.c_size_t), ("used", ctypes.c_size_t),
                ("footprint", ctypes.c_size_t))  # fmt: skip


class _Event(ctypes.Structure):
    _fields_ = (
        ("tag", ctypes.c_char_p), ("type", ctypes.c_int), ("start", ctypes.c_uint64),
        ("duration", ctypes.c_uint64), ("begin", _Memory), ("end", _Memory),
        ("node", ctypes.c_uint64), ("subgraph", ctypes.c_uint64), ("source", ctypes.c_int),
    )  # fmt: skip


class Profiler:
    """A compiled model, with a profiler unless told otherwise. Raises Unavailable."""

    def __init__(
        self,
        model: Path,
        inputs: Mapping[str, NDArray[np.generic]],
        signature_index: int,
        threads: int,
        xnnpack: bool,
        profiling: bool = True,
    ) -> None:
        self._library = _library()
        self._kept: list[Any] = []
        self._index = ctypes.c_size_t(signature_index)
        self._environment = self._made("CreateEnvironment", 0, None)
        self._model = self._made("CreateModelFromFile", self._environment, str(model).encode())
        options = self._made("CreateOptions")
        self._call("SetOptionsHardwareAccelerators", options, _CPU)
        if profiling:
            self._add_option(options, "runtime_options_string", "enable_profiling = true\n")
        text = "" if xnnpack else 'kernel_mode = "builtin"\n'
        text += f"num_threads = {threads}\n" if threads else ""
        if text:
            self._add_option(options, "xnnpack", text)
        self._compiled = self._made(
            "CreateCompiledModel", self._environment, self._model, options
        )
        if profiling:
            self._profiler = self._made("CompiledModelGetProfiler", self._compiled)
        signature = self._made("GetModelSignature", self._model, self._index)
        self._inputs = self._buffers(signature, "Input", inputs)
        self._outputs = self._buffers(signature, "Output", {})

    def run(self) -> None:
        """Run the model once."""
        self._call(
            "RunCompiledModel", self._compiled, self._index,
            ctypes.c_size_t(len(self._inputs)), self._inputs,
            ctypes.c_size_t(len(self._outputs)), self._outputs,
        )  # fmt: skip

    def profiled(
        self,
        least: int,
        enough: int,
        nanoseconds: int,
        bare: Callable[[], object],
        tell: Callable[[float], None],
        plain: Callable[[], object] | None = None,
    ) -> Profiled:
        """Profile runs: at least `least`; then until there are enough, or the time is over.

        bare: runs the model without a profiler, as a prediction does. plain: runs it as this
        object does, but compiled without a profiler.
        """
        runs: list[tuple[Event, ...]] = []
        unprofiled_ns: list[int] = []
        stopped_ns: list[int] = []
        plain_ns: list[int] = []
        began = perf_counter_ns()
        batch = 1
        while len(runs) < enough:
            if len(runs) >= least and perf_counter_ns() - began > nanoseconds:
                break
            tell(min(len(runs) / enough, 1.0))
            spent_ns = _timed(bare, batch)
            unprofiled_ns += spent_ns
            if plain is not None:
                plain_ns += _timed(plain, batch)
                stopped_ns += _timed(self.run, batch)
            self._call("ResetProfiler", self._profiler)
            self._call("StartProfiler", self._profiler)
            for _ in range(batch):
                self.run()
            self._call("StopProfiler", self._profiler)
            runs += _whole_runs(self._events())
            batch = max(1, min(_MOST_IN_BATCH, _BATCH_NS // max(1, min(spent_ns))))
            if not runs:
                raise Unavailable("its profiler reported no run")
        return Profiled(tuple(runs), *map(tuple, (unprofiled_ns, stopped_ns, plain_ns)))

    def _events(self) -> tuple[Event, ...]:
        count = ctypes.c_int()
        self._call("GetNumProfilerEvents", self._profiler, ctypes.byref(count))
        events = (_Event * count.value)()
        self._call("GetProfilerEvents", self._profiler, count, events)
        return tuple(
            Event(
                each.type,
                (each.tag or b"").decode("utf-8", "replace"),
                each.node,
                each.subgraph,
                each.start if each.type != DELEGATED else 0,
                each.duration,
            )
            for each in events
            if each.type in _RECORDED and each.duration < _LONGEST_EVENT_US
        )

    def _add_option(self, options: Any, name: str, text: str) -> None:
        body = ctypes.create_string_buffer(text.encode())
        keep = _DELETER(lambda pointer: None)
        self._kept += [body, keep]
        create = self._function("CreateOpaqueOptions")
        create.argtypes = [ctypes.c_char_p, _Pointer, _DELETER, _Pointer]
        option = _Pointer()
        status = create(
            name.encode(), ctypes.cast(body, _Pointer), keep, ctypes.addressof(option)
        )
        self._expect(status, "CreateOpaqueOptions")
        self._call("AddOpaqueOptions", options, option)

    def _buffers(
        self, signature: Any, kind: str, values: Mapping[str, NDArray[np.generic]]
    ) -> Any:
        count = ctypes.c_size_t()
        self._call(f"GetNumSignature{kind}s", signature, ctypes.byref(count))
        if values and len(values) != count.value:
            raise Unavailable("its signature and its graph have different inputs")
        buffers = (_Pointer * count.value)()
        for place in range(count.value):
            at = ctypes.c_size_t(place)
            tensor = self._made(f"GetSignature{kind}TensorByIndex", signature, at)
            ranked = _Ranked()
            self._call("GetRankedTensorType", tensor, ctypes.byref(ranked))
            rank = ranked.layout.bits & _RANK_BITS
            if any(length < 0 for length in ranked.layout.dims[:rank]):
                raise Unavailable("an axis of its inputs or outputs is dynamic")
            requirements = self._made(
                f"GetCompiledModel{kind}BufferRequirements", self._compiled, self._index, at
            )
            buffers[place] = self._made(
                "CreateManagedTensorBufferFromRequirements",
                self._environment,
                ctypes.byref(ranked),
                requirements,
            )
            if values:
                given = self._made(f"GetSignature{kind}Name", signature, at)
                name = (ctypes.cast(given, ctypes.c_char_p).value or b"").decode()
                if name not in values:
                    raise Unavailable(f"its signature has an input {clip(name, 60)} of its own")
                self._fill(buffers[place], np.ascontiguousarray(values[name]))
        return buffers

    def _fill(self, buffer: Any, array: NDArray[np.generic]) -> None:
        size, host = ctypes.c_size_t(), _Pointer()
        self._call("GetTensorBufferSize", _Pointer(buffer), ctypes.byref(size))
        if size.value < array.nbytes:
            raise Unavailable("an input has a different size than in the interpreter")
        self._call("LockTensorBuffer", _Pointer(buffer), ctypes.byref(host), _WRITE)
        ctypes.memmove(host, array.ctypes.data, array.nbytes)
        self._call("UnlockTensorBuffer", _Pointer(buffer))

    def _made(self, name: str, *arguments: Any) -> Any:
        """Call a function that returns an object through its last argument."""
        made = _Pointer()
        self._call(name, *arguments, ctypes.byref(made))
        return made

    def _call(self, name: str, *arguments: Any) -> None:
        self._expect(self._function(name)(*arguments), name)

    def _function(self, name: str) -> Any:
        try:
            return getattr(self._library, f"LiteRt{name}")
        except AttributeError:
            raise Unavailable(f"its library has no function LiteRt{name}") from None

    def _expect(self, status: int, name: str) -> None:
        if status:
            raise Unavailable(f"LiteRt{name} returned status {status}")


def _timed(run: Callable[[], object], times: int) -> list[int]:
    """Return how long each of several runs takes, after one that brings data into caches."""
    run()
    clock = [perf_counter_ns()]
    for _ in range(times):
        run()
        clock.append(perf_counter_ns())
    return [later - earlier for earlier, later in pairwise(clock)]


def _whole_runs(events: Sequence[Event]) -> list[tuple[Event, ...]]:
    """Return the events of each run; the last run, where the profiler was full, is left out."""
    starts = [at - _has_request(events, at) for at, e in enumerate(events) if is_invoke(e)]
    runs = [tuple(events[a:b]) for a, b in pairwise((*starts, len(events)))]
    most = max(map(len, runs), default=0)
    return [run for run in runs if len(run) == most]


def _has_request(events: Sequence[Event], at: int) -> bool:
    return at > 0 and events[at - 1].type == REQUEST


def _library() -> Any:
    folder = Path(ai_edge_litert.__file__).parent
    for name in _LIBRARIES:
        if (folder / name).is_file():
            try:
                return ctypes.CDLL(str(folder / name))
            except OSError as error:
                raise Unavailable(f"its library could not be loaded ({error})") from error
    raise Unavailable("the package has no library with a profiler")
