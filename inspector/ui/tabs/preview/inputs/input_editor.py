"""One input of a model in the Preview: what it takes, and what it gets."""

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import msgspec
from msgspec.structs import replace
from PySide6.QtCore import QMimeData, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QWidget

from inspector.errors import InspectorError
from inspector.model.model import ITEM_BITS, Model, TensorInfo
from inspector.model.tensors.element_types import Tensor, numpy_type
from inspector.model.tensors.prediction import Statistics
from inspector.pages.model.layers import type_text
from inspector.platform import files
from inspector.preview.inputs import audio, default_values, maps_and_sequences
from inspector.preview.inputs.audio_windows import Framing, guess_framing
from inspector.preview.inputs.feeds import Filled
from inspector.preview.inputs.image import check_fit
from inspector.preview.inputs.image_files import SUFFIXES
from inspector.preview.inputs.maps_and_sequences import known_keys
from inspector.preview.inputs.model_states import State, states
from inspector.preview.inputs.sample_inputs import listing
from inspector.preview.inputs.tokens import takes_text
from inspector.preview.preprocessing import input_condition
from inspector.preview.preprocessing.guess import guess_of
from inspector.preview.preprocessing.recipe import ImagePreprocessing
from inspector.preview.preprocessing.saved import NONE_SAVED, SavedPreprocessing
from inspector.ui import commands, units
from inspector.ui.documents.session_files import InputPlace
from inspector.ui.tabs.preview.fill_inputs import (
    AudioChoice,
    Choice,
    EditedValues,
    Filling,
    ImageChoice,
    StateChoice,
    ValuesChoice,
)
from inspector.ui.tabs.preview.inputs.audio_editor import AudioEditor
from inspector.ui.tabs.preview.inputs.image_editor import Image, ImageEditor
from inspector.ui.tabs.preview.inputs.map_editor import MapEditor
from inspector.ui.tabs.preview.inputs.tensor_editor import CellEditor, NumberEditor
from inspector.ui.translate import plural, tr, tr_message
from inspector.ui.widgets.dropped import Drop, may_be_values, paths_in
from inspector.ui.widgets.layouts import SteadyHeight
from inspector.ui.widgets.parts import (
    Card,
    Elided,
    Segmented,
    add_to,
    button,
    column_of,
    keep_size,
    row,
    tip,
    wrapped,
)
from inspector.ui.widgets.theme import Theme
from inspector.wording.stored import text_only

_TWO_LINES_PX = 28  # of captions: most of what is said of the values
MEDIA, NUMBERS = range(2)
_SOUNDS = (".wav",)  # suffixes of the sample sounds


def samples(model: str, info: TensorInfo, suffixes: Collection[str]) -> tuple[Path, ...]:
    """Files that fit an input of the model of that name, best first; mostly none.

    suffixes: of the images or sounds that the input takes.
    """
    folder = files.sample_folder()
    index = listing(folder)
    if not index:
        return ()
    ours = next((entry for entry in index["models"] if entry["file"] == model), None)
    tries = ours["try"] if ours is not None else ()
    own = [sample["inputs"][info.name] for sample in tries if info.name in sample["inputs"]]
    fitting = [name for name in own if Path(name).suffix]
    if not fitting and ours is None:
        fitting = [i["file"] for i in index["inputs"] if Path(i["file"]).suffix in suffixes]
        classifiers = [e for e in index["models"] if e["task"] == "image classification"]
        tries = [sample for entry in classifiers for sample in entry["try"]]
        small = {name for sample in tries for name in sample["inputs"].values()}
        fitting.sort(key=small.__contains__)  # digits and clothes last
    return tuple(folder / name for name in fitting if (folder / name).is_file())


