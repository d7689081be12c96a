"""One prediction: arrays into a session, values out of it. Runs in the engine process."""

import ctypes
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from time import perf_counter_ns
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from inspector.engine.sessions import binding, element_types, outputs, refusals, tensors
from inspector.engine.sessions.element_types import RARE
from inspector.engine.sessions.raised import REFUSALS
from inspector.engine.sessions.warm import Calls
from inspector.errors import BadInput
from inspector.model import TensorInfo
from inspector.prediction import OutputValue
from inspector.trace import Kind
from inspector.units import clip

Tensor = NDArray[np.generic]
Fed = Tensor | tuple[Tensor, ...]
Run = Callable[[], Sequence[Any]]
Noted = Callable[[str, Kind, int], AbstractContextManager[None]]


def _unnoted(name: str, kind: Kind, size_bytes: int) -> AbstractContextManager[None]:
    return nullcontext()


def predict(
    session: onnxruntime.InferenceSession,
    feeds: Mapping[str, Fed],
    what: str = "Could not predict",
    cast: bool = False,
    calls: Calls | None = None,
) -> tuple[tuple[OutputValue, ...], int]:
    """Run a session once: its outputs in its order, and the nanoseconds of the run alone.

    what: says what did not happen if it does not. cast: feeds of another type of real numbers.
    calls: those of the session; after a first one, more are made to know its warm latency.

    Raises BadInput: a feed does not fit. EngineFailed: the runtime refused.
    """
    try:
        run = runner(session, feeds, cast=cast)
        began = perf_counter_ns()
        values = run()
        spent_ns = perf_counter_ns() - began
    except BadInput:
        raise
    except REFUSALS as error:
        raise refusals.refused(error, what, "prediction") from error
    declared = tensors.infos(session.get_outputs())
    answer = tuple(map(outputs.output_value, declared, map(_read, values)))
    if calls is not None:
        shapes = tuple(
            (name, len(array) if isinstance(array, tuple) else array.shape)
            for name, array in feeds.items()
        )
        calls.add(spent_ns, shapes)
        calls.go_on(run, shapes)
    return answer, spent_ns


def runner(
    session: onnxruntime.InferenceSession,
    feeds: Mapping[str, Fed],
    way: str = binding.PLAIN,
    cast: bool = False,
    noted: Noted = _unnoted,
) -> Run:
    """Check and prepare feeds once; the answer runs the session once a call.

    What a call gives back are the runtime's own values, in the order of its outputs. Arrays
    of foreign byte order or layout are copied here, not in the call: the runtime would read
    the first as they stand and copy the others each time.

    way: see `binding`. cast: feeds of another type of real numbers. noted: hears what is done.
    Raises BadInput: a feed does not fit.
    """
    binding.check(way)
    inputs, defaults = takes(session)
    with noted("check inputs", Kind.CHECK, 0):
        given = {name: _Given(array) for name, array in feeds.items()}
        tensors.check(inputs, given, defaults, cast)
    fitting = {
        info: _fitting(info, feeds.get(info.name), noted)
        for info in (*inputs, *defaults)
        if info.name in feeds or info.kind == "optional"
    }
    declared = (*fitting, *tensors.infos(session.get_outputs()))
    if way != binding.PLAIN or any(info.dtype in RARE for info in declared):
        with noted("bind inputs", Kind.CALL, 0):
            if way == binding.DEVICE:
                return binding.on_device(session, fitting, noted)
            return binding.bound(session, fitting, way == binding.OUTPUTS)
    by_name = {info.name: value for info, value in fitting.items()}
    return lambda: session.run(None, by_name)


def takes(
    session: onnxruntime.InferenceSession,
) -> tuple[tuple[TensorInfo, ...], tuple[TensorInfo, ...]]:
    """Inputs that a session needs, and those that it fills itself when nobody does."""
    defaults = session.get_overridable_initializers()
    return tensors.infos(session.get_inputs()), tensors.infos(defaults)


class _Given:
    """An array as the check of feeds sees it."""

    def __init__(self, value: Fed) -> None:
        first = value[0] if isinstance(value, tuple) else value
        self.dtype = element_types.type_name(first)
        self.shape = (len(value),) if isinstance(value, tuple) else value.shape


def _fitting(info: TensorInfo, array: Fed | None, noted: Noted) -> Any:
    if array is None:
        return None
    if info.kind == "map":
        return _mapped(info, array)
    if isinstance(array, tuple):
        return [_native(info, part, noted) for part in array]
    if info.kind == "sequence":
        return [_native(info, row, noted) for row in np.asarray(array)]
    wanted = element_types.numpy_type(info.dtype)
    if wanted is not None and array.dtype.newbyteorder("=") != wanted:
        words = f"cast {clip(info.name, 60)} to {info.dtype}"
        with noted(words, Kind.CAST, array.size * wanted.itemsize):
            array = array.astype(wanted)
    return _native(info, array, noted)


def _mapped(info: TensorInfo, parts: Fed) -> dict[str | int, Any]:
    """Keys and values as the runtime takes a map. Raises BadInput: they do not go together."""
    both = isinstance(parts, tuple) and len(parts) == 2
    if not both or not parts[0].shape == parts[1].shape == (parts[0].size,):
        what = f"Input '{clip(info.name, 80)}' does not fit"
        why = f"the model takes a {clip(info.dtype, 80)}: keys and as many values"
        raise BadInput(what, why, "Give a JSON object.", "prediction")
    keys, values = parts
    return dict(zip(keys.tolist(), values.tolist(), strict=True))


def _native(info: TensorInfo, array: Tensor, noted: Noted) -> Tensor:
    if element_types.type_name(array) == element_types.TEXT:
        return array.astype(object)
    if array.flags.c_contiguous and array.dtype.isnative:
        return array
    with noted(f"copy {clip(info.name, 60)}", Kind.COPY, array.nbytes):
        return array.astype(array.dtype.newbyteorder("="), order="C")


def _read(value: Any) -> Any:
    """Take the elements out of a value that was bound; others are at hand already."""
    if not isinstance(value, onnxruntime.OrtValue):
        return value
    _, dtype = element_types.kind_and_dtype(value.data_type())
    if dtype not in RARE:
        return value.numpy()
    size_bytes = value.tensor_size_in_bytes()
    body = ctypes.string_at(value.data_ptr(), size_bytes) if size_bytes else b""
    return element_types.unpacked(body, dtype, tuple(value.shape()))
