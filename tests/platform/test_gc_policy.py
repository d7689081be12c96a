import gc
from threading import Thread
from weakref import WeakSet

import pytest

from inspector.platform.gc_policy import (
    collect_if_due,
    disable_automatic_collection,
    uncollected,
)
from inspector.platform.heap import collect_and_trim

USUAL = (700, 10, 10)
MANY = 2 * USUAL[0]


class Knot:
    living: WeakSet["Knot"] = WeakSet()

    def __init__(self) -> None:
        self.other = self
        self.living.add(self)


def knots() -> int:
    return len(Knot.living)


@pytest.fixture(autouse=True)
def as_in_a_program():
    """Commands and windows that ran before in this process have changed it."""
    was_on, threshold = gc.isenabled(), gc.get_threshold()
    gc.set_threshold(*USUAL)
    gc.enable()
    yield
    gc.set_threshold(*threshold)
    if not was_on:
        gc.disable()


def test_what_was_made_meanwhile_is_not_walked_again():
    with uncollected():
        assert not gc.isenabled()
        made = [(number, [number]) for number in range(1000)]
    assert gc.isenabled()
    assert gc.get_freeze_count() >= len(made)


@pytest.fixture
def switched_off(as_in_a_program):
    disable_automatic_collection()


@pytest.mark.usefixtures("switched_off")
def test_nothing_is_freed_in_another_thread_and_all_of_it_in_ours():
    gc.collect()
    Knot()
    thread = Thread(target=lambda: [[number] for number in range(100_000)])
    thread.start()
    thread.join()
    assert knots() == 1
    many = [[number] for number in range(MANY)]  # the count is that of what lives
    collect_if_due()
    assert (knots(), len(many)) == (0, MANY)


@pytest.mark.usefixtures("switched_off")
def test_a_look_waits_for_the_end_of_a_stretch_and_cycles_go_when_something_large_closed():
    gc.collect()
    with uncollected():
        Knot()
        many = [[number] for number in range(1000)]
        collect_if_due()
        assert knots() == 1
    assert not gc.isenabled()
    gc.collect()
    assert knots() == 1, "it is skipped from then on"
    collect_and_trim()  # looks through the whole heap: half a second among all tests
    assert (knots(), len(many)) == (0, 1000)


def test_stretches_that_overlap_end_with_the_later_one():
    one, two = uncollected(), uncollected()
    one.__enter__()
    two.__enter__()
    one.__exit__(None, None, None)
    assert not gc.isenabled()
    two.__exit__(None, None, None)
    assert gc.isenabled()
