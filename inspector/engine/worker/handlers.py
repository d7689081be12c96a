"""What the engine process does: `HANDLERS` has a function for each request it answers."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from time import monotonic_ns, perf_counter_ns
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace as replace_struct

from inspector.analysis.facts.shapes import Shapes
from inspector.analysis.language.quality import joined_scores, window_scores
from inspector.analysis.measured.layer_outputs import Alone, Stepping
from inspector.backends import array_files
from inspector.backends.array_files import Feed
from inspector.backends.base import (
    Backend,
    GenerationRequest,
    MeasureRequest,
    OpenedModel,
    ReportProgress,
    SteppingRequest,
    StopSignal,
    TokenScorer,
)
from inspector.backends.measuring import process_state
from inspector.backends.values import Graft, Loaded, confinement_notes
from inspector.conversion.action import Converted, Effect, Step
from inspector.conversion.edits.changes import Change, Edited
from inspector.engine import payloads, protocol, requests
from inspector.engine.requests import Request
from inspector.errors import BadInput, EngineFailed, UnreadableFile
from inspector.formats import opening
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import (
    QUANTIZED_TYPES,
    OutputValue,
    Prediction,
    Scale,
    with_scale,
)
from inspector.platform import plugins
from inspector.platform.late_modules import LateModule
from inspector.preview.runs.steps import Steps
from inspector.preview.runs.steps import run as run_steps
from inspector.report.compatibility import CompatibilityResult
from inspector.report.environment import WeightPrepacking
from inspector.report.language.generation import GeneratedToken, Generation
from inspector.report.language.quality import TokenScores
from inspector.report.report_values import (
    CompiledModel,
    Device,
    ProviderProfile,
    ShapeRun,
    Support,
)
from inspector.report.roofline import Ceiling
from inspector.report.run_spec import RunSpec
from inspector.units import clip
from inspector.wording import stored

if TYPE_CHECKING:
    from inspector.analysis.measured.executed_graph import ExecutedGraph
    from inspector.backends.generation import generating
    from inspector.conversion.edits.edited_model import EditedModel
    from inspector.report.report import PerformanceReport
else:
    # 40 ms: it tells inputs apart by rules for all kinds of models.
    generating = LateModule("inspector.backends.generation.generating")

R = TypeVar("R")
_STEADY_NS = 300_000_000  # for the later runs of a shape; a judgment: enough for a median
# Later runs of a shape: at least these, however long they take, and at most those.
_LEAST_STEADY = 5
_MOST_STEADY = 100


class _Cached(Struct, frozen=True, eq=False):
    """An opened model.

    key: what it was opened from, and the file's state at that time. scales: of its quantized
    outputs, by name.
    """

    key: object
    opened: OpenedModel
    scales: Mapping[str, Scale]


class _Encoder(Struct, eq=False):
    """The encoder of the model that is open, and what it said last. key: as of `_Cached`."""

    key: object
    opened: OpenedModel
    feeds: Mapping[str, Feed] = field(default_factory=dict)
    said: tuple[OutputValue, ...] = ()


class Worker:
    """Runs jobs one at a time, and keeps the model of the last one open.

    folder: shared with the client, for arrays and reports. report_progress: receives each step.
    pass_on: lets another measurement compute and returns the number of the next turn here.
    model: the path of the one that is asked about, empty if it is about none. load_whole: loads
    the backend with all its jobs, where `backend` has not all of them. report_token: receives
    each token of a generated text. stop: says that the job should end early.
    """

    def __init__(
        self,
        backend: Backend,
        folder: Path,
        confinement: str,
        report_progress: ReportProgress,
        pass_on: Callable[[], int],
    ) -> None:
        self.backend, self.folder, self.confinement = backend, folder, confinement
        self.report_progress, self.pass_on = report_progress, pass_on
        self.model = ""
        self.load_whole: Callable[[], Backend] = lambda: backend
        self.report_token: Callable[[GeneratedToken, float], None] = lambda _, __: None
        self.stop = StopSignal()
        self._cached: _Cached | None = None
        self._encoder: _Encoder | None = None
        self._scorers: dict[tuple[object, ...], TokenScorer] = {}
        self._edited: tuple[tuple[Path, tuple[int, int]], EditedModel] | None = None

    @cached_property
    def whole(self) -> Backend:
        """The backend with all its jobs; it is loaded for the first one but predictions."""
        return self.load_whole()

    @property
    def conversion(self) -> Any:
        """The module with what changes models of the backend's formats: `convert`, ..."""
        return plugins.load(self.backend.info.conversion)

    def answer(self, asked: protocol.Ask) -> protocol.Answered:
        """Read a request, run it and lay down its answer. Raises InspectorError."""
        self.model = ""
        kind = next((each for each in HANDLERS if each.__name__ == asked.request), None)
        if kind is None:
            raise EngineFailed("", f"the engine process knows no request '{asked.request}'")
        request = payloads.fetched_request(self.folder, kind, asked.body)
        self.model = str(getattr(request, "model", ""))
        return protocol.Answered(payloads.stored_answer(self.folder, self.run(request)))

    def run(self, request: Request[R]) -> R:
        """Run a request with its handler. Raises InspectorError."""
        answer: R = HANDLERS[type(request)](self, request)
        return answer

    def open(self, model: Path, spec: RunSpec) -> tuple[OpenedModel, int]:
        """Return a ready model, and how long that took; 0 if it was still open."""
        self.backend.info.check(spec)
        key = (model, _state(model), self.backend.info.session_key(spec))
        if self._cached and self._cached.key == key:
            return self._cached.opened, 0
        self.release()
        opened = self.backend.open(model, spec, self.report_progress)
        self._cached = _Cached(key, opened, _output_scales(model, opened.outputs))
        return opened, opened.load_ns

    def encode(
        self, encoder: Path, spec: RunSpec, feeds: Mapping[str, Feed]
    ) -> tuple[tuple[OutputValue, ...], int, int]:
        """Return what the encoder of the open model says, how long that took, and how long it
        took to load; 0 for what was there already. Raises BadInput, EngineFailed."""
        key = (encoder, _state(encoder), self.backend.info.session_key(spec))
        kept, load_ns = self._encoder, 0
        if kept is None or kept.key != key:
            opened = self.backend.open(encoder, spec, self.report_progress)
            kept = self._encoder = _Encoder(key, opened)
            load_ns = opened.load_ns
        if kept.said and _equal_feeds(kept.feeds, feeds):
            return kept.said, 0, load_ns
        self.report_share("encoder", -1)
        made = kept.opened.predict(feeds, spec, warm=False)
        kept.feeds, kept.said = feeds, made.values
        return made.values, made.prediction_ns, load_ns

    @property
    def scales(self) -> Mapping[str, Scale]:
        """Return the scales of the open model's quantized outputs, by name."""
        return self._cached.scales if self._cached else {}

    def scorer(self, model: Path, spec: RunSpec, graft: Graft | None = None) -> TokenScorer:
        """Return a language model that is ready to score; the two used last stay open."""
        self.backend.info.check(spec)
        self._cached = None
        key = (model, _state(model), self.backend.info.session_key(spec), graft)
        opened = self._scorers.pop(key, None)
        if opened is None:
            while len(self._scorers) > 1:
                del self._scorers[next(iter(self._scorers))]
            opened = self.whole.open_scorer(model, spec, graft)
        self._scorers[key] = opened  # the latest last
        return opened

    def edited(self, model: Path) -> "EditedModel":
        """Return a model with the states that edits brought it into; the last one stays."""
        key = model, _state(model)
        if self._edited is None or self._edited[0] != key:
            self.release()
            self._edited = key, self.conversion.EditedModel(model, self.folder)
        return self._edited[1]

    def release(self) -> None:
        """Close the model of the last job: two at once may not fit into memory."""
        if self._edited is not None:
            self._edited[1].close()
            self._edited = None
        self._cached = self._encoder = None
        self._scorers.clear()

    def report_share(self, step: str, share: float) -> None:
        """Report a step without samples."""
        self.report_progress(step, share, ())

    def notes(self, opened: OpenedModel) -> tuple[str, ...]:
        """Return the notes of a model, and one if this process is not fully confined."""
        return (*opened.notes, *confinement_notes(self.confinement))


