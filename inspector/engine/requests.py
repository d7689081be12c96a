"""What one can ask of an engine: a class for each request, which names its result by its type.

A request is a plain value: a model, settings, inputs, options. It says how an error about it
begins, and whether another machine may answer it. What of it travels as files, and how results
travel, is decided by the types of its fields and of its result (`payloads`). A new request is
a class here and a handler in `worker.handlers.HANDLERS`; `Engine.call` takes it as it is.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar

import msgspec

from inspector.analysis.facts.shapes import Shapes
from inspector.analysis.measured.layer_outputs import Alone, Stepping
from inspector.backends.array_files import Feed
from inspector.backends.values import ComparisonRun, Loaded, Plugin
from inspector.conversion.action import Converted, Effect, Step
from inspector.conversion.edits.changes import Change, Edited
from inspector.errors import BadInput
from inspector.formats.folders.reading import model_name
from inspector.model.model import Model
from inspector.model.tensors.prediction import Prediction
from inspector.preview.runs.steps import Steps
from inspector.report.compatibility import CompatibilityResult
from inspector.report.environment import WeightPrepacking
from inspector.report.language.generation import (
    GREEDY,
    NO_RULES,
    Generation,
    Sampling,
    TokenRules,
)
from inspector.report.language.quality import TokenScores
from inspector.report.report_values import (
    CompiledModel,
    Device,
    ModelIdentity,
    ProviderProfile,
    ShapeRun,
    Support,
)
from inspector.report.roofline import Ceiling
from inspector.report.run_spec import Dimension, RunSpec
from inspector.units import clip
from inspector.wording.values import Sentence

if TYPE_CHECKING:  # results that are loaded late; the classes name them as text
    from inspector.analysis.measured.executed_graph import ExecutedGraph
    from inspector.backends.interleaving import Pair  # noqa: F401
    from inspector.report.report import PerformanceReport  # noqa: F401

EXECUTED_FILES = ("executed.onnx", "executed.bin")  # in the shared folder: graph, weights
SUPPORT_SECONDS = 120.0  # of work, for all questions about support after a measurement
_MOST_CHARS = 80  # of a field in a message
_FIELD = re.compile(r"\{(\w+)\}")

Feeds = Mapping[str, Feed]
R = TypeVar("R")


class Request(msgspec.Struct, Generic[R], frozen=True):
    """A question to an engine, answered with the type in the brackets of its base class.

    failed: how an error about it begins, with fields, and `name` for that of the model. kind:
    what machines call it between each other; empty: no other machine answers it. noun: what is
    then said to be only possible here. runs: whether it runs its model with the model's
    runtime, and does not only change the file.

    Fields with a meaning of their own, where a request has them: `model` is read by the engine
    process, `spec` chooses devices, `against` is another run in the same process, `seconds` of
    work it may take at most (0: as the limits say). Without a model it needs a procedure of
    `EngineProcess`.
    """

    failed: ClassVar[str] = ""
    kind: ClassVar[str] = ""
    noun: ClassVar[str] = "this"
    runs: ClassVar[bool] = True

    @property
    def what(self) -> str:
        """Return what an error says did not happen."""
        fields = {each: self._field_text(each) for each in _FIELD.findall(self.failed)}
        return self.failed.format(**fields)

    def _field_text(self, field: str) -> str:
        request: Any = self
        if field == "name":
            return _name_of(request.model)
        return clip(str(getattr(request, field)), _MOST_CHARS)


@lru_cache(maxsize=64)
def _name_of(model: Path) -> str:
    """Return how messages name a model. Each request has its own ready: reading the folder
    around the file for each of 10,000 predictions took longer than these."""
    return clip(model_name(model))


class Load(Request[Loaded], frozen=True):
    """Make a model ready on its devices; the next prediction finds it so."""

    failed: ClassVar[str] = "Could not load {name}"
    noun: ClassVar[str] = "loading a model"
    model: Path
    spec: RunSpec


class Predict(Request[Prediction], frozen=True):
    """Predict once; a tuple among the feeds is a sequence of tensors whose shapes differ.

    The session stays warm for the next one with the same model. warm: after the first call of
    a session, make a few more for its warm latency, up to 60 ms in all. steps: predict once for
    each of them instead, in the engine; progress says how many are done.
    """

    failed: ClassVar[str] = "Could not run {name}"
    kind: ClassVar[str] = "predict"
    model: Path
    spec: RunSpec
    feeds: Feeds
    warm: bool = False
    steps: Steps | None = None


class RunShape(Request[ShapeRun], frozen=True):
    """Run inputs of other shapes in the open session, until their latency is steady."""

    failed: ClassVar[str] = "Could not run {name}"
    noun: ClassVar[str] = "a series of shapes"
    model: Path
    spec: RunSpec
    feeds: Feeds


class Reference(Request[Prediction], frozen=True):
    """Run ONNX's reference evaluator: slow, but correct. EngineFailed: it lacks an operator."""

    failed: ClassVar[str] = "Could not run the reference evaluator on {name}"
    kind: ClassVar[str] = "reference"
    model: Path
    feeds: Feeds
    seconds: float = 120.0
    steps: Steps | None = None


