"""Two threads that have the floor in turns."""

import threading
from collections.abc import Callable

import pytest

from inspector.backends.interleaving import TurnHolder, TurnScheduler
from inspector.errors import Cancelled


def together(*works: Callable[[], None]) -> None:
    threads = [threading.Thread(target=work, daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive(), "it waits for the floor that nobody will give it"


def speaking(seat: TurnHolder, times: int, heard: list[tuple[int, int]]) -> Callable[[], None]:
    """Takes the floor so many times; notes who spoke, and the number of the turn."""

    def work() -> None:
        note = heard.append
        with seat.hold():
            for _ in range(times):
                note((seat.index, seat.pass_on()))

    return work


@pytest.mark.parametrize("first", [0, 1])
def test_who_has_the_floor_passes_it_on_and_waits(first):
    heard: list[tuple[int, int]] = []
    seats = TurnScheduler().seats(first)
    together(*(speaking(seat, 20, heard) for seat in seats))
    assert [side for side, _ in heard] == [first, 1 - first] * 20
    assert [number for _, number in heard] == list(range(3, 43))


def test_who_is_left_goes_on_alone():
    heard: list[tuple[int, int]] = []
    one, other = TurnScheduler().seats(0)
    together(speaking(one, 2, heard), speaking(other, 9, heard))
    assert [side for side, _ in heard] == [0, 1, 0, 1, *[1] * 7]


def test_numbers_go_on_from_one_turn_of_both_to_the_next():
    heard: list[tuple[int, int]] = []
    floor = TurnScheduler()
    for first in (0, 1):
        together(*(speaking(seat, 3, heard) for seat in floor.seats(first)))
    numbers = [number for _, number in heard]
    assert numbers == sorted(set(numbers))


def test_nobody_waits_for_a_floor_that_is_closed():
    floor = TurnScheduler()
    one, other = floor.seats(0)
    ended: list[int] = []

    def waiting() -> None:
        with pytest.raises(Cancelled), other.hold():
            raise AssertionError("it had the floor")
        ended.append(1)

    def closing() -> None:
        with one.hold():
            floor.close()

    together(waiting, closing)
    assert ended == [1]
