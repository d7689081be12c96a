"""What the rows of a folder come to: accuracy, agreement, latency, what is taken for what."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from inspector.preview.folder import Row

HEAD = (
    "file", "prediction", "score", "top5", "truth", "right", "right_top5", "agrees",
    "largest_difference", "prediction_ns", "problem",
)  # fmt: skip
MOST_LABELS = 64


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts of rows.

    answered: with an answer. told: of these, those with a truth. right, right_in_top: of
    these, those whose best class, or one of the best five, is the truth. compared and same:
    of a second way. prediction_ns: the median of those that were answered, 0 without any.
    """

    files: int
    answered: int
    told: int
    right: int
    right_in_top: int
    compared: int
    same: int
    prediction_ns: int

    @property
    def failed(self) -> int:
        """Files without an answer."""
        return self.files - self.answered

    @property
    def accuracy(self) -> float | None:
        """Share of right answers, 0 to 1; None without any truth."""
        return self.right / self.told if self.told else None

    @property
    def top_accuracy(self) -> float | None:
        """Share of those with the truth among the best five."""
        return self.right_in_top / self.told if self.told else None

    @property
    def agreement(self) -> float | None:
        """Share of files whose best class is the same both ways."""
        return self.same / self.compared if self.compared else None


@dataclass(frozen=True, slots=True, eq=False)
class Confusion:
    """What was taken for what: counts int64 (wanted, predicted), of `labels` both ways.

    left_out: rows of labels that had no place, the rarest ones.
    """

    labels: tuple[str, ...]
    counts: NDArray[np.int64]
    left_out: int = 0


def summary(rows: Sequence[Row]) -> Summary:
    """Count."""
    answered = [row for row in rows if not row.problem]
    told = [row for row in answered if row.right is not None]
    agreed = [row.agreement for row in answered if row.agreement is not None]
    compared = [each for each in agreed if each.same is not None]
    times = [row.prediction_ns for row in answered]
    return Summary(
        len(rows),
        len(answered),
        len(told),
        sum(bool(row.right) for row in told),
        sum(bool(row.right_in_top) for row in told),
        len(compared),
        sum(bool(each.same) for each in compared),
        int(np.median(times)) if times else 0,
    )


def confusion(rows: Sequence[Row], labels: Sequence[str] = ()) -> Confusion | None:
    """Count each pair of a wanted and a predicted label; None where no row has both.

    Labels come in the model's order, others by name behind them; of more than 64 the most
    frequent stay.
    """
    pairs = [(row.wanted, row.top[0]) for row in rows if row.right is not None]
    if not pairs:
        return None
    often = Counter(name for pair in pairs for name in pair)
    kept = {name for name, _ in often.most_common(MOST_LABELS)}
    order = {name: place for place, name in enumerate(labels)}
    names = sorted(kept, key=lambda name: (order.get(name, len(order)), _natural(name)))
    places = {name: place for place, name in enumerate(names)}
    counts = np.zeros((len(names), len(names)), np.int64)
    inside = [(places[a], places[b]) for a, b in pairs if a in places and b in places]
    for wanted, predicted in inside:
        counts[wanted, predicted] += 1
    return Confusion(tuple(names), counts, len(pairs) - len(inside))


def unfitting(rows: Sequence[Row], labels: Sequence[str]) -> bool:
    """Whether there are labels, and classes, and not as many of both."""
    named = [row.top for row in rows if row.top]
    known = set(labels)
    return bool(known and named) and not any(name in known for top in named for name in top)


def cells(row: Row) -> tuple[str, ...]:
    """A row as texts under HEAD."""
    agreement = row.agreement
    largest = None if agreement is None else agreement.largest
    return (
        row.file,
        row.answer,
        "" if row.score is None else f"{row.score:.6f}",
        "; ".join(row.top),
        row.wanted,
        _truth(row.right),
        _truth(row.right_in_top),
        _truth(None if agreement is None else agreement.same),
        "" if largest is None else f"{largest:.6g}",
        str(row.prediction_ns) if row.prediction_ns else "",
        row.problem,
    )


def _truth(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"


def _natural(name: str) -> tuple[int, str]:
    return (int(name), "") if name.isdecimal() and len(name) < 10 else (1 << 40, name)
