"""What the runtime gave back, as values that can be shown: arrays, tables, words."""

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.backends import type_names
from inspector.model.model import TensorInfo
from inspector.tensors.prediction import OutputValue
from inspector.units import clip, plural, shape

_ELEMENT = re.compile(r"tensor\((\w+)\)")
_SHOWN = 8
MOST_PARTS = 4096


def output_value(info: TensorInfo, value: Any) -> OutputValue:
    """Bring a value of the runtime into one array where it has such a form, else into words.

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
        return _sequence(info, value)
    text = "nothing" if value is None or value == [] else clip(f"a {type(value).__name__}")
    return OutputValue(info.name, info.kind, info.dtype, None, text=text)


def _sequence(info: TensorInfo, items: Sequence[Any]) -> OutputValue:
    if all(isinstance(item, dict) for item in items):
        if all(item.keys() == items[0].keys() for item in items):
            return _keyed(info, _table(items, info), items[0])
        return _words(info, plural(len(items), "map") + " with different keys")
    arrays = [np.asarray(item) for item in items]
    shapes = [array.shape for array in arrays]
    if len(set(shapes)) == 1:
        return OutputValue(info.name, info.kind, info.dtype, np.stack(arrays))
    listed = ", ".join(shape(axes) for axes in shapes[:_SHOWN])
    more = ", …" if len(shapes) > _SHOWN else ""
    text = f"{plural(len(items), 'tensor')}: {listed}{more}"
    parts = tuple(map(type_names.widened, arrays)) if len(items) <= MOST_PARTS else ()
    return OutputValue(info.name, info.kind, info.dtype, None, text=text, parts=parts)


def _table(maps: Sequence[dict[Any, Any]], info: TensorInfo) -> NDArray[np.generic]:
    element = _ELEMENT.search(info.dtype)
    dtype = type_names.numpy_type(element[1]) if element else None
    keys = list(maps[0])
    return np.array([[row[key] for key in keys] for row in maps], dtype or object)


def _keyed(info: TensorInfo, array: NDArray[np.generic], first: dict[Any, Any]) -> OutputValue:
    return OutputValue(info.name, info.kind, info.dtype, array, tuple(map(str, first)))


def _words(info: TensorInfo, text: str) -> OutputValue:
    return OutputValue(info.name, info.kind, info.dtype, None, text=text)
