"""Graphs of small decoders (Llama's architecture) as exporters write them, from any weights.

Two families with the same arithmetic: `fused` has GroupQueryAttention with rotary embeddings
inside, as the builder of ONNX Runtime GenAI writes it; `decomposed` has attention out of MatMul
and Softmax with a cache that Concat extends, as Optimum exports it. Weights are stored as
float32 or float16, or, those of linear layers, as blocks of int4.
"""

from dataclasses import dataclass

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper

from sample_models.making.graph import GraphInMaking, value

MICROSOFT = "com.microsoft"
BLOCK = 32  # weights of one scale in int4
IR_VERSION = 10
OPSET = 21
ROPE_BASE = 10_000.0
MASKED = -1e4  # added to scores of positions that must not be seen; float16 has room for it

Weights = dict[str, NDArray[np.float32]]


@dataclass(frozen=True)
class DecoderSize:
    """Sizes of a decoder; context: positions of its rotary embeddings."""

    hidden: int = 64
    layers: int = 2
    heads: int = 4
    kv_heads: int = 2
    feed_forward: int = 128
    vocabulary: int = 270
    context: int = 512
    epsilon: float = 1e-6


@dataclass(frozen=True)
class Form:
    """How a decoder is written.

    stored: of weights: "float32", "float16" or "int4". cache: of keys and values: "float32" or
    "float16". tied: the head reads the embedding's weights.
    """

    stored: str = "float32"
    cache: str = "float32"
    tied: bool = False


PLAIN = Form()


def head_size(size: DecoderSize) -> int:
    """Return the width of one attention head."""
    return size.hidden // size.heads


def rotary_angles(size: DecoderSize) -> NDArray[np.float32]:
    """Return the angles (context, half of a head) of rotary embeddings."""
    half = head_size(size) // 2
    steps = ROPE_BASE ** (np.arange(half) / half)
    return (np.arange(size.context)[:, None] / steps).astype(np.float32)


def random_weights(size: DecoderSize, seed: int = 0, tied: bool = False) -> Weights:
    """Return weights to begin with; without `head` if it is tied."""
    random = np.random.default_rng(seed)

    def drawn(rows: int, columns: int) -> NDArray[np.float32]:
        return (random.standard_normal((rows, columns)) * rows**-0.5).astype(np.float32)

    wide, narrow = size.heads * head_size(size), size.kv_heads * head_size(size)
    weights = {"embedding": drawn(size.vocabulary, size.hidden) * 2}
    for layer in range(size.layers):
        shapes = {
            "q": (size.hidden, wide),
            "k": (size.hidden, narrow),
            "v": (size.hidden, narrow),
            "o": (wide, size.hidden),
            "gate": (size.hidden, size.feed_forward),
            "up": (size.hidden, size.feed_forward),
            "down": (size.feed_forward, size.hidden),
        }
        weights |= {f"layers.{layer}.{name}": drawn(*each) for name, each in shapes.items()}
        for name in ("input_norm", "post_norm"):
            weights[f"layers.{layer}.{name}"] = np.ones(size.hidden, np.float32)
    weights["final_norm"] = np.ones(size.hidden, np.float32)
    return weights if tied else weights | {"head": drawn(size.hidden, size.vocabulary)}


