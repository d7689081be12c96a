import json
from pathlib import Path

import numpy as np
import pytest

from inspector.errors import BadInput, UnreadableFile
from inspector.model.model import TensorInfo
from inspector.preview.inputs import feeds, tokens

VOCABULARY = {"[UNK]": 0, "the": 1, "cat": 2, "sat": 3}


def info(name: str, dtype: str, *shape: int | str) -> TensorInfo:
    return TensorInfo(name, "tensor", dtype, shape)


IDS, MASK = (
    info("input_ids", "int64", "batch", "n"),
    info("attention_mask", "int64", "batch", "n"),
)
TYPES = info("token_type_ids", "int64", "batch", "n")


@pytest.fixture
def tokenizer(tmp_path: Path) -> Path:
    told = {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [],
        "normalizer": {"type": "Lowercase"}, "pre_tokenizer": {"type": "Whitespace"},
        "post_processor": None, "decoder": None,
        "model": {"type": "WordLevel", "vocab": VOCABULARY, "unk_token": "[UNK]"},
    }  # fmt: skip
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(told))
    return path


def filled(
    inputs: tuple[TensorInfo, ...], text: str, path: Path | None
) -> dict[str, feeds.Filled]:
    values = {inputs[0].name: f"text:{text}"}
    found = feeds.fill_all(inputs, values, {}, tokenizer=path)
    return {each.name: each for each in found}


def test_words_become_their_numbers_with_a_mask(tokenizer: Path) -> None:
    found = filled((IDS, MASK, TYPES), "The cat flew", tokenizer)
    assert found["input_ids"].array.tolist() == [[1, 2, 0]]
    assert found["attention_mask"].array.tolist() == [[1, 1, 1]]
    assert found["token_type_ids"].array.tolist() == [[0, 0, 0]]
    assert "3 tokens: the cat [UNK]" in found["input_ids"].description
    assert (found["input_ids"].given, found["attention_mask"].given) == (True, False)


def test_a_fixed_length_is_filled_up_and_masked(tokenizer: Path) -> None:
    inputs = info("input_ids", "int32", 1, 5), info("attention_mask", "int32", 1, 5)
    found = filled(inputs, "cat sat", tokenizer)
    assert found["input_ids"].array.tolist() == [[2, 3, 0, 0, 0]]
    assert found["attention_mask"].array.tolist() == [[1, 1, 0, 0, 0]]
    assert found["input_ids"].array.dtype == np.int32


def test_a_tokenizer_beside_the_model_is_found(tokenizer: Path) -> None:
    assert tokens.tokenizer_path(tokenizer.parent / "model.onnx") == tokenizer
    (tokenizer.parent / "onnx").mkdir()
    assert tokens.tokenizer_path(tokenizer.parent / "onnx" / "model.onnx") == tokenizer


def test_without_a_tokenizer_or_with_a_broken_one_a_sentence_helps(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"tokenizer\.json"):
        filled((IDS,), "cat", None)
    (tmp_path / "tokenizer.json").write_text('{"model": 3}')
    with pytest.raises(UnreadableFile, match="not a tokenizer"):
        filled((IDS,), "cat", tmp_path / "tokenizer.json")


def test_texts_and_bytes_need_no_tokenizer() -> None:
    text = filled((info("text", "string", "n"),), "Grüße", None)["text"]
    assert text.array.tolist() == ["Grüße"]
    octets = filled((info("input", "uint8", "batch", "length"),), "abc", None)["input"]
    assert octets.array.tolist() == [[97, 98, 99]]
    with pytest.raises(BadInput, match="neither text nor bytes"):
        filled((info("x", "float32", "n"),), "abc", None)
