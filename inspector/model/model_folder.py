"""A folder whose files are one model: a language model with its tokenizer, and others."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import field

from inspector.platform import files
from inspector.platform.data_struct import DataStruct


class FolderPart(DataStruct, frozen=True):
    """A file of such a model.

    role: "decoder", "decoder with past", "encoder", "embedding", "vision", "speech", "weights",
    ... variant: where several files have one role, how this one is stored ("q4", "float16").
    """

    role: str
    path: Path
    variant: str = ""


class TokenizerFacts(DataStruct, frozen=True):
    """What a tokenizer.json says of itself.

    kind: its algorithm, such as "BPE". size: how many tokens it knows, added ones included.
    last_id: the largest number of a token. specials: added tokens with a meaning of their own,
    (number, text). problem: why it could not be read; "" where it was.
    """

    kind: str = ""
    size: int = 0
    last_id: int = -1
    specials: tuple[tuple[int, str], ...] = ()
    problem: str = ""


class ModelFolder(DataStruct, frozen=True):
    """A folder, or one file that bundles several, that is one model.

    layout: whose rules it follows, for people ("ONNX Runtime GenAI", "Optimum",
    "transformers.js", ...). parts: its files, the one that generates first. config: the facts
    of its configuration files by their usual names (hidden_size, num_hidden_layers,
    num_attention_heads, num_key_value_heads, head_dim, vocab_size, context_length, model_type,
    ...), as read: not evidence, where the graph says otherwise. tokenizer: the tokenizer.json.
    chat_template: text of the Jinja template; "" without one. end_ids: tokens that end an
    answer. end_token: the text of the one that the tokenizer's configuration names. bos_id: the
    token in front of a text. missing: what its configuration names and the
    folder lacks, with the file's name. notes: what does not fit together.
    """

    path: Path
    layout: str
    parts: tuple[FolderPart, ...]
    config: Mapping[str, Any] = field(default_factory=dict)
    tokenizer: Path | None = None
    chat_template: str = ""
    end_ids: tuple[int, ...] = ()
    bos_id: int | None = None
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    end_token: str = ""

    @property
    def is_file(self) -> bool:
        """Whether one file is the whole model."""
        return any(part.path == self.path for part in self.parts)

    @property
    def main(self) -> FolderPart | None:
        """The part that generates, or that is run first; None for weights only."""
        runnable = (part for part in self.parts if part.role != "weights")
        return next(runnable, None)

    def name_of(self, path: Path) -> str:
        """Return what people call the model of one of its files: the folder whose only decoder
        it is, since most of these are called model.onnx; with the file where the folder has
        several such files; else the file's name."""
        if self.is_file or self.main is None:
            return path.name
        name = self.path.absolute().name
        alike = [part for part in self.parts if part.role == self.main.role]
        only = len(alike) == 1 and files.state(alike[0].path) == files.state(path)
        return name if only else f"{name}/{path.name}"
