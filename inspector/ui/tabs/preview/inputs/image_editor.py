"""An input that takes a picture: the picture, what the model sees of it, and the way there."""

from dataclasses import replace
from pathlib import Path

import numpy as np
from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from inspector.errors import BadInput
from inspector.preview.inputs.image import ImagePreprocessing
from inspector.preview.inputs.image_files import FILTERS, RESIZES, SUFFIXES, Picture
from inspector.preview.preprocessing import input_condition
from inspector.preview.preprocessing.guess import range_text
from inspector.preview.preprocessing.recipe import LAYOUTS, ORDERS, PRESETS, SCALES
from inspector.ui import commands, units
from inspector.ui.documents import file_dialogs
from inspector.ui.tabs.preview.fill_inputs import (
    CAMERA,
    ImageChoice,
    PreparedImage,
    preprocessing_text,
)
from inspector.ui.tabs.preview.inputs.capture import CameraLine, ScreenRegion
from inspector.ui.tabs.preview.outputs.image_view import ImageDrop, ImageView
from inspector.ui.translate import mark, tr, tr_message
from inspector.ui.widgets.fields import ChoiceField, NumberField, NumbersField
from inspector.ui.widgets.layouts import Flow
from inspector.ui.widgets.parts import (
    Elided,
    add_to,
    button,
    column_of,
    grid_of,
    label,
    row,
    tool,
    wrapped,
)
from inspector.ui.widgets.theme import Theme

SUGGESTED = mark("Suggested for this model")
CUSTOM = mark("Custom")
_SCALE_WORDS = {"255": "0..255", "1": "0..1"}
_ORDER_WORDS = [order.upper() if order != "gray" else mark("Gray") for order in ORDERS]
_LARGEST = 16_384
HEIGHT = 176
FILES = f"Images ({' '.join(f'*{suffix}' for suffix in sorted(SUFFIXES))});;All files (*)"


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
        self.width_field = NumberField(tr("Width"), _LARGEST, tr("original"))
        self.height_field = NumberField(tr("Height"), _LARGEST, tr("original"))
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

    def show_problem(self, problem: str) -> None:
        """Show why this preprocessing does not fit the input, or "" where it does."""
        self._tell(problem)

    def _lay_out(self) -> None:
        column = column_of(on=self, spacing=6)
        grid = grid_of(8, 6, (0, 1, 0, 1))
        rows: tuple[tuple[tuple[str, QWidget], ...], ...] = (
            ((tr("Preset"), self.preset),),
            ((tr("Width"), self.width_field), (tr("Height"), self.height_field)),
            ((tr("Resize"), self.resizing), (tr("Filter"), self.filter)),
            ((tr("Channels"), self.order), (tr("Layout"), self.axes)),
            ((tr("Range"), self.scale), (tr("Padding value"), self.fill)),
            ((tr("Mean"), self.mean),),
            ((tr("Std"), self.std),),
        )
        for i, fields in enumerate(rows):
            for j, (title, field) in enumerate(fields):
                grid.addWidget(label(title, "secondary"), i, 2 * j)
                grid.addWidget(field, i, 2 * j + 1, 1, 3 if len(fields) == 1 else 1)
        add_to(column, grid, self._why, self._problem)

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
            preprocessing = self._read()
        except BadInput as error:
            self._tell(f"{units.capitalized(error.why)}. {error.hint}".strip())
            return
        except ValueError:
            self._tell(tr("Mean and std must be numbers, such as 0.485, 0.456, 0.406."))
            return
        self._tell("")
        if preprocessing != self.used:
            self.show_preparation(preprocessing)

    def _read(self) -> ImagePreprocessing:
        order, mean, std = self.order.value, self.mean.values, self.std.values
        if order != self.used.order:  # numbers of three colors mean nothing for grey
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
            why=tr("as selected"),
        )

    def _show(self) -> None:
        """Show the current preprocessing in all fields."""
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
        why = f", {tr_message(self.used.why)}" if self.used.why else ""
        self._why.setText(
            tr("Value range {range_text}{why}").format(
                range_text=range_text(self.used), why=why
            )
        )


