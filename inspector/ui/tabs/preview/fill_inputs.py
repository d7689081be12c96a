"""From what was chosen for each input to tensors; runs on a job's thread, knows no widget."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from inspector.model.axes import free_axes
from inspector.model.model import Model, TensorInfo
from inspector.model.tensors.element_types import Tensor, is_float, numpy_type, plain
from inspector.model.tensors.prediction import OutputValue, Statistics
from inspector.preview.families.audio_features import features_of
from inspector.preview.inputs import (
    audio,
    feeds,
    image,
    image_files,
    input_shapes,
    model_states,
)
from inspector.preview.inputs.audio import spectrogram
from inspector.preview.inputs.audio_windows import ONCE, Framing, Pace, Stepping
from inspector.preview.inputs.feeds import Filled, ImageOptions, input_caution
from inspector.preview.inputs.image import ImagePreprocessing, Placement, Stage, placement
from inspector.preview.inputs.image_files import Picture
from inspector.preview.inputs.model_states import State
from inspector.preview.inputs.tokens import TokenizerSource
from inspector.preview.outputs.time_series import Series
from inspector.preview.preprocessing import input_condition
from inspector.preview.preprocessing.guess import range_text
from inspector.ui import units
from inspector.ui.translate import mark, plural, tr

SHOWN_SIDE, WAVE_POINTS = 640, 600
CAMERA = mark("Camera")  # the name of an image from a camera


@dataclass(frozen=True, slots=True)
class ValuesChoice:
    """A recipe ("zeros", "ones", "random:7") or a file's path; empty leaves it to us.

    cast: real numbers of another type are cast to what the input takes.
    """

    value: str = ""
    cast: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ImageChoice:
    """A picture, still in its file or already read, and how it becomes a tensor.

    called: what people call pixels that came from no file.
    """

    preparation: ImagePreprocessing
    path: Path | None = None
    picture: Picture | None = None
    called: str = mark("Pasted image")

    @property
    def name(self) -> str:
        """Return the name of the image."""
        return self.called.lower() if self.path is None else self.path.name


@dataclass(frozen=True, slots=True)
class AudioChoice:
    """A sound's file, and how it is cut into steps."""

    path: Path
    framing: Framing


@dataclass(frozen=True, slots=True, eq=False)
class StateChoice:
    """The values of a recurrent state after some steps."""

    array: Tensor
    steps: int


@dataclass(frozen=True, slots=True, eq=False)
class EditedValues:
    """Values that were typed, cell by cell."""

    array: Tensor


Choice = ValuesChoice | ImageChoice | AudioChoice | StateChoice | EditedValues


@dataclass(frozen=True, slots=True, eq=False)
class PreparedImage:
    """A picture as it was read, small enough to show, and what the model gets of it.

    part: what the model gets in its own colors. place: where that lies in the picture.
    """

    picture: Picture
    shown: Picture
    last: Stage
    preparation: ImagePreprocessing
    part: Picture
    place: Placement


@dataclass(frozen=True, slots=True)
class Caution:
    """Why the answer to a picture may be wrong; empty where nothing is obviously wrong.

    input: its name. background: whether the background is, which inverting may mend.
    """

    input: str = ""
    text: str = ""
    background: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class AudioSummary:
    """A sound as it was read: its lowest and highest sample in stretches of equal length, and
    its frequencies over time as a picture; None where it is too short for one."""

    parts: tuple[tuple[float, float], ...]
    seconds: float
    rate: int
    channels: int
    spectrum: Picture | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Filling:
    """Tensors for all inputs, in the model's order, and what there is to show of them.

    lengths: of every free axis, by its name. images, audio, statistics: by the input's name.
    memory: what is fed back. pace: how often the model runs for one answer. odd: what is
    strange about an input, such as NaN in it.
    """

    filled: tuple[Filled, ...]
    lengths: Mapping[str, int]
    images: Mapping[str, PreparedImage] = field(default_factory=dict)
    statistics: Mapping[str, Statistics | None] = field(default_factory=dict)
    audio: Mapping[str, AudioSummary] = field(default_factory=dict)
    memory: tuple[State, ...] = ()
    pace: Pace = ONCE
    odd: Mapping[str, str] = field(default_factory=dict)


