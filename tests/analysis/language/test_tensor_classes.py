"""Which class a weight is of: by the graph, else by names as exporters and checkpoints have."""

import pytest

from inspector.analysis.language.tensor_classes import (
    Kind,
    block_count,
    classified,
    dominant_weight,
    is_tied,
)
from inspector.model.model import Attribute, Layer, Model, Place, TensorInfo, WeightInfo


def model(layers=(), weights=(), outputs=()) -> Model:
    return Model(
        name="net", format="onnx", size_bytes=0, ir_version=0, opsets=(), producer="",
        producer_version="", domain="", version=0, doc="", graph_name="", metadata=(),
        inputs=(), outputs=tuple(outputs), layers=tuple(layers), weights=tuple(weights),
    )  # fmt: skip


def weight(name: str, *shape: int, dtype: str = "float32", at: int = 0) -> WeightInfo:
    size = 4
    for axis in shape:
        size *= axis
    return WeightInfo(name, dtype, shape, size, Place("", at, size))


def kinds(made: Model) -> dict[Kind, int]:
    return {each.kind: each.parameters for each in classified(made)}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("model.embed_tokens.weight", Kind.EMBEDDING),
        ("transformer.wte.weight", Kind.EMBEDDING),
        ("token_embd.weight", Kind.EMBEDDING),
        ("transformer.wpe.weight", Kind.POSITIONS),
        ("bert.embeddings.position_embeddings.weight", Kind.POSITIONS),
        ("bert.embeddings.word_embeddings.weight", Kind.EMBEDDING),
        ("transformer.h.0.attn.c_attn.weight", Kind.ATTENTION),
        ("transformer.h.0.mlp.c_fc.weight", Kind.FEED_FORWARD),
        ("encoder.block.0.layer.0.SelfAttention.q.weight", Kind.ATTENTION),
        ("encoder.block.0.layer.1.DenseReluDense.wo.weight", Kind.FEED_FORWARD),
        ("bert.encoder.layer.0.attention.output.dense.weight", Kind.ATTENTION),
        ("bert.encoder.layer.0.output.dense.weight", Kind.FEED_FORWARD),
        ("bert.encoder.layer.0.intermediate.dense.weight", Kind.FEED_FORWARD),
        ("blk.3.attn_q.weight", Kind.ATTENTION),
        ("blk.3.ffn_gate_exps.weight", Kind.EXPERTS),
        ("blk.3.ffn_down.weight", Kind.FEED_FORWARD),
        ("output.weight", Kind.HEAD),
        ("lm_head.weight", Kind.HEAD),
        ("model.layers.0.self_attn.qkv_proj.weight", Kind.ATTENTION),
        ("model.layers.0.block_sparse_moe.experts.1.w1.weight", Kind.EXPERTS),
        ("conv1.weight", Kind.OTHER),
    ],
)
def test_names_of_checkpoints(name, kind):
    assert kinds(model(weights=[weight(name, 4, 8)])) == {kind: 32}


@pytest.mark.parametrize(
    "name",
    ["blk.0.attn_norm.weight", "output_norm.weight", "h.0.ln_1.weight",
     "model.layers.0.self_attn.q_norm.weight"],
)  # fmt: skip
def test_norms_are_vectors(name):
    assert kinds(model(weights=[weight(name, 8)])) == {Kind.NORM: 8}


def test_a_weight_without_a_name_is_of_the_layer_that_takes_it():
    name = "onnx::MatMul_4711"
    path = "/model/layers.0/self_attn/q_proj/MatMul"
    layers = [
        Layer(0, "", "DequantizeLinear", "", (name, "scale"), ("w",)),
        Layer(1, path, "MatMul", "", ("x", "w"), ("y",)),
    ]
    weights = [weight(name, 8, 8, dtype="int8"), weight("scale", 8, at=999)]
    assert kinds(model(layers, weights)) == {Kind.ATTENTION: 64}


def test_embedding_and_head_are_known_by_what_they_do():
    layers = [
        Layer(0, "", "Gather", "", ("a", "input_ids"), ("x",)),
        Layer(1, "", "MatMul", "", ("x", "b"), ("y",)),
        Layer(2, "", "Cast", "", ("y",), ("logits",)),
    ]
    logits = TensorInfo("logits", "tensor", "float32", ("batch", "length", 10))
    made = model(layers, [weight("a", 10, 4), weight("b", 4, 10, at=160)], [logits])
    assert kinds(made) == {Kind.EMBEDDING: 40, Kind.HEAD: 40}
    assert not is_tied(made)


def test_a_transposed_embedding_as_head_is_tied():
    layers = [
        Layer(0, "", "Gather", "", ("a", "input_ids"), ("x",)),
        Layer(1, "", "Transpose", "", ("a",), ("b",)),
        Layer(2, "", "MatMul", "", ("x", "b"), ("logits",)),
    ]
    logits = TensorInfo("logits", "tensor", "float32", ("batch", "length", 10))
    made = model(layers, [weight("a", 10, 4)], [logits])
    assert is_tied(made)
    assert kinds(made) == {Kind.EMBEDDING: 40}
    assert made.parameters_of(layers[0]) == made.parameters_of(layers[1]) == 40
    found = dominant_weight(made, 320)
    assert (found.name, found.share, found.kind, found.tied) == ("a", 0.5, Kind.EMBEDDING, True)
    assert dominant_weight(made, 1000) is None
    alone = dominant_weight(model(layers[:1], made.weights), 160)
    assert (alone.share, alone.kind, alone.tied) == (1, Kind.EMBEDDING, False)
    assert dominant_weight(model(layers[2:], [weight("b", 4, 10)]), 160) is None  # alone
    two = [weight("b", 4, 10), weight("c", 1, at=160)]
    plain = dominant_weight(model(layers[2:], two), 164)
    assert (plain.kind, plain.operator) == (Kind.OTHER, "MatMul")


def test_packed_experts_count_their_numbers():
    bits = Attribute("expert_weight_bits", "int", "4")
    inputs = ("x", "router", "fc1", "fc1_scales", "", "fc2", "fc2_scales", "")
    layer = Layer(
        0, "/model/layers.0/moe/QMoE", "QMoE", "com.microsoft", inputs, ("y",), (bits,)
    )
    weights = [
        weight("fc1", 2, 4, 4, dtype="uint8"), weight("fc1_scales", 2, 8, at=999),
        weight("fc2", 2, 4, 4, dtype="uint8", at=2999), weight("fc2_scales", 2, 8, at=4999),
    ]  # fmt: skip
    made = model([layer], weights)
    (experts,) = classified(made)
    assert experts.kind is Kind.EXPERTS
    assert experts.parameters == made.parameters == 2 * 2 * 4 * 4 * 2
    assert [name for name, _ in experts.types] == ["int4"]


def test_blocks_are_counted_by_their_numbers():
    names = ("model.layers.0.a", "model.layers.11.b", "/model/layers.3/x/MatMul")
    assert block_count(model(weights=[weight(name, 1) for name in names])) == 3
    assert block_count(model(weights=[weight("w", 1)])) is None
