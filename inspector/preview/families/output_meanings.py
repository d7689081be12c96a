"""Meanings of outputs that somebody chose, instead of those that graph and names suggest.

It travels with the model, so that every view of an output reads it in the same way.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from inspector import units
from inspector.errors import BadInput
from inspector.model import display_names
from inspector.model.metadata_keys import MEANING
from inspector.model.model import Model

CLASSES = "classes"
NUMBERS = "numbers"
IMAGE = "image"
MASK = "mask"
EMBEDDING = "embedding"
SCORES = "scores"
BOXES = "boxes"
# Columns of a list of boxes: edges, center, size, the score, the number of the class, one score
# for each class in all further columns, and a column that says something else.
EDGES = ("x1", "y1", "x2", "y2")
CENTER = ("cx", "cy")
CORNER = ("x", "y")
SIZE = ("w", "h")
SCORE = "score"
KIND = "class"
ALL_SCORES = "scores"
OTHER = "-"
COLUMNS = (*EDGES, *CENTER, *CORNER, *SIZE, SCORE, KIND, ALL_SCORES, OTHER)
_SIMPLE = (CLASSES, NUMBERS, IMAGE, MASK, EMBEDDING, SCORES)
_FORMS = (EDGES, (*CENTER, *SIZE), (*CORNER, *SIZE))
HELP = (
    "classes, numbers, image, mask, embedding, boxes:COLUMNS such as "
    "boxes:x1,y1,x2,y2,score,class or boxes:cx,cy,w,h,scores, or scores (of boxes in another "
    "output)"
)


def parsed(texts: Sequence[str], model: Model) -> dict[str, str]:
    """Return what outputs mean, by name, from texts as MEANING or NAME=MEANING.

    Raises BadInput: an unknown meaning or output, or several outputs and no name.
    """
    return {name: _checked(meaning) for name, meaning in (_split(t, model) for t in texts)}


def applied(model: Model, meanings: Mapping[str, str]) -> Model:
    """Return a model with what somebody says that its outputs mean; names that it does not
    have are left out. Raises BadInput: an unknown meaning."""
    checked = {name: _checked(meaning) for name, meaning in meanings.items()}
    if not any(info.name in checked for info in model.outputs):
        return model
    outputs = []
    for info in model.outputs:
        entries = tuple(entry for entry in info.metadata if entry[0] != MEANING)
        if info.name in checked:
            entries = (*entries, (MEANING, checked[info.name]))
        outputs.append(replace(info, metadata=entries))
    return replace(model, outputs=tuple(outputs))


def of_outputs(model: Model) -> dict[str, str]:
    """Return what somebody said of the outputs of a model, by name."""
    entries = ((info.name, dict(info.metadata).get(MEANING, "")) for info in model.outputs)
    return {name: meaning for name, meaning in entries if meaning}


def columns(meaning: str) -> tuple[str, ...]:
    """Return the columns of a list of boxes; () for other meanings."""
    kind, sign, form = meaning.partition(":")
    return tuple(form.split(",")) if kind == BOXES and sign else ()


def _split(text: str, model: Model) -> tuple[str, str]:
    names = [info.name for info in model.outputs]
    named = [name for name in names if text.startswith(f"{name}=")]
    if named:
        name = max(named, key=len)
        return name, text[len(name) + 1 :]
    if len(names) == 1 and "=" not in text:
        return names[0], text
    what = f"Could not use --output-as {units.clip(text, 80)}"
    name, sign, _ = text.partition("=")
    if sign:
        raise BadInput(
            what, "the model has no such output", display_names.suggestion(name, names)
        )
    listed = ", ".join(f"'{units.clip(each, 40)}'" for each in names[:12])
    why = f"the model has {len(names)} outputs, so it must be NAME=MEANING"
    raise BadInput(what, why, f"Its outputs are {listed}.")


def _checked(meaning: str) -> str:
    """Return a meaning in its usual spelling. Raises BadInput: it is none."""
    plain = re.sub(r"\s+", "", meaning.lower())
    if plain in _SIMPLE:
        return plain
    listed = columns(plain)
    what = f"Could not read an output as '{units.clip(meaning, 80)}'"
    if not listed:
        raise BadInput(what, "it is not a known meaning", f"Use one of {HELP}.")
    unknown = next((column for column in listed if column not in COLUMNS), "")
    form = next((form for form in _FORMS if set(form) <= set(listed)), None)
    once = all(listed.count(column) == 1 for column in set(listed) - {OTHER})
    hint = f"Columns are {', '.join(COLUMNS)}; as in boxes:x1,y1,x2,y2,score,class."
    if unknown:
        raise BadInput(what, f"'{units.clip(unknown, 40)}' is not a column of boxes", hint)
    if form is None or not once:
        raise BadInput(what, "it does not give the four edges of a box once", hint)
    if ALL_SCORES in listed[:-1]:
        raise BadInput(what, "'scores' stands for all further columns", "Put it last.")
    return plain
