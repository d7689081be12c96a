"""What every engine can be asked: one way in, and short forms of what is asked most.

`EngineProcess` answers in a process of this machine, `RemoteEngine` on another one; an engine
of a test answers as the test likes.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

from inspector.analysis.facts.shapes import Shapes
from inspector.analysis.measured.layer_outputs import Stepping
from inspector.backends.values import ComparisonRun, Loaded, Progress
from inspector.conversion.action import Converted, Step
from inspector.engine import requests
from inspector.engine.requests import Feeds, Request
from inspector.model.tensors.prediction import Prediction
from inspector.platform.work_limits import Limits
from inspector.preview.runs.steps import Steps
from inspector.report.report_values import Device, ModelIdentity
from inspector.report.run_spec import Dimension, RunSpec

if TYPE_CHECKING:
    from inspector.report.report import PerformanceReport

R = TypeVar("R")


class Engine:
    """Answers requests, one at a time; every way to fail is one InspectorError.

    Methods block; call them from any one thread at a time. on_progress: told how a job comes
    along, on the thread that called. partial: what the last measurement had when it failed or
    was stopped; None if it did not or had nothing. waited_seconds: so far, for other
    measurements of this user to end. elsewhere: whether it is on another machine.
    """

    elsewhere = False

    def __init__(
        self,
        on_progress: Callable[[Progress], None] = lambda _: None,
        limits: Limits | None = None,
    ) -> None:
        self._on_progress = on_progress
        self._limits = limits or Limits()
        self._one_job = threading.Lock()
        self.partial: PerformanceReport | None = None
        self.waited_seconds = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def call(self, request: Request[R]) -> R:
        """Return the answer to a request; blocks until then."""
        raise NotImplementedError

    def kill(self) -> None:
        """Stop the current job, from any thread: it raises Cancelled."""
        raise NotImplementedError

    def close(self) -> None:
        """Stop the current job, and end what answers."""
        raise NotImplementedError

    def start_for(self, model: Path) -> None:
        """Prepare for a model whose shapes will be asked for, without waiting."""

    def set_limits(self, limits: Limits) -> None:
        """Give later jobs other limits of time; those of a process stay."""
        self._limits = replace(
            self._limits, job_seconds=limits.job_seconds, stall_seconds=limits.stall_seconds
        )

    @property
    def out_of_time(self) -> bool:
        """Return whether the time of all jobs together is over, so that none can begin."""
        return self._limits.out_of_time

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
