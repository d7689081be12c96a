"""Values of inputs that are no plain tensors: sequences, and what may be left out."""

import json
import re
from pathlib import Path

import numpy as np

from inspector import files, units
from inspector.errors import BadInput, UnreadableFile
from inspector.model import TensorInfo
from inspector.preview import arrays, protobuf_tensor, text
from inspector.preview.elements import LIMIT_BYTES, Tensor, is_recipe, made, numpy_type

ABSENT = "absent"
KINDS = ("sequence", "optional")
MOST = 10_000
_INNER = re.compile(r"(?:tensor\()?([a-z]+[a-z0-9]*)\)*$")
_WAYS = (
    "Give an .npz of its tensors in their order, an .npy whose rows they are, a .pb or .json."
)


def values(info: TensorInfo, value: str) -> tuple[tuple[Tensor, ...], str]:
    """The tensors of a sequence, or the one of an optional, and words about them.

    None at all for an optional that is left out. value: a recipe (two tensors of one element),
    a file, or "absent". Raises BadInput: of another kind, does not fit. UnreadableFile.
    """
    inner = _element(info)
    many = "sequence" in info.dtype or info.kind == "sequence"
    if value in (ABSENT, "") and info.kind == "optional":
        return (), "left out"
    if is_recipe(value):
        found = tuple(made(info.name, value, (1,), inner) for _ in range(2 if many else 1))
        return found, "two tensors of one element" if many else "one element"
    path = Path(value)
    found = _read(path, TensorInfo(info.name, "tensor", inner, None), many)
    if len(found) > MOST:
        raise BadInput(_what(info), f"{path.name} holds {len(found):,} tensors")
    wanted = numpy_type(inner)
    for place, array in enumerate(found):
        if array.dtype != wanted and not (array.dtype.kind in "OU" and inner == "string"):
            why = f"tensor {place} of {path.name} is {array.dtype.name}, it takes {inner}"
            raise BadInput(_what(info), why, f"Save it as {inner}.")
    return found, units.plural(len(found), "tensor") if many else ""


def stacked(parts: tuple[Tensor, ...]) -> Tensor | None:
    """The tensors as rows of one array where their shapes are equal, else None."""
    same = len({part.shape for part in parts}) == 1
    return np.stack(parts) if same else None


def _element(info: TensorInfo) -> str:
    """The type of the elements. Raises BadInput: no tensors are inside."""
    inner = re.sub(r"(sequence|optional)\(", "", info.dtype)
    found = _INNER.fullmatch(inner)
    if info.kind not in KINDS or found is None:
        why = f"it is a {info.kind} ({units.clip(info.dtype, 60)})"
        hint = "Tensors, sequences of tensors and optional ones can be filled."
        raise BadInput(_what(info), why, hint)
    return found[1]


def _read(path: Path, plain: TensorInfo, many: bool) -> tuple[Tensor, ...]:
    suffix = path.suffix.lower()
    if suffix == ".npz":
        return tuple(arrays.read_npz(path, name) for name in arrays.names_of(path))
    if suffix == ".npy":
        array = arrays.read_npy(path)
        return tuple(array) if many and array.ndim else (array,)
    if suffix == ".pb":
        body = files.read_capped(path, LIMIT_BYTES)
        if many:
            return protobuf_tensor.sequence(body, path.name)
        return (protobuf_tensor.decode(body, path.name)[0],)
    if suffix == ".json":
        try:
            value = json.loads(text.read_text(path))
        except (ValueError, RecursionError) as error:
            raise UnreadableFile(f"Could not open {path.name}", "it is not JSON") from error
        rows = value if many and isinstance(value, list) else [value]
        return tuple(text.numbers(row, plain, path.name) for row in rows)
    raise BadInput(_what(plain), f"{path.name} is of no kind that holds tensors", _WAYS)


def _what(info: TensorInfo) -> str:
    return f"Could not fill input '{units.clip(info.name, 80)}'"
