from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from inspector.analysis.measured.tuning_results import (
    chosen,
    combined,
    gained,
    leader_text,
    sentences,
    settings_text,
)
from inspector.analysis.verdicts.interleaved import ratio_estimates
from inspector.app.tuner import LOWEST_LATENCY, Aim, Bounds, Settings, coordinates, tune
from inspector.backends.interleaving import Pair
from inspector.errors import BadInput, Cancelled, EngineFailed
from inspector.pages.tuning import tuning_page
from inspector.report.environment import MemoryUse
from inspector.report.report import PerformanceReport, PredictionFilter
from inspector.report.run_spec import Dimension, RunSpec
from inspector.report.settings import Goal
from inspector.report.tuning import InterleavedStart, Tuning, to_json
from inspector.statistics.significance import Verdict
from tests.sweeps import Cost, in_turns, measured, model

pytestmark = pytest.mark.simulation

OWN = "the default settings"
ONE_CHANGE: Settings = (("spinning", ({"spinning": False},)),)


def steps(
    cost: Cost,
    seconds: float = 80.0,
    seed: int = 0,
    busy: float = 0.0,
    settings: Settings | None = None,
    aim: Aim = LOWEST_LATENCY,
    devices: tuple[dict[str, object], ...] = (),
    memory: Callable[[RunSpec], int] = lambda spec: 1 << 20,
) -> Iterator[Tuning]:
    """Return a search by a clock of its own: each start takes a second."""
    starts: list[RunSpec] = []

    def attempt(spec: RunSpec) -> PerformanceReport:
        starts.append(spec)
        return measured(spec, cost(spec), len(starts))

    def pair(first: RunSpec, other: RunSpec, begins: int) -> Pair:
        starts.extend((first, other))
        both = in_turns((first, other), cost, 1000 * seed + len(starts), busy)
        one, two = (
            replace(report, memory=MemoryUse(0, 0, 0, 0, memory(spec), 0))
            for report, spec in zip(both, (first, other), strict=True)
        )
        return one, two

    bounds = Bounds(seconds, 4, seed, lambda: float(len(starts)), settings, devices=devices)
    return tune(model(), RunSpec(), attempt, pair, bounds, aim=aim)


def searched(cost: Cost, **how: object) -> Tuning:
    *_, last = steps(cost, **how)
    return last


def prefers(spec: RunSpec) -> float:
    """Best with two threads that do not spin; the arena and the level do not matter."""
    return {0: 2e6, 1: 3e6, 2: 1.5e6}.get(spec.threads, 4e6) * (1 if spec.spinning else 0.9)


def of_batch(spec: RunSpec) -> float:
    """A run takes 1 ms, and 0.1 ms for each item."""
    return 1e6 + 1e5 * next((each.size for each in spec.dimensions), 1)


BATCHES: Settings = (
    ("batch", tuple({"dimensions": (Dimension("n", size),)} for size in (4, 16, 64))),
)


def test_throughput_counts_items_and_a_limit_of_p95_stops_before_the_largest_batch():
    free = searched(of_batch, settings=BATCHES, aim=Aim(Goal.THROUGHPUT, batch_axis="n"))
    assert chosen(free).dimensions == (Dimension("n", 64),)
    assert "items per second instead of" in sentences(free)[0]
    assert gained(free).ratio == pytest.approx((7.4 / 64) / 1.1, rel=0.05)
    limited = Aim(Goal.THROUGHPUT, 5e6, "n")  # of the times, which drift by a factor of two
    done = searched(of_batch, settings=BATCHES, aim=limited)
    assert chosen(done).dimensions == (Dimension("n", 16),)
    assert any(text.startswith("Within the limit: p95 is") for text in sentences(done))
    rows = next(s for s in tuning_page(done).sections if s.id == "trials").blocks[0].rows
    assert [row.cells[0] for row in rows][:2] == ["n 64", "n 16"]


