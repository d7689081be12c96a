"""Words as the numbers a model wants, by its tokenizer: a tokenizer.json next to the model or
in its metadata, a vocabulary in its metadata, or a file that somebody names.

It is read in a process of its own, by an extra of the package.
"""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from inspector import units
from inspector.errors import BadInput, UnreadableFile
from inspector.model.metadata_keys import (
    TOKENIZER_KIND,
    TOKENIZER_MODEL,
    TOKENIZER_PATTERN,
    TOKENIZER_VOCABULARY,
)
from inspector.model.model import Model, TensorInfo, cached_by_model
from inspector.model.tensors.element_types import Tensor, numpy_type
from inspector.platform import files
from inspector.preview.families import label_text
from inspector.preview.inputs import input_shapes, sentencepiece
from inspector.sandbox.decoding.channel import Request, Response
from inspector.sandbox.decoding.decoder_process import decoder

FILE = "tokenizer.json"
LIMIT_BYTES = 64 << 20
MOST_CHARS = 10_000_000  # of a text for a language model: about 2.5 million tokens
TEXT = "text:"
_NO_ID = (1 << 31) - 1  # a number that no vocabulary has
_ENDS = ("</s>", "<|endoftext|>", "<eos>", "[SEP]", "<|im_end|>", "<|eot_id|>",
         "<|end_of_text|>", "<end_of_turn>", "[EOS]")  # fmt: skip
_BLANKS = ("<blank>", "<blk>", "[blank]", "<pad>", "[PAD]", "<ctc>", "_")
_IDS = ("input_ids", "tokens", "token_ids", "ids", "decoder_input_ids")
_BESIDE = {"attention_mask": "attention_mask", "token_type_ids": "type_ids",
           "segment_ids": "type_ids", "input_mask": "attention_mask",
           "mask": "attention_mask"}  # fmt: skip
_TOKENIZER_KEYS = ("tokenizer.json", "tokenizer_json", "tokenizer")  # last parts of keys
_VOCABULARY_KEYS = ("vocab", "vocabulary", "vocab.txt", "vocab.json", "word_index")
_SENTENCE_PIECES = (".model", ".spm")  # suffixes of SentencePiece's files
_BPE_FILES = ("vocab.json", "merges.txt")  # of GPT-2 and others; one needs the other
_CLIP = ("<|startoftext|>", "<|endoftext|>")
_ROBERTA = ("<s>", "</s>")
_T5_END = "</s>"
# CLIP's own pieces of words (openai/CLIP, simple_tokenizer.py).
_CLIP_PATTERN = r"'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"
_MARKS = ("[CLS]", "[SEP]")  # before and behind a text
_BERT_MARKS = (*_MARKS, "[UNK]")
_UNKNOWN = ("[UNK]", "<unk>", "<UNK>", "<UNKNOWN>", "<OOV>", "<oov>", "[OOV]", "unk", "UNK")
_START = "<START>"  # before each text of TensorFlow Lite's models with a regex tokenizer
_USUAL_PATTERN = r"[^\w\']+"  # between words, of TensorFlow Lite Model Maker
# Pieces of byte-pair encoding and SentencePiece begin so; their vocabulary alone is not enough.
_OTHER_PIECES = ("Ġ", "▁")
_MOST_OTHER = 0.05  # share of such pieces in a vocabulary of words
_FEWEST_WORDS = 10
# Share of unknown words from which an answer says little: a sentence that fits has a name or a
# capital letter or two, and a sentence in another language hardly a known word.
MOST_UNKNOWN = 0.4
_FEWEST_UNKNOWN = 2


class EmbeddedTokenizer(Struct, frozen=True):
    """A tokenizer out of a model's metadata. body: as a tokenizer.json has it. problem: why it
    cannot be used; None where it can."""

    name: str
    body: bytes
    problem: UnreadableFile | None = None


TokenizerSource = Path | EmbeddedTokenizer


def takes_tokens(info: TensorInfo) -> bool:
    """Return whether an input takes the numbers of words."""
    row = info.shape is None or len(info.shape) in (1, 2)
    about = dict(info.metadata)
    # TensorFlow Lite's metadata says which input a tokenizer or a vocabulary is for.
    declared = "tokenizer" in about or "vocabulary" in about
    named = declared or _usual_name(info) in _IDS
    return info.dtype in ("int32", "int64") and row and named