class Measure(Request["PerformanceReport"], frozen=True):
    """Measure a model in a fresh process, so that load time and memory are its own.

    What devices could run besides is asked in another one, so that nothing measured can be
    lost. Measurements of this user wait for each other, or with `wait` False raise MachineBusy.
    known_ns: what a probe of the processor's pace takes at full pace; 0: not known. together:
    names what is measured in turns with it, and makes it ask for each; else empty.
    Raises BadInput: no table for a device of `spec.predict`; UnreadableFile: the model became
    another one meanwhile.
    """

    failed: ClassVar[str] = "Could not measure {name}"
    kind: ClassVar[str] = "measure"
    model: Path
    identity: ModelIdentity
    spec: RunSpec
    feeds: Feeds
    wait: bool = True
    known_ns: int = 0
    together: str = ""


class MeasurePair(Request["Pair"], frozen=True):
    """Measure a model with two settings at once, with interleaved predictions.

    Each has a fresh process, both are loaded at the same time. first: which of them begins, 0
    or 1. other_feeds: those of the second settings where they are others, as of a larger batch.
    Raises what either raises.
    """

    failed: ClassVar[str] = "Could not measure {name}"
    kind: ClassVar[str] = "measure_pair"
    model: Path
    identity: ModelIdentity
    specs: tuple[RunSpec, RunSpec]
    feeds: Feeds
    first: int = 0
    other_feeds: Feeds | None = None


class Generate(Request[Generation], frozen=True):
    """Generate text; `Engine.stop` ends it early, with the tokens so far as its answer.

    The session stays warm for the next one. Each token is in `Progress.tokens` as it is chosen.

    prompt: token ids, at least one. encoder: path, in the folder of the model, of the graph
    that runs once before, and whose outputs are inputs of the decoder; empty: none. feeds: of
    the inputs of the encoder; without one, of further inputs of the decoder, the same for all
    tokens. ends: tokens that end the text. rules: which tokens may be generated. context: how
    many tokens may fit, prompt included; 0: as many as are asked for, within what the graph can
    count.
    alternatives: how many other tokens to list with each. continuation: path, in the folder of
    the model, of the graph for all tokens after the prompt, where that is another one
    (decoder_with_past_model.onnx); empty: the same. reuse: whether tokens at the beginning that
    the generation before left in the cache are not computed again, as for the next turn of a
    conversation. Kernels for one token and for many round differently, so that the text may
    then differ from one without reuse.
    """

    failed: ClassVar[str] = "Could not generate text with {name}"
    kind: ClassVar[str] = "generate"
    model: Path
    spec: RunSpec
    prompt: tuple[int, ...]
    sampling: Sampling = GREEDY
    max_tokens: int = 128
    ends: tuple[int, ...] = ()
    context: int = 0
    alternatives: int = 5
    continuation: str = ""
    reuse: bool = False
    feeds: Feeds = {}
    encoder: str = ""
    rules: TokenRules = NO_RULES

    def __post_init__(self) -> None:
        """Raise BadInput for a number that cannot be: no model is loaded for it."""
        sampling = self.sampling
        for name, value, allowed, text in (
            ("temperature", sampling.temperature, 0 <= sampling.temperature < inf, "0 or more"),
            ("top_k", sampling.top_k, sampling.top_k >= 0, "0 or more"),
            ("top_p", sampling.top_p, 0 < sampling.top_p <= 1, "more than 0 and at most 1"),
            ("max_tokens", self.max_tokens, self.max_tokens >= 0, "0 or more"),
            ("context", self.context, self.context >= 0, "0 or more"),
        ):
            if not allowed:
                why = Sentence("{name} is {value}", name=name, value=f"{value:g}")
                raise BadInput(self.what, why, Sentence("It must be {range}.", text))


