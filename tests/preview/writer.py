"""A small model that writes: its next token is the sum of all before, modulo the vocabulary."""

import json
from pathlib import Path

import onnx
from onnx import TensorProto, helper

WORDS = ("</s>", "the", "cat", "sat", "on", "a", "mat", "today")


def made(folder: Path, cached: bool = True) -> Path:
    """The model with its tokenizer beside it; cached: earlier tokens are kept in a memory."""
    whole, real = TensorProto.INT64, TensorProto.FLOAT
    total = "past_sequence_length + sequence_length" if cached else "sequence_length"
    inputs = [
        helper.make_tensor_value_info("input_ids", whole, ["batch", "sequence_length"]),
        helper.make_tensor_value_info("attention_mask", whole, ["batch", total]),
    ]
    outputs = [helper.make_tensor_value_info("logits", real, ["batch", "sequence_length", 8])]
    cache = ["batch", 1, "past_sequence_length", 1]
    nodes = [
        helper.make_node("Cast", ["input_ids"], ["real"], to=real),
        helper.make_node("Unsqueeze", ["real", "sides"], ["new"]),
    ]
    if cached:
        inputs.append(helper.make_tensor_value_info("past_key_values.0.key", real, cache))
        kept = [*cache[:2], total, 1]
        outputs.append(helper.make_tensor_value_info("present.0.key", real, kept))
        nodes += [helper.make_node("Concat", ["past_key_values.0.key", "new"],
                                   ["present.0.key"], axis=2)]  # fmt: skip
    every = "present.0.key" if cached else "new"
    nodes += [
        helper.make_node("Squeeze", [every, "sides"], ["all"]),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=real),
        helper.make_node("Mul", ["all", "mask"], ["seen"]),
        helper.make_node("CumSum", ["seen", "along"], ["sums"]),
        helper.make_node("Shape", ["input_ids"], ["length"], start=1),
        helper.make_node("Neg", ["length"], ["from"]),
        helper.make_node("Slice", ["sums", "from", "end", "one"], ["last"]),
        helper.make_node("Cast", ["last"], ["whole"], to=whole),
        helper.make_node("Mod", ["whole", "many"], ["next"]),
        helper.make_node("OneHot", ["next", "many", "values"], ["logits"]),
    ]
    constants = [
        helper.make_tensor("sides", whole, [2], [1, 3]),
        helper.make_tensor("along", whole, [], [1]),
        helper.make_tensor("end", whole, [1], [1 << 40]),
        helper.make_tensor("one", whole, [1], [1]),
        helper.make_tensor("many", whole, [1], [8]),
        helper.make_tensor("values", real, [2], [0.0, 5.0]),
    ]
    graph = helper.make_graph(nodes, "writer", inputs, outputs, constants)
    opsets = [helper.make_opsetid("", 17)]
    path = folder / "writer.onnx"
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), path)
    tokenizer = {
        "version": "1.0", "truncation": None, "padding": None, "normalizer": None,
        "added_tokens": [{"id": 0, "content": "</s>", "single_word": False, "lstrip": False,
                          "rstrip": False, "normalized": False, "special": True}],
        "pre_tokenizer": {"type": "Whitespace"}, "post_processor": None, "decoder": None,
        "model": {"type": "WordLevel", "vocab": {w: i for i, w in enumerate(WORDS)},
                  "unk_token": "a"},
    }  # fmt: skip
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    return path
