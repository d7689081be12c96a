"""The attention of a language model by its graph: heads, cache, window, rotary positions."""

import re
from collections import Counter
from collections.abc import Sequence
from math import acos, cos

from msgspec import Struct

from inspector.model.model import Layer, Model, TensorInfo, WeightInfo

# Operators that are a whole attention, with the attributes for heads and for key-value heads.
# Source: the operators' schemas in ONNX and in ONNX Runtime's docs/ContribOperators.md.
_OPERATORS = {
    "GroupQueryAttention": ("num_heads", "kv_num_heads"),
    "MultiHeadAttention": ("num_heads", "num_heads"),
    "DecoderMaskedMultiHeadAttention": ("num_heads", "num_heads"),
    "DecoderMaskedSelfAttention": ("num_heads", "num_heads"),
    "SparseAttention": ("num_heads", "kv_num_heads"),
    "PagedAttention": ("num_heads", "kv_num_heads"),
    "Attention": ("q_num_heads", "kv_num_heads"),
}
_OTHER_NAME = "num_heads"  # of the Attention in the domain com.microsoft
_WINDOW = "local_window_size"  # -1: the whole context
# Inputs with the table of cosines, one row for each position.
_COSINES = {"GroupQueryAttention": 7, "RotaryEmbedding": 2}
_COSINES_OF_ONNX = 1  # place in ONNX's own RotaryEmbedding
_CACHE = re.compile(r"past|cache", re.IGNORECASE)
_PRESENT = re.compile(r"present|cache|key_values", re.IGNORECASE)
_CROSS = re.compile(r"cross|encoder", re.IGNORECASE)
# States of blocks that do not attend to single tokens: convolutions, recurrent ones.
_STATE = re.compile(r"conv|recurrent|ssm|state", re.IGNORECASE)
_BLOCK = re.compile(r"(?<=[._])\d+(?=[._]|$)")  # the number of a block in the name of a state
_PAGED = "block_table"  # input of a graph whose cache consists of pages
_KEY = re.compile(r"key|\bk\b|_k_|\.k\.", re.IGNORECASE)
_VALUE = re.compile(r"value(?!s)|\bv\b|_v_|\.v\.", re.IGNORECASE)
_BOTH_RANK = 5  # of a cache that holds keys and values: (2, batch, heads, past, size)
_RANK = 4  # of one of them: (batch, heads, past, size)
# Of a cosine, by the type it is stored as: a little more than half of its last place below 1.
_TOLERANCES = {"float32": 2e-6, "float16": 3e-4, "bfloat16": 2.5e-3}
_MOST_DIGITS = 6  # of the base
_COMPARED = 16  # frequencies, of which the first ones tell most
_PASSES = ("Cast", "Identity", "If")
_MOST_STEPS = 4


class Attention(Struct, frozen=True):
    """What a graph says of its attention; None for what it does not.

    operator: "GroupQueryAttention", ...; "" where it consists of products and a softmax.
    blocks: how many layers remember earlier tokens, by the states or the operators.
    window, windowed: so many tokens back in so many blocks; 0: none. positions: rows of the
    table of rotary positions. cache_type: type of keys and values. cross: whether the cache
    holds keys of an encoder as well.
    """

    operator: str = ""
    blocks: int | None = None
    heads: int | None = None
    kv_heads: int | None = None
    head_size: int | None = None
    window: int = 0
    windowed: int = 0
    positions: int | None = None
    cache_type: str = ""
    cross: bool = False


def attention_of(model: Model) -> Attention:
    """Return what the graph of a decoder says of its attention."""
    layers = [layer for layer in model.layers if layer.operator in _OPERATORS]
    numbers = [_numbers(layer) for layer in layers]
    caches = [info for info in model.inputs if _CACHE.search(info.name)] or [
        info for info in model.outputs if _PRESENT.search(info.name)
    ]
    states = [info for info in caches if _STATE.search(info.name)]
    caches = [
        info
        for info in caches
        if len(info.shape or ()) in (_RANK, _BOTH_RANK) and info not in states
    ]
    own = [info for info in caches if not _CROSS.search(info.name)]
    paged = any(info.name == _PAGED for info in model.inputs)
    kv_heads, head_size = _cache_sizes(own, paged)
    keys = [info for info in own if _is_key(info)]
    others = {tuple(_BLOCK.findall(info.name)) for info in states}
    others -= {tuple(_BLOCK.findall(info.name)) for info in keys}
    windows = Counter(window for _, _, window in numbers if window > 0)
    table = rope_table(model)
    return Attention(
        layers[0].operator if layers else "",
        len(keys) + len(others) or len(layers) or None,
        _usual([heads for heads, _, _ in numbers]),
        kv_heads or _usual([heads for _, heads, _ in numbers]),
        head_size,
        max(windows, default=0),
        sum(windows.values()),
        table.shape[0] if table is not None else None,
        own[0].dtype if own else "",
        len(own) < len(caches),
    )


