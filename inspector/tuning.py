"""A search for the best settings: what was tried, and the best held against the default."""

from dataclasses import dataclass

import msgspec

from inspector.report import Environment, ModelIdentity, RunSpec
from inspector.sweep import Round

SCHEMA = "tuning/1"


@dataclass(frozen=True, slots=True)
class Trial:
    """Settings that were tried, in one process after the other. why: they failed."""

    spec: RunSpec
    rounds: tuple[Round, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Tuning:
    """How far a search is; `step` is what it tries now, `done` its share of the time.

    default: what the runtime does by itself. challenger: the best others; None while searching.
    default_rounds, challenger_rounds: the last measurements, in turns, after the search:
        what was picked for being lucky in the search is not lucky again.
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


def to_json(tuning: Tuning) -> bytes:
    """Write a tuning as tuning/1, one object."""
    fields = {name: getattr(tuning, name) for name in tuning.__dataclass_fields__}
    return msgspec.json.encode({"schema": SCHEMA} | fields) + b"\n"
