"""Jumps of the time of a step over the context: found where they are, and nowhere else."""

import numpy as np
import pytest

from inspector.backends.measuring import context_curve as module
from inspector.backends.measuring.context_curve import context_curve

US = 1000
IDS = np.arange(2000)[None]
NOISE = 0.05  # of a step; one in twenty takes twice as long, as on a machine that is not idle


class Clock:
    """Stands still but for the steps of a decoder."""

    now_ns = 0

    def __call__(self):
        return self.now_ns


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(module, "perf_counter_ns", made)
    Decoder.clock, Decoder.random = made, np.random.default_rng(0)


class Decoder:
    """Takes as long for a step as a function of the context says."""

    def __init__(self, time_us):
        self.time_us, self.length, self.fed = time_us, 0, 0

    def begin(self, capacity, batch=1):
        self.length = 0

    def feed(self, ids, *, piece=0):
        assert ids[0, 0] == self.length, "tokens belong to their places"
        self.length += ids.shape[1]
        self.fed += ids.shape[1]

    def step(self, ids):
        assert ids[0, 0] == self.length, "tokens belong to their places"
        noise = 1 + NOISE * abs(self.random.normal()) + (self.random.random() < NOISE)
        self.clock.now_ns += round(self.time_us(self.length) * US * noise)
        self.length += 1
        return ids, 0

    def rewind(self, length):
        assert length <= self.length, "tokens that are gone cannot come back"
        self.length = length


@pytest.mark.parametrize("place", [137, 301])
@pytest.mark.parametrize(("before", "after"), [(100, 180), (180, 100)])
def test_a_jump_is_found_to_the_token(place, before, after):
    decoder = Decoder(lambda context: context / 20 + (after if context >= place else before))
    made = context_curve(decoder, IDS, [0, 400], 150 * US)
    (jump,) = made.jumps
    assert jump.context == place
    assert (jump.after_ns > jump.before_ns) == (after > before)
    assert abs(jump.after_ns - jump.before_ns) == pytest.approx(80 * US, rel=0.3)
    assert [point.context for point in made.points] == [*range(0, 401, 25)]


@pytest.mark.parametrize(
    "time_us",
    [
        lambda context: 100 + context / 4,
        lambda context: 100 + 80 * (context == 200),  # of one context alone
        lambda context: 100 + 3 * (context >= 200),  # too small to matter
    ],
)
def test_where_there_is_no_jump_none_is_found(time_us):
    assert context_curve(Decoder(time_us), IDS, [0, 400], 100 * US).jumps == ()


def test_the_cache_of_the_last_row_is_used():
    decoder = Decoder(lambda context: 20)
    decoder.feed(IDS[:, :500])
    decoder.fed = 0
    assert len(context_curve(decoder, IDS, [100, 500], 20 * US, filled=500).points) == 17
    assert not decoder.fed


def test_contexts_close_together_have_no_curve():
    decoder = Decoder(lambda context: 20)
    assert context_curve(decoder, IDS, [0, 32], 20 * US).points == ()
    assert context_curve(decoder, IDS, [512], 20 * US).points == ()
