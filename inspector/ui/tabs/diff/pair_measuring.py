"""Two compared models measured one after the other, and run on the same input."""

from collections.abc import Sequence
from itertools import product

from PySide6.QtCore import QObject, Signal

from inspector.analysis.verdicts.contradictions import run_settings
from inspector.app.output_agreement import FormatAgreement, format_agreement
from inspector.app.subjects import of_values
from inspector.errors import BadInput, InspectorError
from inspector.model.model import Model
from inspector.model.tensors.element_types import Fed
from inspector.preview.inputs.feeds import Filled, feeds_by_name, input_kind
from inspector.preview.runs import parity
from inspector.preview.runs.model_comparison import comparison_of
from inspector.preview.runs.other_run import OtherRun
from inspector.preview.runs.parity import OutputParity
from inspector.preview.runs.steps import Predict
from inspector.report.output_verdict import OutputVerdict
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import SETTINGS, RunSpec
from inspector.ui.documents.document import Document, Topic
from inspector.ui.documents.pair_results import PairResults
from inspector.ui.translate import tr


def different_settings(first: RunSpec, other: RunSpec) -> tuple[str, ...]:
    """Return the names of the settings that two measurements do not share."""
    one, two = run_settings(first), run_settings(other)
    return tuple(
        tr(setting.noun)
        for name, setting in SETTINGS.items()
        if getattr(one, name) != getattr(two, name)
    )


def comparable_reports(
    documents: Sequence[Document],
) -> tuple[PerformanceReport | None, ...]:
    """Return a report of the present content of each model.

    The last ones with the same settings, or the last of each where none are alike.
    """
    present = [[r for r in reversed(d.reports) if not d.is_earlier(r)] for d in documents]
    if len(present) == 2:
        for pair in product(*present):
            if not different_settings(pair[0].spec, pair[1].spec):
                return pair
    return tuple(next(iter(each), None) for each in present)


class PairMeasuring(QObject):
    """Measures what is missing of two documents, then compares their outputs.

    outputs: how far the outputs of B are from those of A; None until they were compared, which
    may have been in an earlier session. verdict: whether they are still right.
    chosen_input: whether they are those of the input in Preview, not of a generated one.
    running: the step under way as text, "" for none. begun: whether it was started at all.
    error: why the last run ended.
    """

    changed = Signal()

    def __init__(
        self,
        documents: Sequence[Document],
        parent: QObject | None = None,
        results: PairResults | None = None,
    ) -> None:
        super().__init__(parent)
        self.documents = tuple(documents)
        self.outputs: tuple[OutputParity, ...] | None = results.outputs if results else None
        self.verdict: OutputVerdict | None = results.verdict if results else None
        self.chosen_input = results is not None and results.chosen_input
        self.running, self.begun = "", False
        self.error: InspectorError | None = None
        self._waiting: list[Document] = []
        for document in self.documents:
            document.watch(self.changed, Topic.WORK, Topic.REPORT)
            document.report_added.connect(self._go_on)
            document.report_removed.connect(self.changed)
            document.failed.connect(self._fail)
            document.cancelled.connect(self._stop)

    @property
    def reports(self) -> tuple[PerformanceReport | None, ...]:
        """Return those whose latencies are compared; None for a model without one."""
        return comparable_reports(self.documents)

    @property
    def able(self) -> bool:
        """Return whether both can be measured now."""
        return len(self.documents) == 2 and all(
            d.model is not None and d.work is None and d.not_run is None for d in self.documents
        )

    @property
    def complete(self) -> bool:
        """Return whether nothing is missing."""
        return self.outputs is not None and all(r is not None for r in self.reports)

    def start(self) -> None:
        """Measure both, or the one without a report, and compare the outputs."""
        if not self.able or self.running:
            return
        reports = self.reports
        some = [d for d, report in zip(self.documents, reports, strict=True) if report is None]
        specs = [
            d.spec if report is None else report.spec
            for d, report in zip(self.documents, reports, strict=True)
        ]
        if some and different_settings(*specs):
            some = list(self.documents)  # by the present settings of each
        self._waiting = some or ([] if self.outputs is None else [*self.documents])
        self.error, self.begun = None, True
        self.running = tr("Measuring…")
        self._next()

    def cancel(self) -> None:
        """Stop the step under way."""
        self._waiting = []
        for document in self.documents:
            document.cancel()
        self._stop()

    def _next(self) -> None:
        if self._waiting:
            document = self._waiting.pop(0)
            self.running = tr("Measuring {name}…").format(name=document.name)
            self.changed.emit()
            document.measure()
            return
        self.running = tr("Comparing the outputs…")
        self.changed.emit()
        self._compare_outputs()

    def _go_on(self, _: object) -> None:
        if self.running:
            self._next()

    def _compare_outputs(self) -> None:
        first, other = self.documents
        model, their_model, path = first.model, other.model, other.path
        own_path = first.path
        assert model is not None, "able"
        assert own_path is not None, "able"
        assert their_model is not None, "able"
        spec, feeds, sources = first.spec, dict(first.feeds), dict(first.sources)
        chosen = bool(feeds)

        def job(once: Predict, second: Predict) -> FormatAgreement:
            filled = of_values(own_path, model, spec, feeds, sources).filled()
            values, theirs = feeds_by_name(filled), _for_other(filled, their_model)
            before, again = once(values), once(values)
            comparison, kind = comparison_of(own_path, model, values), input_kind(filled)
            return format_agreement(comparison, before, second(theirs), again, kind)

        def show(compared: FormatAgreement) -> None:
            self.outputs, self.verdict = compared.outputs, compared.verdict
            self.chosen_input = chosen
            self._stop()

        first.compare_apart(OtherRun(model=str(path)), job, show)

    def _fail(self, error: InspectorError) -> None:
        if self.running:
            self.error = error
            self._stop()

    def _stop(self) -> None:
        self.running, self._waiting = "", []
        self.changed.emit()


def _for_other(filled: Sequence[Filled], other: Model) -> dict[str, Fed]:
    """Return the same values for another model's inputs, whose names, layout (channels first or
    last) and floating-point precision may differ. Raises BadInput: the inputs are others."""
    theirs = parity.for_model(filled, other.inputs, cast=True)
    if theirs is None:
        raise BadInput(
            tr("Could not compare the outputs"),
            tr(
                "the models have different numbers of inputs, or inputs of different shapes "
                "or types"
            ),
            tr("Compare them in Preview, which converts an image for each model."),
        )
    return feeds_by_name(theirs)
