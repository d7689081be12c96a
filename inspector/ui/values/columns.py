"""The columns of the list of layers and their values: what each one says, how it sorts."""

from collections.abc import Sequence
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.agreement import decibels
from inspector.analysis.stepping import LayerOutput, LayerStep
from inspector.difference import Difference
from inspector.model import product
from inspector.ui.kit.table_model import ranks


class What(StrEnum):
    """What a column tells."""

    NUMBER = "#"
    LAYER = "Layer"
    OPERATOR = "Operator"
    SHAPE = "Shape"
    LEAST = "Least"
    MOST = "Most"
    ODD = "NaN, Inf"
    ERROR = "Error"
    SQNR = "SQNR"

    @property
    def numeric(self) -> bool:
        """Whether it is aligned to the right."""
        return self in (What.LEAST, What.MOST, What.ODD, What.ERROR, What.SQNR)

    @property
    def largest_first(self) -> bool:
        """Whether the first click sorts downwards."""
        return self in (What.MOST, What.ODD, What.ERROR)


MEANINGS = {
    What.LEAST: "The smallest finite value of the output that is shown",
    What.MOST: "The largest finite value of the output that is shown",
    What.ODD: "Elements that are not a number, or infinite, in all outputs",
    What.ERROR: "The largest error, in parts of the largest value of the other side",
    What.SQNR: "Signal to noise: the other side is the signal, what differs the noise",
}
_WIDE = {
    What.NUMBER: 48, What.LAYER: 150, What.OPERATOR: 104, What.SHAPE: 104, What.LEAST: 84,
    What.MOST: 84, What.ODD: 96, What.ERROR: 78, What.SQNR: 78,
}  # fmt: skip
_FIRST_TO_GO = (What.OPERATOR, What.SHAPE, What.LEAST, What.SQNR, What.MOST)


def widths(columns: Sequence[What], room: int) -> tuple[int, ...]:
    """Width of each column in pixels, 0 for those left out; the names take what is over."""
    found = {what: _WIDE[what] for what in columns}
    for what in _FIRST_TO_GO:
        if what in found and sum(found.values()) > room:
            found[what] = 0
    found[What.LAYER] += max(0, room - sum(found.values()))
    return tuple(found[what] for what in columns)


def shown(step: LayerStep) -> LayerOutput | None:
    """The output that a row tells of: the one that differs most, else the first."""
    worst = step.worst
    if worst is not None:
        return next(each for each in step.outputs if each.difference is worst)
    return step.outputs[0] if step.outputs else None


def number(value: float | int | None) -> str:
    """A value in few places."""
    return "–" if value is None else f"{value:.4g}"


def share(found: Difference | None) -> str:
    """An error in parts of the largest value: '3.1e-05', 'shape' where that differs."""
    if found is None:
        return "–"
    if found.problem:
        return "other"
    if found.identical:
        return "0"
    if found.unmatched:
        return "NaN, Inf"
    relative = found.relative
    return "differs" if relative is None else "∞" if np.isinf(relative) else f"{relative:.2g}"


def odd(step: LayerStep) -> str:
    """How many elements are NaN or infinite: '12 NaN', '3 Inf', both added up."""
    if not step.nan and not step.infinite:
        return "" if step.outputs else "–"
    word = "NaN" if step.nan and not step.infinite else "" if step.nan else "Inf"
    return f"{units.count(step.nan + step.infinite)} {word}".strip()


def text(step: LayerStep, what: What) -> str:
    """What a cell says."""
    output = shown(step)
    values = output.statistics if output is not None else None
    apart = output.difference if output is not None else None
    match what:
        case What.NUMBER:
            return str(step.index)
        case What.LAYER:
            return units.clip(step.name)
        case What.OPERATOR:
            return units.clip(step.operator, 60)
        case What.SHAPE:
            return (
                "–" if output is None else units.clip(output.words) or units.shape(output.shape)
            )
        case What.LEAST:
            return number(values.minimum if values else None)
        case What.MOST:
            return number(values.maximum if values else None)
        case What.ODD:
            return odd(step)
        case What.ERROR:
            return share(apart)
        case What.SQNR:
            return "–" if apart is None or apart.sqnr_db is None else decibels(apart.sqnr_db)


def keys(steps: Sequence[LayerStep], what: What) -> NDArray[np.float64]:
    """What a column sorts by: float64 (steps,); NaN where there is nothing."""
    if what in (What.LAYER, What.OPERATOR):
        return ranks([(step.name if what is What.LAYER else step.operator) for step in steps])
    return np.array([_key(step, what) for step in steps], np.float64)


def _key(step: LayerStep, what: What) -> float:
    output = shown(step)
    values = output.statistics if output is not None else None
    apart = output.difference if output is not None else None
    found: float | None
    match what:
        case What.NUMBER:
            found = step.index
        case What.SHAPE:
            found = product(output.shape) if output is not None else None
        case What.LEAST:
            found = values.minimum if values else None
        case What.MOST:
            found = values.maximum if values else None
        case What.ODD:
            found = step.nan + step.infinite
        case What.ERROR:
            found = _error(apart)
        case _:
            found = apart.sqnr_db if apart else None
    return float("nan") if found is None else float(found)


def _error(apart: Difference | None) -> float | None:
    if apart is None:
        return None
    return float("inf") if apart.problem or apart.unmatched else apart.relative
