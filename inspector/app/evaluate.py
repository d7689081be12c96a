"""Run a model on each file of a folder, alone or beside another run, and hold the answers
against the true ones."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from time import perf_counter_ns

import numpy as np
from msgspec import Struct, field, structs

from inspector.app.language.chat import ChatSettings
from inspector.app.language.chat_model import ChatModel, open_encoder_decoder
from inspector.app.language.quality import TextSettings
from inspector.app.language.transcription import MOST_WRITTEN, transcribe_file
from inspector.app.predict import answer
from inspector.app.subjects import Subject
from inspector.engine.client.engine import Engine
from inspector.errors import BadInput, InspectorError, UnreadableFile
from inspector.formats.folders.reading import folder_around
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.platform import files
from inspector.preview.class_names import Labels
from inspector.preview.families.family_answers import read
from inspector.preview.families.family_table import recognize
from inspector.preview.families.output_structure import of_model
from inspector.preview.identity import class_count
from inspector.preview.inputs import tokens
from inspector.preview.inputs.image import ImagePreprocessing
from inspector.preview.inputs.input_choice import input_for
from inspector.preview.language.decoders import why_no_text
from inspector.preview.language.text_files import read_text
from inspector.preview.runs import data_set, folder, tables
from inspector.preview.runs.data_set import MOST_FILES, DataSet
from inspector.preview.runs.folder import FolderResult, Meaning, Row
from inspector.preview.runs.metrics import MaskResult
from inspector.preview.runs.model_comparison import ModelComparison, comparison_of
from inspector.preview.runs.other_run import OtherRun
from inspector.preview.runs.steps import Predict
from inspector.preview.runs.truths import Truth, placed
from inspector.report.evaluation import Metric
from inspector.report.language.quality import Estimate, Quality
from inspector.report.output_verdict import TEST_DATA
from inspector.report.run_spec import RunSpec
from inspector.units import clip
from inspector.wording.values import Name, Sentence

_HINT = (
    "Add --truth FILE, such as a CSV file with file,label, or put the files into subfolders "
    "that are named after their classes and add --truth folders."
)
_FOLDERS_HINT = (
    "Rename the subfolders, pass the names of the classes with --labels FILE, or the true "
    "answers with --truth FILE."
)
_TABLE_HINT = "Name the column of the true answers with --target-column."
_NO_TARGET = "Could not use --target-column"
_NO_TEXTS = "it contains no .txt files"
_MOST_CLASSES = 5  # numbers of unknown classes that are named
_REPEATS = 2  # files that the first run answers twice, to see whether it repeats itself


class FolderTest(Struct, frozen=True, eq=False):
    """The files of a folder as inputs of a model, with their true answers.

    info: the input that they are for. note: on other preprocessing that was tried; empty if
    none was. answer: in place of one run of the model, such as what `transcribing` returns.
    assumed: what was assumed to read the answers.
    """

    subject: Subject
    info: TensorInfo
    data: DataSet
    note: str = ""
    answer: Callable[[Path], Prediction] | None = None
    assumed: set[str] = field(default_factory=set)

    @property
    def meaning(self) -> Meaning:
        """Return what the outputs mean, with the size of the images that the model gets."""
        subject = self.subject
        own = subject.image.preparation(self.info)
        size, channels = ((own.width, own.height), own.channels) if own else ((0, 0), 0)
        vocabulary = tokens.vocabulary(subject.tokenizer)
        family = recognize(subject.model)

        def read_text(outputs: Sequence[OutputValue]) -> str:
            if family is None:
                return ""
            names = subject.labels.names
            said = read(family, outputs, {}, vocabulary, names)
            self.assumed.update(said.assumed)
            return str(said.values.get("text", ""))

        structure = of_model(subject.model)
        return Meaning(subject.labels.names, structure, size, channels, vocabulary, read_text)

    def fed(self, path: Path) -> Subject:
        """Return the model with the values of a file, or of a row of a table. Raises
        BadInput."""
        if self.data.table is None:
            return self.subject.with_file(path, self.info)
        return self.subject.with_given({**self.subject.given, **self.data.given(path)})

    def of(self, subject: Subject) -> "FolderTest":
        """Return the test of another model on the same inputs. Raises BadInput: the columns of
        a table do not fit it."""
        info = input_for(subject.model.inputs, ())
        if self.data.table is None:
            return FolderTest(subject, info, self.data)
        table = self.data.table.of(inputs_to_fill(subject), subject.model.outputs)
        return FolderTest(subject, info, structs.replace(self.data, table=table))

    def truth(self, path: Path) -> Truth | None:
        """Return the true answer to a file, with boxes and masks as the model sees them; None
        where nobody says any. Raises UnreadableFile."""
        load = self.data.truths.get(path)
        if load is not None:
            return placed(load, path, self.info, self.subject.image)
        label = self.data.classes.get(path)
        return Truth(label) if label else None


def of_folder(
    subject: Subject,
    place: Path,
    truth: str,
    assume: bool = False,
    most: int = MOST_FILES,
    info: TensorInfo | None = None,
    paths: tuple[Path, ...] = (),
    target: str = "",
) -> FolderTest:
    """Return the files of a folder, or the rows of a table, as inputs of a model, with their
    true answers.

    truth: where these come from, see `data_set.read`. assume: whether to take the one known
    list of class names that fits, where nobody named them. info: the input that the files are
    for; by default one without a value. paths: of some files of the folder, in place of all.
    target: names of a table's columns of true answers; "" for one that is recognized. Raises
    UnreadableFile, BadInput: nothing to read.
    """
    info = info or subject.file_input
    if tables.is_table(place):
        return _of_table(subject, place, truth, assume, most, info, target)
    if target:
        why = f"{clip(place.name)} is no table"
        raise BadInput(_NO_TARGET, why, "Pass a .csv file with --test.")
    subject = with_folder_labels(subject, place, truth, info)
    if assume:
        subject = subject.with_assumed_labels()
    names, count = subject.labels.names, class_count(subject.model)
    data = data_set.read(place, info, truth, names, paths, most, count)
    return FolderTest(subject, info, data)


def _of_table(
    subject: Subject,
    place: Path,
    truth: str,
    assume: bool,
    most: int,
    info: TensorInfo,
    target: str,
) -> FolderTest:
    if truth:
        why = "a table has the true answers in a column"
        raise BadInput(f"Could not use --truth {clip(truth)}", why, "Use --target-column.")
    if assume:
        subject = subject.with_assumed_labels()
    inputs, model = inputs_to_fill(subject), subject.model
    data = data_set.of_table(place, inputs, model.outputs, subject.labels.names, target, most)
    return FolderTest(subject, info, data)


def inputs_to_fill(subject: Subject) -> tuple[TensorInfo, ...]:
    """Return the inputs of a model that nobody gave a value."""
    return tuple(info for info in subject.model.inputs if info.name not in subject.given)


def with_folder_labels(
    subject: Subject, place: Path, truth: str, info: TensorInfo | None = None
) -> Subject:
    """Name the classes after subfolders where these are the truth and nobody named them."""
    if subject.labels.names or truth != data_set.FOLDERS:
        return subject
    paths = data_set.files_in(place, info or subject.file_input)
    return structs.replace(subject, labels=Labels(data_set.folder_labels(place, paths)))


def with_best_preprocessing(test: FolderTest, once: Predict) -> FolderTest:
    """Return the test with the preprocessing that does best on some of the files, where the
    guessed one is not sure. Raises Cancelled."""
    subject, info = test.subject, test.info
    if info.name not in subject.guessed:
        return test

    def prepared(preparation: ImagePreprocessing) -> Subject:
        saved = (*subject.image.saved, (info.name, preparation))
        return structs.replace(subject, image=structs.replace(subject.image, saved=saved))

    best = folder.best_preprocessing(
        lambda preparation, path: answer(prepared(preparation).with_file(path, info), once),
        subject.image.preparation(info),
        test.data.paths,
        test.data.classes,
        info,
        subject.model.outputs,
        test.meaning,
    )
    if best is None:
        return test
    if best.preprocessing is None:
        return structs.replace(test, note=best.text)
    return structs.replace(test, subject=prepared(best.preprocessing), note=best.text)


def transcribing(
    engine: Engine, model: ChatModel, settings: ChatSettings
) -> Callable[[Path], Prediction]:
    """Return what lets a model with an encoder write about a file: its text as an output."""

    def answered(path: Path) -> Prediction:
        began = perf_counter_ns()
        text = transcribe_file(engine, model, path, settings).text
        took = perf_counter_ns() - began
        output = OutputValue("text", "tensor", "string", np.array([text], object))
        return Prediction((output,), settings.spec.devices, took, 0)

    return answered


def writing_otherwise(
    engine: Engine, writer: ChatModel, spec: RunSpec, run: OtherRun, tokenizer: Path | None
) -> Callable[[Path], Prediction]:
    """Return what lets the other run, or another model with an encoder, write about a file.

    Raises BadInput: it is no such model, or runs in no runtime.
    """
    what = f"Could not compare {clip(writer.name)} with {clip(run.label)}"
    if run.reference or run.float16:
        why = "only a runtime is fast enough for a whole text"
        raise BadInput(what, why, "Compare with a model, a device or an optimization level.")
    other: ChatModel | None = writer
    if run.model:
        around = folder_around(Path(run.model))
        other = None if around is None else open_encoder_decoder(around.path, tokenizer)
    if other is None:
        why = "that is no folder with an encoder and a decoder"
        raise BadInput(what, why, "Compare with another folder of such a model.")
    return transcribing(engine, other, writer_settings(run.spec(spec)))


def writer_settings(spec: RunSpec) -> ChatSettings:
    """Return how a model with an encoder writes about a file."""
    return ChatSettings(max_tokens=MOST_WRITTEN, spec=spec)


def expect_answers(test: FolderTest) -> None:
    """Raise BadInput where no file has a true answer."""
    if not test.data.labeled:
        what = f"Could not evaluate {clip(test.subject.path.name)}"
        hint = _HINT if test.data.table is None else _TABLE_HINT
        why: str = f"no true answers were found in {clip(test.data.place.name)}"
        names = test.subject.labels.names
        folders = data_set.folder_labels(test.data.place, test.data.paths)
        if names and folders and test.data.table is None:
            hint = _FOLDERS_HINT
            why = Sentence(
                "the subfolders of {folder} ({first}, ...) are not named after classes of the "
                "model ({name}, ...)",
                folder=clip(test.data.place.name), first=clip(folders[0]), name=clip(names[0]),
            )  # fmt: skip
        raise BadInput(what, test.data.problem or why, hint)


def text_in(subject: Subject, place: Path) -> TextSettings | None:
    """Return the text in a file, or in the .txt files of a folder, that a language model is
    scored with; None for a folder and another model. Raises UnreadableFile, BadInput: it is a
    file, and the model writes no text."""
    is_folder, why = files.is_folder(place), why_no_text(subject.model)
    if tables.is_table(place):
        return None
    if why or subject.tokenizer is None:
        if not is_folder and files.exists(place):
            what = f"Could not evaluate {clip(subject.path.name)} on {clip(place.name)}"
            why = "only a language model with a tokenizer is evaluated on a text"
            raise BadInput(what, why, "Pass a folder of inputs, or a table, with --test.")
        return None
    if not is_folder:
        return TextSettings.of(place, whole=True)
    texts = sorted(place.rglob("*.txt"))
    if not texts:
        raise UnreadableFile(f"Could not read the folder {clip(place.name)}", _NO_TEXTS)
    return TextSettings("\n\n".join(map(read_text, texts)), place.name, whole=True)


def metric_of_text(quality: Quality) -> Metric | None:
    """Return the perplexity of a model; of two, that of the one that is compared with the
    first. None where the logits are not finite."""
    own = quality.other if quality.against else quality.perplexity
    if own is None:
        return None
    if not quality.against or quality.ratio is None or quality.perplexity is None:
        return Metric("perplexity", "Perplexity", own, quality.tokens)
    base, ratio = quality.perplexity, quality.ratio
    change = Estimate(*(base.value * (end - 1) for end in (ratio.value, ratio.low, ratio.high)))
    return Metric("perplexity", "Perplexity", own, quality.tokens, base, change)


def result_of(
    test: FolderTest, found: Sequence[Row], comparison: ModelComparison | None, against: str
) -> FolderResult:
    """Return what the rows come to. comparison: that judged the outputs of the other run;
    against: the other run as text."""
    subject, verdict = test.subject, None
    if comparison is not None and comparison.inputs:
        verdict = comparison.verdict(TEST_DATA)
    notes: list[str] = [each for each in (test.note, test.data.problem) if each]
    notes += [Sentence("assumed: {text}", text) for text in sorted(test.assumed)]
    unknown = _unknown_classes(found)
    if unknown:
        notes.append(unknown)
    if test.data.source:
        notes.append(Sentence("true answers from {source}", Name(test.data.source)))
    return FolderResult(
        subject.model.name, found, subject.labels.names, against, verdict, notes,
        folder.metrics_of(found), test.data.unlabeled, test.data.noun,
    )  # fmt: skip


def _unknown_classes(found: Sequence[Row]) -> Sentence | str:
    """Return which classes of true masks the model does not have; "" where it has all, or
    nobody knows its classes."""
    masks = [row.result for row in found if isinstance(row.result, MaskResult)]
    count = max((each.classes for each in masks), default=0)
    numbers = {int(number) for each in masks for number in np.flatnonzero(each.true)}
    others = sorted(number for number in numbers if number >= count)
    if not count or not others:
        return ""
    shown = ", ".join(map(str, others[:_MOST_CLASSES])) + ", ..." * (
        len(others) > _MOST_CLASSES
    )
    template = (
        "true masks have classes beyond the {count} of the model ({numbers}): each counts with "
        "an IoU of 0"
    )
    return Sentence(template, count=count, numbers=shown)


class Against(Struct, frozen=True, eq=False):
    """A second run of each file, and what judges its outputs.

    once: runs it. theirs: the other model, where it is another one; it gets each file as it
    wants it. answer: in place of one run, as of `FolderTest`. comparison: None of texts.
    """

    once: Predict
    theirs: Subject | None = None
    comparison: ModelComparison | None = None
    answer: Callable[[Path], Prediction] | None = None


def judge_of(test: FolderTest) -> ModelComparison:
    """Return what judges the outputs of a second run over all files."""
    subject = test.subject
    for path in test.data.paths:
        with suppress(InspectorError):  # its row will say why
            feeds = test.fed(path).feeds()
            return comparison_of(subject.path, subject.model, feeds, subject.labels.names)
    return ModelComparison()


def rows(test: FolderTest, once: Predict, against: Against | None = None) -> Iterator[Row]:
    """Yield what the model says of each file; what cannot be answered is a row that says why.

    Raises Cancelled.
    """

    def first(path: Path) -> Prediction:
        if test.answer is not None:
            return test.answer(path)
        return answer(test.fed(path), once)

    if against is None:
        yield from folder.rows(test.data, first, test.meaning, test.truth)
        return
    their_test = test if against.theirs is None else test.of(against.theirs)
    comparison = against.comparison

    def second(path: Path) -> Prediction:
        if against.answer is not None:
            return against.answer(path)
        return answer(their_test.fed(path), against.once)

    def both(path: Path, one: Prediction, two: Prediction) -> None:
        if comparison is None:
            return
        repeated = comparison.inputs < _REPEATS
        comparison.add(one.outputs, two.outputs, path.name)
        if repeated:
            comparison.add_repeat(one.outputs, first(path).outputs)

    yield from folder.rows(
        test.data, first, test.meaning, test.truth, second, both, their_test.meaning,
        their_test.truth,
    )  # fmt: skip
