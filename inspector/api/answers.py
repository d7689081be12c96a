"""The result of a prediction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

from inspector.model.tensors.prediction import Prediction
from inspector.preview.families.output_structure import UNKNOWN, ModelStructure
from inspector.preview.outputs import results
from inspector.units import duration

Array = NDArray[Any]


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
