"""How fast a changed model is estimated to be. Apart from what is measured of it: each command
imports this, few import results of Improve."""

import msgspec

from inspector.wording.values import Sentence


class Foretold(msgspec.Struct, frozen=True):
    """The latency of a changed model beside the original's, estimated before it is measured.

    ratio: latency relative to the original's. low, high: its 90% interval.
    """

    ratio: float
    low: float
    high: float

    @property
    def texts(self) -> dict[str, str]:
        """Return the numbers as text, by field."""
        numbers = {"ratio": self.ratio, "low": self.low, "high": self.high}
        return {name: f"{number:.2f}" for name, number in numbers.items()}

    @property
    def short(self) -> Sentence:
        """Return the estimate with its range, where the rest stands beside it."""
        return Sentence("{ratio}× the latency ({low}× to {high}×).", **self.texts)

    @property
    def sentence(self) -> Sentence:
        """Return the estimate with its error."""
        text = "Estimated: {ratio}× the latency (90% interval: {low}× to {high}×)."
        return Sentence(text, **self.texts)
