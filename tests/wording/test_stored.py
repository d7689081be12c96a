"""Sentences in JSON: scripts read texts, and a reader of another language makes them again."""

import copy
import json
from dataclasses import dataclass, replace

import msgspec
import pytest

from inspector.wording import catalog, stored
from inspector.wording.values import (
    Capital,
    Count,
    Duration,
    Name,
    Sentence,
    Share,
    Size,
    Value,
    counted,
    joined,
)


@dataclass(frozen=True)
class Noted:
    """A result with notes."""

    notes: tuple[str, ...]
    ns: tuple[int, ...] = ()


DECODER = msgspec.json.Decoder(Noted)
BUSY = Sentence("other programs used {share} of the CPU", Share(0.62))
EVERY = joined(BUSY, counted(1200, "layer"), Sentence("{a} {b} {c} {d}", Duration(2.5e6),
               Size(3 << 20), Name("a `b`"), 7), Capital(BUSY), separator="; ")  # fmt: skip


@pytest.mark.parametrize("note", [BUSY, EVERY, Sentence("{one}", EVERY)])
def test_a_sentence_is_read_back_and_worded_in_another_language(note):
    body = stored.encode(Noted((note, "as it is"), (1, 2)))
    read = stored.decode(body, DECODER)
    assert read == Noted((str(note), "as it is"), (1, 2))
    german = catalog.wording("de")
    assert german.text(read.notes[0]) == german.text(note) != note
    assert json.loads(body)["notes"] == [str(note), "as it is"]


def test_what_was_stored_without_sentences_is_read_as_it_is():
    body = b'{"notes": ["other programs used 62% of the CPU"]}'
    (note,) = stored.decode(body, DECODER).notes
    assert type(note) is str


@pytest.mark.parametrize(
    "form",
    [
        {"id": "something else", "values": {}},
        {"id": "{a}", "values": {}},
        {"id": "{a}", "values": {"a": {"kind": "Sentence"}}},
        {"id": "{a}", "values": {"a": {"kind": "Duration", "ns": "now"}}},
        {"id": "{a}", "values": {"a": [1]}},
        {"parts": [{"kind": "Size", "bytes": 1e308}], "separator": ""},
        17,
    ],
)
def test_a_wrong_table_changes_no_text(form):
    body = json.dumps({"notes": ["3 layers"], "sentences": {"3 layers": form}}).encode()
    (note,) = stored.decode(body, DECODER).notes
    assert note == "3 layers"
    assert type(note) is str


def test_a_sentence_is_text_that_keeps_its_parts():
    german = catalog.wording("de")
    values: list[Value] = [BUSY + ". ", "! " + BUSY, copy.deepcopy(EVERY)]
    values += [copy.copy(BUSY), replace(Noted((BUSY,))).notes[0]]
    for value in values:
        assert "andere Programme nutzten 62,0% der CPU" in german.text(value)
    assert Sentence("{rows} of {rows}", Count(3, "row")) == "3 rows of 3 rows"
    with pytest.raises(ValueError, match="zip"):
        Sentence("{first} and {second}", "one")
