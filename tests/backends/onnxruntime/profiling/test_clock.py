from time import perf_counter_ns

from msgspec.structs import replace

from inspector.backends.onnxruntime.profiling import profile
from inspector.backends.onnxruntime.profiling.profile import Instant


def test_the_clocks_are_read_at_one_moment():
    before = perf_counter_ns()
    instant = profile.now()
    assert before <= instant.perf_ns <= perf_counter_ns()


def test_a_profile_on_the_systems_clock_is_brought_to_ours():
    begun = Instant(perf_ns=500, wall_ns=1_700_000_000_000_000_000, monotonic_ns=500)
    ended = replace(begun, perf_ns=900, wall_ns=begun.wall_ns + 400, monotonic_ns=900)
    assert profile.profile_zero(begun.wall_ns + 30, begun, ended) == 530


def test_a_profile_on_the_monotonic_clock_is_brought_to_ours():
    begun = Instant(perf_ns=70_000_000_000, wall_ns=10**18, monotonic_ns=5 * 10**15)
    ended = Instant(perf_ns=70_000_000_900, wall_ns=10**18 + 900, monotonic_ns=5 * 10**15 + 900)
    assert profile.profile_zero(begun.monotonic_ns + 30, begun, ended) == begun.perf_ns + 30


def test_a_coarse_monotonic_clock_does_not_move_a_profile_on_perf_counters():
    """As on Windows before Python 3.13, where it steps by 15.6 ms."""
    begun = Instant(perf_ns=100_000_000, wall_ns=10**18, monotonic_ns=93_600_000)
    ended = Instant(perf_ns=101_000_000, wall_ns=10**18 + 10**6, monotonic_ns=93_600_000)
    assert profile.profile_zero(100_200_000, begun, ended) == 100_200_000


def test_a_profile_on_no_known_clock_begins_with_the_session():
    begun = Instant(perf_ns=10**13, wall_ns=10**18, monotonic_ns=10**15)
    assert profile.profile_zero(42, begun, begun) == 10**13
