"""From what was chosen for each input to tensors; runs on a job's thread, knows no widget."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from msgspec import Struct, field, structs

from inspector.app.subjects import Subject
from inspector.model.axes import free_axes
from inspector.model.model import Model, TensorInfo
from inspector.model.tensors.element_types import Tensor, plain
from inspector.model.tensors.prediction import OutputValue, Statistics
from inspector.preview.class_names import Labels
from inspector.preview.families.audio_features import features_of
from inspector.preview.families.scripts import foreign_script
from inspector.preview.inputs import audio, feeds, image_files, input_shapes, model_states
from inspector.preview.inputs.audio import spectrogram
from inspector.preview.inputs.audio_windows import Framing, Stepping, guess_framing
from inspector.preview.inputs.feeds import Filled, ImageOptions, input_caution
from inspector.preview.inputs.image import ImagePreprocessing, PreparedPicture
from inspector.preview.inputs.image_files import Picture
from inspector.preview.inputs.model_states import State
from inspector.preview.inputs.tokens import tokenizer_of
from inspector.preview.outputs.time_series import Series
from inspector.preview.preprocessing import input_condition
from inspector.preview.preprocessing.guess import range_text
from inspector.preview.preprocessing.saved import SAVED_IN
from inspector.report.run_spec import RunSpec
from inspector.ui import units
from inspector.ui.translate import mark, plural, tr

SHOWN_SIDE = 640  # px, of a picture that is shown
WAVE_POINTS = 600  # of a sound that is shown
CAMERA = mark("Camera")  # the name of an image from a camera


class ValuesChoice(Struct, frozen=True):
    """A recipe ("zeros", "ones", "random:7") or a file's path; empty leaves it to us.

    cast: real numbers of another type are cast to what the input takes.
    """

    value: str = ""
    cast: bool = False


class ImageChoice(Struct, frozen=True, eq=False):
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


class AudioChoice(Struct, frozen=True):
    """A sound's file, and how it is cut into steps."""

    path: Path
    framing: Framing


class StateChoice(Struct, frozen=True, eq=False):
    """The values of a recurrent state after some steps."""

    array: Tensor
    steps: int


class EditedValues(Struct, frozen=True, eq=False):
    """Values that were typed, cell by cell."""

    array: Tensor


Choice = ValuesChoice | ImageChoice | AudioChoice | StateChoice | EditedValues


class PreparedImage(Struct, frozen=True, eq=False):
    """A picture with what the model gets of it, and a copy small enough to show."""

    prepared: PreparedPicture
    shown: Picture


class Caution(Struct, frozen=True):
    """Why the answer to a picture may be wrong; empty where nothing is obviously wrong.

    input: its name. background: whether the background is, which inverting may mend.
    """

    input: str = ""
    text: str = ""
    background: bool = False


class AudioSummary(Struct, frozen=True, eq=False):
    """A sound as it was read: its lowest and highest sample in stretches of equal length, and
    its frequencies over time as a picture; None where it is too short for one."""

    parts: tuple[tuple[float, float], ...]
    seconds: float
    rate: int
    channels: int
    spectrum: Picture | None = None


class Filling(Struct, frozen=True, eq=False):
    """Tensors for all inputs of a model, in its order, and what there is to show of them.

    subject: what they were made from; None before the first time. lengths: of every free axis,
    by its name. images, audio, statistics: by the input's name. odd: what is strange about an
    input, such as NaN in it.
    """

    subject: Subject | None = None
    filled: tuple[Filled, ...] = ()
    lengths: Mapping[str, int] = field(default_factory=dict)
    images: Mapping[str, PreparedImage] = field(default_factory=dict)
    statistics: Mapping[str, Statistics | None] = field(default_factory=dict)
    audio: Mapping[str, AudioSummary] = field(default_factory=dict)
    odd: Mapping[str, str] = field(default_factory=dict)


