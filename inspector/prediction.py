"""What a model answered: the values of its outputs and how long they took."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Statistics:
    """Of the finite elements of a tensor; `nan` and `infinite` count the others."""

    minimum: float
    maximum: float
    mean: float
    deviation: float
    nan: int
    infinite: int


@dataclass(frozen=True, slots=True, eq=False)
class OutputValue:
    """The value of one output.

    kind: as TensorInfo.kind. dtype: the model's own name of the type ("bfloat16"), even where
        the array had to be widened to float32 because numpy has no such type.
    array: the elements; (rows, columns) for a sequence of maps with equal keys; None when a
        value has no form as one array, then `text` tells it.
    keys: for maps, what the columns of `array` are about.
    parts: the tensors of a sequence whose shapes differ; `array` is None then.
    """

    name: str
    kind: str
    dtype: str
    array: NDArray[np.generic] | None
    keys: tuple[str, ...] = ()
    text: str = ""
    parts: tuple[NDArray[np.generic], ...] = ()

    @property
    def shape(self) -> tuple[int, ...]:
        """Lengths of the axes; () when there is no array."""
        return () if self.array is None else self.array.shape

    def statistics(self) -> Statistics | None:
        """Count and summarise; None for texts, for nothing, and when no element is finite."""
        array = self.array
        if array is None or array.dtype.kind not in "fiub" or not array.size:
            return None
        values = array.astype(np.float64)
        finite = values[np.isfinite(values)]
        nan = int(np.isnan(values).sum())
        if not finite.size:
            return None
        return Statistics(
            float(finite.min()),
            float(finite.max()),
            float(finite.mean()),
            float(finite.std()),
            nan,
            values.size - finite.size - nan,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Prediction:
    """The answer to one set of inputs.

    devices: ids of the devices whose provider the session really has, first choice first.
    load_ns: time to create the session; 0 when it was at hand from an earlier prediction.
    """

    outputs: tuple[OutputValue, ...]
    devices: tuple[str, ...]
    prediction_ns: int
    load_ns: int
    notes: tuple[str, ...] = ()
