from dataclasses import replace

import pytest

from inspector.engine.in_turns import Pair, in_turns
from inspector.errors import Cancelled, EngineDied, InspectorError
from inspector.report import Pace, PerformanceReport, RunSpec
from tests.reports import example_report


def at_pace(number: int, full: bool = True) -> PerformanceReport:
    """A start whose predictions tell its number, at full pace or at another."""
    probes = (4000 if full else 7000,) * 21
    samples = (10**6 + number,) * 200
    report = example_report(prediction_ns=samples, prediction_cpu_ns=samples)
    return replace(
        report, spec=RunSpec(threads=1), pace=Pace(probes, (*range(0, 201, 10),), 4000)
    )


def measured(
    spec: RunSpec,
    asked: list[tuple[str, RunSpec, str]],
    failing: tuple[int, InspectorError] | None = None,
    slow: tuple[int, ...] = (),
) -> Pair:
    """Measure with a canned engine; calls in `slow` are not at full pace, one may fail."""

    def once(name: str, each: RunSpec, step: str) -> PerformanceReport:
        asked.append((name, each, step))
        if failing is not None and len(asked) == failing[0]:
            raise failing[1]
        return at_pace(len(asked), len(asked) not in slow)

    return in_turns(
        (lambda each, step: once("A", each, step), lambda each, step: once("B", each, step)),
        (spec, replace(spec, optimization="basic")),
    )


def order(asked: list[tuple[str, RunSpec, str]]) -> str:
    return "".join(name for name, _, _ in asked)


def test_who_goes_first_takes_turns() -> None:
    asked: list[tuple[str, RunSpec, str]] = []
    one, other = measured(RunSpec(starts=4), asked)
    assert order(asked) == "ABBAABBA"
    assert one.prediction_ns[::200] == (10**6 + 1, 10**6 + 4, 10**6 + 5, 10**6 + 8)
    assert other.prediction_ns[::200] == (10**6 + 2, 10**6 + 3, 10**6 + 6, 10**6 + 7)
    assert one.start_lengths == other.start_lengths == (200,) * 4
    assert (one.spec.starts, other.spec.optimization) == (4, "basic")
    assert [step for _, _, step in asked][::2] == ["", *(f"turn {n} of 4" for n in (2, 3, 4))]


def test_only_the_first_turn_is_asked_for_all() -> None:
    asked: list[tuple[str, RunSpec, str]] = []
    measured(RunSpec(starts=2, check=True, loads=3, concurrency=(2,)), asked)
    assert [(each.starts, each.check, each.loads) for _, each, _ in asked] == [
        (1, True, 3), (1, True, 3), (1, False, 1), (1, False, 1),
    ]  # fmt: skip
    assert all(each.profiled_runs for _, each, _ in asked)


def test_one_turn_is_the_reports_as_they_are() -> None:
    one, other = measured(RunSpec(), [])
    assert one.start_lengths == other.start_lengths == ()


def test_turns_without_full_pace_are_made_up_for_on_both_sides() -> None:
    asked: list[tuple[str, RunSpec, str]] = []
    one, other = measured(RunSpec(starts=3, steady=3), asked, slow=(4,))
    assert order(asked) == "ABBAABBA"
    assert one.paced.lengths == (200,) * 3
    assert len(other.start_lengths) == 4
    asked.clear()
    measured(RunSpec(starts=3, steady=3), asked, slow=tuple(range(1, 99)))
    assert len(asked) == 12


def test_a_later_turn_that_fails_costs_both_its_samples() -> None:
    failing = EngineDied("Could not measure", "it crashed")
    one, other = measured(RunSpec(starts=4), [], (6, failing))
    assert one.start_lengths == other.start_lengths == (200, 200)
    assert one.notes[-1] == other.notes[-1] == "Turn 3 of 4 failed: it crashed."


@pytest.mark.parametrize(
    ("call", "error"),
    [(1, EngineDied("a", "b")), (2, EngineDied("a", "b")), (5, Cancelled("a"))],
)
def test_the_first_turn_that_fails_and_cancelling_end_all(
    call: int, error: InspectorError
) -> None:
    with pytest.raises(type(error)):
        measured(RunSpec(starts=4), [], (call, error))
