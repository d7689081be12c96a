"""Reports are read and compared, models are compared, and held against tables of devices."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.analysis.devices import targets as known
from inspector.analysis.devices.targets import TargetSupport
from inspector.api.measured import Measurement, ReportComparison
from inspector.api.models import ModelOrPath, open_model
from inspector.api.python_words import says_parameters
from inspector.api.tables import OneLine
from inspector.app.target_support import check_targets
from inspector.comparison import comparison
from inspector.comparison.model_changes import ModelDiff
from inspector.comparison.model_diff import diff as compare_models
from inspector.engine.client.engine_process import EngineProcess
from inspector.formats.onnx.weight_values import WeightReader
from inspector.pages.model_diff import model_diff_page
from inspector.render.documents import document
from inspector.render.registry import Subject, save_as
from inspector.render.tables.model_diff_json import model_diff_json
from inspector.report import report as reports


@dataclass(frozen=True, slots=True, repr=False)
class ModelComparison(OneLine):
    """The differences between two models."""

    diff: ModelDiff

    def about(self) -> str:
        """Return the content in a few words."""
        return self.summary

    @property
    def summary(self) -> str:
        """Return them in one sentence."""
        return self.diff.summary

    def to_dict(self) -> dict[str, Any]:
        """Return what `inspector diff --json` prints."""
        body: dict[str, Any] = json.loads(model_diff_json(self.diff, ()))
        return body

    def save(self, path: str | Path) -> Path:
        """Save it, by suffix: .html, .pdf, .md or .json. Raises BadInput, NotSaved."""
        return save_as(Subject.MODEL_DIFF, Path(path), self.diff)

    def _repr_markdown_(self) -> str:
        return document(model_diff_page(self.diff), "md").decode()


@dataclass(frozen=True, slots=True, repr=False)
class Support(OneLine):
    """Whether targets such as phones and GPUs would run a model, estimated from tables."""

    model: str
    targets: tuple[TargetSupport, ...]

    def about(self) -> str:
        """Return the content in a few words."""
        answers = (f"{each.target.id} {each.answer.value}" for each in self.targets)
        return f"{self.model}: {', '.join(answers)}"

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


def load_report(path: str | Path) -> Measurement:
    """Read a saved report. Raises InspectorError: it is not one."""
    return Measurement(reports.load(Path(path)))


@says_parameters
def compare(*reports: Measurement | str | Path) -> ReportComparison:
    """Compare two or more reports with the first. Raises InspectorError."""
    loaded = [r if isinstance(r, Measurement) else load_report(r) for r in reports]
    values = tuple(each.report for each in loaded)
    return ReportComparison(comparison.compare(values), values)


@says_parameters
def diff(first: ModelOrPath, other: ModelOrPath, *, values: bool = True) -> ModelComparison:
    """Compare two models: layers, attributes, shapes, types and weights.

    values: whether the values of weights are read and compared. Raises InspectorError.
    """
    one, two = open_model(first), open_model(other)
    if not values:
        return ModelComparison(compare_models(one.model, two.model))
    with WeightReader(one.path) as first_weights, WeightReader(two.path) as other_weights:
        return ModelComparison(
            compare_models(one.model, two.model, first_weights.read, other_weights.read)
        )


@says_parameters
def support(model: ModelOrPath, targets: str = "all") -> Support:
    """Estimate which targets would run a model, from support tables; nothing is run.

    targets: "all", or names such as "apple,android,nvidia". Raises InspectorError.
    """
    opened = open_model(model)
    chosen = known.chosen(targets, opened.model)
    with EngineProcess() as engine:
        found = check_targets(engine, opened.path, opened.model, chosen, {})
    return Support(opened.model.name, tuple(found))
