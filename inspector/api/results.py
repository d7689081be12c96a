"""Results of the Python API: values that show themselves in a notebook and save themselves."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from html import escape
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from inspector.analysis.measured.latency import latency
from inspector.errors import InspectorError
from inspector.platform import files, own_processes
from inspector.preview.families.output_structure import UNKNOWN
from inspector.preview.outputs import results
from inspector.report import report as reports
from inspector.report import sweep
from inspector.report.improvement import headline, to_json
from inspector.units import duration

if TYPE_CHECKING:
    from inspector.analysis.devices.targets import TargetSupport
    from inspector.comparison.comparison import Comparison
    from inspector.comparison.model_changes import ModelDiff
    from inspector.conversion.result import CheckedConversion, Conversion
    from inspector.model.tensors.prediction import Prediction
    from inspector.preview.families.output_structure import ModelStructure
    from inspector.report.improvement import Improvement
    from inspector.report.report import PerformanceReport
    from inspector.report.sweep import Sweep
    from inspector.report.tuning import Tuning


Array = NDArray[Any]
OnProgress = Callable[[str, float], None]


@dataclass(frozen=True, slots=True)
class Answer:
    """The outputs of one prediction, by name.

    prediction_ns: how long the model took. labels: names of classes, if known.
    """

    outputs: Mapping[str, Array]
    prediction_ns: int
    labels: tuple[str, ...]
    prediction: Prediction = field(repr=False)
    structure: ModelStructure | None = field(repr=False, default=None)

    def __getitem__(self, name: str) -> Array:
        return self.outputs[name]

    def top(self, count: int = 5) -> list[tuple[str, float]]:
        """Return the classes with the highest probability: (name or number, probability).

        Empty if no output is classes.
        """
        structure = self.structure or UNKNOWN
        for output in self.prediction.outputs:
            if results.is_classes(output, self.labels, structure):
                rows = results.classes(output, self.labels, count, structure=structure)
                top = rows[0].top if rows else ()
                return [(each.label or str(each.index), each.probability) for each in top]
        return []

    def _repr_markdown_(self) -> str:
        rows = [f"| {name} | {share:.2%} |" for name, share in self.top()]
        rows = rows or [f"| {n} | {a.dtype} {a.shape} |" for n, a in self.outputs.items()]
        return "\n".join(
            ("| | |", "|---|---|", *rows, f"| Run time | {duration(self.prediction_ns)} |")
        )


@dataclass(frozen=True, slots=True)
class Measurement:
    """A performance report: latency, memory, and the time of each layer.

    report: everything, as the window shows it. Times are in nanoseconds.
    """

    report: PerformanceReport

    @property
    def p50_ns(self) -> float:
        """Return the median latency: at full CPU speed if known, else of all predictions."""
        both = latency(self.report)
        if both is None:
            raise InspectorError("No latency is available", "no prediction was timed")
        return both.headline.p50_ns

    def latency(self) -> dict[str, Any]:
        """Return both kinds as `latency.Latency` names them; the first is None if unknown."""
        both = latency(self.report)
        return {} if both is None else asdict(both)

    def layers(self) -> list[dict[str, Any]]:
        """Return one row for each layer, as in the CSV of layers; times in nanoseconds."""
        from inspector.export.tables.report_csv import layers_csv

        text = layers_csv(self.report).decode("utf-8", "replace")
        return [_row(row) for row in csv.DictReader(io.StringIO(text))]

    def samples(self) -> Array:
        """Return the duration of each timed prediction in order, int64, nanoseconds."""
        return np.asarray(self.report.prediction_ns, np.int64)

    def to_dict(self) -> dict[str, Any]:
        """Return what `inspector measure --json` prints."""
        from inspector.export.tables.report_json import report_json

        body: dict[str, Any] = json.loads(report_json(self.report))
        return body

    def to_pandas(self) -> Any:
        """Return the layers as a pandas DataFrame. Raises InspectorError: no pandas here."""
        return _frame(self.layers())

    def to_arrow(self) -> Any:
        """Return the layers as a pyarrow Table. Raises InspectorError: no pyarrow here."""
        return _arrow(self.layers())

    def save(self, path: str | Path) -> Path:
        """Save the report, by suffix: .json to open again, .html, .md, .csv, .pdf, ...

        Raises BadInput: no such format; NotSaved.
        """
        from inspector.export.registry import Subject

        target = Path(path)
        if target.suffix == ".json":
            reports.save(self.report, target)
            return target
        return _export(Subject.REPORT, target, self.report)

    def open_in_window(self) -> None:
        """Open the report in a new window of Inspector, and return at once."""
        folder = Path(tempfile.mkdtemp(prefix="inspector-"))
        path = self.save(folder / f"{Path(self.report.model.name).stem}.json")
        subprocess.Popen(own_processes.command("inspector", str(path)), start_new_session=True)

    def _repr_html_(self) -> str:
        from inspector.export.registry import export

        return _in_frame(export(self.report, "html").decode())

    def _repr_markdown_(self) -> str:
        from inspector.export.registry import export

        return export(self.report, "md").decode()


@dataclass(frozen=True, slots=True)
class ReportComparison:
    """Reports side by side, compared with the first.

    verdict: which of two formats is faster, and whether their outputs agree, in sentences;
    empty unless `measure_against` measured two formats.
    """

    comparison: Comparison
    reports: tuple[PerformanceReport, ...]
    verdict: str = ""

    def save(self, path: str | Path) -> Path:
        """Save it, by suffix: .html, .pdf, .md, .csv, .svg, ... Raises BadInput, NotSaved."""
        from inspector.export.registry import Subject

        return _export(Subject.COMPARISON, Path(path), self.comparison, self.reports)

    def _repr_markdown_(self) -> str:
        from inspector.export.registry import export_comparison

        return export_comparison(self.comparison, self.reports, "md").decode()


@dataclass(frozen=True, slots=True)
class ModelComparison:
    """The differences between two models."""

    diff: ModelDiff

    @property
    def summary(self) -> str:
        """Return them in one sentence."""
        return self.diff.summary

    def to_dict(self) -> dict[str, Any]:
        """Return what `inspector diff --json` prints."""
        from inspector.export.tables.model_diff_json import model_diff_json

        body: dict[str, Any] = json.loads(model_diff_json(self.diff, ()))
        return body

    def save(self, path: str | Path) -> Path:
        """Save it, by suffix: .html, .pdf, .md or .json. Raises BadInput, NotSaved."""
        from inspector.export.registry import Subject

        return _export(Subject.MODEL_DIFF, Path(path), self.diff)

    def _repr_markdown_(self) -> str:
        from inspector.pages.model_diff import model_diff_page
        from inspector.render.documents import document

        return document(model_diff_page(self.diff), "md").decode()


@dataclass(frozen=True, slots=True)
class Support:
    """Whether targets such as phones and GPUs would run a model, estimated from tables."""

    model: str
    targets: tuple[TargetSupport, ...]

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Return for each target its verdict and a sentence."""
        return {
            each.target.id: {
                "verdict": each.verdict.value,
                "answer": each.answer.value,
                "sentence": each.sentence,
            }
            for each in self.targets
        }

    def _repr_markdown_(self) -> str:
        rows = [
            f"| {t.target.title} | {t.answer.value} | {t.count} | {t.sentence} |"
            for t in self.targets
        ]
        return "\n".join(("| Target | Runs there? | Layers | |", "|---|---|---|---|", *rows))


