"""Words as the numbers a model wants, by the tokenizer.json that lies beside it.

The library `tokenizers` is loaded when the first text comes; it is an extra of the package.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from inspector import files, units
from inspector.errors import BadInput, UnreadableFile
from inspector.model import TensorInfo
from inspector.preview import shapes
from inspector.preview.elements import Tensor, numpy_type

FILE, LIMIT_BYTES = "tokenizer.json", 64 << 20
TEXT = "text:"
_ENDS = ("</s>", "<|endoftext|>", "<eos>", "[SEP]", "<|im_end|>", "<|eot_id|>",
         "<|end_of_text|>", "<end_of_turn>", "[EOS]")  # fmt: skip
_BLANKS = ("<blank>", "<blk>", "[blank]", "<pad>", "[PAD]", "<ctc>", "_")
_IDS = ("input_ids", "tokens", "token_ids", "ids", "decoder_input_ids")
_BESIDE = {"attention_mask": "attention_mask", "token_type_ids": "type_ids",
           "segment_ids": "type_ids", "input_mask": "attention_mask"}  # fmt: skip


def takes_tokens(info: TensorInfo) -> bool:
    """Whether an input takes the numbers of words."""
    row = info.shape is None or len(info.shape) in (1, 2)
    return info.dtype in ("int32", "int64") and row and info.name.lower() in _IDS


def takes_text(info: TensorInfo) -> bool:
    """Whether an input can be filled with words: texts, their bytes, or their numbers."""
    octets = info.dtype == "uint8" and len(info.shape or ()) in (1, 2)
    return info.dtype == "string" or octets or takes_tokens(info)


def beside(model: Path) -> Path | None:
    """The tokenizer in the folder of a model, or in the one above; None when there is none."""
    found = (folder / FILE for folder in (model.parent, model.absolute().parent.parent))
    return next((path for path in found if files.is_file(path)), None)


def encoded(
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
            "Could not turn the text into tokens",
            f"there is no {FILE} beside the model",
            f"Put the model's {FILE} into its folder, or give the numbers as .npy.",
        )
    found = _encode(_load(tokenizer), text)
    arrays = {}
    for info in inputs:
        name = info.name.lower()
        if takes_tokens(info):
            arrays[info.name] = _laid(found.ids, info, dimensions)
        elif name in _BESIDE and info.dtype in ("int32", "int64"):
            arrays[info.name] = _laid(getattr(found, _BESIDE[name]), info, dimensions)
    shown = " ".join(found.tokens[:12]) + (" …" if len(found.tokens) > 12 else "")
    return arrays, f"{units.plural(len(found.ids), 'token')}: {units.clip(shown, 120)}"


def _laid(values: Sequence[int], info: TensorInfo, dimensions: Mapping[str, int]) -> Tensor:
    row = np.array(values, numpy_type(info.dtype))
    return shapes.laid_out(row, info, dimensions, "the text")[0]


class Vocabulary:
    """The pieces of text that a model's numbers stand for, from its tokenizer.json.

    Raises BadInput: the library is not installed. UnreadableFile: damaged.
    """

    def __init__(self, path: Path) -> None:
        self._tokenizer = _load(path)
        self.size: int = self._tokenizer.get_vocab_size()

    def text(self, numbers: Sequence[int], whole: bool = False) -> str:
        """The text of a row of numbers; whole: with the marks of beginning, end and filling."""
        known = [number for number in numbers if 0 <= number < 1 << 31]
        text: str = self._tokenizer.decode(known, skip_special_tokens=not whole)
        return text

    def piece(self, number: int) -> str:
        """What one number stands for, as the vocabulary writes it; "" where it is unknown."""
        return self._tokenizer.id_to_token(number) or ""

    @property
    def ends(self) -> frozenset[int]:
        """Numbers after which a text has ended."""
        found = (self._tokenizer.token_to_id(mark) for mark in _ENDS)
        return frozenset(number for number in found if number is not None)

    @property
    def blank(self) -> int | None:
        """The number that stands for no letter, which models of speech have."""
        found = (self._tokenizer.token_to_id(mark) for mark in _BLANKS)
        return next((number for number in found if number is not None), None)


def vocabulary(path: Path | None) -> Vocabulary | None:
    """The vocabulary of a tokenizer; None without one, or where it cannot be read here."""
    try:
        return None if path is None else Vocabulary(path)
    except (BadInput, UnreadableFile):
        return None  # outputs are then shown as numbers; whoever gives a text is told why


def _load(path: Path) -> Any:
    try:
        import tokenizers
    except ImportError as error:
        raise BadInput(
            "Could not turn the text into tokens",
            "the library 'tokenizers' is not installed",
            'Install it with: pip install "onnx-inspector[text]"',
        ) from error
    body = files.read_capped(path, LIMIT_BYTES)
    try:
        return tokenizers.Tokenizer.from_buffer(body)
    except ValueError as error:
        why = f"it is no tokenizer ({units.clip(str(error), 120)})"
        raise UnreadableFile(f"Could not open {path.name}", why) from error


def _encode(tokenizer: Any, text: str) -> Any:
    tokenizer.no_padding()
    return tokenizer.encode(text)
