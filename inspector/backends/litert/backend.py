"""LiteRT as a backend, with all its jobs. Loaded only in an engine process."""

from collections.abc import Sequence
from pathlib import Path

from inspector.analysis.facts.shapes import Body, Shapes
from inspector.backends.base import (
    MeasureRequest,
    SteppingRequest,
)
from inspector.backends.layer_values import LayerValues, Values
from inspector.backends.litert import stepping
from inspector.backends.litert.interpreter import OpenedInterpreter
from inspector.backends.litert.measure import measure
from inspector.backends.litert.predictions import RUNTIME, LiteRtPredictions, check
from inspector.model.model import TensorInfo
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import Dimension, RunSpec


class LiteRt(LiteRtPredictions, LayerValues):
    """LiteRT on the CPU, with or without the XNNPACK delegate."""

    every_tensor_note = stepping.EVERY_TENSOR_NOTE

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

    def values(
        self, request: SteppingRequest, only: str
    ) -> tuple[Values, dict[str, TensorInfo]]:
        """Return the values of the main graph's tensors by name, or of one, and their types."""
        return stepping.values(request, only)