@dataclass(frozen=True, eq=False)
class Tuned:
    """The fastest settings that a search found, compared with the default settings.

    settings: fields of `RunSpec` that differ from the default; empty if nothing is faster.
    sentences: the result, its certainty and its caveats. tuning: all that was measured.
    """

    settings: dict[str, Any]
    sentences: tuple[str, ...]
    tuning: Tuning

    def code(self, language: str = "python") -> str:
        """Return code that creates a session with these settings.

        language: "python", "cpp", ... Raises BadInput: there is no such language.
        """
        from inspector.analysis.measured.tuning_results import chosen
        from inspector.export.code_languages import language as named

        return named(language).session_code(chosen(self.tuning), self.tuning.model.name)

    def to_dict(self) -> dict[str, Any]:
        """Return what `inspector tune --json` prints."""
        from inspector.report import tuning

        result: dict[str, Any] = json.loads(tuning.to_json(self.tuning))
        return result

    def _repr_markdown_(self) -> str:
        return "\n\n".join((*self.sentences, f"```python\n{self.code()}```"))


@dataclass(frozen=True, eq=False)
class SweepResult:
    """Latency for every combination of some settings."""

    sweep: Sweep

    def rows(self) -> list[dict[str, Any]]:
        """Return the combinations, one row each, with numbers as numbers."""
        from inspector.export.tables.sweep_tables import csv as sweep_csv

        return [_row(row) for row in csv.DictReader(io.StringIO(sweep_csv(self.sweep)))]

    def to_dict(self) -> dict[str, Any]:
        """Return the saved form, as `inspector sweep --json` prints it."""
        result: dict[str, Any] = json.loads(sweep.to_json(self.sweep))
        return result

    def to_pandas(self) -> Any:
        """Return the rows as a pandas DataFrame. Raises InspectorError: no pandas."""
        return _frame(self.rows())

    def save(self, path: str | Path) -> Path:
        """Save the sweep, by suffix: .json to open again, .html, .pdf, .md or .csv.

        Raises BadInput: no such format; NotSaved.
        """
        from inspector.export.registry import Subject

        return _export(Subject.SWEEP, Path(path), self.sweep)

    def _repr_markdown_(self) -> str:
        from inspector.pages.sweep import sweep_page
        from inspector.render.documents import document

        return document(sweep_page(self.sweep), "md").decode()


