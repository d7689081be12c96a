"""Save and load preprocessing: in a sidecar file next to the model, or in its metadata.

`preparation/1` is one JSON object: `schema`, `model` (its file's name), `pictures` and `sounds`
(input -> the fields of ImagePreprocessing or Framing), `dimensions` (free axis -> length) and
`labels`, `outputs` (output -> what somebody says that it means), and `decoder` (how all of them
are read together; empty where nobody says it). Fields may be added;
unknown ones are left out of account.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec
from msgspec import Struct, field

from inspector import units
from inspector.errors import BadInput, UnreadableFile
from inspector.model.model import Model
from inspector.platform import files
from inspector.preview.families import output_meanings
from inspector.preview.inputs.audio_windows import Framing
from inspector.preview.preprocessing.recipe import ImagePreprocessing
from inspector.wording.stored import text_only

SCHEMA = "preparation/1"
METADATA_KEY = "inspector.preparation"
SUFFIX = ".inspector.json"
SAVED_IN = "saved in"  # begins `why` of a saved preprocessing
LIMIT_BYTES = 4 << 20
_LONGEST_AXIS = 1 << 40


class SavedPreprocessing(Struct, frozen=True):
    """Settings of somebody who knew; source: from where they come, for people."""

    pictures: Mapping[str, ImagePreprocessing] = field(default_factory=dict)
    sounds: Mapping[str, Framing] = field(default_factory=dict)
    dimensions: Mapping[str, int] = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    source: str = ""
    outputs: Mapping[str, str] = field(default_factory=dict)
    decoder: str = ""

    @property
    def text(self) -> str:
        """Return what is kept, in one line."""
        inputs = units.plural(len(self.pictures) + len(self.sounds), "input")
        parts = [inputs] if self.pictures or self.sounds else []
        parts += [units.plural(len(self.dimensions), "dimension")] if self.dimensions else []
        parts += [units.plural(len(self.labels), "class name")] if self.labels else []
        outputs = units.plural(len(self.outputs), "output meaning")
        parts += [outputs] if self.outputs else []
        parts += ["1 decoder"] if self.decoder else []
        return ", ".join(parts) or "nothing"


NONE_SAVED = SavedPreprocessing()


class _File(msgspec.Struct, frozen=True):
    schema: str
    model: str = ""
    pictures: dict[str, ImagePreprocessing] = {}
    sounds: dict[str, Framing] = {}
    dimensions: dict[str, int] = {}
    labels: tuple[str, ...] = ()
    outputs: dict[str, str] = {}
    decoder: str = ""


class _SchemaOnly(msgspec.Struct, frozen=True):
    schema: str = ""


def sidecar_path(model: Path) -> Path:
    """Return where the side-car of a model lies: 'net.onnx' -> 'net.onnx.inspector.json'."""
    return model.with_name(f"{model.name}{SUFFIX}")


def load(model: Path, metadata: Sequence[tuple[str, str]]) -> SavedPreprocessing:
    """Return what is kept of a model: its side-car's, else its metadata's, else nothing.

    Raises UnreadableFile, BadInput: something is kept and it cannot be read.
    """
    path = sidecar_path(model)
    if files.is_file(path):
        return decode(files.read_capped(path, LIMIT_BYTES), path.name)
    text = dict(metadata).get(METADATA_KEY)
    if text is None:
        return NONE_SAVED
    return decode(text.encode("utf-8", "replace"), "the model's metadata")


def with_meanings(model: Path, opened: Model) -> Model:
    """Return a model with what is kept of the meaning of its outputs; as it is where that
    cannot be read, which whoever prepares inputs is told."""
    try:
        return output_meanings.applied(opened, load(model, opened.metadata).outputs)
    except (BadInput, UnreadableFile):
        return opened


def decode(body: bytes, source: str) -> SavedPreprocessing:
    """Read a preparation; `source` is for people.

    Raises UnreadableFile: no `preparation/1`. BadInput: settings that cannot be.
    """
    what = f"Could not read the preprocessing in {source}"
    try:
        schema = msgspec.json.decode(body, type=_SchemaOnly).schema
        if schema != SCHEMA:
            why = (
                f"its schema is '{units.clip(schema, 40)}', but this version of "
                f"Inspector reads {SCHEMA}"
            )
            raise UnreadableFile(
                what, why, "Update Inspector, or remove this preprocessing step."
            )
        decoded = msgspec.json.decode(body, type=_File)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        hint = "Write it again with `inspector prepare`, or remove it."
        raise UnreadableFile(what, units.clip(str(error), 160), hint) from error
    if any(not 0 <= length < _LONGEST_AXIS for length in decoded.dimensions.values()):
        raise BadInput(what, "it sets a dynamic axis to a size that is negative or too large")
    why = f"{SAVED_IN} {source}"
    pictures = {name: replace(each, why=why) for name, each in decoded.pictures.items()}
    sounds = {name: replace(each, why=why, sure=True) for name, each in decoded.sounds.items()}
    return SavedPreprocessing(
        pictures,
        sounds,
        decoded.dimensions,
        decoded.labels,
        source,
        decoded.outputs,
        decoded.decoder,
    )


def encode(preprocessing: SavedPreprocessing, model: str) -> bytes:
    """Write a preparation, without saying why; `model` is the name of the model's file."""
    plain = _File(
        SCHEMA,
        model.encode("utf-8", "backslashreplace").decode(),
        {name: replace(each, why="") for name, each in preprocessing.pictures.items()},
        {
            name: replace(each, why="", sure=False)
            for name, each in preprocessing.sounds.items()
        },
        dict(preprocessing.dimensions),
        preprocessing.labels,
        dict(preprocessing.outputs),
        preprocessing.decoder,
    )
    return msgspec.json.format(msgspec.json.encode(plain, enc_hook=text_only), indent=2) + b"\n"
