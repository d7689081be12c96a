"""The support of each layer on devices on which the model could not be measured."""

import numpy as np

from inspector.analysis.devices.placement_answers import PlacementAnswers
from inspector.pages.blocks import Column, Limits, Row, Side, Table
from inspector.pages.rows import LazyRows
from inspector.render.marks import color_of
from inspector.report.report import Device, Support
from inspector.ui import units
from inspector.ui.selection import Selection
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.parts import PADDING, label, row
from inspector.ui.widgets.table_card import FilterField, PageTableCard
from inspector.ui.widgets.theme import Theme
from inspector.wording.support_marks import Mark
from inspector.wording.values import Count, Joined, MarkValue, Name, Noted

_FEWEST_ROWS = 6  # of layers
_ROOMY = 620  # px, width from which on the filter has words
_RAN_AROUND = mark("A run succeeded with the failing layers forced to the CPU.")
_CHECKED_ALONE = mark("No run succeeded, so each layer was checked on its own: {}.")
# What went wrong stands on top.
_SORTED_FIRST = (Mark.FAILED, Mark.UNSUPPORTED, Mark.UNKNOWN, Mark.EXCLUDED)


class CoverageCard(PageTableCard):
    """The table, and how its marks came about; a row selects its layer."""

    def __init__(self, theme: Theme, claims: PlacementAnswers, selection: Selection) -> None:
        self._selection = selection
        message = tr("Filter, or type “failed” or “not supported”")
        field = FilterField(
            theme, tr("Filter layers"), message, wide=250, small=120, roomy=_ROOMY
        )
        title, table = tr("Device support"), _table(claims)
        super().__init__(theme, title, title, table, field, first_rows=0, fewest=_FEWEST_ROWS)
        text = (
            tr(_RAN_AROUND)
            if claims.ran
            else tr(_CHECKED_ALONE).format(units.clip(claims.why.rstrip("."), 400))
        )
        below = label(text, "secondary", selectable=True, wraps=True)
        self.body.addLayout(row(below, margins=(PADDING - 1, 7, PADDING - 1, 4)))
        self.chosen.connect(lambda place: selection.choose(layer=place))
        selection.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self.show_place(self._selection.now.layer)


def _table(claims: PlacementAnswers) -> Table:
    columns = (
        Column("index", "#", Side.RIGHT, falling=False),
        Column("name", "Layer", stretch=True),
        Column("operator", "Operator", keep=5),
        *(Column(device.id, units.device(device.id)) for device in claims.devices),
    )

    def cells(place: int) -> Row:
        layer, marks = claims.layers[place], claims.marks[place]
        answers = (_answer(marks[device.id], device) for device in claims.devices)
        return Row((Count(layer.index), Name(layer.label), Name(layer.operator), *answers))

    keys = {device.id: lambda id_=device.id: np.array([_order(m[id_]) for m in claims.marks])
            for device in claims.devices}  # fmt: skip
    rows = LazyRows(len(claims.layers), cells, keys)
    return Table(columns, rows, Limits(), "layer", sorted_by=claims.devices[0].id)


def _answer(support: Support, device: Device) -> Noted:
    text = Joined((units.device(device.id), support.mark.label), ": ")
    note = f"{support.reason} ({support.source.value})"
    return Noted(MarkValue(support.mark, color_of(device.kind), text), note)


def _order(support: Support) -> float:
    worst = support.mark in _SORTED_FIRST
    return _SORTED_FIRST.index(support.mark) if worst else len(_SORTED_FIRST)
