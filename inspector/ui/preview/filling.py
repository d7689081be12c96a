"""From what was chosen for each input to tensors; runs on a job's thread, knows no widget."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from inspector import units
from inspector.model import Model, TensorInfo
from inspector.prediction import OutputValue, Statistics
from inspector.preview import feeds, image, picture, shapes, sound, states
from inspector.preview.cautions import caution
from inspector.preview.elements import Tensor, is_float, numpy_type, plain
from inspector.preview.feeds import Filled, ImageOptions
from inspector.preview.frames import ONCE, Framing, Pace, Stepping
from inspector.preview.geometry import Placement, placement
from inspector.preview.guess import range_words
from inspector.preview.image import ImagePreparation, Stage
from inspector.preview.picture import Picture
from inspector.preview.series import Series
from inspector.preview.spectrogram import spectrogram
from inspector.preview.states import State

SHOWN_SIDE, WAVE_POINTS = 640, 600


@dataclass(frozen=True, slots=True)
class Numbers:
    """A recipe ("zeros", "ones", "random:7") or a file's path; empty leaves it to us.

    cast: real numbers of another type are cast to what the input takes.
    """

    value: str = ""
    cast: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A picture, still in its file or already read, and how it becomes a tensor.

    called: what people call pixels that came from no file.
    """

    preparation: ImagePreparation
    path: Path | None = None
    picture: Picture | None = None
    called: str = "Pasted picture"

    @property
    def name(self) -> str:
        """What people call it."""
        return self.called.lower() if self.path is None else self.path.name


@dataclass(frozen=True, slots=True)
class Heard:
    """A sound's file, and how it is cut into steps."""

    path: Path
    framing: Framing


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """What a memory holds after so many steps."""

    array: Tensor
    steps: int


@dataclass(frozen=True, slots=True, eq=False)
class Edited:
    """Values that were typed, cell by cell."""

    array: Tensor


Choice = Numbers | Photo | Heard | Kept | Edited


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A picture as it was read, small enough to show, and what the model gets of it.

    part: what the model gets in its own colours. place: where that lies in the picture.
    """

    picture: Picture
    shown: Picture
    last: Stage
    preparation: ImagePreparation
    part: Picture
    place: Placement


@dataclass(frozen=True, slots=True, eq=False)
class Hearing:
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

    lengths: of every free axis, by its name. seen, heard, statistics: by the input's name.
    memory: what is fed back. pace: how often the model runs for one answer. odd: what is
    strange about an input, such as NaN in it.
    """

    filled: tuple[Filled, ...]
    lengths: Mapping[str, int]
    seen: Mapping[str, Seen] = field(default_factory=dict)
    statistics: Mapping[str, Statistics | None] = field(default_factory=dict)
    heard: Mapping[str, Hearing] = field(default_factory=dict)
    memory: tuple[State, ...] = ()
    pace: Pace = ONCE
    odd: Mapping[str, str] = field(default_factory=dict)


def fill(
    model: Model,
    choices: Mapping[str, Choice],
    dimensions: Mapping[str, int],
    tokenizer: Path | None = None,
) -> Filling:
    """Make every input's tensor; inputs without a choice get what they usually get.

    tokenizer: for texts that become tokens.

    Raises BadInput, UnreadableFile: as `inspector.preview.feeds.fill_all`.
    """
    seen, done, lengths = dict[str, Seen](), dict[str, Filled](), dict(dimensions)
    for info in model.inputs:
        choice = choices.get(info.name)
        if isinstance(choice, Photo):
            done[info.name], seen[info.name] = _from_photo(info, choice, dimensions)
        elif isinstance(choice, Kept | Edited):
            done[info.name] = _at_hand(info, choice)
        if info.name in done:
            lengths |= shapes.lengths_in(info, done[info.name].array)
    rest = tuple(info for info in model.inputs if info.name not in done)
    values = {name: _value(choice) for name, choice in choices.items() if _value(choice)}
    stepping = _stepping(model, choices)
    theirs = {name for info in rest for name in shapes.axis_names(info)}
    options = ImageOptions.of(model, _casting(choices))
    known = {name: length for name, length in lengths.items() if name in theirs}
    others = feeds.fill_all(rest, values, known, options, stepping, tokenizer)
    done |= {filled.name: filled for filled in others}
    filled = tuple(_exact(info, done[info.name]) for info in model.inputs)
    for info in model.inputs:
        lengths |= shapes.lengths_in(info, done[info.name].array)
    heard = {name: _hearing(c.path) for name, c in choices.items() if isinstance(c, Heard)}
    pace = feeds.pace(filled, stepping)
    found = {each.name: _statistics(each) for each in filled}
    odd = _odd(filled, found, stepping.memory)
    return Filling(filled, lengths, seen, found, heard, stepping.memory, pace, odd)


