"""The sample models that come with Inspector, by name, and their example inputs."""

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from inspector.errors import BadInput, InspectorError
from inspector.platform import files

SCHEME = "sample:"  # of a name in place of a model file, as in sample:clothes
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


def path_of(name: str) -> Path:
    """Return the file or folder of a sample by its name or first letters. Raises BadInput."""
    models = listing(files.sample_folder()).get("models", [])
    (model,) = models_named(models, [name])
    return files.sample_folder() / str(model["file"])


def models_named(models: list[dict[str, Any]], names: list[str]) -> list[dict[str, Any]]:
    """Return the entries of samples by file names or their first letters.

    Raises BadInput: none or several begin with a name.
    """
    chosen = []
    for name in names:
        fitting = [model for model in models if model["file"].startswith(name)]
        fitting = [model for model in fitting if model["file"] == name] or fitting
        if len(fitting) != 1:
            some = fitting or models
            raise BadInput(
                f"There is no sample called {name}"
                if not fitting
                else f"Several samples begin with {name}",
                "",
                f"Samples: {', '.join(model['file'] for model in some)}",
            )
        chosen += fitting
    return chosen


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
