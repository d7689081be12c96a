"""The free axes of a model's inputs, each with a field for its length."""

from collections.abc import Mapping

from PySide6.QtCore import Signal

from inspector.report.run_spec import Dimension
from inspector.ui import units
from inspector.ui.translate import tr
from inspector.ui.widgets.fields import NumberField
from inspector.ui.widgets.parts import Card, Elided, grid_of, label
from inspector.ui.widgets.theme import Theme

LONGEST = 1_000_000  # size of an axis
SHOWN = 12  # axes


class DimensionEditor(Card):
    """Empty fields leave the length to the inputs; the caption tells what they chose."""

    changed = Signal()

    def __init__(
        self, theme: Theme, names: tuple[str, ...], dimensions: tuple[Dimension, ...]
    ) -> None:
        super().__init__(theme)
        self.fields: dict[str, NumberField] = {}
        self._chosen: dict[str, Elided] = {}
        self.body.addWidget(label(tr("Dynamic axes"), "heading"))
        grid = grid_of(12, 6, (3, 2, 2))
        sizes = {dimension.name: dimension.size for dimension in dimensions}
        for i, name in enumerate(names[:SHOWN]):
            field = NumberField(
                tr("Size of {name}").format(name=units.clip(name, 60)), LONGEST, tr("default")
            )
            field.setValue(sizes.get(name, 0))
            field.valueChanged.connect(self.changed)
            self.fields[name], self._chosen[name] = field, Elided("", "caption")
            grid.addWidget(Elided(name, "secondary"), i, 0)
            grid.addWidget(field, i, 1)
            grid.addWidget(self._chosen[name], i, 2)
        self.body.addLayout(grid)

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        """The lengths that were chosen."""
        chosen = ((name, field.value()) for name, field in self.fields.items())
        return tuple(Dimension(name, size) for name, size in chosen if size)

    def show_lengths(self, lengths: Mapping[str, int]) -> None:
        """Show the sizes in use."""
        for name, value in self._chosen.items():
            length = lengths.get(name)
            value.set_text(
                "" if length is None else tr("currently {length:,}").format(length=length)
            )
