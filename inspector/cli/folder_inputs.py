"""The files of a folder as inputs of a model."""

import argparse
from pathlib import Path
from typing import Any

from inspector.cli.model_request import ModelRequest, with_values
from inspector.preview.inputs import feeds
from inspector.preview.inputs.input_files import inputs_in
from inspector.preview.runs import folder as folders


def folder_files(request: ModelRequest, folder: Path) -> tuple[Path, ...]:
    """Return the files of a folder that the model may take. Raises UnreadableFile, BadInput."""
    return folders.files_in(folder, folders.input_for(request.model.inputs, request.given))


def feeds_of_file(
    request: ModelRequest, options: argparse.Namespace, path: Path
) -> dict[str, Any]:
    """Return values for all inputs, one from a file. Raises BadInput, UnreadableFile."""
    info = folders.input_for(request.model.inputs, request.given)
    names = inputs_in(path, (*request.model.inputs, *request.model.defaults)) or (info.name,)
    given = {**request.given, **dict.fromkeys(names, str(path))}
    return feeds.feeds_by_name(with_values(request, options, given).filled())