def test_settings_that_keep_a_limit_are_chosen_even_if_nothing_else_is_gained():
    def cost(spec: RunSpec) -> float:
        return 4e6 if spec.threads == 0 else 1e6

    one: Settings = (("threads", ({"threads": 2},)),)
    aim = Aim(Goal.MEMORY, 3e6)
    assert chosen(searched(cost, settings=one, aim=aim)).threads == 2
    assert chosen(searched(cost, settings=one, aim=Aim(Goal.MEMORY))).threads == 0


def test_the_least_memory_is_found():
    aim, settings = Aim(Goal.MEMORY), (("memory", ({"arena": False},)),)
    less = lambda spec: (2 if spec.arena else 1) << 20  # noqa: E731
    done = searched(lambda spec: 2e6, settings=settings, aim=aim, memory=less)
    assert not chosen(done).arena
    assert sentences(done)[0].startswith("No memory arena: 50.0% less memory, 1.00 MiB instead")


def test_several_devices_are_compared_and_the_best_one_is_tuned_further():
    def cost(spec: RunSpec) -> float:
        return prefers(spec) * (0.5 if spec.devices == ("other",) else 1)

    done = searched(cost, devices=({"devices": ("other",)}, {"devices": ("third",)}))
    assert chosen(done).devices == ("other",)
    assert chosen(done).threads == 2
    assert sentences(done)[0].startswith("Device other, threads 2")
    tried = {trial.spec.devices for trial in done.trials}
    assert tried == {("cpu",), ("other",), ("third",)}


def test_the_best_settings_are_found_and_held_against_the_default():
    done = searched(prefers)
    assert (chosen(done).threads, chosen(done).spinning) == (2, False)
    found = gained(done).judgement
    assert found.verdict is Verdict.FASTER
    assert found.high is not None
    assert found.low < 1.35 / 2 < found.high
    first, second = sentences(done)
    assert first.startswith("Threads 2, no spinning: 3")
    assert "interleaved pairs of processes" in second
    assert done.complete
    assert leader_text(done).startswith("threads 2, no spinning, about 3")


def twice(spec: RunSpec) -> float:
    return 4e6 if spec.spinning else 2e6


def test_tune_finds_a_factor_of_two_in_every_one_of_ten_searches_under_load():
    for seed in range(10):
        done = searched(twice, seed=seed, busy=0.4, settings=ONE_CHANGE)
        assert not chosen(done).spinning, sentences(done)
        assert gained(done).ratio == pytest.approx(0.5, rel=0.1)
        assert "50." in sentences(done)[0] or "49." in sentences(done)[0]


def test_tune_says_nothing_of_two_equal_settings_in_ten_searches_under_load():
    for seed in range(10):
        done = searched(lambda spec: 2e6, seed=seed, busy=0.4, settings=ONE_CHANGE)
        assert chosen(done) == done.default, sentences(done)
        assert sentences(done)[0].startswith("No settings are ")


def test_both_sides_of_a_statement_are_filtered_alike():
    """A filtered median never stands beside an unfiltered one, however busy the machine is."""
    calm = in_turns((RunSpec(), RunSpec(spinning=False)), lambda spec: 2e6, 1, busy=0.0)
    busy = in_turns((RunSpec(), RunSpec(spinning=False)), lambda spec: 2e6, 1, busy=1.0)
    mixed = calm[0], busy[1]
    found = combined((InterleavedStart(ratio_estimates(*mixed)),))
    assert found.filter is PredictionFilter.ALL  # nothing of the other side had a core
    assert found.ratio == pytest.approx(5, rel=0.1)
    found = combined((InterleavedStart(ratio_estimates(*calm)),))
    assert found.filter is PredictionFilter.HAD_CORE
    assert found.ratio == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("factor", [0.01, 0.4, 0.97, 1.0, 1.04, 1.9, 5.8, 400.0])
def test_every_statement_about_a_change_makes_sense(factor):
    done = searched(lambda spec: 2e6 * (1 if spec.spinning else factor), settings=ONE_CHANGE)
    told = " ".join(sentences(done))
    assert "-" not in told.replace("inter-op", "")
    assert "−" not in told
    shares = [float(part.split()[-1].strip("(")) for part in told.split("%")[:-1]]
    assert all(0 <= share <= 100 for share in shares), told
    assert ("times" in told) == (factor > 2)