def _output_scales(
    model: Path, outputs: Iterable[TensorInfo | OutputValue]
) -> Mapping[str, Scale]:
    """Return the scales of quantized outputs; the file is read only where one may be."""
    if not any(each.dtype in QUANTIZED_TYPES for each in outputs):
        return {}
    from inspector.formats import output_scales  # which other models have no use for

    return output_scales.of_outputs(model)


def _equal_feeds(one: Mapping[str, Feed], other: Mapping[str, Feed]) -> bool:
    return one.keys() == other.keys() and all(_equal(one[name], other[name]) for name in one)


def _equal(one: Feed, other: Feed) -> bool:
    if isinstance(one, tuple) or isinstance(other, tuple):
        return False  # sequences: nobody gives an encoder any
    return one.shape == other.shape and bool((one == other).all())


def load(worker: Worker, request: requests.Load) -> Loaded:
    """Open a model."""
    opened, load_ns = worker.open(request.model, request.spec)
    return Loaded(
        load_ns,
        opened.devices,
        opened.inputs,
        opened.outputs,
        worker.confinement,
        worker.notes(opened),
    )


def predict(worker: Worker, request: requests.Predict) -> Prediction:
    """Predict once, or once for each step."""
    spec, feeds, steps = request.spec, request.feeds, request.steps
    opened, load_ns = worker.open(request.model, spec)
    described = {name: array_files.described(name, feed) for name, feed in feeds.items()}
    opened.check_inputs(described, spec)
    worker.report_share("prediction", -1)
    run = (
        opened.repeated(feeds, spec)
        if steps is not None
        else partial(opened.predict, spec=spec, warm=request.warm)
    )

    def once(values: Mapping[str, Feed]) -> Prediction:
        outputs = run(values)
        return Prediction(
            outputs.values,
            opened.devices,
            outputs.prediction_ns,
            load_ns,
            (),
            outputs.first_call_ns,
            outputs.warm_ns,
            outputs.session_load_ns,
        )

    answer = _over_steps(worker, once, feeds, steps)
    answer = replace_struct(answer, notes=worker.notes(opened))
    return _scaled(worker, answer, worker.scales)


