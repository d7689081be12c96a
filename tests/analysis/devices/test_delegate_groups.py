from inspector.analysis.devices.support_prediction import chosen, groups
from tests.analysis.build import layers


def test_a_refused_layer_parts_a_chain():
    chain = layers(
        ("A", "x", "a"), ("B", "a", "b"), ("No", "b", "c"), ("C", "c", "d"), ("D", "d", "e"),
        ("E", "e", "y"),
    )  # fmt: skip
    parts = groups(chain, range(6), {0, 1, 3, 4, 5})
    assert parts == [[0, 1], [3, 4, 5]]
    assert chosen(parts, 1, 0) == ({3, 4, 5}, {3, 4, 5})
    assert chosen(parts, 0, 3) == ({3, 4, 5}, {3, 4, 5})
    assert chosen(parts, 4, 2)[0] == {0, 1, 3, 4, 5}


def test_layers_of_other_branches_join_the_group_they_are_ready_for():
    branches = layers(
        ("A", "x", "a"), ("No", "a", "b"), ("B", "x", "c"), ("C", "c", "d"), ("D", "b d", "y")
    )
    assert groups(branches, range(5), {0, 2, 3, 4}) == [[0, 2, 3], [4]]


def test_groups_of_one_size_leave_it_open():
    chain = layers(("A", "x", "a"), ("No", "a", "b"), ("B", "b", "y"))
    assert chosen(groups(chain, range(3), {0, 2}), 1, 0) == (set(), {0, 2})


def test_layers_that_do_not_count_are_always_ready():
    chain = layers(("Folded", "w", "v"), ("A", "x v", "a"), ("B", "a", "y"))
    assert groups(chain, (1, 2), {1, 2}) == [[1, 2]]
