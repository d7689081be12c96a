import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.model.display_names import fit_line, fit_lines, fit_start, suggestion


def test_the_nearest_name_is_suggested():
    assert suggestion("bacth", ["length", "batch"]) == "Did you mean 'batch'?"
    assert suggestion("DATA_0", ["data_0"]) == "Did you mean 'data_0'?"


def test_without_a_near_one_the_names_are_listed_up_to_a_dozen():
    assert suggestion("x", ["input", "mask"]) == "Available: 'input', 'mask'."
    assert suggestion("x", [f"input {n}" for n in range(30)]).endswith(
        "'input 11' and 18 more."
    )
    assert suggestion("x", []) == ""


@pytest.mark.parametrize(
    ("name", "room", "shown"),
    [
        ("encoder/layer.0/attention/query", 40, "encoder/layer.0/attention/query"),
        ("encoder/layer.0/attention/query", 25, "…/layer.0/attention/query"),
        ("encoder/layer.0/attention/query", 18, "…/attention/query"),
        ("encoder/layer.0/attention/query", 8, "…/query"),
        ("encoder/layer.0/attention/query", 5, "query"),
        ("model.layers.3.mlp.up_proj", 16, "…3.mlp.up_proj"),
        ("StatefulPartitionedCall_block_12_project", 20, "…_block_12_project"),
        ("Conv__1234", 6, "…_1234"),
        ("abcdefghij", 5, "a…hij"),
    ],
)
def test_names_are_cut_where_a_part_ends(name, room, shown):
    assert fit_line(name, room, len) == shown


@given(
    st.lists(st.text("ab/._1", min_size=1, max_size=30), min_size=1, max_size=12),
    st.integers(8, 40),
)
def test_no_two_names_of_a_table_look_alike(names, room):
    shown = fit_lines(names, room, len)
    pairs = dict(zip(shown, names, strict=True))
    assert all(pairs[text] == name for text, name in zip(shown, names, strict=True))
    assert all(len(text) <= room for text in shown)


def test_joined_names_keep_their_first_parts():
    name = "strided_slice;model_1/cq_t2010v2_1"
    assert fit_start(name, 40, len) == name
    assert fit_start(name, 24, len) == "strided_slice;model_1/…"
    assert fit_start(name, 20, len) == "strided_slice;…"
    assert len(fit_start(name, 8, len)) == 8
