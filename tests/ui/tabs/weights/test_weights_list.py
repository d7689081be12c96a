"""The list of many weights, and which columns find room."""

from inspector.model.model import Model, Place, WeightInfo
from inspector.pages.lists.weight_rows import weight_table
from inspector.ui.widgets.page_table import PageTableModel


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


def test_ten_thousand_weights_sort_and_filter():
    weights = many(10_000)
    model = PageTableModel(weight_table(weights, ((),) * 10_000))
    model.pick("block.99 op")
    assert 0 < model.rowCount() < 10_000
    model.pick("")
    for key in ("size", "name", "shape"):
        model.turn(model.place(key))
    assert model.rowCount() == 10_000
    sizes = [weights.weights[place].elements for place in model.order]
    assert sizes == sorted(sizes, reverse=True)
