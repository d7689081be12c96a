"""The interface between the engine process and a runtime.

A runtime is one folder in this package and one line in `registry.py`. Its `BackendInfo` is
cheap to import, for the client; its class that implements `Backend` is imported in an engine
process only, where it may load the runtime. `devices`, `open` and `measure` are required; the
other methods go with a `Capability` that the info declares.

Below it is what all backends share: the limit on threads, errors that do not depend on the
runtime, and `CURRENT`, the layer that is being computed. Most runtimes compute a graph in one
call and do not report progress inside it. Stepping and the reference evaluator go layer by
layer in Python: they set `CURRENT`, and the process's heartbeat carries it to the client.
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from inspector.backends import environments
from inspector.errors import BadInput, EngineFailed
from inspector.platform.extras import install_hint
from inspector.report.device_ids import own_runtime
from inspector.report.run_spec import RUNTIME_SETTINGS, SETTINGS, Dimension, RunSpec
from inspector.report.settings import Setting
from inspector.units import clip, size

if TYPE_CHECKING:  # the command line reads settings from here, and starts without these
    from pathlib import Path
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from inspector.analysis.facts.shapes import Shapes
    from inspector.analysis.measured.executed_graph import ExecutedGraph
    from inspector.analysis.measured.layer_outputs import Alone, Stepping
    from inspector.backends.array_files import Feed
    from inspector.backends.values import ComparisonRun, Graft, Plugin
    from inspector.model.model import TensorInfo
    from inspector.model.tensors.prediction import OutputValue
    from inspector.report.compatibility import CompatibilityResult
    from inspector.report.environment import WeightPrepacking
    from inspector.report.language.generation import (
        GeneratedToken,
        Generation,
        Sampling,
        TokenRules,
    )
    from inspector.report.report import (
        Device,
        ModelIdentity,
        PerformanceReport,
        ProviderProfile,
        Support,
    )
    from inspector.report.report_values import CompiledModel
    from inspector.report.roofline import Ceiling

# Threads of one session. Any machine may start the first number; each core adds the second.
# More only spin while they wait, and keep other programs from their cores.
_MIN_THREAD_LIMIT = 64
_THREADS_PER_CORE = 8
MEMORY_HINT = "Close other programs, set dynamic axes to smaller sizes, or use a smaller input."
QUANTIZED_AXIS_HINT = (  # of a .tflite file with an axis of quantization that is not there
    "Only the runtime for microcontrollers loads such a file. Repair it: "
    "inspector convert MODEL litert-repair -o FILE"
)
DISK_HINT = "Free up some space in the temporary folder, or set TMPDIR to another folder."
DISK_ERRORS = (
    errno.ENOSPC,
    errno.EROFS,
    errno.EFBIG,
    getattr(errno, "EDQUOT", errno.ENOSPC),  # Windows has no quota error
)
_LONGEST = 80  # characters of a layer's name, and of its operator


def max_threads(cores: int = 0) -> int:
    """Return the most threads that are started; `cores`: 0 for those of this machine."""
    return max(_MIN_THREAD_LIMIT, _THREADS_PER_CORE * (cores or os.cpu_count() or 1))


def check_thread_count(*specs: RunSpec) -> None:
    """Check the number of threads. Raises BadInput: more than `max_threads`.

    Each of them spins while it waits: thousands keep everybody from working for minutes.
    """
    most = max_threads()
    for spec in specs:
        requested = max((spec.threads, spec.inter_threads, spec.sessions, *spec.concurrency))
        if requested > most:
            raise BadInput(
                f"Could not start {requested:,} threads",
                f"this machine has {os.cpu_count() or 1} CPU cores, and more than {most:,} "
                "threads would make it unresponsive",
                f"Use at most {most:,}, or 0 for the default.",
            )


def out_of_memory(limit_bytes: int, phase: str) -> EngineFailed:
    """Return the error for an allocation over the engine's own memory limit."""
    why = f"there was not enough memory (the engine process is limited to {size(limit_bytes)})"
    return EngineFailed("", why, MEMORY_HINT, phase)


def disk_full(phase: str) -> EngineFailed:
    """Return the error for a temporary file that could not be written."""
    return EngineFailed("", "there was not enough space for temporary files", DISK_HINT, phase)


