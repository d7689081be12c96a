import gc

from inspector.collector import let_go, uncollected


class Knot:
    """Holds itself."""

    def __init__(self) -> None:
        self.other = self


def knots() -> int:
    return sum(isinstance(each, Knot) for each in gc.get_objects())


def test_what_was_made_meanwhile_is_not_walked_again() -> None:
    with uncollected():
        assert not gc.isenabled()
        made = [(number, [number]) for number in range(1000)]
    assert gc.isenabled()
    assert gc.get_freeze_count() >= len(made)
    let_go()


def test_cycles_go_when_something_large_was_closed() -> None:
    with uncollected():
        Knot()
    gc.collect()
    let_go()
    gc.unfreeze()
    assert knots() == 0
