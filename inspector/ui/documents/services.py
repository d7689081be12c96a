"""What documents ask of the packages below; imported with the first document.

numpy, the runtimes and what reads models come with this module, so the first window opens
without it.
"""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec import Struct
from PySide6.QtCore import QObject

from inspector.analysis.advice.program_time import TimeParts
from inspector.analysis.advice.trace_rules import Finding
from inspector.analysis.facts.model_facts import Facts, facts
from inspector.analysis.language.memory import MemoryNeeds
from inspector.app import measure as measuring
from inspector.app.language.folder import opened
from inspector.app.language.memory import needs_of_file, needs_of_opened
from inspector.app.language.speed import OF_TOKENS, as_one_run, token_by_token
from inspector.app.subjects import of_values
from inspector.backends import environments, registry
from inspector.backends.base import QUANTIZED_AXIS_HINT, BackendInfo, Capability
from inspector.conversion.registry import actions_for
from inspector.engine.client.engine import Engine
from inspector.engine.client.engine_process import EngineProcess, Progress, second_prediction
from inspector.formats import model_formats, opening
from inspector.formats.coreml.package import package_of
from inspector.formats.folders.reading import folder_around, is_one_model, main_file
from inspector.formats.kinds import kind_of
from inspector.formats.onnx import weight_values
from inspector.formats.onnx.weight_values import Stamp
from inspector.formats.traces import detection
from inspector.formats.traces.span_collector import OpenedTrace
from inspector.model.axes import free_axes
from inspector.model.model import TFLITE, Model
from inspector.model.model_folder import ModelFolder
from inspector.platform import files
from inspector.platform.extras import can_install
from inspector.preview.inputs import audio, image_files
from inspector.preview.inputs.default_values import lengths as usual_lengths
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
from inspector.ui.documents.language.saving import ChatKeeper
from inspector.ui.documents.language.speaking import ModelSpeakers, generates_text
from inspector.ui.documents.session_files import InputPlace
from inspector.ui.documents.weight_reading import WeightLoader
from inspector.ui.timeline.model.trace_indexing import TraceIndex, prepared
from inspector.ui.translate import tr, written

GENAI_CONFIG = "genai_config.json"
_INPUT_SUFFIXES = frozenset((*audio.SUFFIXES, ".npy", ".csv", ".txt"))  # images besides
_MOST_LISTED = 2000  # files of a dragged folder that are looked at: some 10 ms


class ReadModel(Struct, frozen=True):
    """A model as it was read.

    files: it lies in, with their states on disk. folder: of the model that it is a part of.
    generates_text: it does, and its tokenizer is there. token_spec: settings that measure it
    token by token, and memory_needs of its tokens; None where it remembers none.
    """

    model: Model
    facts: Facts
    stamps: dict[str, Stamp]
    files: dict[Path, files.FileState | None]
    folder: ModelFolder | None
    generates_text: bool
    token_spec: RunSpec | None
    memory_needs: MemoryNeeds | None


class ReadJson(Struct, frozen=True):
    """What a file of JSON holds: a report, or a trace. state: of the file on disk."""

    content: (
        PerformanceReport
        | tuple[OpenedTrace, tuple[Finding, ...], TraceIndex, TimeParts | None]
    )
    state: files.FileState | None


