"""Which candidate a search is at, and how long it still takes."""

import pytest

from inspector.app.changing.search_clock import SearchClock


class Seconds:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_time_left_follows_from_the_candidates_that_are_done():
    seconds = Seconds()
    clock = SearchClock(4, seconds)
    assert clock.place.text == "the original"
    clock.begin("Float16")
    assert clock.place.text == "candidate 1 of 4: Float16"
    seconds.now = 20
    assert clock.place.seconds_left is None, "no candidate is done"
    clock.finish()
    clock.begin("Int8 (static)")
    seconds.now = 25
    place = clock.place
    assert place.text == "candidate 2 of 4: Int8 (static) · about 55 s left"
    assert place.share == 0.3125, "one of four, and 5 of about 20 seconds of the next"
    seconds.now = 90  # longer than expected: at least those that follow are left
    assert clock.place.seconds_left == 40


def test_recipes_that_depend_on_results_are_an_upper_bound():
    seconds = Seconds()
    clock = SearchClock(1, seconds)
    clock.begin("Int8 (static)")
    seconds.now = 10
    clock.finish()
    assert clock.place.text == "candidate 1 of 1 done"
    clock.extend(1, 6)
    clock.begin("Int8 (static), entropy ranges")
    text = "candidate 2 of up to 8: Int8 (static), entropy ranges · up to 70 s left"
    assert clock.place.text == text
    assert (clock.place.seconds_left, clock.place.untried) == (70, 7)
    clock.finish()
    clock.extend(1, 1)
    assert (clock.place.total, clock.place.untried) == (8, 6), "progress does not go back"


def test_the_first_candidate_is_under_way_before_one_is_timed():
    clock = SearchClock(4, lambda: 0.0)
    clock.begin("float16")
    shares = []
    for stage, share in (("convert", -1), ("test", 0.5), ("test", 0.2), ("measure", 1.0)):
        clock.at(stage, share)
        shares.append(clock.place.share)
    assert 0 == shares[0] < shares[1] == shares[2] < shares[3] < 0.25


@pytest.mark.parametrize("timed", [True, False])
def test_how_far_the_longest_stage_of_the_first_candidate_is_tells_the_time_left(timed):
    seconds = Seconds()
    clock = SearchClock(4, seconds)
    longest = "measure" if timed else "test"
    if not timed:
        clock.leave_out_latency()
    clock.begin("float16")
    seconds.now = 0.5  # of a small model: next to nothing
    for stage, share in (("check", 0.5), *[("test", 0.9)] * timed, (longest, 0.0)):
        clock.at(stage, share)
        assert clock.place.seconds_left is None, "too little is known"
    seconds.now = 3
    clock.at(longest, 0.25)
    assert clock.place.seconds_left == pytest.approx(0.5 + 10 - 3 + 3 * 10.5)


def test_the_time_left_grows_only_by_work_that_was_added_or_where_it_was_far_too_little():
    seconds = Seconds()
    clock = SearchClock(3, seconds)
    clock.begin("float16")
    seconds.now = 10
    clock.finish()
    clock.begin("int8")
    assert clock.place.seconds_left == 20
    seconds.now = 60  # five times as long as the first
    clock.finish()
    assert clock.place.seconds_left == 20
    clock.extend(3)
    assert clock.place.seconds_left == 20 + 2 * 30
    clock.begin("float16")
    seconds.now = 260  # the mean is 70 now
    clock.finish()
    assert clock.place.seconds_left == pytest.approx(2 * 260 / 3)
