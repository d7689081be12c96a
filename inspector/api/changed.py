"""Results of changing a model: converted by actions, or improved by a search."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inspector.api.tables import OneLine, in_frame
from inspector.comparison.improvement_conditions import subject_of
from inspector.conversion.result import CheckedConversion, Conversion
from inspector.model.model import Model
from inspector.pages.improvement import improvement_page
from inspector.pages.on_devices.compiled import compiled_page
from inspector.render.documents import document
from inspector.render.registry import Subject, save_as
from inspector.render.tables.compiled_json import compiled_fields
from inspector.report.improvement import Improvement, headline, to_json
from inspector.report.report_values import CompiledLayers
from inspector.units import plural


@dataclass(frozen=True, slots=True, repr=False)
class Converted(OneLine):
    """A model that was changed, checked at four optimization levels, and saved.

    path: None if no action had anything to do, and no copy was wanted. effects: what each
    action did, as texts. checked: how its outputs compare with those of the original.
    """

    path: Path | None
    effects: tuple[str, ...]
    conversion: Conversion = field(repr=False)
    checked: CheckedConversion = field(repr=False)

    def about(self) -> str:
        """Return the content in a few words."""
        return f"{self.path or 'not saved'}: {self.verdict}"

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


@dataclass(frozen=True, slots=True, repr=False)
class Compiled(OneLine):
    """A model that was compiled for a device.

    path: of the compiled model; None if the provider compiled no part, or no file was wanted.
    target: id of the chip or device. chip: as the binary names it; maybe empty. compiled, left:
    names of layers that run on it, and why others do not, by name.
    """

    path: Path | None
    target: str
    chip: str
    compiled: tuple[str, ...]
    left: dict[str, str]
    model: Model = field(repr=False)
    layers: CompiledLayers = field(repr=False)

    def about(self) -> str:
        """Return the content in a few words."""
        whole = plural(len(self.compiled) + len(self.left), "layer")
        return f"{self.model.name} for {self.target}: {len(self.compiled):,} of {whole}"

    def to_dict(self) -> dict[str, Any]:
        """Return what `inspector compile --json` prints."""
        return compiled_fields(self.model, self.layers)

    def _repr_markdown_(self) -> str:
        return document(compiled_page(self.model, self.model.name, self.layers), "md").decode()


@dataclass(frozen=True, slots=True, repr=False)
class Improved(OneLine):
    """Candidates for a smaller or faster model, compared with the original on test inputs."""

    improvement: Improvement

    def about(self) -> str:
        """Return the content in a few words."""
        return self.headline

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
        best = subject_of(self.improvement)
        return best.cautions if best is not None else ()

    def to_dict(self) -> dict[str, Any]:
        """Return what `inspector improve --json` prints."""
        body: dict[str, Any] = json.loads(to_json(self.improvement))
        return body

    def save(self, path: str | Path) -> Path:
        """Save the results: .html, .pdf, .md or .json. Raises BadInput, NotSaved."""
        return save_as(Subject.IMPROVEMENT, Path(path), self.improvement)

    def _repr_html_(self) -> str:
        return in_frame(_improvement_document(self.improvement, "html"))

    def _repr_markdown_(self) -> str:
        return _improvement_document(self.improvement, "md")


def _improvement_document(improvement: Improvement, form: str) -> str:
    return document(improvement_page(improvement), form).decode()
