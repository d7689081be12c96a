"""Decoder of tokenizer files, by the library tokenizers, an extra of the package."""

from collections.abc import Sequence
from typing import Any

from inspector import units
from inspector.errors import BadInput, UnreadableFile
from inspector.sandbox.decoding.channel import Request, Response

try:
    import tokenizers
except ImportError:
    tokenizers = None  # type: ignore[assignment]


KEPT = 4  # tokenizers, the latest ones
_loaded: dict[str, Any] = {}  # one process serves all requests, so it caches tokenizers


def answer(request: Request, body: memoryview) -> tuple[Response, bytes]:
    """Load a tokenizer, or use the one with that key.

    load: numbers say how many pieces it has. encode: rows of the text, texts its tokens.
    decode: the text of the numbers. piece: what one number stands for. numbers: of the texts
    in `text`, one a line, -1 where it has none.
    Raises BadInput: the library is not installed. UnreadableFile: no tokenizer.
    """
    if tokenizers is None:
        raise BadInput(
            "Could not tokenize the text",
            "the library 'tokenizers' is not installed",
            'Install it with: pip install "onnx-inspector[text]"',
        )
    if request.do == "load":
        return _load(request, bytes(body)), b""
    if request.key not in _loaded:
        return Response(unknown=True), b""
    return _OPERATIONS[request.do](_loaded[request.key], request), b""


def _load(request: Request, body: bytes) -> Response:
    try:
        tokenizer = tokenizers.Tokenizer.from_buffer(body)
    except ValueError as error:
        why = f"it is not a tokenizer ({units.clip(str(error), 120)})"
        raise UnreadableFile(f"Could not open {request.name}", why) from error
    tokenizer.no_padding()
    while len(_loaded) >= KEPT:
        _loaded.pop(next(iter(_loaded)))
    _loaded[request.key] = tokenizer
    return Response(numbers=(tokenizer.get_vocab_size(),))


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


_OPERATIONS = {"encode": _encode, "decode": _decode, "piece": _piece, "numbers": _numbers}