def model_unreadable(error: OSError, phase: str) -> EngineFailed:
    """Return the error for a model file that could be read before, and now cannot be."""
    gone = isinstance(error, FileNotFoundError)
    why = (
        "the file was moved or deleted during the job" if gone else error.strerror or str(error)
    )
    hint = "Put it back, or choose another file."
    return EngineFailed("", f"the model can no longer be read: {why}", hint, phase)


def names_not_utf8(phase: str) -> EngineFailed:
    """Return the error for a model with a name that is not valid UTF-8."""
    why, hint = "its names are not UTF-8 text", "Export it again with valid names."
    return EngineFailed("", why, hint, phase)


class CurrentLayer:
    """A layer name that one thread sets and another one reads; empty when it is unknown."""

    def __init__(self) -> None:
        self.name = ""

    def set(self, name: str, operator: str) -> None:
        """Record that this layer is being computed from now on."""
        kind = clip(operator, _LONGEST)
        self.name = f"'{clip(name, _LONGEST)}' ({kind})" if name else kind

    def clear(self) -> None:
        """Record that no layer is known to be computed."""
        self.name = ""


CURRENT = CurrentLayer()


# Receives a step, the share of it that is done (negative: unknown), all samples so far in ns.
ReportProgress = Callable[[str, float, tuple[int, ...]], None]
ReportShare = Callable[[str, float], None]
LayerSupport = dict[int, "Support"]  # layer index -> whether a device can run it


class Capability(StrEnum):
    """An optional ability of a backend; each one represents the methods of its section."""

    PLUGINS = "plugins"  # devices from packages that plug into the runtime
    SHAPES = "shapes"  # infer_shapes, infer_shapes_in_parts
    SUPPORT = "support"  # layer_support, with tables of devices that are not here
    COMPILING = "compiling"  # compiled
    REFERENCE = "reference"  # evaluate_reference
    STEPPING = "stepping"  # step, inner_tensor, run_layer
    EXECUTED_GRAPH = "executed graph"  # executed_graph
    COUNTERS = "counters"  # provider_counters
    PREPACKING = "prepacking"  # prepacked_weights
    CEILINGS = "ceilings"  # device_ceiling
    COMPATIBILITY = "compatibility"  # open_with
    SCORES = "scores"  # open_scorer
    SESSIONS = "sessions"  # RunSpec.sessions and run_async in `measure`
    LOAD_PHASES = "load phases"  # RunSpec.phases in `measure`
    SYNCHRONIZING = "synchronizing"  # RunSpec.synchronize in `measure`
    GENERATION = "generation"  # generate of an opened model
    RETRIES = "retries"  # RunSpec.around_failures: a layer can be forced to another device


