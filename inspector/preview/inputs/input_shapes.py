"""Shapes of inputs: free axes get lengths, and arrays of files are held against them."""

from collections.abc import Mapping, Sequence
from math import prod

import numpy as np

from inspector import units
from inspector.errors import BadInput
from inspector.model import display_names
from inspector.model.axes import axis_names, expression, free_axes, known_length, of_symbols
from inspector.model.model import TensorInfo
from inspector.model.tensors.element_types import Fed, Tensor, check_size, is_float, numpy_type


class WrongPrecision(BadInput):
    """Real numbers of another type than an input takes; they could be cast, if that is wanted.

    input: its name. dtype: the model's type.
    """

    def __init__(self, what: str, why: str, hint: str, info: TensorInfo) -> None:
        super().__init__(what, why, hint)
        self.input, self.dtype = info.name, info.dtype


def shape_of(info: TensorInfo, dimensions: Mapping[str, int]) -> tuple[int, ...]:
    """Return the shape with a length for every axis: 1 where `dimensions` gives none.

    An unknown rank becomes one axis of length 1. Raises BadInput: the tensor would be too
    large, or a length is negative.
    """
    if info.shape is None:
        return (1,)
    shape = tuple(1 if length is None else length for length in known_shape(info, dimensions))
    check_size(info.name, shape, info.dtype, axis_names(info))
    return shape


def known_shape(info: TensorInfo, dimensions: Mapping[str, int]) -> tuple[int | None, ...]:
    """Return the shape with None for the axes that are still free; empty for an unknown
    rank."""
    return tuple(
        axis if isinstance(axis, int) else known_length(name or "", dimensions)
        for axis, name in zip(info.shape or (), axis_names(info), strict=True)
    )


def check_dimensions(inputs: Sequence[TensorInfo], dimensions: Mapping[str, int]) -> None:
    """Raises BadInput: no input has a free axis of that name, or the length is under 0."""
    axes = {*free_axes(inputs)}
    for name, length in dimensions.items():
        what = f"Could not set dynamic axis '{units.clip(name, 80)}'"
        parsed = expression(name)
        if name not in axes and parsed is not None:
            follows = "it follows from " + " and ".join(
                units.clip(s, 40) for s in parsed.symbols
            )
            raise BadInput(what, follows, f"Use --dim {parsed.symbols[0]}=SIZE.")
        if name not in axes:
            hint = display_names.suggestion(name, sorted(axes))
            raise BadInput(what, "no input has a dynamic axis of that name", hint)
        if length < 0:
            raise BadInput(what, f"the size of an axis cannot be {length}", "Use 0 or more.")


def lengths_in(info: TensorInfo, array: Tensor) -> dict[str, int]:
    """Return the lengths that an array gives to the free axes of its input."""
    pairs = zip(axis_names(info), array.shape, strict=False)
    return of_symbols({name: length for name, length in pairs if name is not None})


def lengths_of(inputs: Sequence[TensorInfo], feeds: Mapping[str, Fed]) -> dict[str, int]:
    """Return the lengths that plain tensors among the feeds give to the free axes of the
    inputs."""
    lengths: dict[str, int] = {}
    for info in inputs:
        value = feeds.get(info.name)
        if value is not None and not isinstance(value, tuple):
            lengths |= lengths_in(info, value)
    return lengths


def checked(
    array: Tensor,
    dtype: str,
    info: TensorInfo,
    dimensions: Mapping[str, int],
    source: str,
    cast: bool = False,
) -> Tensor:
    """Return an array of a file as the input takes it: same type, fitting shape, native byte
    order.

    dtype: the model's name for the array's type; empty when only numpy knows it.
    cast: another type of real numbers may stay, for the engine to cast it.
    Raises BadInput: another type, rank or length.
    """
    array = _typed(array, dtype, info, source, cast)
    wanted = known_shape(info, dimensions)
    if info.shape is not None and not _fits(array.shape, wanted):
        named = tuple(a if w is None else w for a, w in zip(info.shape, wanted, strict=True))
        raise BadInput(
            refusal(info, source),
            f"its shape is {units.shape(array.shape)}, but the input expects "
            f"{units.shape(named)}",
            _missing_axes(array.shape, wanted),
        )
    if array.flags.f_contiguous:  # the engine copies it, and tells what that costs
        return array
    return np.ascontiguousarray(array).reshape(array.shape)