def _preset_name(now: ImagePreprocessing, suggested: ImagePreprocessing) -> str:
    if now == suggested:
        return SUGGESTED
    return next((p.name for p in PRESETS if p.applied(now) == now), CUSTOM)


class Image(Struct, frozen=True, eq=False):
    """Which image fills an input: that of a file, or pixels with what people call them."""

    path: Path | None = None
    pixels: Picture | None = None
    called: str = ""

    def __eq__(self, other: object) -> bool:
        """Return whether another one has the same pixels, or is of the same file."""
        if not isinstance(other, Image):
            return False
        same = (self.path, self.called) == (other.path, other.called)
        if self.pixels is None or other.pixels is None:
            return same and self.pixels is other.pixels
        return same and np.array_equal(self.pixels, other.pixels)

    __hash__ = None  # type: ignore[assignment]


class ImageEditor(QWidget):
    """Says `changed` with every new picture and every change of its preparation."""

    changed = Signal()

    def __init__(
        self,
        theme: Theme,
        suggested: ImagePreprocessing,
        samples: tuple[Path, ...],
        expects: str = "",
    ) -> None:
        super().__init__()
        self.expects = wrapped(tr("Expects: {text}").format(text=expects), "caption")
        if not expects:
            self.expects.hide()
        self._path: Path | None = None
        self._picture: Picture | None = None
        self._shown: Picture | None = None
        self._called = ""
        self._samples, self._tried = samples, 0
        self.drop = ImageDrop(theme, tr("Image: drop, paste or open one"), HEIGHT)
        self.model_input = ImageView(theme, tr("Model input"), HEIGHT)
        # There from the start, so that the buttons below keep their place.
        self._name, self._size = Elided(tr("No image yet"), "caption"), Elided("", "caption")
        self.preparation = PreprocessingEditor(theme, suggested)
        self.others = button(theme, tr("Try other presets"), role="link")
        self.others.setToolTip(
            tr("Run the model with each common preset and compare the results")
        )
        self.others.setEnabled(False)
        self.unfold = tool(theme, "down", tr("Show or hide the preprocessing"))
        self._steps = Elided("", "caption", Qt.TextElideMode.ElideRight)
        self.open = button(theme, tr("Open…"), "open")
        self.paste = button(theme, tr("Paste"))
        self.from_screen = button(theme, tr("Screen…"))
        self.from_screen.setToolTip(
            tr("Capture part of the screen (this window hides while you select)")
        )
        self.camera = CameraLine(theme)
        self.problem = wrapped("", "bad")
        self.region = ScreenRegion(self)
        self.sample = button(theme, tr("Use a sample"))  # whoever shows this places it
        self.sample.setProperty("role", "link")
        self.sample.hide()
        self._lay_out()
        self._connect()
        self.fold(False)

    @property
    def has_samples(self) -> bool:
        """Return whether there are pictures of ours to try."""
        return bool(self._samples)

    @property
    def choice(self) -> ImageChoice | None:
        """The picture with its preparation; None while there is none."""
        if self._path is None and self._picture is None:
            return None
        return ImageChoice(
            self.preparation.preparation, self._path, self._picture, self._called
        )

    @property
    def image(self) -> Image:
        """Return which image is chosen."""
        pixels = self._picture if self._path is None else None
        return Image(self._path, pixels, self._called if pixels is not None else "")

    def show_image(self, image: Image) -> None:
        """Choose an image again, or none."""
        if image == self.image:
            return
        if image.path is not None:
            self.use_file(image.path)
        elif image.pixels is not None:
            self._take_pixels(image.pixels, image.called)
        else:
            self._path = self._picture = self._shown = None
            for view in (self.drop, self.model_input):
                view.show_picture(None)
            self._name.set_text(tr("No image yet"))
            self._size.set_text("")
            self.others.setEnabled(False)
            self.changed.emit()

    def use_file(self, path: Path) -> None:
        """Take the picture of a file; it is read later, elsewhere."""
        self._path, self._picture = path, None
        self.camera.end()
        self._tell("")
        self.changed.emit()

    def use_picture(self, picture: Picture) -> None:
        """Take pixels, as from the clipboard."""
        self.camera.end()
        self._take_pixels(picture, tr("Pasted image"))

    def invert(self) -> None:
        """Take the present picture with light and dark exchanged."""
        if self._picture is not None:
            name = self._called if self._path is None else self._path.name
            called = tr("Inverted {name}").format(name=name)
            self._take_pixels(input_condition.inverted(self._picture), called)

    def fold(self, folded: bool) -> None:
        """Hide the fields of the preparation; one line then says what they say."""
        self.preparation.setHidden(folded)
        self._tell_steps()

    def show_seen(self, image: PreparedImage) -> None:
        """Show what was read, and what the model gets of it."""
        self._picture = image.prepared.pixels
        self.others.setEnabled(True)
        height, width = image.prepared.pixels.shape[:2]
        name = self._called if self._path is None else self._path.name
        self._name.set_text(f"{name} · {width} × {height}")
        self._shown = image.shown
        if not self.camera.camera.running:
            self.drop.show_picture(image.shown)
        self.model_input.show_picture(image.prepared.last)
        self.preparation.show_used(image.prepared.preparation)
        self._tell_steps()
        height, width = image.prepared.last.shape[:2]
        self._size.set_text(
            tr("Model input · {width} × {height}").format(width=width, height=height)
        )

    def _connect(self) -> None:
        self.drop.file_given.connect(self.use_file)
        self.drop.picture_given.connect(self.use_picture)
        self.camera.image_captured.connect(self.drop.show_picture)
        self.camera.image_chosen.connect(lambda picture: self._take_pixels(picture, CAMERA))
        self.camera.ended.connect(lambda: self.drop.show_picture(self._shown))
        self.drop.requested.connect(self._ask)
        self.open.clicked.connect(self._ask)
        self.paste.clicked.connect(self.drop.paste)
        self.sample.clicked.connect(self._use_sample)
        self.from_screen.clicked.connect(lambda: self.region.ask(self.window()))
        self.region.captured.connect(self.use_picture)
        self.region.refused.connect(self._tell)
        self.preparation.changed.connect(self._prepared)
        self.unfold.clicked.connect(lambda: self.fold(not self.preparation.isHidden()))

    def _lay_out(self) -> None:
        pictures = row()
        for view, caption in ((self.drop, self._name), (self.model_input, self._size)):
            column = column_of(view, caption, spacing=4)
            pictures.addLayout(column, 1)
        column = column_of(self.expects, pictures, on=self, spacing=8)
        sources = Flow(8, 8)
        for each in (self.open, self.paste, self.from_screen, self.camera.button):
            sources.addWidget(each)
        add_to(column, sources, self.camera, self.camera.problem, self.problem)
        self.problem.hide()
        column.addLayout(
            row(
                label(tr("Preprocessing"), "section"),
                self._steps,
                self.others,
                self.unfold,
                stretch=1,
            )
        )
        column.addWidget(self.preparation)

    def _take_pixels(self, picture: Picture, called: str) -> None:
        self._path, self._picture, self._called = None, picture, called
        self._tell("")
        self.changed.emit()

    def _tell(self, problem: str) -> None:
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))

    def _tell_steps(self) -> None:
        folded = self.preparation.isHidden()
        self._steps.set_text(preprocessing_text(self.preparation.used) if folded else "")

    def _prepared(self) -> None:
        self._tell_steps()
        if self.choice is not None:
            self.changed.emit()

    def _ask(self) -> None:
        """Take an image; of several, the model runs on each, as when they are dropped."""
        paths = file_dialogs.ask_files(self, tr("Images for this input"), FILES)
        if len(paths) == 1:
            self.use_file(paths[0])
        elif paths:
            commands.run(self, "try", *paths)

    def _use_sample(self) -> None:
        self.use_file(self._samples[self._tried % len(self._samples)])
        self._tried += 1
