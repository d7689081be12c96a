"""The graph that the runtime executes, worked out in an engine of its own when asked."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inspector.errors import Cancelled, InspectorError
from inspector.report.run_spec import own_runtime
from inspector.ui.background import TaskRunner

if TYPE_CHECKING:
    from inspector.analysis.measured.executed_graph import ExecutedGraph
    from inspector.engine.client.engine_process import EngineProcess
    from inspector.model.model import Model
    from inspector.report.run_spec import RunSpec


class ExecutedGraphLoader(QObject):
    """The optimized graph of one model for the present settings; `changed` says it is there.

    graph, optimized: None until then, and after settings changed until it is asked again.
    error: why it could not be had.
    """

    changed = Signal()

    def __init__(
        self,
        path: Path,
        model: "Model",
        spec: "Callable[[], RunSpec]",
        start_engine: "Callable[[], EngineProcess]",
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.model, self._path, self._spec = model, path, spec
        self._start_engine = start_engine
        self._key: object = None
        self._engine: EngineProcess | None = None
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
        from inspector.backends import registry

        spec = self._spec()
        key = registry.info(registry.DEFAULT).session_key(spec)
        if key == self._key and self.error is None:
            return
        self._key, self.graph, self.optimized, self.error = key, None, None, None

        def work() -> "tuple[Model, ExecutedGraph]":
            with self._start_engine() as engine:
                self._engine = engine
                try:
                    return engine.executed_graph(self._path, self.model, spec)
                finally:
                    self._engine = None

        def show(result: "tuple[Model, ExecutedGraph]") -> None:
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
