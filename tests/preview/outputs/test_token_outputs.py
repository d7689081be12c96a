from pathlib import Path

import numpy as np
import pytest

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.families.label_text import ModelLabels
from inspector.preview.inputs.tokens import Vocabulary
from inspector.preview.outputs.token_outputs import (
    LETTERS,
    NEXT,
    TOKENS,
    collapsed,
    decode_text,
)
from tests.preview import writer


@pytest.fixture
def vocabulary(tmp_path: Path) -> Vocabulary:
    writer.made(tmp_path)
    return Vocabulary(tmp_path / "tokenizer.json")


def output(name: str, array: np.ndarray) -> OutputValue:
    return OutputValue(name, "tensor", array.dtype.name, array)


def test_numbers_of_tokens_are_their_text(vocabulary):
    found = decode_text(output("output_ids", np.array([[1, 2, 3, 0]])), vocabulary)
    assert (found.kind, found.lines) == (TOKENS, ("the cat sat",))
    assert decode_text(output("label", np.array([[1, 2]])), vocabulary) is None
    assert decode_text(output("output_ids", np.array([[1, 2]])), None) is None


def test_scores_of_tokens_tell_what_may_follow(vocabulary):
    scores = np.zeros((1, 2, 8), np.float32)
    scores[0, 0, 2] = scores[0, 1, 6] = 9
    found = decode_text(output("logits", scores), vocabulary)
    assert (found.kind, found.lines) == (NEXT, ("cat mat",))
    assert found.following[0] == (6, "mat", pytest.approx(1, abs=0.01))


def test_letters_over_time_lose_blanks_and_repeats():
    names = ("<blank>", "a", "b", "|")
    path = [1, 1, 0, 1, 3, 2, 2, 0]
    scores = np.eye(4, dtype=np.float32)[path]
    for array in (scores[None], scores[:, None]):
        found = decode_text(output("y", array), None, names)
        assert (found.kind, found.lines) == (LETTERS, ("aa b",))
    assert decode_text(output("y", scores[None]), None, ("a", "b")) is None
    assert collapsed([0, 1, 1, 0, 1], 0) == [1, 1]


@pytest.mark.parametrize(
    ("path", "labels", "text"),
    [
        # The blank is where most steps are, since it lies between all letters.
        ([2, 0, 2, 2, 0, 2, 1, 2], "ab", "aab"),
        ([0, 1, 0, 0, 1, 0, 2, 0], "ab", "aab"),
        ([0, 1, 0, 1, 0, 11, 0, 2], "abcdefghij", "aa b"),  # and a space behind the letters
        ([11, 0, 11, 0, 11, 10, 11, 1], "abcdefghij", "aa b"),
    ],
)
def test_a_list_of_letters_may_leave_out_the_blank_and_the_space(path, labels, text):
    total = 3 if len(labels) == 2 else 12
    scores = np.eye(total, dtype=np.float32)[path]
    found = decode_text(output("y", scores[None]), None, tuple(labels))
    assert found.lines == (text,)


def test_a_marked_blank_stays_where_it_is_and_the_space_is_added():
    for names, path in (
        (("<blank>", *"abcdefghij"), [1, 0, 11, 2]),
        ((*"abcdefghij", "<blank>"), [0, 11, 10, 1]),
    ):
        scores = np.eye(12, dtype=np.float32)[path]
        found = decode_text(output("y", scores[None]), None, names)
        assert found.lines == ("a b",)


def test_letters_may_be_pieces_of_words():
    names = ModelLabels(("<blk>", "\u2581the", "\u2581cat", "s", "!!!!"), letters=True)
    scores = np.eye(5, dtype=np.float32)[[0, 1, 0, 2, 3, 0]]
    found = decode_text(output("y", scores[None]), None, names)
    assert found.lines == ("the cats",)
