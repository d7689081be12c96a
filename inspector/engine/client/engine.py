"""What every engine can be asked: one way in, and short forms of what is asked most.

`EngineProcess` answers in a process of this machine, `RemoteEngine` on another one; an engine
of a test answers as the test likes.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from inspector.analysis.facts.shapes import Shapes
from inspector.analysis.measured.layer_outputs import Stepping
from inspector.backends.values import ComparisonRun, Loaded
from inspector.conversion.action import Converted, Step
from inspector.engine import requests
from inspector.engine.requests import Feeds, Request
from inspector.model.tensors.prediction import Prediction
from inspector.preview.runs.steps import Steps
from inspector.report.report_values import Device, ModelIdentity
from inspector.report.run_spec import Dimension, RunSpec

if TYPE_CHECKING:
    from inspector.report.report import PerformanceReport

R = TypeVar("R")


class Engine:
    """Answers requests, one at a time; what fails is an InspectorError."""

    def call(self, request: Request[R]) -> R:
        """Return the answer to a request; blocks until then."""
        raise NotImplementedError

    def private_folder(self) -> Path:
        """Return a new folder for models in between, deleted when the engine is closed."""
        raise NotImplementedError

    def load(self, model: Path, spec: RunSpec) -> Loaded:
        """Make a model ready."""
        return self.call(requests.Load(model, spec))

    def predict(
        self,
        model: Path,
        spec: RunSpec,
        feeds: Feeds,
        warm: bool = False,
        steps: Steps | None = None,
    ) -> Prediction:
        """Predict once, or once for each of the steps."""
        return self.call(requests.Predict(model, spec, feeds, warm, steps))

    def measure(
        self,
        model: Path,
        identity: ModelIdentity,
        spec: RunSpec,
        feeds: Feeds,
        wait: bool = True,
    ) -> "PerformanceReport":
        """Measure a model in a fresh process."""
        return self.call(requests.Measure(model, identity, spec, feeds, wait))

    def steps(
        self,
        model: Path,
        spec: RunSpec,
        feeds: Feeds,
        against: ComparisonRun | None = None,
        tolerance: float | None = None,
    ) -> Stepping:
        """Predict layer by layer."""
        return self.call(requests.StepThrough(model, spec, feeds, against, tolerance))

    def shapes(
        self, model: Path, dimensions: tuple[Dimension, ...] = (), seconds: float = 10.0
    ) -> Shapes:
        """Infer types and shapes of values."""
        return self.call(requests.InferShapes(model, dimensions, seconds))

    def devices(self) -> tuple[Device, ...]:
        """List devices."""
        return self.call(requests.ListDevices())

    def convert(
        self,
        model: Path,
        steps: Sequence[Step],
        folder: Path,
        ranges: Mapping[str, tuple[float, float]] | None = None,
        name: str = "model.onnx",
    ) -> Converted:
        """Run a recipe on a model, and put the files of the result into a folder."""
        given = None if ranges is None else dict(ranges)
        return self.call(requests.Convert(model, tuple(steps), folder, given, name))
