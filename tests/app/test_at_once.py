"""One model on several machines at once: reports, reasons, and an end on request."""

from collections.abc import Callable
from threading import Event
from typing import Any

import pytest

from inspector.app.at_once import MachineRow, measured_at_once
from inspector.app.measure import Setup, setup
from inspector.app.subjects import subjects
from inspector.backends.values import Progress
from inspector.errors import Cancelled, EngineDied
from tests.reports import example_report


class Place:
    """A machine that answers, fails, or waits until it is stopped."""

    def __init__(self, name: str, answer: Any) -> None:
        self.text, self._answer, self.stopped = name, answer, Event()
        self.partial, self.elsewhere, self.hello, self.note = (
            None,
            True,
            dict[str, object](),
            "",
        )

    def engine(self, show: Callable[[Progress], None], limits: object) -> "Place":
        show(Progress("run", 0.5))
        return self

    def __enter__(self) -> "Place":
        return self

    def __exit__(self, *_: object) -> None: ...

    def measure(self, *_: object) -> Any:
        if self._answer is None:
            self.stopped.wait(30)
            raise Cancelled("Stopped")
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer

    def kill(self) -> None:
        self.stopped.set()


@pytest.fixture
def digits(samples) -> Setup:
    (subject,) = subjects([samples / "digits_float32.onnx"])
    return setup(subject)


def rows(*places: Place) -> list[MachineRow]:
    return [MachineRow(place) for place in places]


def test_a_machine_that_fails_keeps_nobody_else_from_a_report(digits):
    gone = EngineDied("Could not reach pi5", "the connection ended (255)")
    found = rows(Place("nuc", example_report()), Place("pi5", gone))
    for _ in measured_at_once(digits, found):
        pass
    assert found[0].report.model == example_report().model
    assert found[1].problem is gone
    assert [row.step for row in found] == [None, None]


def test_whoever_asks_no_more_stops_all_machines(digits):
    places = Place("nuc", None), Place("pi5", None)
    found = rows(*places)
    steps = measured_at_once(digits, found)
    next(steps)
    assert {row.step.step for row in found if row.step is not None} == {"run"}
    steps.close()
    assert all(place.stopped.is_set() for place in places)
    assert all(isinstance(row.problem, Cancelled) for row in found)


def test_a_machine_that_was_stopped_stops_the_measurement(digits):
    with pytest.raises(Cancelled):
        for _ in measured_at_once(digits, rows(Place("nuc", Cancelled("Stopped")))):
            pass
