"""Which part of a language model each weight is: embedding, attention, feed-forward, head."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from enum import StrEnum

from msgspec import Struct

from inspector.model.model import Layer, Model, WeightInfo
from inspector.model.operator_traits import VIEWS

_BLOCK = re.compile(r"(?:^|[./_])(?:layers?|blocks?|blk|h)[./_](\d+)(?=[./_]|$)")
_NORM_RANK = 1  # most axes of a weight of a norm: others with such a name belong to its layer
# Operators that pass values on, so that what stands behind them tells what a weight is for.
_PASSES = VIEWS | {
    "Cast", "CastLike", "DequantizeLinear", "QuantizeLinear", "Transpose", "Slice", "Expand",
}  # fmt: skip
# Between the head and the logits: soft caps and scales of them.
_NEAR_LOGITS = _PASSES | {"Mul", "Div", "Tanh", "Add", "Where", "Gather", "GatherND", "If"}
_PRODUCTS = {
    "MatMul": 1, "Gemm": 1, "MatMulNBits": 1, "MatMulBnb4": 1, "FusedMatMul": 1,
    "MatMulInteger": 1, "DynamicQuantizeMatMul": 1, "MatMulIntegerToFloat": 1,
    "QLinearMatMul": 3,
}  # fmt: skip
_EXPERTS = ("MoE", "QMoE")
_LOOKUPS = {"Gather": 0, "GatherBlockQuantized": 0}  # place of the table
_INDEX = 1  # place of the indices
_TOKENS = ("input_ids", "decoder_input_ids", "tokens", "token_ids")
_PLACES = ("position_ids", "positions")
_MOST_STEPS = 12  # that are followed from one value
_CHECKPOINT_PACKED = ".qweight"  # of GPTQ and AWQ: int32 with several numbers each
_CHECKPOINT_SCALES = (".scales", ".qzeros", ".g_idx")
_CHECKPOINT = (_CHECKPOINT_PACKED, *_CHECKPOINT_SCALES)
_INT32_BITS = 32
_DOMINANT = 0.25  # share of the bytes, from which on a weight is named
_SHAPES = ("int64", "int32", "bool")  # types of axes, shapes and indices in a graph


class Kind(StrEnum):
    """A class of tensors, in the order in which a token meets them."""

    EMBEDDING = "embedding"
    POSITIONS = "positions"
    ATTENTION = "attention"
    FEED_FORWARD = "feed-forward"
    EXPERTS = "experts"
    NORM = "norm"
    HEAD = "head"
    OTHER = "other"


class TensorClass(Struct, frozen=True):
    """The weights of one class.

    parameters: numbers that were learned: without scales and zero points of quantized weights.
    size_bytes: with those. types: (type, bytes), the largest first; a quantized weight is
    "int4" with its scales. in_blocks: the parameters that repeated blocks have.
    """

    kind: Kind
    tensors: int
    parameters: int
    size_bytes: int
    types: tuple[tuple[str, int], ...]
    in_blocks: int = 0

    @property
    def bits(self) -> float | None:
        """Return the bits that a parameter takes, scales included; None without any."""
        return 8 * self.size_bytes / self.parameters if self.parameters else None


# By the names of exporters and checkpoints (transformers, llama.cpp, onnxruntime-genai's model
# builder): the first that is found in the name of a weight, or of the layer that takes it.
_BY_NAME = (
    (Kind.POSITIONS, r"embed_positions|position_embed|pos_emb|\bwpe\b|cos_cache|sin_cache"
                     r"|rotary_emb|inv_freq|rope_freqs|rope_factors"),
    (Kind.HEAD, r"lm_head|embed_out|proj_out|^output\.weight"),
    (Kind.EMBEDDING, r"embed_tokens|embed_in\b|token_embd|\bwte\b|word_embeddings"
                     r"|tok_embeddings|tokens_embed|shared\.weight|embed_tokens_per_layer"
                     r"|token_embedding"),
    (Kind.NORM, r"norm|\bln_\w|\bln\d|layer_norm|_ln\b"),
    (Kind.EXPERTS, r"expert|_exps|_shexp|moe|block_sparse"),
    (Kind.ATTENTION, r"attn|attention|[qkvo]_proj|qkv|query|\bkey\b|\bvalue\b|out_proj|cross"
                     r"|conv_?1d|ssm|mixer|linear_attn"),
    (Kind.FEED_FORWARD, r"mlp|ffn|feed_?forward|\bfc\d|fc_in|fc_out|gate_proj|up_proj"
                        r"|down_proj|gate_up|dense_h_to|dense_4h|intermediate|\bwi(_\d)?\b"
                        r"|densereludense|\boutput[./]dense"),
)  # fmt: skip
_PATTERNS = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _BY_NAME)


def classified(model: Model, bits: int = 0) -> tuple[TensorClass, ...]:
    """Return the classes of a model's weights, each byte of the file counted once.

    bits: of a number of packed weights of a checkpoint, as its configuration says; 0: unknown.
    """
    graph = _Graph(model)
    sums: dict[Kind, list[tuple[WeightInfo, int, str, bool]]] = defaultdict(list)
    for weight in model.distinct_weights:
        if weight.origin == "constant":
            continue
        kind, in_block = graph.kind_of(weight)
        label, numbers = _stored(weight, graph, bits)
        sums[kind].append((weight, numbers, label, in_block))
    return tuple(_summed(kind, sums[kind]) for kind in Kind if kind in sums)


def block_count(model: Model) -> int | None:
    """Return how many blocks repeat, by the numbers in names of weights and layers; None
    without numbers."""
    names = [weight.name for weight in model.weights if weight.origin != "constant"]
    names += [layer.name for layer in model.layers]
    numbers = {int(found[1][:9]) for name in names if (found := _BLOCK.search(name))}
    return len(numbers) or None


class DominantWeight(Struct, frozen=True):
    """The weight with the most bytes, where that is a good part of all.

    share: of the bytes of the model's files, 0 to 1. kind: EMBEDDING, HEAD or OTHER. tied:
    whether it is the head, too. operator: of the first layer that takes it, "" without any.
    """

    name: str
    share: float
    kind: Kind
    tied: bool = False
    operator: str = ""


def dominant_weight(model: Model, total_bytes: int) -> DominantWeight | None:
    """Return the weight that dominates the size of a model; None where none does."""
    weights = model.distinct_weights
    size, name = max(((each.size_bytes or 0, each.name) for each in weights), default=(0, ""))
    unknown = any(each.problem for each in weights)
    if unknown or not total_bytes or size < _DOMINANT * total_bytes:
        return None
    graph = _Graph(model)
    users = [*graph.users_of(name)]
    looked_up = any(_LOOKUPS.get(layer.operator) == place for layer, place in users)
    multiplied = any(layer.operator in _PRODUCTS for layer, _ in users)
    kind = Kind.HEAD if name in graph.heads else Kind.OTHER
    kind = Kind.EMBEDDING if looked_up or name in graph.tables else kind
    if kind is Kind.OTHER and len(weights) < 2:
        return None
    tied = kind is Kind.EMBEDDING and (multiplied or is_tied(model))
    operator = users[0][0].operator if users else ""
    return DominantWeight(name, size / total_bytes, kind, tied, operator)


def is_tied(model: Model) -> bool:
    """Return whether one weight is both the embedding and the head."""
    graph = _Graph(model)
    if not graph.heads:
        return False
    places = {weight.place for weight in model.weights if weight.name in graph.heads}
    return any(
        weight.name in graph.heads or (weight.place is not None and weight.place in places)
        for weight in model.weights
        if weight.name in graph.tables
    )


class _Graph:
    """Which layers take each weight, and which weights are the embedding and the head."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.users: dict[str, list[tuple[Layer, int]]] = defaultdict(list)
        self._made_by: dict[str, Layer] = {}
        for layer in model.layers:
            for place, name in enumerate(layer.inputs):
                self.users[name].append((layer, place))
            for name in layer.outputs:
                self._made_by[name] = layer
        self._names = frozenset(weight.name for weight in model.weights)
        self.tables = frozenset(self._looked_up(_TOKENS))
        self._positions = frozenset(self._looked_up(_PLACES))
        self.heads = frozenset(self._heads())

    def kind_of(self, weight: WeightInfo) -> tuple[Kind, bool]:
        """Return the class of a weight, and whether it lies in a block that repeats."""
        names = [weight.name, *(user.name for user, _ in self.users_of(weight.name))]
        in_block = any(_BLOCK.search(name) for name in names)
        return self._kind_of(weight, names), in_block

    def _kind_of(self, weight: WeightInfo, names: Sequence[str]) -> Kind:
        if weight.dtype in _SHAPES and not weight.name.endswith(_CHECKPOINT):
            return Kind.OTHER
        owner = self._owner(weight.name)
        if owner in self.tables:
            return Kind.EMBEDDING
        if owner in self.heads:
            return Kind.HEAD
        if owner in self._positions:
            return Kind.POSITIONS
        if any(layer.operator in _EXPERTS for layer, _ in self.users[weight.name]):
            return Kind.EXPERTS
        for name in names:
            for kind, pattern in _PATTERNS:
                if pattern.search(name) and (
                    kind is not Kind.NORM or len(weight.shape) <= _NORM_RANK
                ):
                    return kind
        return Kind.OTHER

    def _owner(self, name: str) -> str:
        """Return the packed weight whose scale or zero point a weight is, or the weight."""
        packed = self.model.packed
        if packed.get(name, (1, 0))[0]:
            return name
        beside = (other for layer, _ in self.users[name] for other in layer.inputs)
        return next((other for other in beside if packed.get(other, (0, 0))[0]), name)

    def users_of(self, name: str, steps: int = _MOST_STEPS) -> Iterator[tuple[Layer, int]]:
        """Yield the layers that take a weight, behind those that only pass it on."""
        for layer, place in self.users[name]:
            if layer.operator in _PASSES and layer.outputs and steps:
                yield from self.users_of(layer.outputs[0], steps - 1)
            else:
                yield layer, place

    def _looked_up(self, indices: Sequence[str]) -> Iterator[str]:
        """Yield the weights from which rows are taken by inputs of these names."""
        for layer in self.model.layers:
            place = _LOOKUPS.get(layer.operator)
            if place is None or len(layer.inputs) <= _INDEX:
                continue
            if self._origin(layer.inputs[_INDEX]) in indices:
                yield self._weight_behind(layer.inputs[place])

    def _heads(self) -> Iterator[str]:
        """Yield the weights of the product that makes the logits."""
        outputs = [info.name for info in self.model.outputs if "logits" in info.name]
        for name in outputs[:1]:
            layer = self._made_by.get(name)
            for _ in range(_MOST_STEPS):
                if layer is None:
                    break
                place = _PRODUCTS.get(layer.operator)
                if place is not None and place < len(layer.inputs):
                    yield self._weight_behind(layer.inputs[place])
                    break
                if layer.operator not in _NEAR_LOGITS or not layer.inputs:
                    break
                made = (self._made_by.get(each) for each in layer.inputs)
                layer = next((each for each in made if each is not None), None)

    def _origin(self, name: str) -> str:
        """Return the value from which another one is made by passing it on."""
        for _ in range(_MOST_STEPS):
            layer = self._made_by.get(name)
            if layer is None or layer.operator not in _PASSES or not layer.inputs:
                break
            name = layer.inputs[0]
        return name

    def _weight_behind(self, name: str) -> str:
        origin = self._origin(name)
        return origin if origin in self._names else name


def _stored(weight: WeightInfo, graph: _Graph, bits: int) -> tuple[str, int]:
    """Return the type that a weight is stored as, and how many numbers of it were learned."""
    packed = graph.model.packed.get(weight.name)
    if packed is not None:
        return f"int{packed[1]}", packed[0]
    if bits and weight.name.endswith(_CHECKPOINT_PACKED) and weight.dtype == "int32":
        return f"int{bits}", weight.elements * _INT32_BITS // bits
    if bits and weight.name.endswith(_CHECKPOINT_SCALES):
        return f"int{bits}", 0
    shapes = weight.dtype in _SHAPES or weight.name in graph.model.not_learned
    return weight.dtype, 0 if shapes else weight.elements


def _summed(kind: Kind, weights: Sequence[tuple[WeightInfo, int, str, bool]]) -> TensorClass:
    sizes: dict[str, int] = defaultdict(int)
    for weight, _, label, _ in weights:
        sizes[label] += weight.size_bytes or 0
    return TensorClass(
        kind,
        len(weights),
        sum(numbers for _, numbers, _, _ in weights),
        sum(sizes.values()),
        tuple(sorted(sizes.items(), key=lambda each: -each[1])),
        sum(numbers for _, numbers, _, in_block in weights if in_block),
    )
