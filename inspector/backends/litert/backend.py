"""LiteRT as a backend, with all its jobs. Loaded only in an engine process."""

from collections.abc import Sequence
from pathlib import Path

from inspector.analysis.facts.shapes import Body, Shapes
from inspector.backends import type_names
from inspector.backends.base import MeasureRequest, SteppingRequest
from inspector.backends.layer_values import LayerValues, Values
from inspector.backends.litert import interpreter
from inspector.backends.litert.interpreter import REFUSALS, OpenedInterpreter
from inspector.backends.litert.measure import measure
from inspector.backends.litert.predictions import RUNTIME, LiteRtPredictions, check
from inspector.model.model import TensorInfo
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import Dimension, RunSpec


class LiteRt(LiteRtPredictions, LayerValues):
    """LiteRT on the CPU, with or without the XNNPACK delegate."""

    every_tensor_note = (
        "LiteRT's own kernels ran, because the XNNPACK delegate does not return the tensors "
        "inside its partitions. A normal run may round differently."
    )

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
        known = interpreter.structure(request.model)
        opened = OpenedInterpreter(request.model, request.spec, known, all_values=True)
        what = f"Could not run {request.model.name} layer by layer"
        try:
            opened.set_inputs(request.feeds, request.spec)
            opened.interpreter.invoke()
        except REFUSALS as error:
            raise interpreter.failure(error, what, "prediction", known.model) from error
        found: Values = {}
        for number, name in enumerate(known.names):
            if name in found or (only and name != only):
                continue
            try:
                found[name] = type_names.widened(opened.value(number))
            except REFUSALS:  # a tensor that this run did not need
                continue
        return found, {value.name: value for value in known.model.values}
