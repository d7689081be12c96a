"""Run one prediction: arrays into a session, `OutputValue`s out. For engine processes."""

import ctypes
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from time import perf_counter_ns
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from inspector.backends import signature, type_names
from inspector.backends.call_times import CallTimes
from inspector.backends.onnxruntime.sessions import io_binding, refusals
from inspector.backends.onnxruntime.sessions.refusals import REFUSALS
from inspector.backends.type_names import RARE
from inspector.errors import BadInput
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue
from inspector.trace.kinds import Kind
from inspector.units import clip, plural, shape

_ELEMENT = re.compile(r"tensor\((\w+)\)")
_SHOWN = 8
MOST_PARTS = 4096


def output_value(info: TensorInfo, value: Any) -> OutputValue:
    """Return a runtime value as one array where possible, otherwise as text.

    A sequence of maps with equal keys is a table, one row a map; a sequence of tensors with
    equal shapes is one array, one row a tensor; types that numpy lacks are widened.
    """
    if isinstance(value, np.ndarray):
        array = type_names.widened(value)
        dtype = info.dtype if info.kind == "tensor" else type_names.type_name(value)
        return OutputValue(info.name, info.kind, dtype, array)
    if isinstance(value, dict):
        table = _table([value], info)
        return _keyed(info, table[0], value)
    if isinstance(value, list) and value:
        if all(isinstance(item, dict) for item in value):
            if all(item.keys() == value[0].keys() for item in value):
                return _keyed(info, _table(value, info), value[0])
            return _words(info, plural(len(value), "map") + " with different keys")
        arrays = [np.asarray(item) for item in value]
        shapes = [array.shape for array in arrays]
        if len(set(shapes)) == 1:
            return OutputValue(info.name, info.kind, info.dtype, np.stack(arrays))
        listed = ", ".join(shape(axes) for axes in shapes[:_SHOWN])
        more = ", …" if len(shapes) > _SHOWN else ""
        text = f"{plural(len(value), 'tensor')}: {listed}{more}"
        parts = tuple(map(type_names.widened, arrays)) if len(value) <= MOST_PARTS else ()
        return OutputValue(info.name, info.kind, info.dtype, None, text=text, parts=parts)
    text = "nothing" if value is None or value == [] else clip(f"a {type(value).__name__}")
    return OutputValue(info.name, info.kind, info.dtype, None, text=text)


def _table(maps: Sequence[dict[Any, Any]], info: TensorInfo) -> NDArray[np.generic]:
    element = _ELEMENT.search(info.dtype)
    dtype = type_names.numpy_type(element[1]) if element else None
    keys = list(maps[0])
    return np.array([[row[key] for key in keys] for row in maps], dtype or object)


def _keyed(info: TensorInfo, array: NDArray[np.generic], first: dict[Any, Any]) -> OutputValue:
    return OutputValue(info.name, info.kind, info.dtype, array, tuple(map(str, first)))


def _words(info: TensorInfo, text: str) -> OutputValue:
    return OutputValue(info.name, info.kind, info.dtype, None, text=text)


Tensor = NDArray[np.generic]
Feed = Tensor | tuple[Tensor, ...]
Run = Callable[[], Sequence[Any]]
NoteStep = Callable[[str, Kind, int], AbstractContextManager[None]]


def _note_nothing(name: str, kind: Kind, size_bytes: int) -> AbstractContextManager[None]:
    return nullcontext()