class StateLine(QWidget):
    """Keeps what the memory was after the last step; nothing before the first."""

    changed = Signal()

    def __init__(self, theme: Theme, state: State) -> None:
        super().__init__()
        self._state = state
        self.choice: StateChoice | None = None
        self._words = wrapped("", "caption")
        self.step = button(theme, tr("Next step"), then=commands.runner(self, "preview/step"))
        self.step.setToolTip(tr("Run again with the state that this run returned"))
        self.restart = button(theme, tr("Reset state"), then=self.start_again)
        column_of(self._words, row(self.step, self.restart, None), on=self, spacing=6)
        self._show()

    def keep(self, array: Tensor) -> None:
        """Go one step further with what an answer left."""
        self.choice = StateChoice(array, 1 if self.choice is None else self.choice.steps + 1)
        self._show()

    def start_again(self) -> None:
        """Forget, and tell."""
        self.choice = None
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        output = units.clip(self._state.output, 60)
        if self.choice is None:
            text = tr("Starts at zero, then takes the value of {output}").format(output=output)
        else:
            text = tr("Value of {output} after {step_count}").format(
                output=output, step_count=plural(self.choice.steps, "step")
            )
        self._words.setText(f"{text} ({units.clip(self._state.why, 120)}).")
        self.restart.setEnabled(self.choice is not None)


@dataclass(frozen=True, slots=True)
class InputState:
    """What is chosen for an input.

    kind: of `InputEditor.kind`. image, preparation, sound, framing: None where the input takes
    no image, or no sound. numbers: what fills it with values. cells, array: those that were
    typed, as bytes to compare and as they are.
    """

    kind: int
    image: Image | None
    preparation: ImagePreprocessing | None
    sound: Path | None
    framing: Framing | None
    numbers: ValuesChoice
    cells: bytes | None = None
    array: Tensor | None = field(default=None, compare=False)


