"""What stands behind a name that is to be opened: a model, a report or a trace, or several."""

from pathlib import Path

from inspector.errors import InspectorError
from inspector.formats import model_formats, opening
from inspector.formats.coreml.package import package_of
from inspector.formats.folders.reading import is_one_model
from inspector.formats.names import STANDARD_INPUT, Kind, address_of
from inspector.formats.traces import detection
from inspector.platform import files

_RESULTS = (".json", ".gz", ".trace")  # suffixes of reports and traces, and of few models


def kind_of(named: Path | str) -> Kind:
    """Return what a path or an address stands for, by content where no name says it."""
    if address_of(named) is not None:
        return Kind.ADDRESS
    path = Path(named)
    if package_of(path) is not None:
        return Kind.MODEL
    if files.is_folder(path):
        return Kind.MODEL if is_one_model(path) else Kind.FOLDER
    suffix = path.suffix.lower()
    if path == STANDARD_INPUT or suffix == ".zip":
        return Kind.ARCHIVE
    try:
        if suffix in _RESULTS:
            return Kind.MODEL if opening.is_other_model(path) else Kind.RESULT
        if suffix not in model_formats.model_suffixes() and detection.looks_like_trace(path):
            return Kind.RESULT
    except InspectorError:  # opening it says why it cannot be read
        return Kind.RESULT if suffix in _RESULTS else Kind.MODEL
    return Kind.MODEL
