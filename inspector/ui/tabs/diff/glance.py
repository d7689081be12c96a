"""Size, parameters, precision, latency and outputs of two models in one table."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from inspector.analysis.facts.model_facts import storage
from inspector.analysis.measured.layer_outputs import Stepping
from inspector.analysis.measured.noise import disturbances
from inspector.analysis.verdicts.accuracy import change_label
from inspector.analysis.verdicts.accuracy import sentence as accuracy_sentence
from inspector.analysis.verdicts.outputs import label as label_of
from inspector.analysis.verdicts.outputs import sentence
from inspector.analysis.verdicts.speed import compare_medians, interleaving_text
from inspector.comparison.measured_pair import MeasuredPair
from inspector.comparison.model_changes import ModelDiff
from inspector.model.model import Model
from inspector.pages.model_diff import AtAGlance
from inspector.pages.outputs.folder import value_of
from inspector.preview.runs import parity
from inspector.preview.runs.folder import Summary
from inspector.report.improvement import MIN_INPUTS, TOO_FEW
from inspector.report.output_verdict import OutputVerdict
from inspector.report.report import PerformanceReport
from inspector.statistics.significance import RatioVerdict, Verdict
from inspector.ui import units
from inspector.ui.documents.pair_results import PairResults
from inspector.ui.tabs.diff.pair_measuring import PairMeasuring, named_differences
from inspector.ui.translate import plural, tr, tr_message, wording, written
from inspector.ui.widgets.parts import (
    Elided,
    add_to,
    button,
    column_of,
    grid_of,
    label,
    row,
    tip,
)
from inspector.ui.widgets.theme import Theme

_MAIN_TYPE = 0.95  # of the bytes of all weights: other types are not named
_CHANGE_ROW = 3  # below the titles and both models
_DIRECTIONS = (Verdict.FASTER, Verdict.SLOWER)
_SAME_SIZE = 0.005  # of the size: both count as equal


class Glance(QWidget):
    """A row for each model and one for the change, a verdict, and what is still to do.

    files: paths and names of both. measuring: None where the models are not open. measured:
    returns what Improve measured of both. results: returns what was compared earlier, with the
    date where that was in an earlier session. accuracy_asked: run both on a folder.
    """

    accuracy_asked = Signal()

    def __init__(
        self,
        theme: Theme,
        diff: ModelDiff,
        files: tuple[Sequence[Path], Sequence[str]],
        measuring: PairMeasuring | None,
        measured: Callable[[], MeasuredPair | None] = lambda: None,
        results: Callable[[], PairResults | None] = lambda: None,
    ) -> None:
        super().__init__()
        self._results = results
        self._diff, self.measuring, self._measured = diff, measuring, measured
        self._paths, self._names = files
        self._proof: MeasuredPair | None = None
        self._layers: Stepping | None = None
        self.verdict = label("", "heading", selectable=True, wraps=True)
        self.measure = button(theme, tr("Measure both"), "play")
        self.measure.setToolTip(
            tip(tr("Measure the latency of both models and compare their outputs"))
        )
        self.stop = button(theme, tr("Cancel"))
        self.accuracy = button(theme, tr("Accuracy on a folder…"), then=self.accuracy_asked)
        self.accuracy.setToolTip(
            tip(tr("Run both models on a folder of labeled images in Preview"))
        )
        self.state = label("", "secondary", wraps=True)
        self.state.setMinimumHeight(self.state.fontMetrics().lineSpacing())
        self._grid = grid_of(20, 3)
        self.cells: dict[str, tuple[str, str, str]] = {}
        column = column_of(on=self, spacing=6)
        head = row((self.verdict, 1), self.stop, self.measure, self.accuracy)
        add_to(column, head, self._grid, self.state)
        if measuring is not None:
            self.measure.clicked.connect(measuring.start)
            self.stop.clicked.connect(measuring.cancel)
            measuring.changed.connect(self.refresh)
        self.refresh()

    def show_layers(self, layers: Stepping | None) -> None:
        """Show what the outputs of the layers say of those of the models; None for nothing."""
        self._layers = layers
        self.refresh()

    def refresh(self) -> None:
        """Show what is known by now."""
        measuring, self._proof = self.measuring, self._measured()
        judgement = self._judgement()
        folder = self.folder()
        self.cells = {
            tr("Size"): self._size(),
            tr("Parameters"): self._parameters(),
            tr("Weights stored as"): self._precision(),
            tr("Latency (median)"): self._latency(judgement),
        }
        proved = self._proof is not None and bool(self._proof.agreement_text)
        if folder is None or proved:  # a folder says more than one input does
            self.cells[self._outputs_title()] = self._outputs()
        if self._proof is not None and self._proof.accuracy is not None:
            name = units.clip(Path(self._proof.folder).name, 30)
            title = (
                tr("{accuracy}, folder {folder}") if name else tr("{accuracy}, one input")
            ).format(accuracy=self._proof.accuracy.name, folder=name)
            one, two, change = self._proof.accuracy_texts
            # The interval and the number of inputs stand below the table.
            self.cells[title] = one, two, change.partition(" (")[0]
        if folder is not None:
            metric, name = folder[1].metric, units.clip(folder[0].name, 30)
            title = tr("Same class, folder {folder}").format(folder=name)
            if metric is not None:
                title = tr("{accuracy}, folder {folder}")
                title = title.format(accuracy=tr_message(metric.name), folder=name)
            self.cells[title] = _accuracies(folder[1])
        self._fill()
        self.verdict.setText(self._sentence(judgement, folder[1] if folder else None))
        running = measuring.running if measuring is not None else ""
        # A button that hides would pass the keyboard focus on, to the first one of the window.
        focused = self.window().focusWidget()
        if running and focused is self.measure:
            self.stop.show()
            self.stop.setFocus()
        self.measure.setVisible(measuring is not None and not running)
        self.measure.setText(self._measure_text())
        self.measure.setEnabled(measuring is not None and measuring.able)
        if not running and focused is self.stop and self.measure.isEnabled():
            self.measure.setFocus()
        self.stop.setVisible(bool(running))
        text = running
        if self._proof is not None and not running:
            text = self._proof_sentence(self._proof)
        elif measuring is None:
            text = tr("Open both models to measure their latency and compare their outputs.")
        elif measuring.error is not None and not running:
            text = f"{measuring.error.what}: {measuring.error.why}."
        elif judgement is not None and not running:
            sentences = (
                self._latency_words(judgement), self._unlike_settings(), self._why_random()
            )  # fmt: skip
            text = " ".join(filter(None, sentences))
        elif self._compared() is None:
            text = tr("“Measure both” measures their latency and compares their outputs.")
        noise = self._noise() if judgement is not None and self._proof is None else []
        self.state.setToolTip(tip(*noise))
        if not running:
            text = " ".join(filter(None, (text, self._earlier())))
        self.state.setText(text)
        # Its line is there from the start: the graphs below stay where they are.
        self.state.setVisible(bool(text) or measuring is not None)
        self.accuracy.setVisible(measuring is not None and not running)

    def known(self) -> AtAGlance:
        """Return the table and its sentences for an export, without what is not known yet."""
        judgement = self._judgement()
        unknown = {tr("not measured"), tr("not compared"), ""}
        return AtAGlance(
            self.verdict.text(),
            {
                name: texts
                for name, texts in self.cells.items()
                if not unknown.issuperset(texts)
            },
            self.state.text()
            if self._proof is not None
            else ""
            if judgement is None
            else " ".join((self._latency_words(judgement), *self._noise())),
        )

    def _judgement(self) -> RatioVerdict | None:
        """Return the verdict on the latencies: Improve's, or that of two reports."""
        if self._proof is not None and self._proof.latency is not None:
            return self._proof.latency
        return _judgement(self.measuring.reports) if self.measuring is not None else None

    def _is_unsure(self, judgement: RatioVerdict) -> bool:
        """Return whether only the direction of a difference is sure: a report is noisy."""
        of_reports = self._proof is None or self._proof.latency is None
        return of_reports and judgement.verdict in _DIRECTIONS and bool(self._noise())

    def _latency_words(self, judgement: RatioVerdict) -> str:
        """Return what a verdict on latency rests on, where the heading says the verdict."""
        if self._is_unsure(judgement):
            return tr("Noisy: how much the latency differs is not sure. Measure both again.")
        if judgement.verdict in _DIRECTIONS and self.measuring is not None:
            measured = [report for report in self.measuring.reports if report is not None]
            if text := interleaving_text(measured):
                return tr_message(text)
        return tr("Latency: {verdict}.").format(verdict=tr_message(judgement.text()))

    def _proof_sentence(self, proof: MeasuredPair) -> str:
        """Return what Improve measured, and on what."""
        parts = []
        if proof.latency is not None:
            text = tr("Latency, measured interleaved by Improve on {device}: {verdict}.")
            verdict = tr_message(proof.latency.text())
            parts.append(text.format(device=units.device(proof.device), verdict=verdict))
            if medians := proof.medians_text:
                text = tr("The medians alone differ by {change}.")
                parts.append(text.format(change=medians))
        parts += filter(None, (proof.noise,))
        if proof.accuracy is not None:
            text = tr("{name}: {change}, in {folder}.")
            change, folder = proof.accuracy_texts[2], units.clip(Path(proof.folder).name, 40)
            name = proof.accuracy.name
            parts.append(text.format(name=name, change=change, folder=folder))
        return " ".join(parts)

    def _unlike_settings(self) -> str:
        """Return that the two reports had different settings, if they had."""
        reports = self.measuring.reports if self.measuring is not None else ()
        specs = [report.spec for report in reports if report is not None]
        names = named_differences(*specs) if len(specs) == 2 else ()
        text = tr("A and B were measured with different settings: {names}.")
        return text.format(names=", ".join(names)) if names else ""

    def _why_random(self) -> str:
        """Return why the outputs are not those of an input in Preview, if they are not."""
        source = self.measuring or self._results()
        if (
            self.folder() is not None
            or not self._compared()
            or source is None
            or source.chosen_input
        ):
            return ""
        return tr("The input is random because Preview of A and B has none.")

    def _noise(self) -> list[str]:
        """Return a sentence for each model whose report is noisy."""
        reports = self.measuring.reports if self.measuring is not None else ()
        return [
            tr("{letter} is noisy: {reasons}").format(
                letter=letter, reasons=" ".join(map(written, reasons))
            )
            for letter, report in zip("AB", reports, strict=False)
            if report is not None and (reasons := disturbances(report))
        ]

    def _measure_text(self) -> str:
        measuring = self.measuring
        if measuring is None or not all(measuring.reports):
            return tr("Measure both")
        return tr("Measure again") if measuring.complete else tr("Compare outputs")

    def _fill(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        names = [units.clip(name, 80) for name in self._names]
        heads = (tr("A · {name}"), tr("B · {name}"))
        rows = [text.format(name=name) for text, name in zip(heads, names, strict=True)]
        for line, text in enumerate([*rows, tr("B compared with A")], 1):
            self._grid.addWidget(Elided(text, "secondary"), line, 0)
        for at, (title, values) in enumerate(self.cells.items(), 1):
            self._grid.addWidget(label(title, "caption"), 0, at)
            for line, value in enumerate(values, 1):
                cell = Elided(
                    value,
                    "value" if line < _CHANGE_ROW else "heading",
                    Qt.TextElideMode.ElideRight,
                )
                self._grid.addWidget(cell, line, at)
            self._grid.setColumnStretch(at, max(2, *(len(value) // 7 for value in values)))
        self._grid.setColumnStretch(0, 3)

    def _size(self) -> tuple[str, str, str]:
        sizes = self._diff.first.whole_bytes, self._diff.other.whole_bytes
        return units.size(sizes[0]), units.size(sizes[1]), _change(*sizes)

    def _parameters(self) -> tuple[str, str, str]:
        counts = self._diff.first.parameters, self._diff.other.parameters
        return units.count(counts[0]), units.count(counts[1]), _change(*counts)

    def _precision(self) -> tuple[str, str, str]:
        types = _weights(self._diff.first), _weights(self._diff.other)
        return (*types, tr("the same") if types[0] == types[1] else tr("changed"))

    def _latency(self, judgement: RatioVerdict | None) -> tuple[str, str, str]:
        if self._proof is not None and self._proof.p50_ns and judgement is not None:
            one, two = (units.duration(round(each)) for each in self._proof.p50_ns)
            return one, two, _in_short(judgement)
        reports = self.measuring.reports if self.measuring is not None else (None, None)
        first, other = reports
        if first is not None and other is not None and judgement is not None:
            one, two = (units.duration(each.median_ns) for each in (first, other))
            return one, two, _in_short(judgement, self._is_unsure(judgement))
        one, two = (
            units.duration(r.median_ns) if r is not None else tr("not measured")
            for r in reports
        )
        return one, two, ""

    def _outputs_title(self) -> str:
        if self._proof is not None and self._proof.agreement_text:
            return tr("Outputs for the test inputs")
        if self._compared() is None:
            return tr("Outputs for the same input")
        source = self.measuring or self._results()
        return (
            tr("Outputs for the input in Preview")
            if source is not None and source.chosen_input
            else tr("Outputs for a random input")
        )

    def _outputs(self) -> tuple[str, str, str]:
        if self._proof is not None and self._proof.agreement_text:
            return "", "", self._proof.agreement_text
        outputs = self._compared()
        if not outputs:
            layers = self._layers
            if outputs is None and layers is not None:
                apart = layers.divergence is not None
                return "", "", tr("layers differ") if apart else tr("layers agree")
            return "", "", tr("not compared") if outputs is None else ""
        verdict = self._verdict_on_outputs()
        return (*outputs[0].best, "" if verdict is None else tr_message(label_of(verdict)))

    def folder(self) -> tuple[Path, Summary] | None:
        """Return the folder whose images both models predicted, and the counts, or None."""
        if self.measuring is not None:
            document = self.measuring.documents[0]
            if (result := document.folders_compared.get(str(self._paths[1]))) is not None:
                return result
        known = self._results()
        if known is None or known.counts is None:
            return None
        return Path(known.folder), known.counts

    def _compared(self) -> tuple[parity.OutputParity, ...] | None:
        """Return the differences of the outputs; None if they were not compared."""
        if self.measuring is not None:
            return self.measuring.outputs
        known = self._results()
        return None if known is None else known.outputs

    def _verdict_on_outputs(self) -> OutputVerdict | None:
        """Return the verdict on the outputs; None if there is none."""
        source = self.measuring or self._results()
        return None if source is None else source.verdict

    def _earlier(self) -> str:
        """Return when an earlier session compared what is shown; "" if this one did."""
        known = self._results()
        if known is None or not known.made:
            return ""
        text = tr("Compared on {date}; the files have not changed since.")
        return text.format(
            date=f"{datetime.fromisoformat(known.made).astimezone():%Y-%m-%d %H:%M}"
        )

    def _sentence(self, judgement: RatioVerdict | None, folder: Summary | None) -> str:
        """Return which one is smaller, faster and as accurate, as far as that is known."""
        parts = [_size_words(self._diff.first.whole_bytes, self._diff.other.whole_bytes)]
        if judgement is not None:
            parts.append(_speed_words(judgement, self._is_unsure(judgement)))
        proved = "" if self._proof is None else _proof_words(self._proof)
        accuracy = proved or (_agreement_words(folder) if folder is not None else "")
        parts += [accuracy] if accuracy else []
        text = tr("B is {known}.").format(known=", ".join(parts))
        if not proved and folder is not None and folder.metric is not None:
            names = (units.clip(name, 80) for name in self._names)
            return f"{text} {wording().text(accuracy_sentence(folder.metric, *names))}."
        verdict = self._verdict_on_outputs()
        if accuracy or verdict is None:
            return text
        return f"{text} {tr_message(sentence(verdict))}"


def _weights(model: Model) -> str:
    """Return the types of the weights, those with most bytes first."""
    types = storage(model.distinct_weights)
    whole = sum(size for _, size in types)
    if not whole:
        return tr("no weights")
    name, size = types[0]
    if size >= _MAIN_TYPE * whole or len(types) == 1:
        return name
    text = (
        tr("{share} {name}, the rest {other}")
        if len(types) == 2
        else tr("{share} {name}, the rest {other} and other types")
    )
    return text.format(
        share=f"{units.number(100 * size / whole, '.0f')}%", name=name, other=types[1][0]
    )


def _judgement(reports: Sequence[PerformanceReport | None]) -> RatioVerdict | None:
    """Return the verdict on the latencies; None unless both were measured."""
    measured = [report for report in reports if report is not None]
    if len(measured) < 2:
        return None
    return compare_medians(measured[0], measured[1])


def _in_short(judgement: RatioVerdict, noisy: bool = False) -> str:
    """Return a verdict for the table; the text below has its ratio, interval and reason.

    The ratio is not that of the two medians of the table.
    """
    text = tr_message(judgement.label.partition(": ")[0])
    return tr("{verdict} (noisy)").format(verdict=text) if noisy else text


def _change(before: int, after: int) -> str:
    if before == after:
        return tr("the same")
    return units.change(after / before) if before else ""


def _size_words(before: int, after: int) -> str:
    if not before or abs(after / before - 1) < _SAME_SIZE:
        return tr("as large as A")
    share = f"{units.number(abs(100 * (after / before - 1)), '.0f')}%"
    text = tr("{share} smaller than A") if after < before else tr("{share} larger than A")
    return text.format(share=share)


def _speed_words(judgement: RatioVerdict, noisy: bool) -> str:
    """Return the verdict on the latency; of noisy reports without a number, as in Improve."""
    if judgement.verdict in _DIRECTIONS:
        return _in_short(judgement, True) if noisy else tr_message(judgement.text())
    if judgement.verdict is Verdict.SAME:
        return tr("as fast as A ({verdict})").format(verdict=tr_message(judgement.label))
    return tr("not clearly faster or slower")


def _proof_words(proof: MeasuredPair) -> str:
    """Return how the accuracies compare, as Improve says it.

    Where B is the original, as far as the interval tells.
    """
    held = proof.accuracy
    if proof.verdict:
        return tr_message(proof.verdict)
    if held is None or held.change is None:
        return ""
    if held.count < MIN_INPUTS:
        return tr_message(TOO_FEW)
    count = plural(held.count, "input")
    ends = held.low, held.high
    if not held.change:
        return tr("as accurate on {count}").format(count=count)
    if None in ends or (ends[0] or 0) <= 0 <= (ends[1] or 0):
        return tr("not clearly more or less accurate on {count}").format(count=count)
    text = (
        tr("more accurate on {count}")
        if proof.more_accurate
        else tr("less accurate on {count}")
    )
    return text.format(count=count)


def _accuracies(result: Summary) -> tuple[str, str, str]:
    metric = result.metric
    if metric is None:
        agreement = result.agreement
        same = "" if agreement is None else f"{units.number(100 * agreement, '.1f')}%"
        return "", "", same
    text, both = wording().text, (metric, metric.swapped)
    one, two = (text(value_of(each)) for each in both)
    return one, two, text(change_label(both[1]))


def _agreement_words(result: Summary) -> str:
    if result.agreement is None or result.metric is not None:
        return ""
    if result.same == result.compared:
        return tr("with the same class for all of {file_count}").format(
            file_count=plural(result.compared, "file")
        )
    return tr("with the same class for {share} of {file_count}").format(
        share=f"{units.number(100 * result.agreement, '.1f')}%",
        file_count=plural(result.compared, "file"),
    )