class ListDevices(Request[tuple[Device, ...]], frozen=True):
    """List the devices of the machine, each tried out, the usable ones first.

    plugin: only those that it adds.
    """

    kind: ClassVar[str] = "devices"
    plugin: Plugin | None = None

    @property
    def what(self) -> str:
        """Return what did not happen."""
        return (
            f"Could not list the devices of {self.plugin.id if self.plugin else 'this machine'}"
        )


class ScoreTokens(Request[TokenScores], frozen=True):
    """Score how well a language model predicts the tokens of windows of a text.

    Each window is one forward pass with an empty cache. windows: tokens; the first one is only
    seen, each other one is predicted. counted: of each window, so many last predictions count.
    against: another model, or other settings, that is
    compared on the same tokens; its `spec` is set. grafted: the other model is then this one,
    in which the layers that make these tensors are those of `against`. shared: as of `Graft`.
    """

    failed: ClassVar[str] = "Could not score the tokens of a text with {name}"
    noun: ClassVar[str] = "the quality of a language model"
    model: Path
    spec: RunSpec
    windows: tuple[tuple[int, ...], ...]
    counted: int
    against: ComparisonRun | None = None
    grafted: tuple[str, ...] = ()
    shared: tuple[tuple[str, str], ...] = ()


class InferShapes(Request[Shapes], frozen=True):
    """Infer types and shapes of values, within so many seconds of work: some files hang it.

    Where it hangs or crashes, it is done again piece by piece, and what was inferred until then
    is returned with a note that it is partial. pieces: hand over each stretch of layers as it
    is known (`piece_step`, `piece_file`).
    """

    failed: ClassVar[str] = "Could not infer the shapes of {name}"
    kind: ClassVar[str] = "shapes"
    model: Path
    dimensions: tuple[Dimension, ...] = ()
    seconds: float = 10.0
    pieces: bool = False


def piece_step(number: int) -> str:
    """Return the progress step that announces a file with a piece of shapes."""
    return f"shapes, piece {number}"


def piece_file(number: int) -> str:
    """Return the name of the file of a piece of shapes in the shared folder."""
    return f"shapes-{number}.json"


class StepThrough(Request[Stepping], frozen=True):
    """Predict layer by layer, and hold each layer against another run if there is one."""

    failed: ClassVar[str] = "Could not run {name} layer by layer"
    kind: ClassVar[str] = "layers"
    model: Path
    spec: RunSpec
    feeds: Feeds
    against: ComparisonRun | None = None
    tolerance: float | None = None


class GetTensor(Request[Prediction], frozen=True):
    """Get one inner tensor: ours, then the other run's if it has one; notes say why not."""

    failed: ClassVar[str] = "Could not get the tensor '{tensor}' of {name}"
    kind: ClassVar[str] = "value"
    model: Path
    spec: RunSpec
    feeds: Feeds
    tensor: str
    against: ComparisonRun | None = None


class GetTensors(Request[Prediction], frozen=True):
    """Get inner tensors of the main graph from one run, without those that it did not compute.

    tensors: their names; empty for all that layers give out. given: names of inner tensors that
    are in `feeds`; the layers that read them get these values, whatever was computed.
    """

    failed: ClassVar[str] = "Could not get the layer outputs of {name}"
    kind: ClassVar[str] = "values"
    model: Path
    spec: RunSpec
    feeds: Feeds
    tensors: tuple[str, ...] = ()
    given: tuple[str, ...] = ()


class RunLayer(Request[Alone], frozen=True):
    """Run one layer by itself, `spec.runs` times, on what it gets in the whole model."""

    failed: ClassVar[str] = "Could not run layer {layer} of {name} alone"
    kind: ClassVar[str] = "alone"
    model: Path
    spec: RunSpec
    feeds: Feeds
    layer: int


class Optimized(NamedTuple):
    """A model as its runtime runs it, and how its nodes and the model's layers belong together.

    The process leaves the model in `EXECUTED_FILES`, from which it is read, and removed.
    """

    model: Model
    graph: "ExecutedGraph"


class OptimizeGraph(Request[Optimized], frozen=True):
    """Optimize a model for the devices of `spec`, and explain the graph by its layers."""

    failed: ClassVar[str] = "Could not get the optimized graph of {name}"
    noun: ClassVar[str] = "the optimized graph"
    model: Path
    spec: RunSpec


class MeasureCeiling(Request[Ceiling], frozen=True):
    """Measure the peak rates of a device with a type.

    bytes_per_second: of its memory; 0 to measure it as well.
    """

    failed: ClassVar[str] = "Could not measure the peak rates of {device}"
    kind: ClassVar[str] = "ceiling"
    device: str
    threads: int
    dtype: str
    bytes_per_second: float = 0.0