def reshaped(
    array: Tensor, info: TensorInfo, dimensions: Mapping[str, int], source: str
) -> Tensor:
    """Return the values from a text file in the input's shape, as long as their number allows
    it. The first free axis takes what is left, the other free ones get length 1. Raises
    BadInput: too few or too many values."""
    wanted = known_shape(info, dimensions)
    if info.shape is None or _fits(array.shape, wanted):
        return array
    free = [index for index, length in enumerate(wanted) if length is None]
    others = prod(length for length in wanted if length is not None)
    if free and others and array.size % others == 0:
        lengths = tuple(1 if length is None else length for length in wanted)
        shape = (*lengths[: free[0]], array.size // others, *lengths[free[0] + 1 :])
        return array.reshape(shape)
    if not free and array.size == others:
        return array.reshape(shape_of(info, dimensions))
    raise BadInput(
        refusal(info, source),
        f"it holds {units.plural(array.size, 'value')} ({units.shape(array.shape)}), but the "
        f"input expects {units.shape(info.shape)}",
        "The number of values must match the shape.",
    )


def laid_out(
    values: Tensor,
    info: TensorInfo,
    dimensions: Mapping[str, int],
    source: str,
    *,
    sound: bool = False,
) -> tuple[Tensor, str]:
    """Lay a row of values (N,) along the longest axis of the input, or its last free one.

    Cut or padded with zeros at the end where the length is fixed; the words say so.
    sound: whether they are of one. Raises BadInput: the input has no single axis for it.
    """
    wanted = known_shape(info, dimensions) or (None,)
    free = [i for i, length in enumerate(wanted) if length is None and (i or len(wanted) == 1)]
    axis = free[-1] if free else int(np.argmax([length or 0 for length in wanted]))
    length = wanted[axis]
    others = [other for index, other in enumerate(wanted) if index != axis]
    if info.shape == () or any(other not in (None, 1) for other in others):
        why = (
            f"the input expects {units.shape(info.shape)}, which is not a single row of values"
        )
        hint = "Use an .npy file of that shape."
        if sound:
            why = f"it is a sound, but the input expects {units.shape(info.shape)}"
            hint = "Use an image if the input takes one, or an .npy file of that shape."
        raise BadInput(refusal(info, source), why, hint)
    size = len(values) if length is None else length
    check_size(info.name, (size,), info.dtype)
    row = np.zeros(size, values.dtype)
    row[: len(values)] = values[:size]
    shape = [1] * len(wanted)
    shape[axis] = size
    return row.reshape(shape), _cut_text(len(values), size)


def _cut_text(had: int, took: int) -> str:
    if had > took:
        return f"the first {took:,} of {had:,}"
    return f"{had:,} and {took - had:,} zeros" if had < took else f"{had:,}"


def _fits(shape: Sequence[int], wanted: Sequence[int | None]) -> bool:
    return len(shape) == len(wanted) and all(
        axis in (length, None) for length, axis in zip(shape, wanted, strict=True)
    )


def _missing_axes(shape: Sequence[int], wanted: Sequence[int | None]) -> str:
    if 0 < len(shape) < len(wanted) and _fits(shape, wanted[len(wanted) - len(shape) :]):
        missing = len(wanted) - len(shape)
        if missing > 1:
            return f"Add the {missing} missing first axes: array[{'None, ' * missing}...]."
        return "Add the missing first axis: array[None]."
    return "Reshape it, or set the size of the dynamic axis."


def refusal(info: TensorInfo, source: str) -> str:
    """Return what did not happen, when a file or a value does not fit an input."""
    return f"Could not use {source} for input '{units.clip(info.name, 80)}'"


def _typed(array: Tensor, dtype: str, info: TensorInfo, source: str, cast: bool) -> Tensor:
    wanted = numpy_type(info.dtype)
    if info.dtype == "string" and array.dtype.kind in "UO":
        return array.astype(object)
    # NumPy files cannot name the types of ml_dtypes; their elements come back as plain bytes.
    if array.dtype.kind == "V" and not dtype and array.dtype.itemsize == wanted.itemsize:
        return array.view(wanted)
    native = array.astype(array.dtype.newbyteorder("="), copy=False)
    held = dtype or native.dtype.name
    if native.dtype == wanted or (cast and is_float(info.dtype) and is_float(held)):
        return native
    if is_float(info.dtype) and is_float(held):
        raise WrongPrecision(refusal(info, source), *_mismatch(held, info), info)
    raise BadInput(refusal(info, source), *_mismatch(held, info))


def _mismatch(held: str, info: TensorInfo) -> tuple[str, str]:
    why = f"it contains {held}, but the input expects {info.dtype}"
    if info.dtype == "float16" and is_float(held):
        return why, (
            "Convert the values with array.astype('float16') or, on the command line, "
            "--cast; or convert the model again so that its inputs and outputs stay float32."
        )
    return why, f"Save it as {info.dtype}: array.astype('{info.dtype}')."