def subject_of(
    path: Path | None,
    model: Model,
    choices: Mapping[str, Choice],
    spec: RunSpec,
    labels: Sequence[str] = (),
    may_retry: bool = True,
) -> Subject:
    """Return a model with what was chosen for its inputs; those without a choice get what they
    usually get.

    may_retry: whether other preprocessing is tried where a guessed one gives nothing.
    """
    audio_choices = {n: each for n, each in choices.items() if isinstance(each, AudioChoice)}
    pictures = {n: each for n, each in choices.items() if isinstance(each, ImageChoice)}
    casting = any(isinstance(each, ValuesChoice) and each.cast for each in choices.values())
    prepared = tuple((name, each.preparation) for name, each in pictures.items())
    # The editor tells why itself.
    framings = {name: replace(each.framing, why="") for name, each in audio_choices.items()}
    memory = model_states.states(model.inputs, model.outputs)
    chosen = {
        info.name
        for info in model.inputs
        if (info.name in audio_choices and not _is_guessed(info, audio_choices, model))
        # A camera's next image comes before an alternative has been tried.
        or (info.name in pictures and pictures[info.name].called == CAMERA)
    }
    names = {info.name for info in model.inputs} if may_retry else set()
    axes = {*free_axes(model.inputs)}
    given = ((info, _given(info, choices.get(info.name))) for info in model.inputs)
    return Subject(
        path or Path(model.name),
        model,
        spec,
        {info.name: value for info, value in given if value},
        {each.name: each.size for each in spec.dimensions if each.name in axes},
        structs.replace(ImageOptions.of(model, casting), saved=prepared),
        Stepping(framings, memory, features_of(model)),
        None if path is None else tokenizer_of(path, model),
        Labels(labels),
        guessed=frozenset(names - chosen),
    )


def fill(subject: Subject) -> Filling:
    """Make every input's tensor. Raises BadInput, UnreadableFile: as `Subject.filled`."""
    return shown(subject, subject.filled())


def shown(subject: Subject, filled: Sequence[Filled]) -> Filling:
    """Return what there is to show of filled inputs."""
    images = {
        each.name: PreparedImage(each.picture, _small(each.picture.pixels))
        for each in filled
        if each.picture is not None
    }
    told = tuple(each if each.picture is None else _as_shown(each) for each in filled)
    lengths = dict(subject.dimensions)
    for info, each in zip(subject.inputs, filled, strict=True):
        lengths |= input_shapes.lengths_in(info, each.array)
    heard = {
        name: _audio_summary(Path(text))
        for name, text in subject.texts.items()
        if name in subject.sounds.framings
    }
    statistics = {each.name: _statistics(each) for each in filled}
    odd = _odd_inputs(told, statistics, subject.sounds.memory, subject.labels.names)
    return Filling(subject, told, lengths, images, statistics, heard, odd)


def _as_shown(filled: Filled) -> Filled:
    """Return an input whose picture tells the rest itself."""
    return structs.replace(filled, value=units.clip(filled.value, 80), description="")


def _odd_inputs(
    filled: tuple[Filled, ...],
    statistics: Mapping[str, Statistics | None],
    memory: tuple[State, ...],
    labels: Sequence[str],
) -> dict[str, str]:
    notes = {}
    for each in filled:
        values = statistics[each.name]
        plain = values is not None and not (values.nan or values.infinite)
        odd = each.caution if plain else input_caution(each, memory)
        odd = odd or foreign_script(each, labels) or ""
        if odd:
            notes[each.name] = odd
    return notes


def _is_guessed(info: TensorInfo, choices: Mapping[str, AudioChoice], model: Model) -> bool:
    framing = choices[info.name].framing
    guessed = guess_framing(info, model.inputs, model.outputs, model.metadata)
    return guessed == framing and not framing.why.startswith(SAVED_IN)


def _given(info: TensorInfo, choice: Choice | None) -> feeds.Given:
    """Return a choice as a value of its input; empty for none."""
    if isinstance(choice, ImageChoice):
        if choice.picture is None:
            assert choice.path is not None, "a photo is a file or pixels"
            return str(choice.path)
        return feeds.GivenPicture(choice.picture, choice.name)
    if isinstance(choice, AudioChoice):
        return str(choice.path)
    if isinstance(choice, StateChoice):
        steps = tr("after {step_count}").format(step_count=plural(choice.steps, "step"))
        made = Filled(info.name, steps, choice.array, dtype=info.dtype)
        return feeds.exact(info, made)
    if isinstance(choice, EditedValues):
        return feeds.exact(info, Filled(info.name, "typed", choice.array, dtype=info.dtype))
    return choice.value if choice is not None else ""


def _audio_summary(path: Path) -> AudioSummary:
    sound = audio.read(path)
    samples = sound.samples.astype(np.float64)
    parts = Series(samples, 1 / sound.rate).thinned(WAVE_POINTS) if len(samples) else ()
    frequencies = spectrogram(sound)
    return AudioSummary(parts, sound.seconds, sound.rate, sound.channels, frequencies)


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


def image_caution(filling: Filling) -> Caution:
    """Return what is obviously wrong with the first picture that something is wrong with."""
    subject = filling.subject
    for info in subject.model.inputs if subject is not None else ():
        image = filling.images.get(info.name)
        if image is None or subject is None:
            continue
        height, width = image.prepared.pixels.shape[:2]
        problem = input_condition.problem_of(
            info,
            subject.model.metadata,
            image.shown,
            (width, height),
            image.prepared.preparation,
        )
        if problem.text:
            return Caution(info.name, problem.text, problem.is_background)
    return Caution()
