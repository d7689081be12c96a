"""Inputs that candidates are calibrated and tested with, prepared as Preview does it."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec.structs import replace

from inspector.app.changing import data_sets
from inspector.app.changing.calibration import usual_values
from inspector.app.changing.data_sets import InputFolder, TestInput
from inspector.app.subjects import Subject, of_values
from inspector.engine.client.engine import Engine
from inspector.errors import Cancelled, InspectorError
from inspector.model.model import Model
from inspector.model.tensors.element_types import Fed
from inspector.preview.class_names import Labels
from inspector.preview.inputs.feeds import feeds_by_name
from inspector.preview.inputs.image import ImageOptions
from inspector.preview.outputs import labels as labels_module
from inspector.preview.preprocessing import saved
from inspector.preview.preprocessing.recipe import ImagePreprocessing
from inspector.report.run_spec import InputSource, RunSpec
from inspector.ui.documents.autosave import Autosave
from inspector.ui.documents.session_files import InputPlace
from inspector.ui.translate import tr

CALIBRATION = "calibration"  # what a folder is for
TEST = "test"
_CALIBRATION_BYTES = 512 << 20  # of all calibration inputs, which are in memory together


class Host(Protocol):
    """The part of a document that improving needs."""

    spec: RunSpec
    feeds: dict[str, Fed]
    sources: dict[str, InputSource]
    inputs: tuple[InputPlace, ...]
    class_names: labels_module.ClassNames | None
    digest: str
    autosave: Autosave

    @property
    def is_language_model(self) -> bool: ...  # noqa: D102


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

        truth: where true classes come from, as `data_sets.read_tests` takes it.
        """
        subject = self.subject()
        if purpose == TEST:
            return data_sets.read_tests(subject, path, truth)
        return data_sets.read_calibration(subject, path)

    def tests(self, held: InputFolder | None, engine: Engine) -> list[TestInput]:
        """Return the inputs of the test folder; without one, the present input of Preview."""
        if held is not None:
            subject = self.subject()
            return held.tests(subject, partial(self._feeds_of, subject))
        sample = feeds_by_name(usual_values(engine, self.present()).filled)
        return [TestInput(tr("the input in Preview"), lambda: sample)]

    def calibration(self, held: InputFolder | None) -> Iterable[Mapping[str, Fed]]:
        """Return inputs of the calibration folder, as many as memory should hold."""
        if held is None:
            return ()
        return held.feeds(partial(self._feeds_of, self.subject()), _CALIBRATION_BYTES)

    def subject(self) -> Subject:
        """Return the model with its preprocessing, lengths and class names of Preview."""
        document, kept = self._document, saved.load(self._path, self._model.metadata)
        pictures = dict(kept.pictures)
        for place in document.inputs:
            if place.kind == "picture" and place.settings:
                with suppress(msgspec.MsgspecError, InspectorError):
                    pictures[place.name] = msgspec.json.decode(
                        place.settings, type=ImagePreprocessing
                    )
        subject = Subject.of(self._path, self._model, document.spec)
        chosen = document.class_names
        own = Labels.of(self._model, self._path, kept)
        names = own if chosen is None else Labels(chosen.names)
        return replace(
            subject,
            dimensions={**kept.dimensions, **subject.dimensions},
            image=replace(ImageOptions.of(self._model), saved=tuple(pictures.items())),
            labels=names,
        ).with_assumed_labels()

    def present(self) -> Subject:
        """Return the model with the inputs of Preview: those that it ran with, else those that
        stand there. Raises UnreadableFile, BadInput."""
        document = self._document
        if document.feeds:
            feeds, sources = dict(document.feeds), dict(document.sources)
            return of_values(self._path, self._model, document.spec, feeds, sources)
        return self.subject().with_given({each.name: each.value for each in document.inputs})

    def _feeds_of(self, subject: Subject, path: Path) -> Mapping[str, Fed]:
        if self._stopped():
            raise Cancelled(tr("Stopped"))
        return subject.feeds_of(path)
