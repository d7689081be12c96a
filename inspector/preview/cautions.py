"""What is odd about a tensor that may still go into a model: nothing in it, or NaN."""

import numpy as np

from inspector import units
from inspector.preview.elements import Tensor

_CHUNK = 1 << 22


def caution(array: Tensor) -> str:
    """Say what is odd in a few words; empty where nothing is.

    Looked at in pieces, so that no copy of a large tensor is made.
    """
    if not array.size:
        axis = array.shape.index(0)
        return f"empty, axis {axis} has length 0, so that there is nothing to compute"
    if array.dtype.kind not in "fc" and "float" not in array.dtype.name:
        return ""
    nan = infinite = 0
    flat = array.reshape(-1)
    for start in range(0, flat.size, _CHUNK):
        piece = flat[start : start + _CHUNK]
        piece = piece if piece.dtype.kind in "fc" else piece.astype(np.float32)
        nan += int(np.isnan(piece).sum())
        infinite += int(np.isinf(piece).sum())
    told = [f"{nan:,} NaN"] * bool(nan) + [f"{infinite:,} infinite"] * bool(infinite)
    if not told:
        return ""
    return (
        f"{' and '.join(told)} of {units.plural(flat.size, 'element')}; expect NaN behind them"
    )
