"""Run an input in two configurations, and all files of a folder; on a thread, no widget."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from inspector.backends.machine import int8_notes
from inspector.errors import Cancelled, InspectorError
from inspector.formats.opening import open_model
from inspector.model.model import Model, TensorInfo
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.preview.families.output_structure import of_model
from inspector.preview.inputs import image_files
from inspector.preview.inputs.feeds import feeds_by_name, input_kind
from inspector.preview.inputs.image import ImageOptions, ImagePreprocessing
from inspector.preview.outputs import results
from inspector.preview.outputs.results import ShownImage
from inspector.preview.preprocessing import saved
from inspector.preview.preprocessing.guess import guess_of
from inspector.preview.runs import folder, parity, step_by_step
from inspector.preview.runs.folder import Row
from inspector.preview.runs.model_comparison import ModelComparison, image_size, state_outputs
from inspector.preview.runs.other_run import OtherRun
from inspector.preview.runs.parity import OutputParity
from inspector.preview.runs.steps import Predict
from inspector.report.output_verdict import TEST_DATA, OutputVerdict
from inspector.ui.tabs.preview.fill_inputs import (
    AudioChoice,
    Choice,
    Filling,
    ImageChoice,
    ValuesChoice,
    fill,
)
from inspector.ui.translate import tr


@dataclass(frozen=True, slots=True, eq=False)
class OutputPair:
    """One output of both answers: its facts, where they differ, and both as pictures where
    they are some."""

    parity: OutputParity
    heat: ShownImage | None
    first: ShownImage | None
    second: ShownImage | None


@dataclass(frozen=True, slots=True, eq=False)
class RunComparison:
    """Two answers to one input; `error` where the second way failed: then without sides.

    verdict: on the outputs of the second way.
    """

    against: OtherRun
    first: Prediction
    second: Prediction | None
    sides: tuple[OutputPair, ...] = ()
    note: str = ""
    error: InspectorError | None = None
    verdict: OutputVerdict | None = None


def compare(
    once: Predict,
    other: Predict,
    against: OtherRun,
    model: Model,
    choices: Mapping[str, Choice],
    filling: Filling,
    labels: Sequence[str],
) -> RunComparison:
    """Answer in both ways. Raises InspectorError: the first failed; Cancelled."""
    first = step_by_step.answer(once, filling.filled, filling.memory)
    again = step_by_step.answer(once, filling.filled, filling.memory)  # in the same session
    try:
        theirs, note = filling, ""
        if against.model:
            theirs, note = _Other(Path(against.model)).filling(model, choices, filling)
        second = step_by_step.answer(other, theirs.filled, theirs.memory)
    except Cancelled:
        raise
    except InspectorError as error:
        return RunComparison(against, first, None, error=error)
    parities = parity.outputs(first.outputs, second.outputs, labels, of_model(model))
    if any(output.differs for output in parities):
        their_model = open_model(Path(against.model)) if against.model else model
        sides = ((model, first.devices), (their_model, second.devices))
        note = " ".join(filter(None, (note, *int8_notes(sides))))
    comparison = _comparison_of(model, filling, labels)
    comparison.add(first.outputs, second.outputs)
    comparison.add_repeat(first.outputs, again.outputs)
    verdict = comparison.verdict(input_kind(filling.filled))
    pairs = _output_pairs(first, second, parities)
    return RunComparison(against, first, second, pairs, note, verdict=verdict)


def _comparison_of(model: Model, filling: Filling, labels: Sequence[str]) -> ModelComparison:
    size = image_size(model, feeds_by_name(filling.filled))
    return ModelComparison(None, labels, size, of_model(model), states=state_outputs(model))


def answer_rows(
    once: Predict,
    model: Model,
    info: TensorInfo,
    choices: Mapping[str, Choice],
    dimensions: Mapping[str, int],
    place: Path,
    label_source: str,
    labels: Sequence[str],
    on_row: Callable[[int, Row], None],
    second: tuple[Predict, OtherRun] | None = None,
    on_verdict: Callable[[OutputVerdict], None] = lambda _: None,
    on_note: Callable[[str], None] | None = None,
) -> int:
    """Run each file of a folder as the input `info`; return the number of files.

    label_source: where the labels come from, see `folder.truth`. on_row: gets the number of
    files, and each row. second: a second run to compare with, and its configuration.
    on_verdict: gets the verdict on the outputs of a second run, after all files, or those that
    were run before a cancelled job ended.
    on_note: gets a sentence where other preprocessing was tried; None: try none.
    Raises InspectorError: nothing to read. A cancelled job ends early.
    """
    paths = folder.files_in(place, info)
    expected, second_model = (
        folder.truth(label_source, place, paths, labels),
        _second_run(second),
    )

    better: list[ImagePreprocessing] = []

    def filled(path: Path) -> tuple[dict[str, Choice], Filling]:
        choice = _choice(model, info, choices.get(info.name), path)
        if better and isinstance(choice, ImageChoice):
            choice = replace(choice, preparation=better[0])
        chosen = {**choices, info.name: choice}
        return chosen, fill(model, chosen, dimensions)

    def answer(path: Path) -> Prediction:
        _, filling = filled(path)
        return step_by_step.answer(once, filling.filled, filling.memory)

    def other(path: Path) -> Prediction:
        assert second is not None, "only a second run predicts again"
        chosen, filling = filled(path)
        filling = (
            second_model.filling(model, chosen, filling)[0]
            if second_model is not None
            else filling
        )
        return step_by_step.answer(second[0], filling.filled, filling.memory)

    judged: list[ModelComparison] = []

    def both(path: Path, one: Prediction, two: Prediction) -> None:
        if not judged:
            judged.append(_comparison_of(model, filled(path)[1], labels))
            judged[0].add_repeat(answer(path).outputs, answer(path).outputs)  # one session
        judged[0].add(one.outputs, two.outputs, path.name)

    def prepared(preparation: ImagePreprocessing, path: Path) -> Prediction:
        better[:] = [preparation]
        return answer(path)

    held = other if second is not None else None
    with suppress(Cancelled):
        guessed = _preparation(model, info, choices)
        size = (guessed.width, guessed.height) if guessed is not None else (0, 0)
        meaning = folder.Meaning(labels, of_model(model), size)
        if on_note is not None:
            again = folder.best_preprocessing(
                prepared, guessed, paths, expected, info, model.outputs, meaning
            )
            found = None if again is None else again.preprocessing
            better[:] = [] if found is None else [found]
            if again is not None:
                on_note(again.text)
        for row in folder.rows(place, paths, answer, expected, meaning, held, both):
            on_row(len(paths), row)
    for comparison in judged:
        on_verdict(comparison.verdict(TEST_DATA))
    return len(paths)


def _preparation(
    model: Model, info: TensorInfo, choices: Mapping[str, Choice]
) -> ImagePreprocessing | None:
    """Return how images for an input are prepared, as chosen or guessed; None where it takes
    none."""
    choice = choices.get(info.name)
    return choice.preparation if isinstance(choice, ImageChoice) else guess_of(info, model)


def _second_run(second: tuple[Predict, OtherRun] | None) -> "_Other | None":
    if second is None or not second[1].model:
        return None
    return _Other(Path(second[1].model))


def _choice(model: Model, info: TensorInfo, now: Choice | None, path: Path) -> Choice:
    """A file as the input is filled at present: with its preparation or its framing."""
    if image_files.is_image(path):
        if isinstance(now, ImageChoice):
            return replace(now, path=path, picture=None)
        guessed = guess_of(info, model)
        if guessed is not None:
            return ImageChoice(guessed, path)
    if path.suffix.lower() == ".wav" and isinstance(now, AudioChoice):
        return replace(now, path=path)
    return ValuesChoice(str(path))


class _Other:
    """Another model, and how it prepares its pictures. Raises UnreadableFile."""

    def __init__(self, path: Path) -> None:
        self._model = open_model(path)
        preprocessing = saved.load(path, self._model.metadata)
        pictures = tuple(preprocessing.pictures.items())
        self._options = replace(ImageOptions.of(self._model), saved=pictures)

    def filling(
        self, model: Model, choices: Mapping[str, Choice], filling: Filling
    ) -> tuple[Filling, str]:
        """Return the input of the other model and a note.

        The tensors are the same if they fit; otherwise, they are made of the same files and
        values as the other model expects them, and the note says so.
        """
        theirs = self._model
        renamed = parity.for_model(filling.filled, theirs.inputs)
        if renamed is not None:
            note = ""
            if parity.layout_note(filling.filled, renamed):
                note = tr(
                    "The other model appears to use a different layout (channels first or "
                    "channels last), so the input was transposed for it."
                )
            return replace(filling, filled=renamed), note
        own: dict[str, Choice] = {}
        for target, info in zip(theirs.inputs, model.inputs, strict=False):
            choice = choices.get(info.name)
            if choice is None:
                continue
            prepared = self._options.preparation(target)
            if isinstance(choice, ImageChoice) and prepared is not None:
                choice = replace(choice, preparation=prepared)
            own[target.name] = choice
        note = tr(
            "The other model expects a different shape or type, so the same input was "
            "converted separately for it."
        )
        return fill(theirs, own, {}), note


def _output_pairs(
    first: Prediction, second: Prediction, parities: Sequence[OutputParity]
) -> tuple[OutputPair, ...]:
    theirs = {output.name: output for output in second.outputs}
    return tuple(
        _output_pair(output, theirs.get(pair.other), pair)
        for output, pair in zip(first.outputs, parities, strict=True)
    )


def _output_pair(one: OutputValue, two: OutputValue | None, pair: OutputParity) -> OutputPair:
    if two is None or one.array is None or two.array is None:
        return OutputPair(pair, None, None, None)
    alike = all(results.IMAGE in results.read(output) for output in (one, two))
    pictures = (results.image_of(one), results.image_of(two)) if alike else (None, None)
    return OutputPair(
        pair, parity.heat(one.array, parity.moved(two.array, pair.axes)), *pictures
    )
