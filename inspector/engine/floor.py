"""Two measurements at once, of which only one computes: who has the floor does."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Condition

from inspector.errors import Cancelled

_SIDES = 2
_LOOK_SECONDS = 0.5  # Windows tells a thread that waits for ever of no Ctrl+C


class Floor:
    """Passes from side to side, and stays with the one that is left when the other leaves.

    id: names what is measured together. Methods may be called from any thread.
    """

    def __init__(self) -> None:
        self.id = secrets.token_hex(8)
        self._changed = Condition()
        self._owner = self._number = 0
        self._here = [False] * _SIDES
        self._closed = False

    def seats(self, first: int) -> "tuple[Seat, Seat]":
        """Begin anew with both sides here; side `first`, 0 or 1, has the floor."""
        with self._changed:
            self._owner, self._here, self._closed = first, [True] * _SIDES, False
        return Seat(self, 0), Seat(self, 1)

    def close(self) -> None:
        """Who waits for the floor is not to have it any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def take(self, side: int) -> int:
        """Wait for the floor: the number of this turn. Raises Cancelled: it was closed."""
        with self._changed:
            while not (self._closed or self._owner == side):
                self._changed.wait(_LOOK_SECONDS)
            if self._closed:
                raise Cancelled("Stopped", "the other measurement ended", phase="waiting")
            self._number += 1
            return self._number

    def give(self, side: int, stays: bool = True) -> None:
        """Let the other side have it, if that is still here. stays: will come back for it."""
        with self._changed:
            other = (side + 1) % _SIDES
            self._here[side] = stays
            if self._owner == side and self._here[other]:
                self._owner = other
            self._changed.notify_all()


@dataclass(slots=True)
class Seat:
    """One side's place at the floor. kill: ends what it computes, once that is known."""

    floor: Floor
    side: int
    kill: Callable[[], None] = field(default=lambda: None)

    @property
    def id(self) -> str:
        """Names what is measured together."""
        return self.floor.id

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Have the floor as the block begins, and leave for good when it ends."""
        try:
            self.floor.take(self.side)
            yield
        finally:
            self.floor.give(self.side, stays=False)

    def pass_on(self) -> int:
        """Let the other side compute, and wait: the number of the next turn of this one."""
        self.floor.give(self.side)
        return self.floor.take(self.side)
