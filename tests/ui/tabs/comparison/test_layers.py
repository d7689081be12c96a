"""The layers of two reports, ordered by what a column shows."""

import pytest

from inspector.comparison.comparison import compare
from inspector.ui.tabs.comparison.layers import ColumnKind, LayerRows
from tests.comparison.test_layer_changes import measured, use


@pytest.fixture(scope="module")
def rows() -> LayerRows:
    """Three layers: one slow and alike, one that became slower, one that became faster."""
    layers = use(0, "slow", "Conv"), use(1, "worse", "Gemm"), use(2, "better", "Add")
    one = measured("a", *layers, slow=900, worse=100, better=300)
    other = measured("b", *layers, slow=900, worse=400, better=100)
    return LayerRows(compare((one, other)), "AB")


@pytest.mark.parametrize(
    ("kind", "side", "downwards", "names"),
    [
        (ColumnKind.LAYER, 0, False, ["better", "slow", "worse"]),
        (ColumnKind.OPERATOR, 0, False, ["better", "slow", "worse"]),
        (ColumnKind.TIME, 0, True, ["slow", "better", "worse"]),
        (ColumnKind.TIME, 1, True, ["slow", "worse", "better"]),
        (ColumnKind.CHANGE, 1, True, ["worse", "slow", "better"]),
        (ColumnKind.VERDICT, 1, False, ["better", "slow", "worse"]),
    ],
)
def test_layers_are_ordered_by_what_a_column_shows(
    rows: LayerRows, kind: ColumnKind, side: int, downwards: bool, names: list[str]
) -> None:
    place = next(
        n for n, column in enumerate(rows.columns) if (column.kind, column.side) == (kind, side)
    )
    rows.sort_by(place, downwards)
    assert [rows.layer(row).name for row in range(rows.rowCount())] == names
