"""What a tokenizer.json says of itself: its algorithm, its tokens, those with a meaning.

It is parsed as data only; making tokens is the work of a confined process.
"""

from pathlib import Path
from typing import Any

import msgspec

from inspector.errors import UnreadableFile
from inspector.formats.folders.listing import IS_PICKLE, PICKLE
from inspector.model.model_folder import TokenizerFacts
from inspector.platform import files

LARGEST = 64 << 20  # bytes; those of a vocabulary of 262,144 have 33 MB
_MOST_SPECIALS = 10_000
_LONGEST = 200  # characters of a token that is shown
# Where the field that tells the algorithm is missing: older files have only what it needs.
_BPE = "BPE"
_UNIGRAM = "Unigram"
_WORD_PIECE = "WordPiece"


class _Token(msgspec.Struct):
    id: int
    content: str = ""
    special: bool = False


class _Model(msgspec.Struct):
    type: str = ""
    vocab: dict[str, int] | list[Any] = msgspec.field(default_factory=dict)
    merges: Any = None
    continuing_subword_prefix: str | None = None


class _Tokenizer(msgspec.Struct):
    model: _Model
    added_tokens: list[_Token] | None = None


def tokenizer_facts(path: Path) -> TokenizerFacts:
    """Return what a tokenizer says of itself, or why it cannot be read."""
    try:
        body = files.read_capped(path, LARGEST)
        if PICKLE.match(body):
            return TokenizerFacts(problem=IS_PICKLE)
        read = msgspec.json.decode(body, type=_Tokenizer)
    except UnreadableFile as error:
        return TokenizerFacts(problem=error.why)
    except msgspec.ValidationError:
        return TokenizerFacts(problem="it is no tokenizer of the library tokenizers")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return TokenizerFacts(problem="its JSON is damaged")
    vocabulary, added = read.model.vocab, read.added_tokens or []
    if isinstance(vocabulary, dict):
        numbers = set(vocabulary.values())
    else:
        numbers = set(range(len(vocabulary)))
    numbers.update(token.id for token in added)
    specials = sorted((token.id, token.content[:_LONGEST]) for token in added if token.special)
    return TokenizerFacts(
        read.model.type or _kind(read.model),
        len(numbers),
        max(numbers, default=-1),
        tuple(specials[:_MOST_SPECIALS]),
    )


def _kind(model: _Model) -> str:
    if model.merges is not None:
        return _BPE
    return _UNIGRAM if isinstance(model.vocab, list) else _WORD_PIECE
