import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from inspector.errors import BadInput, UnreadableFile
from inspector.formats.opening import open_bytes
from inspector.model.model import TensorInfo
from inspector.preview.inputs import feeds, tokens
from tests import models

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


def test_words_become_their_numbers_with_a_mask(tokenizer):
    found = filled((IDS, MASK, TYPES), "The cat flew", tokenizer)
    assert found["input_ids"].array.tolist() == [[1, 2, 0]]
    assert found["attention_mask"].array.tolist() == [[1, 1, 1]]
    assert found["token_type_ids"].array.tolist() == [[0, 0, 0]]
    assert "3 tokens: the cat [UNK]" in found["input_ids"].description
    assert (found["input_ids"].given, found["attention_mask"].given) == (True, False)


def test_a_text_longer_than_any_context_is_refused_before_it_is_split(tokenizer):
    with pytest.raises(BadInput) as refused:
        tokens.vocabulary(tokenizer).ids("a" * 10_000_001)
    assert refused.value.hint == "Use a text of at most 10.0 M characters."


def test_a_fixed_length_is_filled_up_and_masked(tokenizer):
    inputs = info("input_ids", "int32", 1, 5), info("attention_mask", "int32", 1, 5)
    found = filled(inputs, "cat sat", tokenizer)
    assert found["input_ids"].array.tolist() == [[2, 3, 0, 0, 0]]
    assert found["attention_mask"].array.tolist() == [[1, 1, 0, 0, 0]]
    assert found["input_ids"].array.dtype == np.int32


def test_a_tokenizer_beside_the_model_is_found(tokenizer):
    assert tokens.tokenizer_path(tokenizer.parent / "model.onnx") == tokenizer
    (tokenizer.parent / "onnx").mkdir()
    assert tokens.tokenizer_path(tokenizer.parent / "onnx" / "model.onnx") == tokenizer


def test_without_a_tokenizer_or_with_a_broken_one_a_sentence_helps(tmp_path):
    with pytest.raises(BadInput, match=r"tokenizer\.json"):
        filled((IDS,), "cat", None)
    (tmp_path / "tokenizer.json").write_text('{"model": 3}')
    with pytest.raises(UnreadableFile, match="not a tokenizer"):
        filled((IDS,), "cat", tmp_path / "tokenizer.json")


def test_texts_and_bytes_need_no_tokenizer():
    text = filled((info("text", "string", "n"),), "Grüße", None)["text"]
    assert text.array.tolist() == ["Grüße"]
    octets = filled((info("input", "uint8", "batch", "length"),), "abc", None)["input"]
    assert octets.array.tolist() == [[97, 98, 99]]
    with pytest.raises(BadInput, match="neither text nor bytes"):
        filled((info("x", "float32", "n"),), "abc", None)


BERT_PIECES = (
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "the",
    "cat",
    "##s",
    "sat",
    ",",
    "un",
)
WORDS = ("<PAD>", "<START>", "<UNKNOWN>", "the", "cat", "cats", "sat", "it's", "a", "b", "c")


def embedded(
    *metadata: tuple[str, str], ids: TensorInfo = IDS
) -> tokens.EmbeddedTokenizer | None:
    proto = models.model([], [], [])
    model = open_bytes(proto.SerializeToString())
    return tokens.embedded_tokenizer(replace(model, metadata=metadata, inputs=(ids,)))


def numbers(source: tokens.TokenizerSource | None, text: str) -> list[int]:
    found = feeds.fill_all((IDS,), {"input_ids": f"text:{text}"}, {}, tokenizer=source)
    return [int(number) for number in found[0].array[0]]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("vocab", "\n".join(BERT_PIECES)),
        ("vocab.txt", "\r\n".join(BERT_PIECES) + "\r\n"),
        ("tokenizer.vocabulary", "\n".join(BERT_PIECES) + "\n"),
        ("vocab", json.dumps(BERT_PIECES)),
        ("model.vocab.json", json.dumps({piece: n for n, piece in enumerate(BERT_PIECES)})),
        ("vocabulary", repr(list(BERT_PIECES))),
    ],
)
def test_a_vocabulary_of_bert_in_the_metadata_splits_words(key, value):
    source = embedded((key, value))
    assert numbers(source, "The cats sat, dog") == [2, 5, 6, 7, 8, 9, 1, 3]


def test_a_vocabulary_with_capitals_keeps_them():
    source = embedded(("vocab", "\n".join((*BERT_PIECES, "The"))))
    assert numbers(source, "The the") == [2, 11, 5, 3]


