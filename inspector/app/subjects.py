"""A model with what it is run with: the one value that every use case takes.

Inputs are filled and lengths of free axes that nobody gave are found here, and nowhere else.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Generic, TypeVar

from msgspec import Struct, field, structs

from inspector.engine.client.engine import Engine
from inspector.errors import BadInput, EngineFailed
from inspector.formats import opening
from inspector.formats.folders.reading import main_file
from inspector.model.axes import free_axes
from inspector.model.model import Model, TensorInfo
from inspector.model.tensors.element_types import Fed
from inspector.preview.class_names import Labels
from inspector.preview.families import output_meanings
from inspector.preview.families.audio_features import features_of
from inspector.preview.identity import measured_model
from inspector.preview.inputs import guessed_axes
from inspector.preview.inputs.audio import SUFFIXES
from inspector.preview.inputs.audio_windows import AT_ONCE, Framing, Stepping, guess_framing
from inspector.preview.inputs.feeds import (
    Filled,
    Given,
    ImageOptions,
    exact,
    feeds_by_name,
    fill_all,
)
from inspector.preview.inputs.image import AS_GUESSED
from inspector.preview.inputs.input_choice import input_for
from inspector.preview.inputs.input_files import inputs_in
from inspector.preview.inputs.model_states import states
from inspector.preview.inputs.tokens import TokenizerSource, tokenizer_of
from inspector.preview.preprocessing import saved
from inspector.preview.preprocessing.saved import NONE_SAVED, SavedPreprocessing
from inspector.report.report_values import ModelIdentity
from inspector.report.run_spec import InputSource, RunSpec
from inspector.units import clip

Result = TypeVar("Result")
Feeds = Mapping[str, Fed]
_UNIDENTIFIED = ModelIdentity("", "", 0, 0, 0)


class Subject(Struct, frozen=True, eq=False):
    """A model with the values of its inputs, the lengths of its axes, and its settings.

    spec: settings of the run. given: values of inputs; those without one get a usual one.
    dimensions: lengths of free axes that somebody gave. image: how pictures are prepared.
    sounds: how inputs that are given a sound take it; a framing counts only then.
    saved_preprocessing: what is saved with the model. guessed: inputs whose preprocessing
    nobody chose or saved, so that another may be tried. identity: what reports say of the
    model, once it is `identified`.
    """

    path: Path
    model: Model
    spec: RunSpec = field(default_factory=RunSpec)
    given: Mapping[str, Given] = field(default_factory=dict)
    dimensions: Mapping[str, int] = field(default_factory=dict)
    image: ImageOptions = AS_GUESSED
    sounds: Stepping = AT_ONCE
    tokenizer: TokenizerSource | None = None
    labels: Labels = field(default_factory=Labels)
    saved_preprocessing: SavedPreprocessing = NONE_SAVED
    guessed: frozenset[str] = frozenset()
    identity: ModelIdentity = _UNIDENTIFIED

    @classmethod
    def of(
        cls, path: Path, model: Model, spec: RunSpec, given: Mapping[str, Given] | None = None
    ) -> "Subject":
        """Return an opened model as it is measured: with the lengths of its settings, and
        pictures and texts prepared as the model says."""
        image, tokenizer = ImageOptions.of(model, spec.cast), tokenizer_of(path, model)
        dimensions = {each.name: each.size for each in spec.dimensions}
        return cls(
            path, model, spec, given or {}, dimensions, image,
            tokenizer=tokenizer, labels=Labels.of(model, path),
        )  # fmt: skip

    @classmethod
    def as_saved(cls, path: Path, spec: RunSpec) -> "Subject":
        """Open a model with the preprocessing that is saved with it, else as it says.

        Raises UnreadableFile, BadInput.
        """
        model = opening.open_model(path)
        preprocessing = saved.load(path, model.metadata)
        model = output_meanings.applied(model, preprocessing.outputs)
        own = cls.of(path, model, spec)
        image = structs.replace(own.image, saved=tuple(preprocessing.pictures.items()))
        framings = _framings(model, {info.name for info in model.inputs})
        memory = states(model.inputs, model.outputs)
        sounds = Stepping({**framings, **preprocessing.sounds}, memory, features_of(model))
        dimensions = {**preprocessing.dimensions, **own.dimensions}
        return structs.replace(
            own, dimensions=dimensions, image=image, sounds=sounds,
            saved_preprocessing=preprocessing, labels=Labels.of(model, path, preprocessing),
        )  # fmt: skip

    def with_first_steps(self) -> "Subject":
        """Return the model with the first step of each sound that it takes in steps, as one run
        of it takes; itself where somebody said how sounds are taken."""
        heard = {name for name, value in self.given.items() if is_sound(value)}
        if not heard or self.sounds != AT_ONCE:
            return self
        sounds = Stepping(_framings(self.model, heard), (), features_of(self.model))
        return structs.replace(self, sounds=sounds)

    @property
    def inputs(self) -> tuple[TensorInfo, ...]:
        """Return the inputs to fill: all without a default, and those with one that are
        given."""
        return inputs_of(self.model, self.given)

    @property
    def texts(self) -> dict[str, str]:
        """Return the values that are no tensors at hand: recipes, texts, and paths of files."""
        return {name: value for name, value in self.given.items() if isinstance(value, str)}

    @property
    def stepping(self) -> Stepping:
        """Return which of the present values are taken in steps, and what is fed back."""
        texts, framings = self.texts, self.sounds.framings
        heard = {n: f for n, f in framings.items() if is_sound(texts.get(n, ""))}
        return replace(self.sounds, framings=heard)

    def filled(self, lengths: Mapping[str, int] | None = None) -> tuple[Filled, ...]:
        """Return tensors for all inputs. lengths: of free axes besides those that were given.

        Raises BadInput, UnreadableFile: as `inspector.preview.inputs.feeds.fill_all`.
        """
        sizes = {**self.dimensions, **(lengths or {})}
        filled = fill_all(
            self.inputs, self.given, sizes, self.image, self.stepping, self.tokenizer
        )
        if self.image.cast and not self.spec.cast:  # else an engine casts them
            return tuple(map(exact, self.inputs, filled))
        return filled

    def feeds(self) -> dict[str, Fed]:
        """Return the values of all inputs, as an engine takes them. Raises as `filled`."""
        return feeds_by_name(self.filled())

    def feeds_of(self, path: Path) -> dict[str, Fed]:
        """Return the values of all inputs, with those of a file. Raises as `filled`."""
        return self.with_file(path).feeds()

    @property
    def file_input(self) -> TensorInfo:
        """Return the input that files of a folder are for. Raises BadInput: there is none."""
        return input_for(self.model.inputs, self.given)

    def with_given(self, given: Mapping[str, Given]) -> "Subject":
        """Return the model with other values of its inputs."""
        return structs.replace(self, given=given)

    def with_lengths(self, lengths: Mapping[str, int]) -> "Subject":
        """Return the model with these lengths of free axes, too."""
        return structs.replace(self, dimensions={**self.dimensions, **lengths})

    def with_file(self, path: Path, info: TensorInfo | None = None) -> "Subject":
        """Return the model with the values of a file, for all inputs that it names, else for
        `info`, or the input that files of a folder are for. Raises BadInput: there is none."""
        names = inputs_in(path, (*self.model.inputs, *self.model.defaults))
        if not names:
            names = ((info or self.file_input).name,)
        return self.with_given({**self.given, **dict.fromkeys(names, str(path))})

    def at(self, spec: RunSpec) -> "Subject":
        """Return the model with other settings. Tensors at hand give way where a length of
        one of their axes is set."""
        lengths = {each.name: each.size for each in spec.dimensions}
        fixed = {info.name for info in self.model.inputs if {*lengths} & {*free_axes((info,))}}
        given = {
            name: value
            for name, value in self.given.items()
            if isinstance(value, str) or name not in fixed
        }
        image, sizes = (
            structs.replace(self.image, cast=spec.cast),
            {**self.dimensions, **lengths},
        )
        return structs.replace(self, spec=spec, given=given, dimensions=sizes, image=image)

    def request(self) -> tuple[RunSpec, Feeds]:
        """Return what an engine measures: the settings with the sources of the inputs, and
        their values. Raises as `filled`."""
        filled = self.filled()
        return replace(self.spec, inputs=sources_of(filled)), feeds_by_name(filled)

    def identified(self, name: str = "", sha256: str = "") -> "Subject":
        """Return the model with what reports say of it, its hash included.

        name: in place of the file's. sha256: of the file, where it is known. Raises
        UnreadableFile: it is gone.
        """
        identity = measured_model(self.path, self.model, sha256)
        return structs.replace(
            self, identity=replace(identity, name=name) if name else identity
        )

    def with_assumed_labels(self) -> "Subject":
        """Name the classes by the one list that fits their number, where nobody named them."""
        return structs.replace(self, labels=self.labels.or_assumed(self.model))

    def run(
        self,
        work: Callable[[tuple[Filled, ...]], Result],
        filled: tuple[Filled, ...] | None = None,
    ) -> "Ran[Result]":
        """Do work with the filled inputs; where the model fails at their shapes, with other
        lengths of axes that nobody gave.

        filled: the inputs, where they are filled already.
        Raises what `filled` and the work raise; EngineFailed with a hint that names the axes
        where no length helps.
        """
        first = self.filled() if filled is None else filled
        ran = guessed_axes.first_that_runs(
            self.filled, work, self.inputs, self.dimensions, first
        )
        return Ran(self.with_lengths(ran.lengths), ran.filled, ran.answer, ran.lengths,
                   ran.note)  # fmt: skip


class Ran(Struct, Generic[Result], frozen=True, eq=False):
    """What work gave, and the inputs it was done with.

    subject: with the lengths with which the model ran. guessed: those that nobody gave. note:
    says so, and how to set them; empty where none was guessed.
    """

    subject: Subject
    filled: tuple[Filled, ...]
    result: Result
    guessed: Mapping[str, int]
    note: str = ""


def inputs_of(model: Model, given: Mapping[str, Given]) -> tuple[TensorInfo, ...]:
    """Return the inputs of a model to fill: all without a default, and those with one that are
    given."""
    return model.inputs + tuple(info for info in model.defaults if info.name in given)


def is_sound(value: Given) -> bool:
    """Return whether a value of an input is the path of a sound, by its suffix."""
    return isinstance(value, str) and Path(value).suffix.lower() in SUFFIXES


def _framings(model: Model, names: Collection[str]) -> dict[str, Framing]:
    """Return how those of these inputs that take rows of samples take a sound."""
    guesses = (
        (info.name, guess_framing(info, model.inputs, model.outputs, model.metadata))
        for info in model.inputs
        if info.name in names
    )
    return {name: each for name, each in guesses if each is not None}


def sources_of(filled: Sequence[Filled]) -> tuple[InputSource, ...]:
    """Return what the values of inputs are, as reports name them."""
    return tuple(InputSource(each.name, each.value) for each in filled)


def at_hand(feeds: Feeds, sources: Sequence[InputSource] = ()) -> dict[str, Given]:
    """Return tensors as values of inputs. sources: what they are, as reports name it."""
    named = {source.name: source.value for source in sources}
    return {
        name: Filled(name, named.get(name, "array"), value[0], parts=value)
        if isinstance(value, tuple)
        else Filled(name, named.get(name, "array"), value, dtype=value.dtype.name)
        for name, value in feeds.items()
    }


def of_values(
    path: Path,
    model: Model,
    spec: RunSpec,
    given: Mapping[str, Fed],
    sources: Mapping[str, InputSource],
) -> Subject:
    """Return a model with values at hand for some inputs. sources: what they are."""
    return Subject.of(path, model, spec, at_hand(given, tuple(sources.values())))


def subjects(
    paths: Sequence[Path], given: Mapping[str, Given] | None = None, spec: RunSpec | None = None
) -> tuple[Subject, ...]:
    """Open models to measure, side by side. Raises UnreadableFile; BadInput: the same file
    twice.

    given: values of inputs; those that are tensors are only for the first model.
    """
    spec, values = spec or RunSpec(), given or {}
    paths = [main_file(path) for path in paths]
    texts = {name: value for name, value in values.items() if isinstance(value, str)}
    opened = [
        Subject.of(path, opening.open_model(path), spec, texts if place else values)
        for place, path in enumerate(paths)
    ]
    if len({path.resolve() for path in paths}) < len(opened):
        raise BadInput("Could not plan the sweep", "the same model is listed twice")
    names = {clip(each.model.name) for each in opened}
    if len(names) == len(opened):
        return tuple(each.identified() for each in opened)
    whole = [str(Path(path.absolute().parent.name) / path.name) for path in paths]
    return tuple(each.identified(clip(name)) for each, name in zip(opened, whole, strict=True))


class LengthGuesses:
    """Finds, once for each model and each choice of lengths, others with which it predicts.

    notes: what was guessed, and how to set it.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lengths: dict[tuple[Path, RunSpec], Mapping[str, int]] = {}
        self.notes: tuple[str, ...] = ()

    def run(self, subject: Subject, work: Callable[[Subject], Result]) -> Result:
        """Do work that runs a model; where the model fails at its shapes, with other lengths.

        Raises what work raises; EngineFailed with a hint that names the axes where no length
        helps.
        """
        spec = subject.spec
        key = subject.path, RunSpec(dimensions=spec.dimensions, cast=spec.cast)
        lengths = self._lengths.get(key)
        try:
            return work(subject.with_lengths(lengths or {}))
        except EngineFailed:
            if lengths is not None:
                raise
            ran = subject.run(
                lambda filled: self._engine.predict(
                    subject.path, subject.spec, feeds_by_name(filled)
                )
            )
            if ran.note:
                note = f"{clip(subject.path.name)}: {ran.note}"
                self.notes = tuple(dict.fromkeys((*self.notes, note)))
            self._lengths[key] = lengths = ran.guessed
            if not lengths:
                raise
        return work(subject.with_lengths(lengths))
