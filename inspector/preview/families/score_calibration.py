"""Score calibration that a TensorFlow Lite model's metadata ask for: a sigmoid for each class.

The formula is that of ScoreCalibrationOptions in tflite-support's metadata_schema.fbs, with the
limits for logarithms that its Task Library takes (score_calibration.cc).
"""

from collections.abc import Container, Mapping

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.model.metadata_keys import (
    CALIBRATION_DEFAULT,
    CALIBRATION_FILE,
    CALIBRATION_TEXT,
    CALIBRATION_TRANSFORMATION,
)
from inspector.model.model import Model, TensorInfo

_LEAST_LOG = 1e-16  # below it the logarithm is continued by its mirror image
_FARTHEST = 700.0  # exponent: exp of more is infinite in float64
_SIGMOID = (3, 4)  # numbers in a line: scale, slope, offset, and the least score
_MOST_LINES = 100_000  # as many as a row of classes may have

Numbers = NDArray[np.float64]


class ScoreCalibration(Struct, frozen=True):
    """What makes comparable scores of the scores of an output.

    transformation: "identity", "log" or "inverse logistic". default: the score of classes
    without a sigmoid, and of scores below the least one. lines: for each class scale, slope,
    offset and the least score (-infinity where there is none), or () without a sigmoid.
    problem: why the scores stay as they are, "" where they do not.
    """

    transformation: str
    default: float
    lines: tuple[tuple[float, ...], ...] = ()
    problem: str = ""

    def of_rows(self, rows: Numbers) -> Numbers:
        """Return the calibrated scores of rows, (N, classes)."""
        return self.of_classes(rows, np.broadcast_to(np.arange(rows.shape[1]), rows.shape))

    def of_classes(self, scores: Numbers, classes: NDArray[np.integer]) -> Numbers:
        """Return calibrated scores, each of the class of the number beside it. Numbers without
        a line get the default score."""
        sigmoids = np.array([line or (np.nan,) * 4 for line in (*self.lines, ())])
        known = (classes >= 0) & (classes < len(self.lines))
        scale, slope, offset, least = sigmoids[np.where(known, classes, -1)].T.reshape(
            4, *scores.T.shape
        )
        exponents = slope.T * _TRANSFORMATIONS[self.transformation](scores) + offset.T
        calibrated = scale.T / (1 + np.exp(-np.clip(exponents, -_FARTHEST, _FARTHEST)))
        plain = np.isnan(scale.T) | (scores < least.T)
        result: Numbers = np.where(plain, self.default, calibrated)
        return result


def of_model(model: Model, of_boxes: Container[str]) -> dict[str, ScoreCalibration]:
    """Return the calibration of each output for which the metadata have one, by its name.

    of_boxes: outputs with one score for each box, whose class another output says.
    """
    entries = dict(model.metadata)
    found = {
        info.name: _of_output(info, entries, info.name not in of_boxes)
        for info in model.outputs
    }
    return {name: each for name, each in found.items() if each is not None}


def notes(calibrations: Mapping[str, ScoreCalibration]) -> tuple[str, ...]:
    """Return a sentence for each output: whether the scores that are shown are calibrated."""
    return tuple(
        f"The scores of {name} are not calibrated: {each.problem}." if each.problem
        else f"The scores of {name} are calibrated with parameters in the model's metadata."
        for name, each in calibrations.items()
    )  # fmt: skip


def _of_output(
    info: TensorInfo, entries: Mapping[str, str], a_column_each: bool
) -> ScoreCalibration | None:
    about = dict(info.metadata)
    transformation = about.get(CALIBRATION_TRANSFORMATION)
    if transformation is None:
        return None
    default = _number(about.get(CALIBRATION_DEFAULT, "0")) or 0.0
    text = entries.get(CALIBRATION_TEXT + about.get(CALIBRATION_FILE, ""), "")
    lines, problem = _lines(text)
    columns = info.shape[-1] if info.shape and a_column_each else None
    if len(lines) - 1 == columns and not lines[-1]:
        lines = lines[:-1]  # what stands behind the last end of a line
    if isinstance(columns, int) and not problem and columns != len(lines):
        problem = f"{len(lines):,} lines of parameters do not match {columns:,} classes"
    if transformation not in _TRANSFORMATIONS:
        problem = f"transformation {transformation} is not known"
    return ScoreCalibration(transformation, default, () if problem else lines, problem)


def _lines(text: str) -> tuple[tuple[tuple[float, ...], ...], str]:
    """Return the parameters of each class, and what is wrong with them."""
    if not text:
        return (), "the file with the parameters is missing"
    texts = text.split("\n")
    if len(texts) > _MOST_LINES:
        return (), f"it has more than {_MOST_LINES:,} lines"
    lines = list[tuple[float, ...]]()
    for place, line in enumerate(texts, 1):
        numbers = [_number(part) for part in line.split(",")] if line.strip() else []
        if None in numbers or (numbers and len(numbers) not in _SIGMOID):
            return (), f"line {place:,} of the parameters is not 3 or 4 numbers"
        values = [number for number in numbers if number is not None]
        lines.append((*values, -np.inf)[:4] if values else ())
    return tuple(lines), ""


def _number(text: str) -> float | None:
    """Return a finite number, None for another text."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if np.isfinite(number) else None


def _log(values: Numbers) -> Numbers:
    """Return the logarithm, continued below its least argument so that the order stays."""
    mirrored = 2 * np.log(_LEAST_LOG) - np.log(np.maximum(2 * _LEAST_LOG - values, _LEAST_LOG))
    logs: Numbers = np.where(
        values < _LEAST_LOG, mirrored, np.log(np.maximum(values, _LEAST_LOG))
    )
    return logs


def _same(values: Numbers) -> Numbers:
    return values


def _inverse_logistic(values: Numbers) -> Numbers:
    return _log(values) - _log(1.0 - values)


_TRANSFORMATIONS = {"identity": _same, "log": _log, "inverse logistic": _inverse_logistic}
