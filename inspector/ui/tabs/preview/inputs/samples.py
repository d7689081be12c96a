"""Inputs to try a model on: those that come with it, or any of our pictures."""

import json
from pathlib import Path

from inspector.model.model import TensorInfo
from inspector.platform import files

_PICTURES = (".png", ".jpg")


def folder() -> Path:
    """Where the sample models lie in a checkout; an installed package has none."""
    return files.resource().parent / "sample_models"


def samples(model: str, info: TensorInfo, image: bool) -> tuple[Path, ...]:
    """Files that fit an input of the model of that name, best first; mostly none."""
    index = folder() / "index.json"
    if not index.is_file():
        return ()
    told = json.loads(files.read_capped(index, 1 << 20))
    ours = next((entry for entry in told["models"] if entry["file"] == model), None)
    tries = ours["try"] if ours is not None else ()
    own = [given["inputs"][info.name] for given in tries if info.name in given["inputs"]]
    fitting = [name for name in own if Path(name).suffix]
    if not fitting and image and ours is None:
        fitting = [i["file"] for i in told["inputs"] if i["file"].endswith(_PICTURES)]
        fitting.sort(key=lambda name: "digit" in name)
    return tuple(folder() / name for name in fitting if (folder() / name).is_file())
