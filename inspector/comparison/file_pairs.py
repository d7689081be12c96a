"""Models of two folders, paired by their name or their content."""

from pathlib import Path

from msgspec import Struct

from inspector.comparison.ci_conditions import Finding
from inspector.comparison.model_changes import ModelDiff


class FilePair(Struct, frozen=True):
    """A model on both sides, or on one.

    state: "same" (the files are equal), "renamed" (equal, under another name), "changed", "new"
    or "gone". problem: why they could not be compared; "" if they were.
    """

    name: str
    state: str
    first: Path | None
    other: Path | None
    diff: ModelDiff | None = None
    findings: tuple[Finding, ...] = ()
    problem: str = ""

    @property
    def text(self) -> str:
        """What the pair has to say in one line."""
        if self.problem:
            return self.problem
        if self.diff is not None:
            return self.diff.summary
        if self.state == "renamed":
            return f"was {self.first}"
        return {"same": "the files are equal", "new": "only in B", "gone": "only in A"}.get(
            self.state, ""
        )
