"""Lists of JSON objects, read a piece at a time: whole, cut off, and one after the other."""

import gzip
import json

import pytest

from inspector.errors import UnreadableFile
from inspector.formats import json_stream
from inspector.formats.json_stream import Reading, pieces
from inspector.formats.source import of_bytes

ROWS = [{"name": f"event {number}", "inner": [{"a": "}]"}]} for number in range(40)]
TEXT = json.dumps(ROWS).encode()
LINES = b"\n".join(json.dumps({"ph": "X", **row}).encode() for row in ROWS)


def taken(body: bytes) -> tuple[list[str], Reading]:
    reading, names = Reading(), list[str]()
    for piece in pieces(of_bytes(body, "a.json"), "traceEvents", reading):
        names += [json.loads(piece.body[a:b])["name"] for a, b in piece.places]
    return names, reading


@pytest.mark.parametrize("length", [1 << 20, 300])
@pytest.mark.parametrize(
    ("body", "count", "closed", "truncated"),
    [
        (TEXT, 40, True, False),
        (b'{"a": 1, "traceEvents": ' + TEXT + b', "samples": 2}', 40, True, False),
        (gzip.compress(TEXT), 40, True, False),
        (LINES, 40, True, False),
        (TEXT[:-1], 40, False, False),
        (TEXT[:-2], 39, False, True),
        (b"[]", 0, True, False),
    ],
    ids=["list", "object", "gzip", "lines", "not closed", "cut off", "empty"],
)
def test_a_list_is_read_to_its_end_in_pieces_of_any_length(
    body: bytes, count: int, closed: bool, truncated: bool, length: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(json_stream, "PIECE", length)
    names, reading = taken(body)
    assert names == [row["name"] for row in ROWS[:count]]
    assert (reading.closed, reading.truncated, reading.trouble) == (closed, truncated, "")
    assert (b"samples" in reading.after) is (b"samples" in body)


def test_a_compressed_file_that_ends_early_says_so():
    names, reading = taken(gzip.compress(TEXT)[:-30])
    assert 0 < len(names) <= 40
    assert reading.trouble == "The compressed file ends early."


@pytest.mark.parametrize(
    ("body", "why"),
    [(b"", "it is empty"), (b"text", "it is not JSON"), (b'{"a": [1]}', "no array")],
)
def test_what_holds_no_list_is_refused(body, why):
    with pytest.raises(UnreadableFile, match=why):
        taken(body)
