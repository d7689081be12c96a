"""Inputs and outputs bound to memory before a run: no argument is passed and none is copied."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from math import prod
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from inspector.backends import signature, type_names
from inspector.backends.type_names import RARE
from inspector.errors import BadInput
from inspector.formats.onnx.element_types import ELEMENTS
from inspector.model.model import TensorInfo
from inspector.report.run_spec import SETTINGS
from inspector.trace.kinds import Kind
from inspector.units import clip

PLAIN = "plain"
INPUTS = "inputs"
OUTPUTS = "outputs"
DEVICE = "device"
_NUMBERS = {name: number for number, name in ELEMENTS.items()}
SUBMIT = "submit"
WAIT = "wait for the device"
FETCH = "copy the outputs"
# What the runtime calls the memory of a provider that has its own.
_MEMORY = {
    "CUDAExecutionProvider": "cuda",
    "TensorrtExecutionProvider": "cuda",
    "NvTensorRTRTXExecutionProvider": "cuda",
    "ROCMExecutionProvider": "cuda",
    "MIGraphXExecutionProvider": "cuda",
    "DmlExecutionProvider": "dml",
    "WebGpuExecutionProvider": "webgpu",
    "CANNExecutionProvider": "cann",
}
Run = Callable[[], Sequence[Any]]
Noted = Callable[[str, Kind, int], AbstractContextManager[None]]
Array = NDArray[np.generic]


def check(binding: str) -> None:
    """Check the binding. Raises BadInput: there is no such binding."""
    known = SETTINGS["binding"].choices
    if binding not in known:
        what = f"There is no binding '{clip(binding, 40)}'"
        raise BadInput(what, f"it must be one of: {', '.join(known)}", phase="load")


def bind_host_memory(
    session: onnxruntime.InferenceSession, fitting: Mapping[TensorInfo, Any], outputs: bool
) -> Run:
    """Bind inputs by their address; what a call gives back is in the order of the outputs.

    outputs: the second call and all later ones write into arrays that stay the same. Only the
    first call, which leaves the memory to the runtime, can tell how large they have to be.
    Raises BadInput: a type that has no address.
    """
    bindings = session.io_binding()
    bound_values = [_bind_input(bindings, info, value) for info, value in fitting.items()]
    declared = signature.tensor_infos(session.get_outputs())
    for info in declared:
        if outputs:
            _check_output(info)
        bindings.bind_output(info.name, "cpu")
    own_outputs: list[Array] = []

    def run() -> Sequence[Any]:
        """Return the outputs of a call; the first one binds our arrays for all later calls."""
        assert len(bound_values) == len(fitting)  # the runtime keeps addresses, not the arrays
        session.run_with_iobinding(bindings)
        if own_outputs:
            return own_outputs
        results: Sequence[Any] = bindings.get_outputs()
        if outputs:
            own_outputs.extend(
                map(_bind_own_memory, [bindings] * len(declared), declared, results)
            )
        return results

    return run


def bind_device_memory(
    session: onnxruntime.InferenceSession, fitting: Mapping[TensorInfo, Any], noted: Noted
) -> Run:
    """Bind inputs and outputs to device memory, so that submission and waiting are timed apart.

    Inputs that the device takes are copied there once, before any call. A call hands the work
    over, waits for it and fetches the outputs: a device that computes on its own is not done
    before, whatever it says. Raises BadInput: no device has memory.
    """
    infos = session.get_output_memory_infos()
    homes = [_MEMORY.get(name) for name in session.get_providers()]
    memory = next(filter(None, homes), None)
    if memory is None:
        what = "Outputs cannot stay in device memory"
        why = "the selected devices use main memory"
        raise BadInput(what, why, "Bind the outputs instead, or choose a GPU.", "prediction")
    for declared in signature.tensor_infos(session.get_outputs()):
        _check_output(declared)
    bindings = session.io_binding()
    homely = _taken_on_cpu(session)
    bound_values = [
        _bind_input(bindings, info, value)
        if info.name in homely
        or not (isinstance(value, np.ndarray) and value.dtype.kind in "fiub" and value.size > 0)
        else _bind_there(bindings, info, value, memory, noted)
        for info, value in fitting.items()
    ]
    for node, info in zip(session.get_outputs(), infos, strict=True):
        bindings.bind_output(node.name, "cpu" if info.name == "Cpu" else memory)

    def run() -> Sequence[Any]:
        assert len(bound_values) == len(fitting)
        with noted(SUBMIT, Kind.CALL, 0):
            session.run_with_iobinding(bindings)
        with noted(WAIT, Kind.CALL, 0):
            bindings.synchronize_outputs()
        with noted(FETCH, Kind.CALL, 0):
            results: Sequence[Any] = bindings.copy_outputs_to_cpu()
        return results

    return run


def _bind_input(bindings: Any, info: TensorInfo, value: Any) -> Array:
    if not isinstance(value, np.ndarray) or value.dtype == object:
        what = f"Input '{clip(info.name, 80)}' cannot be bound"
        why = f"ONNX Runtime cannot bind {clip(info.dtype, 80)}"
        raise BadInput(what, why, "Use --binding plain.", "prediction")
    memory: Array = type_names.packed(value) if info.dtype in RARE else value
    bindings.bind_input(
        info.name, "cpu", 0, _element(info.dtype), value.shape, memory.ctypes.data
    )
    return memory


def _taken_on_cpu(session: onnxruntime.InferenceSession) -> set[str]:
    """Return the inputs that a layer on the CPU takes, or more than one device."""
    infos = session.get_input_memory_infos()
    pairs = zip(session.get_inputs(), infos, strict=True)
    return {node.name for node, info in pairs if info.name == "Cpu"}


def _bind_there(
    bindings: Any, info: TensorInfo, value: Array, memory: str, noted: Noted
) -> onnxruntime.OrtValue:
    """Copy an input into the device's memory and bind it there."""
    with noted(f"copy {info.name} to the device", Kind.COPY, value.nbytes):
        on_device = onnxruntime.OrtValue.ortvalue_from_numpy(value, memory, 0)
    bindings.bind_ortvalue_input(info.name, on_device)
    return on_device


def _check_output(info: TensorInfo) -> None:
    kind = type_names.numpy_type(info.dtype)
    if info.kind != "tensor" or kind is None or kind.hasobject or info.dtype in RARE:
        what = f"Output '{clip(info.name, 80)}' cannot be bound"
        why = f"it is a {info.kind} ({clip(info.dtype, 80)}), not a tensor"
        raise BadInput(what, why, "Bind only the inputs.", "prediction")


def _bind_own_memory(bindings: Any, info: TensorInfo, value: Any) -> Array:
    """Return an array as large as an output of a call, which later calls write into.

    An empty output is not bound: it has no address.
    """
    shape = tuple(value.shape())
    memory = np.zeros(shape, info.dtype)
    if prod(shape):
        bindings.bind_output(
            info.name, "cpu", 0, _element(info.dtype), shape, memory.ctypes.data
        )
    return memory


def _element(dtype: str) -> int:
    return _NUMBERS[dtype]
