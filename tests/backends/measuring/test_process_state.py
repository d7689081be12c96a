import pytest

from inspector.backends.measuring import process_state
from inspector.backends.measuring.process_state import SystemLoadMonitor, shares
from inspector.report.environment import SystemLoad


def test_time_of_the_cores_is_told_apart():
    spent = {"user": 5.0, "system": 1.0, "idle": 3.0, "iowait": 0.5, "steal": 0.5}
    assert shares(spent, own=4.0) == SystemLoad(stolen=0.05, others=0.2)


def test_time_of_guests_is_not_counted_twice():
    spent = {"user": 5.0, "idle": 5.0, "guest": 5.0, "steal": 0.0}
    assert shares(spent, own=5.0) == SystemLoad(stolen=0.0, others=0.0)


def test_a_system_that_tells_of_no_theft_leaves_it_unknown():
    found = shares({"user": 1.0, "idle": 1.0}, own=1.0)
    assert found.stolen is None
    assert found.others == 0.0


def test_too_short_a_time_says_nothing():
    assert shares({"user": 0.1, "idle": 0.1}, own=0.0) == SystemLoad()
    assert SystemLoadMonitor().load().others is None


@pytest.mark.parametrize("own", [4.0, 9.0])
def test_more_time_of_ours_than_the_system_counts_leaves_none_to_others(own):
    assert shares({"user": 3.0, "idle": 1.0}, own).others == 0.0


def test_what_goes_on_while_it_looks_away_is_not_seen(monkeypatch):
    clocks = {"user": 100.0, "idle": 100.0}
    monkeypatch.setattr(process_state, "_seconds", clocks.copy)
    monkeypatch.setattr(process_state, "process_time", lambda: 7.0)
    watch, looking = SystemLoadMonitor(), SystemLoadMonitor()
    watch.pause()
    clocks["user"] += 3.0
    clocks["idle"] += 1.0
    watch.resume()
    assert watch.load().others is None
    assert looking.load().others == 0.75
