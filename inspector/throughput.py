"""Latency against load: what one session does with several predictions at once."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Throughput:
    """What one session did with so many predictions at once.

    elapsed_ns: from the first start to the last end. prediction_ns: each of them, by thread.
    """

    concurrency: int
    elapsed_ns: int
    prediction_ns: tuple[int, ...]

    @property
    def per_second(self) -> float:
        """Predictions in a second, all threads together."""
        return 1e9 * len(self.prediction_ns) / self.elapsed_ns if self.elapsed_ns else 0.0

    def quantile_ns(self, q: float) -> int:
        """Quantile of the predictions, q from 0 to 1."""
        return int(np.quantile(self.prediction_ns, q)) if self.prediction_ns else 0
