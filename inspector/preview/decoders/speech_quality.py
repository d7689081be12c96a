"""Speech quality: raw answers of DNSMOS as mean opinion scores.

Source of the polynomials: the P.835 script of Microsoft's DNS Challenge (dnsmos_local.py).
"""

from collections.abc import Sequence

import numpy as np

from inspector.model import TensorInfo
from inspector.prediction import OutputValue

_SAMPLES = 144_160
_POLYNOMIALS = {
    "Speech (SIG)": (-0.08397278, 1.22083953, 0.0052439),
    "Background (BAK)": (-0.13166888, 1.60915514, -0.39604546),
    "Overall (OVRL)": (-0.06766283, 1.11546468, 0.04602535),
}


def scores(
    inputs: Sequence[TensorInfo], outputs: Sequence[OutputValue]
) -> tuple[tuple[str, float], ...]:
    """Scores from 1 (bad) to 5 (excellent) with their names, the mean over all windows.

    Empty where the model is not one input of 144,160 samples with one output of three.
    """
    fits = len(inputs) == len(outputs) == 1 and (inputs[0].shape or ())[-1:] == (_SAMPLES,)
    array = outputs[0].array if fits else None
    if array is None or array.dtype.kind != "f" or not array.size or array.shape[-1] != 3:
        return ()
    raw = array.reshape(-1, 3).astype(np.float64)
    found = zip(_POLYNOMIALS.items(), raw.T, strict=True)
    return tuple((name, float(np.polyval(p, column).mean())) for (name, p), column in found)
