"""SentencePiece models inside a file, against the best of all ways to cut a text."""

import base64
import struct
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from inspector.errors import UnreadableFile
from inspector.formats.opening import open_bytes
from inspector.formats.protobuf_wire import encode_varint, framed
from inspector.model.model import Model, TensorInfo
from inspector.preview.inputs import feeds, tokens
from tests.formats.tflite import build
from tests.formats.tflite.build import Union, subgraph, tensor

UNKNOWN, CONTROL = 2, 3
SCORES = {
    "▁": -4.0, "▁a": -3.0, "▁ab": -5.5, "a": -3.5, "b": -3.6, "c": -4.0, "bc": -4.1,
    "abc": -8.0, "▁cab": -9.0, "ca": -6.0,
}  # fmt: skip
MARKS = ("<unk>", "[CLS]", "[SEP]")
IDS = TensorInfo("input_ids", "tensor", "int64", (1, None))


def number(field: int, value: int) -> bytes:
    return encode_varint(field << 3) + encode_varint(value)


def piece(text: str, score: float, kind: int = 1) -> bytes:
    body = framed(1, text.encode()) + b"\x15" + struct.pack("<f", score) + number(3, kind)
    return framed(1, body)


def sentencepiece(kind: int = 1, scores: Mapping[str, float] = SCORES) -> bytes:
    """A ModelProto without a table of normalization. kind: 1 for unigram."""
    kinds = {"<unk>": UNKNOWN}
    marks = (piece(mark, 0.0, kinds.get(mark, CONTROL)) for mark in MARKS)
    pieces = (piece(text, score) for text, score in scores.items())
    return b"".join((*marks, *pieces, framed(2, number(3, kind)), framed(3, number(3, 1))))


def with_model(body: bytes) -> Model:
    metadata = [{0: "TFLITE_METADATA", 1: build.u4(1)}]
    graph = {2: [{0: "ids", 4: [{0: Union(5, {0: [{0: "spiece.txt"}]})}]}], 3: [{}]}
    main = subgraph([tensor("x", (1, 8))], (0,), (0,), [])
    about = build.written({3: [graph]}, b"M001")
    file = build.model([], [main], (about,), metadata=metadata)
    return replace(open_bytes(build.with_files(file, spiece=body)), inputs=(IDS,))


def numbers(model: Model, text: str) -> list[int]:
    source = tokens.embedded_tokenizer(model)
    [found] = feeds.fill_all((IDS,), {"input_ids": f"text:{text}"}, {}, tokenizer=source)
    return np.ravel(found.array).tolist()


def best_cut(text: str) -> list[int]:
    """Every way to cut a text into pieces is tried; the highest sum of scores wins."""
    places = {each: place for place, each in enumerate((*MARKS, *SCORES))}

    @cache
    def cut(rest: str) -> tuple[float, tuple[int, ...]]:
        if not rest:
            return 0.0, ()
        ways = [
            (SCORES[rest[:end]] + more, (places[rest[:end]], *behind))
            for end in range(1, len(rest) + 1)
            if rest[:end] in SCORES
            for more, behind in [cut(rest[end:])]
        ]
        return max(ways, default=(-1e9, ()))

    return [*cut("▁" + text.replace(" ", "▁"))[1]]


@pytest.mark.parametrize("text", ["abc", "ab cab", "cabbc a", "a b c", "abcabc bcab"])
def test_a_text_is_cut_into_the_likeliest_pieces(text):
    model = with_model(sentencepiece())
    start, end = MARKS.index("[CLS]"), MARKS.index("[SEP]")
    assert numbers(model, text) == [start, *best_cut(text), end]
    assert numbers(model, f"  {text.upper().replace(' ', '   ')} ") == numbers(model, text)


def test_letters_that_no_piece_has_are_one_unknown_piece():
    assert numbers(with_model(sentencepiece()), "azza")[1:-1] == [4, 0, 6]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (sentencepiece(kind=2), "it is a BPE model"),
        (sentencepiece()[:-3], "damaged"),
        (framed(1, framed(1, b"\xff\xfe")), "damaged"),
        (framed(2, number(3, 1)), "no piece for unknown words"),
    ],
)
def test_another_model_is_refused_with_what_is_needed(body, why):
    with pytest.raises(UnreadableFile, match=why) as refused:
        numbers(with_model(body), "abc")
    assert "token IDs" in refused.value.hint


def test_a_model_that_is_no_base64_is_refused():
    model = with_model(sentencepiece())
    damaged = base64.b64encode(b"\xff" * 9).decode()
    with pytest.raises(UnreadableFile, match="damaged"):
        numbers(replace(model, metadata=(("tokenizer.model", damaged),)), "abc")


def test_a_model_of_sentencepiece_that_somebody_names_ends_texts_as_t5_does(tmp_path):
    path = tmp_path / "spiece.model"
    path.write_bytes(sentencepiece())
    source = with_model(sentencepiece())
    [found] = feeds.fill_all((IDS,), {"input_ids": "text:ab c"}, {}, tokenizer=path)
    assert np.ravel(found.array).tolist() == numbers(source, "ab c")
    t5 = piece("<unk>", 0.0, UNKNOWN) + piece("</s>", 0.0, CONTROL)
    path.write_bytes(t5 + piece("▁a", -1.0) + framed(2, number(3, 1)) + framed(3, number(3, 1)))
    [found] = feeds.fill_all((IDS,), {"input_ids": "text:a"}, {}, tokenizer=path)
    assert np.ravel(found.array).tolist() == [2, 1]
