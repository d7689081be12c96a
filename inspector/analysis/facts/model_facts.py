"""A model or a report becomes facts. Pure functions."""

from dataclasses import dataclass

from inspector.analysis.facts.operator_counts import counted
from inspector.analysis.facts.precision import Precision, precision
from inspector.analysis.facts.requirements import Requirements, requirements
from inspector.model.model import Model

__all__ = ["Facts", "Precision", "Requirements", "facts"]


@dataclass(frozen=True, slots=True)
class Facts:
    """What follows from a model's own words.

    operators: (name, number of layers), most frequent first; a name outside of the default
        operator set carries its domain.
    constants: number of elements in Constant nodes and other attributes that
        `Model.parameters` does not count: shapes, axes, single numbers.
    weights_bytes: what all weights and constants take in the files.
    """

    operators: tuple[tuple[str, int], ...]
    precision: Precision
    requirements: Requirements
    constants: int
    weights_bytes: int


def facts(model: Model) -> Facts:
    """Work out everything that `inspector info` and the overview show beside the model."""
    model_precision = precision(model)
    return Facts(
        operators=counted(model.layers),
        precision=model_precision,
        requirements=requirements(model),
        constants=model.constants,
        weights_bytes=sum(size for _, size in model_precision.storage),
    )
