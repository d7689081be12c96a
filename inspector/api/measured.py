"""Results of measurements: reports, comparisons of them, searches among settings."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.analysis.measured.latency import interval_text, latency
from inspector.analysis.measured.tuning_results import chosen
from inspector.api.tables import OneLine, arrow, frame, in_frame, row_of
from inspector.comparison import ci_conditions
from inspector.comparison.ci_conditions import Finding, Outcome
from inspector.comparison.comparison import Comparison, compare
from inspector.errors import BadInput, InspectorError
from inspector.pages.sweep import sweep_page
from inspector.platform import own_processes
from inspector.render.code_languages import language as named
from inspector.render.documents import document
from inspector.render.registry import Subject, export, export_comparison, save_as
from inspector.render.tables.report_csv import layers_csv
from inspector.render.tables.report_json import report_json
from inspector.render.tables.sweep_csv import csv as sweep_csv
from inspector.report import sweep, tuning
from inspector.report.report import PerformanceReport
from inspector.report.sweep import Sweep
from inspector.report.tuning import Tuning
from inspector.units import duration

Array = NDArray[Any]


@dataclass(frozen=True, slots=True, repr=False)
class Measurement(OneLine):
    """A performance report: latency, memory, and the time of each layer.

    report: everything, as the window shows it. Times are in nanoseconds.
    """

    report: PerformanceReport

    def about(self) -> str:
        """Return the content in a few words."""
        both, devices = latency(self.report), ", ".join(self.report.spec.devices)
        if both is None:
            return f"{self.report.model.name} on {devices}: no latency"
        head = both.headline
        return (
            f"{self.report.model.name} on {devices}: median {duration(head.p50_ns)} of "
            f"{head.n} runs (95% CI {interval_text(head) or 'unknown'})"
        )

    @property
    def p50_ns(self) -> float:
        """Return the median latency: at full CPU speed if known, else of all predictions."""
        both = latency(self.report)
        if both is None:
            raise InspectorError("No latency is available", "no run was timed")
        return both.headline.p50_ns

    def check(self, condition: str, against: Measurement | None = None) -> Check:
        """Return whether a condition holds, such as "latency.p50<5ms"; true only if certain.

        The conditions are those of `inspector measure --fail-if`: "memory.peak<300MiB",
        "model.size<10MB", "layers.moved<1". One on a change, such as "latency.p50<+10%", needs
        the measurement that it counts from in `against`. Raises BadInput.
        """
        first = () if against is None else (against.report,)
        return checked(condition, (*first, self.report))

    def latency(self) -> dict[str, Any]:
        """Return both kinds as `latency.Latency` names them; the first is None if unknown."""
        both = latency(self.report)
        return {} if both is None else asdict(both)

    def layers(self) -> list[dict[str, Any]]:
        """Return one row for each layer, as in the CSV of layers; times in nanoseconds."""
        text = layers_csv(self.report).decode("utf-8", "replace")
        return [row_of(row) for row in csv.DictReader(io.StringIO(text))]

    def samples(self) -> Array:
        """Return the duration of each timed prediction in order, int64, nanoseconds."""
        return np.asarray(self.report.prediction_ns, np.int64)

    def to_dict(self) -> dict[str, Any]:
        """Return what `inspector measure --json` prints."""
        body: dict[str, Any] = json.loads(report_json(self.report))
        return body

    def to_pandas(self) -> Any:
        """Return the layers as a pandas DataFrame. Raises InspectorError: no pandas here."""
        return frame(self.layers())

    def to_arrow(self) -> Any:
        """Return the layers as a pyarrow Table. Raises InspectorError: no pyarrow here."""
        return arrow(self.layers())

    def save(self, path: str | Path) -> Path:
        """Save the report, by suffix: .json to open again, .html, .md, .csv, .pdf, ...

        Raises BadInput: no such format; NotSaved.
        """
        return save_as(Subject.REPORT, Path(path), self.report)

    def open_in_window(self) -> None:
        """Open the report in a new window of Inspector, and return at once."""
        folder = Path(tempfile.mkdtemp(prefix="inspector-"))
        path = self.save(folder / f"{Path(self.report.model.name).stem}.json")
        subprocess.Popen(own_processes.command("inspector", str(path)), start_new_session=True)

    def _repr_html_(self) -> str:
        return in_frame(export(self.report, "html").decode())

    def _repr_markdown_(self) -> str:
        return export(self.report, "md").decode()


@dataclass(frozen=True, slots=True, repr=False)
class ReportComparison(OneLine):
    """Reports side by side, compared with the first.

    verdict: which of two formats is faster, and whether their outputs agree, in sentences;
    empty unless `measure_against` measured two formats.
    """

    comparison: Comparison
    reports: tuple[PerformanceReport, ...]
    verdict: str = ""

    def about(self) -> str:
        """Return the content in a few words."""
        texts = (
            f"{name}: {judgement.text() if judgement else 'not comparable'}"
            for name, judgement in zip(
                self.comparison.names[1:], self.comparison.judgements[1:], strict=True
            )
        )
        return f"with {self.comparison.names[0]}; {'; '.join(texts)}"

    def check(self, condition: str) -> Check:
        """Return whether a condition on the last report holds, such as "latency.p50<+10%".

        Changes count from the first report. Raises BadInput.
        """
        return checked(condition, self.reports)

    def save(self, path: str | Path) -> Path:
        """Save it, by suffix: .html, .pdf, .md, .csv, .svg, ... Raises BadInput, NotSaved."""
        return save_as(Subject.COMPARISON, Path(path), self.comparison, self.reports)

    def _repr_markdown_(self) -> str:
        return export_comparison(self.comparison, self.reports, "md").decode()


@dataclass(frozen=True, eq=False, repr=False)
class Tuned(OneLine):
    """The fastest settings that a search found, compared with the default settings.

    settings: fields of `RunSpec` that differ from the default; empty if nothing is faster.
    sentences: the result, its certainty and its caveats. tuning: all that was measured.
    """

    settings: dict[str, Any]
    sentences: tuple[str, ...]
    tuning: Tuning

    def about(self) -> str:
        """Return the content in a few words."""
        return f"{self.tuning.model.name}: {self.settings or 'the default settings'}"

    def code(self, language: str = "python") -> str:
        """Return code that creates a session with these settings.

        language: "python", "cpp", ... Raises BadInput: there is no such language.
        """
        return named(language).session_code(chosen(self.tuning), self.tuning.model.name)

    def to_dict(self) -> dict[str, Any]:
        """Return what `inspector tune --json` prints."""
        result: dict[str, Any] = json.loads(tuning.to_json(self.tuning))
        return result

    def _repr_markdown_(self) -> str:
        return "\n\n".join((*self.sentences, f"```python\n{self.code()}```"))


@dataclass(frozen=True, eq=False, repr=False)
class SweepResult(OneLine):
    """Latency for every combination of some settings."""

    sweep: Sweep

    def about(self) -> str:
        """Return the content in a few words."""
        names = ", ".join(axis.name for axis in self.sweep.axes)
        return f"{len(self.sweep.cells)} combinations of {names}"

    def rows(self) -> list[dict[str, Any]]:
        """Return the combinations, one row each, with numbers as numbers."""
        return [row_of(row) for row in csv.DictReader(io.StringIO(sweep_csv(self.sweep)))]

    def to_dict(self) -> dict[str, Any]:
        """Return the saved form, as `inspector sweep --json` prints it."""
        result: dict[str, Any] = json.loads(sweep.to_json(self.sweep))
        return result

    def to_pandas(self) -> Any:
        """Return the rows as a pandas DataFrame. Raises InspectorError: no pandas."""
        return frame(self.rows())

    def save(self, path: str | Path) -> Path:
        """Save the sweep, by suffix: .json to open again, .html, .pdf, .md or .csv.

        Raises BadInput: no such format; NotSaved.
        """
        return save_as(Subject.SWEEP, Path(path), self.sweep)

    def _repr_markdown_(self) -> str:
        return document(sweep_page(self.sweep), "md").decode()


@dataclass(frozen=True, slots=True, repr=False)
class Check(OneLine):
    """Whether a condition holds; true only if the measurement is certain of it.

    condition: as it was given. inconclusive: noise, or too few runs, leave it open. text: the
    measured number with its 95% interval.
    """

    condition: str
    holds: bool
    inconclusive: bool
    text: str

    def __bool__(self) -> bool:
        return self.holds

    def about(self) -> str:
        """Return the content in a few words."""
        verdict = "holds" if self.holds else "does not hold"
        verdict = "is inconclusive" if self.inconclusive else verdict
        return f"{self.condition} {verdict}: {self.text}"


def checked(text: str, reports: Sequence[PerformanceReport]) -> Check:
    """Hold the last report against a condition, and against the first one if there are two.

    Raises BadInput: not understood, or it is about a change and there is one report.
    """
    condition = ci_conditions.parse(text)
    name = reports[-1].model.name
    if len(reports) > 1:
        compared = compare(reports, [each.model.name for each in reports])
        findings: Sequence[Finding] = ci_conditions.judged([condition], reports, compared)
    elif condition.stands_alone:
        findings = ci_conditions.judged_alone([condition], reports[0], name)
    else:
        what, why = f"Could not check '{text}'", "it is about a change between two measurements"
        raise BadInput(what, why, "Pass the other measurement with against=.")
    outcome, told = findings[-1].outcome, str(findings[-1].text)
    return Check(text, outcome is Outcome.HOLDS, outcome is Outcome.UNDECIDED, told)
