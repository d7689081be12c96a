"""From what was chosen for each input to tensors; runs on a job's thread, knows no widget."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from inspector import units
from inspector.model import Model, TensorInfo
from inspector.prediction import OutputValue, Statistics
from inspector.preview import feeds, image, picture, shapes
from inspector.preview.feeds import Filled, ImageOptions
from inspector.preview.guess import range_words
from inspector.preview.image import ImagePreparation, Stage
from inspector.preview.picture import Picture

SHOWN_SIDE = 640


@dataclass(frozen=True, slots=True)
class Numbers:
    """A recipe ("zeros", "ones", "random:7") or a file's path; empty leaves it to us."""

    value: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """A picture, still in its file or already read, and how it becomes a tensor."""

    preparation: ImagePreparation
    path: Path | None = None
    picture: Picture | None = None

    @property
    def name(self) -> str:
        """What people call it."""
        return "pasted picture" if self.path is None else self.path.name


Choice = Numbers | Photo


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """A picture as it was read, small enough to show, and what the model gets of it."""

    picture: Picture
    shown: Picture
    last: Stage


@dataclass(frozen=True, slots=True, eq=False)
class Filling:
    """Tensors for all inputs, in the model's order, and what there is to show of them.

    lengths: of every free axis, by its name. seen, statistics: by the input's name.
    """

    filled: tuple[Filled, ...]
    lengths: Mapping[str, int]
    seen: Mapping[str, Seen] = field(default_factory=dict)
    statistics: Mapping[str, Statistics | None] = field(default_factory=dict)


def fill(model: Model, choices: Mapping[str, Choice], dimensions: Mapping[str, int]) -> Filling:
    """Make every input's tensor; inputs without a choice get what they usually get.

    Raises BadInput, UnreadableFile: as `inspector.preview.feeds.fill_all`.
    """
    seen, done, lengths = dict[str, Seen](), dict[str, Filled](), dict(dimensions)
    for info in model.inputs:
        choice = choices.get(info.name)
        if isinstance(choice, Photo):
            done[info.name], seen[info.name] = _from_photo(info, choice, dimensions)
            lengths |= shapes.lengths_in(info, done[info.name].array)
    rest = tuple(info for info in model.inputs if info.name not in done)
    values = {
        name: choice.value
        for name, choice in choices.items()
        if isinstance(choice, Numbers) and choice.value
    }
    theirs = {name for info in rest for name in shapes.axis_names(info)}
    options = ImageOptions(model.metadata, model.producer)
    known = {name: length for name, length in lengths.items() if name in theirs}
    done |= {filled.name: filled for filled in feeds.fill_all(rest, values, known, options)}
    filled = tuple(done[info.name] for info in model.inputs)
    for info in model.inputs:
        lengths |= shapes.lengths_in(info, done[info.name].array)
    return Filling(filled, lengths, seen, {f.name: _statistics(f) for f in filled})


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
    array = image.prepare(pixels, photo.preparation, sized)
    last = image.stages(pixels, photo.preparation)[-1]
    filled = Filled(info.name, units.clip(photo.name, 80), array)
    return filled, Seen(pixels, _small(pixels), last)


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
    order = preparation.order if preparation.order == "gray" else preparation.order.upper()
    return f"{preparation.resize.capitalize()} to {size}, {order}, {range_words(preparation)}"


def _statistics(filled: Filled) -> Statistics | None:
    array = filled.array
    return OutputValue(filled.name, "tensor", str(array.dtype), array).statistics()
