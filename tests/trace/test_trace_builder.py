"""Rows of spans that hold each other are found level by level as they are one by one."""

import numpy as np
import pytest

from inspector.trace import trace_builder as module
from inspector.trace.trace_builder import span_depths


def crowd(seed: int, count: int, crossing: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Calls in calls on some tracks, with doubles and moments; a share of them sticks out."""
    random = np.random.default_rng(seed)
    told: list[tuple[int, int, int]] = []

    def add(track: int, begin: int, end: int, depth: int) -> None:
        told.append((begin, end - begin, track))
        at = begin
        while depth < 6 and at < end and len(told) < count:
            length = int(random.integers(0, max(2, (end - at) // 2)))
            add(track, at, at + length, depth + 1)
            at += length + int(random.integers(0, 9))

    while len(told) < count:
        track, begin = int(random.integers(-2, 4)), int(random.integers(0, 5_000))
        add(track, begin, begin + int(random.integers(0, 900)), 0)
    start, duration, track_ = np.array(told, np.int64).T
    longer = random.random(len(told)) < crossing
    return start, duration + longer * random.integers(0, 60, len(told)), track_


@pytest.mark.parametrize("crossing", [0.0, 0.01, 0.5])
@pytest.mark.parametrize("piece", [3, 1 << 16])
def test_levels_are_those_found_one_by_one(crossing, piece, monkeypatch):
    monkeypatch.setattr(module, "_CHUNK", piece)
    for seed in range(40):
        start, duration, track = crowd(seed, 120, crossing)
        wanted = np.zeros(len(start), np.int64)
        order = np.lexsort((-duration, start, track))
        module._depths_one_by_one(order, start, duration, track, wanted)
        np.testing.assert_array_equal(span_depths(start, duration, track), wanted)


def test_very_deep_calls_and_very_far_tracks_have_their_rows_as_well():
    count = 3 * module._MAX_LEVELS
    start, far = np.arange(count), np.array([0, 1 << 40])
    duration = 2 * (count - start)
    assert span_depths(start, duration, np.zeros(count, np.int64)).tolist() == list(
        range(count)
    )
    assert span_depths(far, np.array([1 << 50, 3]), far * 7).tolist() == [0, 0]
    none = np.zeros(0, np.int64)
    assert not len(span_depths(none, none, none))
