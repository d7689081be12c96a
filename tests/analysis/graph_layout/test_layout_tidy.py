"""Boxes of a few hundred are placed with care."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from inspector.analysis.graph_layout.placement import GAP, Link, Sketch, ranks, rising, tidy


def sketch(count: int, *pairs: tuple[int, int]) -> Sketch:
    return Sketch([100.0] * count, [40.0] * count, [Link(a, b, 50.0, 50.0) for a, b in pairs])


def test_a_chain_is_straight():
    found = tidy(sketch(5, (0, 1), (1, 2), (2, 3), (3, 4)))
    assert len({round(x, 6) for x in found.x}) == 1


def test_a_chain_stays_straight_beside_a_line_that_skips_it():
    found = tidy(sketch(5, (0, 1), (1, 2), (2, 3), (3, 4), (0, 4)))
    assert max(found.x) - min(found.x) < 1
    assert len({round(x, 6) for x, _ in found.bends[4]}) == 1


def test_a_line_that_skips_rows_goes_around_the_boxes_between():
    found = tidy(sketch(4, (0, 1), (1, 2), (2, 3), (0, 3)))
    for x, y in found.bends[3]:
        for left, top in zip(found.x, found.y, strict=True):
            assert not (left < x < left + 100 and top < y < top + 40)


def test_a_fork_stands_evenly_below_its_source():
    found = tidy(sketch(4, (0, 1), (0, 2), (1, 3), (2, 3)))
    assert abs(found.x[0] - (found.x[1] + found.x[2]) / 2) < 2
    assert abs(found.x[3] - found.x[0]) < 2


def test_a_box_stands_above_its_only_user_though_its_line_to_a_lower_row_goes_by():
    found = tidy(sketch(6, (0, 1), (3, 5), (3, 4), (2, 4), (1, 4)))
    assert found.x[3] == found.x[5]


def test_a_source_without_inputs_stands_directly_above_its_user():
    assert ranks(sketch(4, (0, 1), (1, 2), (3, 2))) == [0, 1, 2, 1]


@given(st.data())
def test_boxes_of_a_row_never_touch(data):
    count = data.draw(st.integers(2, 14))
    place = st.integers(0, count - 1)
    pairs = data.draw(st.lists(st.tuples(place, place), max_size=24))
    made = sketch(count, *(pair for pair in pairs if pair[0] != pair[1]))
    found = tidy(made)
    rows: dict[float, list[float]] = {}
    for x, y in zip(found.x, found.y, strict=True):
        rows.setdefault(y, []).append(x)
    for row in rows.values():
        row.sort()
        assert all(b - a >= 100 + GAP - 0.01 for a, b in itertools.pairwise(row))


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=12))
def test_the_rising_sequence_is_the_nearest_one(aims):
    found = rising(aims, [1.0] * len(aims))
    assert all(a <= b + 1e-9 for a, b in itertools.pairwise(found))
    assert abs(sum(found) - sum(aims)) < 1e-6
    if aims == sorted(aims):
        assert found == aims
