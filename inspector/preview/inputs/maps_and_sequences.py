"""Values of inputs that are no plain tensors: sequences, and what may be left out."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from inspector import units
from inspector.errors import BadInput, UnreadableFile
from inspector.formats.onnx import tensor_files
from inspector.model import display_names
from inspector.model.model import Model, TensorInfo
from inspector.model.tensors.element_types import (
    LIMIT_BYTES,
    Tensor,
    is_recipe,
    limits,
    make_tensor,
    numpy_type,
)
from inspector.platform import files
from inspector.preview.inputs import npy_files, text_values

ABSENT = "absent"
KINDS = ("sequence", "optional")
MOST = 10_000
_INNER = re.compile(r"(?:tensor\()?([a-z]+[a-z0-9]*)\)*$")
_WAYS = (
    "Use an .npz with the tensors in order, an .npy with one tensor per row, a .pb "
    "or a .json file."
)

MOST_ENTRIES = 1_000_000
_TYPE = re.compile(r"map\((string|u?int\d+), *(?:tensor\()?([a-z]+\d*)\)*")
_NO_KEY = {"string": "(none)", **{f"uint{bits}": "0" for bits in (8, 16, 32, 64)}}
_HINT = 'Use a JSON object such as {"a key": 1.5}, or a .json file with one.'
_TELLING = ("string_vocabulary", "int64_vocabulary")
_MORE = ", … ("


def values(info: TensorInfo, value: str) -> tuple[tuple[Tensor, ...], str]:
    """Return the tensors of a sequence, or the one of an optional, and words about them.

    None at all for an optional that is left out. value: a recipe (two tensors of one element),
    a file, or "absent". Raises BadInput: of another kind, does not fit. UnreadableFile.
    """
    inner = _element(info)
    many = "sequence" in info.dtype or info.kind == "sequence"
    if value in (ABSENT, "") and info.kind == "optional":
        return (), "left out"
    if is_recipe(value):
        items = tuple(
            make_tensor(info.name, value, (1,), inner) for _ in range(2 if many else 1)
        )
        return items, "two tensors of one element" if many else "one element"
    path = Path(value)
    items = _read(path, TensorInfo(info.name, "tensor", inner, None), many)
    if len(items) > MOST:
        why = f"{path.name} has {len(items):,} tensors, more than the maximum of {MOST:,}"
        raise BadInput(_problem_title(info), why)
    wanted = numpy_type(inner)
    for place, array in enumerate(items):
        if array.dtype != wanted and not (array.dtype.kind in "OU" and inner == "string"):
            why = (
                f"tensor {place} of {path.name} is {array.dtype.name}, but the input "
                f"expects {inner}"
            )
            raise BadInput(_problem_title(info), why, f"Save it as {inner}.")
    return items, units.plural(len(items), "tensor") if many else ""


def stacked(parts: tuple[Tensor, ...]) -> Tensor | None:
    """Return the tensors as rows of one array where their shapes are equal, else None."""
    same = len({part.shape for part in parts}) == 1
    return np.stack(parts) if same else None


def _element(info: TensorInfo) -> str:
    """Return the type of the elements. Raises BadInput: no tensors are inside."""
    inner = re.sub(r"(sequence|optional)\(", "", info.dtype)
    match = _INNER.fullmatch(inner)
    if info.kind not in KINDS or match is None:
        raise BadInput(_problem_title(info), display_names.unfit(info), display_names.FILLED)
    return match[1]


def _read(path: Path, plain: TensorInfo, many: bool) -> tuple[Tensor, ...]:
    suffix = path.suffix.lower()
    if suffix == ".npz":
        return tuple(npy_files.read_npz(path, name) for name in npy_files.names_of(path))
    if suffix == ".npy":
        array = npy_files.read_npy(path)
        return tuple(array) if many and array.ndim else (array,)
    if suffix == ".pb":
        body = files.read_capped(path, LIMIT_BYTES)
        if many:
            return tensor_files.sequence(body, path.name)
        return (tensor_files.decode(body, path.name)[0],)
    if suffix == ".json":
        try:
            value = json.loads(text_values.read_text(path))
        except (ValueError, RecursionError) as error:
            raise UnreadableFile(f"Could not open {path.name}", "it is not JSON") from error
        rows = value if many and isinstance(value, list) else [value]
        return tuple(text_values.numbers(row, plain, path.name) for row in rows)
    raise BadInput(
        _problem_title(plain), f"{path.name} is not a file type that can contain tensors", _WAYS
    )


def _problem_title(info: TensorInfo) -> str:
    return f"Could not fill input '{units.clip(info.name, 80)}'"


def types(info: TensorInfo) -> tuple[str, str] | None:
    """Return the types of keys and of values; None where they are no texts and no numbers."""
    match = _TYPE.fullmatch(info.dtype)
    return (match[1], match[2]) if info.kind == "map" and match else None


def map_values(info: TensorInfo, value: str) -> tuple[Tensor, Tensor]:
    """Keys and their values, both of shape (N,) and in their order.

    value: a JSON object, a .json file, or "zeros" for a single key that stands for none, since
    the runtime refuses a map without keys.
    Raises BadInput: no such map, or not what it takes. UnreadableFile.
    """
    kinds = types(info)
    what = f"Could not fill input '{units.clip(info.name, 80)}'"
    if kinds is None:
        raise BadInput(what, display_names.unfit(info), display_names.FILLED)
    if value in ("", "zeros"):
        value = default(info)
    if is_recipe(value):
        raise BadInput(what, f"'{value}' does not specify which keys it sets", _HINT)
    source = "the JSON object"
    if not value.lstrip().startswith("{"):
        path = Path(value)
        if path.suffix.lower() != ".json":
            raise BadInput(
                what, f"it expects a map, but {path.name} is not a .json file", _HINT
            )
        value, source = text_values.read_text(path), path.name
    entries = _object(value, info, what, source)
    if len(entries) > MOST_ENTRIES:
        raise BadInput(
            what, f"{source} has {len(entries):,} keys; the limit is {MOST_ENTRIES:,}"
        )
    if not entries:
        why = "ONNX Runtime needs at least one key"
        raise BadInput(what, why, "Set at least one key; its value can be 0.")
    keys = _keys(list(entries), kinds[0], what)
    plain = TensorInfo(info.name, "tensor", kinds[1], None)
    listed = list(entries.values())
    if any(isinstance(each, list | dict) or each is None for each in listed):
        raise BadInput(what, f"each key of {source} must have one value ({kinds[1]})", _HINT)
    return keys, text_values.numbers(listed, plain, source)


def default(info: TensorInfo) -> str:
    """Return the least that the runtime takes: one key that is likely to be none of the
    model's."""
    kinds = types(info) or ("", "")
    value = '""' if kinds[1] == "string" else "0"
    return f'{{"{_NO_KEY.get(kinds[0], "-1")}": {value}}}'


