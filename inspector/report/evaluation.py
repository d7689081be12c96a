"""How well a model does on inputs with true answers, alone or beside a second one."""

import msgspec

from inspector.report.language.quality import Estimate

MIN_INPUTS = 30  # below, no verdict about accuracy is given
# Metrics that are errors: better when lower.
ERRORS = ("rmse", "mae", "wer", "cer", "perplexity")
# Metrics that are numbers in the unit of the outputs, not shares.
PLAIN = ("rmse", "mae", "perplexity")


class Metric(msgspec.Struct, frozen=True):
    """One metric over all inputs that have a true answer.

    id: "top1", "f1", "map", "miou", "rmse", "wer", ... name: for people. estimate: of the
    model; other: of the one that it is compared with, on the same inputs; change: the model's
    minus that. Shares are 0 to 1. count: inputs behind it.
    """

    id: str
    name: str
    estimate: Estimate
    count: int
    other: Estimate | None = None
    change: Estimate | None = None

    @property
    def swapped(self) -> "Metric":
        """Return it of the other model, compared with this one."""
        change, other = self.change, self.other
        assert change is not None, "asked only of a metric of two models"
        assert other is not None, "asked only of a metric of two models"
        turned = Estimate(-change.value, -change.high, -change.low)
        return msgspec.structs.replace(self, estimate=other, other=self.estimate, change=turned)

    @property
    def gain(self) -> Estimate | None:
        """Return how much better the model is than the other; below 0 where it is worse."""
        if self.change is None or self.id not in ERRORS:
            return self.change
        return Estimate(-self.change.value, -self.change.high, -self.change.low)
