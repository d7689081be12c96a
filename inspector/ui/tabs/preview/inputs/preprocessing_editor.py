"""How a picture becomes the tensor: every step in a field that can be changed."""

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from inspector.errors import BadInput
from inspector.preview.inputs.image import ImagePreprocessing
from inspector.preview.inputs.image_files import FILTERS, RESIZES
from inspector.preview.preprocessing.guess import range_text
from inspector.preview.preprocessing.recipe import LAYOUTS, ORDERS, PRESETS, SCALES
from inspector.ui.tabs.overview.about import wrapped
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.fields import ChoiceField, NumberField, NumbersField
from inspector.ui.widgets.parts import label
from inspector.ui.widgets.theme import Theme

SUGGESTED, CUSTOM = mark("Suggested for this model"), mark("Custom")
_SCALE_WORDS = {"255": "0..255", "1": "0..1"}
_ORDER_WORDS = [order.upper() if order != "gray" else mark("Gray") for order in ORDERS]
_LARGEST = 16_384


class PreprocessingEditor(QWidget):
    """Starts from what is suggested; says `changed` with every valid change."""

    changed = Signal()

    def __init__(self, theme: Theme, suggested: ImagePreprocessing) -> None:
        super().__init__()
        self.preparation = self.used = self._suggested = suggested
        self._filling = False
        presets = [SUGGESTED, *(preset.name for preset in PRESETS), CUSTOM]
        scales = [_SCALE_WORDS.get(scale, scale) for scale in SCALES]
        self.preset = ChoiceField(tr("Preset"), presets, presets)
        self.width_field = NumberField(tr("Width"), _LARGEST, tr("its own"))
        self.height_field = NumberField(tr("Height"), _LARGEST, tr("its own"))
        self.resizing = ChoiceField(tr("Resize"), RESIZES, [r.capitalize() for r in RESIZES])
        self.filter = ChoiceField(
            tr("Filter"), tuple(FILTERS), [f.capitalize() for f in FILTERS]
        )
        self.order = ChoiceField(tr("Channels"), tuple(ORDERS), _ORDER_WORDS)
        self.axes = ChoiceField(tr("Layout"), LAYOUTS, [name.upper() for name in LAYOUTS])
        self.scale = ChoiceField(tr("Range"), tuple(SCALES), scales)
        self.fill = NumberField(tr("Padding value"), 255)
        self.fill.setToolTip(tr("Gray level around the image; only with Resize: Fit"))
        self.mean = NumbersField(tr("Mean of red, green, blue"))
        self.std = NumbersField(tr("Standard deviation of red, green, blue"))
        self._why = wrapped("", "caption")
        self._problem = wrapped("", "bad")
        self._lay_out()
        self._show()
        self._follow()

    def show_preparation(self, preparation: ImagePreprocessing) -> None:
        """Take over a preparation, as if somebody had typed it."""
        self.preparation = self.used = preparation
        self._show()
        self.changed.emit()

    def show_used(self, used: ImagePreprocessing) -> None:
        """Show what the last prediction used, which is not always what was chosen: another
        preprocessing may have been tried. Nothing is chosen by it."""
        if used != self.used:
            self.used = used
            self._show()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        rows: tuple[tuple[tuple[str, QWidget], ...], ...] = (
            ((tr("Preset"), self.preset),),
            ((tr("Width"), self.width_field), (tr("Height"), self.height_field)),
            ((tr("Resize"), self.resizing), (tr("Filter"), self.filter)),
            ((tr("Channels"), self.order), (tr("Layout"), self.axes)),
            ((tr("Range"), self.scale), (tr("Padding value"), self.fill)),
            ((tr("Mean"), self.mean), (tr("Std"), self.std)),
        )
        for i, fields in enumerate(rows):
            for j, (words, field) in enumerate(fields):
                grid.addWidget(label(words, "secondary"), i, 2 * j)
                grid.addWidget(field, i, 2 * j + 1, 1, 3 if len(fields) == 1 else 1)
        column.addLayout(grid)
        column.addWidget(self._why)
        column.addWidget(self._problem)

    def _follow(self) -> None:
        self.preset.activated.connect(self._choose_preset)
        for number in (self.width_field, self.height_field, self.fill):
            number.valueChanged.connect(self._take)
        for choice in (self.resizing, self.filter, self.order, self.axes, self.scale):
            choice.activated.connect(self._take)
        for text in (self.mean, self.std):
            text.editingFinished.connect(self._take)

    def _choose_preset(self, place: int) -> None:
        if place == 0:
            self.show_preparation(self._suggested)
        elif place <= len(PRESETS):
            self.show_preparation(PRESETS[place - 1].applied(self.used))
        else:
            self._show()

    def _take(self) -> None:
        """Read the fields; what does not fit together is told and changes nothing."""
        if self._filling:
            return
        try:
            wanted = self._read()
        except BadInput as error:
            self._tell(f"{error.why}. {error.hint}".strip())
            return
        except ValueError:
            self._tell(tr("Mean and std are numbers, such as 0.485, 0.456, 0.406."))
            return
        self._tell("")
        if wanted != self.used:
            self.show_preparation(wanted)

    def _read(self) -> ImagePreprocessing:
        order, mean, std = self.order.value, self.mean.values, self.std.values
        if order != self.used.order:  # numbers of three colours mean nothing for grey
            mean, std = (v if len(v) in (0, 1, ORDERS[order]) else () for v in (mean, std))
        return replace(
            self.used,
            width=self.width_field.value(),
            height=self.height_field.value(),
            resize=self.resizing.value,
            filter=self.filter.value,
            order=order,
            scale=self.scale.value,
            mean=mean,
            std=std,
            layout=self.axes.value,
            fill=self.fill.value(),
            why=tr("as you chose"),
        )

    def _show(self) -> None:
        """Bring all fields to the present preparation."""
        self._filling = True
        now = self.used
        self.width_field.setValue(now.width)
        self.height_field.setValue(now.height)
        for choice, value in (
            (self.resizing, now.resize),
            (self.filter, now.filter),
            (self.order, now.order),
            (self.axes, now.layout),
            (self.scale, now.scale),
            (self.preset, _preset_name(now, self._suggested)),
        ):
            choice.show_value(value)
        self.fill.setValue(now.fill)
        self.fill.setEnabled(now.resize == "fit")
        self.mean.show_values(now.mean)
        self.std.show_values(now.std)
        self._filling = False
        self._tell("")

    def _tell(self, problem: str) -> None:
        self._problem.setVisible(bool(problem))
        self._problem.setText(problem)
        why = f", {self.used.why}" if self.used.why else ""
        self._why.setText(
            tr("Value range {range_text}{why}").format(
                range_text=range_text(self.used), why=why
            )
        )


def _preset_name(now: ImagePreprocessing, suggested: ImagePreprocessing) -> str:
    if now == suggested:
        return SUGGESTED
    return next((p.name for p in PRESETS if p.applied(now) == now), CUSTOM)
