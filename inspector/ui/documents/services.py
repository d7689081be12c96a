"""What documents ask of the packages below; imported with the first document.

numpy, the runtimes and what reads models come with this module, so the first window opens
without it.
"""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject

from inspector.analysis.advice.trace_rules import Finding
from inspector.analysis.facts.model_facts import Facts, facts
from inspector.app import measure as measuring
from inspector.app.language.folder import OpenedFolder, opened
from inspector.app.language.speed import token_by_token
from inspector.app.subjects import of_values
from inspector.backends import environments, registry
from inspector.backends.base import BackendInfo
from inspector.conversion.registry import actions_for
from inspector.engine.client.engine import Engine
from inspector.engine.client.engine_process import (
    EngineProcess,
    Progress,
    second_prediction,
)
from inspector.formats import model_formats, opening
from inspector.formats.coreml.package import package_of
from inspector.formats.folders.reading import folder_around, is_one_model, main_file
from inspector.formats.kinds import kind_of
from inspector.formats.names import Kind
from inspector.formats.onnx import weight_values
from inspector.formats.onnx.weight_values import Stamp
from inspector.formats.traces import detection
from inspector.formats.traces.span_collector import OpenedTrace
from inspector.model.model import Model
from inspector.model.model_folder import ModelFolder
from inspector.platform import files
from inspector.preview.inputs.sample_inputs import first_example
from inspector.preview.preprocessing import saved
from inspector.remote import uploads
from inspector.report import report as reports
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import DEFAULT_SPEC, Dimension, RunSpec
from inspector.ui import units
from inspector.ui.documents.autosave import Autosave
from inspector.ui.documents.estimating import (
    CompatibilityCheck,
    CostEstimation,
    ExecutedGraphLoader,
)
from inspector.ui.documents.language.speaking import ModelSpeakers, generates_text
from inspector.ui.documents.session_files import InputPlace
from inspector.ui.documents.weight_reading import WeightLoader
from inspector.ui.timeline.model.trace_indexing import TraceIndex, prepared
from inspector.ui.translate import tr

GENAI_CONFIG = "genai_config.json"


@dataclass(frozen=True, slots=True)
class ReadModel:
    """A model as it was read.

    files: it lies in, with their states on disk. folder: of the model that it is a part of.
    generates_text: it does, and its tokenizer is there.
    """

    model: Model
    facts: Facts
    stamps: dict[str, Stamp]
    files: dict[Path, files.FileState | None]
    folder: ModelFolder | None
    generates_text: bool


@dataclass(frozen=True, slots=True)
class ReadJson:
    """What a file of JSON holds: a report, or a trace. state: of the file on disk."""

    content: PerformanceReport | tuple[OpenedTrace, tuple[Finding, ...], TraceIndex]
    state: files.FileState | None


