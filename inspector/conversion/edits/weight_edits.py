"""Other values of a weight."""

from collections.abc import Iterator

import numpy as np
from onnx import TensorProto, helper

from inspector.conversion.action import Effect
from inspector.conversion.editable_model import EditableModel, Values
from inspector.conversion.edits.graph_edits import nothing, refused
from inspector.conversion.plan import Context, Plan, attribute
from inspector.formats.onnx.types import element
from inspector.model.tensors.element_types import is_integer, plain
from inspector.units import clip
from inspector.wording.values import Joined, Name, Sentence

_NAME = 60  # characters of a name in a message


def set_weight(model: EditableModel, weight: str, file: str) -> Plan:
    """Plan other values of a weight: those of an array of the same shape.

    Floating-point numbers are rounded to the weight's type, whole numbers have to fit into it.
    """
    size = model.size_bytes()
    if not weight or not file:
        return Plan(Effect(bytes_before=size, needs="the options 'weight' and 'file'"))
    tensor = next((each for name, each in _weights(model) if name == weight), None)
    if tensor is None:
        return refused(
            model, Sentence("the model has no weight '{name}'", Name(clip(weight, _NAME)))
        )
    array = model.arrays.get(file)
    if array is None:
        return refused(model, Sentence("'{file}' was not read", Name(clip(file, _NAME))))
    shape = tuple(tensor.dims)
    if array.shape != shape:
        return refused(
            model,
            Sentence(
                "the array has the shape {new}, the weight {old}",
                _text(array.shape),
                _text(shape),
            ),
        )
    target = np.dtype(helper.tensor_dtype_to_np_dtype(tensor.data_type))
    values = _converted(array, target)
    if values is None:
        why = Sentence(
            "values of type {new} do not fit into {old}",
            array.dtype.name,
            element(tensor.data_type),
        )
        return refused(model, why)
    if np.array_equal(values.view(np.uint8), model.values(tensor).view(np.uint8)):
        return nothing(model, "the weight already has these values")

    def apply(_: Context) -> None:
        if tensor.data_location == TensorProto.EXTERNAL:  # which stay outside of the model
            flat = values.ravel()
            model.convert_later(tensor, tensor.data_type, lambda _: flat, by_piece=False)
        else:
            model.set_values(tensor, values)

    return Plan(Effect(f"values of '{clip(weight, _NAME)}'", 1, size, size), apply)


def _weights(model: EditableModel) -> Iterator[tuple[str, TensorProto]]:
    """Yield the weights of the main graph by name, constants among its layers included."""
    graph = model.proto.graph
    for tensor in graph.initializer:
        yield tensor.name, tensor
    for node in graph.node:
        if node.op_type == "Constant" and (own := attribute(node, "value")) is not None:
            yield node.output[0], own.t


def _text(shape: tuple[int, ...]) -> Joined:
    return Joined(map(str, shape), "×")


def _converted(array: Values, target: np.dtype) -> Values | None:
    """Return values in another type; None where they do not fit into it.

    Floating-point numbers are rounded, but none may become infinite or NaN. Whole numbers have
    to stay what they are. Neither become the other.
    """
    whole = is_integer(target.name)  # the kind does not tell: float8 and int4 both have "V"
    if array.dtype == target:
        return np.ascontiguousarray(array)
    if array.dtype.kind == "f" and not whole and target.kind in "fV":
        with np.errstate(over="ignore"):
            rounded = array.astype(target)
        before, after = np.isfinite(array), np.isfinite(rounded.astype(np.float64))
        return rounded if np.array_equal(before, after) else None
    if array.dtype.kind in "iu" and whole:
        moved = array.astype(target)
        return moved if np.array_equal(plain(moved), array) else None
    return None
