"""A search for the best settings: what was tried, and the best held against the default."""

from collections.abc import Sequence
from math import ceil
from pathlib import Path

from inspector.platform import files
from inspector.platform.data_struct import DataStruct
from inspector.report import saved_json
from inspector.report.environment import Environment
from inspector.report.report import ModelIdentity, RatioEstimate
from inspector.report.run_spec import RunSpec
from inspector.report.settings import Goal
from inspector.report.sweep import LIMIT_BYTES, Round

SCHEMA = "tuning/1"
_FORMAT = saved_json.Format("tuning", SCHEMA, "Run the search again.")


class InterleavedStart(DataStruct, frozen=True):
    """One process with each of two settings, whose runs alternated.

    estimates: ratios of the second setting's cost to the first's, one for each way of
        choosing runs. The cost is what the goal of the search is about.
    """

    estimates: tuple[RatioEstimate, ...]


class Trial(DataStruct, frozen=True):
    """Settings that were tried.

    spec: the settings.
    rounds: measurements, one for each process.
    why: why they failed; empty if they did not.
    against: the settings that they alternated with in `starts`.
    starts: processes in which both alternated.
    """

    spec: RunSpec
    rounds: tuple[Round, ...] = ()
    why: str = ""
    against: RunSpec | None = None
    starts: tuple[InterleavedStart, ...] = ()


class Tuning(DataStruct, frozen=True):
    """A search for the fastest settings of one model.

    model: the model.
    default: the default settings of the runtime.
    trials: the settings that were tried, in order.
    challenger: the best settings besides the default; None while searching.
    default_rounds, challenger_rounds: measurements of the default and of the challenger.
    created: date and time, ISO 8601 with a time zone.
    environment: the machine and its software.
    step: what the search does now.
    done: share of the time limit that has passed, 0 to 1.
    complete: whether the search is over.
    starts: the final comparison after the search: default and challenger alternate in each
        process.
    leader: the best settings so far; None while none is faster than the default.
    leader_ratio: time with these settings divided by the time with the default; 1 while
        none is faster.
    seconds_left: estimated time left.
    ended: why it stopped early; empty otherwise.
    notes: sentences that a reader of the numbers should know, such as guessed sizes of
        dynamic axes.
    goal: what is to be lowest.
    most_p95_ns: the most that the 95th percentile of a run's time may be; 0 for no limit.
    batch_axis: the dynamic axis whose length is the number of items of a run; empty for one.
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
    goal: Goal = Goal.LATENCY
    most_p95_ns: float = 0.0
    batch_axis: str = ""

    def items(self, spec: RunSpec) -> int:
        """Return how many items a run with these settings computes."""
        return next((d.size for d in spec.dimensions if d.name == self.batch_axis), 1)

    def too_slow(self, rounds: Sequence[Round]) -> bool:
        """Return whether the 95th percentile of measurements is above the limit."""
        p95 = p95_ns(rounds)
        return bool(self.most_p95_ns) and p95 is not None and p95 > self.most_p95_ns


def p95_ns(rounds: Sequence[Round]) -> float | None:
    """Return the 95th percentile of all runs of some measurements; None without runs."""
    runs = sorted(ns for each in rounds for ns in each.prediction_ns)
    return float(runs[min(len(runs) - 1, ceil(0.95 * len(runs)) - 1)]) if runs else None


def to_json(tuning: Tuning) -> bytes:
    """Write a tuning as tuning/1, one object."""
    return saved_json.encode(tuning, SCHEMA)


def from_json(body: bytes, name: str) -> Tuning:
    """Read tuning/1. Raises UnreadableFile: not a tuning, a newer schema, or damaged."""
    return saved_json.decode(body, Tuning, _FORMAT, name, lambda tuning: tuning)


def save(tuning: Tuning, path: Path) -> None:
    """Write a tuning whole or not at all. Raises NotSaved; an earlier file stays then."""
    files.write_atomic(path, to_json(tuning))


def load(path: Path) -> Tuning:
    """Read a tuning from a file. Raises UnreadableFile."""
    return from_json(files.read_capped(path, LIMIT_BYTES), path.name)
