"""An input that takes a picture: the picture, what the model sees of it, and the way there."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from inspector.preview.inputs.image import ImagePreprocessing
from inspector.preview.inputs.image_files import SUFFIXES, Picture
from inspector.ui.tabs.overview.about import wrapped
from inspector.ui.tabs.preview.fill_inputs import (
    CAMERA,
    ImageChoice,
    PreparedImage,
    preprocessing_text,
)
from inspector.ui.tabs.preview.inputs.camera import CameraLine
from inspector.ui.tabs.preview.inputs.preprocessing_editor import PreprocessingEditor
from inspector.ui.tabs.preview.inputs.screen_region import ScreenRegion
from inspector.ui.tabs.preview.outputs.image_view import ImageDrop, ImageView
from inspector.ui.translate import tr
from inspector.ui.widgets.layouts import Flow
from inspector.ui.widgets.parts import Elided, button, label, row, tool
from inspector.ui.widgets.theme import Theme

HEIGHT = 176
FILES = f"Images ({' '.join(f'*{suffix}' for suffix in sorted(SUFFIXES))});;All files (*)"


class ImageEditor(QWidget):
    """Says `changed` with every new picture and every change of its preparation."""

    changed = Signal()
    tries_asked = Signal()

    def __init__(
        self, theme: Theme, suggested: ImagePreprocessing, samples: tuple[Path, ...]
    ) -> None:
        super().__init__()
        self._path: Path | None = None
        self._picture: Picture | None = None
        self._shown: Picture | None = None
        self._called = ""
        self._samples, self._tried = samples, 0
        self.drop = ImageDrop(theme, tr("Image: drop, paste or open one"), HEIGHT)
        self.seen = ImageView(theme, tr("Model input"), HEIGHT)
        self._name, self._size = Elided("", "caption"), Elided("", "caption")
        self.preparation = PreprocessingEditor(theme, suggested)
        self.others = button(theme, tr("Try other preprocessing"))
        self.others.setProperty("role", "link")
        self.others.setToolTip(
            tr("Run the model with each common preset and compare the results")
        )
        self.others.clicked.connect(self.tries_asked)
        self.others.setEnabled(False)
        self.unfold = tool(theme, "down", tr("Show or hide the preprocessing"))
        self._steps = Elided("", "caption", Qt.TextElideMode.ElideRight)
        self.open = button(theme, tr("Open…"), "open")
        self.paste = button(theme, tr("Paste"))
        self.from_screen = button(theme, tr("Screen…"))
        self.from_screen.setToolTip(
            tr("Capture a part of the screen; hides this window meanwhile")
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
        """Whether there are pictures of ours to try."""
        return bool(self._samples)

    @property
    def choice(self) -> ImageChoice | None:
        """The picture with its preparation; None while there is none."""
        if self._path is None and self._picture is None:
            return None
        return ImageChoice(
            self.preparation.preparation, self._path, self._picture, self._called
        )

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

    def fold(self, folded: bool) -> None:
        """Hide the fields of the preparation; one line then says what they say."""
        self.preparation.setHidden(folded)
        self._tell_steps()

    def show_seen(self, seen: PreparedImage) -> None:
        """Show what was read, and what the model gets of it."""
        self._picture = seen.picture
        self.others.setEnabled(True)
        height, width = seen.picture.shape[:2]
        name = self._called if self._path is None else self._path.name
        self._name.set_text(f"{name} · {width} × {height}")
        self._shown = seen.shown
        if not self.camera.camera.running:
            self.drop.show_picture(seen.shown)
        self.seen.show_picture(seen.last.picture)
        self.preparation.show_used(seen.preparation)
        self._tell_steps()
        height, width = seen.last.picture.shape[:2]
        self._size.set_text(
            tr("Model input · {width} × {height}").format(width=width, height=height)
        )
        for words in (self._name, self._size):
            words.show()

    def _connect(self) -> None:
        self.drop.file_given.connect(self.use_file)
        self.drop.picture_given.connect(self.use_picture)
        self.camera.seen.connect(self.drop.show_picture)
        self.camera.taken.connect(lambda picture: self._take_pixels(picture, CAMERA))
        self.camera.ended.connect(lambda: self.drop.show_picture(self._shown))
        self.drop.asked.connect(self._ask)
        self.open.clicked.connect(self._ask)
        self.paste.clicked.connect(self.drop.paste)
        self.sample.clicked.connect(self._use_sample)
        self.from_screen.clicked.connect(lambda: self.region.ask(self.window()))
        self.region.taken.connect(self.use_picture)
        self.region.refused.connect(self._tell)
        self.preparation.changed.connect(self._prepared)
        self.unfold.clicked.connect(lambda: self.fold(not self.preparation.isHidden()))

    def _lay_out(self) -> None:
        pictures = QHBoxLayout()
        pictures.setSpacing(8)
        for view, words in ((self.drop, self._name), (self.seen, self._size)):
            column = QVBoxLayout()
            column.setSpacing(4)
            column.addWidget(view)
            column.addWidget(words)
            words.hide()  # an empty line would part the buttons from the pictures
            pictures.addLayout(column, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(pictures)
        ways = Flow(8, 8)
        for way in (self.open, self.paste, self.from_screen, self.camera.button):
            ways.addWidget(way)
        column.addLayout(ways)
        for widget in (self.camera, self.camera.problem, self.problem):
            column.addWidget(widget)
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
        name, _ = QFileDialog.getOpenFileName(self, tr("An image for this input"), "", FILES)
        if name:
            self.use_file(Path(name))

    def _use_sample(self) -> None:
        self.use_file(self._samples[self._tried % len(self._samples)])
        self._tried += 1