class DocumentServices:
    """What one document asks for; what takes long is made when it is first asked.

    owner: what the loaders belong to and go with. Those that ask an engine have one of their
    own.
    """

    subject = staticmethod(of_values)
    setup = staticmethod(measuring.setup)
    token_by_token = staticmethod(token_by_token)
    measure = staticmethod(measuring.measure)
    add_peak = staticmethod(measuring.add_peak)
    is_of_this_machine = staticmethod(measuring.is_of_this_machine)
    digest = staticmethod(opening.digest)
    second_prediction = staticmethod(second_prediction)
    Upload = uploads.Upload
    upload_allowed = staticmethod(uploads.is_allowed)
    actions_for = staticmethod(actions_for)
    runtime_for = staticmethod(registry.for_format)
    runtime_with = staticmethod(registry.with_device)

    def __init__(
        self,
        owner: QObject,
        start_engine: Callable[[Callable[[Progress], None]], Engine],
    ) -> None:
        self._owner, self._start_engine = owner, start_engine
        self._weights: WeightLoader | None = None
        self._estimating: CostEstimation | None = None
        self._verdicts: CompatibilityCheck | None = None
        self._executed: ExecutedGraphLoader | None = None

    def weights(self, path: Path, model: Model, stamps: dict[str, Stamp]) -> WeightLoader:
        """Return what reads the weights of a model. stamps: of the files that they lie in."""
        if self._weights is None:
            self._weights = WeightLoader(path, model, stamps, self._owner)
        return self._weights

    def estimating(self, path: Path, model: Model) -> CostEstimation:
        """Return shapes, cost and structure of a model."""
        if self._estimating is None or self._estimating.model is not model:
            self._estimating = CostEstimation(path, model, self._engine, self._owner)
        return self._estimating

    def verdicts(
        self, path: Path, model: Model, libraries: Callable[[], tuple[str, ...]]
    ) -> CompatibilityCheck:
        """Return the compatibility check of a model. libraries: with custom operators."""
        if self._verdicts is None or self._verdicts.model is not model:
            self._verdicts = CompatibilityCheck(
                path, model, self._engine, self._owner, libraries
            )
        return self._verdicts

    def executed(
        self, path: Path, model: Model, spec: Callable[[], RunSpec]
    ) -> ExecutedGraphLoader:
        """Return the graph that the runtime executes."""
        if self._executed is None or self._executed.model is not model:
            self._executed = ExecutedGraphLoader(path, model, spec, self._engine, self._owner)
        return self._executed

    @staticmethod
    def opened_folder(folder: ModelFolder, main: Model | None) -> OpenedFolder:
        """Return a folder with its parts. main: its main part, which is read already."""
        return opened(folder, main)

    def speakers(
        self, path: Path, folder: ModelFolder | None, spec: Callable[[], RunSpec]
    ) -> ModelSpeakers:
        """Return what opens a model, and others, for a conversation."""
        return ModelSpeakers(path, folder, self._start_engine, spec)

    def close(self) -> None:
        """Stop what is under way; nothing is told any more."""
        for each in (self._executed, self._estimating, self._verdicts):
            if each is not None:
                each.close()
        if self._weights is not None:
            self._weights.cancel()
            self._weights.cancel_all()

    @staticmethod
    def read(path: Path) -> ReadModel:
        """Read a model and what is known of it at once. Raises InspectorError."""
        before = files.state(path)
        model = saved.with_meanings(path, opening.open_model(path))
        stamps = weight_values.stamps(path, model.weights)
        lies_in = weight_values.files_of(path, model.weights).values()
        states = {each: files.state(each) for each in lies_in} | {path: before}
        known = facts(model)
        return ReadModel(
            model, known, stamps, states, folder_around(path), generates_text(path, model)
        )

    @staticmethod
    def dimensions(sizes: Mapping[str, int]) -> tuple[Dimension, ...]:
        """Return lengths of axes as settings hold them."""
        return tuple(Dimension(name, size) for name, size in sizes.items())

    @staticmethod
    def not_run(model: Model | None, runtime: BackendInfo) -> tuple[str, str] | None:
        """Return why a runtime does not run a model, and what does; None where it may."""
        known = model_formats.by_id(model.format) if model is not None else None
        if known is not None and known.runs_with:
            return model_formats.not_run(known)
        refusal = runtime.missing
        if refusal is None or model is None:
            return refusal
        why, hint = refusal
        device = registry.device_instead(runtime, model.format)
        if device:
            text = tr("{hint}, or choose {device} as the device")
            hint = text.format(hint=hint, device=units.device(device))
        return why, hint

    @staticmethod
    def installable(runtime: BackendInfo) -> environments.Engine | None:
        """Return the engine of a runtime if it can be installed here and is not; else None."""
        if runtime.missing is None or not environments.can_install():
            return None
        return next((e for e in registry.engines() if e.id == runtime.id), None)

    @staticmethod
    def unsaved() -> Autosave:
        """Return what keeps reports without a library."""
        return Autosave()

    def _engine(self) -> Engine:
        return self._start_engine(lambda _: None)


class Opener:
    """What the workspace asks for when something is opened."""

    DEFAULT_SPEC = DEFAULT_SPEC
    start_engine = EngineProcess

    @staticmethod
    def kind_of(named: Path | str) -> Kind:
        """Return what a path or an address stands for."""
        return kind_of(named)

    @staticmethod
    def located(path: Path) -> tuple[Path, Path]:
        """Return which file stands for a path, and what the model is remembered by.

        A dialog for files cannot choose a folder, but the manifest of a Core ML package, and
        the configuration of a folder that is one model. Raises UnreadableFile: the folder has
        no file that could stand for it.
        """
        package = package_of(path)
        if package is not None:
            return package, package
        if path.name == GENAI_CONFIG and is_one_model(path.parent):
            path = path.parent
        return main_file(path), path

    @staticmethod
    def read_json(path: Path, on_step: Callable[[str], None]) -> ReadJson:
        """Read a report or a trace, with what its views need. Raises InspectorError."""
        state = files.state(path)
        if detection.looks_like_trace(path):
            opened = detection.open_trace(path)
            return ReadJson((opened, *prepared(path.name, opened, on_step)), state)
        return ReadJson(reports.load(path), state)

    @staticmethod
    def unpack(path: Path, most: int) -> tuple[tuple[Path, ExitStack], ...]:
        """Unpack the models of an archive, each with what removes it. Raises InspectorError."""
        members = []
        with ExitStack() as whole:
            for place in opening.models_in(path)[:most]:
                unpacked = whole.enter_context(ExitStack())
                members.append((unpacked.enter_context(opening.located(place)), unpacked))
            whole.pop_all()
        return tuple(members)

    @staticmethod
    def example(path: Path) -> tuple[InputPlace, ...]:
        """Return the first example of a sample model; empty for other models."""
        items = first_example(path).items()
        return tuple(InputPlace(name, "file", str(file)) for name, file in items)