class StopSignal:
    """Says from another thread that a job should end early with what it has."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._requested = False
        self._call: Callable[[], None] = lambda: None

    @property
    def requested(self) -> bool:
        """Return whether somebody asked for it."""
        return self._requested

    def request(self) -> None:
        """Ask for it, from any thread."""
        with self._lock:
            self._requested = True
            self._call()

    @contextmanager
    def calling(self, call: Callable[[], None]) -> Iterator[None]:
        """Have a function called when it is asked for during the block, or was before."""
        with self._lock:
            self._call = call
            if self._requested:
                call()
        try:
            yield
        finally:
            with self._lock:
                self._call = lambda: None


class Part(Enum):
    """What an engine process loads of a backend."""

    SHAPES = "shapes"
    PREDICTIONS = "predictions"
    WHOLE = "whole"


def _no_plugins() -> tuple[Plugin, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class BackendInfo:
    """Describe a backend without loading its runtime.

    id: in messages ("onnxruntime"). name: for people ("ONNX Runtime"). implementation:
    "module:Class" of its `Backend`. plugins: lists installed plugin packages. formats: ids of
    the model formats that it runs. module: what it needs to import, with `extra`, the extra of
    this package that installs it; empty for what is always there. device_prefix: what ids
    of its devices begin with ("openvino" for "openvino:cpu"); empty for a backend that only
    formats choose. shapes: "module:Class" of a smaller `Backend` that infers shapes without
    loading the runtime; empty: none. predictions: of one that lists devices, opens models and
    predicts, and is loaded in less time than the whole; empty: none. conversion: the module
    with `convert` and `effects_of` for these formats.
    with_extras: further extras for an environment of its own. download: see `Engine`. beside:
    name of a file that has to lie beside the models that it runs; empty: none.
    """

    id: str
    name: str
    implementation: str
    capabilities: frozenset[Capability] = frozenset()
    settings: tuple[Setting, ...] = ()
    plugins: Callable[[], tuple[Plugin, ...]] = field(default=_no_plugins, compare=False)
    formats: tuple[str, ...] = ()
    module: str = ""
    extra: str = ""
    conversion: str = "inspector.conversion.apply"
    device_prefix: str = ""
    shapes: str = ""
    predictions: str = ""
    with_extras: tuple[str, ...] = ()
    download: str = ""
    beside: str = ""

    @property
    def starts_with(self) -> str:
        """Return the class that an engine loads until a job is no prediction; "" for the whole.

        Who puts another implementation into our entry gets no part of ours.
        """
        package = self.implementation.rpartition(".")[0]
        return self.predictions if self.predictions.rpartition(".")[0] == package else ""

    def has_device(self, device: str) -> bool:
        """Return whether a device id names one of this backend's own devices."""
        return bool(self.device_prefix) and own_runtime(device) == self.device_prefix

    @property
    def installed(self) -> bool:
        """Return whether the runtime is installed, here or in an environment of its own."""
        return self.here or environments.python_of(self.id) is not None

    @property
    def here(self) -> bool:
        """Return whether the Python that Inspector runs in has the runtime."""
        return not self.module or find_spec(self.module) is not None

    @property
    def missing(self) -> tuple[str, str] | None:
        """Return that the runtime is not installed, and what installs it; None if it is."""
        if self.installed:
            return None
        hint = install_hint(self.extra, f"inspector engines --install {self.id}")
        useless = environments.why_useless(self.id)
        why = f"{self.name} has to be installed again: {useless}" if useless else ""
        return why or f"{self.name} is not installed", hint

    def check(self, spec: RunSpec) -> None:
        """Check that a spec uses only settings of this backend. Raises BadInput."""
        default = RunSpec()
        for each in SETTINGS.values():
            changed = getattr(spec, each.name) != getattr(default, each.name)
            if each.ability and changed and each.ability not in self.capabilities:
                why = f"Inspector does not do this with {self.name}"
                onnx = "onnx" in self.formats
                other = ", or choose a device of ONNX Runtime" if onnx else ""
                raise BadInput(f"Could not {each.undone}", why, f"Omit {each.flag}{other}.")
        if spec.run_async and spec.threads == 1:
            what = "Could not measure asynchronous calls with one thread"
            why = "ONNX Runtime runs them on its intra-op thread pool, which it then lacks"
            raise BadInput(what, why, "Set 2 or more threads, or omit --run-async.")
        supported = {setting.name for setting in self.settings}
        for name in RUNTIME_SETTINGS:
            if name not in supported and getattr(spec, name) != getattr(default, name):
                raise BadInput(
                    f"Could not use the setting '{name}'",
                    f"{self.name} does not have this setting",
                    "Leave it at its default.",
                )

    def fitted(self, spec: RunSpec) -> RunSpec:
        """Return a spec with the settings that this backend lacks at their defaults."""
        default = RunSpec()
        own = {setting.name: setting.choices for setting in self.settings}
        lacking = [
            each.name
            for each in SETTINGS.values()
            if (each.ability and each.ability not in self.capabilities)
            or (each.runtimes and each.name not in own)
            or ((choices := own.get(each.name)) and getattr(spec, each.name) not in choices)
        ]
        return replace(spec, **{name: getattr(default, name) for name in lacking})

    def session_key(self, spec: RunSpec) -> tuple[object, ...]:
        """Return what an opened model depends on: it can be used again while this is equal."""
        names = (setting.name for setting in self.settings if setting.reopens)
        return (spec.devices, spec.dimensions, *(getattr(spec, name) for name in names))


class Described(Protocol):
    """Type and shape of an array that has not been read yet."""

    @property
    def dtype(self) -> str:
        """Name of the element type ("float32")."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Return the lengths of the axes."""


class Outputs(Struct, frozen=True, eq=False):
    """The outputs of one prediction. Times as in `Prediction`; the last three if `warm`."""

    values: tuple[OutputValue, ...]
    prediction_ns: int
    first_call_ns: int = 0
    warm_ns: tuple[int, ...] = ()
    session_load_ns: int = 0


