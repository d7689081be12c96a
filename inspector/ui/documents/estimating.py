"""Shapes and what follows from them, worked out off the window's thread when asked."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inspector.errors import InspectorError
from inspector.platform.gc_policy import uncollected
from inspector.ui import units
from inspector.ui.background import TaskRunner

if TYPE_CHECKING:
    from inspector.analysis.cost.estimate import Estimate
    from inspector.analysis.devices.targets import Target, TargetSupport
    from inspector.analysis.facts.shapes import Shapes
    from inspector.engine.client.engine_process import EngineProcess
    from inspector.model.model import Model


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
        self,
        path: Path,
        model: "Model",
        start_engine: "Callable[[], EngineProcess]",
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.estimate: Estimate | None = None
        self.model, self._path, self._start_engine = model, path, start_engine
        self._lengths: dict[str, int] = {}
        self._asked = 0
        self._engine: EngineProcess | None = None
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

    def shapes_at(self, lengths: "Mapping[str, int]") -> "Shapes":
        """Infer types and shapes in the caller's thread. lengths: of dynamic axes.

        Raises InspectorError: inference failed.
        """
        from inspector.analysis.facts.shapes import allowed_seconds
        from inspector.report.run_spec import Dimension

        dimensions = tuple(Dimension(*each) for each in lengths.items())
        with self._start_engine() as engine:
            return engine.shapes(self._path, dimensions, allowed_seconds(self.model))

    def check_targets(
        self, shown: "Sequence[Target]", lengths: "Mapping[str, int]"
    ) -> "Sequence[TargetSupport]":
        """Return what each target would run, from support tables, in the caller's thread.

        lengths: of dynamic axes; without them, targets that need fixed shapes refuse layers.
        """
        from inspector.analysis.facts.shapes import declared
        from inspector.backends.onnxruntime.placement import absent_devices

        try:
            values = self.shapes_at(lengths).values
        except InspectorError:  # what the file declares is checked, the rest is unknown
            values = declared(self.model).values
        weights = absent_devices.small_weights(self.model, self._path)
        return absent_devices.check_targets(
            self.model, shown, {v.name: v for v in values}, weights
        )

    def close(self) -> None:
        """Stop what is under way; `changed` comes no more."""
        self._jobs.discard_results()
        if self._engine is not None:
            self._engine.kill()

    def _ask(self) -> None:
        self._asked += 1
        turn, before, lengths = self._asked, self.estimate, dict(self._lengths)

        def work() -> "Estimate":
            if before is not None and before.formula and not before.shapes.note:
                return before.at(self.model, lengths)
            with uncollected():
                return self._worked_out(lengths)

        def show(estimate: "Estimate") -> None:
            if turn == self._asked:  # a later question makes this answer stale
                self.estimate = estimate
                self.changed.emit()

        self._jobs.start(work, show, self._forget)

    def _forget(self, error: InspectorError) -> None:
        """A job that was stopped has nothing to show."""

    def _worked_out(self, lengths: Mapping[str, int]) -> "Estimate":
        from inspector.analysis.cost.estimate import estimate
        from inspector.analysis.facts.shapes import allowed_seconds
        from inspector.preview.inputs.default_values import lengths as usual_lengths
        from inspector.report.run_spec import Dimension

        with self._start_engine() as engine:
            self._engine = engine

            def infer(given: "Mapping[str, int]") -> "Shapes":
                chosen = tuple(Dimension(*each) for each in given.items())
                return engine.shapes(self._path, chosen, allowed_seconds(self.model))

            try:
                return estimate(self.model, infer, usual_lengths(self.model.inputs, lengths))
            finally:
                self._engine = None
