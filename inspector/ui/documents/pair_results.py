"""Results of comparing two models, read and written for sessions.

Imported with the first pair: numpy comes with it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol, Self

import msgspec

from inspector.comparison.measured_pair import MeasuredPair
from inspector.comparison.model_changes import ModelDiff
from inspector.comparison.model_diff import diff
from inspector.formats.onnx.weight_values import WeightReader
from inspector.formats.opening import open_model
from inspector.model.model import Model
from inspector.preview.runs.folder import Summary
from inspector.preview.runs.parity import OutputParity
from inspector.report.language.quality import Quality
from inspector.report.output_verdict import OutputVerdict
from inspector.report.saved_json import expect_ranges
from inspector.wording import stored

_TYPES: dict[str, Any] = {  # of the fields as they are saved
    "versions": tuple[tuple[int, int] | None, ...],
    "made": datetime,
    "outputs": tuple[OutputParity, ...] | None,
    "chosen_input": bool,
    "folder": str,
    "counts": Summary | None,
    "proof": MeasuredPair | None,
    "verdict": OutputVerdict | None,
    "quality": Quality | None,
}


class Side(Protocol):
    """One of two models: its file, its name, and its content if that was read already."""

    @property
    def path(self) -> Path: ...  # noqa: D102
    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def model(self) -> Model | None: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class PairResults:
    """Outputs, accuracy, and Improve's measurement of two models A and B.

    versions: size of both files, and when they were written in ns since 1970, at that time.
    made: when this was compared, as an ISO date. chosen_input: whether `outputs` are those of
    the input in Preview, not of a generated one. folder, counts: of both models' predictions
    for the images of a folder. proof: what Improve measured. verdict: on `outputs`; None in
    sessions of earlier versions. quality: of two language models, on a text.
    """

    versions: tuple[tuple[int, int] | None, ...]
    made: str
    outputs: tuple[OutputParity, ...] | None = None
    chosen_input: bool = False
    folder: str = ""
    counts: Summary | None = None
    proof: MeasuredPair | None = None
    verdict: OutputVerdict | None = None
    quality: Quality | None = None

    @staticmethod
    def now() -> str:
        """Return the time as sessions keep it."""
        return datetime.now(UTC).isoformat(timespec="seconds")

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Read results of an earlier session; None if they are damaged."""
        try:
            record = {"verdict": None, "quality": None} | msgspec.json.decode(
                text, type=dict[str, Any]
            )
            fields = {name: msgspec.convert(record[name], _TYPES[name]) for name in _TYPES}
            values = (*(fields[name] for name in ("counts", "proof", "verdict")),)
            for value in (*(fields["outputs"] or ()), *values):
                if value is not None:
                    expect_ranges(value)
        except (ValueError, KeyError, RecursionError):  # msgspec's errors are ValueErrors
            return None
        return cls(**{**fields, "made": record["made"]})

    def json_text(self) -> str:
        """Return the results as JSON, which `read` takes."""
        return stored.json_text(self)

    @staticmethod
    def compare(first: Side, other: Side, progress: Callable[[float], None]) -> ModelDiff:
        """Read what is not open of two models, and compare them. Raises InspectorError."""
        models = [
            replace(side.model or open_model(side.path), name=side.name)
            for side in (first, other)
        ]
        with WeightReader(first.path) as one, WeightReader(other.path) as two:
            return diff(models[0], models[1], one.read, two.read, progress)
