"""SentencePiece models as the tokenizer.json of the library tokenizers.

The format is sentencepiece_model.proto of google/sentencepiece.
"""

import base64
import struct
from collections.abc import Iterator
from typing import Any

from inspector.errors import UnreadableFile
from inspector.formats.protobuf_wire import (
    FIXED_4,
    LENGTH,
    PADDING,
    VARINT,
    Malformed,
    records,
    varint,
)

# fields of a ModelProto
_PIECES = 1
_TRAINER = 2
_NORMALIZER = 3
# of a SentencePiece
_PIECE = 1
_SCORE = 2
_KIND = 3
# of a TrainerSpec: model_type, byte_fallback
_MODEL_TYPE = 3
_BYTES = 35
# of a NormalizerSpec
_MAP = 2
_PREFIX = 3
_TRIMS = 4
_UNIGRAM = 1  # of the model types
_TYPES = {2: "BPE", 3: "word", 4: "character"}
# types of pieces
_NORMAL = 1
_UNKNOWN = 2
_CONTROL = 3
_GIVEN = 4
_SPACE = "▁"  # which stands for a space in pieces
_WHAT = "Could not use the SentencePiece model of the tokenizer"
_HINT = "Give the text as token IDs in an .npy file, or a tokenizer.json with --tokenizer."

Value = int | float | bytes


def tokenizer_json(body: bytes) -> dict[str, Any]:
    """Return the tokenizer.json of a SentencePiece model, without marks around a text.

    Raises UnreadableFile: damaged, or not a unigram model.
    """
    pieces, trainer, normalizer = (
        list[dict[int, Value]](),
        dict[int, Value](),
        dict[int, Value](),
    )
    try:
        for field, value in _fields(body):
            if field == _PIECES and isinstance(value, bytes):
                pieces.append(dict(_fields(value)))
            elif field == _TRAINER and isinstance(value, bytes):
                trainer = dict(_fields(value))
            elif field == _NORMALIZER and isinstance(value, bytes):
                normalizer = dict(_fields(value))
        texts = [_bytes(piece.get(_PIECE)).decode() for piece in pieces]
    except (Malformed, UnicodeDecodeError) as error:
        raise UnreadableFile(_WHAT, f"it is damaged: {error}", _HINT) from error
    kind = trainer.get(_MODEL_TYPE, _UNIGRAM)
    if kind != _UNIGRAM:
        name = _TYPES.get(int(kind), str(kind)) if isinstance(kind, int) else "other"
        raise UnreadableFile(_WHAT, f"it is a {name} model, and only unigram is read", _HINT)
    kinds = [piece.get(_KIND, _NORMAL) for piece in pieces]
    if _UNKNOWN not in kinds:
        raise UnreadableFile(_WHAT, "it has no piece for unknown words", _HINT)
    cased = any(
        text != text.lower() for text, kind in zip(texts, kinds, strict=True) if kind == _NORMAL
    )
    return {
        "version": "1.0",
        "added_tokens": [
            {"id": place, "content": text, "special": kind == _CONTROL, "single_word": False,
             "lstrip": False, "rstrip": False, "normalized": False}
            for place, (text, kind) in enumerate(zip(texts, kinds, strict=True))
            if kind in (_CONTROL, _GIVEN)
        ],
        "normalizer": {"type": "Sequence", "normalizers": [*_normalizers(normalizer, cased)]},
        "pre_tokenizer": {
            "type": "Metaspace", "replacement": _SPACE, "split": False,
            "prepend_scheme": "always" if normalizer.get(_PREFIX, 1) else "never",
        },
        "decoder": {"type": "Metaspace", "replacement": _SPACE, "prepend_scheme": "always"},
        "model": {
            "type": "Unigram", "unk_id": kinds.index(_UNKNOWN),
            "vocab": [[text, piece.get(_SCORE, 0.0)]
                      for text, piece in zip(texts, pieces, strict=True)],
            "byte_fallback": bool(trainer.get(_BYTES, 0)),
        },
    }  # fmt: skip


def _normalizers(normalizer: dict[int, Value], cased: bool) -> Iterator[dict[str, Any]]:
    # TensorFlow Lite's Task Library gives its tokenizers small letters.
    if not cased:
        yield {"type": "Lowercase"}
    if rules := _bytes(normalizer.get(_MAP)):
        yield {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(rules).decode()}
    if normalizer.get(_TRIMS, 1):
        yield {"type": "Strip", "strip_left": True, "strip_right": True}
        yield {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}


def _fields(body: bytes) -> Iterator[tuple[int, Value]]:
    """Yield the number and the value of each field of a message."""
    padded = body + PADDING
    for field, wire, _, start, stop in records(padded, 0, len(body)):
        if wire == VARINT:
            yield field, varint(padded, start)[0]
        elif wire == LENGTH:
            yield field, padded[start:stop]
        elif wire == FIXED_4:
            yield field, float(struct.unpack_from("<f", padded, start)[0])


def _bytes(value: Value | None) -> bytes:
    return value if isinstance(value, bytes) else b""