def json_text(keys: Sequence[str], numbers: Sequence[str], textual: bool) -> str:
    """Return a JSON object of keys and values as they were typed, for `values` to judge.

    textual: values are texts, not numbers. What is no number stays a text and is refused there.
    """
    pairs = zip(keys, (each if textual else _number(each) for each in numbers), strict=True)
    return json.dumps(dict(pairs))


def _number(typed: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(typed)
        except ValueError:
            continue
    return typed


def _object(written: str, info: TensorInfo, what: str, source: str) -> dict[str, Any]:
    try:
        entries = json.loads(written, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError) as error:
        raise BadInput(what, f"{source} is not JSON ({error})", _HINT) from error
    if isinstance(entries, _Pairs) and len(entries.pairs) == 1:
        (name, inner) = entries.pairs[0]
        entries = inner if name == info.name and isinstance(inner, _Pairs) else entries
    if not isinstance(entries, _Pairs):
        raise BadInput(what, f"{source} is not a JSON object", _HINT)
    names = [name for name, _ in entries.pairs]
    if len(set(names)) < len(names):
        twice = Counter(names).most_common(1)[0][0]
        raise BadInput(what, f"{source} contains the key '{units.clip(twice, 80)}' twice")
    return {name: {} if isinstance(v, _Pairs) else v for name, v in entries.pairs}


class _Pairs:
    """The members of an object, two of one name included."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        self.pairs = pairs


def _keys(texts: list[str], kind: str, what: str) -> Tensor:
    if kind == "string":
        keys = np.empty(len(texts), object)
        keys[:] = texts
        return keys
    odd = next((key for key in texts if not re.fullmatch(r"\s*[+-]?\d{1,19}\s*", key)), None)
    if odd is not None:
        why = f"its keys must be integers ({kind}), but '{units.clip(odd, 60)}' is not"
        raise BadInput(what, why, 'In JSON, keys are strings: {"3": 1.5}.')
    whole = [int(key) for key in texts]
    low, high = limits(kind)
    if any(not low <= key <= high for key in whole):
        raise BadInput(what, f"{kind} keys must be from {low:,} to {high:,}")
    if len(set(whole)) < len(whole):
        raise BadInput(what, "the same numeric key appears twice")
    return np.array(whole, kind)


def known_keys(model: Model, info: TensorInfo) -> tuple[str, ...]:
    """Return the first keys that a DictVectorizer of the input knows; empty where nothing
    tells. An attribute's text has its first items, parted by commas: a key with a comma in it
    comes apart, which costs nothing but that row."""
    for layer in model.layers:
        if info.name in layer.inputs and layer.operator == "DictVectorizer":
            for attribute in layer.attributes:
                if attribute.name in _TELLING:
                    listed = attribute.text.partition(_MORE)[0]
                    return tuple(dict.fromkeys(filter(None, listed.split(", "))))
    return ()
