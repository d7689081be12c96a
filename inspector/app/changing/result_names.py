"""Names of files that may hold a changed model."""

from pathlib import Path

from inspector.errors import BadInput
from inspector.formats.model_formats import model_suffixes
from inspector.model.model import FORMAT_TITLES, TFLITE
from inspector.render.registry import FORMATS
from inspector.units import clip

# Suffixes of models that are recognized, or expected, by their names.
_NAMES = {"ort": (".ort",), TFLITE: (".tflite", ".lite", ".litert")}


def expect_model_name(target: Path, format_id: str) -> None:
    """Raise BadInput if a file's name stands for something else than a model of a format.

    An ONNX model may have any name that no other format has, as its content tells it.
    """
    suffix, own = target.suffix.lower(), _NAMES.get(format_id, ())
    documents = {one for each in FORMATS for one in each.suffixes}
    others = {*model_suffixes(), *documents, *_NAMES[TFLITE], *_NAMES["ort"]} - {".onnx"}
    if suffix in own or (not own and suffix not in others):
        return
    what = f"Could not save {clip(target.name)}"
    why = f"the result is a model in the format {FORMAT_TITLES[format_id]}"
    name = f"{clip(target.stem)}{own[0] if own else '.onnx'}"
    raise BadInput(what, why, f"Use the name {name}.")
