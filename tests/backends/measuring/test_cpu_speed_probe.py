from math import fsum
from time import perf_counter_ns

from inspector.backends.measuring.cpu_speed_probe import (
    CpuSpeedProbe,
    probe_ns,
    wait_for_full_speed,
)


def test_a_probe_takes_a_few_microseconds():
    probes = sorted(probe_ns() for _ in range(200))
    assert 500 < probes[2] < 100_000


def test_a_probe_follows_the_work_that_a_processor_does():
    began = perf_counter_ns()
    fsum(range(40_000))
    assert probe_ns() < perf_counter_ns() - began


def test_probes_are_taken_now_and_then_and_keep_their_place():
    pacer = CpuSpeedProbe(known_ns=7)
    before = perf_counter_ns()
    assert pacer.due(before)
    pacer.take(0)
    assert not pacer.due(before)
    assert pacer.due(perf_counter_ns() + 2_000_000)
    pacer.take(12)
    pace = pacer.pace()
    assert (pace.before, pace.known_ns) == ((0, 12), 7)
    assert min(pace.probes_ns) > 0


def test_enough_are_many_stretches_at_full_pace_in_which_something_ran():
    ran, held_up, few, one = (CpuSpeedProbe(1000, probe=lambda: 1010) for _ in range(4))
    slow = CpuSpeedProbe(1000, probe=lambda: 1500)
    for place in range(400):
        ran.take(place)
        held_up.take(place, ran=False)
        slow.take(place)
    few.take(0)
    few.take(1)
    one.take(0)
    assert ran.enough(1 << 40)
    assert not held_up.enough(1 << 40)
    assert not few.enough(1 << 40)
    assert not one.enough(1 << 40)
    assert not slow.enough(1 << 40)


def test_without_the_processor_there_is_no_pace_to_wait_for():
    pacer = CpuSpeedProbe(active=False)
    pacer.take(0)
    assert not pacer.due(1 << 40)
    assert pacer.enough(0)
    assert pacer.pace().probes_ns == ()


def test_full_pace_is_waited_for_but_not_for_long():
    assert wait_for_full_speed(1 << 40, alone=True)
    began = perf_counter_ns()
    assert not wait_for_full_speed(1, alone=True, seconds=0.02)
    assert perf_counter_ns() - began > 15_000_000
