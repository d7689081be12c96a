"""Files in pieces, through one buffer."""

import os

import pytest

from inspector.errors import UnreadableFile
from inspector.formats.source import Source, format_at, of_bytes, open_source

BODY = bytes(range(256)) * 5


@pytest.mark.parametrize("length", [1, 255, 256, 1279, 1280, 1 << 20])
def test_pieces_together_are_the_file(tmp_path, length):
    path = tmp_path / "model.onnx"
    path.write_bytes(BODY)
    with open_source(path) as source:
        assert b"".join(bytes(piece) for piece in source.pieces(length)) == BODY
    assert b"".join(map(bytes, of_bytes(BODY, "bytes").pieces(length))) == BODY


def test_no_bytes_are_no_pieces():
    assert [*of_bytes(b"", "nothing").pieces(9)] == []


def test_pieces_share_their_memory():
    first, *others = of_bytes(BODY, "bytes").pieces(256)
    assert all(other.obj is first.obj for other in others)


def test_a_piece_that_comes_in_parts_is_whole():
    def fill(piece: memoryview, offset: int) -> int:
        found = BODY[offset : offset + min(100, len(piece))]
        piece[: len(found)] = found
        return len(found)

    source = Source("slow", lambda length, offset: b"", len(BODY), fill)
    assert b"".join(bytes(piece) for piece in source.pieces(256)) == BODY


def test_a_file_cut_short_meanwhile_is_told(tmp_path):
    path = tmp_path / "model.onnx"
    path.write_bytes(BODY)
    with open_source(path) as source:
        pieces = source.pieces(256)
        next(pieces)
        os.truncate(path, 300)
        with pytest.raises(UnreadableFile, match="was truncated"):
            [*pieces]


def test_another_file_in_its_place_has_another_format(tmp_path):
    path = tmp_path / "model"
    path.write_bytes(b"GGUF\x03\x00\x00\x00" + bytes(16))
    assert format_at(path).id == format_at(path).id == "gguf"
    path.write_bytes(bytes(4) + b"TFL3" + bytes(40))
    assert format_at(path).id == "tflite"
    path.unlink()
    with pytest.raises(UnreadableFile):
        format_at(path)
