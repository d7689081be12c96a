"""The same input answered in two ways, and a folder of inputs; on a job's thread, no widget."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from inspector.errors import Cancelled, InspectorError
from inspector.model import Model, TensorInfo
from inspector.prediction import OutputValue, Prediction
from inspector.preview import folder, keeping, parity, results, sequence
from inspector.preview.elements import Fed
from inspector.preview.folder import Row
from inspector.preview.guess import guess
from inspector.preview.image import ImageOptions
from inspector.preview.parity import Against, OutputParity
from inspector.preview.picture import SUFFIXES
from inspector.preview.results import Shown
from inspector.readers import open_model
from inspector.ui.preview.filling import Choice, Filling, Heard, Numbers, Photo, fill

Once = Callable[[Mapping[str, Fed]], Prediction]


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One output of both answers: its facts, where they differ, and both as pictures where
    they are some."""

    parity: OutputParity
    heat: Shown | None
    first: Shown | None
    second: Shown | None


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Two answers to one input; `error` where the second way failed: then without sides."""

    against: Against
    first: Prediction
    second: Prediction | None
    sides: tuple[Side, ...] = ()
    note: str = ""
    error: InspectorError | None = None


def compare(
    once: Once,
    other: Once,
    against: Against,
    model: Model,
    choices: Mapping[str, Choice],
    filling: Filling,
    labels: Sequence[str],
) -> Compared:
    """Answer in both ways. Raises InspectorError: the first failed; Cancelled."""
    first = sequence.answer(once, filling.filled, filling.memory)
    try:
        theirs, note = filling, ""
        if against.kind == parity.MODEL:
            theirs, note = _Other(Path(against.value)).filling(model, choices, filling)
        second = sequence.answer(other, theirs.filled, theirs.memory)
    except Cancelled:
        raise
    except InspectorError as error:
        return Compared(against, first, None, error=error)
    found = parity.outputs(first.outputs, second.outputs, labels)
    return Compared(against, first, second, _sides(first, second, found), note)


def answer_rows(
    once: Once,
    model: Model,
    info: TensorInfo,
    choices: Mapping[str, Choice],
    dimensions: Mapping[str, int],
    place: Path,
    said: str,
    labels: Sequence[str],
    tell: Callable[[int, Row], None],
    second: tuple[Once, Against] | None = None,
) -> int:
    """Answer each file of a folder as `info`; how many there are. What is done is told.

    said: where the labels come from, see `folder.truth`. tell: gets how many files there are,
    and each row. second: what predicts in another way, and which. Raises InspectorError:
    nothing to read. A cancelled job ends early.
    """
    paths = folder.files_in(place, info)
    wanted, beside = folder.truth(said, place, paths, labels), _beside(second)

    def filled(path: Path) -> tuple[dict[str, Choice], Filling]:
        chosen = {**choices, info.name: _choice(model, info, choices.get(info.name), path)}
        return chosen, fill(model, chosen, dimensions)

    def answer(path: Path) -> Prediction:
        _, filling = filled(path)
        return sequence.answer(once, filling.filled, filling.memory)

    def other(path: Path) -> Prediction:
        assert second is not None, "only a second way answers again"
        chosen, filling = filled(path)
        filling = beside.filling(model, chosen, filling)[0] if beside is not None else filling
        return sequence.answer(second[0], filling.filled, filling.memory)

    held = other if second is not None else None
    with suppress(Cancelled):
        for row in folder.rows(place, paths, answer, wanted, labels, held):
            tell(len(paths), row)
    return len(paths)


def _beside(second: tuple[Once, Against] | None) -> "_Other | None":
    if second is None or second[1].kind != parity.MODEL:
        return None
    return _Other(Path(second[1].value))


def _choice(model: Model, info: TensorInfo, now: Choice | None, path: Path) -> Choice:
    """A file as the input is filled at present: with its preparation or its framing."""
    if path.suffix.lower() in SUFFIXES:
        if isinstance(now, Photo):
            return replace(now, path=path, picture=None)
        guessed = guess(info, model.metadata, model.producer, model.outputs)
        if guessed is not None:
            return Photo(guessed, path)
    if path.suffix.lower() == ".wav" and isinstance(now, Heard):
        return replace(now, path=path)
    return Numbers(str(path))


class _Other:
    """Another model, and how it prepares its pictures. Raises UnreadableFile."""

    def __init__(self, path: Path) -> None:
        self._model = open_model(path)
        kept = keeping.of(path, self._model.metadata)
        pictures = tuple(kept.pictures.items())
        self._options = replace(ImageOptions.of(self._model), kept=pictures)

    def filling(
        self, model: Model, choices: Mapping[str, Choice], filling: Filling
    ) -> tuple[Filling, str]:
        """The same input for it: the same tensors where it takes them, else made of the same
        files and values as it wants them; and a note that tells so."""
        theirs = self._model
        renamed = parity.for_model(filling.filled, theirs.inputs)
        if renamed is not None:
            return replace(filling, filled=renamed), ""
        own: dict[str, Choice] = {}
        for target, info in zip(theirs.inputs, model.inputs, strict=False):
            choice = choices.get(info.name)
            if choice is None:
                continue
            prepared = self._options.preparation(target)
            if isinstance(choice, Photo) and prepared is not None:
                choice = replace(choice, preparation=prepared)
            own[target.name] = choice
        note = "The other model takes other tensors: they were made of the same input, for it."
        return fill(theirs, own, {}), note


def _sides(
    first: Prediction, second: Prediction, found: Sequence[OutputParity]
) -> tuple[Side, ...]:
    theirs = {output.name: output for output in second.outputs}
    return tuple(
        _side(output, theirs.get(pair.other), pair)
        for output, pair in zip(first.outputs, found, strict=True)
    )


def _side(one: OutputValue, two: OutputValue | None, pair: OutputParity) -> Side:
    if two is None or one.array is None or two.array is None:
        return Side(pair, None, None, None)
    alike = all(results.PICTURE in results.read(output) for output in (one, two))
    pictures = (results.picture_of(one), results.picture_of(two)) if alike else (None, None)
    return Side(pair, parity.heat(one.array, two.array), *pictures)
