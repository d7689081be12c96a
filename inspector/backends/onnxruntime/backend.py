"""ONNX Runtime as a backend. Loaded only in an engine process.

The features beyond predictions are imported when they are first used: some need seconds.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter_ns
from typing import TYPE_CHECKING

import onnxruntime

from inspector.analysis.facts.shapes import Shapes
from inspector.analysis.measured.layer_outputs import Alone, Stepping
from inspector.backends import signature
from inspector.backends.array_files import Feed
from inspector.backends.base import (
    Backend,
    Described,
    LayerSupport,
    MeasureRequest,
    Outputs,
    ReportProgress,
    ReportShare,
    SteppingRequest,
)
from inspector.backends.call_times import CallTimes
from inspector.backends.onnxruntime.info import ONNXRUNTIME
from inspector.backends.onnxruntime.sessions import devices, predict, session
from inspector.backends.values import Plugin
from inspector.errors import EngineFailed
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue
from inspector.platform.memory_budget import has_room
from inspector.report.compatibility import CompatibilityResult
from inspector.report.environment import WeightPrepacking
from inspector.report.report_values import Device, ProviderProfile
from inspector.report.roofline import Ceiling
from inspector.report.run_spec import Dimension, RunSpec
from inspector.wording.values import Sentence

if TYPE_CHECKING:
    from inspector.analysis.measured.executed_graph import ExecutedGraph
    from inspector.report.report import PerformanceReport

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
        from inspector.backends.onnxruntime.placement import failing_layer

        named = failing_layer.with_layer_named(error, model, spec, feeds)
        raise named from error.__cause__


@dataclass(frozen=True, slots=True, eq=False)
class OpenedSession:
    """A session of ONNX Runtime. calls: times of its calls so far."""

    model: Path
    session: onnxruntime.InferenceSession
    devices: tuple[str, ...]
    notes: tuple[str, ...]
    calls: CallTimes

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


class OnnxRuntime(Backend):
    """ONNX Runtime with its execution providers."""

    info = ONNXRUNTIME

    def infer_shapes(self, model: Path, dimensions: Sequence[Dimension]) -> Shapes:
        """Infer types and shapes of all values with onnx's own inference."""
        from inspector.backends.onnxruntime.graphs.shape_inference import infer

        return infer(model, tuple(dimensions))

    def infer_shapes_in_parts(
        self, model: Path, dimensions: Sequence[Dimension]
    ) -> Iterator[tuple[Shapes, float]]:
        """Yield shapes of a stretch of layers and the share of the layers that is done."""
        from inspector.backends.onnxruntime.graphs.shape_inference import infer_in_pieces

        return infer_in_pieces(model, tuple(dimensions))

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

    def measure(self, request: MeasureRequest) -> "PerformanceReport":
        """Measure a model: a clean pass, then a profiled pass."""
        from inspector.backends.measuring.turn_taking import TurnTaker
        from inspector.backends.onnxruntime.measuring.measure import measure

        taking = TurnTaker(request.pass_on if request.interleaved else None)
        with naming_failed_layers(request.model, request.spec, request.feeds):
            report = measure(
                request.model,
                request.identity,
                request.spec,
                request.feeds,
                request.folder,
                request.report_progress,
                request.reference_ns,
                taking,
            )
        turns = taking.turns(request.interleaved, len(report.prediction_ns))
        return replace(report, turns=turns)

    def layer_support(
        self,
        model: Path,
        spec: RunSpec,
        shapes: Mapping[str, tuple[int, ...]],
        layers: Mapping[str, Sequence[int]],
    ) -> dict[str, LayerSupport]:
        """Offer layers to the devices, and look absent devices up in tables."""
        from inspector.backends.onnxruntime.placement import placement

        return placement.answer_support_query(model, spec, shapes, layers)

    def evaluate_reference(
        self, model: Path, feeds: Mapping[str, Feed], what: str
    ) -> tuple[Sequence[OutputValue], int]:
        """Return the outputs of ONNX's reference evaluator, and its time in ns."""
        from inspector.backends.onnxruntime.stepping import reference_evaluator

        return reference_evaluator.evaluate(model, feeds, what)

    def step(
        self,
        request: SteppingRequest,
        tolerance: float | None,
        report_share: ReportShare,
    ) -> Stepping:
        """Run layer by layer and compare each with another run, if there is one."""
        from inspector.backends.onnxruntime.stepping import stepping
        from inspector.backends.onnxruntime.stepping.hoisting import plan_steps

        order = plan_steps(request.model, request.spec, request.feeds)
        return stepping.step_through(order, request.against, tolerance, report_share)

    def inner_tensor(
        self,
        request: SteppingRequest,
        tensor: str,
        what: str,
    ) -> tuple[OutputValue, OutputValue | None, str]:
        """Return an inner tensor, the other run's, and why that is missing."""
        from inspector.backends.onnxruntime.stepping import stepping
        from inspector.backends.onnxruntime.stepping.hoisting import plan_steps

        return stepping.inner_tensor_pair(
            plan_steps(request.model, request.spec, request.feeds),
            request.against,
            tensor,
            what,
        )

    def run_layer(
        self, request: SteppingRequest, layer: int, report_share: ReportShare
    ) -> Alone:
        """Run one layer by itself, `spec.runs` times."""
        from inspector.backends.onnxruntime.stepping.single_layer import time_layer

        return time_layer(request.model, request.spec, request.feeds, layer, report_share)

    def executed_graph(
        self, model: Path, spec: RunSpec, written: Path, weights: Path
    ) -> "ExecutedGraph":
        """Optimize a model, write graph and weights, and explain it by the layers."""
        from inspector.backends.onnxruntime.attribution import executed_nodes

        return executed_nodes.executed_graph(model, spec, written, weights)

    def provider_counters(
        self, model: Path, device: str, feeds: Mapping[str, Feed]
    ) -> dict[int, ProviderProfile]:
        """Return times of layers inside a part that OpenVINO compiled, from its own package."""
        from inspector.backends.onnxruntime.profiling.provider_profilers import counts

        return counts(model, device, feeds)

    def prepacked_weights(self, model: Path, spec: RunSpec, folder: Path) -> WeightPrepacking:
        """Return which weights kernels store again in a layout of their own."""
        from inspector.backends.onnxruntime.measuring.prepacked_weights import count_prepacked

        return count_prepacked(model, spec, folder)

    def device_ceiling(
        self,
        device: str,
        threads: int,
        dtype: str,
        bytes_per_second: float,
        folder: Path,
        report_progress: ReportProgress,
    ) -> Ceiling:
        """Measure the peak rates of a device with small models of its own."""
        from inspector.backends.onnxruntime.measuring.device_ceilings import ceiling

        return ceiling(device, threads, dtype, bytes_per_second, folder, report_progress)

    def open_with(
        self, program: str, model: Path, libraries: Sequence[str] = ()
    ) -> CompatibilityResult:
        """Return whether onnx's checker, another package or the runtime opens a model."""
        from inspector.backends.onnxruntime.sessions.compatibility_check import (
            check_compatibility,
        )

        return check_compatibility(program, model, libraries)