def _usual_name(info: TensorInfo) -> str:
    """Return the name of an input in small letters; by the metadata where that has a usual
    one."""
    said = dict(info.metadata).get("name", "").lower()
    return said if said in (*_IDS, *_BESIDE) else info.name.lower()


def takes_text(info: TensorInfo) -> bool:
    """Return whether an input can be filled with words: texts, their bytes, or their
    numbers."""
    octets = info.dtype == "uint8" and len(info.shape or ()) in (1, 2)
    return info.dtype == "string" or octets or takes_tokens(info)


def tokenizer_path(model: Path) -> Path | None:
    """Return the tokenizer in the folder of a model, or in the one above; None when there is
    none."""
    candidates = (folder / FILE for folder in (model.parent, model.absolute().parent.parent))
    return next((path for path in candidates if files.is_file(path)), None)


def tokenizer_of(path: Path, model: Model) -> TokenizerSource | None:
    """Return the tokenizer of a model: in its metadata, next to it, or made of a vocabulary in
    its metadata; None when there is none."""
    embedded = embedded_tokenizer(model)
    if embedded is not None and embedded.name == FILE:
        return embedded
    return tokenizer_path(path) or embedded


@cached_by_model
def embedded_tokenizer(model: Model) -> EmbeddedTokenizer | None:
    """Return the tokenizer in a model's metadata; None where it has none."""
    entries = dict(model.metadata)
    for key, value in entries.items():
        whole = value.lstrip().startswith("{") and '"model"' in value
        if whole and key.lower().endswith(_TOKENIZER_KEYS):
            return EmbeddedTokenizer(FILE, value.encode("utf-8", "replace"))
    if not any(map(takes_tokens, model.inputs)):
        return None
    if TOKENIZER_MODEL in entries:
        return _of_sentencepiece(entries[TOKENIZER_MODEL])
    keys = (key for key in entries if key.lower().endswith(_VOCABULARY_KEYS))
    for key in (TOKENIZER_VOCABULARY, *keys):
        pieces = label_text.pieces(entries.get(key, ""))
        made = _made_of(pieces, entries.get(TOKENIZER_KIND, ""), entries)
        if made is not None:
            body = json.dumps(made).encode("utf-8", "replace")
            return EmbeddedTokenizer("the vocabulary in the metadata", body)
    return None


def _of_sentencepiece(text: str) -> EmbeddedTokenizer:
    """Return the tokenizer of a SentencePiece model in base64."""
    name = "the SentencePiece model in the metadata"
    try:
        made = sentencepiece.tokenizer_json(base64.b64decode(text))
    except UnreadableFile as problem:
        return EmbeddedTokenizer(name, b"", problem)
    return EmbeddedTokenizer(name, json.dumps(_with_marks(made)).encode("utf-8", "replace"))


def _body_of(path: Path) -> bytes:
    """Return a tokenizer.json out of a file: that one, a vocab.txt, vocab.json with merges.txt,
    or a SentencePiece model. Raises UnreadableFile."""
    body, suffix = files.read_capped(path, LIMIT_BYTES), path.suffix.lower()
    if path.name in _BPE_FILES:
        made: dict[str, Any] | None = _byte_pairs(path)
    elif suffix in _SENTENCE_PIECES:
        made = _with_marks(sentencepiece.tokenizer_json(body))
    elif suffix == ".txt":
        made = _made_of(label_text.pieces(_text_of(path)), "", {})
    else:
        return body
    if made is None:
        why = "it does not say how a text is split into its words"
        hint = "Use a tokenizer.json, or merges.txt with vocab.json beside it."
        raise UnreadableFile(f"Could not use {units.clip(path.name)}", why, hint)
    return json.dumps(made).encode("utf-8", "replace")