def _odd(
    filled: tuple[Filled, ...],
    found: Mapping[str, Statistics | None],
    memory: tuple[State, ...],
) -> dict[str, str]:
    fed_back = {state.input for state in memory}  # a cache of tokens begins empty
    told = {}
    for each in filled:
        known = found[each.name]
        plain = known is not None and not (known.nan or known.infinite)
        may_be_empty = each.absent or each.parts or each.name in fed_back
        if not plain and (each.array.size or not may_be_empty):
            told[each.name] = caution(each.array)
    return told


def _casting(choices: Mapping[str, Choice]) -> bool:
    return any(isinstance(choice, Numbers) and choice.cast for choice in choices.values())


def _exact(info: TensorInfo, filled: Filled) -> Filled:
    """The tensor in the input's own type, where it was read in another of real numbers."""
    if info.kind != "tensor":
        return filled
    wanted = numpy_type(info.dtype)
    if filled.array.dtype == wanted or not is_float(info.dtype):
        return filled
    words = f"cast from {filled.array.dtype.name} to {info.dtype}"
    return replace(filled, array=filled.array.astype(wanted), words=words)


def _value(choice: Choice) -> str:
    """What a choice is for `feeds`; empty where the choice is no recipe and no file."""
    if isinstance(choice, Heard):
        return str(choice.path)
    return choice.value if isinstance(choice, Numbers) else ""


def _stepping(model: Model, choices: Mapping[str, Choice]) -> Stepping:
    heard = {name: choice for name, choice in choices.items() if isinstance(choice, Heard)}
    # The editor tells why itself.
    framings = {name: replace(choice.framing, why="") for name, choice in heard.items()}
    return Stepping(framings, states.states(model.inputs, model.outputs))


def _hearing(path: Path) -> Hearing:
    heard = sound.read(path)
    samples = heard.samples.astype(np.float64)
    parts = Series(samples, 1 / heard.rate).thinned(WAVE_POINTS) if len(samples) else ()
    seen = spectrogram(heard)
    return Hearing(parts, heard.seconds, heard.rate, heard.channels, seen)


def _at_hand(info: TensorInfo, choice: Kept | Edited) -> Filled:
    words = (
        f"after {units.plural(choice.steps, 'step')}" if isinstance(choice, Kept) else "typed"
    )
    return Filled(info.name, words, choice.array, dtype=info.dtype)


def _from_photo(
    info: TensorInfo, photo: Photo, dimensions: Mapping[str, int]
) -> tuple[Filled, Seen]:
    pixels = photo.picture
    if pixels is None:
        assert photo.path is not None, "a photo is a file or pixels"
        pixels = picture.read(photo.path)
    known = shapes.known_shape(info, dimensions)
    axes = zip(info.shape or (), known, strict=False)
    sized = replace(info, shape=tuple(axis if k is None else k for axis, k in axes))
    array, last = image.prepared(pixels, photo.preparation, sized)
    filled = Filled(info.name, units.clip(photo.name, 80), array, dtype=info.dtype)
    place = placement(photo.preparation, pixels.shape[1], pixels.shape[0])
    part = image.part(pixels, photo.preparation)
    return filled, Seen(pixels, _small(pixels), last, photo.preparation, part, place)


def _small(pixels: Picture) -> Picture:
    height, width = pixels.shape[:2]
    factor = SHOWN_SIDE / max(height, width)
    if factor >= 1:
        return pixels
    size = max(1, round(width * factor)), max(1, round(height * factor))
    return picture.resized(pixels, *size, "stretch", "area")


def words_of(preparation: ImagePreparation) -> str:
    """A preparation in one line: 'Stretch to 224 × 224, BGR, 0..255'."""
    size = f"{preparation.width or 'own'} × {preparation.height or 'own'}"
    resize = f"{preparation.resize.capitalize()} to {size}"
    if not preparation.width and not preparation.height:
        resize = "In its own size"
    order = preparation.order if preparation.order == "gray" else preparation.order.upper()
    return f"{resize}, {order}, {range_words(preparation)}"


def _statistics(filled: Filled) -> Statistics | None:
    array = plain(filled.array)
    return OutputValue(filled.name, "tensor", str(array.dtype), array).statistics()