def int4_blocks(weight: NDArray[np.float32]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return a weight (K, N) as MatMulNBits has it: packed (N, blocks, BLOCK / 2), scales
    (N, blocks). Without zero points: 8 stands for 0."""
    columns = weight.T.reshape(weight.shape[1], -1, BLOCK)
    at = np.abs(columns).argmax(-1, keepdims=True)
    scales = np.take_along_axis(columns, at, -1)[..., 0] / -8
    scales = np.where(scales == 0, np.float32(1), scales)
    levels = np.clip(np.rint(columns / scales[..., None]) + 8, 0, 15).astype(np.uint8)
    return levels[..., ::2] | levels[..., 1::2] << 4, scales.astype(np.float32)


class _Decoder(GraphInMaking):
    """A decoder in the making: weights by their names, linear layers, norms."""

    def __init__(self, size: DecoderSize, weights: Weights, form: Form) -> None:
        super().__init__("main_graph")
        self.size, self.values, self.form = size, weights, form
        self.type = "float16" if form.stored == "float16" else "float32"
        self.known: set[str] = set()

    def weight(self, name: str, value: NDArray[np.generic]) -> str:
        """Add a constant tensor once and return its name."""
        if name not in self.known:
            self.known.add(name)
            super().weight(name, value)
        return name

    def constant(self, name: str, *numbers: int) -> str:
        """Add a list of int64 and return its name."""
        return self.weight(name, np.array(numbers, np.int64))

    def stored(self, name: str, key: str) -> str:
        """Add one of the weights in the type that they are stored in."""
        return self.weight(name, self.values[key].astype(self.type))

    def linear(self, source: str, path: str, key: str) -> str:
        """Add a matrix product with a weight."""
        node, weight = f"/{path.replace('.', '/')}", self.values[key]
        if self.form.stored != "int4":
            return self.node(
                "MatMul", f"{node}/MatMul", source, self.stored(f"{path}.weight", key)
            )
        packed, scales = int4_blocks(weight)
        quantized = self.weight(f"{path}.weight_Q4", packed)
        scale = self.weight(f"{path}.weight_scales", scales)
        rows, columns = weight.shape
        settings = {
            "K": rows,
            "N": columns,
            "bits": 4,
            "block_size": BLOCK,
            "accuracy_level": 4,
        }
        name = f"{node}/MatMulNBits"
        return self.node(
            "MatMulNBits", name, source, quantized, scale, domain=MICROSOFT, **settings
        )

    def feed_forward(self, source: str, layer: int) -> str:
        """Add a gated feed-forward block."""
        path = f"model.layers.{layer}.mlp"
        node = f"/{path.replace('.', '/')}"
        gate = self.linear(source, f"{path}.gate_proj", f"layers.{layer}.gate")
        up = self.linear(source, f"{path}.up_proj", f"layers.{layer}.up")
        sigmoid = self.node("Sigmoid", f"{node}/act_fn/Sigmoid", gate)
        silu = self.node("Mul", f"{node}/act_fn/Mul", gate, sigmoid)
        product = self.node("Mul", f"{node}/Mul", silu, up)
        return self.linear(product, f"{path}.down_proj", f"layers.{layer}.down")

    def logits(self, source: str, name: str = "logits") -> str:
        """Add the head and return the name of its float32 output."""
        if self.form.tied:
            table = self.stored("model.embed_tokens.weight", "embedding")
            turned = self.node("Transpose", "/lm_head/Transpose", table, perm=[1, 0])
            scores = self.node("MatMul", "/lm_head/MatMul", source, turned)
        else:
            scores = self.linear(source, "lm_head", "head")
        if self.type != "float32":
            scores = self.node("Cast", "/lm_head/Cast", scores, to=TensorProto.FLOAT)
        return self.result(scores, name)


def fused(size: DecoderSize, weights: Weights, form: Form = PLAIN) -> onnx.ModelProto:
    """Return a decoder with GroupQueryAttention; its cache can be shared."""
    graph = _Decoder(size, weights, form)
    cast = form.cache != graph.type
    cache = {"float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16}[form.cache]
    outer = {"float32": TensorProto.FLOAT, "float16": TensorProto.FLOAT16}[graph.type]
    one = graph.constant("one", 1)
    count = graph.node(
        "ReduceSum", "/model/attn_mask/ReduceSum", "attention_mask", one, keepdims=1
    )
    last = graph.node("Sub", "/model/attn_mask/Sub", count, one)
    lengths = graph.node("Cast", "/model/attn_mask/Cast", last, to=TensorProto.INT32)
    shape = graph.node("Shape", "/model/attn_mask/Shape", "attention_mask")
    column = graph.weight("column", np.array(1, np.int64))
    total = graph.node("Gather", "/model/attn_mask/Gather", shape, column)
    total = graph.node("Cast", "/model/attn_mask/Cast_1", total, to=TensorProto.INT32)
    angles = rotary_angles(size)
    cos = graph.weight("cos_cache", np.cos(angles).astype(form.cache))
    sin = graph.weight("sin_cache", np.sin(angles).astype(form.cache))
    table = graph.stored("model.embed_tokens.weight", "embedding")
    hidden = graph.node("Gather", "/model/embed_tokens/Gather", table, "input_ids")
    added = ""
    inputs, outputs = [], []
    for layer in range(size.layers):
        path, key = f"model.layers.{layer}", f"layers.{layer}"
        node = f"/{path.replace('.', '/')}"
        hidden, inner = _fused_norm(
            graph, hidden, added, f"{node}/input_layernorm", f"{key}.input_norm"
        )
        vectors = [
            graph.linear(inner, f"{path}.attn.{each}_proj", f"{key}.{each}") for each in "qkv"
        ]
        if cast:
            vectors = [
                graph.node("Cast", f"{node}/attn/Cast_{number}", each, to=cache)
                for number, each in enumerate(vectors)
            ]
        past = [f"past_key_values.{layer}.{each}" for each in ("key", "value")]
        present = [f"present.{layer}.{each}" for each in ("key", "value")]
        attended = graph.node_with(
            "GroupQueryAttention",
            f"{node}/attn/GroupQueryAttention",
            (*vectors, *past, lengths, total, cos, sin),
            (f"{node}/attn/GroupQueryAttention/output", *present),
            domain=MICROSOFT,
            num_heads=size.heads,
            kv_num_heads=size.kv_heads,
            do_rotary=1,
            scale=head_size(size) ** -0.5,
        )[0]
        if cast:
            attended = graph.node("Cast", f"{node}/attn/Cast", attended, to=outer)
        added = graph.linear(attended, f"{path}.attn.o_proj", f"{key}.o")
        name = f"{node}/post_attention_layernorm"
        hidden, inner = _fused_norm(graph, hidden, added, name, f"{key}.post_norm")
        added = graph.feed_forward(inner, layer)
        inputs += [_cache(each, form.cache, size, "past_sequence_length") for each in past]
        outputs += [_cache(each, form.cache, size, "total_sequence_length") for each in present]
    _, inner = _fused_norm(graph, hidden, added, "/model/norm", "final_norm")
    graph.logits(inner)
    return _model(graph, [*_tokens(), *inputs], [_logits(size), *outputs])


def _fused_norm(
    graph: _Decoder, hidden: str, added: str, name: str, key: str
) -> tuple[str, str]:
    """Add an RMS norm, of the sum with `added` if there is one; return the sum and its norm."""
    scale = graph.stored(f"{name.strip('/').replace('/', '.')}.weight", key)
    epsilon = graph.size.epsilon
    if not added:
        normed = graph.node(
            "SimplifiedLayerNormalization",
            f"{name}/LayerNorm",
            hidden,
            scale,
            axis=-1,
            epsilon=epsilon,
        )
        return hidden, normed
    normed, _, _, total = graph.node_with(
        "SkipSimplifiedLayerNormalization",
        f"{name}/SkipLayerNorm",
        (hidden, added, scale),
        (f"{name}/output_0", "", "", f"{name}/output_3"),
        domain=MICROSOFT,
        epsilon=epsilon,
    )
    return total, normed


def decomposed(
    size: DecoderSize, weights: Weights, form: Form = PLAIN, past: bool = True
) -> onnx.ModelProto:
    """Return a decoder of plain ONNX operators; without `past` it begins with no cache."""
    graph = _Decoder(size, weights, form)
    _add_decomposed(graph, past)
    inputs = [*_tokens(), value("position_ids", "int64", ["batch_size", "sequence_length"])]
    if past:
        inputs += [
            _cache(each, graph.type, size, "past_sequence_length") for each in _past(size)
        ]
    outputs = [
        _cache(each, graph.type, size, "total_sequence_length") for each in _present(size)
    ]
    return _model(graph, inputs, [_logits(size), *outputs])


def merged(size: DecoderSize, weights: Weights, form: Form = PLAIN) -> onnx.ModelProto:
    """Return one graph with both forms of `decomposed`, chosen by `use_cache_branch`."""
    outer = _Decoder(size, weights, form)
    branches = {}
    results = ["logits", *_present(size)]
    for name, past in (("then_branch", True), ("else_branch", False)):
        branch = _Decoder(size, weights, form)
        _add_decomposed(branch, past)
        for each in branch.weights:
            if each.name not in outer.known:
                outer.known.add(each.name)
                outer.weights.append(each)
        branch.weights = []
        outputs = [
            _cache(each, branch.type, size, "total_sequence_length") for each in results[1:]
        ]
        branches[name] = branch.proto([], [_logits(size), *outputs])
    outer.node_with("If", "optimum::if", ("use_cache_branch",), results, **branches)
    inputs = [*_tokens(), value("position_ids", "int64", ["batch_size", "sequence_length"])]
    inputs += [_cache(each, outer.type, size, "past_sequence_length") for each in _past(size)]
    inputs.append(value("use_cache_branch", "bool", [1]))
    outputs = [_cache(each, outer.type, size, "total_sequence_length") for each in results[1:]]
    return _model(outer, inputs, [_logits(size), *outputs])


def _add_decomposed(graph: _Decoder, past: bool) -> None:
    """Add all layers in plain operators, up to the logits."""
    size = graph.size
    width = head_size(size)
    angles = rotary_angles(size)
    tables = {"cos": np.cos(angles), "sin": np.sin(angles)}
    rotary = {}
    for name, table in tables.items():
        row = graph.weight(
            f"rotary.{name}", np.concatenate([table, table], -1).astype(graph.type)
        )
        picked = graph.node("Gather", f"/model/rotary/{name}/Gather", row, "position_ids")
        rotary[name] = graph.node(
            "Unsqueeze", f"/model/rotary/{name}/Unsqueeze", picked, graph.constant("axis_1", 1)
        )
    # A position sees those up to its own that the mask has.
    zero, one = (
        graph.weight(name, np.array(number, np.int64))
        for name, number in (("zero", 0), ("one", 1))
    )
    shape = graph.node("Shape", "/model/mask/Shape", "attention_mask")
    total = graph.node("Gather", "/model/mask/Gather", shape, one)
    places = graph.node("Range", "/model/mask/Range", zero, total, one)
    own = graph.node(
        "Unsqueeze", "/model/mask/Unsqueeze", "position_ids", graph.constant("axis_2", 2)
    )
    earlier = graph.node("LessOrEqual", "/model/mask/LessOrEqual", places, own)
    given = graph.node("Cast", "/model/mask/Cast", "attention_mask", to=TensorProto.BOOL)
    given = graph.node(
        "Unsqueeze", "/model/mask/Unsqueeze_1", given, graph.constant("axis_1", 1)
    )
    seen = graph.node("And", "/model/mask/And", earlier, given)
    low = graph.weight("masked", np.array(MASKED, graph.type))
    none = graph.weight("unmasked", np.array(0, graph.type))
    bias = graph.node("Where", "/model/mask/Where", seen, none, low)
    bias = graph.node("Unsqueeze", "/model/mask/Unsqueeze_2", bias, graph.constant("axis_1", 1))
    half = width // 2
    bounds = {
        name: graph.constant(name, number)
        for name, number in (("start", 0), ("half", half), ("width", width), ("last_axis", -1))
    }

    def split(source: str, name: str, heads: int) -> str:
        target = graph.constant(f"{heads}_heads", 0, 0, heads, width)
        parts = graph.node("Reshape", f"{name}/Reshape", source, target)
        return graph.node("Transpose", f"{name}/Transpose", parts, perm=[0, 2, 1, 3])

    def rotated(source: str, name: str) -> str:
        ends = (("low", "start", "half"), ("high", "half", "width"))
        low, high = (
            graph.node(
                "Slice",
                f"{name}/{part}/Slice",
                source,
                bounds[begin],
                bounds[end],
                bounds["last_axis"],
            )
            for part, begin, end in ends
        )
        turned = graph.node("Neg", f"{name}/Neg", high)
        turned = graph.node("Concat", f"{name}/Concat", turned, low, axis=-1)
        straight = graph.node("Mul", f"{name}/Mul", source, rotary["cos"])
        turned = graph.node("Mul", f"{name}/Mul_1", turned, rotary["sin"])
        return graph.node("Add", f"{name}/Add", straight, turned)

    table = graph.stored("model.embed_tokens.weight", "embedding")
    hidden = graph.node("Gather", "/model/embed_tokens/Gather", table, "input_ids")
    group = [head // (size.heads // size.kv_heads) for head in range(size.heads)]
    for layer in range(size.layers):
        path, key = f"model.layers.{layer}", f"layers.{layer}"
        node = f"/{path.replace('.', '/')}"
        inner = _plain_norm(graph, hidden, f"{node}/input_layernorm", f"{key}.input_norm")
        query, keys, values = (
            graph.linear(inner, f"{path}.self_attn.{each}_proj", f"{key}.{each}")
            for each in "qkv"
        )
        query = rotated(
            split(query, f"{node}/self_attn/q", size.heads), f"{node}/self_attn/q_rotary"
        )
        keys = rotated(
            split(keys, f"{node}/self_attn/k", size.kv_heads), f"{node}/self_attn/k_rotary"
        )
        values = split(values, f"{node}/self_attn/v", size.kv_heads)
        both = []
        for name, new in (("key", keys), ("value", values)):
            parts = (f"past_key_values.{layer}.{name}", new) if past else (new,)
            operator = "Concat" if past else "Identity"
            axis = {"axis": 2} if past else {}
            present = graph.node_with(
                operator,
                f"{node}/self_attn/{operator}_{name}",
                parts,
                (f"present.{layer}.{name}",),
                **axis,
            )[0]
            both.append(
                graph.node(
                    "Gather",
                    f"{node}/self_attn/repeat_{name}",
                    present,
                    graph.constant("group", *group),
                    axis=1,
                )
            )
        turned = graph.node(
            "Transpose", f"{node}/self_attn/Transpose_key", both[0], perm=[0, 1, 3, 2]
        )
        scores = graph.node("MatMul", f"{node}/self_attn/MatMul", query, turned)
        scale = graph.weight("scale", np.array(width**-0.5, graph.type))
        scores = graph.node("Mul", f"{node}/self_attn/Mul", scores, scale)
        scores = graph.node("Add", f"{node}/self_attn/Add", scores, bias)
        shares = graph.node("Softmax", f"{node}/self_attn/Softmax", scores, axis=-1)
        mixed = graph.node("MatMul", f"{node}/self_attn/MatMul_1", shares, both[1])
        mixed = graph.node("Transpose", f"{node}/self_attn/Transpose", mixed, perm=[0, 2, 1, 3])
        flat = graph.constant("flat", 0, 0, size.heads * width)
        mixed = graph.node("Reshape", f"{node}/self_attn/Reshape", mixed, flat)
        added = graph.linear(mixed, f"{path}.self_attn.o_proj", f"{key}.o")
        hidden = graph.node("Add", f"{node}/Add", hidden, added)
        inner = _plain_norm(
            graph, hidden, f"{node}/post_attention_layernorm", f"{key}.post_norm"
        )
        hidden = graph.node("Add", f"{node}/Add_1", hidden, graph.feed_forward(inner, layer))
    graph.logits(_plain_norm(graph, hidden, "/model/norm", "final_norm"))


def _plain_norm(graph: _Decoder, source: str, name: str, key: str) -> str:
    """Add an RMS norm as PyTorch's exporter writes it."""
    two = graph.weight("two", np.array(2, graph.type))
    square = graph.node("Pow", f"{name}/Pow", source, two)
    mean = graph.node(
        "ReduceMean", f"{name}/ReduceMean", square, graph.constant("last_axis", -1)
    )
    epsilon = graph.weight("epsilon", np.array(graph.size.epsilon, graph.type))
    root = graph.node("Sqrt", f"{name}/Sqrt", graph.node("Add", f"{name}/Add", mean, epsilon))
    scaled = graph.node("Div", f"{name}/Div", source, root)
    return graph.node(
        "Mul",
        f"{name}/Mul",
        scaled,
        graph.stored(f"{name.strip('/').replace('/', '.')}.weight", key),
    )


def _tokens() -> list[onnx.ValueInfoProto]:
    return [
        value("input_ids", "int64", ["batch_size", "sequence_length"]),
        value("attention_mask", "int64", ["batch_size", "total_sequence_length"]),
    ]


def _logits(size: DecoderSize) -> onnx.ValueInfoProto:
    return value("logits", "float32", ["batch_size", "sequence_length", size.vocabulary])


def _cache(name: str, dtype: str, size: DecoderSize, length: str) -> onnx.ValueInfoProto:
    return value(name, dtype, ["batch_size", size.kv_heads, length, head_size(size)])


def _past(size: DecoderSize) -> list[str]:
    pairs = ((layer, name) for layer in range(size.layers) for name in ("key", "value"))
    return [f"past_key_values.{layer}.{name}" for layer, name in pairs]


def _present(size: DecoderSize) -> list[str]:
    return [each.replace("past_key_values", "present") for each in _past(size)]


def _model(
    graph: _Decoder, inputs: list[onnx.ValueInfoProto], outputs: list[onnx.ValueInfoProto]
) -> onnx.ModelProto:
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(MICROSOFT, 1)]
    return helper.make_model(
        graph.proto(inputs, outputs), opset_imports=opsets, ir_version=IR_VERSION
    )
