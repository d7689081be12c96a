"""What a model answers in several Python environments, by version of the runtime."""

from pathlib import Path

from msgspec import Struct

from inspector.analysis.verdicts.outputs import is_rounding
from inspector.errors import InspectorError
from inspector.model.tensors.prediction import Prediction
from inspector.preview.runs.parity import OutputParity
from inspector.report.output_verdict import OutputVerdict
from inspector.report.report import PerformanceReport
from inspector.statistics.significance import RatioVerdict


class EnvironmentRow(Struct):
    """One environment: its answer and its report, or why there is none.

    place: of its Python. python: version of the language. runtime: the package that runs the
    model; version: of that. outputs, verdict: beside the answer of the reference; None where
    it is the reference. speed: the latency relative to that of the reference.
    """

    place: Path
    python: str = ""
    runtime: str = ""
    version: str = ""
    prediction: Prediction | None = None
    report: PerformanceReport | None = None
    outputs: tuple[OutputParity, ...] = ()
    verdict: OutputVerdict | None = None
    speed: RatioVerdict | None = None
    problem: InspectorError | None = None

    @property
    def agrees(self) -> bool:
        """Return whether its answer is that of the reference, but for rounding."""
        if self.prediction is None:
            return False
        return self.verdict is None or self.verdict.good or is_rounding(self.verdict)

    @property
    def identical(self) -> bool:
        """Return whether its answer is that of the reference to the last bit."""
        return not any(each.differs or each.problem for each in self.outputs)


class RuntimeMatrix(Struct, frozen=True):
    """A model in several environments, from the oldest version of the runtime to the newest.

    reference: the newest that ran the model. note: on lengths of axes that were guessed.
    """

    rows: tuple[EnvironmentRow, ...]
    reference: EnvironmentRow
    note: str = ""

    @property
    def oldest(self) -> EnvironmentRow:
        """Return the oldest version from which on all give the answer of the newest."""
        found = self.reference
        for row in reversed(self.rows[: self.rows.index(self.reference)]):
            if not row.agrees:
                break
            found = row
        return found
