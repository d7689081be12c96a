"""ONNX Runtime as an engine that predicts starts with it: without the package `onnx`.

Only an engine process loads it. `backend.py` has the jobs beyond predictions.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter_ns
from typing import TYPE_CHECKING

import onnxruntime
from msgspec import Struct, field

from inspector.backends import signature
from inspector.backends.array_files import Feed
from inspector.backends.base import (
    Backend,
    Described,
    GenerationRequest,
    MeasureRequest,
    OpenedModel,
    Outputs,
    ReportProgress,
)
from inspector.backends.call_times import CallTimes
from inspector.backends.onnxruntime.info import ONNXRUNTIME
from inspector.backends.onnxruntime.sessions import devices, predict, session
from inspector.backends.values import Plugin
from inspector.errors import EngineFailed
from inspector.model.model import TensorInfo
from inspector.platform.late_modules import LateModule
from inspector.platform.memory_budget import has_room
from inspector.report.language.generation import Generation
from inspector.report.report_values import Device
from inspector.report.run_spec import RunSpec
from inspector.wording.values import Sentence

if TYPE_CHECKING:
    from inspector.backends.generation.conversation import Conversation
    from inspector.backends.onnxruntime.generation import decoder
    from inspector.report.report import PerformanceReport
else:
    # 40 ms: it tells inputs apart by rules for all kinds of models.
    decoder = LateModule("inspector.backends.onnxruntime.generation.decoder")

NAMING_BYTES = 256 << 20  # what naming a failed layer may take: onnx, and small models again


@contextmanager
def naming_failed_layers(
    model: Path, spec: RunSpec, feeds: Mapping[str, Feed]
) -> Iterator[None]:
    """Let a failure of the runtime, in loading or later, name the layer as the model does."""
    try:
        yield
    except EngineFailed as error:
        if not has_room(NAMING_BYTES):
            raise
        # onnx, 110 ms: only a failure is traced to its layer
        from inspector.backends.onnxruntime.placement import failing_layer

        named = failing_layer.with_layer_named(error, model, spec, feeds)
        raise named from error.__cause__


class OpenedSession(Struct, frozen=True, eq=False):
    """A session of ONNX Runtime.

    calls: times of its calls so far. conversations: what it remembers of the text that it
    generated last, by the path of the graph that continued it. continuations: the sessions of
    such graphs.
    """

    model: Path
    session: onnxruntime.InferenceSession
    devices: tuple[str, ...]
    notes: tuple[str, ...]
    calls: CallTimes
    conversations: "dict[str, Conversation]" = field(default_factory=dict)
    continuations: dict[str, onnxruntime.InferenceSession] = field(default_factory=dict)

    @property
    def load_ns(self) -> int:
        """Return how long the session took to create."""
        return self.calls.load_ns

    @property
    def inputs(self) -> tuple[TensorInfo, ...]:
        """Describe the inputs that need a value."""
        return predict.session_inputs(self.session)[0]

    @property
    def outputs(self) -> tuple[TensorInfo, ...]:
        """Describe the outputs, in the session's order."""
        return signature.tensor_infos(self.session.get_outputs())

    def check_inputs(self, feeds: Mapping[str, Described], spec: RunSpec) -> None:
        """Check types and shapes of feeds before they are read. Raises BadInput."""
        inputs, defaults = predict.session_inputs(self.session)
        signature.check_feeds(inputs, feeds, defaults, spec.cast)

    def predict(self, feeds: Mapping[str, Feed], spec: RunSpec, warm: bool) -> Outputs:
        """Run the session once. Raises BadInput, EngineFailed; DeviceFailed names layers."""
        what = Sentence("Could not run {name}", self.model.name)
        calls = self.calls if warm else None
        with naming_failed_layers(self.model, spec, feeds):
            values, spent_ns = predict.predict(self.session, feeds, what, spec.cast, calls)
        if calls is None:
            return Outputs(values, spent_ns)
        return Outputs(values, spent_ns, calls.first_ns, calls.warm_ns, calls.load_ns)

    def repeated(
        self, feeds: Mapping[str, Feed], spec: RunSpec
    ) -> Callable[[Mapping[str, Feed]], Outputs]:
        """Return what runs the session again and again, with other values each time."""
        what = Sentence("Could not run {name}", self.model.name)
        run = predict.repeated(self.session, feeds, what, spec.cast)

        def once(values: Mapping[str, Feed]) -> Outputs:
            with naming_failed_layers(self.model, spec, values):
                return Outputs(*run(values))

        return once


class OnnxPredictions(Backend):
    """Opens models and predicts; it starts in half the time of all that ONNX Runtime can do."""

    info = ONNXRUNTIME

    def devices(self, plugin: Plugin | None = None) -> tuple[Device, ...]:
        """List the devices of the runtime or of one plugin, each tested by one addition."""
        units = devices.plugin_units(plugin) if plugin else devices.all_builtin_units()
        return tuple(devices.test_device(unit) for unit in units)

    def open(
        self, model: Path, spec: RunSpec, report_progress: ReportProgress
    ) -> OpenedSession:
        """Create a session on the devices of `spec`."""
        with naming_failed_layers(model, spec, {}):
            report_progress("devices", -1, ())
            units = devices.resolve(spec.devices)
            report_progress("load", -1, ())
            began = perf_counter_ns()
            made = session.create_session(model, spec, units)
            load_ns = perf_counter_ns() - began
            notes = (*session.loading_notes(model), *session.notes_of(made, units))
            used = session.devices_of(made, units)
            return OpenedSession(model, made, used, notes, CallTimes(load_ns))

    def generate(self, opened: OpenedModel, request: GenerationRequest) -> Generation:
        """Generate text; the cache stays with the session for a prompt that goes on."""
        assert isinstance(opened, OpenedSession), "opened by `open`"
        known = opened.conversations.get(request.continuation)
        if known is None or request.feeds:
            opened.conversations.clear()
            more = opened.continuations.get(request.continuation)
            if request.continuation and more is None:
                path = Path(request.continuation)
                more = self.open(path, request.spec, request.report_progress).session
                opened.continuations[request.continuation] = more
            known = decoder.open_conversation(opened.model, opened.session, more, request.feeds)
            if not request.feeds:
                opened.conversations[request.continuation] = known
        return known.generate(request)

    def measure(self, request: MeasureRequest) -> "PerformanceReport":
        """Raises EngineFailed."""
        raise self.unsupported("measure in a process that only predicts")