def predict(
    session: onnxruntime.InferenceSession,
    feeds: Mapping[str, Feed],
    what: str = "Could not run the model",
    cast: bool = False,
    calls: CallTimes | None = None,
) -> tuple[tuple[OutputValue, ...], int]:
    """Run a session once: its outputs in its order, and the nanoseconds of the run alone.

    what: says what did not happen if it does not. cast: feeds of another type of real numbers.
    calls: those of the session; after a first one, more are made to know its warm latency.

    Raises BadInput: a feed does not fit. EngineFailed: the runtime refused.
    """
    try:
        run = prepare_run(session, feeds, cast=cast)
        began = perf_counter_ns()
        values = run()
        spent_ns = perf_counter_ns() - began
    except BadInput:
        raise
    except REFUSALS as error:
        raise refusals.runtime_failure(error, what, "prediction") from error
    declared = signature.tensor_infos(session.get_outputs())
    answer = tuple(map(output_value, declared, map(_read, values)))
    if calls is not None:
        shapes = tuple(
            (name, len(array) if isinstance(array, tuple) else array.shape)
            for name, array in feeds.items()
        )
        calls.add(spent_ns, shapes)
        calls.go_on(run, shapes, REFUSALS)
    return answer, spent_ns


def repeated(
    session: onnxruntime.InferenceSession, feeds: Mapping[str, Feed], what: str, cast: bool
) -> Callable[[Mapping[str, Feed]], tuple[tuple[OutputValue, ...], int]]:
    """Return what runs a session with other values of the same inputs; as `predict` answers.

    The types and shapes of `feeds` are checked here, once; those of later values, which may
    be longer, are the runtime's to check. Raises as `predict`.
    """
    fitting = _fitting(session, feeds, cast, _note_nothing)
    if _has_rare_type(session, fitting):
        return lambda values: predict(session, values, what, cast)
    infos = {info.name: info for info in fitting}
    given = {info.name: value for info, value in fitting.items()}
    declared = signature.tensor_infos(session.get_outputs())
    arrays = ((name, each) for name, each in given.items() if isinstance(each, np.ndarray))
    dtypes = {name: each.dtype for name, each in arrays}

    def once(values: Mapping[str, Feed]) -> tuple[tuple[OutputValue, ...], int]:
        for name, value in values.items():
            # As nearly always; to convert takes 15 us, which is much beside a step of 60 us.
            if isinstance(value, np.ndarray) and value.dtype is dtypes.get(name):
                given[name] = np.ascontiguousarray(value).reshape(value.shape)
            else:
                given[name] = _converted(infos[name], value, _note_nothing)
        began = perf_counter_ns()
        try:
            answer = session.run(None, given)
        except REFUSALS as error:
            raise refusals.runtime_failure(error, what, "prediction") from error
        spent_ns = perf_counter_ns() - began
        return tuple(map(_plain_value, declared, answer)), spent_ns

    return once


def _plain_value(info: TensorInfo, value: Any) -> OutputValue:
    """Return a value of a session without rare types, of which a tensor needs no conversion."""
    if info.kind == "tensor" and isinstance(value, np.ndarray):
        return OutputValue(info.name, info.kind, info.dtype, value)
    return output_value(info, value)


def prepare_run(
    session: onnxruntime.InferenceSession,
    feeds: Mapping[str, Feed],
    binding: str = io_binding.PLAIN,
    cast: bool = False,
    noted: NoteStep = _note_nothing,
) -> Run:
    """Check and prepare feeds once; the answer runs the session once a call.

    What a call gives back are the runtime's own values, in the order of its outputs. Arrays
    of foreign byte order or layout are copied here, not in the call: the runtime would read
    the first as they stand and copy the others each time.

    binding: see `binding`. cast: feeds of another type of real numbers. noted: hears what is
    done. Raises BadInput: a feed does not fit.
    """
    io_binding.check(binding)
    fitting = _fitting(session, feeds, cast, noted)
    if binding != io_binding.PLAIN or _has_rare_type(session, fitting):
        with noted("bind inputs", Kind.CALL, 0):
            if binding == io_binding.DEVICE:
                return io_binding.bind_device_memory(session, fitting, noted)
            return io_binding.bind_host_memory(session, fitting, binding == io_binding.OUTPUTS)
    by_name = {info.name: value for info, value in fitting.items()}
    return lambda: session.run(None, by_name)


