"""Turns of predictions, with a clock that only work moves."""

import pytest

from inspector.backends.measuring.process_state import SystemLoadMonitor
from inspector.backends.measuring.turn_taking import EACH_NS, LEAST, TurnTaker
from inspector.report.report import TurnOrder


class Clock:
    """Nanoseconds that predictions and the other side take."""

    def __init__(self, prediction_ns: int) -> None:
        self.now, self.prediction_ns, self.predictions = 0, prediction_ns, 0

    def predict(self) -> None:
        self.now += self.prediction_ns
        self.predictions += 1


def taken(prediction_ns: int, count: int, away_ns: int = 40_000_000) -> tuple[TurnTaker, Clock]:
    clock, numbers = Clock(prediction_ns), iter(range(2, 1000, 2))

    def ask() -> int:
        clock.now += away_ns
        return next(numbers)

    taking = TurnTaker(ask, lambda: clock.now)
    for number in range(count):
        if taking.over(number, clock.now):
            taking.wait(number, clock.predict, SystemLoadMonitor())
        clock.predict()
    return taking, clock


@pytest.mark.parametrize(("prediction_ns", "each"), [(1_000_000, 30), (10**9, LEAST)])
def test_a_turn_lasts_a_moment_or_a_few_predictions(prediction_ns, each):
    taking, _ = taken(prediction_ns, 2 * each + 1)
    assert taking.turns("both", 2 * each + 1) == TurnOrder("both", (2, 4, 6), (each, each, 1))


def test_predictions_that_warm_up_and_time_of_others_do_not_count():
    taking, clock = taken(100_000, 301)
    turns = taking.turns("both", 301)
    assert sum(turns.lengths) == 301
    assert clock.predictions == 301 + 5 * len(turns.lengths)
    assert taking.away_ns == clock.now - 301 * 100_000
    assert turns.lengths[0] == EACH_NS // 100_000


def test_without_another_side_no_turn_is_ever_over():
    taking = TurnTaker()
    assert not taking.over(10**6, 10**12)
    assert taking.turns("", 10**6) == TurnOrder()
