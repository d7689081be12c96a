"""The verdict on the outputs of a changed model beside those of its original, as a value.

`analysis/verdicts/outputs.py` makes it and writes its sentence; reports and results store it.
"""

from enum import StrEnum

import msgspec

SAME = "same"
WITHIN = "within limit"
DEGRADED = "degraded"
DESTROYED = "destroyed"
UNDECIDED = "undecided"
LEVELS = (SAME, WITHIN, UNDECIDED, DEGRADED, DESTROYED)  # best first

# Kinds of inputs.
TYPICAL = "typical"
TEST_DATA = "test"
RANDOM = "random"
ZEROS = "zeros"
GUESSED = "guessed"
REALISTIC = frozenset((TYPICAL, TEST_DATA))

# Kinds of findings.
DEAD = "dead"  # always 0, and was not
CONSTANT = "constant"  # one value, and varied
FROZEN = "frozen"  # no longer depends on the input
SATURATED = "saturated"  # cut off at a largest or smallest value
NON_FINITE = "non-finite"  # NaN or infinite in other places than the original
ERROR = "error"  # relative to the spread over positions and inputs
RESPONSE = "response"  # an error relative to what the inputs change
SHIFT = "shift"  # a shift or another scale, relative to what the inputs change
ROWS = "rows"  # rows of a list, such as chosen boxes, that are not the same
UNEQUAL = "unequal"  # whole numbers, truths or texts that are not the same
MISSING = "missing"  # the changed model has no such output
SHAPE = "shape"  # another shape or type


class UndecidedReason(StrEnum):
    """Why a verdict is undecided; files store the value."""

    FEW_INPUTS = "few inputs"
    MADE_UP = "made-up inputs"
    NOT_REPEATING = "not repeating"
    CLOSE = "close to the limit"
    NOTHING_COMPARED = "nothing compared"


class OutputFinding(msgspec.Struct, frozen=True):
    """How one part of an output differs.

    output: its name. axis: along which the part lies, None for the whole output. first, last:
    indexes on the axis, from 0. kind: "dead", "constant", "frozen", "saturated", "non-finite",
    "error", "response", "shift", "rows", "unequal", "missing" or "shape". error: relative, 0.1
    for a tenth of the spread; of "rows" and "unequal" the share that differs; None where there
    is no number. count: rows or elements that differ or are not finite. of: all rows or
    elements. rank: number of axes of the output. period: where the output is flat but repeats,
    `axis` is counted in an array of (-1, period), or of (period, -1) if negative.
    """

    output: str
    kind: str
    error: float | None = None
    axis: int | None = None
    first: int = 0
    last: int = 0
    count: int = 0
    of: int = 0
    rank: int = 0
    period: int = 0


class TaskAgreement(msgspec.Struct, frozen=True):
    """How far the answers that are read from outputs agree, such as classes or boxes.

    kind: "classes", "boxes", "mask", "points" or "text". share: mean agreement, 0 to 1.
    low, high: its 95% interval. count: inputs. same: inputs with the same answer.
    output: name of the only output that answers are read from; empty for all. telling: whether
    an agreement may make up for inexact numbers, since the answers are not all the same one.
    """

    kind: str
    share: float
    low: float
    high: float
    count: int
    same: int
    output: str = ""
    telling: bool = True


class OutputVerdict(msgspec.Struct, frozen=True):
    """Whether the outputs of a changed model are still right.

    level: "same", "within limit", "undecided", "degraded" or "destroyed". findings: what
    speaks against it, worst first. worst: the part with
    the largest error, also where it is within the limit; None if nothing differs or nothing
    could be compared. inputs: how many were compared, of input_kind. held_out: whether they
    are other ones than those of calibration; None if there was none. repeats: the largest error
    of the original's second run beside its first, relative as that of `worst`; 0 if it
    repeats, None if it ran once. tasks: agreement of recognized answers. reason: why it is
    undecided ("few inputs", "made-up inputs", "not repeating", "close to the limit" or "nothing
    compared"); else empty.
    """

    level: str
    findings: tuple[OutputFinding, ...] = ()
    worst: OutputFinding | None = None
    inputs: int = 0
    input_kind: str = GUESSED
    held_out: bool | None = None
    repeats: float | None = None
    tasks: tuple[TaskAgreement, ...] = ()
    reason: str = ""

    @property
    def good(self) -> bool:
        """Return whether the changed model may replace the original."""
        return self.level in (SAME, WITHIN)

    @property
    def bad(self) -> bool:
        """Return whether the changed model is known to be worse."""
        return self.level in (DEGRADED, DESTROYED)
