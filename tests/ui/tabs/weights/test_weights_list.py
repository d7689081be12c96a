"""The list of many weights, and which columns find room."""

import pytest

from inspector.model.model import Model, Place, WeightInfo
from inspector.ui.tabs.weights.weight_list import COLUMNS, WeightColumn, WeightsModel, widths


def many(number: int) -> Model:
    weights = tuple(
        WeightInfo(
            f"block.{i % 977}/op{i}/weight", "float32", (i % 7, 16), i * 7919 % 10_007,
            Place("", i * 64, 64),
        )
        for i in range(number)
    )  # fmt: skip
    head = dict.fromkeys(
        ("name", "format", "producer", "producer_version", "domain", "doc", "graph_name"), ""
    )
    return Model(
        **head,
        size_bytes=0,
        ir_version=8,
        opsets=(),
        version=0,
        metadata=(),
        inputs=(),
        outputs=(),
        layers=(),
        weights=weights,
    )


def test_ten_thousand_weights_sort_and_filter() -> None:
    model = WeightsModel(many(10_000), ((),) * 10_000)
    model.pick("block.99 op")
    assert 0 < model.rowCount() < 10_000
    model.pick("")
    for column in (WeightColumn.BYTES, WeightColumn.NAME, WeightColumn.SHAPE):
        model.turn(COLUMNS.index(column))
    assert model.rowCount() == 10_000
    sizes = [model.weight(row).elements for row in range(10_000)]
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize("room", [1400, 872, 500, 440])
def test_names_shapes_and_bytes_always_find_room(room: int) -> None:
    found = dict(zip(COLUMNS, widths(room), strict=True))
    assert found[WeightColumn.NAME] >= 150
    assert found[WeightColumn.SHAPE] > 0
    assert found[WeightColumn.BYTES] > 0
    assert sum(found.values()) == room
    if found[WeightColumn.PLACE]:
        assert all(found.values()), "the first to go"
