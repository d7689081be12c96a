"""The visible time window, shared by overview strip, axis and lanes."""

from PySide6.QtCore import QObject, Signal

SHORTEST_NS = 200.0
_MARGIN = 0.04


class TimeWindow(QObject):
    """The visible time range in nanoseconds, within the whole trace; emits `changed`."""

    changed = Signal()

    def __init__(self, first_ns: float, last_ns: float) -> None:
        super().__init__()
        self.first_ns, self.last_ns = float(first_ns), float(last_ns)
        self.begin_ns, self.end_ns = self.first_ns, self.last_ns

    @property
    def length_ns(self) -> float:
        """The visible duration in nanoseconds."""
        return self.end_ns - self.begin_ns

    @property
    def whole_ns(self) -> float:
        """The duration of the whole trace in nanoseconds."""
        return self.last_ns - self.first_ns

    def show(self, begin_ns: float, end_ns: float, margin: float = 0.0) -> None:
        """Show a part and, on both sides, a margin as a share of it."""
        around = (end_ns - begin_ns) * margin
        shortest = min(SHORTEST_NS, self.whole_ns)
        length = min(max(end_ns - begin_ns + 2 * around, shortest), self.whole_ns)
        middle = (begin_ns + end_ns) / 2
        begin = min(max(middle - length / 2, self.first_ns), self.last_ns - length)
        if (begin, begin + length) != (self.begin_ns, self.end_ns):
            self.begin_ns, self.end_ns = begin, begin + length
            self.changed.emit()

    def frame(self, begin_ns: float, end_ns: float) -> None:
        """Show a span or a prediction with a little of what is around it."""
        self.show(begin_ns, end_ns, _MARGIN)

    def become(self, first_ns: float, last_ns: float) -> None:
        """Take over another whole range, and show all of it."""
        self.first_ns, self.last_ns = float(first_ns), float(last_ns)
        self.begin_ns, self.end_ns = self.first_ns, self.last_ns
        self.changed.emit()

    def fit(self) -> None:
        """Show all."""
        self.show(self.first_ns, self.last_ns)

    def zoom(self, factor: float, at_ns: float | None = None) -> None:
        """Show `factor` times as much time; the instant `at_ns` stays where it is."""
        at = (self.begin_ns + self.end_ns) / 2 if at_ns is None else at_ns
        shortest = min(SHORTEST_NS, self.whole_ns)
        length = min(max(self.length_ns * factor, shortest), self.whole_ns)
        begin = at - (at - self.begin_ns) * length / self.length_ns
        self.show(begin, begin + length)

    def pan(self, shift_ns: float) -> None:
        """Show as much time, so much later; stops at both ends."""
        room_left, room_right = self.first_ns - self.begin_ns, self.last_ns - self.end_ns
        shift = min(max(shift_ns, room_left), room_right)
        self.show(self.begin_ns + shift, self.end_ns + shift)

    def reveal(self, begin_ns: float, end_ns: float, least_share: float) -> None:
        """Bring a span into view, no smaller than a share of the width; else stay."""
        length = max(end_ns - begin_ns, 1.0)
        new_length = min(max(self.length_ns, length * 1.5), length / least_share)
        is_visible = self.begin_ns <= begin_ns and end_ns <= self.end_ns
        if not is_visible or new_length != self.length_ns:
            middle = (begin_ns + end_ns) / 2
            self.show(middle - new_length / 2, middle + new_length / 2)
