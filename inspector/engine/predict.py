"""One prediction: arrays into a session, values out of it. Runs in the engine process."""

import ctypes
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter_ns
from typing import Any

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray

from inspector.engine import element_types, outputs, refusals, tensors
from inspector.engine.element_types import RARE
from inspector.errors import BadInput
from inspector.model import TensorInfo
from inspector.prediction import OutputValue
from inspector.units import clip

Tensor = NDArray[np.generic]
Run = Callable[[], Sequence[Any]]


def predict(
    session: onnxruntime.InferenceSession,
    feeds: Mapping[str, Tensor],
    what: str = "Could not predict",
) -> tuple[tuple[OutputValue, ...], int]:
    """Run a session once: its outputs in its order, and the nanoseconds of the run alone.

    what: says what did not happen if it does not.

    Raises BadInput: a feed does not fit. EngineFailed: the runtime refused.
    """
    try:
        run = runner(session, feeds)
        began = perf_counter_ns()
        values = run()
        spent_ns = perf_counter_ns() - began
    except BadInput:
        raise
    except Exception as error:
        raise refusals.refused(error, what, "prediction") from error
    declared = tensors.infos(session.get_outputs())
    return tuple(map(outputs.output_value, declared, map(_read, values))), spent_ns


def runner(session: onnxruntime.InferenceSession, feeds: Mapping[str, Tensor]) -> Run:
    """Check and prepare feeds once; the answer runs the session once a call.

    What a call gives back are the runtime's own values, in the order of its outputs. Arrays
    of foreign byte order or layout are copied here, not in the call: the runtime would read
    the first as they stand and copy the others each time.

    Raises BadInput: a feed does not fit.
    """
    inputs, defaults = takes(session)
    tensors.check(inputs, {name: _Given(array) for name, array in feeds.items()}, defaults)
    fitting = {
        info: _fitting(info, feeds.get(info.name))
        for info in (*inputs, *defaults)
        if info.name in feeds or info.kind == "optional"
    }
    declared = (*fitting, *tensors.infos(session.get_outputs()))
    if any(info.dtype in RARE for info in declared):
        return _bound(session, fitting)
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

    def __init__(self, array: Tensor) -> None:
        self.dtype, self.shape = element_types.type_name(array), array.shape


def _fitting(info: TensorInfo, array: Tensor | None) -> Any:
    if array is None:
        return None
    if info.kind == "sequence":
        return [_native(row) for row in np.asarray(array)]
    if info.dtype in RARE:
        return np.ascontiguousarray(array.astype(RARE[info.dtype])).reshape(array.shape)
    return _native(array)


def _native(array: Tensor) -> Tensor:
    if element_types.type_name(array) == element_types.TEXT:
        return array.astype(object)
    return array.astype(array.dtype.newbyteorder("="), order="C", copy=False)


def _bound(session: onnxruntime.InferenceSession, fitting: Mapping[TensorInfo, Any]) -> Run:
    """Run with memory bound by address: the only way for types that numpy lacks."""
    binding = session.io_binding()
    kept = []  # the runtime keeps addresses, not the arrays
    for info, value in fitting.items():
        if not isinstance(value, np.ndarray) or value.dtype == object:
            what = f"Input '{clip(info.name, 80)}' cannot be given"
            raise BadInput(what, f"the runtime takes no {info.dtype} beside such rare types")
        element = onnx.TensorProto.DataType.Value(_onnx_name(info.dtype))
        memory = element_types.packed(value) if info.dtype in RARE else value
        kept.append(memory)
        binding.bind_input(info.name, "cpu", 0, element, value.shape, memory.ctypes.data)
    for node in session.get_outputs():
        binding.bind_output(node.name, "cpu")

    def run() -> Sequence[Any]:
        assert len(kept) == len(fitting)
        session.run_with_iobinding(binding)
        found: Sequence[Any] = binding.get_outputs()
        return found

    return run


def _onnx_name(dtype: str) -> str:
    return {"float32": "FLOAT", "float64": "DOUBLE"}.get(dtype, dtype.upper())


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