class DocumentServices:
    """What one document asks for; what takes long is made when it is first asked.

    owner: what the loaders belong to and go with. Those that ask an engine have one of their
    own.
    """

    subject = staticmethod(of_values)
    setup = staticmethod(measuring.setup)
    as_one_run = staticmethod(as_one_run)
    needs_of_opened = staticmethod(needs_of_opened)
    measure_or_tell = staticmethod(measuring.measure_or_tell)
    add_peak = staticmethod(measuring.add_peak)
    with_known_peak = staticmethod(measuring.with_known_peak)
    is_of_this_machine = staticmethod(measuring.is_of_this_machine)
    digest = staticmethod(opening.digest)
    second_prediction = staticmethod(second_prediction)
    chat_keeper = ChatKeeper
    unsaved = Autosave
    opened_folder = staticmethod(opened)
    Upload = uploads.Upload
    upload_allowed = staticmethod(uploads.is_allowed)
    actions_for = staticmethod(actions_for)
    runtime_for = staticmethod(registry.for_format)
    runtime_with = staticmethod(registry.with_device)

    def __init__(
        self, owner: QObject, start_engine: Callable[[Callable[[Progress], None]], Engine]
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
    def read(path: Path, spec: RunSpec) -> ReadModel:
        """Read a model and what is known of it at once; `spec` has the device that measures it.
        Raises InspectorError."""
        before = files.state(path)
        model = saved.with_meanings(path, opening.open_model(path))
        stamps = weight_values.stamps(path, model.weights)
        lies_in = weight_values.files_of(path, model.weights).values()
        states = {each: files.state(each) for each in lies_in} | {path: before}
        folder = folder_around(path)
        bare = replace(DEFAULT_SPEC, devices=spec.devices)
        measured = token_by_token(of_values(path, model, bare, {}, {})).spec
        return ReadModel(
            model,
            facts(model),
            stamps,
            states,
            folder,
            generates_text(path, model),
            measured if measured.generates else None,
            needs_of_file(model, folder) if measured.generates else None,
        )

    @staticmethod
    def of_tokens(spec: RunSpec) -> dict[str, Any]:
        """Return the settings of a measurement token by token, by name."""
        return {name: getattr(spec, name) for name in OF_TOKENS}

    @staticmethod
    def generates_with(runtime: BackendInfo) -> bool:
        """Return whether a runtime measures token by token."""
        return Capability.GENERATION in runtime.capabilities

    @staticmethod
    def dimensions(sizes: Mapping[str, int]) -> tuple[Dimension, ...]:
        """Return lengths of axes as settings hold them."""
        return tuple(Dimension(name, size) for name, size in sizes.items())

    @staticmethod
    def usual_dimensions(model: Model) -> tuple[Dimension, ...]:
        """Return lengths with which all free axes of a model's inputs run."""
        lengths = usual_lengths(model.inputs, {})
        return tuple(Dimension(name, lengths.get(name, 1)) for name in free_axes(model.inputs))

    @staticmethod
    def not_run(model: Model | None, runtime: BackendInfo) -> tuple[str, str] | None:
        """Return why a runtime does not run a model, and what does; None where it may."""
        known = model_formats.by_id(model.format) if model is not None else None
        if known is not None and known.runs_with:
            return model_formats.not_run(known)
        if model is None:
            return runtime.missing
        finding, refusal = model.refusal(runtime.id), runtime.missing
        if finding is not None:
            why = tr("No runtime that Inspector has loads this file")
            if not model.refused:
                why = tr("{name} does not load this file").format(name=runtime.name)
            subject = finding.subject.strip("'")  # quoted, a name keeps its case
            text = written(finding.text)
            hint = f"'{subject}': {text}" if subject else units.capitalized(text)
            refusal = why, QUANTIZED_AXIS_HINT if model.format == TFLITE else hint
        if refusal is None or model.refused:
            return refusal
        why, hint = refusal
        device = registry.device_instead(runtime, model.format)
        if device:
            text = tr("{hint}, or choose {device} as the device")
            hint = text.format(hint=hint, device=units.device(device))
        return why, hint

    @staticmethod
    def installable(model: Model | None, runtime: BackendInfo) -> environments.Engine | None:
        """Return the engine of a runtime if it can be installed here and is not; else None.

        None too where it would not load the model.
        """
        refused = model is not None and model.refused
        if refused or runtime.missing is None or not can_install():
            return None
        return next((e for e in registry.engines() if e.id == runtime.id), None)

    def _engine(self) -> Engine:
        return self._start_engine(lambda _: None)


class Opener:
    """What the workspace asks for when something is opened."""

    DEFAULT_SPEC = DEFAULT_SPEC
    start_engine = EngineProcess
    kind_of = staticmethod(kind_of)

    @staticmethod
    def is_input(path: Path) -> bool:
        """Return whether a file is surely an input, and neither a model nor a report."""
        return image_files.is_image(path) or path.suffix.lower() in _INPUT_SUFFIXES

    @staticmethod
    def holds_inputs(folder: Path) -> bool:
        """Return whether a folder has inputs and no model, as far as its first files say."""
        listed = islice(folder.rglob("*"), _MOST_LISTED)
        suffixes = {path.suffix.lower() for path in listed}
        inputs = suffixes & (image_files.suffixes() | _INPUT_SUFFIXES)
        return bool(inputs) and not suffixes & set(model_formats.model_suffixes())

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
