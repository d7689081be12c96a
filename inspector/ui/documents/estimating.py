"""What engines of their own work out about a model when asked: cost, support, its graph."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from inspector.analysis.cost.estimate import Estimate
from inspector.analysis.devices.targets import Target, TargetSupport
from inspector.analysis.facts.shapes import Shapes
from inspector.analysis.measured.executed_graph import ExecutedGraph, with_original_names
from inspector.app import target_support
from inspector.app.estimates import cost_at, shapes_at
from inspector.backends import registry
from inspector.engine.client.engine import Engine
from inspector.engine.requests import OpenWith, OptimizeGraph
from inspector.errors import Cancelled, InspectorError
from inspector.model.model import Model
from inspector.platform.gc_policy import uncollected
from inspector.report.compatibility import PROGRAMS, CompatibilityResult
from inspector.report.device_ids import own_runtime
from inspector.report.run_spec import RunSpec
from inspector.ui import units
from inspector.ui.background import TaskRunner

_SIZES_CHARACTERS = 60  # that a line of the window has room for


def size_list(lengths: Mapping[str, int]) -> str:
    """Return lengths of axes as text: "batch = 1, height = 224"."""
    each = (f"{units.axis_size(n)} = {units.number(size)}" for n, size in lengths.items())
    return units.clip(", ".join(each), _SIZES_CHARACTERS)


class CostEstimation(QObject):
    """The estimate of one model, with lengths of free axes that the user may change.

    estimate: None until `changed`. It has an engine of its own for the time of an inference,
    so that a model on which inference hangs keeps nobody from predicting.
    """

    changed = Signal()

    def __init__(
        self, path: Path, model: Model, start_engine: Callable[[], Engine], parent: QObject
    ) -> None:
        super().__init__(parent)
        self.estimate: Estimate | None = None
        self.model, self._path, self._start_engine = model, path, start_engine
        self._lengths: dict[str, int] = {}
        self._asked = 0
        self._engine: Engine | None = None
        self._jobs = TaskRunner(self)

    def begin(self) -> None:
        """Work it out, unless somebody has asked already."""
        if not self._asked:
            self._ask()

    def set_length(self, name: str, length: int) -> None:
        """Reckon with another length of a free axis; `changed` follows."""
        if self._lengths.get(name) != length:
            self._lengths[name] = length
            self._ask()

    def shapes_at(self, lengths: Mapping[str, int]) -> Shapes:
        """Infer types and shapes in the caller's thread. lengths: of dynamic axes.

        Raises InspectorError: inference failed.
        """
        with self._start_engine() as engine:
            return shapes_at(engine, self._path, self.model, lengths)

    def check_targets(
        self, shown: Sequence[Target], lengths: Mapping[str, int]
    ) -> Sequence[TargetSupport]:
        """Return what each target would run, from support tables, in the caller's thread.

        lengths: of dynamic axes; without them, targets that need fixed shapes refuse layers.
        """
        with self._start_engine() as engine:
            return target_support.check_targets(engine, self._path, self.model, shown, lengths)

    def close(self) -> None:
        """Stop what is under way; `changed` comes no more."""
        self._jobs.discard_results()
        if self._engine is not None:
            self._engine.kill()

    def _ask(self) -> None:
        self._asked += 1
        turn, before, lengths = self._asked, self.estimate, dict(self._lengths)

        def work() -> Estimate:
            if before is not None and before.formula and not before.shapes.note:
                return before.at(self.model, lengths)
            with uncollected(), self._start_engine() as engine:
                self._engine = engine
                try:
                    return cost_at(engine, self._path, self.model, lengths)
                finally:
                    self._engine = None

        def show(estimate: Estimate) -> None:
            if turn == self._asked:  # a later question makes this answer stale
                self.estimate = estimate
                self.changed.emit()

        self._jobs.start(work, show, lambda _: None)  # one that was stopped shows nothing


class CompatibilityCheck(QObject):
    """The results of the check of one model so far; it starts with `ask`.

    It has an engine of its own: a program that hangs keeps nobody from predicting.
    """

    changed = Signal()
    _came = Signal(object)

    def __init__(
        self,
        path: Path,
        model: Model,
        start_engine: Callable[[], Engine],
        parent: QObject,
        libraries: Callable[[], tuple[str, ...]] = tuple,
    ) -> None:
        """libraries: with custom operators of the model, as they are when it is asked."""
        super().__init__(parent)
        self._libraries = libraries
        self.found: tuple[CompatibilityResult, ...] = ()
        self.asking = False
        self.error: InspectorError | None = None
        self.model, self._path, self._start_engine = model, path, start_engine
        self._engine: Engine | None = None
        self._jobs = TaskRunner(self)
        self._came.connect(self._take)

    def ask(self) -> None:
        """Ask all of them, again if need be; `changed` follows each answer and the end."""
        if not self.asking:
            self.found, self.asking, self.error = (), True, None
            self.changed.emit()
            self._jobs.start(self._ask_all, self._end, self._end)

    def stop(self) -> None:
        """Give up on those that have not answered."""
        if self._engine is not None:
            self._engine.kill()

    def close(self) -> None:
        """Stop what is under way; `changed` comes no more."""
        self._jobs.discard_results()
        self.stop()

    def _ask_all(self) -> None:
        libraries = self._libraries()
        with self._start_engine() as engine:
            self._engine = engine
            try:
                for program in PROGRAMS:
                    result = engine.call(OpenWith(self._path, program, libraries=libraries))
                    self._came.emit(result)
            finally:
                self._engine = None

    def _take(self, verdict: CompatibilityResult) -> None:
        self.found = (*self.found, verdict)
        self.changed.emit()

    def _end(self, error: InspectorError | None) -> None:
        self.asking = False
        if not isinstance(error, Cancelled):
            self.error = error
        self.changed.emit()


class ExecutedGraphLoader(QObject):
    """The optimized graph of one model for the present settings; `changed` says it is there.

    graph, optimized: None until then, and after settings changed until it is asked again.
    error: why it could not be had.
    """

    changed = Signal()

    def __init__(
        self,
        path: Path,
        model: Model,
        spec: Callable[[], RunSpec],
        start_engine: Callable[[], Engine],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.model, self._path, self._spec = model, path, spec
        self._start_engine = start_engine
        self._key: object = None
        self._engine: Engine | None = None
        self._jobs = TaskRunner(self)
        self.graph: ExecutedGraph | None = None
        self.optimized: Model | None = None
        self.error: InspectorError | None = None

    @property
    def is_offered(self) -> bool:
        """Return whether a runtime tells the graph that it makes of such a model."""
        return self.model.format == "onnx" and not own_runtime(self._spec().devices[0])

    @property
    def working(self) -> bool:
        """Return whether it is being worked out."""
        return self._key is not None and self.graph is None and self.error is None

    def begin(self) -> None:
        """Work it out for the present settings, unless it is there; `changed` follows."""
        spec = self._spec()
        key = registry.info(registry.DEFAULT).session_key(spec)
        if key == self._key and self.error is None:
            return
        self._key, self.graph, self.optimized, self.error = key, None, None, None

        def work() -> tuple[Model, ExecutedGraph]:
            with self._start_engine() as engine:
                self._engine = engine
                try:
                    made = engine.call(OptimizeGraph(self._path, spec))
                    named = with_original_names(made.model, made.graph, self.model)
                    return named, made.graph
                finally:
                    self._engine = None

        def show(result: tuple[Model, ExecutedGraph]) -> None:
            if key == self._key:
                self.optimized, self.graph = result
                self.changed.emit()

        def fail(error: InspectorError) -> None:
            if key == self._key and not isinstance(error, Cancelled):
                self.error = error
                self.changed.emit()

        self._jobs.start(work, show, fail)
        self.changed.emit()

    def close(self) -> None:
        """Stop what is under way; `changed` comes no more."""
        self._jobs.discard_results()
        if self._engine is not None:
            self._engine.kill()