class InputEditor(Card):
    """An editor of pictures or sounds where the input takes one, and always one of numbers."""

    changed = Signal()

    def __init__(
        self,
        theme: Theme,
        model: Model,
        info: TensorInfo,
        preprocessing: SavedPreprocessing = NONE_SAVED,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(theme, parent=parent)
        self.info, self._theme = info, theme
        guessed = guess_of(info, model)
        suggested = preprocessing.pictures.get(info.name, guessed)
        audio_framing = guess_framing(info, model.inputs, model.outputs, model.metadata)
        framing = preprocessing.sounds.get(info.name, audio_framing)
        heard = _SOUNDS if framing is not None and framing.sure else ()
        tries = samples(model.name, info, SUFFIXES if suggested is not None else heard)
        recipe = default_values.value(info, model.inputs, {})[0]
        sample_text = recipe.removeprefix("text:") if recipe.startswith("text:") else ""
        self.numbers = NumberEditor(
            theme, () if suggested else tries, takes_text(info), sample_text
        )
        self.picture: ImageEditor | None = None
        self.sound = AudioEditor(theme, framing) if framing is not None else None
        own = (each for each in states(model.inputs, model.outputs) if each.input == info.name)
        recurrent = next(own, None)
        self.state = StateLine(theme, recurrent) if recurrent is not None else None
        noun = tr("Image") if suggested is not None else tr("Audio")
        media = tr("an image") if suggested is not None else "audio"
        self.kind = Segmented(theme, (noun, tr("Values")), 76)
        self.kind.setAccessibleName(tr("Fill with {media} or with values").format(media=media))
        name = Elided(info.name or tr("(no name)"), "heading")
        head = row(name, self.numbers.sample, self.kind, stretch=0)
        add_to(self.body, head, Elided(type_text(info), "mono"))
        if suggested is not None:
            condition = input_condition.stated(info, model.metadata)
            expects = condition.text if condition is not None else ""
            self.picture = ImageEditor(theme, suggested, tries, expects)
            head.insertWidget(1, self.picture.sample)
            self._place_picture(self.picture)
        if self.sound is not None and framing is not None:
            self.kind.choose(MEDIA if framing.sure else NUMBERS)
            self.sound.changed.connect(self.changed)
            self.body.addWidget(self.sound)
        maps = maps_and_sequences.types(info) is not None
        self.map = MapEditor(theme, info, known_keys(model, info)) if maps else None
        if self.map is not None:
            self.map.changed.connect(self.changed)
            self.body.addWidget(self.map)
        self._place_numbers()
        self._summary = wrapped("", "caption")
        self.keep = button(theme, tr("Save preprocessing…"))
        self._told = SteadyHeight(self._summary)
        self._lay_out_foot()
        self._show()

    def _place_picture(self, picture: ImageEditor) -> None:
        picture.changed.connect(self.changed)
        picture.preparation.changed.connect(self._check_fit)
        picture.others.clicked.connect(commands.runner(self, "preview/retry", self.info.name))
        self.body.addWidget(picture)

    def _place_numbers(self) -> None:
        """The values, which every input takes, and what is fed back where something is."""
        self.body.addWidget(self.numbers)
        self.numbers.changed.connect(self._take_numbers)
        self.numbers.sample_chosen.connect(self.use_file)
        self.kind.chosen.connect(self._turn)
        if self.state is not None:
            self.state.changed.connect(self.changed)
            self.body.addWidget(self.state)

    def _lay_out_foot(self) -> None:
        """Lay out the summary of the values, and the button that saves the preprocessing."""
        self.keep.setProperty("role", "link")
        self.keep.setAccessibleName(tr("Save this preprocessing for the next time"))
        self._keep_tip = tip(
            tr("Save it to a file next to the model, or to a copy of the model")
        )
        self.keep.clicked.connect(commands.runner(self, "preview/keep"))
        self.code = button(self._theme, tr("Show code…"), role="link")
        self.code.clicked.connect(commands.runner(self, "code"))
        self.cells: CellEditor | None = None
        self._filled: Filled | None = None
        self.edit = button(self._theme, tr("Edit…"), role="link", then=self._edit)
        self.edit.setAccessibleName(
            tr("Edit the values of {name}").format(name=units.clip(self.info.name, 60))
        )
        self.edit.setToolTip(tr("Edit the values cell by cell"))
        self.edit.hide()
        foot = row(self._told, self.edit, self.code, self.keep, stretch=0)
        for link in (self.edit, self.code, self.keep):
            foot.setAlignment(link, Qt.AlignmentFlag.AlignTop)
        # Of a sound, its length and steps are told, too.
        self._told.setMinimumHeight(_TWO_LINES_PX * (1 if self.sound is None else 2))
        for part in (self._told, self.keep):  # what is below waits where it will be
            keep_size(part)
        self.body.addLayout(foot)
        self.kind.setHidden(self.picture is None and self.sound is None)
        self._say("")

    @property
    def choice(self) -> Choice | None:
        """Return the chosen values; None while an image or audio is missing."""
        if self.wants_media:
            editor = self.picture or self.sound
            return editor.choice if editor is not None else None
        if self.cells is not None and self.cells.array is not None:
            return EditedValues(self.cells.array.copy())
        if self.map is not None:
            return self.map.choice
        state = self.state.choice if self.state is not None else None
        return state or self.numbers.choice

    @property
    def place(self) -> InputPlace | None:
        """Return the chosen values as a session stores them; None where it cannot."""
        choice = self.choice
        if isinstance(choice, ImageChoice) and choice.path is not None:
            settings = _settings(choice.preparation)
            return InputPlace("", "picture", str(choice.path), settings)
        if isinstance(choice, AudioChoice):
            return InputPlace("", "sound", str(choice.path), _settings(choice.framing))
        if isinstance(choice, ValuesChoice) and choice.value:
            return InputPlace("", "values", choice.value)
        return None

    def restore(self, place: InputPlace) -> None:
        """Fill the input as it was; settings that cannot be are left out."""
        try:
            if place.kind == "picture" and self.picture is not None:
                preparation = msgspec.json.decode(place.settings, type=ImagePreprocessing)
                self.kind.choose(MEDIA)
                self.picture.preparation.show_preparation(preparation)
                self.picture.use_file(Path(place.value))
            elif place.kind == "sound" and self.sound is not None:
                framing = msgspec.json.decode(place.settings, type=Framing)
                self.kind.choose(MEDIA)
                self.sound.show_framing(framing)
                self.sound.use_file(Path(place.value))
            elif place.kind == "file":
                self.use_file(Path(place.value))
            elif place.kind == "values" and self.map is None:
                self.kind.choose(NUMBERS)
                self.numbers.show_value(place.value)
        except (msgspec.MsgspecError, InspectorError):
            return  # of another version, or of a model that has changed since
        self._show()

    @property
    def settings(self) -> InputState:
        """Return all that is chosen here, to be brought back later."""
        image = self.picture.image if self.picture is not None else None
        sound = self.sound.choice if self.sound is not None else None
        edited = self.cells.array if self.cells is not None else None
        return InputState(
            self.kind.current,
            image,
            self.picture.preparation.preparation if self.picture is not None else None,
            sound.path if sound is not None else None,
            self.sound.framing if self.sound is not None else None,
            self.numbers.choice,
            edited.tobytes() if edited is not None else None,
            edited.copy() if edited is not None else None,
        )

    def show_settings(self, settings: InputState) -> None:
        """Bring back what was chosen; whoever asks for it says `changed`."""
        blocker = QSignalBlocker(self)
        self.kind.choose(settings.kind)
        if self.picture is not None and settings.preparation is not None:
            if settings.preparation != self.picture.preparation.preparation:
                self.picture.preparation.show_preparation(settings.preparation)
            self.picture.show_image(settings.image or Image())
        if self.sound is not None and settings.framing is not None:
            self.sound.show_framing(settings.framing)
            self.sound.show_file(settings.sound)
        self.numbers.show_choice(settings.numbers)
        if settings.array is None:
            self._end_editing()
        else:
            self._edit_values(settings.array)
        blocker.unblock()
        self._show()

    @property
    def wants_media(self) -> bool:
        """Return whether it is to be filled with a picture or a sound."""
        return bool(self.picture or self.sound) and self.kind.current == MEDIA

    def use_file(self, path: Path) -> None:
        """Fill from a file: as a picture where both are pictures, else as values."""
        looks_like_one = path.suffix.lower() in SUFFIXES
        if self.picture is not None and looks_like_one:
            self.kind.choose(MEDIA)
            self._show()
            self.picture.use_file(path)
        elif self.sound is not None and path.suffix.lower() in audio.SUFFIXES:
            self.kind.choose(MEDIA)
            self._show()
            self.sound.use_file(path)
        elif self.map is not None:
            self.map.use_file(path)
        else:
            self.kind.choose(NUMBERS)
            self.numbers.use_file(path)

    def show_filling(self, filling: Filling) -> None:
        """Show what the input was filled with."""
        filled = next(f for f in filling.filled if f.name == self.info.name)
        is_state = self.state is not None and not filled.given  # the line of the memory says it
        self._say(
            _summary(
                replace(filled, description="") if is_state else filled,
                filling.statistics.get(filled.name),
                filling.odd.get(filled.name, ""),
            )
        )
        self._filled = filled
        editing = self.cells is not None and self.cells.array is not None
        able = not (self.wants_media or self.map) and filled.frames is None
        self.edit.setVisible(able and not editing and CellEditor.fits(filled.array))
        image = filling.images.get(self.info.name)
        if image is not None and self.picture is not None:
            self.picture.show_seen(image)
            self._check_fit()
        sound = filling.audio.get(self.info.name)
        if sound is not None and self.sound is not None:
            self.sound.show_hearing(sound)

    def _take_numbers(self) -> None:
        """Take another recipe or file; the typed values belonged to the one before."""
        self._end_editing()
        self.changed.emit()

    def _edit(self) -> None:
        """Show the values that the input got as cells to type in."""
        if self._filled is not None:
            self._edit_values(self._filled.array)

    def _edit_values(self, array: Tensor) -> None:
        if self.cells is None:
            self.cells = CellEditor(self._theme, self.info)
            self.cells.changed.connect(self.changed)
            self.cells.dropped.connect(self._take_numbers)
            self.body.insertWidget(self.body.count() - 1, self.cells)
        self.cells.edit(array)
        self.cells.show()
        self.edit.hide()

    def _end_editing(self) -> None:
        if self.cells is not None:
            self.cells.array = None
            self.cells.hide()
            self.edit.show()

    def show_kept(self, source: str) -> None:
        """Show where the preparation is kept now."""
        self.keep.setText(tr("Saved"))
        self.keep.setToolTip(tip(tr("Saved in {source}").format(source=source)))

    def show_refusal(self) -> None:
        """Take back what was said about a filling that is no more."""
        self._say(tr("No values."))

    def _say(self, text: str) -> None:
        """Show what the input was filled with; an empty text takes no room."""
        self._summary.setText(text)
        self._told.setVisible(bool(text))
        media = bool(text) and self.wants_media
        self.keep.setVisible(media)
        self.code.setVisible(media and self.picture is not None)

    def _check_fit(self) -> None:
        """Switch off what would save or use preprocessing that does not fit, and say why."""
        if self.picture is None:
            return
        why = ""
        try:
            check_fit(self.picture.preparation.used, self.info)
        except InspectorError as error:
            why = f"{units.capitalized(error.why)}. {error.hint}".strip()
        self.picture.preparation.show_problem(why)
        tips = (self._keep_tip, tr("Code that preprocesses an image this way in your program"))
        for link, usual in zip((self.keep, self.code), tips, strict=True):
            link.setEnabled(not why)
            link.setToolTip(tip(why) if why else usual)

    def drop_of(self, data: QMimeData) -> Drop | None:
        """Fill this input from a file that is no model, or from pixels that were dragged."""
        paths, name = paths_in(data), units.clip(self.info.name)
        if self.picture is not None and not paths and data.hasImage():
            text = tr("Use the image as the input {input}").format(input=name)
            return Drop(text, partial(self.picture.drop.take, data))
        if len(paths) != 1 or not may_be_values(paths[0]):
            return None
        text = tr("Use {name} as the input {input}")
        text = text.format(name=units.clip(paths[0].name), input=name)
        return Drop(text, partial(self.use_file, paths[0]))

    def _turn(self) -> None:
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        self.numbers.setHidden(self.wants_media or self.map is not None)
        if self.wants_media:
            self._end_editing()
            self.edit.hide()
        for editor in (self.picture, self.sound):
            if editor is not None:
                editor.setVisible(self.wants_media)
        if self.picture is not None:
            self.picture.sample.setVisible(self.wants_media and self.picture.has_samples)
        self._check_fit()


def _summary(filled: Filled, statistics: Statistics | None, odd: str) -> str:
    """Return a summary of the tensor: 'float32 1×4, 0.1 to 7.2, mean 3.4'.

    odd: what is unusual about its values, for a second line; "" for nothing.
    """
    shape = units.shape(filled.array.shape)
    rare = numpy_type(filled.dtype) if filled.dtype in ITEM_BITS else None
    name = filled.dtype if rare == filled.array.dtype else filled.array.dtype.name
    text = f"{name} {shape}".replace("object", "text")
    if statistics is not None and statistics.minimum == statistics.maximum:
        text += tr(", all {number}").format(number=_number(statistics.minimum))
    elif statistics is not None:
        low, high, mean = map(
            _number, (statistics.minimum, statistics.maximum, statistics.mean)
        )
        text += tr(", {low} to {high}, mean {mean}").format(low=low, high=high, mean=mean)
    if filled.description:
        text = f"{units.capitalized(tr_message(filled.description))} · {text}"
    return f"{text}\n{units.capitalized(odd)}." if odd else text


def _number(value: float) -> str:
    return (
        units.number(value, ",.0f")
        if value.is_integer() and abs(value) < 1e15
        else units.number(value, ".4g")
    )


def _settings(settings: ImagePreprocessing | Framing) -> str:
    return msgspec.json.encode(settings, enc_hook=text_only).decode()
