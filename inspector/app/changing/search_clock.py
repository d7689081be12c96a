"""Where a search is: which candidate of how many, and about how long it still takes."""

import time
from collections.abc import Callable

from msgspec import Struct

from inspector.units import time_left

_UNTIMED = 0.4  # of a candidate's time is left where it is not measured
_ENOUGH = 0.1  # of the longest stage of the first candidate, to estimate the search from it
_FAR = 1.5  # times the time that was said: more is no fluctuation (a judgment)
# The part of a candidate's time that each stage takes, by about 10%: begin and end. Only until
# one is finished, whose time then tells how far the next one is.
_STAGES = {
    "convert": (0.0, 0.05),
    "calibrate": (0.05, 0.1),
    "check": (0.1, 0.2),
    "test": (0.2, 0.35),
    "measure": (0.35, 0.95),
    "compare layers": (0.95, 1.0),
}


class SearchPlace(Struct, frozen=True):
    """A moment of a search.

    number: of the candidate at work, 0 while the original is tested. total: how many there
    will be; at_most: fewer, if one of them suffices. name: of the candidate. share: of the
    whole search, 0 to 1. seconds_left: an estimate from the candidates that are done, or from
    the longest stage of the first one; None before.
    """

    number: int
    total: int
    at_most: bool
    name: str
    share: float
    seconds_left: float | None

    @property
    def untried(self) -> int:
        """Return how many candidates are not finished, at most."""
        return self.total - self.number + bool(self.name)

    @property
    def text(self) -> str:
        """Return it in one line: 'candidate 3 of 8: Float16 · about 40 s left'."""
        if not self.number:
            return "the original"
        most = "up to " if self.at_most else ""
        name = f": {self.name}" if self.name else " done"
        parts = [f"candidate {self.number} of {most}{self.total}{name}"]
        if self.seconds_left is not None:
            parts.append(time_left(self.seconds_left, self.at_most))
        return " · ".join(parts)


class SearchClock:
    """Counts the candidates of a search and times them; read from any thread.

    total: how many there will be.
    """

    def __init__(self, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._total, self._at_most = clock, total, False
        self._number, self._name = 0, ""
        self._began, self._seconds = clock(), list[float]()
        self._first = 0.0  # share of the first candidate that is done
        self._whole = 1.0  # of the stages, those that are left
        self._longest = "measure"  # of the stages
        self._before = -1.0  # seconds of the first candidate until its longest stage
        self._expected = 0.0  # seconds that the first candidate takes; 0 for unknown
        self._said: tuple[float, int] | None = None  # seconds left, and the total then

    def leave_out_latency(self) -> None:
        """Note that candidates are not measured."""
        self._whole, self._longest = _UNTIMED, "test"

    def begin(self, name: str) -> None:
        """Note that the next candidate is begun."""
        self._number += 1
        self._total = max(self._total, self._number)
        self._name, self._began = name, self._clock()

    def at(self, stage: str, share: float) -> None:
        """Note the stage of the candidate at work, and its share; below 0 if unknown."""
        if self._number == 1 and stage in _STAGES:
            begin, end = _STAGES[stage]
            part = (begin + max(0.0, share) * (end - begin)) / self._whole
            self._first = min(1.0, max(self._first, part))
            # Shares of whole candidates are far off where models are small or a folder is
            # large: only how far the longest stage is tells how long the candidate takes.
            if stage == self._longest and not self._seconds:
                passed = self._clock() - self._began
                self._before = passed if self._before < 0 else self._before
                if share >= _ENOUGH:
                    self._expected = self._before + (passed - self._before) / min(1.0, share)

    def finish(self) -> None:
        """Note that it is done."""
        self._seconds.append(self._clock() - self._began)

    def extend(self, more: int, possible: int = 0) -> None:
        """Note how many follow the present candidate, and how many may follow these.

        The total never falls, so that progress never goes back: what needs not be tried ends
        the search early.
        """
        self._total = max(self._total, self._number + more + possible)
        self._at_most = self._at_most or possible > 0

    @property
    def place(self) -> SearchPlace:
        """Return where the search is now."""
        done = len(self._seconds)
        elapsed = self._clock() - self._began if self._number > done else 0.0
        mean = sum(self._seconds) / done if done else 0.0
        if not done:
            mean = self._expected
        left = None
        if mean:
            # The one at work takes as long as the others did, or what it has taken by now.
            rest = max(0, self._total - done - 1)
            left = max(0.0, mean - elapsed) + rest * mean if self._total > done else None
        if left is not None:  # what was said stands, unless it was far too little
            if self._said is not None:
                said, total = self._said
                said += max(0, self._total - total) * mean
                left = left if left > _FAR * said else min(left, said)
            self._said = left, self._total
        name = self._name if self._number > done else ""
        begun = min(elapsed / mean, 0.95) if done and mean else self._first
        share = min(1.0, (done + begun) / self._total) if self._total else 0.0
        return SearchPlace(self._number, self._total, self._at_most, name, share, left)