@pytest.mark.parametrize(
    ("text", "entries", "expected"),
    [
        ("\n".join(f"{word} {n}" for n, word in enumerate(WORDS)), (), [1, 3, 5, 7, 2]),
        ("\n".join(WORDS), (), [1, 3, 5, 7, 2]),
        ("\n".join(WORDS), (("tokenizer.pattern", "[^a-z]+"),), [1, 3, 5, 2, 2, 2]),
    ],
)
def test_a_list_of_words_with_a_start_is_split_as_tensorflow_lites_library_does(
    text, entries, expected
):
    source = embedded(("tokenizer.vocabulary", text), ("tokenizer.kind", "regex"), *entries)
    assert numbers(source, "the cats: it's dog") == expected


def test_an_index_of_words_of_keras_is_in_small_letters():
    index = {word: n for n, word in enumerate(("<OOV>", "the", "cat", *"abcdefgh"), 1)}
    assert numbers(embedded(("word_index", json.dumps(index))), "The cat flew") == [2, 3, 1]


def test_a_whole_tokenizer_in_the_metadata_is_used(tokenizer):
    for key in ("tokenizer.json", "hf.tokenizer_json", "tokenizer"):
        source = embedded((key, tokenizer.read_text()))
        assert source is not None
        assert numbers(source, "the cat flew") == [1, 2, 0]


@pytest.mark.parametrize(
    "value",
    [
        "",
        "the\ncat",  # too few
        "\n".join("abcdefghijklm"),  # no mark for unknown words
        "\n".join(("<unk>", *(f"\u2581{letter}" for letter in "abcdefghijkl"))),  # of pieces
    ],
)
def test_a_vocabulary_that_does_not_say_how_to_split_is_left_alone(value):
    assert embedded(("vocab", value)) is None


def test_other_numbers_than_tokens_get_no_vocabulary():
    image = info("image", "float32", 1, 3, 8, 8)
    assert embedded(("vocab", "\n".join(BERT_PIECES)), ids=image) is None


def test_tensorflow_lites_names_say_which_input_is_which(tokenizer):
    about = ("ids", "input_word_ids"), ("mask", "input_mask"), ("segment_ids", "types")
    inputs = tuple(
        replace(info(name, "int32", 1, 4), metadata=(("name", said),)) for said, name in about
    )
    values = {"input_word_ids": "text:the cat"}
    found = {
        each.name: each for each in feeds.fill_all(inputs, values, {}, tokenizer=tokenizer)
    }
    assert found["input_word_ids"].array.tolist() == [[1, 2, 0, 0]]
    assert found["input_mask"].array.tolist() == [[1, 1, 0, 0]]
    assert found["types"].array.tolist() == [[0, 0, 0, 0]]


def test_a_text_in_another_language_is_told_by_its_unknown_words():
    source = embedded(("tokenizer.vocabulary", "\n".join(WORDS)))

    def caution(text: str) -> str:
        values = {"input_ids": f"text:{text}"}
        (found,) = feeds.fill_all((IDS,), values, {}, tokenizer=source)
        return feeds.input_caution(found, ())

    assert caution("the cat sat a dog") == ""
    assert caution("die Katze sat hier gern").startswith(
        "4 of 5 words are not in the vocabulary"
    )
    with pytest.raises(BadInput, match="it is empty"):
        caution(" ")


BYTE_PAIRS = ("l", "o", "w", "lo", "low", "Ġ", "Ġl", "Ġlow", "w</w>", "low</w>")
MERGES = "#version: 0.2\nl o\nlo w\nlo w</w>\nĠ low\n"


@pytest.mark.parametrize(
    ("marks", "text", "expected"),
    [
        ((), "low lowo", [4, 7, 1]),
        (("<s>", "</s>"), "low low", [10, 4, 7, 11]),
        (("<|startoftext|>", "<|endoftext|>"), "LOW  low", [10, 9, 9, 11]),
    ],
)
def test_merges_and_vocabulary_of_byte_pairs_are_a_tokenizer(tmp_path, marks, text, expected):
    pieces = {piece: number for number, piece in enumerate((*BYTE_PAIRS, *marks))}
    (tmp_path / "vocab.json").write_text(json.dumps(pieces))
    (tmp_path / "merges.txt").write_text(MERGES, "utf-8")
    for name in ("vocab.json", "merges.txt"):
        assert numbers(tmp_path / name, text) == expected
    (tmp_path / "vocab.json").unlink()
    with pytest.raises(UnreadableFile, match=r"no vocab\.json beside it"):
        numbers(tmp_path / "merges.txt", text)


def test_a_vocabulary_in_a_file_is_a_tokenizer(tmp_path):
    path = tmp_path / "vocab.txt"
    path.write_text("\n".join(BERT_PIECES))
    assert numbers(path, "unwanted cats") == numbers(
        embedded(("vocab", "\n".join(BERT_PIECES))), "unwanted cats"
    )
    path.write_text("a\nb\n")
    with pytest.raises(UnreadableFile, match="does not say how a text is split"):
        numbers(path, "a")
