"""What was found about two compared models, saved so that a later session can show it again."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from inspector.comparison.measured_pair import MeasuredPair
from inspector.platform import files
from inspector.platform.saved_json import expect_ranges
from inspector.preview.runs.folder import Summary
from inspector.preview.runs.parity import OutputParity


@dataclass(frozen=True, slots=True)
class FileVersion:
    """The size of a file, and when it was written in nanoseconds since 1970."""

    bytes: int
    written_ns: int


@dataclass(frozen=True, slots=True)
class PairResults:
    """Outputs, accuracy, and Improve's measurement of two models A and B.

    versions: of both files when this was found. made: when, as an ISO date. chosen_input:
    whether `outputs` are those of the input in Preview, not of a generated one. folder, counts:
    of both models' predictions for the images of a folder. proof: what Improve measured.
    """

    versions: tuple[FileVersion | None, FileVersion | None]
    made: str
    outputs: tuple[OutputParity, ...] | None = None
    chosen_input: bool = False
    folder: str = ""
    counts: Summary | None = None
    proof: MeasuredPair | None = None

    @property
    def known(self) -> bool:
        """Return whether there is anything in it."""
        return any(each is not None for each in (self.outputs, self.counts, self.proof))


def version(path: Path) -> FileVersion | None:
    """Return the version of a file as it is now; None if it is missing."""
    state = files.state(path)
    return None if state is None else FileVersion(state[1], state[2])


def now() -> str:
    """Return the present time as `PairResults.made` has it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def encoded(results: PairResults) -> str:
    """Return results as JSON."""
    return msgspec.json.encode(results).decode()


def decoded(text: str, first: Path, other: Path) -> PairResults | None:
    """Return saved results; None if a file changed since, or if they are damaged."""
    try:
        results = msgspec.json.decode(text, type=PairResults)
        expect_ranges(results)
        datetime.fromisoformat(results.made)
    except (ValueError, RecursionError):  # msgspec's errors are ValueErrors
        return None
    return results if results.versions == (version(first), version(other)) else None
