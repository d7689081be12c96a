"""What a provider's own profiler says of a layer inside a part that the provider compiled."""

from dataclasses import dataclass

from inspector.units import duration, share


@dataclass(frozen=True, slots=True)
class Inside:
    """Of a layer, or of several that the provider made one of: shown at the first of them.

    amount: per prediction. whole: of all that the provider does for the model, what comes in
    and goes out included. Both in `unit`: "cycles" of the device, or "ns".
    source: whose profiler says so.
    """

    amount: int
    whole: int
    unit: str
    source: str

    @property
    def words(self) -> str:
        """ "16,668 of 183,527 cycles, 9.1 %, by QNN's own profiler"."""
        if self.unit == "ns":
            numbers = f"{duration(self.amount)} of {duration(self.whole)}"
        else:
            numbers = f"{self.amount:,} of {self.whole:,} {self.unit}"
        return f"{numbers}, {share(self.amount, self.whole)}, by {self.source}"
