"""LiteRT as a backend, with all its jobs. Loaded only in an engine process."""

from collections.abc import Sequence
from pathlib import Path

from inspector.analysis.facts.shapes import Body, Shapes
from inspector.analysis.measured.layer_outputs import Stepping
from inspector.backends.base import (
    MeasureRequest,
    ReportShare,
    SteppingRequest,
)
from inspector.backends.litert.interpreter import OpenedInterpreter
from inspector.backends.litert.measure import measure
from inspector.backends.litert.predictions import RUNTIME, LiteRtPredictions, check
from inspector.backends.litert.stepping import inner_tensor, inner_tensors, step_through
from inspector.model.tensors.prediction import OutputValue
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import Dimension, RunSpec


class LiteRt(LiteRtPredictions):
    """LiteRT on the CPU, with or without the XNNPACK delegate."""

    def measure(self, request: MeasureRequest) -> PerformanceReport:
        """Measure a model: a clean pass, then a profiled pass."""
        check(request.spec)
        return measure(request, self.devices(), RUNTIME)

    def infer_shapes(self, model: Path, dimensions: Sequence[Dimension]) -> Shapes:
        """Return the shapes that the runtime gives all values when it allocates them."""
        spec = RunSpec(dimensions=tuple(dimensions), xnnpack=False)
        opened = OpenedInterpreter(model, spec, all_values=True)
        lengths = {each.name: each.size for each in dimensions}
        return Shapes((Body(values=opened.shapes()),), lengths)

    def step(
        self,
        request: SteppingRequest,
        tolerance: float | None,
        report_share: ReportShare,
    ) -> Stepping:
        """Return the outputs of all layers, and compare them with another run's."""
        return step_through(request, tolerance, report_share)

    def inner_tensor(
        self, request: SteppingRequest, tensor: str, what: str
    ) -> tuple[OutputValue, OutputValue | None, str]:
        """Return an inner tensor, the other run's, and why that is missing."""
        return inner_tensor(request, tensor, what)

    def inner_tensors(
        self,
        request: SteppingRequest,
        tensors: Sequence[str],
        given: Sequence[str],
        what: str,
    ) -> tuple[OutputValue, ...]:
        """Return inner tensors of one run, all where none is named."""
        return inner_tensors(request, tensors, given, what)
