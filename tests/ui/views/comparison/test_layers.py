"""The layers of two reports, ordered by what a column shows."""

import pytest

from inspector.comparison.comparison import compare
from inspector.pages.lists.layer_changes import layer_table
from inspector.ui.widgets.page_table import PageTableModel
from tests.comparison.test_layer_changes import measured, use


@pytest.fixture(scope="module")
def rows() -> PageTableModel:
    """Three layers: one slow and alike, one that became slower, one that became faster."""
    layers = use(0, "slow", "Conv"), use(1, "worse", "Gemm"), use(2, "better", "Add")
    one = measured("a", *layers, slow=900, worse=100, better=300)
    other = measured("b", *layers, slow=900, worse=400, better=100)
    return PageTableModel(layer_table(compare((one, other)), "AB"))


@pytest.mark.parametrize(
    ("key", "downwards", "names"),
    [
        ("name", False, ["better", "slow", "worse"]),
        ("operator", False, ["better", "slow", "worse"]),
        ("A", True, ["slow", "better", "worse"]),
        ("B", True, ["slow", "worse", "better"]),
        ("B delta", True, ["worse", "slow", "better"]),
        ("B verdict", False, ["better", "slow", "worse"]),
    ],
)
def test_layers_are_ordered_by_what_a_column_shows(rows, key, downwards, names):
    rows.sort_by(rows.place(key), downwards)
    shown = [rows.text(row, rows.column("name")) for row in range(rows.rowCount())]
    assert shown == names


@pytest.mark.parametrize("after", [100, 900])
def test_the_largest_change_stands_first_whichever_is_faster(after):
    layers = use(0, "same", "Conv"), use(1, "changed", "Gemm")
    one = measured("a", *layers, same=300, changed=500)
    other = measured("b", *layers, same=300, changed=after)
    rows = PageTableModel(layer_table(compare((one, other)), "AB"))
    assert rows.text(0, rows.column("name")) == "changed"
