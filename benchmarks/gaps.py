"""How long the window's thread comes round to nothing else, and what it did meanwhile."""

import sys
import time
import traceback
from dataclasses import dataclass
from threading import Event, Thread, main_thread

from PySide6.QtCore import QObject, Qt, QTimer

TICK_MS = 4
_LONG, _LOOK = 0.03, 0.004


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
        """Note where all threads stand while the window's thread does not come round."""
        main = main_thread().ident
        while self.looking.wait():
            time.sleep(_LOOK)
            late = time.perf_counter() - self._last
            if late > _LONG / 2:
                frames = sys._current_frames()
                lines = [f"  after {late * 1e3:.0f} ms"]
                for thread, frame in frames.items():
                    if frame.f_code is not self._look.__func__.__code__:
                        steps = traceback.extract_stack(frame)[-6:]
                        name = "window" if thread == main else "other"
                        words = (f"{s.filename[-32:]}:{s.lineno} {s.name}" for s in steps)
                        lines.append(f"    {name}: " + " > ".join(words))
                self._seen.append("\n".join(lines))