def _text_of(path: Path) -> str:
    try:
        return files.read_capped(path, LIMIT_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        why = f"it is not UTF-8 text (byte {error.start:,})"
        raise UnreadableFile(f"Could not use {units.clip(path.name)}", why) from error


def _with_marks(made: dict[str, Any]) -> dict[str, Any]:
    """Return a SentencePiece tokenizer with the marks around a text that its pieces tell."""
    numbers = {piece: place for place, (piece, _) in enumerate(made["model"]["vocab"])}
    if all(mark in numbers for mark in _MARKS):
        made["post_processor"] = _template(numbers, *_MARKS)
    elif _T5_END in numbers and _ROBERTA[0] not in numbers:
        made["post_processor"] = _template(numbers, "", _T5_END)
    return made


def _byte_pairs(path: Path) -> dict[str, Any]:
    """Return the tokenizer.json of a vocab.json and a merges.txt, of which one is named."""
    listed, merged = (path.with_name(name) for name in _BPE_FILES)
    other = merged if path == listed else listed
    what = f"Could not use {units.clip(path.name)}"
    if not files.is_file(other):
        raise UnreadableFile(what, f"there is no {other.name} beside it", f"Add {other.name}.")
    try:
        numbers = json.loads(_text_of(listed))
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(what, f"{listed.name} is not JSON ({error})") from error
    if not isinstance(numbers, dict) or not all(type(n) is int for n in numbers.values()):
        raise UnreadableFile(what, f"{listed.name} is no list of pieces with their numbers")
    lines = _text_of(merged).splitlines()
    merges = [
        line for line in lines if line.count(" ") == 1 and not line.startswith("#version")
    ]
    clip = all(mark in numbers for mark in _CLIP)
    bytes_: dict[str, Any] = {
        "type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True,
        "use_regex": not clip,
    }  # fmt: skip
    made: dict[str, Any] = {
        "version": "1.0",
        "model": {"type": "BPE", "vocab": numbers, "merges": merges},
        "pre_tokenizer": bytes_, "decoder": bytes_,
    }  # fmt: skip
    if clip:
        made["model"] |= {"unk_token": _CLIP[1], "end_of_word_suffix": "</w>"}
        split = {"type": "Split", "pattern": {"Regex": _CLIP_PATTERN}, "behavior": "Removed",
                 "invert": True}  # fmt: skip
        made["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [split, bytes_]}
        spaces = {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "}
        small = [{"type": "NFC"}, spaces, {"type": "Lowercase"}]
        made["normalizer"] = {"type": "Sequence", "normalizers": small}
        made["post_processor"] = _template(numbers, *_CLIP)
    elif all(mark in numbers for mark in _ROBERTA):
        made["post_processor"] = _template(numbers, *_ROBERTA)
    return made


def _made_of(
    pieces: Sequence[str], kind: str, entries: Mapping[str, str]
) -> dict[str, Any] | None:
    """Return a tokenizer.json for a vocabulary; None where pieces alone do not say how."""
    numbers = {piece: number for number, piece in enumerate(pieces) if piece}
    unknown = next((piece for piece in _UNKNOWN if piece in numbers), None)
    others = sum(piece.startswith(_OTHER_PIECES) for piece in numbers)
    if len(numbers) < _FEWEST_WORDS or unknown is None or others > _MOST_OTHER * len(numbers):
        return None
    plain = (piece for piece in numbers if piece[:1] not in "[<")
    lowercase = not any(piece != piece.lower() for piece in plain)
    if all(mark in numbers for mark in _BERT_MARKS) and kind in ("", "bert"):
        return _word_pieces(numbers, lowercase)
    made: dict[str, Any] = {
        "version": "1.0",
        "model": {"type": "WordLevel", "vocab": numbers, "unk_token": unknown},
        "normalizer": {"type": "Lowercase"} if lowercase else None,
        "pre_tokenizer": {"type": "Whitespace"},
    }
    if kind == "regex" or _START in numbers:
        pattern = {"Regex": entries.get(TOKENIZER_PATTERN) or _USUAL_PATTERN}
        made["pre_tokenizer"] = {
            "type": "Split", "pattern": pattern, "behavior": "Removed", "invert": False,
        }  # fmt: skip
        # TensorFlow Lite's task library looks words up as they are.
        made["normalizer"] = None
    if _START in numbers:
        made["post_processor"] = _template(numbers, _START, "")
    return made


def _word_pieces(numbers: Mapping[str, int], lowercase: bool) -> dict[str, Any]:
    """Return a tokenizer.json of BERT (github.com/google-research/bert, tokenization.py)."""
    return {
        "version": "1.0",
        "model": {
            "type": "WordPiece", "vocab": numbers, "unk_token": "[UNK]",
            "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
        },
        "normalizer": {
            "type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
            "strip_accents": None, "lowercase": lowercase,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": _template(numbers, *_MARKS),
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
    }  # fmt: skip


def _template(numbers: Mapping[str, int], first: str, last: str) -> dict[str, Any]:
    """Return what puts a mark before a text, and one behind it where there is one."""
    marks = [mark for mark in (first, last) if mark]
    text = {"Sequence": {"id": "A", "type_id": 0}}
    before, after = (
        [{"SpecialToken": {"id": mark, "type_id": 0}}] if mark else [] for mark in (first, last)
    )
    return {
        "type": "TemplateProcessing",
        "single": [*before, text, *after],
        "pair": [*before, text, *after, {"Sequence": {"id": "B", "type_id": 1}}],
        "special_tokens": {
            mark: {"id": mark, "ids": [numbers[mark]], "tokens": [mark]} for mark in marks
        },
    }


def encode_text(
    text: str,
    inputs: Sequence[TensorInfo],
    dimensions: Mapping[str, int],
    tokenizer: TokenizerSource | None,
) -> tuple[dict[str, Tensor], str, str]:
    """Return tensors of the inputs that tokens fill (their numbers, masks and types), the
    tokens as text, and a caution where the vocabulary lacks many of them.

    A fixed length is cut or filled with zeros at the end.
    Raises BadInput: no text, no tokenizer, or the library is not installed. UnreadableFile:
    damaged.
    """
    if tokenizer is None:
        raise BadInput(
            "Could not tokenize the text",
            f"there is no {FILE} next to the model",
            f"Put the model's {FILE} next to the model, or use token IDs in an .npy file.",
        )
    if not text.strip():
        raise BadInput("Could not tokenize the text", "it is empty", "Enter a text.")
    answer = Tokenizer(tokenizer).ask(Request("encode", text=text))
    ids = answer.rows["ids"]
    arrays = {}
    for info in inputs:
        name = _usual_name(info)
        if takes_tokens(info) and name not in _BESIDE:
            arrays[info.name] = _laid(ids, info, dimensions)
        elif name in _BESIDE and info.dtype in ("int32", "int64"):
            arrays[info.name] = _laid(answer.rows[_BESIDE[name]], info, dimensions)
    shown = " ".join(answer.texts[:12]) + (" …" if len(answer.texts) > 12 else "")
    description = f"{units.plural(len(ids), 'token')}: {units.clip(shown, 120)}"
    return arrays, description, _unknown_words(answer.texts)


def _unknown_words(pieces: Sequence[str]) -> str:
    """Return a caution where many tokens of a text are unknown, "" otherwise."""
    unknown = sum(piece in _UNKNOWN for piece in pieces)
    words = sum(piece[:1] not in ("[", "<") for piece in pieces) + unknown
    if unknown < _FEWEST_UNKNOWN or unknown < MOST_UNKNOWN * words:
        return ""
    return (
        f"{unknown} of {words} words are not in the vocabulary of the model, so that the "
        "result says little about the text"
    )


def _laid(values: Sequence[int], info: TensorInfo, dimensions: Mapping[str, int]) -> Tensor:
    row = np.array(values, numpy_type(info.dtype))
    return input_shapes.laid_out(row, info, dimensions, "the text")[0]


class TokenPiece(Struct, frozen=True):
    """What a token stands for: its text, or its name if it is a special one."""

    id: int
    text: str
    special: bool = False


class Vocabulary:
    """The pieces of text that a model's numbers stand for, from its tokenizer.json.

    Raises BadInput: the library is not installed. UnreadableFile: damaged.
    """

    def __init__(self, source: TokenizerSource) -> None:
        self._tokenizer = Tokenizer(source)
        self.size: int = self._tokenizer.load()

    def text(self, numbers: Sequence[int], whole: bool = False) -> str:
        """Return the text of a row of numbers; whole: with the marks of beginning, end and
        filling."""
        valid = tuple(int(number) for number in numbers if 0 <= number < 1 << 31)
        return self._tokenizer.ask(Request("decode", numbers=valid, whole=whole)).texts[0]

    def piece(self, number: int) -> str:
        """Return what one number stands for, as the vocabulary writes it; "" where it is
        unknown."""
        if not 0 <= number < 1 << 31:
            return ""
        return self._tokenizer.ask(Request("piece", numbers=(int(number),))).texts[0]

    @property
    def ends(self) -> frozenset[int]:
        """Return numbers after which a text has ended."""
        return frozenset(number for number in self.numbers(_ENDS) if number >= 0)

    @property
    def blank(self) -> int | None:
        """Return the number that stands for no letter, which models of speech have."""
        return next((number for number in self.numbers(_BLANKS) if number >= 0), None)

    def ids(self, text: str, marks: bool = False) -> tuple[int, ...]:
        """Return the numbers of a text; marks: with those of beginning and end.

        Raises BadInput: it is longer than any model takes.
        """
        if len(text) > MOST_CHARS:
            why = f"it has {units.count(len(text))} characters"
            hint = f"Use a text of at most {units.count(MOST_CHARS)} characters."
            raise BadInput("Could not tokenize the text", why, hint)
        return self._tokenizer.ask(Request("ids", text=text, whole=marks)).numbers

    def added(
        self, numbers: Sequence[int], start: int, new: Sequence[int], whole: bool = False
    ) -> tuple[tuple[str, ...], tuple[int, ...], int]:
        """Return what each of new numbers adds to the text of those before, whose text is out
        up to `start`; "" while its last letter is not complete, unless `whole`. Then the
        numbers and the start for the next ones."""
        asked = Request(
            "added", numbers=(*numbers, *new), start=start, new=len(new), whole=whole
        )
        told = self._tokenizer.ask(asked)
        return told.texts, told.numbers, told.rows["shown"][0]

    def pieces(self, numbers: Sequence[int]) -> tuple[TokenPiece, ...]:
        """Return what each of some numbers stands for; "" where it is unknown."""
        valid = tuple(int(number) if 0 <= number < 1 << 31 else _NO_ID for number in numbers)
        answer = self._tokenizer.ask(Request("pieces", numbers=valid))
        flags = answer.rows["special"]
        return tuple(map(TokenPiece, numbers, answer.texts, map(bool, flags)))

    def numbers(self, marks: Sequence[str]) -> tuple[int, ...]:
        """Return the numbers of pieces of text, negative for those that are none."""
        return self._tokenizer.ask(Request("numbers", text="\n".join(marks))).numbers


def vocabulary(source: TokenizerSource | None) -> Vocabulary | None:
    """Return the vocabulary of a tokenizer; None without one, or where it cannot be read
    here."""
    try:
        return None if source is None else Vocabulary(source)
    except (BadInput, UnreadableFile):
        return None  # outputs are then shown as numbers; whoever gives a text is told why


class Tokenizer:
    """A tokenizer in the process that reads it, which may forget it and is told again."""

    def __init__(self, source: TokenizerSource) -> None:
        self._source, self._key = source, ""

    def load(self) -> int:
        """Have it read now; how many pieces it has. Raises BadInput, UnreadableFile."""
        source = self._source
        if isinstance(source, EmbeddedTokenizer):
            if source.problem is not None:
                raise source.problem
            body = source.body
        else:
            body = _body_of(source)
        self._key = hashlib.sha256(body).hexdigest()
        return self._said(Request("load", source.name, key=self._key), body).numbers[0]

    def ask(self, request: Request) -> Response:
        """Ask it something. Raises BadInput, UnreadableFile."""
        if not self._key:
            self.load()
        reply = self._said(replace(request, key=self._key))
        if reply.unknown:
            self.load()
            reply = self._said(replace(request, key=self._key))
        return reply

    def _said(self, request: Request, body: bytes = b"") -> Response:
        what = f"Could not use {self._source.name}"
        return decoder("tokenizers").ask(request, body, what)[0]
