"""Inputs of language models with a cache: masks over it, sums of axes, empty beginnings."""

import json
from pathlib import Path

import numpy as np
import pytest

from inspector.errors import BadInput
from inspector.model.model import Axis, TensorInfo
from inspector.preview.inputs import feeds
from inspector.preview.inputs.feeds import fill_all, input_caution
from inspector.preview.inputs.model_states import states

SUM = "past_sequence_length + sequence_length"
PRESENT = TensorInfo("present.0.key", "tensor", "float32", ("batch", 4, SUM, 8))


def info(name: str, *shape: Axis, dtype: str = "float32") -> TensorInfo:
    return TensorInfo(name, "tensor", dtype, shape)


def decoder(total: Axis = SUM) -> tuple[TensorInfo, ...]:
    return (
        info("input_ids", "batch", "sequence_length", dtype="int64"),
        info("attention_mask", "batch", total, dtype="int64"),
        info("past_key_values.0.key", "batch", 4, "past_sequence_length", 8),
    )


@pytest.fixture
def tokenizer(tmp_path: Path) -> Path:
    words = {word: number for number, word in enumerate(("a", "the", "cat", "sat", "on"))}
    model = {"type": "WordLevel", "vocab": words, "unk_token": "a"}
    path = tmp_path / "tokenizer.json"
    rest = dict.fromkeys(("truncation", "padding", "normalizer", "post_processor", "decoder"))
    whole = {"version": "1.0", "added_tokens": [], "pre_tokenizer": {"type": "Whitespace"}}
    path.write_text(json.dumps({**whole, **rest, "model": model}))
    return path


@pytest.mark.parametrize("total", [SUM, "total_sequence_length", "mask_length"])
def test_the_mask_of_a_text_covers_the_cache_before_it(tokenizer, total):
    values = {"input_ids": "text:the cat sat on a"}
    sizes = {"past_sequence_length": 512}
    filled = fill_all(decoder(total), values, sizes, tokenizer=tokenizer)
    shapes = {each.name: each.array.shape for each in filled}
    assert shapes["input_ids"] == (1, 5)
    assert shapes["attention_mask"] == (1, 517)
    assert shapes["past_key_values.0.key"] == (1, 4, 512, 8)
    assert filled[1].array.all()


def test_a_cache_from_a_file_counts_as_well(tokenizer, tmp_path):
    np.save(tmp_path / "past.npy", np.zeros((1, 4, 7, 8), np.float32))
    values = {"input_ids": "text:the cat", "past_key_values.0.key": str(tmp_path / "past.npy")}
    filled = fill_all(decoder(), values, {}, tokenizer=tokenizer)
    assert filled[1].array.shape == (1, 9)
    alone = fill_all(decoder(), {"input_ids": "text:the cat"}, {}, tokenizer=tokenizer)
    assert alone[1].array.shape == (1, 2), "without a cache it is the mask of the text"


@pytest.mark.parametrize("axis", ["sequence_length", 2])
def test_a_mask_as_long_as_the_tokens_stays_so(tokenizer, axis):
    sizes = {"past_sequence_length": 512}
    filled = fill_all(decoder(axis), {"input_ids": "text:the cat"}, sizes, tokenizer=tokenizer)
    assert filled[1].array.shape == (1, 2)


def test_a_size_that_is_not_the_sum_of_its_parts_is_refused():
    sizes = {"past_sequence_length": 16, "sequence_length": 4}
    total = "total_sequence_length"
    with pytest.raises(BadInput, match="which are 20 with the other sizes, not 32"):
        fill_all(decoder(total), {}, {**sizes, total: 32})
    with pytest.raises(BadInput, match="17 with the other sizes, not 8"):
        fill_all(decoder(total), {}, {"past_sequence_length": 16, total: 8})
    assert fill_all(decoder(total), {}, {**sizes, total: 20})[1].array.shape == (1, 20)
    assert fill_all(decoder(), {}, sizes)[1].array.shape == (1, 20)
    with pytest.raises(BadInput, match="it follows from past_sequence_length and sequence"):
        fill_all(decoder(), {}, {**sizes, SUM: 20})


def test_an_empty_cache_is_no_reason_for_a_caution():
    memory = states(decoder(), (PRESENT,))
    assert [state.input for state in memory] == ["past_key_values.0.key"]
    filled = fill_all(decoder(), {}, {})
    assert filled[2].array.size == 0
    assert [input_caution(each, memory) for each in filled] == ["", "", ""]
    empty = feeds.Filled("input_ids", "zeros", np.zeros((1, 0), np.int64))
    assert "nothing to compute" in input_caution(empty, memory)


def test_positions_follow_the_tokens_in_the_cache():
    places = info("position_ids", "batch", "sequence_length", dtype="int64")
    branch = info("use_cache_branch", 1, dtype="bool")
    inputs = (*decoder(), places, branch)
    sizes = {"past_sequence_length": 16, "sequence_length": 3}
    arrays = {each.name: each.array for each in fill_all(inputs, {}, sizes)}
    assert arrays["position_ids"].tolist() == [[16, 17, 18]]
    assert arrays["use_cache_branch"].all()
    arrays = {each.name: each.array for each in fill_all(inputs, {}, {"sequence_length": 3})}
    assert arrays["position_ids"].tolist() == [[0, 1, 2]]
    assert not arrays["use_cache_branch"].any()


def test_the_mask_of_embeddings_covers_the_cache_before_them():
    embeddings = info("inputs_embeds", "batch", "sequence_length", 64)
    inputs = (embeddings, *decoder("total_sequence_length")[1:])
    sizes = {"past_sequence_length": 16, "sequence_length": 3}
    assert fill_all(inputs, {}, sizes)[1].array.shape == (1, 19)


def test_the_mask_of_a_first_step_is_as_long_as_the_text():
    inputs = decoder("total_sequence_length")[:2]
    assert fill_all(inputs, {}, {"sequence_length": 7})[1].array.shape == (1, 7)
