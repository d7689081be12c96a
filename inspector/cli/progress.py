"""A line on the terminal that shows how a job comes along; a pipe only hears of stalls."""

import shutil
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, TextIO

from inspector import units
from inspector.engine.progress_text import progress_text, stalled_text
from inspector.platform.terminal import steer
from inspector.statistics.intervals import relative_half_width

if TYPE_CHECKING:
    from inspector.engine.client.engine_process import Progress as Step


_WIDTH = 24
_CLEAR = "\r\x1b[K"  # to the begin of the line, which is emptied
_UP = "\x1b[1A\x1b[K"  # to the line above, which is emptied


class Progress:
    """Shows one step after the other in the same line, and erases it at the end.

    stream: where to; a pipe or a file gets nothing. about: the part of a larger job that is
    under way, put before the step; empty for none.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._shown = stream.isatty()
        self.about = ""
        self._told_seconds = 0.0  # of the last line that a pipe got
        self._lines: Sequence[str] = ()

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._write("")

    def show(self, step: "Step") -> None:
        """Replace the line by this step, and report a step without progress."""
        if step.stalled_seconds:
            self.show_stall(step)
            return
        self._told_seconds = 0.0
        about = f"{self.about} · " if self.about else ""
        text = progress_text(step.step, step.part)
        self._write(about + line(text, step.done, step.samples_ns))

    def show_lines(self, lines: Sequence[str]) -> None:
        """Replace what is shown by some lines, as many as the terminal has room for."""
        columns, rows = shutil.get_terminal_size()
        fitting = [units.clip(text, max(20, columns - 1)) for text in lines[: max(1, rows - 1)]]
        if fitting != self._lines:
            self._write("\n".join(fitting))
            self._lines = fitting

    def show_stall(self, step: "Step") -> None:
        """Report a step without progress; ignore any other step.

        A pipe gets a line, and again each time that the step has taken twice as long.
        """
        if not step.stalled_seconds:
            if self._told_seconds:
                self.clear()
            self._told_seconds = 0.0
            return
        text = stalled_text(step.step, step.stalled_seconds, step.layers, step.layer)
        if self._shown:
            self._told_seconds = step.stalled_seconds
            self._write(text)
        elif step.stalled_seconds >= 2 * self._told_seconds:
            self._told_seconds = step.stalled_seconds
            self._stream.write(f"{text}\n")
            self._stream.flush()

    def clear(self) -> None:
        """Wipe the line, for one that is to stay."""
        self._write("")

    def _write(self, text: str) -> None:
        if self._shown:
            steer(self._stream, _CLEAR + _UP * (len(self._lines) - 1))
            self._lines = ()
            self._stream.write(text)
            self._stream.flush()


def line(step: str, done: float, samples_ns: tuple[int, ...] = ()) -> str:
    """Write a step, its bar as far as known, and the median of the runs so far."""
    text = f"{step:<18}"
    if done >= 0:
        full = min(_WIDTH, int(done * _WIDTH))
        text += f"{'━' * full}{'╌' * (_WIDTH - full)} {done:4.0%}"
    if samples_ns:
        middle = sorted(samples_ns)[len(samples_ns) // 2]
        text += f"  {units.plural(len(samples_ns), 'run')}, {units.duration(middle)}"
        width = relative_half_width(samples_ns)
        text += f" ±{units.significant(100 * width, 2)}%" if width is not None else ""
    return text
