"""What is worked out of a model beside the document's own jobs, made when first asked for."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from inspector.engine.process import EngineProcess, Progress
    from inspector.model import Model
    from inspector.readers.payload import Stamp
    from inspector.ui.documents.estimating import Estimating
    from inspector.ui.documents.verdicts import Verdicts
    from inspector.ui.weights.work import WeightsWork


class Annexes:
    """The weights, the estimate and the verdicts of a model that was opened.

    owner: what they belong to and go with. Those that ask an engine have one of their own.
    """

    def __init__(
        self,
        owner: QObject,
        start_engine: "Callable[[Callable[[Progress], None]], EngineProcess]",
    ) -> None:
        self._owner, self._start_engine = owner, start_engine
        self._weights: WeightsWork | None = None
        self._estimating: Estimating | None = None
        self._verdicts: Verdicts | None = None

    def weights(self, path: Path, model: "Model", stamps: "dict[str, Stamp]") -> "WeightsWork":
        """What is read of the weights when asked; stamps: of the files that they lie in."""
        if self._weights is None:
            from inspector.ui.weights.work import WeightsWork

            self._weights = WeightsWork(path, model, stamps, self._owner)
        return self._weights

    def estimating(self, path: Path, model: "Model") -> "Estimating":
        """Shapes, cost and structure."""
        if self._estimating is None or self._estimating.model is not model:
            from inspector.ui.documents.estimating import Estimating

            self._estimating = Estimating(path, model, self._engine, self._owner)
        return self._estimating

    def verdicts(self, path: Path, model: "Model") -> "Verdicts":
        """Who else opens the model."""
        if self._verdicts is None or self._verdicts.model is not model:
            from inspector.ui.documents.verdicts import Verdicts

            self._verdicts = Verdicts(path, model, self._engine, self._owner)
        return self._verdicts

    def close(self) -> None:
        """Stop what is under way; nothing is told any more."""
        if self._estimating is not None:
            self._estimating.close()
        if self._verdicts is not None:
            self._verdicts.close()
        if self._weights is not None:
            self._weights.cancel()
            self._weights.cancel_all()

    def _engine(self) -> "EngineProcess":
        return self._start_engine(lambda _: None)
