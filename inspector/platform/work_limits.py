"""Limits of child processes: memory, silence, time of a job, time without progress.

Limits that the user did not set count work, not time, so that they hold on a busy machine.
"""

import math
from time import monotonic

from msgspec import Struct

from inspector.platform.process_states import wants_to_work, work_of

_LEAST_SECONDS = 0.001  # none would be no limit
# Below this share of the wall time, a process that is asleep waits for something and idles.
_IDLE_SHARE = 0.1
# A process that neither works nor sleeps (a dead disk) ends after so many times its seconds.
_MOST_WALL = 30


class Limits(Struct, frozen=True):
    """Limits of an engine process; it is ended when it exceeds one.

    memory_bytes: of its own data, mapped files not counted; 0: what `memory_budget` allows all
        engines of this process together.
    silence_seconds: without any sign of life, idle or at work. A long kernel is not silent: the
        process sends heartbeats from a thread of its own, and the runtime releases Python's
        lock while it computes. Time spent waiting for a core does not count.
    job_seconds: wall time of one job from its first message to its answer; 0: no limit. Limits
        that the user did not set count work (`Allowance`).
    stall_seconds: of work within one job without any progress (`Step`); 0: no limit.
    until: time of the monotonic clock at which the last job ends; 0: no limit.
    """

    memory_bytes: int = 0
    silence_seconds: float = 30.0
    job_seconds: float = 0.0
    stall_seconds: float = 0.0
    until: float = 0.0

    @property
    def out_of_time(self) -> bool:
        """Return whether no job may go on, or begin."""
        return bool(self.until) and monotonic() >= self.until

    @property
    def rest_seconds(self) -> float:
        """Return what a job that begins now may take; 0: no limit."""
        if not self.until:
            return self.job_seconds
        left = max(_LEAST_SECONDS, self.until - monotonic())
        return min(self.job_seconds or left, left)

    def allowance(self, seconds: float, clock_seconds: float = 0.0) -> "Allowance":
        """Return an allowance of so many seconds of work for a job, within the user's limit.

        clock_seconds: of all time, for work that nobody asked for and that others wait for; 0
        for no such limit.
        """
        rest = self.rest_seconds
        if clock_seconds and (not rest or clock_seconds < rest):
            return Allowance(seconds, clock_seconds=clock_seconds, is_user_clock=False)
        return Allowance(seconds, clock_seconds=rest, user_seconds=self.job_seconds)


class Allowance:
    """Counts how much a process has used of the seconds that it may take.

    Counting starts with the first `update`.

    Processor time counts, and time asleep; waiting for a core does not, since other programs
    decide about that. wall: count all time instead, for a limit that the user set in seconds.
    seconds: 0 for no limit. clock_seconds: of all time, as well; 0 for no such limit.
    user_seconds: that the user set, of which earlier jobs may have used some. is_user_clock:
    whether the limit of all time is the user's.
    """

    def __init__(
        self,
        seconds: float = 0.0,
        wall: bool = False,
        clock_seconds: float = 0.0,
        user_seconds: float = 0.0,
        is_user_clock: bool = True,
    ) -> None:
        self.seconds, self._wall, self.clock_seconds = seconds, wall, clock_seconds
        self._user_seconds, self._is_user_clock = user_seconds, is_user_clock
        self.spent = self.idle = self.passed = 0.0
        self._at, self._processor = 0.0, 0.0

    @property
    def started(self) -> bool:
        """Return whether there was a `look` to count from."""
        return self._at > 0

    @property
    def age(self) -> float:
        """Return the seconds since the last `look`; 0 before the first one."""
        return monotonic() - self._at if self._at else 0.0

    @property
    def exceeded(self) -> bool:
        """Return whether the process has had its time."""
        if self._out_of_clock:
            return True
        if not self.seconds:
            return False
        limit = self.seconds * (1 if self._wall else _MOST_WALL)
        return self.passed > limit or (not self._wall and self.spent > self.seconds)

    @property
    def rest(self) -> float:
        """Return the seconds that are left at least; infinite without a limit."""
        return max(0.0, self.seconds - self.spent) if self.seconds else math.inf

    @property
    def text(self) -> str:
        """Return what to say of a process that took longer."""
        if self.by_user:
            own = self.clock_seconds if self._out_of_clock else self.seconds
            return f"it took longer than the {self._user_seconds or own:g} s allowed"
        if self._out_of_clock:
            return f"it took longer than {self.clock_seconds:g} s"
        return (
            f"it took longer than the {self.seconds:g} s allowed, not counting the wait for a "
            "CPU core"
        )

    @property
    def by_user(self) -> bool:
        """Return whether the limit that the user set is the one that counts."""
        return self._wall or (self._is_user_clock and self._out_of_clock)

    @property
    def _out_of_clock(self) -> bool:
        return bool(self.clock_seconds) and self.passed > self.clock_seconds

    def pause(self) -> None:
        """Count nothing of the time since the last `look`."""
        self._at = 0.0

    def update(self, pid: int) -> None:
        """Add the work since the last call; pid: of the process, which may have ended."""
        now, processor = monotonic(), self._processor
        if found := work_of(pid):  # if not, it has ended, and others find out how
            processor, _ = found
        passed, worked = now - self._at, max(0.0, processor - self._processor)
        first, self._at, self._processor = not self._at, now, processor
        if first:
            return
        asleep = worked < _IDLE_SHARE * passed and not wants_to_work(pid)
        self.passed += passed
        self.idle += passed if asleep else 0.0
        self.spent += passed if asleep else min(worked, passed)
