"""Run a model on each file of a folder: alone, or beside another run."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from inspector.app.predict import answer
from inspector.app.subjects import Subject
from inspector.errors import InspectorError
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import Prediction
from inspector.preview.class_names import Labels
from inspector.preview.families.output_structure import of_model
from inspector.preview.inputs.image import ImagePreprocessing
from inspector.preview.inputs.input_choice import input_for
from inspector.preview.runs import folder
from inspector.preview.runs.folder import MOST_FILES, Meaning, Row
from inspector.preview.runs.model_comparison import ModelComparison, comparison_of
from inspector.preview.runs.steps import Predict

_REPEATS = 2  # files that the first run answers twice, to see whether it repeats itself


@dataclass(frozen=True, slots=True, eq=False)
class FolderTest:
    """The files of a folder as inputs of a model.

    info: the input that they are for. wanted: the label that each file should get, where it is
    known. note: on other preprocessing that was tried; empty if none was.
    """

    subject: Subject
    place: Path
    info: TensorInfo
    paths: tuple[Path, ...]
    wanted: Mapping[Path, str]
    note: str = ""

    @property
    def meaning(self) -> Meaning:
        """Return what the outputs mean, with the size of the images that the model gets."""
        subject = self.subject
        own = subject.image.preparation(self.info)
        size = (own.width, own.height) if own is not None else (0, 0)
        return Meaning(subject.labels.names, of_model(subject.model), size)


def of_folder(
    subject: Subject,
    place: Path,
    truth: str,
    assume: bool = False,
    most: int = MOST_FILES,
    info: TensorInfo | None = None,
    paths: tuple[Path, ...] = (),
) -> FolderTest:
    """Return the files of a folder as inputs of a model, with the labels that they should get.

    truth: where these come from, see `folder.truth`. assume: whether to take the one known list
    of class names that fits, where nobody named them. info: the input that the files are for;
    by default one without a value. paths: of some files of the folder, in place of all. Raises
    UnreadableFile, BadInput: nothing to read.
    """
    info = info or subject.file_input
    paths = paths or folder.files_in(place, info, most)
    if not subject.labels.names and truth == folder.FOLDERS:
        subject = replace(subject, labels=Labels(folder.folder_labels(place, paths)))
    if assume:
        subject = subject.with_assumed_labels()
    wanted = folder.truth(truth, place, paths, subject.labels.names)
    return FolderTest(subject, place, info, paths, wanted)


def with_best_preprocessing(test: FolderTest, once: Predict) -> FolderTest:
    """Return the test with the preprocessing that does best on some of the files, where the
    guessed one is not sure. Raises Cancelled."""
    subject, info = test.subject, test.info
    if info.name not in subject.guessed:
        return test

    def prepared(preparation: ImagePreprocessing) -> Subject:
        saved = (*subject.image.saved, (info.name, preparation))
        return replace(subject, image=replace(subject.image, saved=saved))

    best = folder.best_preprocessing(
        lambda preparation, path: answer(prepared(preparation).with_file(path, info), once),
        subject.image.preparation(info),
        test.paths,
        test.wanted,
        info,
        subject.model.outputs,
        test.meaning,
    )
    if best is None:
        return test
    if best.preprocessing is None:
        return replace(test, note=best.text)
    return replace(test, subject=prepared(best.preprocessing), note=best.text)


@dataclass(frozen=True, slots=True, eq=False)
class Against:
    """A second run of each file, and what judges its outputs.

    once: runs it. theirs: the other model, where it is another one; it gets each file as it
    wants it.
    """

    once: Predict
    theirs: Subject | None
    comparison: ModelComparison


def judge_of(test: FolderTest) -> ModelComparison:
    """Return what judges the outputs of a second run over all files."""
    subject = test.subject
    for path in test.paths:
        with suppress(InspectorError):  # its row will say why
            feeds = subject.with_file(path, test.info).feeds()
            return comparison_of(subject.path, subject.model, feeds, subject.labels.names)
    return ModelComparison()


def rows(test: FolderTest, once: Predict, against: Against | None = None) -> Iterator[Row]:
    """Yield what the model says of each file; what cannot be answered is a row that says why.

    Raises Cancelled.
    """

    def first(path: Path) -> Prediction:
        return answer(test.subject.with_file(path, test.info), once)

    if against is None:
        yield from folder.rows(test.place, test.paths, first, test.wanted, test.meaning)
        return
    theirs, info = against.theirs or test.subject, test.info
    if against.theirs is not None:
        info = input_for(theirs.model.inputs, ())
    comparison = against.comparison

    def second(path: Path) -> Prediction:
        return answer(theirs.with_file(path, info), against.once)

    def both(path: Path, one: Prediction, two: Prediction) -> None:
        repeated = comparison.inputs < _REPEATS
        comparison.add(one.outputs, two.outputs, path.name)
        if repeated:
            comparison.add_repeat(one.outputs, first(path).outputs)

    yield from folder.rows(
        test.place, test.paths, first, test.wanted, test.meaning, second, both
    )