class OpenedModel(Protocol):
    """A model that is ready to predict."""

    @property
    def devices(self) -> tuple[str, ...]:
        """Ids of the devices that are really used."""

    @property
    def inputs(self) -> tuple[TensorInfo, ...]:
        """Return the inputs that need a value."""

    @property
    def outputs(self) -> tuple[TensorInfo, ...]:
        """Return the outputs in the order of their values."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences for the user about how the model was opened."""

    @property
    def load_ns(self) -> int:
        """Return the time that opening took."""

    def check_inputs(self, feeds: Mapping[str, Described], spec: RunSpec) -> None:
        """Check types and shapes of feeds before they are read. Raises BadInput."""

    def predict(self, feeds: Mapping[str, Feed], spec: RunSpec, warm: bool) -> Outputs:
        """Predict once; `warm`: time a few more calls. Raises BadInput, EngineFailed."""

    def repeated(
        self, feeds: Mapping[str, Feed], spec: RunSpec
    ) -> Callable[[Mapping[str, Feed]], Outputs]:
        """Return what predicts once with other values of the same inputs, step by step.

        What does not change between steps is done once here. Raises as `predict`.
        """


class GenerationRequest(Struct, frozen=True, eq=False):
    """A text to generate with an opened model; fields as in `requests.Generate`.

    feeds: of further inputs of the decoder, what an encoder said among them. continuation: path
    of the graph for all tokens after the prompt; empty: the same one. stop:
    ends it early. report_token: hears of each token as it is chosen, and of the share that is
    done.
    """

    prompt: Sequence[int]
    spec: RunSpec
    feeds: Mapping[str, Feed]
    sampling: Sampling
    max_tokens: int
    ends: Sequence[int]
    context: int
    alternatives: int
    continuation: str
    reuse: bool
    rules: TokenRules
    stop: StopSignal
    report_progress: ReportProgress
    report_token: Callable[[GeneratedToken, float], None]


class MeasureRequest(Struct, frozen=True, eq=False):
    """A measurement to run: the model, its settings and its inputs.

    folder: private to this measurement, for temporary files. reference_ns: duration of the
    CPU-speed probe at full speed; 0 if unknown. interleaved: name of the other measurement that
    predictions alternate with; empty for none. pass_on: lets it compute and returns the number
    of the next turn here.
    """

    model: Path
    identity: ModelIdentity
    spec: RunSpec
    feeds: Mapping[str, Feed]
    folder: Path
    report_progress: ReportProgress
    reference_ns: int = 0
    interleaved: str = ""
    pass_on: Callable[[], int] = lambda: 0


class SteppingRequest(Struct, frozen=True, eq=False):
    """A model to run layer by layer, and the run that each layer is compared with, if any."""

    model: Path
    spec: RunSpec
    feeds: Mapping[str, Feed]
    against: ComparisonRun | None = None


class TokenScorer(Protocol):
    """A language model that is ready to score a text."""

    def logits(self, window: Sequence[int]) -> NDArray[np.floating[Any]]:
        """Return (places, vocabulary) for a window of tokens, with an empty cache.

        Raises BadInput, EngineFailed.
        """


