"""Types of options that reject wrong values, renamed options, and --time-limit.

--time-limit is of a whole command, or where it says so of each job of its engine process.
"""

import argparse
import re
import sys
from collections.abc import Callable
from typing import Any, Protocol

from inspector import units
from inspector.cli import command_timer
from inspector.errors import InspectorError
from inspector.platform import plugins
from inspector.platform.work_limits import Limits
from inspector.units import clip

MOST = 1_000_000  # runs, threads, ...: far more than any machine can use
_DAY_SECONDS = 86_400
_MOST_PORT = 65_535
_LEAST_SHARE = 0.0001  # a median is hardly ever known better
# Without a terminal nobody presses Ctrl+C, and a job that hangs would block a CI runner for
# hours. Long enough for an execution provider that compiles a model without reporting progress.
STALL_LIMIT_SECONDS = 300.0


def at_least(least: int) -> Callable[[str], int]:
    """Return a reader of whole numbers from `least` to `MOST`."""

    def number(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) <= MOST:
            raise argparse.ArgumentTypeError(
                f"'{clip(text, 80)}' must be a whole number from {least} to {MOST:,}"
            )
        return int(text)

    return number


def several(text: str) -> tuple[int, ...]:
    """Return the numbers of '1,2,4', each of them once and at least 1."""
    return several_from(1)(text)


def lengths(text: str) -> tuple[str, tuple[int, ...]]:
    """Read 'NAME=N,N', lengths of an axis, for argparse."""
    name, sign, sizes = text.rpartition("=")
    if not sign or not name:
        raise argparse.ArgumentTypeError(f"'{clip(text, 80)}' must be NAME=N,N")
    return name, several(sizes)


def several_from(least: int) -> Callable[[str], tuple[int, ...]]:
    """Return a reader of numbers such as '0,512', each of them once and at least `least`."""

    def numbers(text: str) -> tuple[int, ...]:
        return tuple(dict.fromkeys(map(at_least(least), text.split(","))))

    return numbers


def one_of(names: tuple[str, ...]) -> Callable[[str], str]:
    """Return a reader of one of these names."""

    def name(text: str) -> str:
        if text not in names:
            message = f"'{clip(text, 60)}' must be one of {', '.join(names)}"
            raise argparse.ArgumentTypeError(message)
        return text

    return name


def on_or_off(text: str) -> bool:
    """Read "on" or "off"."""
    if text not in ("on", "off"):
        raise argparse.ArgumentTypeError(f"'{clip(text, 60)}' must be on or off")
    return text == "on"


def between(least: float, most: float, message: str) -> Callable[[str], float]:
    """Return a reader of real numbers of a range; its error is "VALUE is `message`"."""

    def number(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"'{clip(text, 80)}' is {message}")
        return value

    return number


def share(text: str) -> float:
    """Read '1%' or '0.5%' as a share of 1."""
    try:
        value = float(text.strip().removesuffix("%")) / 100
    except ValueError:
        value = -1.0
    if not _LEAST_SHARE <= value <= 1:
        raise argparse.ArgumentTypeError(f"'{clip(text, 80)}' is not a percentage such as 1%")
    return value


def size_in_bytes(text: str) -> int:
    """Read a size with its unit, such as 200MB or 1.5 GiB."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]+)\s*", text)
    if match is None or match[2] not in units.BYTES:
        raise argparse.ArgumentTypeError(
            f"'{clip(text, 60)}' must be a size such as 200MB; units: {', '.join(units.BYTES)}"
        )
    return round(float(match[1]) * units.BYTES[match[2]])


def address(text: str) -> tuple[str, int]:
    """Read [HOST:]PORT: the address at which something is served."""
    host, _, port = text.rpartition(":")
    if not port.isascii() or not port.isdecimal() or not 0 <= int(port) <= _MOST_PORT:
        raise argparse.ArgumentTypeError(
            f"'{clip(text, 60)}' must be a port such as 8080, or HOST:PORT such as 0.0.0.0:8080"
        )
    return host.strip("[]") or "127.0.0.1", int(port)


def read_by(place: str) -> Callable[[str], Any]:
    """Return a reader that calls a function of a module, such as one that needs numpy, which is
    imported for the first value. place: "module:function"."""

    def read(text: str) -> Any:
        try:
            return plugins.load(place)(text)
        except InspectorError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return read


tolerance = between(0.0, 1e300, "not a tolerance")


def add_renamed(parser: "Options", name: str, old_name: str, **more: Any) -> None:
    """Add an option under a name; its old name is not in the help, and says the new one."""
    renamed = parser.add_argument(name, **more)
    parser.add_argument(
        old_name,
        action=_OldName,
        renamed=renamed,
        dest=renamed.dest,
        nargs=renamed.nargs,
        type=renamed.type,
        choices=renamed.choices,
        metavar=renamed.metavar,
        default=argparse.SUPPRESS,
        help=argparse.SUPPRESS,
    )


class _OldName(argparse.Action):
    """The old name of an option: does what the renamed option does, with a note on stderr."""

    def __init__(self, *, renamed: argparse.Action, **more: Any) -> None:
        super().__init__(**more)
        self._renamed = renamed

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Set what the renamed option sets."""
        name = self._renamed.option_strings[0]
        print(f"note: {option_string} is now called {name}", file=sys.stderr)
        self._renamed(parser, namespace, values, option_string)


class Options(Protocol):
    """A parser, or a titled group of its options."""

    def add_argument(self, *names: str, **more: Any) -> Any:
        """Add an option."""


def add_time_limit(parser: Options, job: str = "", runs: bool = True) -> None:
    """Add --time-limit.

    job: what it is counted for, as 'one prediction'; empty: for the whole command. runs:
    whether the command runs models, whose jobs may need a limit that nobody gave.
    """
    default = "none on a terminal; otherwise "
    default += f"{STALL_LIMIT_SECONDS:.0f} s without progress"
    stopped = f"stop {job} that takes longer" if job else "stop the command after this time"
    parser.add_argument(
        "--time-limit",
        type=_seconds,
        default=0.0,
        metavar="SECONDS",
        help=f"{stopped} (default: {default if runs else 'none'})",
    )


def limits(options: argparse.Namespace) -> Limits:
    """Return the limits of an engine process: those of --time-limit, or those without it.

    All jobs together end when the time of the command is over.
    """
    watched = options.time_limit or sys.stderr.isatty()
    return Limits(
        job_seconds=options.time_limit,
        stall_seconds=0.0 if watched else STALL_LIMIT_SECONDS,
        until=command_timer.deadline(),
    )


def job_limits(options: argparse.Namespace) -> Limits:
    """Return limits of which each job has --time-limit to itself; the command then has none."""
    command_timer.stop()
    return limits(options)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= _DAY_SECONDS:
        raise argparse.ArgumentTypeError(
            f"'{clip(text, 80)}' must be a number of seconds, at most one day"
        )
    return seconds
