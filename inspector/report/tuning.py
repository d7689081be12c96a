"""A search for the best settings: what was tried, and the best held against the default."""

from dataclasses import dataclass
from pathlib import Path

import msgspec

from inspector.platform import files, saved_json
from inspector.report.environment import Environment
from inspector.report.report import ModelIdentity, RatioEstimate
from inspector.report.run_spec import RunSpec
from inspector.report.sweep import LIMIT_BYTES, Round

SCHEMA = "tuning/1"
_FORMAT = saved_json.Format("tuning", SCHEMA, "Search again.")


@dataclass(frozen=True, slots=True)
class InterleavedStart:
    """One process start with each of two settings, whose predictions took turns.

    estimates: as `paired.estimates` returns them; the ratio is of the second settings' time.
    """

    estimates: tuple[RatioEstimate, ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """Settings that were tried, in one process after the other. why: they failed.

    against: the settings that they took turns with, in each of `starts`.
    """

    spec: RunSpec
    rounds: tuple[Round, ...] = ()
    why: str = ""
    against: RunSpec | None = None
    starts: tuple[InterleavedStart, ...] = ()


@dataclass(frozen=True, slots=True)
class Tuning:
    """The state of a search; `step` is what it tries now, `done` its share of the time limit.

    default: what the runtime does by itself. challenger: the best others; None while searching.
    starts: the last match after the search, default and challenger in turns: what was picked
        for being lucky in the search is not lucky again. default_rounds, challenger_rounds: the
        same measurements, each side for itself.
    leader, leader_ratio: the best settings of the search so far, and their time over that of
        the default as far as the search knows; None and 1 before any is better.
    seconds_left: to search, about. ended: why it ended early; empty when it did not. notes:
        what a reader must know of it, such as lengths of axes that were guessed.
    """

    model: ModelIdentity
    default: RunSpec
    trials: tuple[Trial, ...] = ()
    challenger: RunSpec | None = None
    default_rounds: tuple[Round, ...] = ()
    challenger_rounds: tuple[Round, ...] = ()
    created: str = ""
    environment: Environment | None = None
    step: str = ""
    done: float = 0.0
    complete: bool = False
    starts: tuple[InterleavedStart, ...] = ()
    leader: RunSpec | None = None
    leader_ratio: float = 1.0
    seconds_left: float = 0.0
    ended: str = ""
    notes: tuple[str, ...] = ()


def to_json(tuning: Tuning) -> bytes:
    """Write a tuning as tuning/1, one object."""
    fields = {name: getattr(tuning, name) for name in tuning.__dataclass_fields__}
    return msgspec.json.encode({"schema": SCHEMA} | fields) + b"\n"


def from_json(body: bytes, name: str) -> Tuning:
    """Read tuning/1. Raises UnreadableFile: not a tuning, a newer schema, or damaged."""
    return saved_json.decode(body, Tuning, _FORMAT, name, lambda tuning: tuning)


def save(tuning: Tuning, path: Path) -> None:
    """Write a tuning whole or not at all. Raises NotSaved; an earlier file stays then."""
    files.write_atomic(path, to_json(tuning))


def load(path: Path) -> Tuning:
    """Read a tuning from a file. Raises UnreadableFile."""
    return from_json(files.read_capped(path, LIMIT_BYTES), path.name)
