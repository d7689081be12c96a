"""Tokens become text one by one: whole letters only, and together the text of the library."""

import json
import random

import pytest
import tokenizers
from tokenizers import decoders, models, normalizers, pre_tokenizers, trainers

from inspector.errors import BadInput
from inspector.preview.inputs import tokens
from inspector.preview.inputs.tokens import TokenPiece, Vocabulary
from inspector.preview.language.text_stream import TextStream, visible_piece

TEXTS = ["Hello world, hello again! It's 3.14", "def f(x):\n    return x\n"] * 9
SAID = ("Hello world, 東京 😀 Grüße\n\n  two  spaces", "👩‍👩‍👧 end", "x", " x ")


def byte_level():
    """As GPT-2, Llama 3 and Qwen have it."""
    made = tokenizers.Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    made.train_from_iterator(
        TEXTS,
        trainers.BpeTrainer(
            vocab_size=300,
            special_tokens=["<|end|>"],
            initial_alphabet=alphabet,
            show_progress=False,
        ),
    )
    return made


def sentence_pieces():
    """As Llama 2, Mistral and Gemma have it: bytes where a letter is unknown."""
    octets = [f"<0x{octet:02X}>" for octet in range(256)]
    made = tokenizers.Tokenizer(models.BPE(byte_fallback=True, unk_token="<unk>"))
    made.normalizer = normalizers.Sequence(
        [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
    )
    made.decoder = decoders.Sequence(
        [
            decoders.Replace("▁", " "),
            decoders.ByteFallback(),
            decoders.Fuse(),
            decoders.Strip(" ", 1, 0),
        ]
    )
    made.train_from_iterator(
        TEXTS,
        trainers.BpeTrainer(
            vocab_size=400, special_tokens=["<unk>", "</s>", *octets], show_progress=False
        ),
    )
    whole = json.loads(made.to_str())
    whole["added_tokens"] = [
        each for each in whole["added_tokens"] if each["content"] not in octets
    ]
    return tokenizers.Tokenizer.from_str(json.dumps(whole))


def metaspace():
    made = tokenizers.Tokenizer(models.Unigram())
    made.pre_tokenizer = pre_tokenizers.Metaspace()
    made.decoder = decoders.Metaspace()
    made.train_from_iterator(
        [*TEXTS, *SAID],
        trainers.UnigramTrainer(
            vocab_size=120, special_tokens=["<unk>"], unk_token="<unk>", show_progress=False
        ),
    )
    return made


@pytest.fixture(scope="module", params=[byte_level, sentence_pieces, metaspace])
def pair(request, tmp_path_factory) -> tuple[tokenizers.Tokenizer, Vocabulary]:
    """A tokenizer of the library, and our side of it."""
    library = request.param()
    path = tmp_path_factory.mktemp("tokenizer") / "tokenizer.json"
    library.save(str(path))
    return library, Vocabulary(path)


@pytest.mark.parametrize("text", SAID)
def test_ids_and_streamed_text_are_those_of_the_library(pair, text):
    library, vocabulary = pair
    ids = vocabulary.ids(text)
    assert list(ids) == library.encode(text, add_special_tokens=False).ids
    stream = TextStream(vocabulary)
    parts = [*(stream.add(each)[0] for each in ids), stream.finish()]
    assert "".join(parts) == library.decode(list(ids))
    assert not any("\ufffd" in part for part in parts)


def test_random_text_streams_as_it_is_decoded(pair):
    library, vocabulary = pair
    chance = random.Random(1)
    plain = [
        number
        for number in range(library.get_vocab_size())
        if not (library.id_to_token(number) or "").startswith("<")
    ]
    for _ in range(20):
        ids = [chance.choice(plain) for _ in range(30)]
        stream = TextStream(vocabulary)
        parts = [stream.add(each)[0] for each in ids]
        assert "".join(parts) + stream.finish() == library.decode(ids)
        at_once = TextStream(vocabulary)
        assert [*at_once.add(*ids[:9]), *at_once.add(*ids[9:])] == parts


def test_what_stays_incomplete_is_shown_in_the_end(pair):
    library, vocabulary = pair
    first = library.token_to_id("ð") or library.token_to_id("<0xF0>")  # of four bytes
    if first is None:
        return  # this vocabulary has whole letters only
    stream = TextStream(vocabulary)
    assert stream.add(first) == ("",)
    assert stream.finish() == "\ufffd"
    stream = TextStream(vocabulary)
    assert any(stream.add(*[first] * 9))  # no letter comes of it: it does not wait


def test_a_continued_text_keeps_its_space(pair):
    library, vocabulary = pair
    ids = vocabulary.ids("Hello world again")
    for place in range(1, len(ids)):
        stream = TextStream(vocabulary, ids[:place])
        added = "".join(stream.add(*ids[place:]))
        assert library.decode(list(ids[:place])) + added == "Hello world again"


def test_pieces_say_what_single_tokens_are(pair):
    library, vocabulary = pair
    special = library.token_to_id("<|end|>") or library.token_to_id("<unk>") or 0
    ids = vocabulary.ids("world again")
    pieces = vocabulary.pieces([*ids, special, 1 << 40, -5])
    assert "".join(piece.text for piece in pieces[: len(ids)]).strip() == "world again"
    name = library.id_to_token(special)
    assert pieces[len(ids) :] == (
        TokenPiece(special, name, True),
        TokenPiece(1 << 40, ""),
        TokenPiece(-5, ""),
    )
    octets = [piece.text for piece in vocabulary.pieces(vocabulary.ids("😀"))]
    assert octets[-1] in ("<80>", "😀")


def test_blanks_can_be_seen():
    assert visible_piece(" a\n\tb") == "␣a⏎⇥b"


def test_a_text_longer_than_any_model_takes_is_refused(pair, monkeypatch):
    monkeypatch.setattr(tokens, "MOST_CHARS", 10)
    with pytest.raises(BadInput, match="it has 11 characters"):
        pair[1].ids("a" * 11)
