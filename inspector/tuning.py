"""A search for the best settings: what was tried, and the best held against the default."""

from dataclasses import dataclass
from pathlib import Path

import msgspec

from inspector import files
from inspector.errors import UnreadableFile
from inspector.paired import Estimate
from inspector.report import Environment, ModelIdentity, RunSpec
from inspector.sweep import LIMIT_BYTES, Round
from inspector.units import clip

SCHEMA = "tuning/1"


@dataclass(frozen=True, slots=True)
class PairedStart:
    """One process start with each of two settings, whose predictions took turns.

    estimates: as `paired.estimates` returns them; the ratio is of the second settings' time.
    """

    estimates: tuple[Estimate, ...]


@dataclass(frozen=True, slots=True)
class Trial:
    """Settings that were tried, in one process after the other. why: they failed.

    against: the settings that they took turns with, in each of `starts`.
    """

    spec: RunSpec
    rounds: tuple[Round, ...] = ()
    why: str = ""
    against: RunSpec | None = None
    starts: tuple[PairedStart, ...] = ()


@dataclass(frozen=True, slots=True)
class Tuning:
    """How far a search is; `step` is what it tries now, `done` its share of the time.

    default: what the runtime does by itself. challenger: the best others; None while searching.
    starts: the last match after the search, default and challenger in turns: what was picked
        for being lucky in the search is not lucky again. default_rounds, challenger_rounds: the
        same measurements, each side for itself.
    leader, leader_ratio: the best settings of the search so far, and their time over that of
        the default as far as the search knows; None and 1 before any is better.
    seconds_left: to search, about. ended: why it ended early; empty when it did not.
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
    starts: tuple[PairedStart, ...] = ()
    leader: RunSpec | None = None
    leader_ratio: float = 1.0
    seconds_left: float = 0.0
    ended: str = ""


def to_json(tuning: Tuning) -> bytes:
    """Write a tuning as tuning/1, one object."""
    fields = {name: getattr(tuning, name) for name in tuning.__dataclass_fields__}
    return msgspec.json.encode({"schema": SCHEMA} | fields) + b"\n"


def from_json(body: bytes, name: str) -> Tuning:
    """Read tuning/1. Raises UnreadableFile: not a tuning, a newer schema, or damaged."""
    what = f"Could not open {name}"
    try:
        schema = msgspec.json.decode(body, type=_Schema).schema
        if schema != SCHEMA:
            raise UnreadableFile(what, f"it has schema '{clip(schema, 40)}', not '{SCHEMA}'")
        return msgspec.json.decode(body, type=Tuning)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        why = f"it is not a whole tuning: {clip(str(error))}"
        raise UnreadableFile(what, why, "Search again.") from error


def save(tuning: Tuning, path: Path) -> None:
    """Write a tuning whole or not at all. Raises NotSaved; an earlier file stays then."""
    files.write_atomic(path, to_json(tuning))


def load(path: Path) -> Tuning:
    """Read a tuning from a file. Raises UnreadableFile."""
    return from_json(files.read_capped(path, LIMIT_BYTES), path.name)


class _Schema(msgspec.Struct):
    schema: str = ""
