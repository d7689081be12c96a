"""Inputs and outputs of a session as the model declares them, and a check of feeds."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Protocol

from inspector.backends import type_names
from inspector.errors import BadInput
from inspector.model.model import Axis, TensorInfo
from inspector.units import clip, shape


class Described(Protocol):
    """An array, or what is known of one that has not been read yet."""

    @property
    def dtype(self) -> str:
        """Return the model's name of the type."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the lengths of the axes."""


def tensor_infos(nodes: Sequence[Any]) -> tuple[TensorInfo, ...]:
    """Describe a session's inputs or outputs, in its order.

    The runtime writes a scalar and an unknown rank alike; both come as the shape ().
    """
    return tuple(_info(node) for node in nodes)


def check_feeds(
    inputs: Sequence[TensorInfo],
    feeds: Mapping[str, Described],
    defaults: Sequence[TensorInfo] = (),
    cast: bool = False,
) -> None:
    """Compare feeds with what a model takes, before anything of it is read or allocated.

    defaults: inputs that the model fills itself when nobody else does. cast: another type of
    real numbers fits as well.
    Raises BadInput: one is missing or unknown, or has another type, rank or length.
    """
    declared = {info.name: info for info in (*inputs, *defaults)}
    for name in feeds:
        if name not in declared:
            raise _unknown(name, tuple(declared))
    for info in inputs:
        if info.name not in feeds and info.kind != "optional":
            raise BadInput(
                f"Input '{clip(info.name, 80)}' has no value",
                f"the model expects {info.dtype} {shape(info.shape)}",
                "Set it to zeros, ones, random values or a file.",
                "prediction",
            )
    for name, feed in feeds.items():
        _check_one(declared[name], feed, cast)


def accepts(info: TensorInfo, dtype: str) -> bool:
    """Return whether elements of a type may go into an input.

    Types that numpy lacks may also be given in numpy's next wider one.
    """
    if dtype == info.dtype:
        return True
    if info.dtype not in type_names.RARE:
        return False
    if "int" in info.dtype:
        return dtype == ("uint8" if info.dtype.startswith("u") else "int8")
    return dtype == "float32"


def _info(node: Any) -> TensorInfo:
    kind, dtype = type_names.kind_and_dtype(node.type)
    axes = tuple(_axis(axis) for axis in node.shape) if kind != "map" else None
    return TensorInfo(node.name, kind, dtype, axes if kind == "tensor" else None)


def _axis(axis: Any) -> Axis:
    return axis if isinstance(axis, int) and axis >= 0 else (str(axis) if axis else None)


def castable(info: TensorInfo, dtype: str) -> bool:
    """Return whether elements of a type can become those of an input: both are real numbers."""
    return all(name.startswith(("float", "bfloat")) for name in (info.dtype, dtype))


def _check_one(info: TensorInfo, feed: Described, cast: bool) -> None:
    what = f"Input '{clip(info.name, 80)}' does not match"
    if info.kind in ("sequence", "map") and feed.shape:
        return  # its rows are the elements; the runtime compares their types
    if info.kind != "tensor" and info.kind != "optional":
        raise BadInput(
            what,
            f"the model expects a {clip(info.dtype, 80)}",
            "Only tensors, sequences of tensors and maps can be set.",
            "prediction",
        )
    fits = accepts(info, feed.dtype) or (cast and castable(info, feed.dtype))
    if info.kind == "tensor" and not fits:
        hint = f"Convert it first: array.astype('{info.dtype}')"
        hint += ", or use --cast." if castable(info, feed.dtype) else "."
        if info.dtype == type_names.TEXT:
            hint = "Pass an array of strings."
        why = f"its values are {feed.dtype}, but the model expects {info.dtype}"
        raise BadInput(what, why, hint, "prediction")
    expected = info.shape
    if not expected:  # a scalar or an unknown rank: the runtime itself tells
        return
    fits = len(expected) == len(feed.shape) and all(
        not isinstance(axis, int) or axis == length
        for axis, length in zip(expected, feed.shape, strict=True)
    )
    if not fits:
        why = (
            f"the value has shape {shape(feed.shape)}, but the model expects {shape(expected)}"
        )
        hint = "Dynamic (named) axes may have any size; the others must match."
        raise BadInput(what, why, hint, "prediction")


def _unknown(name: str, names: tuple[str, ...]) -> BadInput:
    near = get_close_matches(name, names, n=1)
    shown = ", ".join(clip(each, 40) for each in names[:12]) or "none"
    more = f" and {len(names) - 12} more" if len(names) > 12 else ""
    hint = f"Did you mean '{clip(near[0], 80)}'?" if near else "Choose one of these."
    what = f"The model has no input '{clip(name, 80)}'"
    return BadInput(what, f"its inputs are: {shown}{more}", hint, "prediction")
