"""The result of other preprocessing, tried without being asked where a guess gave nothing."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from inspector.tensors.prediction import Prediction

Preprocessing = TypeVar("Preprocessing")


@dataclass(frozen=True, slots=True, eq=False)
class Retry(Generic[Preprocessing]):
    """What was tried instead of a guessed preprocessing, and the first clear result.

    preprocessing, prediction: of the first clear result; None where no alternative gave one.
    text: one sentence that says what was tried and why.
    """

    preprocessing: Preprocessing | None
    prediction: Prediction | None
    text: str