def test_where_nothing_helps_it_says_so_and_keeps_the_default():
    def only_xnnpack_costs_nothing(spec: RunSpec) -> float:
        return 2e6 if settings_text(spec) in (OWN, "no XNNPACK") else 2.5e6

    done = searched(only_xnnpack_costs_nothing)
    assert chosen(done) == RunSpec(runs=30)
    assert sentences(done)[0].startswith(
        "No settings are clearly faster than the default settings. Best candidate: no XNNPACK:"
    )


def test_a_search_ends_in_time_and_says_that_its_result_is_not_confirmed():
    done = searched(prefers, seconds=5)  # each start takes a second, a pair two
    assert 1 + 2 * (len(done.trials) - 1) + 2 * len(done.starts) <= 5
    assert done.complete
    assert chosen(done) == done.default
    assert "not confirmed, because time was up" in sentences(done)[0]


def test_where_nothing_helped_before_time_was_up_the_default_is_the_best_so_far():
    done = searched(lambda spec: 2e6 if spec == RunSpec(runs=30) else 3e6, seconds=9)
    assert sentences(done)[0].startswith("Best so far: the default settings; next: ")
    assert "more time; not confirmed" in sentences(done)[0]


def test_a_search_leaves_time_for_its_last_match():
    done = searched(prefers, seconds=24)
    count = sum(len(trial.rounds) * (2 if trial.against else 1) for trial in done.trials)
    assert count + 2 * len(done.starts) <= 24


def test_settings_that_fail_are_left_out():
    def cost(spec: RunSpec) -> float:
        if not spec.arena or spec.threads > 2:
            raise EngineFailed("Could not load", "too many")
        return prefers(spec)

    done = searched(cost)
    assert chosen(done).threads == 2
    assert {trial.why for trial in done.trials if not trial.rounds} == {
        "Could not load: too many."
    }


def test_a_last_match_that_fails_leaves_what_it_had_and_says_why():
    pairs: list[int] = []

    def cost(spec: RunSpec) -> float:
        pairs.append(1)
        if len(pairs) > 12:
            raise EngineFailed("Could not load", "out of memory")
        return prefers(spec)

    done = searched(cost, settings=ONE_CHANGE)
    assert not done.complete
    assert len(done.starts) > 0
    assert "out of memory" in done.ended
    assert sentences(done)[-1] == done.ended


def test_a_model_that_cannot_be_measured_at_all_is_a_failure():
    def cost(spec: RunSpec) -> float:
        raise BadInput("Could not fill x")

    with pytest.raises(BadInput):
        list(steps(cost))


def test_a_search_that_is_stopped_leaves_what_it_had():
    had: list[Tuning] = []
    stopped = lambda: len(had) > 4  # noqa: E731
    pair = lambda one, two, _: in_turns((one, two), prefers, len(had))  # noqa: E731
    search = tune(
        model(), RunSpec(), lambda s: measured(s, 1e6), pair, Bounds(cores=4), stopped
    )
    with pytest.raises(Cancelled):
        had.extend(search)
    assert len(had[-1].trials) >= 2
    assert not had[-1].complete
    assert sentences(had[-1])[0].startswith("The search ended before it had a result.")


def test_no_more_threads_are_tried_than_there_are_cores():
    tried = dict(coordinates(6))
    assert [change["threads"] for change in tried["threads"]] == [1, 2, 3, 4, 6]
    assert dict(coordinates(1))["execution"] == ()


def test_settings_are_told_as_words_and_as_json():
    spec = RunSpec(threads=2, spinning=False, execution_mode="parallel", inter_threads=2)
    words = settings_text(spec)
    assert words == "threads 2, inter-op threads 2, execution parallel, no spinning"
    assert settings_text(RunSpec()) == "the default settings"
    assert settings_text(RunSpec(on_cpu=("7", "/head/*"))) == "forced to CPU: 7, /head/*"
    assert to_json(searched(prefers)).startswith(b'{"schema":"tuning/1"')
