"""The walk through the layers of one document: started here, kept here."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any, Protocol

from msgspec import Struct
from numpy import generic
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from inspector.analysis.measured import layer_outputs
from inspector.analysis.measured.layer_outputs import Alone
from inspector.app.layers.walking import Walk, walk
from inspector.app.subjects import of_values
from inspector.engine.client.engine import Engine
from inspector.errors import Cancelled, InspectorError, UnreadableFile
from inspector.model.model import Model
from inspector.model.tensors.element_types import Fed
from inspector.platform import files
from inspector.preview.inputs.feeds import Filled
from inspector.preview.outputs.saving import file_names, npy, npz_pieces
from inspector.preview.runs.other_run import OtherRun
from inspector.report.run_spec import InputSource, RunSpec
from inspector.ui.background import TaskRunner
from inspector.ui.translate import tr

LongJob = Callable[["Engine", Callable[[], bool]], Any]
_RUNS_ALONE = 50


class Pair(Struct, frozen=True, eq=False):
    """One tensor: what our side has, what the other has if it does, and why it does not."""

    tensor: str
    ours: NDArray[generic] | None
    theirs: NDArray[generic] | None
    remark: str = ""


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
    keeps nobody from measuring. saving: how many outputs of all are saved by now; None while
    nothing is saved.
    """

    changed = Signal()
    timed = Signal(int)  # layer
    read = Signal(object)  # Pair
    refused = Signal(object)  # InspectorError: a tensor could not be read
    saved = Signal(object)  # Path of a file with outputs
    saving_changed = Signal()
    not_saved = Signal(object)  # InspectorError
    _saved_one = Signal(int)

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
        self.inputs: tuple[Filled, ...] = ()
        self.alone: dict[int, Alone] = {}
        self._walk: Walk | None = None
        self._other: Path | None = None
        self._start_engine = start_engine
        self._engine: Engine | None = None
        self._reading = self._wanted = ""
        self._jobs = TaskRunner(self)
        self.saving: tuple[int, int] | None = None
        self._stop_saving = Event()
        self._saved_one.connect(self._count_saved)

    def run(self, level: str, way: OtherRun | None, tolerance: float | None) -> None:
        """Go through the layers with the present settings and inputs; `changed` follows.

        way: the other run that outputs are held against.
        """
        document, path, model = self._document, self._path, self.model
        other = way.model if way is not None else ""
        self._other = Path(other).absolute() if other else None
        spec = replace(document.spec, optimization=level)
        subject = of_values(path, model, spec, dict(document.feeds), dict(document.sources))

        def job(engine: Engine, stopped: Callable[[], bool]) -> Walk:
            return walk(engine, subject, way, tolerance)

        document.step(job, self._take)

    @property
    def other_model(self) -> Path | None:
        """The other model of the last walk, if it was compared with one."""
        return self._other if self.found is not None else None

    def time_alone(self, layer: int) -> None:
        """Run one layer by itself, on what it got in the walk; `timed` follows."""
        walked = self._walk
        assert walked is not None, "only a layer that was walked through is timed"

        def job(engine: Engine, stopped: Callable[[], bool]) -> Alone:
            return walked.alone(engine, layer, _RUNS_ALONE)

        def show(timing: Alone) -> None:
            self.alone[layer] = timing
            self.timed.emit(layer)

        self._document.step(job, show)

    def look(self, tensor: str) -> None:
        """Get a tensor; `read` follows, unless another one is asked for meanwhile."""
        self._wanted = tensor
        if not self._reading and tensor:
            self._begin(tensor)

    def contents(self, tensor: str) -> NDArray[generic]:
        """Read a whole tensor in the caller's thread. Raises InspectorError."""
        with self._start_engine() as engine:
            return self._array(engine, tensor)

    def save(self, tensor: str, target: Path) -> None:
        """Write a tensor to an .npy file; `saved` or `not_saved` follows."""

        def job() -> Path:
            files.write_atomic(target, npy(self.contents(tensor)))
            return target

        self._jobs.start(job, self._end_saving, self._fail_saving)

    def save_all(self, target: Path) -> None:
        """Write the outputs of all layers to an .npz file; `saved` or `not_saved` follows."""
        steps = self.found.steps if self.found is not None else ()
        tensors = [output.name for step in steps for output in step.outputs if output.dtype]
        stop = self._stop_saving = Event()

        def arrays(engine: Engine) -> Iterator[tuple[str, NDArray[generic]]]:
            names = zip(file_names(tensors), tensors, strict=True)
            for number, (name, tensor) in enumerate(names, 1):
                if stop.is_set():
                    raise Cancelled(tr("Stopped"))
                yield name, self._array(engine, tensor)
                self._saved_one.emit(number)

        def job() -> Path:
            with self._start_engine() as engine:
                files.write_pieces(target, npz_pieces(arrays(engine)))
            return target

        self.saving = 0, len(tensors)
        self.saving_changed.emit()
        self._jobs.start(job, self._end_saving, self._fail_saving)

    def stop_saving(self) -> None:
        """Write no more outputs; the file is left as it was."""
        self._stop_saving.set()

    def _array(self, engine: Engine, tensor: str) -> NDArray[generic]:
        walked = self._walk
        assert walked is not None, "only tensors of a walk are read"
        array = walked.tensor(engine, tensor).outputs[0].array
        if array is None:
            raise UnreadableFile(
                tr("Could not read {tensor}").format(tensor=tensor), tr("it is no tensor")
            )
        return array

    def _count_saved(self, number: int) -> None:
        if self.saving is not None:
            self.saving = number, self.saving[1]
            self.saving_changed.emit()

    def _end_saving(self, target: Path) -> None:
        self.saving = None
        self.saving_changed.emit()
        self.saved.emit(target)

    def _fail_saving(self, error: InspectorError) -> None:
        self.saving = None
        self.saving_changed.emit()
        if not isinstance(error, Cancelled):
            self.not_saved.emit(error)

    def close(self) -> None:
        """Stop what is under way; no signal comes any more."""
        self._stop_saving.set()
        self._jobs.discard_results()
        if self._engine is not None:
            self._engine.close()

    def _take(self, walked: Walk) -> None:
        self._walk, self.found, self.alone = walked, walked.found, {}
        self.inputs = walked.filled
        self.changed.emit()

    def _begin(self, tensor: str) -> None:
        walked = self._walk
        assert walked is not None, "only tensors of a walk are read"
        self._reading = tensor

        def work() -> Pair:
            if self._engine is None:
                self._engine = self._start_engine()
            answer = walked.tensor(self._engine, tensor)
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
