"""Values of map inputs: keys, each with its number, as a JSON object writes them."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from inspector import units
from inspector.errors import BadInput
from inspector.model import TensorInfo
from inspector.preview import text
from inspector.preview.elements import Tensor, is_recipe, limits

MOST = 1_000_000
_TYPE = re.compile(r"map\((string|u?int\d+), *(?:tensor\()?([a-z]+\d*)\)*")
_NO_KEY = {"string": "(none)", **{f"uint{bits}": "0" for bits in (8, 16, 32, 64)}}
_HINT = 'Give a JSON object, {"a key": 1.5}, or a .json file that holds one.'


def types(info: TensorInfo) -> tuple[str, str] | None:
    """The types of keys and of values; None where they are no texts and no numbers."""
    found = _TYPE.fullmatch(info.dtype)
    return (found[1], found[2]) if info.kind == "map" and found else None


def values(info: TensorInfo, value: str) -> tuple[Tensor, Tensor]:
    """Keys and their values, both of shape (N,) and in their order.

    value: a JSON object, a .json file, or "zeros" for a single key that stands for none, since
    the runtime refuses a map without keys.
    Raises BadInput: no such map, or not what it takes. UnreadableFile.
    """
    kinds = types(info)
    what = f"Could not fill input '{units.clip(info.name, 80)}'"
    if kinds is None:
        raise BadInput(what, f"it is a {info.kind} ({units.clip(info.dtype, 60)})")
    if value in ("", "zeros"):
        value = default(info)
    if is_recipe(value):
        raise BadInput(what, f"nothing tells which keys of the map '{value}' is for", _HINT)
    source = "the JSON object"
    if not value.lstrip().startswith("{"):
        path = Path(value)
        if path.suffix.lower() != ".json":
            raise BadInput(what, f"it takes a map, and {path.name} is no .json file", _HINT)
        value, source = text.read_text(path), path.name
    told = _object(value, info, what, source)
    if len(told) > MOST:
        raise BadInput(what, f"{source} has {len(told):,} keys; {MOST:,} is the limit")
    if not told:
        why = "ONNX Runtime takes no map without keys"
        raise BadInput(what, why, "Give one key the value 0.")
    keys = _keys(list(told), kinds[0], what)
    plain = TensorInfo(info.name, "tensor", kinds[1], None)
    listed = list(told.values())
    if any(isinstance(each, list | dict) or each is None for each in listed):
        raise BadInput(what, f"each key of {source} takes one value ({kinds[1]})", _HINT)
    return keys, text.numbers(listed, plain, source)


def default(info: TensorInfo) -> str:
    """The least that the runtime takes: one key that is likely to be none of the model's."""
    kinds = types(info) or ("", "")
    value = '""' if kinds[1] == "string" else "0"
    return f'{{"{_NO_KEY.get(kinds[0], "-1")}": {value}}}'


def written(keys: Sequence[str], numbers: Sequence[str], textual: bool) -> str:
    """A JSON object of keys and values as they were typed, for `values` to judge.

    textual: values are texts, not numbers. What is no number stays a text and is refused there.
    """
    told = zip(keys, (each if textual else _number(each) for each in numbers), strict=True)
    return json.dumps(dict(told))


def _number(typed: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(typed)
        except ValueError:
            continue
    return typed


def _object(written: str, info: TensorInfo, what: str, source: str) -> dict[str, Any]:
    try:
        told = json.loads(written, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError) as error:
        raise BadInput(what, f"{source} is not JSON ({error})", _HINT) from error
    if isinstance(told, _Pairs) and len(told.pairs) == 1:
        (name, inner) = told.pairs[0]
        told = inner if name == info.name and isinstance(inner, _Pairs) else told
    if not isinstance(told, _Pairs):
        raise BadInput(what, f"{source} holds no JSON object", _HINT)
    names = [name for name, _ in told.pairs]
    if len(set(names)) < len(names):
        twice = Counter(names).most_common(1)[0][0]
        raise BadInput(what, f"{source} has the key '{units.clip(twice, 80)}' twice")
    return {name: {} if isinstance(v, _Pairs) else v for name, v in told.pairs}


class _Pairs:
    """The members of an object, two of one name included."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        self.pairs = pairs


def _keys(told: list[str], kind: str, what: str) -> Tensor:
    if kind == "string":
        keys = np.empty(len(told), object)
        keys[:] = told
        return keys
    odd = next((key for key in told if not re.fullmatch(r"\s*[+-]?\d{1,19}\s*", key)), None)
    if odd is not None:
        why = f"its keys are whole numbers ({kind}), and '{units.clip(odd, 60)}' is none"
        raise BadInput(what, why, 'JSON writes them as texts: {"3": 1.5}.')
    whole = [int(key) for key in told]
    low, high = limits(kind)
    if any(not low <= key <= high for key in whole):
        raise BadInput(what, f"{kind} holds only keys from {low:,} to {high:,}")
    if len(set(whole)) < len(whole):
        raise BadInput(what, "two of its keys are the same number")
    return np.array(whole, kind)
