"""One value a step: a curve over time, such as the probability of speech."""

from math import ceil

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.inputs.audio_windows import Pace
from inspector.preview.outputs.dense_maps import heated
from inspector.preview.outputs.results import ShownImage

FEWEST = 8
MOST_ROWS = 1024
MOST_COLUMNS = 1200


class Series(Struct, frozen=True, eq=False):
    """Values of an output over time, float64 (steps,); step_seconds from one to the next."""

    values: NDArray[np.float64]
    step_seconds: float

    @property
    def seconds(self) -> float:
        """Return how long it lasts."""
        return len(self.values) * self.step_seconds

    @property
    def mean(self) -> float:
        """Return the mean of the values."""
        return float(self.values.mean())

    @property
    def probable(self) -> bool:
        """Return whether all values lie in 0..1, as probabilities do."""
        return bool(((self.values >= 0) & (self.values <= 1)).all())

    def share_over(self, threshold: float) -> float:
        """Return the share of the steps whose value is above the threshold."""
        return float((self.values > threshold).mean())

    def spans(self, threshold: float) -> tuple[tuple[float, float], ...]:
        """Return stretches above the threshold: their beginning and end in seconds."""
        above = np.concatenate(([0], self.values > threshold, [0])).astype(np.int8)
        begin, end = np.flatnonzero(np.diff(above) > 0), np.flatnonzero(np.diff(above) < 0)
        pairs = zip(begin.tolist(), end.tolist(), strict=True)
        return tuple((a * self.step_seconds, b * self.step_seconds) for a, b in pairs)

    def thinned(self, most: int) -> tuple[tuple[float, float], ...]:
        """Return the lowest and highest value of at most `most` stretches of equal length."""
        stride = max(1, ceil(len(self.values) / most))
        parts = (self.values[i : i + stride] for i in range(0, len(self.values), stride))
        return tuple((float(part.min()), float(part.max())) for part in parts)


def series_of(output: OutputValue, steps: int, step_seconds: float) -> Series | None:
    """Return the output as a curve; None when it has not one finite number a step, or few
    steps."""
    array = output.array
    if array is None or array.dtype.kind not in "fiub" or steps < 2 or array.size != steps:
        return None
    values = array.ravel().astype(np.float64)
    return Series(values, step_seconds) if np.isfinite(values).all() else None


def rows_over_time(array: NDArray[np.generic], pace: Pace) -> NDArray[np.float64]:
    """Return the rows of all steps in time, (rows, values): without those that the steps around
    give, too, and without those after the end of the sound. array: (steps, values) or (steps,
    rows of a step, values)."""
    of_steps = array.reshape(len(array), -1, array.shape[-1])
    number = of_steps.shape[1]
    first, last = round(number * pace.before), number - round(number * pace.after)
    if number == 1 or first >= last:  # one row is about the new samples of its window
        first, last = 0, number
    rows = of_steps[:, first:last].reshape(-1, array.shape[-1]).astype(np.float64)
    whole = pace.steps * pace.step_seconds
    return rows[: max(1, round(len(rows) * pace.shown_seconds / whole))] if whole else rows


def heat_of(output: OutputValue, pace: Pace) -> ShownImage | None:
    """Return the output as a heat map, long ones thinned to MOST_COLUMNS; None unless a sound
    went in and every step gave 8 to 1,024 numbers, or rows of as many that follow in
    time."""
    array = output.array
    heard = pace.step_seconds > 0 and array is not None and array.ndim > 1
    if not heard or array is None or array.dtype.kind not in "fiu":
        return None
    width = array.shape[-1]
    single = array.size == pace.steps * width or array.ndim == 3
    if not single or len(array) != pace.steps or not FEWEST <= width <= MOST_ROWS:
        return None
    if array.size < FEWEST * width:
        return None
    rows = rows_over_time(array, pace)
    stride = -(-len(rows) // MOST_COLUMNS)
    whole = len(rows) // stride * stride
    thin = rows[:whole].reshape(-1, stride, width).max(axis=1)
    picture, low, high = heated(thin.T[::-1])
    return ShownImage(picture, low, high)
