"""What a language model takes in memory: its weights, what it remembers of earlier tokens by
context and batch, and what a run works with.

    needs = needs_of(model)
    needs.estimate(context=4096, batch=1).total_bytes
    needs.largest_context(8 * 10**9)

The sums are those of ONNX Runtime on a CPU with prompts in pieces, as measured by
`benchmarks/language_memory.py`, which also says how far they are off. For weights that no
runtime here loads (safetensors, GGUF) they are of weights and cache alone.
"""

import re
from collections.abc import Iterable, Sequence
from math import expm1

from msgspec import Struct, field
from msgspec.structs import replace

from inspector.analysis.language.attention import position_limit
from inspector.model.model import ITEM_BITS, Axis, Layer, Model, TensorInfo, WeightInfo
from inspector.wording.values import Sentence

# Tokens of a prompt that are computed at once, as where text is generated.
PIECE = 256
# Bytes of a process with Python, NumPy and ONNX Runtime that has run a model of 0.1 MB once
# (RSS on Linux x86-64, ONNX Runtime 1.32: 66.3 MB).
PROCESS_BYTES = 66_000_000
# What ONNX Runtime's arena reserves beyond what is in use: the mean of 24 runs of 4 decoders
# with 0.1 to 0.8 GB of weights.
ARENA_SHARE = 1.15
# Weights in the model file itself are copied while they are read. Freed memory of that stays
# with the process (1.33 to 1.5 of their size after loading), and runs use a part of it.
INLINE_SHARE = 1.2
# MatMulNBits with accuracy level 4 keeps packed scales and sums of blocks beside the scales.
INT8_SCALES = 3.25
INT8_LEVEL = "4"
# Values of float32 for each token of a piece: in the feed-forward part (two products, their
# activation and its product) and between layers, times the hidden size.
FEED_FORWARD_VALUES = 4
HIDDEN_VALUES = 6
FLOAT_BYTES = 4
# Bytes around a page that Linux maps with it (fault_around_bytes). They can be taken back where
# memory is short.
MAPPED_AROUND = 65_536
SOFTMAX_COPIES = 3  # of scores in graphs with MatMul and Softmax: scores, masked, normalized
MOST_CONTEXT = 1 << 40  # tokens; where nothing else limits a context that still fits
MOST_LAYERS = 100_000
USUAL_CACHE = "float16"  # of runtimes that choose the type of the cache themselves
CACHE_TYPES = ("float32", "float16", "int8")
FIRST_CONTEXT = 1_024  # tokens, of those that are shown
CONTEXT_STEP = 4  # times as many, from one context that is shown to the next
USUAL_LIMIT = 32_768  # tokens that are shown where a model does not say how many fit

_CACHE = re.compile(r"past|cache|state", re.IGNORECASE)
_CROSS = re.compile(r"cross|encoder", re.IGNORECASE)
_NUMBER = re.compile(r"\d+")
# Attention that reads and writes a cache in place, so that past and present are one buffer.
_IN_PLACE = frozenset({"GroupQueryAttention", "SparseAttention", "PagedAttention"})
_LOOKUPS = frozenset({"Gather", "GatherBlockQuantized"})
_PRODUCTS = frozenset({"MatMul", "Gemm", "MatMulNBits", "FusedMatMul"})
_HALVES = frozenset({"float16", "bfloat16"})  # products of them run as float32 on CPUs
_CACHED_KINDS = frozenset({"float32", "float16", "bfloat16", "int8", "uint8", "float8e4m3fn"})
_WINDOW = "local_window_size"
_LEAST_RANK = 3  # of a cache: batch, tokens, values


class CacheLayer(Struct, frozen=True):
    """What one layer remembers.

    token_values: numbers for each token: keys and values of all heads. window: tokens that it
    remembers at most; 0: all. fixed_bytes: whatever the context: a state, keys and values of
    an encoder.
    """

    layer: int
    token_values: int = 0
    window: int = 0
    fixed_bytes: int = 0

    def values(self, context: int) -> int:
        """Return how many numbers it remembers of so many tokens."""
        return self.token_values * (min(context, self.window) if self.window else context)