def fill(
    model: Model,
    choices: Mapping[str, Choice],
    dimensions: Mapping[str, int],
    tokenizer: TokenizerSource | None = None,
    stepping: Stepping | None = None,
) -> Filling:
    """Make every input's tensor; inputs without a choice get what they usually get.

    tokenizer: for texts that become tokens. stepping: how sounds are cut instead of as chosen.

    Raises BadInput, UnreadableFile: as `inspector.preview.inputs.feeds.fill_all`.
    """
    images, done, lengths = dict[str, PreparedImage](), dict[str, Filled](), dict(dimensions)
    for info in model.inputs:
        choice = choices.get(info.name)
        if isinstance(choice, ImageChoice):
            done[info.name], images[info.name] = _from_image(info, choice, dimensions)
        elif isinstance(choice, StateChoice | EditedValues):
            done[info.name] = _from_values(info, choice)
        if info.name in done:
            lengths |= input_shapes.lengths_in(info, done[info.name].array)
    values = {name: _value(choice) for name, choice in choices.items() if _value(choice)}
    stepping = stepping or stepping_of(model, choices)
    known = {*free_axes(model.inputs)}
    options = ImageOptions.of(model, _casting(choices))
    given_lengths = {name: length for name, length in lengths.items() if name in known}
    given: dict[str, feeds.Given] = {**values, **done}
    whole = feeds.fill_all(model.inputs, given, given_lengths, options, stepping, tokenizer)
    filled = tuple(map(_exact, model.inputs, whole))
    done = {each.name: each for each in whole}
    for info in model.inputs:
        lengths |= input_shapes.lengths_in(info, done[info.name].array)
    audio_summaries = {
        name: _audio_summary(c.path)
        for name, c in choices.items()
        if isinstance(c, AudioChoice)
    }
    pace = feeds.pace(filled, stepping)
    statistics = {each.name: _statistics(each) for each in filled}
    odd = _odd_inputs(filled, statistics, stepping.memory)
    return Filling(
        filled, lengths, images, statistics, audio_summaries, stepping.memory, pace, odd
    )


def _odd_inputs(
    filled: tuple[Filled, ...],
    statistics: Mapping[str, Statistics | None],
    memory: tuple[State, ...],
) -> dict[str, str]:
    notes = {}
    for each in filled:
        values = statistics[each.name]
        plain = values is not None and not (values.nan or values.infinite)
        odd = "" if plain else input_caution(each, memory)
        if odd:
            notes[each.name] = odd
    return notes


def _casting(choices: Mapping[str, Choice]) -> bool:
    return any(isinstance(choice, ValuesChoice) and choice.cast for choice in choices.values())


def _exact(info: TensorInfo, filled: Filled) -> Filled:
    """The tensor in the input's own type, where it was read in another of real numbers."""
    if info.kind != "tensor":
        return filled
    dtype = numpy_type(info.dtype)
    if filled.array.dtype == dtype or not is_float(info.dtype):
        return filled
    note = tr("cast from {name} to {dtype}").format(
        name=filled.array.dtype.name, dtype=info.dtype
    )
    return replace(filled, array=filled.array.astype(dtype), description=note)


def _value(choice: Choice) -> str:
    """Return a choice as text for `feeds`; empty where it is no recipe and no file."""
    if isinstance(choice, AudioChoice):
        return str(choice.path)
    return choice.value if isinstance(choice, ValuesChoice) else ""


def stepping_of(model: Model, choices: Mapping[str, Choice]) -> Stepping:
    """Return how sounds are cut, as chosen, and what is fed back or computed of a whole one."""
    audio_choices = {
        name: choice for name, choice in choices.items() if isinstance(choice, AudioChoice)
    }
    # The editor tells why itself.
    framings = {name: replace(choice.framing, why="") for name, choice in audio_choices.items()}
    memory = model_states.states(model.inputs, model.outputs)
    return Stepping(framings, memory, features_of(model))