def run_shape(worker: Worker, request: requests.RunShape) -> ShapeRun:
    """Run inputs of some shapes in the open session."""
    spec, feeds = request.spec, request.feeds
    opened, load_ns = worker.open(request.model, spec)
    described = {name: array_files.described(name, feed) for name, feed in feeds.items()}
    opened.check_inputs(described, spec)
    worker.report_share("prediction", -1)
    before = _own_bytes()
    first_ns = opened.predict(feeds, spec, False).prediction_ns
    run, steady = opened.repeated(feeds, spec), list[int]()
    end_ns = monotonic_ns() + _STEADY_NS
    while len(steady) < _LEAST_STEADY or (
        len(steady) < _MOST_STEADY and monotonic_ns() < end_ns
    ):
        steady.append(run(feeds).prediction_ns)
    return ShapeRun(first_ns, tuple(steady), load_ns, before, _own_bytes())


def _own_bytes() -> int:
    private = process_state.private_bytes()
    return process_state.resident_bytes() if private is None else private


def generate(worker: Worker, request: requests.Generate) -> Generation:
    """Generate text token by token."""
    opened, load_ns = worker.open(request.model, request.spec)
    said, encode_ns = tuple[OutputValue, ...](), 0
    if request.encoder:
        encoder = Path(request.encoder)
        said, encode_ns, more_ns = worker.encode(encoder, request.spec, request.feeds)
        load_ns += more_ns
    asked = GenerationRequest(
        request.prompt,
        request.spec,
        request.feeds,
        request.sampling,
        request.max_tokens,
        request.ends,
        request.context,
        request.alternatives,
        request.continuation,
        request.reuse,
        request.rules,
        worker.stop,
        worker.report_progress,
        worker.report_token,
    )
    made = generating.generate(worker.backend, opened, request.model.name, asked, said)
    load_ns += made.load_ns
    return replace(made, load_ns=load_ns, encode_ns=encode_ns, notes=worker.notes(opened))


