"""Folders of inputs that a model is calibrated and tested with."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct, field

from inspector.app.changing.calibration import MOST_CALIBRATION, Feeds, NamedInput
from inspector.app.subjects import Subject
from inspector.errors import BadInput
from inspector.formats import opening
from inspector.preview.identity import class_count
from inspector.preview.runs import data_set, truths
from inspector.preview.runs.truths import Truth, Truths
from inspector.report.improvement import DataSet
from inspector.units import clip

Load = Callable[[Path], Feeds]
"""Reads the values of all inputs from a file of the folder."""


class TestInput(Struct, frozen=True):
    """One input: its file in the folder, and the true class if known.

    load: reads the values for the model, each time anew, since thousands of images do not fit
    into memory; raises BadInput, UnreadableFile. expected: reads a true answer that is no
    class.
    """

    file: str
    load: Callable[[], Feeds]
    truth: str = ""
    expected: Callable[[], Truth] | None = None


class InputFolder(Struct, frozen=True):
    """A folder of inputs: its files, their true answers, and the SHA-256 of each.

    truth: where true answers come from, as `data_set.read` takes it. unlabeled: why files have
    none, as there.
    """

    path: Path
    files: tuple[Path, ...]
    digests: Mapping[Path, str]
    truth: str = ""
    classes: Mapping[Path, str] = field(default_factory=dict)
    truths: Truths = field(default_factory=dict)
    unlabeled: str = ""

    @property
    def data(self) -> DataSet:
        """Return what a report says of it."""
        whole = hashlib.sha256("".join(sorted(self.digests.values())).encode()).hexdigest()
        return DataSet(str(self.path), len(self.files), whole, self.labeled)

    @property
    def labeled(self) -> int:
        """Return how many files have a true answer."""
        return sum(bool(self.classes.get(p)) or p in self.truths for p in self.files)

    def tests(self, subject: Subject, load: Load | None = None) -> list[TestInput]:
        """Return the files as inputs of a model. load: in place of what `Subject` does."""
        load = load or subject.feeds_of
        info = subject.file_input

        def expected(path: Path) -> Callable[[], Truth] | None:
            read = self.truths.get(path)
            return read and partial(truths.placed, read, path, info, subject.image)

        return [
            TestInput(
                data_set.relative_path(self.path, path),
                partial(load, path),
                self.classes.get(path, ""),
                expected(path),
            )
            for path in self.files
        ]

    def feeds(self, load: Load, most_bytes: int | None = None) -> Iterator[Feeds]:
        """Yield the values of each file. most_bytes: of all together."""
        count = 0
        for path in self.files:
            values = load(path)
            count += sum(getattr(value, "nbytes", 0) for value in values.values())
            if most_bytes is not None and count > most_bytes:
                return
            yield values


def read_calibration(subject: Subject, place: Path) -> InputFolder:
    """Read a folder to calibrate with: its first files. Raises UnreadableFile, BadInput."""
    files = data_set.files_in(place, subject.file_input)[:MOST_CALIBRATION]
    return InputFolder(place, files, digests(files))


def read_tests(subject: Subject, place: Path, truth: str = "") -> InputFolder:
    """Read a folder to test with, and the true answers. Raises UnreadableFile, BadInput."""
    names, count = subject.labels.names, class_count(subject.model)
    data = data_set.read(place, subject.file_input, truth, names, class_count=count)
    return InputFolder(
        place, data.paths, digests(data.paths), truth, data.classes, data.truths, data.unlabeled
    )


def named_inputs(subject: Subject, place: Path | None) -> tuple[NamedInput, ...]:
    """Return the files of a folder as inputs of a model; none without a folder."""
    return tuple(
        NamedInput(data_set.relative_path(place, path), partial(subject.feeds_of, path))
        for path in (data_set.files_in(place, subject.file_input) if place is not None else ())
        if place is not None
    )


def digests(files: Sequence[Path]) -> dict[Path, str]:
    """Return the SHA-256 of each file. Raises UnreadableFile."""
    return {path: opening.digest(path) for path in files}


def shared(calibration: Mapping[Path, str], test: Mapping[Path, str]) -> tuple[Path, ...]:
    """Return the test files that are calibration files, too, by their digests."""
    known = {*calibration.values()}
    return tuple(path for path, digest in test.items() if digest in known)


def check_disjoint(calibration: Mapping[Path, str], test: Mapping[Path, str]) -> None:
    """Raise BadInput if a file, by its digest, is used for both calibration and test."""
    for path in shared(calibration, test):
        why = f"'{clip(path.name, 60)}' is used for both calibration and testing"
        hint = "Use different files; otherwise, the accuracy would look better than it is."
        raise BadInput("Could not use these inputs", why, hint)
