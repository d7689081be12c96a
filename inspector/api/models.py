"""A model file is opened."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

from inspector import units
from inspector.analysis.facts.model_facts import facts
from inspector.api.tables import OneLine
from inspector.api.temporary import TemporaryFile
from inspector.app.language.folder import OpenedFolder, opened
from inspector.errors import BadInput
from inspector.formats import opening
from inspector.formats.folders.reading import main_file, read_folder
from inspector.model.model import Model
from inspector.pages.language.folder import folder_page, summed_up
from inspector.pages.model.page import model_page
from inspector.platform import files
from inspector.preview.identity import Identity, identify
from inspector.preview.preprocessing import saved
from inspector.render.documents import document
from inspector.render.registry import Subject, format_for
from inspector.render.tables.folder_json import folder_json


@dataclass(frozen=True, slots=True, repr=False)
class OpenedModel(OneLine):
    """A model file that was read, without its weights.

    model: inputs, outputs, layers and weights as plain values. identity: what it is.
    folder: of a folder that is one model its parts and facts; the model is its main graph.
    file: of a model that was no file; it is deleted with the last reference to it.
    """

    path: Path
    model: Model
    identity: Identity
    folder: OpenedFolder | None = None
    file: TemporaryFile | None = field(default=None, compare=False)

    def about(self) -> str:
        """Return the content in a few words."""
        return f"{self.model.name}: {self.sentence} {len(self.model.layers):,} layers"

    @property
    def sentence(self) -> str:
        """Return what the model is, in one sentence."""
        if self.folder is not None and self.folder.facts.generates:
            return str(summed_up(self.folder.facts))
        return self.identity.sentence

    def to_dict(self) -> dict[str, Any]:
        """Return the main facts of the file as plain values."""
        model = self.model
        return {
            "name": model.name,
            "sentence": self.sentence,
            "inputs": [asdict(info) for info in model.inputs],
            "outputs": [asdict(info) for info in model.outputs],
            "opsets": {opset.domain or "ai.onnx": opset.version for opset in model.opsets},
            "layers": len(model.layers),
            "parameters": model.parameters,
            "size_bytes": model.size_bytes,
            "external_bytes": model.external_bytes,
            "metadata": dict(model.metadata),
        } | ({"folder": self._folder_json(self.folder)} if self.folder is not None else {})

    @staticmethod
    def _folder_json(opened: OpenedFolder) -> dict[str, Any]:
        return folder_json(opened.folder, opened.graphs, opened.facts)

    def save(self, path: str | Path) -> Path:
        """Save one page with the facts, graph and layers: .html, .pdf or .md.

        Raises BadInput, NotSaved.
        """
        target = Path(path)
        form = format_for(Subject.MODEL, target)
        if self.folder is None:
            body = bytes(form.writer(self.model, facts(self.model), self.identity))
        else:
            main = model_page(self.model, facts(self.model), self.identity)
            opened = self.folder
            page = folder_page(
                opened.folder, opened.graphs, opened.facts, self.identity.headline, main
            )
            body = document(page, form.id)
        files.write_atomic(target, body)
        return target

    def _repr_markdown_(self) -> str:
        model = self.model
        rows = [
            ("Inputs", ", ".join(map(_declared, model.inputs))),
            ("Outputs", ", ".join(map(_declared, model.outputs))),
            ("Layers", f"{len(model.layers):,}"),
            ("Parameters", f"{model.parameters:,}"),
        ]
        table = "\n".join(f"| {name} | {text} |" for name, text in rows)
        return f"**{model.name}**: {self.sentence}\n\n| | |\n|---|---|\n{table}\n"


class Serializable(Protocol):
    """A model in memory that can be written, such as an onnx.ModelProto."""

    def SerializeToString(self) -> bytes:  # noqa: N802 - of protobuf
        """Return the bytes of its file."""


FolderOrPath = OpenedModel | str | Path  # of what consists of several files
ModelOrPath = FolderOrPath | bytes | Serializable


def open_model(path: ModelOrPath) -> OpenedModel:
    """Read a model and say what it is; weights stay in the file.

    path: of a model file, or of a folder that is one model, such as a language model with its
    tokenizer, of which the graph that generates is meant; or an onnx.ModelProto, or the bytes
    of a model file, which are written to a temporary file. Raises InspectorError: it cannot be
    read.
    """
    if isinstance(path, OpenedModel):
        return path
    if not isinstance(path, str | Path):
        file = TemporaryFile(_bytes_of(path))
        opened_file = open_model(file.path)
        return replace(opened_file, file=file)

    folder = read_folder(Path(path))
    place = main_file(Path(path))
    model = saved.with_meanings(place, opening.open_model(place))
    known = opened(folder, model) if folder is not None else None
    return OpenedModel(place, model, identify(model), known)


def _bytes_of(model: bytes | Serializable) -> bytes:
    if isinstance(model, bytes):
        return model
    try:
        return model.SerializeToString()
    except ValueError as error:  # protobuf's, above 2 GiB
        what, hint = (
            "Could not open the model",
            "Save it with external data, and pass its path.",
        )
        raise BadInput(what, str(error), hint) from error


def _declared(info: Any) -> str:
    shape = (
        "unknown rank" if info.shape is None else " × ".join(map(units.axis_size, info.shape))
    )
    return f"{info.name}: {info.dtype} {shape}".rstrip()
