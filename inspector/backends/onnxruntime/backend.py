"""ONNX Runtime as a backend, with all its jobs. Loaded only in an engine process.

An engine loads it for its first job beyond predictions: onnx and readers of profiles take
0.1 s. Stepping and ONNX's reference evaluator take as long again, and come with their jobs.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.analysis.facts.shapes import Shapes
from inspector.analysis.measured.layer_outputs import Alone, Stepping
from inspector.backends.array_files import Feed
from inspector.backends.base import MeasureRequest, ReportShare, SteppingRequest
from inspector.backends.measuring.turn_taking import TurnTaker
from inspector.backends.onnxruntime.attribution import executed_nodes
from inspector.backends.onnxruntime.graphs.shape_inference import infer, infer_in_pieces
from inspector.backends.onnxruntime.measuring.device_ceilings import ceiling
from inspector.backends.onnxruntime.measuring.generation_speed import measure_generation
from inspector.backends.onnxruntime.measuring.measure import measure
from inspector.backends.onnxruntime.measuring.prepacked_weights import count_prepacked
from inspector.backends.onnxruntime.placement import compiling, placement
from inspector.backends.onnxruntime.predictions import OnnxPredictions, naming_failed_layers
from inspector.backends.onnxruntime.profiling.provider_profilers import counts
from inspector.backends.onnxruntime.scoring import grafting
from inspector.backends.onnxruntime.scoring.scorer import SessionScorer
from inspector.backends.onnxruntime.sessions import devices, session
from inspector.backends.onnxruntime.sessions.compatibility_check import check_compatibility
from inspector.backends.onnxruntime.stepping.hoisting import plan_steps
from inspector.backends.onnxruntime.stepping.single_layer import time_layer
from inspector.backends.values import Graft
from inspector.model.tensors.prediction import OutputValue
from inspector.platform.late_modules import LateModule
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import Dimension, RunSpec

if TYPE_CHECKING:
    from inspector.backends.onnxruntime.stepping import stepping
else:
    # It loads onnx.reference: 250 modules.
    stepping = LateModule("inspector.backends.onnxruntime.stepping.stepping")


class OnnxRuntime(OnnxPredictions):
    """ONNX Runtime with its execution providers."""

    layer_support = staticmethod(placement.answer_support_query)
    compiled = staticmethod(compiling.compiled)
    executed_graph = staticmethod(executed_nodes.executed_graph)
    provider_counters = staticmethod(counts)
    prepacked_weights = staticmethod(count_prepacked)
    device_ceiling = staticmethod(ceiling)
    open_with = staticmethod(check_compatibility)

    def as_onnx(self, model: Path, target: Path) -> None:
        """Write a model in the ORT format as an ONNX file. Raises EngineFailed."""
        spec = RunSpec(optimization="none")
        config = {"session.save_model_format": "ONNX"}
        units = devices.resolve(spec.devices)
        session.create_session(model, spec, units, optimized_path=target, config=config)

    def infer_shapes(self, model: Path, dimensions: Sequence[Dimension]) -> Shapes:
        """Infer types and shapes of all values with onnx's own inference."""
        return infer(model, tuple(dimensions))

    def infer_shapes_in_parts(
        self, model: Path, dimensions: Sequence[Dimension]
    ) -> Iterator[tuple[Shapes, float]]:
        """Yield shapes of a stretch of layers and the share of the layers that is done."""
        return infer_in_pieces(model, tuple(dimensions))

    def measure(self, request: MeasureRequest) -> PerformanceReport:
        """Measure a model: a clean pass, then a profiled pass."""
        taking = TurnTaker(request.pass_on if request.interleaved else None)
        if request.spec.generates:
            report = measure_generation(request, taking)
            turns = taking.turns(request.interleaved, len(report.prediction_ns))
            return replace(report, turns=turns)
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

    def evaluate_reference(
        self, model: Path, feeds: Mapping[str, Feed], what: str
    ) -> tuple[Sequence[OutputValue], int]:
        """Return the outputs of ONNX's reference evaluator, and its time in ns."""
        return stepping.evaluate(model, feeds, what)

    def step(
        self, request: SteppingRequest, tolerance: float | None, report_share: ReportShare
    ) -> Stepping:
        """Run layer by layer and compare each with another run, if there is one."""
        order = plan_steps(request.model, request.spec, request.feeds)
        return stepping.step_through(order, request.against, tolerance, report_share)

    def inner_tensor(
        self, request: SteppingRequest, tensor: str, what: str
    ) -> tuple[OutputValue, OutputValue | None, str]:
        """Return an inner tensor, the other run's, and why that is missing."""
        return stepping.inner_tensor_pair(
            plan_steps(request.model, request.spec, request.feeds),
            request.against,
            tensor,
            what,
        )

    def inner_tensors(
        self, request: SteppingRequest, tensors: Sequence[str], given: Sequence[str], what: str
    ) -> tuple[OutputValue, ...]:
        """Return inner tensors of one run; where none is named all, those in bodies too."""
        own = {name: feed for name, feed in request.feeds.items() if name not in given}
        plan = plan_steps(request.model, request.spec, own, bodies=not tensors)
        return stepping.inner_tensors(plan, tensors, given, request.feeds, what)

    def run_layer(
        self, request: SteppingRequest, layer: int, report_share: ReportShare
    ) -> Alone:
        """Run one layer by itself, `spec.runs` times."""
        return time_layer(request.model, request.spec, request.feeds, layer, report_share)

    def open_scorer(
        self, model: Path, spec: RunSpec, graft: Graft | None = None
    ) -> SessionScorer:
        """Make a language model ready that gives logits for each token of a text."""
        units = devices.resolve(spec.devices)
        if graft is not None:
            return SessionScorer(model.name, grafting.create_session(model, spec, units, graft))
        with naming_failed_layers(model, spec, {}):
            return SessionScorer(model.name, session.create_session(model, spec, units))