class OpenWith(Request[CompatibilityResult], frozen=True):
    """Find out whether one of `compatibility.PROGRAMS` opens a model, and if not, why.

    That it hangs or dies is an answer, too. libraries: with custom operators, for the runtime.
    """

    failed: ClassVar[str] = "Could not open {name} with {program}"
    noun: ClassVar[str] = "a check with another program"
    model: Path
    program: str
    seconds: float = 20.0
    libraries: tuple[str, ...] = ()


class ListEffects(Request[tuple[Effect, ...]], frozen=True):
    """Find out what each of other steps would do to a model after the steps of a recipe."""

    failed: ClassVar[str] = "Could not check actions for {name}"
    noun: ClassVar[str] = "a conversion"
    runs: ClassVar[bool] = False
    model: Path
    steps: Sequence[Step]
    others: Sequence[Step]


class Convert(Request[Converted], frozen=True):
    """Run a recipe on a model, and put the files of the result into a folder.

    name: of the new file. ranges: of tensors, for steps that calibrate; without them such a
    recipe ends early, with a model that has outputs for `Converted.observe`. feeds: contents of
    the files that steps name, by their paths. Raises InspectorError: NotSaved if the folder
    has no room.
    """

    failed: ClassVar[str] = "Could not convert {name}"
    noun: ClassVar[str] = "a conversion"
    runs: ClassVar[bool] = False
    model: Path
    steps: Sequence[Step]
    folder: Path
    ranges: Mapping[str, tuple[float, float]] | None = None
    name: str = "model.onnx"
    feeds: Feeds = {}


class CompileModel(Request[CompiledModel], frozen=True):
    """Have the provider of `spec.devices` compile a model, and put the file into a folder."""

    failed: ClassVar[str] = "Could not compile {name}"
    noun: ClassVar[str] = "compiling"
    model: Path
    spec: RunSpec
    folder: Path


class EditModel(Request[Edited], frozen=True):
    """Bring a model into the state after some edits, and put its files into a folder.

    The process keeps the model and its states for the next request. feeds: contents of the
    files that edits name, by their paths. An edit that cannot be done is left out. weights:
    name of a file in the folder for large weights that no file of earlier requests has, all of
    which have to stay; "" for a model that is complete by itself.
    """

    failed: ClassVar[str] = "Could not edit {name}"
    noun: ClassVar[str] = "editing"
    runs: ClassVar[bool] = False
    model: Path
    steps: Sequence[Step]
    folder: Path
    name: str = "model.onnx"
    feeds: Feeds = {}
    weights: str = ""


class PreviewEdits(Request[tuple[Change, ...]], frozen=True):
    """Find out what each of other edits would do to a model after some edits."""

    failed: ClassVar[str] = "Could not preview an edit of {name}"
    noun: ClassVar[str] = "editing"
    runs: ClassVar[bool] = False
    model: Path
    steps: Sequence[Step]
    others: Sequence[Step]
    feeds: Feeds = {}


class CheckSupport(Request[dict[str, dict[int, Support]]], frozen=True):
    """Query devices for the layers they could run, and tables for `spec.predict`.

    shapes: of the inputs it was run with. layers: id of a device -> layers.
    """

    kind: ClassVar[str] = "support"
    model: Path
    spec: RunSpec
    shapes: dict[str, tuple[int, ...]]
    layers: dict[str, tuple[int, ...]]
    seconds: float = SUPPORT_SECONDS

    @property
    def what(self) -> str:
        """Return what did not happen."""
        device = clip(", ".join(self.layers), _MOST_CHARS)
        return f"Could not check the support of {device} for {clip(self.model.name)}"


class ListPrepacked(Request[WeightPrepacking], frozen=True):
    """Find out what kernels prepack; always the first request to its process."""

    failed: ClassVar[str] = "Could not count the prepacked weights of {name}"
    model: Path
    spec: RunSpec


class ProfileCompiled(Request[dict[int, ProviderProfile]], frozen=True):
    """Measure the layers of a compiled partition with the provider's own runtime.

    device: as that runtime calls it.
    """

    failed: ClassVar[str] = "Could not profile the compiled partitions of {name}"
    model: Path
    device: str
    feeds: Feeds


def answered_elsewhere() -> dict[str, type[Request[Any]]]:
    """Return the requests that other machines answer, by their kinds."""
    return {each.kind: each for each in Request.__subclasses__() if each.kind}
