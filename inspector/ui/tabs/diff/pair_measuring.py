"""Two compared models measured one after the other, and run on the same input."""

from collections.abc import Sequence

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from inspector.app.model_pairs import comparable_reports, different_settings, to_measure
from inspector.app.output_agreement import FormatAgreement, output_agreement
from inspector.errors import InspectorError
from inspector.model.model import Model
from inspector.preview.runs.other_run import OtherRun
from inspector.preview.runs.parity import OutputParity
from inspector.preview.runs.steps import Predict
from inspector.report.output_verdict import OutputVerdict
from inspector.report.report import PerformanceReport
from inspector.report.run_spec import RunSpec
from inspector.ui.documents.document import Document, Topic
from inspector.ui.documents.improving_inputs import InputMaker
from inspector.ui.documents.pair_results import PairResults
from inspector.ui.translate import mark, tr

_IN_PREVIEW = mark("Compare them in Preview, which converts an image for each model.")


def named_differences(first: RunSpec, other: RunSpec) -> tuple[str, ...]:
    """Return the names of the settings that two measurements do not share."""
    return tuple(tr(setting.noun) for setting in different_settings(first, other))


def _declared(model: Model) -> list[object]:
    return [(each.name, each.dtype, each.shape) for each in model.inputs]


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
        return comparable_reports(
            [[r for r in d.reports if not d.is_earlier(r)] for d in self.documents]
        )

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
        places = to_measure([d.spec for d in self.documents], self.reports)
        if not places and self.outputs is not None:  # nothing is missing: once more
            places = tuple(range(len(self.documents)))
        self._waiting = [self.documents[place] for place in places]
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
        # An input in B's Preview serves as well where A has none and takes the same.
        alike = _declared(model) == _declared(their_model)
        of_other = alike and not (first.feeds or first.inputs)
        chosen_in = other if of_other else first
        chosen = bool(chosen_in.feeds or chosen_in.inputs)
        spec, maker = first.spec, InputMaker(chosen_in, own_path, model, lambda: False)

        def job(once: Predict, second: Predict) -> FormatAgreement:
            subject = replace(maker.present(), spec=spec)
            return output_agreement(subject, their_model, once, second, _IN_PREVIEW)

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
