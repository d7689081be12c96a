"""Words as the numbers a model wants, by the tokenizer.json that lies beside it.

It is read in a process of its own, by an extra of the package.
"""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from inspector import units
from inspector.errors import BadInput, UnreadableFile
from inspector.model.model import TensorInfo
from inspector.model.tensors.element_types import Tensor, numpy_type
from inspector.platform import files
from inspector.preview.inputs import input_shapes
from inspector.sandbox.decoding.channel import Request, Response
from inspector.sandbox.decoding.decoder_process import decoder

FILE, LIMIT_BYTES = "tokenizer.json", 64 << 20
TEXT = "text:"
_ENDS = ("</s>", "<|endoftext|>", "<eos>", "[SEP]", "<|im_end|>", "<|eot_id|>",
         "<|end_of_text|>", "<end_of_turn>", "[EOS]")  # fmt: skip
_BLANKS = ("<blank>", "<blk>", "[blank]", "<pad>", "[PAD]", "<ctc>", "_")
_IDS = ("input_ids", "tokens", "token_ids", "ids", "decoder_input_ids")
_BESIDE = {"attention_mask": "attention_mask", "token_type_ids": "type_ids",
           "segment_ids": "type_ids", "input_mask": "attention_mask"}  # fmt: skip


def takes_tokens(info: TensorInfo) -> bool:
    """Return whether an input takes the numbers of words."""
    row = info.shape is None or len(info.shape) in (1, 2)
    return info.dtype in ("int32", "int64") and row and info.name.lower() in _IDS


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


def encode_text(
    text: str,
    inputs: Sequence[TensorInfo],
    dimensions: Mapping[str, int],
    tokenizer: Path | None,
) -> tuple[dict[str, Tensor], str]:
    """Tensors of the inputs that tokens fill: their numbers, masks and types; and words.

    A fixed length is cut or filled with zeros at the end.
    Raises BadInput: no tokenizer, or the library is not installed. UnreadableFile: damaged.
    """
    if tokenizer is None:
        raise BadInput(
            "Could not tokenize the text",
            f"there is no {FILE} next to the model",
            f"Put the model's {FILE} next to the model, or use token IDs in an .npy file.",
        )
    answer = Tokenizer(tokenizer).ask(Request("encode", text=text))
    ids = answer.rows["ids"]
    arrays = {}
    for info in inputs:
        name = info.name.lower()
        if takes_tokens(info):
            arrays[info.name] = _laid(ids, info, dimensions)
        elif name in _BESIDE and info.dtype in ("int32", "int64"):
            arrays[info.name] = _laid(answer.rows[_BESIDE[name]], info, dimensions)
    shown = " ".join(answer.texts[:12]) + (" …" if len(answer.texts) > 12 else "")
    return arrays, f"{units.plural(len(ids), 'token')}: {units.clip(shown, 120)}"


def _laid(values: Sequence[int], info: TensorInfo, dimensions: Mapping[str, int]) -> Tensor:
    row = np.array(values, numpy_type(info.dtype))
    return input_shapes.laid_out(row, info, dimensions, "the text")[0]


class Vocabulary:
    """The pieces of text that a model's numbers stand for, from its tokenizer.json.

    Raises BadInput: the library is not installed. UnreadableFile: damaged.
    """

    def __init__(self, path: Path) -> None:
        self._tokenizer = Tokenizer(path)
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

    def numbers(self, marks: Sequence[str]) -> tuple[int, ...]:
        """Return the numbers of pieces of text, negative for those that are none."""
        return self._tokenizer.ask(Request("numbers", text="\n".join(marks))).numbers


def vocabulary(path: Path | None) -> Vocabulary | None:
    """Return the vocabulary of a tokenizer; None without one, or where it cannot be read
    here."""
    try:
        return None if path is None else Vocabulary(path)
    except (BadInput, UnreadableFile):
        return None  # outputs are then shown as numbers; whoever gives a text is told why


class Tokenizer:
    """A tokenizer.json in the process that reads it, which may forget it and is told again."""

    def __init__(self, path: Path) -> None:
        self._path, self._key = path, ""

    def load(self) -> int:
        """Have it read now; how many pieces it has. Raises BadInput, UnreadableFile."""
        body = files.read_capped(self._path, LIMIT_BYTES)
        self._key = hashlib.sha256(body).hexdigest()
        return self._said(Request("load", self._path.name, key=self._key), body).numbers[0]

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
        what = f"Could not use {self._path.name}"
        return decoder("tokenizers").ask(request, body, what)[0]