def position_limit(model: Model) -> int:
    """Return for how many positions a model has angles, which no context may exceed; 0 where it
    has no table of them."""
    table = rope_table(model)
    return table.shape[0] if table is not None else 0


def rope_table(model: Model) -> WeightInfo | None:
    """Return the table of cosines that rotary positions take, a row for each position."""
    weights = {weight.name: weight for weight in model.weights}
    made_by = {name: layer for layer in model.layers for name in layer.outputs}
    for layer in model.layers:
        place = _COSINES.get(layer.operator)
        if place is None:
            continue
        if layer.operator == "RotaryEmbedding" and not layer.domain:
            place = _COSINES_OF_ONNX
        name = layer.inputs[place] if place < len(layer.inputs) else ""
        for _ in range(_MOST_STEPS):
            before = made_by.get(name)
            if name in weights or before is None or before.operator not in _PASSES:
                break
            name = before.inputs[0] if before.inputs else ""
        found = weights.get(name)
        if found is not None and len(found.shape) == 2 and min(found.shape) > 1:
            return found
    return None


def rope_base(second_row: Sequence[float], dtype: str = "float32") -> float | None:
    """Return the base of rotary positions by the cosines of position 1: the roundest number
    that gives them; None where they are scaled, or follow no such rule.

    The cosine of frequency i of d is cos(base ** (-i / d)): the first is cos(1) for each base.
    dtype: that the cosines are stored as.
    """
    size, tolerance = len(second_row), _TOLERANCES.get(dtype, _TOLERANCES["float32"])
    if size < 2 or abs(second_row[0] - cos(1)) > tolerance or not 0 < second_row[1] < 1:
        return None
    estimate = acos(second_row[1]) ** -size
    for digits in range(1, _MOST_DIGITS + 1):
        base = float(f"{estimate:.{digits}g}")
        shown = (cos(base ** (-place / size)) for place in range(1, min(size, _COMPARED)))
        if all(abs(a - b) < tolerance for a, b in zip(second_row[1:], shown, strict=False)):
            return base
    return None


def _numbers(layer: Layer) -> tuple[int, int, int]:
    """Return heads, key-value heads and window of an attention; 0 for what it does not say."""
    attributes = {each.name: each.text for each in layer.attributes}
    names = _OPERATORS[layer.operator]
    heads = _number(attributes, names[0]) or _number(attributes, _OTHER_NAME)
    kv_heads = _number(attributes, names[1]) or heads
    return heads, kv_heads, _number(attributes, _WINDOW)


def _number(attributes: dict[str, str], name: str) -> int:
    text = attributes.get(name, "")
    return int(text[:12]) if text.isdecimal() else 0


def _usual(numbers: Sequence[int]) -> int | None:
    """Return the most frequent number; None without one."""
    known = Counter(number for number in numbers if number)
    return known.most_common(1)[0][0] if known else None


def _is_key(info: TensorInfo) -> bool:
    """Return whether a cache stands for one block: keys, or keys and values in one."""
    if len(info.shape or ()) == _BOTH_RANK:
        return True
    rest = _CACHE.sub("", info.name.replace("key_values", "").replace("key_value", ""))
    return bool(_KEY.search(rest)) or not _VALUE.search(rest)


def _cache_sizes(caches: Sequence[TensorInfo], paged: bool) -> tuple[int | None, int | None]:
    """Return the heads of a cache and the size of one, as most blocks have them.

    paged: whether its axes are pages, tokens of a page, heads and size.
    """
    heads: list[int] = []
    sizes: list[int] = []
    for info in caches:
        shape = info.shape or ()
        places = (2 if paged else 1, 3) if len(shape) == _RANK else (2, 4)
        for values, place in zip((heads, sizes), places, strict=True):
            axis = shape[place]
            values.append(axis if isinstance(axis, int) else 0)
    return _usual(heads), _usual(sizes)
