"""How long the window's thread comes round to nothing else, and what it did meanwhile."""

import faulthandler
import time
from collections.abc import Iterator
from dataclasses import dataclass
from tempfile import TemporaryFile
from threading import Event, Thread

from PySide6.QtCore import QObject, Qt, QTimer

TICK_MS = 4
_LONG, _LOOK, _DEEP = 0.03, 0.004, 7


@dataclass(frozen=True, slots=True)
class Gap:
    """Time between two ticks of a timer, in seconds; used: of it on a processor.

    A gap that is long but has used little is a machine that is busy with something else, or
    a lock that another thread held.
    """

    lasted: float
    used: float


NO_GAP = Gap(0.0, 0.0)


class Gaps(QObject):
    """The longest gap of the window's thread, and where it stood in long ones."""

    def __init__(self, stacks: bool = False) -> None:
        """stacks: print what all threads do in gaps above 30 ms."""
        super().__init__()
        self._last, self._used = time.perf_counter(), time.thread_time()
        self.longest = self.busiest = NO_GAP
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._timer.start(TICK_MS)
        self._seen: list[str] = []
        self.looking = Event()
        if stacks:
            Thread(target=self._look, daemon=True).start()

    def taken(self) -> tuple[Gap, Gap]:
        """The longest and the busiest since this was asked before."""
        found = self.longest, self.busiest
        self.longest = self.busiest = NO_GAP
        return found

    def _tick(self) -> None:
        now, used = time.perf_counter(), time.thread_time()
        gap = Gap(now - self._last, used - self._used)
        self._last, self._used = now, used
        self.longest = max(self.longest, gap, key=lambda each: each.lasted)
        self.busiest = max(self.busiest, gap, key=lambda each: each.used)
        seen, self._seen = self._seen, []
        if seen and gap.lasted > _LONG and self.looking.is_set():
            title = f"--- {gap.lasted * 1e3:.0f} ms, {gap.used * 1e3:.0f} ms of it at work"
            print(title, *seen, sep="\n", flush=True)

    def _look(self) -> None:
        """Note where all threads stand while the window's thread does not come round.

        By faulthandler, which holds no frame: a painter in one has to end with its paintEvent.
        """
        with TemporaryFile("w+") as file:
            while self.looking.wait():
                time.sleep(_LOOK)
                late = time.perf_counter() - self._last
                if late > _LONG / 2:
                    file.seek(0)
                    file.truncate()
                    faulthandler.dump_traceback(file)
                    file.seek(0)
                    self._seen += [f"  after {late * 1e3:.0f} ms", *_shortened(file.read())]


def _shortened(stacks: str) -> Iterator[str]:
    """The innermost frames of each thread in a line."""
    for thread in stacks.split("\n\n"):
        frames = [line.rpartition("/")[2] for line in thread.splitlines()[1 : 1 + _DEEP]]
        steps = (" ".join(frame.replace('", line', "").split()) for frame in frames)
        if not thread.endswith(" in _look") and " in _look\n" not in thread:
            yield "    " + " < ".join(steps)
