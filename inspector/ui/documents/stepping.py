"""The walk through the layers of one document: started here, kept here."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from numpy import generic
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from inspector.analysis.measured import layer_outputs
from inspector.analysis.measured.layer_outputs import Alone
from inspector.app.subjects import of_values, sources_of
from inspector.engine.client.engine import Engine
from inspector.engine.client.engine_process import ComparisonRun
from inspector.engine.requests import GetTensor, RunLayer
from inspector.errors import Cancelled, InspectorError
from inspector.model.model import Model
from inspector.model.tensors.element_types import Fed
from inspector.preview.inputs.feeds import feeds_by_name
from inspector.report.run_spec import InputSource, RunSpec
from inspector.ui.background import TaskRunner

LongJob = Callable[["Engine", Callable[[], bool]], Any]
_RUNS_ALONE = 50


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """One tensor: what our side has, what the other has if it does, and why it does not."""

    tensor: str
    ours: NDArray[generic] | None
    theirs: NDArray[generic] | None
    remark: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class _StepRequest:
    """The request of a finished walk, so that its tensors can be read later."""

    spec: RunSpec
    against: ComparisonRun | None
    feeds: dict[str, Fed]


class Host(Protocol):
    """The part of a document that stepping through layers needs."""

    spec: RunSpec
    feeds: dict[str, Fed]
    sources: dict[str, InputSource]

    def step(self, job: LongJob, then: Callable[[Any], None]) -> None: ...  # noqa: D102


class Stepping(QObject):
    """The outputs of a model's layers; views wait for the signals.

    found: None until `changed`. inputs: what the model was given for it. alone: times of
    single layers. Single tensors are read in an engine of their own, so that looking at one
    keeps nobody from measuring.
    """

    changed = Signal()
    timed = Signal(int)  # layer
    read = Signal(object)  # Pair
    refused = Signal(object)  # InspectorError: a tensor could not be read

    def __init__(
        self,
        document: Host,
        path: Path,
        model: Model,
        start_engine: Callable[[], Engine],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.model, self._path, self._document = model, path, document
        self.found: layer_outputs.Stepping | None = None
        self.inputs: tuple[InputSource, ...] = ()
        self.alone: dict[int, Alone] = {}
        self._asked: _StepRequest | None = None
        self._start_engine = start_engine
        self._engine: Engine | None = None
        self._reading = self._wanted = ""
        self._jobs = TaskRunner(self)

    def run(self, level: str, against: ComparisonRun | None, tolerance: float | None) -> None:
        """Go through the layers with the present settings and inputs; `changed` follows."""
        document, path, model = self._document, self._path, self.model
        spec = replace(document.spec, optimization=level)
        feeds, sources = dict(document.feeds), dict(document.sources)

        def job(
            engine: Engine, stopped: Callable[[], bool]
        ) -> tuple[layer_outputs.Stepping, _StepRequest, tuple[InputSource, ...]]:

            filled = of_values(path, model, spec, feeds, sources).filled()
            values = feeds_by_name(filled)
            stepping = engine.steps(path, spec, values, against, tolerance)
            return stepping, _StepRequest(spec, against, values), sources_of(filled)

        document.step(job, self._take)

    def time_alone(self, layer: int) -> None:
        """Run one layer by itself, on what it got in the walk; `timed` follows."""
        request = self._asked
        assert request is not None, "only a layer that was walked through is timed"
        spec = replace(request.spec, runs=_RUNS_ALONE)

        def job(engine: Engine, stopped: Callable[[], bool]) -> Alone:
            return engine.call(RunLayer(self._path, spec, request.feeds, layer))

        def show(timing: Alone) -> None:
            self.alone[layer] = timing
            self.timed.emit(layer)

        self._document.step(job, show)

    def look(self, tensor: str) -> None:
        """Get a tensor; `read` follows, unless another one is asked for meanwhile."""
        self._wanted = tensor
        if not self._reading and tensor:
            self._begin(tensor)

    def close(self) -> None:
        """Stop what is under way; no signal comes any more."""
        self._jobs.discard_results()
        if self._engine is not None:
            self._engine.close()

    def _take(
        self, outcome: tuple[layer_outputs.Stepping, _StepRequest, tuple[InputSource, ...]]
    ) -> None:
        self.found, self._asked, self.inputs = outcome
        self.alone = {}
        self.changed.emit()

    def _begin(self, tensor: str) -> None:
        request = self._asked
        assert request is not None, "only tensors of a walk are read"
        self._reading = tensor

        def work() -> Pair:
            if self._engine is None:
                self._engine = self._start_engine()
            answer = self._engine.call(
                GetTensor(self._path, request.spec, request.feeds, tensor, request.against)
            )
            ours, *theirs = [output.array for output in answer.outputs]
            remark = " ".join(answer.notes)
            return Pair(tensor, ours, theirs[0] if theirs else None, remark)

        def show(pair: Pair) -> None:
            if self._go_on(tensor):
                self.read.emit(pair)

        def fail(error: InspectorError) -> None:
            if self._go_on(tensor) and not isinstance(error, Cancelled):
                self.refused.emit(error)

        self._jobs.start(work, show, fail)

    def _go_on(self, tensor: str) -> bool:
        """Return whether what was read is still wanted; else the one that is, is begun."""
        self._reading = ""
        if self._wanted != tensor:
            self._begin(self._wanted)
            return False
        return True
