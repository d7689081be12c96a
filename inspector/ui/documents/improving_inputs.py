"""Inputs that candidates are calibrated and tested with, prepared as Preview does it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Protocol

import msgspec

from inspector.app.changing.calibration import MOST_CALIBRATION
from inspector.app.changing.improvement import TestInput
from inspector.app.subjects import LengthGuesses, Subject, at_hand
from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import Cancelled, InspectorError
from inspector.formats import opening
from inspector.model.model import Model
from inspector.model.tensors.element_types import Fed
from inspector.preview.identity import assumed_labels
from inspector.preview.inputs import feeds as inputs
from inspector.preview.inputs.image import ImageOptions
from inspector.preview.outputs import labels as labels_module
from inspector.preview.preprocessing import saved
from inspector.preview.preprocessing.recipe import ImagePreprocessing
from inspector.preview.runs import folder as folders
from inspector.preview.runs import truths
from inspector.preview.runs.truths import Truths
from inspector.report.improvement import DataSet
from inspector.report.run_spec import RunSpec
from inspector.ui.documents.autosave import Autosave
from inspector.ui.documents.session_files import InputPlace
from inspector.ui.translate import tr

CALIBRATION, TEST = "calibration", "test"  # what a folder is for
_CALIBRATION_BYTES = 512 << 20  # of all calibration inputs, which are in memory together


class Host(Protocol):
    """The part of a document that improving needs."""

    spec: RunSpec
    feeds: dict[str, Fed]
    inputs: tuple[InputPlace, ...]
    class_names: labels_module.ClassNames | None
    digest: str
    autosave: Autosave


@dataclass(frozen=True, slots=True)
class InputFolder:
    """A folder of inputs: its files, their true classes, and the SHA-256 of each.

    truth: where true classes come from, as `folders.truth` takes it.
    """

    path: Path
    files: tuple[Path, ...]
    truth: str = ""
    classes: Mapping[Path, str] = field(default_factory=dict)
    truths: Truths = field(default_factory=dict)
    digests: Mapping[Path, str] = field(default_factory=dict)

    @property
    def data(self) -> DataSet:
        """Return what a report says of it."""
        whole = sha256("".join(sorted(self.digests.values())).encode()).hexdigest()
        return DataSet(str(self.path), len(self.files), whole, self.labeled)

    @property
    def labeled(self) -> int:
        """Return how many files have a true answer."""
        return len(self.classes) + len(self.truths)


class InputMaker:
    """Makes inputs of a model from files, with the preprocessing of its document.

    stopped: whether to give up, asked before each file.
    """

    def __init__(
        self, document: Host, path: Path, model: Model, stopped: Callable[[], bool]
    ) -> None:
        self._document, self._path, self._model = document, path, model
        self._stopped = stopped

    def folder(self, purpose: str, path: Path, truth: str) -> InputFolder:
        """Read a folder for CALIBRATION or TEST. Raises UnreadableFile, BadInput.

        truth: where true classes come from, see `folders.truth`.
        """
        info = folders.input_for(self._model.inputs, ())
        paths = folders.files_in(path, info)
        classes: Mapping[Path, str] = {}
        others: Truths = {}
        if purpose == TEST:
            classes, others = truths.read(truth, path, paths, self.labels())
        else:
            paths = paths[:MOST_CALIBRATION]
        digests = {each: opening.digest(each) for each in paths}
        return InputFolder(path, paths, truth, classes, others, digests)

    def tests(self, held: InputFolder | None, engine: EngineProcess) -> list[TestInput]:
        """Return the inputs of the test folder; without one, the present input of Preview."""

        if held is None:
            sample = self._sample(engine)
            return [TestInput(tr("the input in Preview"), lambda: sample)]
        return [
            TestInput(
                folders.relative_path(held.path, path),
                partial(self._feeds_of, path),
                held.classes.get(path, ""),
                self._expected(held, path),
            )
            for path in held.files
        ]

    def _expected(self, held: InputFolder, path: Path) -> Callable[[], truths.Truth] | None:
        """Return what reads the true answer to an input; None where it is a class."""
        load = held.truths.get(path)
        if load is None:
            return None
        info = folders.input_for(self._model.inputs, ())
        return partial(truths.placed, load, path, info, self._image_options())

    def _sample(self, engine: EngineProcess) -> Mapping[str, Fed]:
        """Return the present inputs, and defaults for the rest with lengths that run."""

        spec, given = self._document.spec, dict(self._document.feeds)

        def work(subject: Subject) -> dict[str, Fed]:
            values = inputs.feeds_by_name(subject.filled())
            engine.predict(self._path, spec, values)
            return values

        subject = Subject.of(self._path, self._model, spec, at_hand(given))
        return LengthGuesses(engine).run(subject, work)

    def calibration(self, held: InputFolder | None) -> Iterable[Mapping[str, Fed]]:
        """Yield inputs of the calibration folder, as many as memory should hold."""
        taken = 0
        for path in held.files if held is not None else ():
            values = self._feeds_of(path)
            taken += sum(getattr(value, "nbytes", 0) for value in values.values())
            if taken > _CALIBRATION_BYTES:
                return
            yield values

    def _feeds_of(self, path: Path) -> Mapping[str, Fed]:
        """Return the inputs made of one file, prepared as Preview prepares them."""
        if self._stopped():
            raise Cancelled(tr("Stopped"))
        kept = saved.load(self._path, self._model.metadata)
        name = folders.input_for(self._model.inputs, ()).name
        lengths = {**kept.dimensions}
        lengths |= {each.name: each.size for each in self._document.spec.dimensions}
        return inputs.feeds_of_file(self._model, name, path, lengths, self._image_options())

    def _image_options(self) -> ImageOptions:
        """Return how pictures are prepared in Preview."""
        kept = saved.load(self._path, self._model.metadata)
        pictures = dict(kept.pictures)
        for place in self._document.inputs:
            if place.kind == "picture" and place.settings:
                with suppress(msgspec.MsgspecError, InspectorError):
                    pictures[place.name] = msgspec.json.decode(
                        place.settings, type=ImagePreprocessing
                    )
        return replace(ImageOptions.of(self._model), saved=tuple(pictures.items()))

    def labels(self) -> Sequence[str]:
        """Return the names of classes: those chosen, the model's, or that fit."""

        chosen = self._document.class_names
        if chosen is not None:
            return chosen.names
        known: Sequence[str] = labels_module.of_model(self._model)
        known = known or tuple(saved.load(self._path, self._model.metadata).labels)
        assumed = None if known else assumed_labels(self._model)
        return known or (assumed.read() if assumed is not None else ())