def reference(worker: Worker, request: requests.Reference) -> Prediction:
    """Predict with the reference evaluator of the model's format."""
    model = request.model
    worker.report_share("reference", -1)

    def once(values: Mapping[str, Feed]) -> Prediction:
        outputs, spent_ns = worker.whole.evaluate_reference(model, values, request.what)
        return Prediction(tuple(outputs), ("reference",), spent_ns, 0)

    answer = _over_steps(worker, once, request.feeds, request.steps)
    return _scaled(worker, answer, _output_scales(model, answer.outputs))


def _over_steps(
    worker: Worker,
    once: Callable[[Mapping[str, Feed]], Prediction],
    feeds: Mapping[str, Feed],
    steps: Steps | None,
) -> Prediction:
    """Predict once, or once for each frame."""
    if steps is None:
        return once(feeds)
    return run_steps(once, feeds, steps, lambda share: worker.report_share("steps", share))


def _scaled(worker: Worker, prediction: Prediction, scales: Mapping[str, Scale]) -> Prediction:
    """Return the answer, integers that stand for real numbers with their scale."""
    worker.report_share("answer", -1)
    outputs = tuple(with_scale(value, scales) for value in prediction.outputs)
    return replace_struct(prediction, outputs=outputs)


def measure(worker: Worker, request: requests.Measure) -> "PerformanceReport":
    """Measure a model."""
    worker.backend.info.check(request.spec)
    report = worker.whole.measure(
        MeasureRequest(
            request.model,
            request.identity,
            request.spec,
            request.feeds,
            worker.folder,
            worker.report_progress,
            request.known_ns,
            request.together,
            worker.pass_on,
        )
    )
    worker.report_share("answer", -1)
    return replace(report, notes=(*report.notes, *confinement_notes(worker.confinement)))


def score_tokens(worker: Worker, request: requests.ScoreTokens) -> TokenScores:
    """Score windows of a text with one model, or compare two on them."""
    worker.report_share("load", -1)
    began, against, spec = perf_counter_ns(), request.against, request.spec
    scorer, other = worker.scorer(request.model, spec), None
    if against is not None:
        its_spec, its_model = against.spec or spec, against.model or str(request.model)
        graft = Graft(its_model, request.grafted, request.shared) if request.grafted else None
        opened = request.model if graft else Path(its_model)
        other = worker.scorer(opened, spec if graft else its_spec, graft)
    load_ns = perf_counter_ns() - began
    scored = list[TokenScores]()
    for number, window in enumerate(request.windows):
        worker.report_share("score", number / len(request.windows))
        seen, targets = window[:-1], window[1:]
        own = scorer.logits(seen)
        theirs = None if other is None else other.logits(seen)
        if theirs is not None and theirs.shape != own.shape:
            why = f"the vocabularies have {own.shape[1]:,} and {theirs.shape[1]:,} tokens"
            hint = "Compare models that were made from the same one."
            raise BadInput(request.what, why, hint)
        if max(targets) >= own.shape[1]:
            why = (
                f"the text has the token {max(targets):,}, and the model's vocabulary ends at "
                f"{own.shape[1] - 1:,}"
            )
            raise BadInput(request.what, why, "Use the tokenizer.json made for the model.")
        kept = slice(-request.counted, None)
        scored.append(
            window_scores(own[kept], targets[kept], None if theirs is None else theirs[kept])
        )
    return joined_scores(scored, load_ns)


def list_devices(worker: Worker, request: requests.ListDevices) -> tuple[Device, ...]:
    """List devices."""
    worker.report_share("devices", -1)
    return worker.backend.devices(request.plugin)


def infer_shapes(worker: Worker, request: requests.InferShapes) -> Shapes:
    """Infer types and shapes; in pieces, they lie in files already."""
    worker.report_share("shapes", -1)
    if not request.pieces:
        return worker.whole.infer_shapes(request.model, request.dimensions)
    parts = worker.whole.infer_shapes_in_parts(request.model, request.dimensions)
    for number, (part, share) in enumerate(parts):
        (worker.folder / requests.piece_file(number)).write_bytes(stored.encode(part))
        worker.report_share(requests.piece_step(number), share)
    return Shapes()