def plain_feeds(
    session: onnxruntime.InferenceSession, feeds: Mapping[str, Feed], cast: bool
) -> dict[str, Any] | None:
    """Return feeds as a call takes them by name; None if the session needs them bound.

    Raises BadInput: a feed does not fit.
    """
    fitting = _fitting(session, feeds, cast, _note_nothing)
    if _has_rare_type(session, fitting):
        return None
    return {info.name: value for info, value in fitting.items()}


def _fitting(
    session: onnxruntime.InferenceSession,
    feeds: Mapping[str, Feed],
    cast: bool,
    noted: NoteStep,
) -> dict[TensorInfo, Any]:
    inputs, defaults = session_inputs(session)
    with noted("check inputs", Kind.CHECK, 0):
        given = {name: _DescribedFeed(array) for name, array in feeds.items()}
        signature.check_feeds(inputs, given, defaults, cast)
    return {
        info: _converted(info, feeds.get(info.name), noted)
        for info in (*inputs, *defaults)
        if info.name in feeds or info.kind == "optional"
    }


def _has_rare_type(
    session: onnxruntime.InferenceSession, fitting: Mapping[TensorInfo, Any]
) -> bool:
    declared = (*fitting, *signature.tensor_infos(session.get_outputs()))
    return any(info.dtype in RARE for info in declared)


def session_inputs(
    session: onnxruntime.InferenceSession,
) -> tuple[tuple[TensorInfo, ...], tuple[TensorInfo, ...]]:
    """Return the inputs that a session needs, and those that it fills itself when nobody
    does."""
    defaults = session.get_overridable_initializers()
    return signature.tensor_infos(session.get_inputs()), signature.tensor_infos(defaults)


class _DescribedFeed:
    """An array as the check of feeds sees it."""

    def __init__(self, value: Feed) -> None:
        first = value[0] if isinstance(value, tuple) else value
        self.dtype = type_names.type_name(first)
        self.shape = (len(value),) if isinstance(value, tuple) else value.shape


def _converted(info: TensorInfo, array: Feed | None, noted: NoteStep) -> Any:
    if array is None:
        return None
    if info.kind == "map":
        both = isinstance(array, tuple) and len(array) == 2
        if not both or not array[0].shape == array[1].shape == (array[0].size,):
            what = f"Input '{clip(info.name, 80)}' does not match"
            why = f"the model expects a {clip(info.dtype, 80)}: keys and as many values"
            raise BadInput(what, why, "Pass a JSON object.", "prediction")
        keys, values = array
        return dict(zip(keys.tolist(), values.tolist(), strict=True))
    if isinstance(array, tuple):
        return [_native(info, part, noted) for part in array]
    if info.kind == "sequence":
        return [_native(info, row, noted) for row in np.asarray(array)]
    target = type_names.numpy_type(info.dtype)
    if target is not None and array.dtype.newbyteorder("=") != target:
        action = f"cast {clip(info.name, 60)} to {info.dtype}"
        with noted(action, Kind.CAST, array.size * target.itemsize):
            array = array.astype(target)
    return _native(info, array, noted)


def _native(info: TensorInfo, array: Tensor, noted: NoteStep) -> Tensor:
    if type_names.type_name(array) == type_names.TEXT:
        return array.astype(object)
    if array.flags.c_contiguous and array.dtype.isnative:
        return array
    with noted(f"copy {clip(info.name, 60)}", Kind.COPY, array.nbytes):
        return array.astype(array.dtype.newbyteorder("="), order="C")


def _read(value: Any) -> Any:
    """Take the elements out of a value that was bound; others are at hand already."""
    if not isinstance(value, onnxruntime.OrtValue):
        return value
    _, dtype = type_names.kind_and_dtype(value.data_type())
    if dtype not in RARE:
        return value.numpy()
    size_bytes = value.tensor_size_in_bytes()
    body = ctypes.string_at(value.data_ptr(), size_bytes) if size_bytes else b""
    return type_names.unpacked(body, dtype, tuple(value.shape()))
