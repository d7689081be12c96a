"""All inputs of a model, each with its editor."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from msgspec import Struct, structs
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from inspector.errors import BadInput
from inspector.model.axes import free_axes
from inspector.model.model import Model, TensorInfo
from inspector.model.tensors.element_types import Tensor
from inspector.preview.inputs import table
from inspector.preview.inputs.image import ImagePreprocessing
from inspector.preview.preprocessing.saved import NONE_SAVED, SavedPreprocessing
from inspector.report.run_spec import Dimension
from inspector.ui.documents.session_files import InputPlace
from inspector.ui.tabs.preview.fill_inputs import Choice, Filling
from inspector.ui.tabs.preview.inputs.axis_lengths import DimensionEditor
from inspector.ui.tabs.preview.inputs.input_editor import InputEditor, InputState
from inspector.ui.tabs.preview.inputs.signature_card import SignatureCard, has_signatures
from inspector.ui.tabs.preview.inputs.table_editor import TableEditor
from inspector.ui.translate import tr
from inspector.ui.widgets.parts import GAP, column_of
from inspector.ui.widgets.table_card import ShowMoreButton
from inspector.ui.widgets.theme import Theme

SHOWN = 8  # inputs
STEP = 16  # more inputs at once


class InputsState(Struct, frozen=True):
    """What is chosen for all inputs. inputs: by name. row: values of a table, by input."""

    inputs: dict[str, InputState]
    row: dict[str, str]


class InputList(QWidget):
    """Editors for the first inputs; the others get usual values until they are asked for."""

    changed = Signal()
    dimensions_changed = Signal()

    def __init__(
        self,
        theme: Theme,
        model: Model,
        dimensions: tuple[Dimension, ...],
        preprocessing: SavedPreprocessing = NONE_SAVED,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme, self._model, self._kept = theme, model, preprocessing
        self._filling: Filling | None = None
        self.editors: dict[str, InputEditor] = {}
        column = column_of(on=self, spacing=GAP)
        if has_signatures(model):
            column.addWidget(SignatureCard(theme, model))
        self._column = column_of(spacing=GAP)
        columns = table.columns(model.inputs)
        self.table = TableEditor(theme, columns) if columns else None
        if self.table is not None:
            self.table.changed.connect(self.changed)
            column.addWidget(self.table)
        column.addLayout(self._column)
        single = 0 if columns else len(model.inputs)
        column.addWidget(ShowMoreButton(single, SHOWN, tr("inputs"), self._show_first, STEP))
        axes = free_axes(model.inputs)
        if columns:  # a row of a table has one value in each; only named axes say more
            axes = tuple(name for name in axes if not name.endswith("]"))
        self.dimensions = DimensionEditor(theme, axes, dimensions) if axes else None
        if self.dimensions is not None:
            self.dimensions.changed.connect(self.dimensions_changed)
        column.addStretch(1)
        self._show_first(0 if columns else SHOWN)

    @property
    def choices(self) -> Mapping[str, Choice]:
        """Return the choices by input."""
        chosen = ((name, editor.choice) for name, editor in self.editors.items())
        own = {name: choice for name, choice in chosen if choice is not None}
        return {**self.table.choices, **own} if self.table is not None else own

    @property
    def places(self) -> tuple[InputPlace, ...]:
        """Return the choices that a session can store: files with settings, and recipes."""
        places = ((name, editor.place) for name, editor in self.editors.items())
        return tuple(replace(place, name=name) for name, place in places if place is not None)

    def restore(self, places: Sequence[InputPlace]) -> None:
        """Fill inputs as they were; those that the model has no more are left out."""
        inputs = {info.name: info for info in self._model.inputs}
        for place in places:
            info = inputs.get(place.name)
            if info is not None:
                self._editor(info).restore(place)

    @property
    def settings(self) -> InputsState:
        """Return all that is chosen for the inputs, to be brought back later."""
        states = {name: editor.settings for name, editor in self.editors.items()}
        row = dict(self.table.fields.values) if self.table is not None else {}
        return InputsState(states, row)

    def show_settings(self, settings: InputsState) -> None:
        """Bring back what was chosen."""
        for name, state in settings.inputs.items():
            self.editors[name].show_settings(state)
        if self.table is not None and settings.row != self.table.fields.values:
            self.table.fields.show_values(settings.row)
        self.changed.emit()

    @property
    def ready(self) -> bool:
        """Return whether there is something to predict with: pictures and sounds are not made
        up."""
        media = [e.choice for e in self.editors.values() if e.wants_media]
        return not media or any(choice is not None for choice in media)

    @property
    def awaited(self) -> str:
        """Return a sentence on the missing input."""
        sounds = any(e.wants_media and e.sound is not None for e in self.editors.values())
        noun = (
            tr("Drop or open an audio file") if sounds else tr("Drop, paste or open an image")
        )
        return tr("{noun} to run the model.").format(noun=noun)

    @property
    def prepared(self) -> SavedPreprocessing:
        """Return how pictures and sounds are prepared now, with what was kept of the rest."""
        pictures, sounds = dict(self._kept.pictures), dict(self._kept.sounds)
        for name, editor in self.editors.items():
            if editor.picture is not None:
                pictures[name] = editor.picture.preparation.used
            if editor.sound is not None and editor.wants_media:
                sounds[name] = editor.sound.framing
        return structs.replace(self._kept, pictures=pictures, sounds=sounds)

    def keep_meaning(self, output: str, meaning: str) -> None:
        """Keep what an output means, to be saved with the preprocessing."""
        self._kept = structs.replace(
            self._kept, outputs={**self._kept.outputs, output: meaning}
        )

    def show_kept(self, source: str) -> None:
        """Show where the preparations are kept now."""
        for editor in self.editors.values():
            editor.show_kept(source)

    def use_preparation(self, name: str, preparation: ImagePreprocessing) -> None:
        """Prepare the picture of an input in another way."""
        editor = self.editors[name].picture
        assert editor is not None, "only images are prepared"
        editor.preparation.show_preparation(preparation)

    def invert(self, name: str) -> None:
        """Exchange light and dark in the picture of an input."""
        editor = self.editors[name].picture
        assert editor is not None, "only images are inverted"
        editor.invert()

    def go_on(self, memory: Mapping[str, Tensor]) -> None:
        """Keep what an answer left in the memory of the model."""
        for name, array in memory.items():
            editor = self.editors.get(name)
            if editor is not None and editor.state is not None:
                editor.state.keep(array)

    def use_file(self, name: str, path: Path) -> None:
        """Fill one input from a file. Raises BadInput: there is no such input."""
        info = next((info for info in self._model.inputs if info.name == name), None)
        if info is None:
            raise BadInput(
                tr("Could not use {name}").format(name=path.name),
                tr("the model has no input '{name}'").format(name=name),
            )
        if self.table is not None and path.suffix.lower() in (".csv", ".tsv"):
            self.table.use_file(path)
            return
        self._editor(info).use_file(path)

    def use_picture(self, path: Path) -> None:
        """Fill the first input that takes a picture. Raises BadInput: none does."""
        self.editors[self._first_picture(path.name)].use_file(path)

    def paste(self) -> None:
        """Take a picture or a file from the clipboard. Raises BadInput: there is none."""
        focused = (e for e in self.editors.values() if e.picture and e.isAncestorOf(_focus(e)))
        editor = next(focused, None) or self.editors[self._first_picture(tr("the clipboard"))]
        if editor.picture is None or not editor.picture.drop.paste():
            why, hint = (
                tr("there is no image on the clipboard"),
                tr("Copy an image or a file first."),
            )
            raise BadInput(tr("Could not paste an image"), why, hint)

    def fold(self, folded: bool) -> None:
        """Hide or show how pictures are prepared, and shorten a table or not."""
        if self.table is not None:
            self.table.fold(folded)
        for editor in self.editors.values():
            if editor.picture is not None:
                editor.picture.fold(folded)

    def show_filling(self, filling: Filling) -> None:
        """Show what every input was filled with."""
        self._filling = filling
        for editor in self.editors.values():
            editor.show_filling(filling)
        if self.dimensions is not None:
            self.dimensions.show_lengths(filling.lengths)

    def show_refusal(self) -> None:
        """Show that the inputs were not filled as they are now."""
        for editor in self.editors.values():
            editor.show_refusal()

    def _first_picture(self, source: str) -> str:
        input_name = next(
            (name for name, e in self.editors.items() if e.picture is not None), None
        )
        if input_name is None:
            raise BadInput(
                tr("Could not use {value}").format(value=source),
                tr("no input of this model takes an image"),
            )
        return input_name

    def _show_first(self, number: int) -> None:
        shown = {info.name for info in self._model.inputs[:number]}
        for info in self._model.inputs[:number]:
            self._editor(info)
        for name, editor in self.editors.items():
            editor.setVisible(name in shown)

    def _editor(self, info: TensorInfo) -> InputEditor:
        """The editor of an input, made when it is first needed."""
        if info.name not in self.editors:
            editor = InputEditor(self._theme, self._model, info, self._kept, self)
            editor.changed.connect(self.changed)
            self.editors[info.name] = editor
            self._column.addWidget(editor)
            if self._filling is not None:
                editor.show_filling(self._filling)
        return self.editors[info.name]


def _focus(editor: InputEditor) -> QWidget:
    """The widget that has the focus, or the editor itself, which is no part of itself."""
    return editor.window().focusWidget() or editor
