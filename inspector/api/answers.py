"""The result of a prediction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from inspector.api.tables import OneLine
from inspector.model.tensors.difference import difference
from inspector.model.tensors.prediction import Prediction
from inspector.preview.families.output_structure import UNKNOWN, ModelStructure
from inspector.preview.outputs import results
from inspector.units import duration

Array = NDArray[Any]


@dataclass(frozen=True, slots=True, repr=False)
class Answer(OneLine):
    """The outputs of one prediction, by name.

    prediction_ns: how long the model took. labels: names of classes, if known.
    """

    outputs: Mapping[str, Array]
    prediction_ns: int
    labels: tuple[str, ...]
    prediction: Prediction = field(repr=False)
    structure: ModelStructure | None = field(repr=False, default=None)

    def about(self) -> str:
        """Return the content in a few words."""
        classes = ", ".join(f"{name} {share:.1%}" for name, share in self.top(1))
        arrays = (f"{name} {a.dtype} {list(a.shape)}" for name, a in self.outputs.items())
        return f"{classes or ', '.join(arrays)}; {duration(self.prediction_ns)}"

    def __getitem__(self, name: str) -> Array:
        return self.outputs[name]

    def problems(
        self,
        expected: Mapping[str, Array],
        *,
        rtol: float = 1e-3,
        atol: float = 1e-5,
        psnr: float | None = None,
        same_class: bool = False,
    ) -> list[str]:
        """Return where the outputs are not the expected ones, a sentence each; empty if equal.

        rtol, atol: of each element, as in numpy.allclose. psnr: decibels that each output must
        have at least, in place of these. same_class: whether each row must have its largest
        element at the same place; in place of these, unless psnr is given.
        """
        found = [
            f"there is no output '{name}'" for name in expected if name not in self.outputs
        ]
        for name, wanted in expected.items():
            if name not in self.outputs:
                continue
            apart = difference(np.asarray(wanted), self.outputs[name])
            if apart.problem:
                found.append(f"'{name}': {apart.problem}")
                continue
            if psnr is not None and (apart.psnr_db is None or apart.psnr_db < psnr):
                found.append(f"'{name}': PSNR is {apart.psnr_db} dB, below {psnr:g} dB")
            if same_class and apart.top1 != 1.0:
                found.append(
                    f"'{name}': the class is the same in {apart.top1 or 0:.1%} of rows"
                )
            if psnr is None and not same_class:
                found += _beyond(name, np.asarray(wanted), self.outputs[name], rtol, atol)
        return found

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


def _beyond(name: str, wanted: Array, array: Array, rtol: float, atol: float) -> list[str]:
    """Return a sentence about elements beyond a tolerance; nothing if there are none."""
    near = np.isclose(array, wanted, rtol, atol, equal_nan=True)
    if near.all():
        return []
    gap = np.abs(array.astype(np.float64) - wanted.astype(np.float64))
    place = np.unravel_index(int(np.argmax(np.where(near, -1.0, gap))), gap.shape)
    where = list(map(int, place))
    return [
        f"'{name}': {int((~near).sum()):,} of {near.size:,} values differ; the largest "
        f"difference is {gap[place]:.3g} at {where}: {array[place]} instead of {wanted[place]}"
    ]
