from dataclasses import dataclass

import pytest

from inspector.backends.measuring import clean_pass
from inspector.backends.measuring.clean_pass import SystemLoadMonitor
from inspector.backends.measuring.cpu_speed_probe import CpuSpeedProbe
from inspector.backends.measuring.turn_taking import TurnTaker
from inspector.report.run_spec import RunSpec

RUN_NS, CLOCK_NS, WAIT_NS = 40_000, 5_000, 30_000_000


@dataclass
class Clock:
    """A clock that only moves where the test says so: in runs, and while clocks are read."""

    now_ns: int = 0
    readings: int = 0
    waits_at: tuple[int, ...] = ()  # numbers of readings that wait for a core

    def perf(self) -> int:
        return self.now_ns

    def run(self) -> None:
        self.now_ns += RUN_NS

    def read(self) -> int:
        """The processor time of the thread or process, which does not count while it waits."""
        self.readings += 1
        self.now_ns += WAIT_NS if self.readings in self.waits_at else CLOCK_NS
        return self.readings * RUN_NS


def samples(monkeypatch: pytest.MonkeyPatch, *waits_at: int) -> tuple[int, ...]:
    clock = Clock(waits_at=waits_at)
    monkeypatch.setattr(clean_pass, "perf_counter_ns", clock.perf)
    for name in ("thread_time_ns", "process_time_ns"):
        monkeypatch.setattr(clean_pass, name, clock.read)
    wall, _, _ = clean_pass._samples(
        clock.run,
        RunSpec(runs=5, seconds=0.0),
        lambda *_: None,
        CpuSpeedProbe(active=False),
        TurnTaker(),
        SystemLoadMonitor(),
    )
    return wall


def test_reading_the_clocks_is_no_part_of_a_prediction(monkeypatch):
    assert samples(monkeypatch) == (RUN_NS,) * 5


@pytest.mark.parametrize("reading", [5, 6, 7, 8], ids=["before", "before", "after", "after"])
def test_a_wait_for_a_core_while_the_clocks_are_read_belongs_to_the_prediction(
    monkeypatch, reading
):
    first, second, *others = samples(monkeypatch, reading)  # four readings a prediction
    assert second == RUN_NS + WAIT_NS + CLOCK_NS  # with the other clock read then
    assert {first, *others} == {RUN_NS}
