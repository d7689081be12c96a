"""A small model that writes: its next token is the sum of all before, modulo the vocabulary."""

import json
from pathlib import Path
from typing import Any

from onnx import NodeProto, TensorProto, helper

from tests import models

WORDS = ("</s>", "the", "cat", "sat", "on", "a", "mat", "today")
WHOLE, REAL = TensorProto.INT64, TensorProto.FLOAT


def made(folder: Path, cached: bool = True) -> Path:
    """The model with its tokenizer beside it; cached: earlier tokens are kept in a memory."""
    total = "past_sequence_length + sequence_length" if cached else "sequence_length"
    inputs = [
        models.value("input_ids", ["batch", "sequence_length"], WHOLE),
        models.value("attention_mask", ["batch", total], WHOLE),
    ]
    outputs = [models.value("logits", ["batch", "sequence_length", 8], REAL)]
    if cached:
        held = ["batch", 1, "past_sequence_length", 1]
        inputs.append(models.value("past_key_values.0.key", held, REAL))
        kept = [*held[:2], total, 1]
        outputs.append(models.value("present.0.key", kept, REAL))
    path = models.save(folder / "writer.onnx", _nodes(cached), inputs, outputs, _constants())
    (folder / "tokenizer.json").write_text(json.dumps(_tokenizer()))
    return path


def _nodes(cached: bool) -> list[NodeProto]:
    """The next token is the sum of all so far: the masked ones count nothing."""
    memory, every = "past_key_values.0.key", "present.0.key" if cached else "new"
    joined = helper.make_node("Concat", [memory, "new"], ["present.0.key"], axis=2)
    return [
        helper.make_node("Cast", ["input_ids"], ["real"], to=REAL),
        helper.make_node("Unsqueeze", ["real", "sides"], ["new"]),
        *([joined] if cached else []),
        helper.make_node("Squeeze", [every, "sides"], ["all"]),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=REAL),
        helper.make_node("Mul", ["all", "mask"], ["seen"]),
        helper.make_node("CumSum", ["seen", "along"], ["sums"]),
        helper.make_node("Shape", ["input_ids"], ["length"], start=1),
        helper.make_node("Neg", ["length"], ["from"]),
        helper.make_node("Slice", ["sums", "from", "end", "one"], ["last"]),
        helper.make_node("Cast", ["last"], ["whole"], to=WHOLE),
        helper.make_node("Mod", ["whole", "many"], ["next"]),
        helper.make_node("OneHot", ["next", "many", "values"], ["logits"]),
    ]


def _constants() -> list[TensorProto]:
    return [
        helper.make_tensor("sides", WHOLE, [2], [1, 3]),
        helper.make_tensor("along", WHOLE, [], [1]),
        helper.make_tensor("end", WHOLE, [1], [1 << 40]),
        helper.make_tensor("one", WHOLE, [1], [1]),
        helper.make_tensor("many", WHOLE, [1], [8]),
        helper.make_tensor("values", REAL, [2], [0.0, 5.0]),
    ]


def _tokenizer() -> dict[str, Any]:
    return {
        "version": "1.0", "truncation": None, "padding": None, "normalizer": None,
        "added_tokens": [{"id": 0, "content": "</s>", "single_word": False, "lstrip": False,
                          "rstrip": False, "normalized": False, "special": True}],
        "pre_tokenizer": {"type": "Whitespace"}, "post_processor": None, "decoder": None,
        "model": {"type": "WordLevel", "vocab": {w: i for i, w in enumerate(WORDS)},
                  "unk_token": "a"},
    }  # fmt: skip