@dataclass(frozen=True, slots=True)
class Converted:
    """A model that was changed, checked at four optimization levels, and saved.

    path: None if no action had anything to do, and no copy was wanted. effects: what each
    action did, as texts. checked: how its outputs compare with those of the original.
    """

    path: Path | None
    effects: tuple[str, ...]
    conversion: Conversion = field(repr=False)
    checked: CheckedConversion = field(repr=False)

    @property
    def unchanged(self) -> bool:
        """Return whether no action had anything to do, so that the file is a copy."""
        return self.conversion.unchanged

    @property
    def verdict(self) -> str:
        """Return whether the outputs are still right, in one sentence."""
        return self.checked.sentence

    def _repr_markdown_(self) -> str:
        steps = zip(self.conversion.steps, self.effects, strict=True)
        done = "\n".join(f"- `{step.text}`: {effect}" for step, effect in steps)
        return f"{self.verdict}\n\n{done}"


@dataclass(frozen=True, slots=True)
class Improved:
    """Candidates for a smaller or faster model, compared with the original on test inputs."""

    improvement: Improvement

    @property
    def headline(self) -> str:
        """Return the result in one sentence."""
        return headline(self.improvement)

    @property
    def code(self) -> str:
        """Return Python code that makes the best model again; empty if none is better."""
        best = self.improvement.best
        return "" if best < 0 else self.improvement.code(self.improvement.candidates[best])

    @property
    def cautions(self) -> tuple[str, ...]:
        """Return sentences that belong beside the headline, such as on support by phones."""
        from inspector.comparison.improvement_conditions import subject_of

        best = subject_of(self.improvement)
        return best.cautions if best is not None else ()

    def to_dict(self) -> dict[str, Any]:
        """Return what `inspector improve --json` prints."""
        body: dict[str, Any] = json.loads(to_json(self.improvement))
        return body

    def save(self, path: str | Path) -> Path:
        """Save the results: .html, .pdf, .md or .json. Raises BadInput, NotSaved."""
        from inspector.export.registry import Subject

        return _export(Subject.IMPROVEMENT, Path(path), self.improvement)

    def _repr_html_(self) -> str:
        return _in_frame(_improvement_document(self.improvement, "html"))

    def _repr_markdown_(self) -> str:
        return _improvement_document(self.improvement, "md")


def _row(row: Mapping[str, str]) -> dict[str, Any]:
    return {name: _number(text) for name, text in row.items()}


def _number(text: str) -> Any:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text or None


def _frame(rows: Sequence[Mapping[str, Any]]) -> Any:
    return _library("pandas").DataFrame(list(rows))


def _arrow(rows: Sequence[Mapping[str, Any]]) -> Any:
    names = rows[0] if rows else {}
    return _library("pyarrow").table({name: [row[name] for row in rows] for name in names})


def _library(name: str) -> Any:
    """Import a library that Inspector itself does not need. Raises InspectorError."""
    try:
        return import_module(name)
    except ImportError as error:
        what = f"Could not convert to {name}"
        raise InspectorError(what, "it is not installed", f"pip install {name}") from error


def _export(subject: Any, path: Path, *values: Any) -> Path:
    from inspector.export.registry import format_for

    files.write_atomic(path, bytes(format_for(subject, path).writer(*values)))
    return path


def _improvement_document(improvement: Improvement, form: str) -> str:
    from inspector.pages.improvement import improvement_page
    from inspector.render.documents import document

    return document(improvement_page(improvement), form).decode()


def _in_frame(page: str) -> str:
    """Return a page inside a notebook's own page, which its styles must not change."""
    return (
        f'<iframe srcdoc="{escape(page)}" width="100%" height="640" frameborder="0"></iframe>'
    )
