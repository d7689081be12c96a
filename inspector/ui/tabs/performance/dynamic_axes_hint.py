"""Free axes that keep layers off a device, and the button that fixes them."""

from typing import TYPE_CHECKING

from inspector.analysis.devices.support_summary import axes_in_the_way
from inspector.preview.inputs.default_values import lengths as usual_lengths
from inspector.preview.inputs.input_shapes import axis_names, lengths_of
from inspector.report.run_spec import Dimension
from inspector.ui.translate import tr
from inspector.ui.widgets.parts import Card, button, label, row
from inspector.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from inspector.ui.documents.document import Document


class DynamicAxesHint(Card):
    """Shows while the report has layers that a device refuses for a free axis."""

    def __init__(self, theme: Theme, document: "Document") -> None:
        super().__init__(theme, padding=10)
        self._document = document
        self.message = label("", "secondary")
        self.message.setWordWrap(True)
        self.again = button(theme, tr("Measure with fixed axes"))
        self.again.clicked.connect(self._measure_fixed)
        line = row(self.message, self.again, spacing=12, stretch=0)
        line.setContentsMargins(6, 0, 0, 0)
        self.body.addLayout(line)
        for signal in (document.report_chosen, document.model_changed, document.work_changed):
            signal.connect(self.follow)
        self.follow()

    def follow(self) -> None:
        """Show what the present report says."""
        document = self._document
        count = axes_in_the_way(document.report) if document.report is not None else 0
        open_axes = free_dimensions(document)
        self.setVisible(bool(count and open_axes))
        are = tr("layer is") if count == 1 else tr("layers are")
        names = ", ".join(dimension.name for dimension in open_axes[:3])
        self.message.setText(
            tr(
                "{count:,} {are} not supported on a device because of dynamic axes ({names})."
            ).format(count=count, are=are, names=names)
        )
        self.again.setEnabled(document.work is None)

    def _measure_fixed(self) -> None:
        document = self._document
        if document.work is None:
            fixed = (*document.spec.dimensions, *free_dimensions(document))
            document.set_spec(dimensions=fixed)
            document.measure()


def free_dimensions(document: "Document") -> tuple[Dimension, ...]:
    """The free axes of the inputs without a length, each with the one that it was run with."""
    model = document.model
    if model is None:
        return ()
    by_name = {dimension.name: dimension.size for dimension in document.spec.dimensions}
    lengths = dict(usual_lengths(model.inputs, by_name))
    lengths |= lengths_of(model.inputs, document.feeds)
    names = (name for value in model.inputs for name in axis_names(value) if name is not None)
    return tuple(
        Dimension(name, lengths.get(name, 1))
        for name in dict.fromkeys(names)
        if name not in by_name
    )
