"""Results of comparing a model: with another one, and with what devices support."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inspector.analysis.devices.targets import TargetSupport
from inspector.api.tables import OneLine
from inspector.comparison.model_changes import ModelDiff
from inspector.pages.model_diff import model_diff_page
from inspector.render.documents import document
from inspector.render.registry import Subject, save_as
from inspector.render.tables.model_diff_json import model_diff_json


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
