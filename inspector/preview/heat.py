"""Several values a step as a picture: time from left to right, the values upwards."""

import numpy as np

from inspector.prediction import OutputValue
from inspector.preview.decoders.dense import heated
from inspector.preview.frames import Pace
from inspector.preview.results import Shown

FEWEST, MOST_ROWS, MOST_COLUMNS = 8, 1024, 1200


def heat_of(output: OutputValue, pace: Pace) -> Shown | None:
    """The output as a heat map, long ones thinned to MOST_COLUMNS; None unless a sound went in
    and every step gave 8 to 1,024 numbers, or rows of as many that follow in time."""
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
    rows = array.reshape(-1, width).astype(np.float64)
    stride = -(-len(rows) // MOST_COLUMNS)
    whole = len(rows) // stride * stride
    thin = rows[:whole].reshape(-1, stride, width).max(axis=1)
    picture, low, high = heated(thin.T[::-1])
    return Shown(picture, low, high)
