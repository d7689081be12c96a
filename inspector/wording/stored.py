"""Sentences in JSON: each is its English text, and beside the texts stands how they were made.

    {"notes": ["3 layers failed"],
     "sentences": {"3 layers failed": {"id": "{count} failed", "values": {...}}}}

So a report that was stored, or a message of another process, is worded in any language. Scripts
read the texts as ever. A text that nothing is told about, as in older files, stays as it is.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import msgspec

from inspector.wording.values import (
    Amount,
    Capital,
    Change,
    Code,
    Count,
    Duration,
    DurationRange,
    Joined,
    Name,
    Number,
    Probability,
    Rate,
    Real,
    Sentence,
    Share,
    Size,
    SizeRange,
    Value,
)

_KEY = "sentences"
_KINDS: Mapping[str, Callable[..., Value]] = {
    kind.__name__: kind
    for kind in (
        Amount, Change, Code, Count, Duration, DurationRange, Name, Number, Probability, Rate,
        Real, Share, Size, SizeRange,
    )
}  # fmt: skip
# What a table of a damaged or hostile file may cause while its sentences are made again.
_WRONG = (ValueError, TypeError, KeyError, AttributeError, ArithmeticError, RecursionError)

T = TypeVar("T")


class _Table(msgspec.Struct):
    sentences: dict[str, Any] = {}


def text_only(value: object) -> str:
    """Return a sentence as its text, for JSON that only scripts read: a hook of msgspec."""
    if isinstance(value, str):
        return str(value)
    raise NotImplementedError(f"{type(value)} has no place in JSON")


def json_text(value: object) -> str:
    """Return an object as JSON for scripts, in which sentences are texts alone."""
    return msgspec.json.encode(value, enc_hook=text_only).decode()


def encode(value: object, enc_hook: Callable[[Any], Any] = text_only) -> bytes:
    """Return an object as JSON, with how its sentences were made. enc_hook: for other types."""
    table = dict[str, Any]()

    def as_text(part: object) -> object:
        """Return a sentence as its text, and note in the table how it was made."""
        if not isinstance(part, Sentence | Joined):
            return enc_hook(part)
        table[str(part)] = _plain(part)
        return str(part)

    body = msgspec.json.encode(value, enc_hook=as_text)
    if not table or (isinstance(value, Mapping) and _KEY in value) or body[:1] != b"{":
        return body
    return body[:-1] + f',"{_KEY}":'.encode() + msgspec.json.encode(table) + b"}"


def decode(body: bytes, decoder: "msgspec.json.Decoder[T]") -> T:
    """Read JSON, and make its sentences again. Raises what the decoder raises."""
    if f'"{_KEY}":'.encode() not in body:
        return decoder.decode(body)
    table = msgspec.json.decode(body, type=_Table).sentences
    made = {text: again for text, form in table.items() if (again := _again(text, form))}
    content = msgspec.json.decode(body)
    content.pop(_KEY, None)
    content = _restored(content, made)
    kind: Any = decoder.type
    result: T = msgspec.convert(content, kind, dec_hook=decoder.dec_hook, str_keys=True)
    return result


def _plain(value: Value) -> Any:
    match value:
        case Sentence(template, values):
            return {"id": template, "values": {name: _plain(values[name]) for name in values}}
        case Joined(parts, separator):
            return {"parts": list(map(_plain, parts)), "separator": separator}
        case Capital(inner):
            return {"capital": _plain(inner)}
        case str() | int():
            return value
        case _ if type(value).__name__ in _KINDS:
            fields: dict[str, Any] = msgspec.to_builtins(value, enc_hook=_of_numpy)
            return {"kind": type(value).__name__} | fields
        case _:
            return str(Joined((value,)))


def _of_numpy(number: Any) -> Any:
    return number.item()


def _again(text: str, form: Any) -> Value | None:
    """Return the sentence that a table describes; None where it says another text."""
    try:
        made = _value(form)
    except _WRONG:
        return None
    return made if made == text else None


def _value(form: Any) -> Value:
    match form:
        case str() | int():
            return form
        case {"id": str(template), "values": dict(values)}:
            return Sentence(template, **{name: _value(values[name]) for name in values})
        case {"parts": list(parts), "separator": str(separator)}:
            return Joined(map(_value, parts), separator)
        case {"capital": inner}:
            return Capital(_value(inner))
        case {"kind": str(kind), **fields}:
            value: Value = msgspec.convert(fields, _KINDS[kind])
            return value
        case _:
            raise ValueError("no value of a sentence")


def _restored(content: Any, made: Mapping[str, Any]) -> Any:
    """Return decoded JSON in which sentences stand for their texts."""
    match content:
        case str():
            return made.get(content, content)
        case dict():
            return {name: _restored(value, made) for name, value in content.items()}
        case [int() | float(), *_]:
            return content  # samples, of which there may be a million
        case list():
            return [_restored(value, made) for value in content]
        case _:
            return content