def check_support(
    worker: Worker, request: requests.CheckSupport
) -> dict[str, dict[int, Support]]:
    """Test which layers devices can run."""
    worker.report_share("support", -1)
    return worker.whole.layer_support(
        request.model, request.spec, request.shapes, request.layers
    )


def compile_model(worker: Worker, request: requests.CompileModel) -> CompiledModel:
    """Compile a model for a device."""
    worker.release()
    worker.report_share("compile", -1)
    return worker.whole.compiled(request.model, request.spec, worker.folder)


def profile_compiled(
    worker: Worker, request: requests.ProfileCompiled
) -> dict[int, ProviderProfile]:
    """Time layers inside a part that a provider compiled."""
    worker.report_share("inside", -1)
    return worker.whole.provider_counters(request.model, request.device, request.feeds)


def list_prepacked(worker: Worker, request: requests.ListPrepacked) -> WeightPrepacking:
    """List prepacked weights."""
    worker.report_share("packing", -1)
    return worker.whole.prepacked_weights(request.model, request.spec, worker.folder)


def measure_ceiling(worker: Worker, request: requests.MeasureCeiling) -> Ceiling:
    """Measure the peak rates of a device."""
    return worker.whole.device_ceiling(
        request.device,
        request.threads,
        request.dtype,
        request.bytes_per_second,
        worker.folder,
        worker.report_progress,
    )


def open_with(worker: Worker, request: requests.OpenWith) -> CompatibilityResult:
    """Open a model with another program."""
    worker.report_share("open", -1)
    return worker.whole.open_with(request.program, request.model, request.libraries)


def step_through(worker: Worker, request: requests.StepThrough) -> Stepping:
    """Run a model layer by layer."""
    worker.release()
    worker.report_share("load", -1)
    asked = SteppingRequest(request.model, request.spec, request.feeds, request.against)
    return worker.whole.step(asked, request.tolerance, worker.report_share)


def get_tensor(worker: Worker, request: requests.GetTensor) -> Prediction:
    """Return one inner tensor of a model, and of another run of it."""
    worker.release()
    worker.report_share("value", -1)
    asked = SteppingRequest(request.model, request.spec, request.feeds, request.against)
    own, other, remark = worker.whole.inner_tensor(asked, request.tensor, request.what)
    outputs = (own,) if other is None else (own, other)
    return Prediction(outputs, request.spec.devices, 0, 0, (remark,) if remark else ())


def get_tensors(worker: Worker, request: requests.GetTensors) -> Prediction:
    """Return inner tensors of a model, all from one run."""
    worker.release()
    worker.report_share("value", -1)
    asked = SteppingRequest(request.model, request.spec, request.feeds)
    outputs = worker.whole.inner_tensors(asked, request.tensors, request.given, request.what)
    return Prediction(outputs, request.spec.devices, 0, 0)


def run_layer(worker: Worker, request: requests.RunLayer) -> Alone:
    """Run one layer by itself."""
    worker.release()
    asked = SteppingRequest(request.model, request.spec, request.feeds)
    return worker.whole.run_layer(asked, request.layer, worker.report_share)


def optimize_graph(worker: Worker, request: requests.OptimizeGraph) -> "ExecutedGraph":
    """Optimize a model into `EXECUTED_FILES`, and explain the graph by its layers."""
    worker.release()
    worker.backend.info.check(request.spec)
    worker.report_share("executed graph", -1)
    written, weights = (worker.folder / name for name in requests.EXECUTED_FILES)
    return worker.whole.executed_graph(request.model, request.spec, written, weights)


def list_effects(worker: Worker, request: requests.ListEffects) -> tuple[Effect, ...]:
    """Find out what steps would do to a model after a recipe."""
    worker.release()
    worker.report_share("convert", -1)
    with _restored(worker, request.model) as (model, more):
        effects: tuple[Effect, ...] = worker.conversion.effects_of(
            model, request.steps, request.others, worker.folder, **more
        )
    return effects


@contextmanager
def _restored(worker: Worker, model: Path) -> Iterator[tuple[Path, dict[str, Path]]]:
    """Yield a file that can be changed, and the model that it stands for where that is another:
    one in the ORT format becomes ONNX first."""
    if not opening.is_ort(model):
        yield model, {}
        return
    restored = worker.folder / "restored.onnx"
    try:
        worker.whole.as_onnx(model, restored)
        yield restored, {"source": model}
    finally:
        restored.unlink(missing_ok=True)