class Backend(Protocol):
    """A runtime, as the engine process uses it. Made once for each process, without arguments.

    Every method may raise BadInput (a setting, a device, a feed), UnreadableFile and
    EngineFailed (the runtime refused). Subclass it to inherit the optional methods.
    """

    info: BackendInfo

    def devices(self, plugin: Plugin | None = None) -> tuple[Device, ...]:
        """List the devices of the runtime or of one plugin, each tested."""

    def open(self, model: Path, spec: RunSpec, report_progress: ReportProgress) -> OpenedModel:
        """Make a model ready to predict on the devices of `spec`."""

    def measure(self, request: MeasureRequest) -> PerformanceReport:
        """Measure a model in this process, which has opened no other one before."""

    # Capability.SHAPES

    def infer_shapes(self, model: Path, dimensions: Sequence[Dimension]) -> Shapes:
        """Infer types and shapes of all values."""
        raise self.unsupported("infer shapes")

    def infer_shapes_in_parts(
        self, model: Path, dimensions: Sequence[Dimension]
    ) -> Iterator[tuple[Shapes, float]]:
        """Yield the shapes of a stretch of layers and the share of the layers that is done.

        By default all at once: most runtimes do not stop in between.
        """
        yield self.infer_shapes(model, dimensions), 1.0

    # Capability.SUPPORT; a backend that answers for its own devices only does not declare it

    def layer_support(
        self,
        model: Path,
        spec: RunSpec,
        shapes: Mapping[str, tuple[int, ...]],
        layers: Mapping[str, Sequence[int]],
    ) -> dict[str, LayerSupport]:
        """Return which of `layers` (device id -> indices) each device can run.

        shapes: of the inputs that the model was run with.
        """
        raise self.unsupported("test which layers a device can run")

    # Capability.COMPILING

    def compiled(self, model: Path, spec: RunSpec, folder: Path) -> CompiledModel:
        """Have the device of a spec compile a model into a folder."""
        raise self.unsupported("save compiled models")

    # Capability.REFERENCE

    def evaluate_reference(
        self, model: Path, feeds: Mapping[str, Feed], what: str
    ) -> tuple[Sequence[OutputValue], int]:
        """Return the outputs of the format's reference implementation, and its time in ns."""
        raise self.unsupported("run the reference evaluator")

    # Capability.STEPPING

    def step(
        self, request: SteppingRequest, tolerance: float | None, report_share: ReportShare
    ) -> Stepping:
        """Run layer by layer and compare each with another run, if there is one."""
        raise self.unsupported("run layer by layer")

    def inner_tensor(
        self, request: SteppingRequest, tensor: str, what: str
    ) -> tuple[OutputValue, OutputValue | None, str]:
        """Return an inner tensor, the other run's, and why that is missing."""
        raise self.unsupported("return inner tensors")

    def inner_tensors(
        self, request: SteppingRequest, tensors: Sequence[str], given: Sequence[str], what: str
    ) -> tuple[OutputValue, ...]:
        """Return inner tensors of one run, all where `tensors` is empty.

        given: names of inner tensors whose values are in the feeds.
        """
        raise self.unsupported("return inner tensors")

    def run_layer(
        self, request: SteppingRequest, layer: int, report_share: ReportShare
    ) -> Alone:
        """Run one layer by itself, `spec.runs` times."""
        raise self.unsupported("run a layer by itself")

    # Capability.EXECUTED_GRAPH

    def executed_graph(
        self, model: Path, spec: RunSpec, written: Path, weights: Path
    ) -> ExecutedGraph:
        """Optimize a model, write graph and weights, and explain it by the layers."""
        raise self.unsupported("write the graph that it executes")

    def as_onnx(self, model: Path, target: Path) -> None:
        """Write a model of the runtime's own format as an ONNX file."""
        raise self.unsupported("write a model as ONNX")

    # Capability.GENERATION

    def generate(self, opened: OpenedModel, request: GenerationRequest) -> Generation:
        """Generate text with a model that this backend opened."""
        raise self.unsupported("generate text")

    # Capability.SCORES

    def open_scorer(
        self, model: Path, spec: RunSpec, graft: Graft | None = None
    ) -> TokenScorer:
        """Make a language model ready that gives logits for each token of a text.

        graft: layers that are another model's.
        """
        raise self.unsupported("score the tokens of a text")

    # Capability.COUNTERS, PREPACKING, CEILINGS, COMPATIBILITY

    def provider_counters(
        self, model: Path, device: str, feeds: Mapping[str, Feed]
    ) -> dict[int, ProviderProfile]:
        """Return times of layers inside a part that a device's compiler took as a whole."""
        raise self.unsupported("time layers inside compiled partitions")

    def prepacked_weights(self, model: Path, spec: RunSpec, folder: Path) -> WeightPrepacking:
        """Return which weights kernels store again in a layout of their own."""
        raise self.unsupported("list prepacked weights")

    def device_ceiling(
        self,
        device: str,
        threads: int,
        dtype: str,
        bytes_per_second: float,
        folder: Path,
        report_progress: ReportProgress,
    ) -> Ceiling:
        """Measure the peak rates of a device. bytes_per_second: 0 to measure it as well."""
        raise self.unsupported("measure the peak performance of a device")

    def open_with(
        self, program: str, model: Path, libraries: Sequence[str] = ()
    ) -> CompatibilityResult:
        """Return whether another program of the format opens a model.

        libraries: with custom operators, for the runtime.
        """
        raise self.unsupported("check models with other programs")

    def unsupported(self, action: str) -> EngineFailed:
        """Return the error for a capability that this backend lacks."""
        why = f"{self.info.name} does not support this"
        return EngineFailed(f"Could not {action}", why, "Choose another runtime.")
