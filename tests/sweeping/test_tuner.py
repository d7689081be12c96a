from collections.abc import Callable

import pytest

from inspector.analysis.tunings import chosen, gained, sentences, settings_words
from inspector.errors import BadInput, Cancelled, EngineFailed
from inspector.judge import Verdict
from inspector.report import PerformanceReport, RunSpec
from inspector.sweeping.tuner import Bounds, coordinates, tune
from inspector.tuning import Tuning, to_json
from tests.sweeps import measured, model

BOUNDS = Bounds(cores=4)
OWN = "the runtime's own settings"


def searched(cost: Callable[[RunSpec], float], seconds: float = 40.0) -> Tuning:
    """A search by a clock of its own: each start takes a second."""
    starts: list[RunSpec] = []

    def attempt(spec: RunSpec) -> PerformanceReport:
        starts.append(spec)
        return measured(spec, cost(spec), len(starts))

    bounds = Bounds(seconds, 4, clock=lambda: float(len(starts)))
    *_, last = tune(model(), RunSpec(), attempt, bounds)
    return last


def prefers(spec: RunSpec) -> float:
    """Best with two threads that do not spin; the arena and the level do not matter."""
    return {0: 2e6, 1: 3e6, 2: 1.5e6}.get(spec.threads, 4e6) * (1 if spec.spinning else 0.9)


def test_the_best_settings_are_found_and_held_against_the_default() -> None:
    done = searched(prefers)
    assert (chosen(done).threads, chosen(done).spinning) == (2, False)
    found = gained(done)
    assert found.verdict is Verdict.FASTER
    assert found.low is not None
    assert found.high is not None
    assert found.low < 1.35 / 2 < found.high
    first, second = sentences(done)
    assert first.startswith("Threads 2, no spinning: ")
    assert "starts each" in second
    assert done.complete


def test_where_nothing_helps_it_says_so_and_keeps_the_default() -> None:
    done = searched(lambda spec: 2.5e6 if settings_words(spec) != OWN else 2e6)
    assert chosen(done) == RunSpec(runs=30)
    assert sentences(done)[0].startswith("Nothing beats the runtime's own settings.")


def test_time_bounds_the_search_but_not_the_least_of_the_last_match() -> None:
    done = searched(prefers, seconds=5)
    assert len(done.trials) <= 5
    assert len(done.default_rounds) == len(done.challenger_rounds) == 5


def test_settings_that_fail_are_left_out() -> None:
    def cost(spec: RunSpec) -> float:
        if not spec.arena or spec.threads > 2:
            raise EngineFailed("Could not load", "too many")
        return prefers(spec)

    done = searched(cost)
    assert chosen(done).threads == 2
    assert {trial.why for trial in done.trials if not trial.rounds} == {
        "Could not load: too many."
    }


def test_a_model_that_cannot_be_measured_at_all_is_a_failure() -> None:
    def attempt(spec: RunSpec) -> PerformanceReport:
        raise BadInput("Could not fill x")

    with pytest.raises(BadInput):
        list(tune(model(), RunSpec(), attempt, BOUNDS))


def test_a_search_stops_when_it_is_told() -> None:
    steps = tune(model(), RunSpec(), lambda s: measured(s, 1e6), BOUNDS, stopped=lambda: True)
    with pytest.raises(Cancelled):
        list(steps)


def test_no_more_threads_are_tried_than_there_are_cores() -> None:
    tried = dict(coordinates(6))
    assert [change["threads"] for change in tried["threads"]] == [1, 2, 3, 4, 6]
    assert dict(coordinates(1))["execution"] == ()


def test_settings_are_told_as_words_and_as_json() -> None:
    spec = RunSpec(threads=2, spinning=False, execution_mode="parallel", inter_threads=2)
    words = settings_words(spec)
    assert words == "threads 2, inter-op threads 2, execution parallel, no spinning"
    assert settings_words(RunSpec()) == "the runtime's own settings"
    assert settings_words(RunSpec(on_cpu=("7", "/head/*"))) == "kept on the CPU: 7, /head/*"
    assert to_json(searched(prefers)).startswith(b'{"schema":"tuning/1"')