def convert(worker: Worker, request: requests.Convert) -> Converted:
    """Change a model by a recipe."""
    worker.release()
    worker.report_share("convert", -1)
    with _restored(worker, request.model) as (model, more):
        converted: Converted = worker.conversion.convert(
            model,
            request.steps,
            worker.folder,
            request.ranges,
            lambda share: worker.report_share("convert", share),
            Path(request.name).name,
            _arrays(request.feeds),
            **more,
        )
    if converted.files and not converted.observe:
        made = worker.folder / converted.files[0]
        _expect_same_ends(request.model, made, request.steps)
    return converted


def _arrays(feeds: requests.Feeds) -> dict[str, Any]:
    """Return the contents of files, none of which is a sequence of tensors."""
    return {name: feed for name, feed in feeds.items() if not isinstance(feed, tuple)}


def edit_model(worker: Worker, request: requests.EditModel) -> Edited:
    """Bring a model into the state after some edits, and write it."""
    worker.report_share("edit", -1)
    edited = worker.edited(request.model)
    edited.go_to(request.steps, _arrays(request.feeds))
    weights = Path(request.weights).name
    return edited.write(worker.folder, Path(request.name).name, weights)


def preview_edits(worker: Worker, request: requests.PreviewEdits) -> tuple[Change, ...]:
    """Find out what each of other edits would do."""
    worker.report_share("edit", -1)
    edited = worker.edited(request.model)
    edited.go_to(request.steps, _arrays(request.feeds))
    return tuple(map(edited.preview, request.others))


def _expect_same_ends(before: Path, after: Path, steps: Sequence[Step]) -> None:
    """Raise EngineFailed if a recipe whose actions keep inputs and outputs changed their names
    or their order."""
    # 2 ms of each start of an engine, few of which convert
    from inspector.conversion.registry import ACTIONS

    if not all(ACTIONS[step.action].keeps_ends for step in steps):
        return
    models = opening.open_model(before), opening.open_model(after)
    for side in ("inputs", "outputs"):
        names = [tuple(info.name for info in getattr(model, side)) for model in models]
        if names[0] != names[1]:
            texts = (clip(", ".join(each), 120) or "none" for each in names)
            why = "the {} of the result are {}, those of the model {}"
            raise EngineFailed(
                f"Could not convert {clip(before.name)}",
                why.format(side, *[*texts][::-1]),
                "This is a fault of the action: please report it with the model. "
                "Leave out a step to see which one it is.",
                phase="convert",
            )


def _state(model: Path) -> tuple[int, int]:
    """Return size and time of a file, to notice that it was replaced."""
    try:
        status = model.stat()
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        why = "there is no such file" if missing else error.strerror or str(error)
        raise UnreadableFile(f"Could not open {model.name}", why, "Check the path.") from error
    return status.st_size, status.st_mtime_ns


# Every request that a process answers: an entry here and the class are all of a new one.
HANDLERS: dict[type[Request[Any]], Callable[[Worker, Any], Any]] = {
    requests.Load: load,
    requests.Predict: predict,
    requests.RunShape: run_shape,
    requests.Generate: generate,
    requests.Reference: reference,
    requests.Measure: measure,
    requests.ScoreTokens: score_tokens,
    requests.ListDevices: list_devices,
    requests.InferShapes: infer_shapes,
    requests.StepThrough: step_through,
    requests.GetTensor: get_tensor,
    requests.GetTensors: get_tensors,
    requests.RunLayer: run_layer,
    requests.OptimizeGraph: optimize_graph,
    requests.MeasureCeiling: measure_ceiling,
    requests.OpenWith: open_with,
    requests.ListEffects: list_effects,
    requests.Convert: convert,
    requests.EditModel: edit_model,
    requests.PreviewEdits: preview_edits,
    requests.CheckSupport: check_support,
    requests.CompileModel: compile_model,
    requests.ListPrepacked: list_prepacked,
    requests.ProfileCompiled: profile_compiled,
}
