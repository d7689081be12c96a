"""Which runs are profiled layer by layer, and of which sessions.

Knows the standard library only: it works inside the recorded program, too. The recorder in C
reads the same text.
"""

import re
from dataclasses import dataclass

_TEXT = re.compile(r"(?:(?P<session>.{1,190}):)?(?:(?P<first>\d{1,9})-)?(?P<last>\d{1,9})")


@dataclass(frozen=True, slots=True)
class ProfiledRuns:
    """first, last: runs of a session, counted from 1; none where last is 0.

    session: the file name of its model, or "#2" for the second session of a process; "" for
    all sessions.
    """

    first: int = 1
    last: int = 0
    session: str = ""

    def includes(self, model: str, session: int) -> bool:
        """Return whether runs of a session are profiled. session: its number, from 0 on."""
        return self.last > 0 and self.session in ("", model, f"#{session + 1}")

    @property
    def names_one(self) -> bool:
        """Return whether one session is meant, by its number."""
        return self.session.startswith("#")

    def __str__(self) -> str:
        of = f"{self.session}:" if self.session else ""
        return f"{of}{self.first}-{self.last}" if self.first > 1 else f"{of}{self.last}"


def profiled_runs(text: str) -> ProfiledRuns:
    """Return what "50", "100-149" or "encoder.onnx:50" mean. Raises ValueError."""
    match = _TEXT.fullmatch(text)
    first, last = (int(match["first"] or 1), int(match["last"])) if match else (0, 0)
    if match is None or not 1 <= first <= max(1, last) or (match["first"] and not last):
        raise ValueError(f"'{text}' is not a number of runs such as 50, 100-149 or NAME:50")
    return ProfiledRuns(first, last, match["session"] or "")