class MemoryEstimate(Struct, frozen=True):
    """Bytes that a model takes with a context, all sequences of a batch filled up to it.

    process: what a runtime takes without a model; 0 where it is not known. work: values of one
    piece of a prompt and its logits, with what the runtime reserves.
    """

    context: int
    batch: int
    cache_type: str
    process_bytes: int
    weights_bytes: int
    cache_bytes: int
    work_bytes: int

    @property
    def total_bytes(self) -> int:
        """Return the sum."""
        parts = self.process_bytes, self.weights_bytes, self.cache_bytes, self.work_bytes
        return sum(parts)


class MemoryNeeds(Struct, frozen=True):
    """What the memory of a model follows from.

    stored_bytes: of its weights in files. kept_bytes: as a runtime keeps them, without a table
    of `table_bytes` that stays in its file and of which it reads rows of `row_bytes`.
    cache: by layer; cache_type: of its numbers. copies: of the cache: 2 where a step returns a
    new one beside the old. score_heads: heads whose scores of the whole context are written.
    score_copies: how often. scores_by_type: whether only caches that are not float32 have them.
    hidden, feed_forward: sizes of the values of a token. context_limit: tokens that fit; 0: not
    known. runs: whether a runtime's own memory is part of the estimate. notes: what the sums
    leave out.
    """

    stored_bytes: int
    kept_bytes: int
    cache: tuple[CacheLayer, ...]
    cache_type: str
    context_limit: int = 0
    table_bytes: int = 0
    row_bytes: int = 0
    vocabulary: int = 0
    hidden: int = 0
    feed_forward: int = 0
    copies: int = 1
    score_heads: int = 0
    score_copies: int = 1
    scores_by_type: bool = False
    all_logits: bool = True
    runs: bool = True
    notes: tuple[Sentence, ...] = field(default=())

    @property
    def token_bytes(self) -> int:
        """Return the bytes of the cache for each further token, before any window is full."""
        bits = ITEM_BITS.get(self.cache_type, 32)
        return sum(layer.token_values for layer in self.cache) * bits // 8

    def cache_bytes(self, context: int, batch: int = 1, cache_type: str = "") -> int:
        """Return the bytes of keys, values and states of a batch, once."""
        bits = ITEM_BITS.get(cache_type or self.cache_type, 32)
        values = sum(layer.values(context) for layer in self.cache)
        fixed = sum(layer.fixed_bytes for layer in self.cache)
        return batch * (values * bits // 8 + fixed)

    def estimate(self, context: int, batch: int = 1, cache_type: str = "") -> MemoryEstimate:
        """Return what it takes with a context that is full. cache_type: instead of its own."""
        chosen = cache_type or self.cache_type
        looked_up = _mapped_bytes(self.table_bytes, self.row_bytes, context * batch)
        process = work = 0
        if self.runs:
            process = PROCESS_BYTES
            piece = batch * min(context, PIECE)
            logits = piece if self.all_logits else batch
            values = FEED_FORWARD_VALUES * self.feed_forward + HIDDEN_VALUES * self.hidden
            work = FLOAT_BYTES * (piece * values + logits * self.vocabulary)
            if not self.scores_by_type or chosen != "float32":
                scores = piece * context * self.score_heads * self.score_copies
                work += FLOAT_BYTES * scores
            work = round(work * ARENA_SHARE)
        return MemoryEstimate(
            context=context,
            batch=batch,
            cache_type=chosen,
            process_bytes=process,
            weights_bytes=self.kept_bytes + looked_up,
            cache_bytes=self.copies * self.cache_bytes(context, batch, chosen),
            work_bytes=work,
        )

    def largest_context(self, limit_bytes: int, batch: int = 1, cache_type: str = "") -> int:
        """Return the most tokens that fit into so many bytes, at most `context_limit`; 0 where
        the weights alone do not."""
        low, high = 0, self.context_limit or MOST_CONTEXT
        while low < high:
            middle = (low + high + 1) // 2
            if self.estimate(middle, batch, cache_type).total_bytes <= limit_bytes:
                low = middle
            else:
                high = middle - 1
        return low


def _mapped_bytes(table_bytes: int, row_bytes: int, tokens: int) -> int:
    """Return how much of a mapped table is in memory once so many random rows were read."""
    if not table_bytes:
        return 0
    window = max(row_bytes, MAPPED_AROUND)
    return round(table_bytes * -expm1(-tokens * window / table_bytes))


def needs_of(model: Model, context_limit: int = 0, heads: int = 0) -> MemoryNeeds | None:
    """Return the needs of a decoder's graph; None for a model that remembers no tokens.

    context_limit: tokens that fit, by the configuration; 0: the table of positions says it.
    heads: of queries, by the configuration, for graphs that do not say it.
    """
    caches = [info for info in model.inputs if _is_cache(info)]
    cache, cache_type = _layers_of(caches)
    if not any(layer.token_values for layer in cache):
        return None
    users = _users(model.layers)
    in_place = [
        layer for layer in model.layers
        if layer.operator in _IN_PLACE and {*layer.inputs} & {info.name for info in caches}
    ]  # fmt: skip
    kept, rows = _kept_bytes(model, users)
    shape = next((info.shape for info in model.outputs if info.name == "logits"), None)
    last = shape[-1] if shape else None
    vocabulary = (last if isinstance(last, int) else 0) or rows.count
    hidden, feed_forward = _widths(model, users, vocabulary)
    heads = max(map(_heads, in_place), default=0) or max(heads, _heads_of(caches))
    windows = {window for layer in in_place if (window := _integer(layer, _WINDOW)) > 0}
    notes: tuple[Sentence, ...] = ()
    if windows:
        what = (
            "Attention sees the last {tokens} tokens in some layers, but the runtime keeps all"
        )
        notes = (Sentence(what, tokens=max(windows)),)
    return MemoryNeeds(
        stored_bytes=sum(weight.size_bytes or 0 for weight in model.distinct_weights),
        kept_bytes=kept,
        cache=cache,
        cache_type=cache_type,
        context_limit=context_limit or position_limit(model),
        table_bytes=rows.bytes * rows.count,
        row_bytes=rows.bytes,
        vocabulary=vocabulary,
        hidden=hidden,
        feed_forward=feed_forward,
        copies=1 if in_place else 2,
        score_heads=heads,
        score_copies=1 if in_place else SOFTMAX_COPIES,
        scores_by_type=bool(in_place),
        all_logits=_all_logits(model.outputs),
        notes=notes,
    )


class _Rows(Struct, frozen=True):
    """An embedding that stays in its file: bytes of a row, and how many there are."""

    bytes: int = 0
    count: int = 0


def _is_cache(info: TensorInfo) -> bool:
    shape = info.shape or ()
    return (
        _CACHE.search(info.name) is not None
        and info.dtype in _CACHED_KINDS
        and len(shape) >= _LEAST_RANK
    )


def _layers_of(caches: Sequence[TensorInfo]) -> tuple[tuple[CacheLayer, ...], str]:
    """Return what each layer remembers, by its number in the names, and the usual type."""
    values: dict[int, int] = {}
    fixed: dict[int, int] = {}
    types: dict[str, int] = {}
    for place, info in enumerate(caches):
        number = _NUMBER.search(info.name)
        layer = int(number[0][:9]) if number else place
        shape = info.shape or ()
        per_token = _token_values(shape)
        if per_token is not None and not _CROSS.search(info.name):
            values[layer] = values.get(layer, 0) + per_token
            types[info.dtype] = types.get(info.dtype, 0) + per_token
        else:
            sizes = [axis for axis in shape[1:] if isinstance(axis, int)]
            bits = ITEM_BITS.get(info.dtype, 32)
            fixed[layer] = fixed.get(layer, 0) + _product(sizes) * bits // 8
    layers = sorted({*values, *fixed})[:MOST_LAYERS]
    cache = tuple(
        CacheLayer(layer, values.get(layer, 0), 0, fixed.get(layer, 0)) for layer in layers
    )
    return cache, max(types, key=lambda name: types[name], default="float32")


def _token_values(shape: Sequence[Axis]) -> int | None:
    """Return the numbers for one token of one sequence; None without an axis of tokens.

    That is the only free axis besides the batch: (batch, heads, past, size) as most have it.
    """
    free = [place for place, axis in enumerate(shape) if not isinstance(axis, int)]
    if len(free) != 2 and not (len(free) == 1 and free[0] > 0):
        return None
    rest = [axis for place, axis in enumerate(shape) if place not in free]
    if len(free) == 1:  # the batch is fixed: a graph for one sequence at a time
        rest = [axis for place, axis in enumerate(shape) if place not in (0, *free)]
    return _product(axis for axis in rest if isinstance(axis, int))


def _product(numbers: Iterable[int]) -> int:
    product = 1
    for number in numbers:
        product *= max(0, number)
    return product


def _users(layers: Sequence[Layer]) -> dict[str, list[Layer]]:
    users: dict[str, list[Layer]] = {}
    for layer in layers:
        for name in layer.inputs:
            users.setdefault(name, []).append(layer)
    return users


def _kept_bytes(model: Model, users: dict[str, list[Layer]]) -> tuple[int, _Rows]:
    """Return the bytes of weights as ONNX Runtime keeps them on a CPU, and the embedding whose
    rows it reads from the file."""
    kept, rows = 0, _Rows()
    for weight in model.distinct_weights:
        size = weight.size_bytes or 0
        takers = users.get(weight.name, [])
        outside = weight.place is not None and bool(weight.place.file)
        only_looked_up = bool(takers) and all(each.operator in _LOOKUPS for each in takers)
        if outside and only_looked_up and len(weight.shape) > 1 and weight.shape[0] > 0:
            row = size // weight.shape[0]
            if row * weight.shape[0] > rows.bytes * rows.count:
                rows = _Rows(row, weight.shape[0])
            continue
        kept += round(_kept(weight, takers) * (1 if outside else INLINE_SHARE))
    return kept, rows


def _kept(weight: WeightInfo, takers: Sequence[Layer]) -> float:
    size = weight.size_bytes or 0
    for layer in takers:
        scales = layer.operator == "MatMulNBits" and weight.name in layer.inputs[2:3]
        if scales and _text(layer, "accuracy_level") == INT8_LEVEL:
            return size * INT8_SCALES
        if layer.operator in _PRODUCTS and weight.dtype in _HALVES and not scales:
            return size * 2
    return size


def _widths(model: Model, users: dict[str, list[Layer]], vocabulary: int) -> tuple[int, int]:
    """Return the sizes of the values of a token between layers and within a feed-forward part:
    the usual rows of matrices, and the most columns of one that is not the head."""
    rows: dict[int, int] = {}
    columns = 0
    for weight in model.weights:
        for layer in users.get(weight.name, []):
            if layer.operator not in _PRODUCTS or weight.name not in layer.inputs[1:2]:
                continue
            if layer.operator == "MatMulNBits":
                inner, outer = _integer(layer, "K"), _integer(layer, "N")
            elif len(weight.shape) == 2:
                inner, outer = weight.shape
            else:
                continue
            rows[inner] = rows.get(inner, 0) + 1
            columns = max(columns, 0 if outer == vocabulary else outer)
    hidden = max(rows, key=lambda size: rows[size], default=0)
    return hidden, columns


def _heads(layer: Layer) -> int:
    return _integer(layer, "num_heads")


def _heads_of(caches: Sequence[TensorInfo]) -> int:
    shapes = (info.shape or () for info in caches)
    axes = (shape[1] for shape in shapes if len(shape) == 4)
    return max((axis for axis in axes if isinstance(axis, int)), default=0)


def _all_logits(outputs: Sequence[TensorInfo]) -> bool:
    """Return whether there are scores of each position of the prompt, not only of the last."""
    shape = next((info.shape for info in outputs if info.name == "logits"), None)
    return not (shape and len(shape) > 2 and shape[1] == 1)


def _text(layer: Layer, name: str) -> str:
    return next((each.text for each in layer.attributes if each.name == name), "")


def _integer(layer: Layer, name: str) -> int:
    text = _text(layer, name)[:12]
    return int(text) if text.isdecimal() else 0


def of_weights(
    stored_bytes: int,
    cache: tuple[CacheLayer, ...],
    context_limit: int,
    notes: Sequence[Sentence],
) -> MemoryNeeds:
    """Return the needs of weights that no runtime here loads: of them and their cache alone."""
    return MemoryNeeds(
        stored_bytes=stored_bytes,
        kept_bytes=stored_bytes,
        cache=cache,
        cache_type=USUAL_CACHE,
        context_limit=context_limit,
        runs=False,
        notes=tuple(notes),
    )


def joined(parts: Sequence[MemoryNeeds]) -> MemoryNeeds:
    """Return the needs of a decoder that is divided into several graphs, which run in turn."""
    first = max(parts, key=lambda part: part.vocabulary)
    return replace(
        first,
        stored_bytes=sum(part.stored_bytes for part in parts),
        kept_bytes=sum(part.kept_bytes for part in parts),
        cache=tuple(layer for part in parts for layer in part.cache),
        hidden=max(part.hidden for part in parts),
        feed_forward=max(part.feed_forward for part in parts),
        score_heads=max(part.score_heads for part in parts),
        context_limit=max(part.context_limit for part in parts),
    )


class Fit(Struct, frozen=True):
    """The largest context that fits into so many bytes; 0: not even the weights do."""

    limit_bytes: int
    batch: int
    cache_type: str
    context: int


class ModelMemory(Struct, frozen=True):
    """What a model takes for each context, batch and type of cache that was asked for.

    estimates: by context, then batch, then type. fits: by limit, then batch, then type.
    """

    name: str
    needs: MemoryNeeds
    estimates: tuple[MemoryEstimate, ...]
    fits: tuple[Fit, ...]


def model_memory(
    name: str,
    needs: MemoryNeeds,
    contexts: Sequence[int] = (),
    batches: Sequence[int] = (1,),
    cache_types: Sequence[str] = (),
    limits: Sequence[int] = (),
) -> ModelMemory:
    """Return what a model takes. Without contexts: four times as many each time, up to all that
    fit; without types: its own and smaller ones."""
    chosen = tuple(cache_types) or smaller_types(needs.cache_type)
    lengths = tuple(contexts) or usual_contexts(needs.context_limit)
    return ModelMemory(
        name,
        needs,
        tuple(
            needs.estimate(context, batch, cache_type)
            for context in lengths
            for batch in batches
            for cache_type in chosen
        ),
        tuple(
            Fit(limit, batch, cache_type, needs.largest_context(limit, batch, cache_type))
            for limit in limits
            for batch in batches
            for cache_type in chosen
        ),
    )


def smaller_types(cache_type: str) -> tuple[str, ...]:
    """Return a type of a cache, and those in use that take less."""
    bits = ITEM_BITS.get(cache_type, 32)
    return (cache_type, *(each for each in CACHE_TYPES if ITEM_BITS[each] < bits))


def usual_contexts(limit: int) -> tuple[int, ...]:
    """Return contexts to show: from 1,024 tokens on four times as many each time, and the
    largest."""
    most = limit or USUAL_LIMIT
    steps = []
    context = FIRST_CONTEXT
    while context < most:
        steps.append(context)
        context *= CONTEXT_STEP
    return (*steps, most)
