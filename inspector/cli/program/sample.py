"""inspector sample: list the sample models that come with Inspector, and copy them."""

import argparse
import json
from pathlib import Path
from typing import Any

from inspector.cli import pages
from inspector.errors import NotSaved
from inspector.platform import files
from inspector.preview.inputs import sample_inputs

SCHEMA = "samples/1"
_PROGRAM = "example.py"  # uses two of the models; the pages record it


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="sample models to copy, by file name or its first letters; 'all' copies all "
        f"of them and {_PROGRAM}, a program to record (default: list them)",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        default=Path("sample_models"),
        metavar="FOLDER",
        help="folder for the models and their inputs (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")


def run(options: argparse.Namespace) -> None:
    """List or copy samples. Raises BadInput: no such sample. NotSaved: no room, no access."""
    listing = sample_inputs.listing(files.sample_folder())
    models: list[dict[str, Any]] = listing.get("models", [])
    if not options.names:
        if options.json:
            print(json.dumps(listing, indent=2))
            return
        from inspector.pages.models import samples_page  # numpy, for the table of other models

        pages.show(samples_page(models))
        return
    everything = options.names == ["all"]
    chosen = models if everything else sample_inputs.models_named(models, options.names)
    copied = [
        _copy(name, options.output) for model in chosen for name in _parts(model, listing)
    ]
    programs = [_PROGRAM] if everything else []
    copied += [_copy(name, options.output) for name in programs]
    if options.json:
        print(json.dumps({"schema": SCHEMA, "copied": [str(path) for path in copied]}))
        return
    for name in (*(model["file"] for model in chosen), *programs):
        print(options.output / name)


def _parts(model: dict[str, Any], listing: dict[str, Any]) -> list[str]:
    """Return the files of a sample, relative to the folder: the model, then its inputs.

    A model that is a folder has its list of files. Inputs that are no files have a word in
    their place, such as "zeros".
    """
    if "files" in model:
        return [each["file"] for each in model["files"]]
    values = [name for each in model["try"] for name in each["inputs"].values()]
    inputs = [name for name in values if files.sample(name) is not None]
    return list(dict.fromkeys([model["file"], *inputs, *_in_folders(model["file"], listing)]))


def _in_folders(model: str, listing: dict[str, Any]) -> list[str]:
    """Return the files of the folders with test and calibration inputs, their license too."""
    root = files.sample_folder()
    entries = listing.get("folders", ())
    folders = {root / each["folder"] for each in entries if each["model"] == model}
    licenses = {folder.parent / "LICENSE" for folder in folders}
    paths = [path for folder in sorted(folders) for path in sorted(folder.rglob("*"))]
    return [path.relative_to(root).as_posix() for path in (*paths, *licenses) if path.is_file()]


def _copy(name: str, folder: Path) -> Path:
    """Copy one file. A file that is there already and differs is left alone: NotSaved."""
    source, target = files.sample_folder() / name, folder / name
    body = source.read_bytes()
    if target.exists():
        if target.is_file() and target.read_bytes() == body:
            return target
        why = "a different file with this name already exists"
        raise NotSaved(f"Could not save {target}", why, "Choose another folder with --output.")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"Could not create the folder {target.parent}"
        hint = "Choose another folder with --output."
        raise NotSaved(what, error.strerror or str(error), hint) from error
    files.write_atomic(target, body)
    return target