def _audio_summary(path: Path) -> AudioSummary:
    sound = audio.read(path)
    samples = sound.samples.astype(np.float64)
    parts = Series(samples, 1 / sound.rate).thinned(WAVE_POINTS) if len(samples) else ()
    frequencies = spectrogram(sound)
    return AudioSummary(parts, sound.seconds, sound.rate, sound.channels, frequencies)


def _from_values(info: TensorInfo, choice: StateChoice | EditedValues) -> Filled:
    description = (
        tr("after {step_count}").format(step_count=plural(choice.steps, "step"))
        if isinstance(choice, StateChoice)
        else "typed"
    )
    return Filled(info.name, description, choice.array, dtype=info.dtype)


def _from_image(
    info: TensorInfo, photo: ImageChoice, dimensions: Mapping[str, int]
) -> tuple[Filled, PreparedImage]:
    pixels = photo.picture
    if pixels is None:
        assert photo.path is not None, "a photo is a file or pixels"
        pixels = image_files.read(photo.path)
    known_info = input_shapes.known_shape(info, dimensions)
    axes = zip(info.shape or (), known_info, strict=False)
    sized = replace(info, shape=tuple(axis if k is None else k for axis, k in axes))
    array, last = image.prepared(pixels, photo.preparation, sized)
    filled = Filled(info.name, units.clip(photo.name, 80), array, dtype=info.dtype)
    place = placement(photo.preparation, pixels.shape[1], pixels.shape[0])
    part = image.part(pixels, photo.preparation)
    return filled, PreparedImage(pixels, _small(pixels), last, photo.preparation, part, place)


def with_preparation(
    filling: Filling, info: TensorInfo, photo: ImageChoice, preparation: ImagePreprocessing
) -> Filling:
    """Return a filling whose image of one input is prepared in another way, equally large."""
    name, old = info.name, {each.name: each for each in filling.filled}
    other = replace(photo, preparation=preparation, picture=filling.images[name].picture)
    sized = replace(info, shape=old[name].array.shape)
    filled, image = _from_image(sized, other, {})
    filled = _exact(info, filled)
    return replace(
        filling,
        filled=tuple(filled if each.name == name else each for each in filling.filled),
        images={**filling.images, name: image},
        statistics={**filling.statistics, name: _statistics(filled)},
    )


def _small(pixels: Picture) -> Picture:
    height, width = pixels.shape[:2]
    factor = SHOWN_SIDE / max(height, width)
    if factor >= 1:
        return pixels
    size = max(1, round(width * factor)), max(1, round(height * factor))
    return image_files.resize(pixels, *size, "stretch", "area")


def preprocessing_text(preparation: ImagePreprocessing) -> str:
    """A preparation in one line: 'Stretch to 224 × 224, BGR, 0..255'."""
    size = f"{preparation.width or 'own'} × {preparation.height or 'own'}"
    resize = tr("{capitalize} to {size}").format(
        capitalize=preparation.resize.capitalize(), size=size
    )
    if not preparation.width and not preparation.height:
        resize = tr("Original size")
    order = preparation.order if preparation.order == "gray" else preparation.order.upper()
    return f"{resize}, {order}, {range_text(preparation)}"


def _statistics(filled: Filled) -> Statistics | None:
    array = plain(filled.array)
    return OutputValue(filled.name, "tensor", str(array.dtype), array).statistics()


def image_caution(model: Model, filling: Filling) -> Caution:
    """Return what is obviously wrong with the first picture that something is wrong with."""
    for info in model.inputs:
        image = filling.images.get(info.name)
        if image is None:
            continue
        height, width = image.picture.shape[:2]
        problem = input_condition.problem_of(
            info, model.metadata, image.shown, (width, height), image.preparation
        )
        if problem.text:
            return Caution(info.name, problem.text, problem.is_background)
    return Caution()
