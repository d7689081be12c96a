"""Inputs and outputs bound to memory before a run: no argument is passed and none is copied."""

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray

from inspector.engine import element_types, tensors
from inspector.engine.element_types import RARE
from inspector.errors import BadInput
from inspector.model import TensorInfo
from inspector.units import clip

PLAIN, INPUTS, OUTPUTS = BINDINGS = ("plain", "inputs", "outputs")
Run = Callable[[], Sequence[Any]]
Array = NDArray[np.generic]


def check(binding: str) -> None:
    """Raises BadInput: there is no such way to bind."""
    if binding not in BINDINGS:
        what = f"There is no binding '{clip(binding, 40)}'"
        raise BadInput(what, f"there are {', '.join(BINDINGS)}", phase="load")


def bound(
    session: onnxruntime.InferenceSession, fitting: Mapping[TensorInfo, Any], outputs: bool
) -> Run:
    """Bind inputs by their address; what a call gives back is in the order of the outputs.

    outputs: the second call and all later ones write into memory that is ours and stays the
    same: how large that has to be, only the first one can tell.
    Raises BadInput: a type that has no address.
    """
    bindings = session.io_binding()
    kept = [_bind_input(bindings, info, value) for info, value in fitting.items()]
    declared = tensors.infos(session.get_outputs())
    for info in declared:
        if outputs:
            _check_output(info)
        bindings.bind_output(info.name, "cpu")
    ours: list[Array] = []

    def run() -> Sequence[Any]:
        assert len(kept) == len(fitting)  # the runtime keeps addresses, not the arrays
        session.run_with_iobinding(bindings)
        if ours:
            return ours
        found: Sequence[Any] = bindings.get_outputs()
        if outputs:
            ours.extend(map(_take_over, [bindings] * len(declared), declared, found))
        return found

    return run


def _bind_input(bindings: Any, info: TensorInfo, value: Any) -> Array:
    if not isinstance(value, np.ndarray) or value.dtype == object:
        what = f"Input '{clip(info.name, 80)}' cannot be bound"
        why = f"the runtime takes {clip(info.dtype, 80)} only as an argument of the call"
        raise BadInput(what, why, "Leave the binding plain.", "prediction")
    memory: Array = element_types.packed(value) if info.dtype in RARE else value
    bindings.bind_input(
        info.name, "cpu", 0, _element(info.dtype), value.shape, memory.ctypes.data
    )
    return memory


def _check_output(info: TensorInfo) -> None:
    kind = element_types.numpy_type(info.dtype)
    if info.kind != "tensor" or kind is None or kind.hasobject or info.dtype in RARE:
        what = f"Output '{clip(info.name, 80)}' cannot be given its memory beforehand"
        why = f"it is a {info.kind} of {clip(info.dtype, 80)}"
        raise BadInput(what, why, "Bind the inputs alone.", "prediction")


def _take_over(bindings: Any, info: TensorInfo, value: Any) -> Array:
    """Give an output memory of the size that it took; an empty one has no address."""
    shape = tuple(value.shape())
    memory = np.zeros(shape, info.dtype)
    if prod(shape):
        bindings.bind_output(
            info.name, "cpu", 0, _element(info.dtype), shape, memory.ctypes.data
        )
    return memory


def _element(dtype: str) -> int:
    name = {"float32": "FLOAT", "float64": "DOUBLE"}.get(dtype, dtype.upper())
    return int(onnx.TensorProto.DataType.Value(name))
