"""Turns that the predictions of two processes took: what the machine did was the same."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Turns:
    """The turns in which the predictions of a report were made, in their order.

    id: the same in all reports that were measured together; empty where nothing took turns.
    numbers: of each turn among those of all sides: who was next has the next number.
    lengths: predictions in each.
    """

    id: str = ""
    numbers: tuple[int, ...] = ()
    lengths: tuple[int, ...] = ()


def joined(parts: Sequence[Turns]) -> Turns:
    """The turns of several starts as one; none where they were not all measured together."""
    ids = {part.id for part in parts}
    if len(ids) != 1 or "" in ids:
        return Turns()
    return Turns(
        ids.pop(),
        tuple(number for part in parts for number in part.numbers),
        tuple(length for part in parts for length in part.lengths),
    )
