"""The sample models that come with Inspector, by the names that commands take."""

import json
from pathlib import Path
from typing import Any

from inspector.errors import BadInput
from inspector.platform import files

SCHEME = "sample:"  # of a name in place of a model file, as in sample:clothes
_LARGEST_INDEX_BYTES = 1 << 20


def listing() -> dict[str, Any]:
    """Return the index of the samples: the fields of `inspector sample --json`."""
    index = files.sample_folder() / "index.json"
    found: dict[str, Any] = json.loads(files.read_capped(index, _LARGEST_INDEX_BYTES))
    return found


def path_of(name: str) -> Path:
    """Return the file or folder of a sample by its name or first letters. Raises BadInput."""
    (model,) = models_named(listing()["models"], [name])
    return files.sample_folder() / str(model["file"])


def models_named(models: list[dict[str, Any]], names: list[str]) -> list[dict[str, Any]]:
    """Return the entries of samples by file names or their first letters; "all" are all.

    Raises BadInput: none or several begin with a name.
    """
    if names == ["all"]:
        return models
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
