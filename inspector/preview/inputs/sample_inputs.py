"""The example inputs that come with the sample models."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from inspector.errors import InspectorError
from inspector.platform import files

_INDEX = "index.json"
_SCHEMA = "samples/1"
_INDEX_LIMIT_BYTES = 1 << 20


def listing(folder: Path) -> dict[str, Any]:
    """Return the index of a folder of sample models; empty where there is none."""
    index = folder / _INDEX
    if not index.is_file():
        return {}
    try:
        found = json.loads(files.read_capped(index, _INDEX_LIMIT_BYTES))
    except (InspectorError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) and found.get("schema") == _SCHEMA else {}


def folders(model: Path) -> dict[str, Path]:
    """Return the folders that come with a sample model, by their use: "test", "calibration"."""
    ours, found = files.sample_folder(), {}
    with suppress(OSError):
        if not first_example(model):  # it is another model of that name
            return {}
        for entry in listing(ours).get("folders", ()):
            place = ours / entry["folder"]
            if entry["model"] == model.name and place.is_dir():
                found[place.name] = place
    return found


def prompts(model: Path) -> tuple[str, ...]:
    """Return what to ask the sample that is a language model, by the path of its folder; () of
    other models."""
    ours = files.sample_folder()
    with suppress(OSError):
        for entry in listing(ours).get("models", ()):
            if entry["file"] == model.name and model.parent.samefile(ours):
                return tuple(map(str, entry.get("prompts", ())))
    return ()


def first_example(model: Path) -> dict[str, Path]:
    """Return the files of the first example of a sample model, by input; {} of other models."""
    ours = files.sample_folder()
    with suppress(OSError):
        for entry in listing(ours).get("models", ()):
            if entry["file"] == model.name and entry["size_bytes"] == model.stat().st_size:
                named = entry["try"][0]["inputs"].items()
                return {name: ours / text for name, text in named if (ours / text).is_file()}
    return {}
