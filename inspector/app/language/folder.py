"""Opens a folder that is one model: its parts as graphs, and what is known of it as a whole."""

from pathlib import Path

from msgspec import Struct

from inspector.analysis.language.attention import rope_base, rope_table
from inspector.analysis.language.facts import Graph, LanguageFacts, language_facts
from inspector.errors import UnreadableFile
from inspector.formats.folders.bundles import LITERT_LM
from inspector.formats.folders.gguf_files import GGUF, tokenizer_of_metadata, with_metadata
from inspector.formats.folders.reading import read_folder
from inspector.formats.folders.tokenizer_json import tokenizer_facts
from inspector.formats.litertlm.facts import tokenizer_of_bundle, with_settings
from inspector.formats.onnx import weight_values
from inspector.formats.opening import open_model
from inspector.model.model import Model
from inspector.model.model_folder import FolderPart, ModelFolder
from inspector.platform import files

_MOST_PARTS = 100  # that are read; the model with the most parts seen has 40


class OpenedFolder(Struct, frozen=True):
    """A folder with its parts as they were read, the one that generates first."""

    folder: ModelFolder
    graphs: tuple[Graph, ...]
    facts: LanguageFacts


def open_folder(path: Path) -> OpenedFolder | None:
    """Read a folder, its graphs without their weights, and its tokenizer; None for what is no
    folder that is one model.

    A part that cannot be read says so. Raises UnreadableFile: the configuration is damaged.
    """
    folder = read_folder(path)
    return None if folder is None else opened(folder)


def opened(folder: ModelFolder, main: Model | None = None) -> OpenedFolder:
    """Read the parts of a folder. main: its main part, where that is read already."""
    graphs = tuple(
        _graph(part, main if part == folder.main else None)
        for part in folder.parts[:_MOST_PARTS]
    )
    tokenizer = tokenizer_facts(folder.tokenizer) if folder.tokenizer is not None else None
    first = graphs[0].model if graphs else None
    if folder.layout == GGUF and first is not None:
        metadata = dict(first.metadata)
        folder, tokenizer = with_metadata(folder, metadata), tokenizer_of_metadata(metadata)
    if folder.layout == LITERT_LM and first is not None:
        folder, tokenizer = with_settings(folder, first), tokenizer_of_bundle(first)
    return OpenedFolder(folder, graphs, language_facts(folder, graphs, tokenizer))


def _graph(part: FolderPart, model: Model | None) -> Graph:
    state = files.state(part.path)
    size = state[1] if state is not None else 0
    try:
        model = model or open_model(part.path)
    except UnreadableFile as error:
        return Graph(part, None, size, error.why)
    beside = {
        place.resolve() for place in weight_values.files_of(part.path, model.weights).values()
    }
    beside.discard(part.path.resolve())
    states = [files.state(place) for place in beside]
    size += sum(state[1] for state in states if state is not None)
    lost = [weight for weight in model.weights if weight.place is None and weight.problem]
    lost_bytes = sum(weight.size_bytes or 0 for weight in lost)
    problem = lost[0].problem if lost else ""
    return Graph(part, model, size, problem, _rope_base(part, model), lost_bytes)


def _rope_base(part: FolderPart, model: Model) -> float | None:
    """Return the base of rotary positions, by the second row of their table."""
    table = rope_table(model)
    if table is None or table.place is None:
        return None
    try:
        row = weight_values.part(part.path, table, (1, slice(None)))
    except UnreadableFile:
        return None
    return rope_base([float(value) for value in row], table.dtype)
