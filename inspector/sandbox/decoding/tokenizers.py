"""Decoder of tokenizer files, by the library tokenizers, an extra of the package."""

import re
from collections.abc import Sequence
from typing import Any

from inspector import units
from inspector.errors import BadInput, UnreadableFile
from inspector.platform.extras import install_hint
from inspector.sandbox.decoding.channel import Request, Response

try:
    import tokenizers
except ImportError:
    tokenizers = None  # type: ignore[assignment]


KEPT = 4  # tokenizers, the latest ones
# A letter has four bytes at most, and so as many tokens; what stays incomplete is no text.
_MOST_PENDING = 8
_INCOMPLETE = "\ufffd"  # what a decoder writes for bytes that are no letter yet
_FALLBACK = re.compile("<0x[0-9A-F]{2}>")  # a byte, as SentencePiece writes it
_loaded: dict[str, Any] = {}  # one process serves all requests, so it caches tokenizers


def answer(request: Request, body: memoryview) -> tuple[Response, bytes]:
    """Load a tokenizer, or use the one with that key.

    load: numbers say how many pieces it has. encode: rows of the text, texts its tokens.
    decode: the text of the numbers. piece: what one number stands for. numbers: of the texts
    in `text`, one a line, -1 where it has none. ids: numbers of the text, uncut, with the marks
    of beginning and end if `whole`. added: what each of the last `new` numbers adds to the text
    of those before, of which the text is out up to `start`; "" while a letter is not complete,
    unless `whole`; numbers and start for the next ones. pieces: texts that the numbers stand
    for, one by one; rows say which are special.
    Raises BadInput: the library is not installed. UnreadableFile: no tokenizer.
    """
    if tokenizers is None:
        raise BadInput(
            "Could not tokenize the text",
            "the library 'tokenizers' is not installed",
            install_hint("text"),
        )
    if request.do == "load":
        try:
            tokenizer = tokenizers.Tokenizer.from_buffer(bytes(body))
        except ValueError as error:
            why = f"it is not a tokenizer ({units.clip(str(error), 120)})"
            raise UnreadableFile(f"Could not open {request.name}", why) from error
        tokenizer.no_padding()
        while len(_loaded) >= KEPT:
            _loaded.pop(next(iter(_loaded)))
        _loaded[request.key] = tokenizer
        return Response(numbers=(tokenizer.get_vocab_size(),)), b""
    if request.key not in _loaded:
        return Response(unknown=True), b""
    return _OPERATIONS[request.do](_loaded[request.key], request), b""


def _encode(tokenizer: Any, request: Request) -> Response:
    encoding = tokenizer.encode(request.text)
    names = ("ids", "attention_mask", "type_ids")
    rows = {name: tuple(getattr(encoding, name)) for name in names}
    return Response(rows=rows, texts=tuple(encoding.tokens))


def _decode(tokenizer: Any, request: Request) -> Response:
    text = tokenizer.decode(list(request.numbers), skip_special_tokens=not request.whole)
    return Response(texts=(text,))


def _piece(tokenizer: Any, request: Request) -> Response:
    return Response(texts=(_known(tokenizer, request.numbers),))


def _known(tokenizer: Any, numbers: Sequence[int]) -> str:
    return tokenizer.id_to_token(numbers[0]) or ""


def _numbers(tokenizer: Any, request: Request) -> Response:
    numbers = (tokenizer.token_to_id(mark) for mark in request.text.split("\n"))
    return Response(numbers=tuple(-1 if one is None else one for one in numbers))


def _ids(tokenizer: Any, request: Request) -> Response:
    cut = tokenizer.truncation
    tokenizer.no_truncation()
    try:
        encoding = tokenizer.encode(request.text, add_special_tokens=request.whole)
    finally:
        if cut is not None:
            tokenizer.enable_truncation(**cut)
    return Response(numbers=tuple(encoding.ids))


def _added(tokenizer: Any, request: Request) -> Response:
    """Decode each token behind the ones before it: decoders join what they decode at once."""
    begin, shown = len(request.numbers) - request.new, request.start
    window, texts = list(request.numbers[:begin]), list[str]()
    for number in (*request.numbers[begin:], *((None,) * (not request.new))):
        window += () if number is None else (number,)
        whole = request.whole or len(window) - shown >= _MOST_PENDING
        before, text = tokenizer.decode(window[:shown]), tokenizer.decode(window)
        complete = len(text) > len(before) and not text.endswith(_INCOMPLETE)
        texts.append(text[len(before) :] if complete or whole else "")
        if texts[-1] or whole:
            window = window[shown:]
            shown = len(window)
    return Response(texts=tuple(texts), numbers=tuple(window), rows={"shown": (shown,)})


def _pieces(tokenizer: Any, request: Request) -> Response:
    added = tokenizer.get_added_tokens_decoder()
    special = {number for number, token in added.items() if token.special}
    flags = tuple(int(number in special) for number in request.numbers)
    texts = tuple(
        _known(tokenizer, (number,)) if number in special else _text_of(tokenizer, number)
        for number in request.numbers
    )
    return Response(texts=texts, rows={"special": flags})


def _text_of(tokenizer: Any, number: int) -> str:
    """Return the text that one number adds behind another token; for a part of a letter its
    bytes, as `<E2><82>`.

    Alone, some decoders drop its space; behind itself none does.
    """
    piece = _known(tokenizer, (number,))
    once = tokenizer.decode([number], skip_special_tokens=False)
    twice = tokenizer.decode([number, number], skip_special_tokens=False)
    text: str = twice[len(once) :]
    if _INCOMPLETE not in text or _INCOMPLETE in piece:
        return text or piece
    if _FALLBACK.fullmatch(piece):
        return f"<{piece[3:]}"
    octets = [_BYTES.get(letter) for letter in piece]
    return "".join(text if octet is None else f"<{octet:02X}>" for octet in octets)


def _letters_of_bytes() -> dict[str, int]:
    """Return the letters that byte-level vocabularies write bytes with
    (github.com/openai/gpt-2, src/encoder.py, bytes_to_unicode)."""
    seen = {*range(33, 127), *range(161, 173), *range(174, 256)}
    letters, added = {}, 0
    for octet in range(256):
        letters[chr(octet if octet in seen else 256 + added)] = octet
        added += octet not in seen
    return letters


_BYTES = _letters_of_bytes()
_OPERATIONS = {
    "encode": _encode,
    "decode": _decode,
    "piece": _piece,
    "numbers": _numbers,
    "ids": _ids,
    "added": _added,
    "pieces": _pieces,
}
