"""When a measurement has predicted often enough: a number, a time, a median that is sure."""

from collections.abc import Callable, Sequence

from inspector.report import RunSpec
from inspector.resampling import narrow

_LEAST, _FURTHER = 16, 1.25
_AGAIN_NS = 100_000_000
_SURELY = 0.9  # the bootstrap of the same samples may be a little wider


class Enough:
    """Says when to stop. Looking at how sure the median is takes time, so it is done seldom.

    steady: says at a time in nanoseconds whether enough predictions ran at full pace.
    narrow: half of the median's interval as a share when it was looked at last, None before.
    looked: whether it was just looked at; the caller sets it back.
    """

    def __init__(
        self, spec: RunSpec, steady: Callable[[int], bool] = lambda spent_ns: True
    ) -> None:
        self._spec, self._steady = spec, steady
        self._longest = 0  # when it ends though the pace was not full
        self._at, self._when = max(_LEAST, spec.runs), 0
        self.narrow: float | None = None
        self.looked = False

    def reached(self, samples_ns: Sequence[int], spent_ns: int) -> bool:
        """Whether these samples, taken in that time, are enough."""
        if not self._sure(samples_ns, spent_ns):
            return False
        if not self._longest:
            self._longest = spent_ns + int(self._spec.steady * 1e9)
        return spent_ns >= self._longest or self._steady(spent_ns)

    def _sure(self, samples_ns: Sequence[int], spent_ns: int) -> bool:
        """Whether number, time and interval are reached."""
        spec, taken = self._spec, len(samples_ns)
        if taken < spec.runs or spent_ns < int(spec.seconds * 1e9):
            return False
        if not spec.until or spent_ns >= int(spec.most_seconds * 1e9):
            return True
        if taken >= self._at and spent_ns >= self._when:
            self.narrow, self.looked = narrow(samples_ns), True
            self._at, self._when = int(taken * _FURTHER) + 1, spent_ns + _AGAIN_NS
            return self.narrow is not None and self.narrow <= _SURELY * spec.until
        return False

    def share(self, taken: int, spent_ns: int) -> float:
        """How far it is, 0 to 1: the interval narrows with the square root of the samples.

        Negative where nobody knows: the processor's full pace is waited for.
        """
        spec = self._spec
        if self._longest:
            return -1.0
        by_runs = taken / spec.runs if spec.runs else 1.0
        by_time = spent_ns / (spec.seconds * 1e9) if spec.seconds else 1.0
        if not spec.until:
            return min(1.0, by_runs, by_time)
        sure = min(1.0, (spec.until / self.narrow) ** 2) if self.narrow else 0.0
        late = spent_ns / (spec.most_seconds * 1e9) if spec.most_seconds else 1.0
        return min(1.0, by_runs, by_time, max(sure, late))


def missed_words(samples_ns: Sequence[int], spec: RunSpec) -> str:
    """A sentence where the time was up before the median was as sure as wanted."""
    width = narrow(samples_ns) if spec.until else None
    if width is None or width <= spec.until:
        return ""
    return (
        f"The median is known to ±{100 * width:.2g} %, not to ±{100 * spec.until:g} %: "
        f"the time of {spec.most_seconds:g} s was up."
    )
