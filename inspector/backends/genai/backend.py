"""ONNX Runtime GenAI as a backend: it generates text. Loaded only in an engine process."""

import json
from collections.abc import Callable, Iterator, Mapping
from math import prod
from pathlib import Path
from time import perf_counter_ns
from typing import Any

from msgspec import Struct

from inspector.backends.array_files import Feed
from inspector.backends.base import (
    Backend,
    Described,
    GenerationRequest,
    MeasureRequest,
    OpenedModel,
    Outputs,
    ReportProgress,
    max_threads,
)
from inspector.backends.genai import runtime
from inspector.backends.genai.decoder import GenAiDecoder
from inspector.backends.genai.info import GENAI
from inspector.backends.genai.measure import measure
from inspector.backends.genai.runtime import genai
from inspector.backends.generation.conversation import Conversation
from inspector.backends.values import Plugin
from inspector.errors import BadInput, UnreadableFile
from inspector.formats.folders import reading
from inspector.formats.folders.genai import CONFIG
from inspector.model.model import TensorInfo
from inspector.platform import files
from inspector.report.language.generation import Generation
from inspector.report.report import PerformanceReport
from inspector.report.report_values import Device
from inspector.report.run_spec import RunSpec
from inspector.units import clip
from inspector.wording.values import Count, Name, Sentence

_MAX_CONFIG_BYTES = 16 << 20
# Parts of keys, wherever they stand (GenAI 0.18, src/config.cpp; a session's options take any
# key of the runtime).
_RUNS_CODE = "custom_ops_library"
_WRITES = ("enable_profiling", "filepath", "file_path")
_THREADS = ("intra_op_num_threads", "inter_op_num_threads")


class OpenedFolder(Struct, frozen=True, eq=False):
    """A folder that GenAI has loaded. decoder: feeds it. conversation: its cache."""

    name: str
    decoder: GenAiDecoder
    conversation: Conversation
    load_ns: int
    devices: tuple[str, ...] = (runtime.CPU,)
    notes: tuple[str, ...] = ()
    inputs: tuple[TensorInfo, ...] = ()
    outputs: tuple[TensorInfo, ...] = ()

    def check_inputs(self, feeds: Mapping[str, Described], spec: RunSpec) -> None:
        """Raises BadInput: GenAI runs whole conversations, not single graphs."""
        raise self._only_text()

    def predict(self, feeds: Mapping[str, Feed], spec: RunSpec, warm: bool) -> Outputs:
        """Raises BadInput: GenAI runs whole conversations, not single graphs."""
        raise self._only_text()

    def repeated(
        self, feeds: Mapping[str, Feed], spec: RunSpec
    ) -> Callable[[Mapping[str, Feed]], Outputs]:
        """Raises BadInput: GenAI runs whole conversations, not single graphs."""
        raise self._only_text()

    def _only_text(self) -> BadInput:
        return BadInput(
            Sentence("Could not run {name}", clip(self.name)),
            "ONNX Runtime GenAI only generates text",
            "Choose the device cpu.",
        )


class GenAi(Backend):
    """ONNX Runtime GenAI on the processor."""

    info = GENAI

    def devices(self, plugin: Plugin | None = None) -> tuple[Device, ...]:
        """Return the processor."""
        return (runtime.device(),)

    def open(self, model: Path, spec: RunSpec, report_progress: ReportProgress) -> OpenedFolder:
        """Load the folder of a decoder, once its configuration has been checked."""
        runtime.check_device(spec.devices)
        report_progress("load", -1, ())
        folder = model if model.is_dir() else model.parent
        what = Sentence("Could not load {name}", clip(folder.name))
        check_config(folder)
        began = perf_counter_ns()
        with runtime.refusals_as_errors(what, "load"):
            config = genai.Config(str(folder))
            if spec.threads:
                options = {"session_options": {"intra_op_num_threads": spec.threads}}
                config.overlay(json.dumps({"model": {"decoder": options}}))
            loaded = genai.Model(config)
        load_ns = perf_counter_ns() - began
        read = reading.read_folder(folder)
        facts = read.config if read is not None else {}
        names = ("num_hidden_layers", "num_key_value_heads", "head_dim")
        decoder = GenAiDecoder(
            loaded,
            folder.name,
            _number(facts, "context_length"),
            _number(facts, "vocab_size"),
            2 * 4 * prod(_number(facts, name) for name in names),  # keys and values, float32
        )
        return OpenedFolder(folder.name, decoder, Conversation(decoder), load_ns)

    def generate(self, opened: OpenedModel, request: GenerationRequest) -> Generation:
        """Generate text; the cache stays for a prompt that goes on."""
        assert isinstance(opened, OpenedFolder), "opened by `open`"
        return opened.conversation.generate(request)

    def measure(self, request: MeasureRequest) -> PerformanceReport:
        """Measure a model token by token. Raises BadInput: settings that ask for no tokens."""

        def open_decoder(
            model: Path, spec: RunSpec, report_progress: ReportProgress
        ) -> tuple[GenAiDecoder, int]:
            opened = self.open(model, spec, report_progress)
            return opened.decoder, opened.load_ns

        return measure(request, open_decoder)


def _number(facts: Mapping[str, Any], name: str) -> int:
    value = facts.get(name)
    return value if isinstance(value, int) else 0


def check_config(folder: Path) -> None:
    """Check a folder's configuration, which could load code from it or write files: a confined
    process does no harm, but a folder that asks for it is refused. Raises BadInput: this, or it
    is none of GenAI; UnreadableFile: it is damaged."""
    what = Sentence("Could not run {folder} with ONNX Runtime GenAI", folder=Name(folder.name))
    path = folder / CONFIG
    if not files.is_file(path):
        hint = (
            "Choose the device cpu, or export the model with the model builder of "
            "onnxruntime-genai."
        )
        raise BadInput(what, Sentence("the folder has no '{file}'", file=Name(CONFIG)), hint)
    try:
        entries = list(_entries(json.loads(files.read_capped(path, _MAX_CONFIG_BYTES))))
    except (ValueError, RecursionError) as error:
        why = Sentence("'{file}' is not valid JSON: {error}", file=CONFIG, error=str(error))
        raise UnreadableFile(what, why, "Download the folder again.") from error
    for key, value in entries:
        named = {"file": Name(CONFIG), "key": Name(clip(key))}
        remedy = Sentence("Remove '{key}' from the file.", key=Name(clip(key)))
        if _RUNS_CODE in key:
            why = Sentence("'{file}' has '{key}', which runs code of the folder", **named)
            raise BadInput(what, why, remedy)
        if any(part in key for part in _WRITES):
            raise BadInput(
                what, Sentence("'{file}' has '{key}', which writes files", **named), remedy
            )
        if key in _THREADS and isinstance(value, int) and value > max_threads():
            count = Count(value, "thread")
            why = Sentence("'{file}' asks for {threads}", file=Name(CONFIG), threads=count)
            raise BadInput(
                what, why, Sentence("Use at most {most}.", most=Count(max_threads()))
            )


def _entries(content: Any) -> Iterator[tuple[str, Any]]:
    """Yield all keys with their values, at any depth."""
    if isinstance(content, Mapping):
        for key, value in content.items():
            yield key, value
            yield from _entries(value)
    elif isinstance(content, list):
        for each in content:
            yield from _entries(each)
