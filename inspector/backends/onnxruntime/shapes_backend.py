"""Shape inference of ONNX models by the package `onnx` alone, without a runtime."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.analysis.facts.shapes import Shapes
from inspector.backends.base import Backend, MeasureRequest, OpenedModel, ReportProgress
from inspector.backends.onnxruntime.graphs.shape_inference import infer, infer_in_pieces
from inspector.backends.onnxruntime.info import ONNXRUNTIME
from inspector.backends.values import Plugin
from inspector.report.report_values import Device
from inspector.report.run_spec import Dimension, RunSpec

if TYPE_CHECKING:
    from inspector.report.report import PerformanceReport


class OnnxShapes(Backend):
    """Infers shapes, and runs nothing: it starts in half the time of ONNX Runtime."""

    info = ONNXRUNTIME

    def infer_shapes(self, model: Path, dimensions: Sequence[Dimension]) -> Shapes:
        """Infer types and shapes of all values with onnx's own inference."""
        return infer(model, tuple(dimensions))

    def infer_shapes_in_parts(
        self, model: Path, dimensions: Sequence[Dimension]
    ) -> Iterator[tuple[Shapes, float]]:
        """Yield shapes of a stretch of layers and the share of the layers that is done."""
        return infer_in_pieces(model, tuple(dimensions))

    def devices(self, plugin: Plugin | None = None) -> tuple[Device, ...]:
        """Raises EngineFailed."""
        raise self.unsupported("list devices in a process that only infers shapes")

    def open(self, model: Path, spec: RunSpec, report_progress: ReportProgress) -> OpenedModel:
        """Raises EngineFailed."""
        raise self.unsupported("run a model in a process that only infers shapes")

    def measure(self, request: MeasureRequest) -> "PerformanceReport":
        """Raises EngineFailed."""
        raise self.unsupported("measure in a process that only infers shapes")
