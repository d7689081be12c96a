"""Two models that are compared: what the view of their differences and the session observe."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, structs
from PySide6.QtCore import QObject, Signal

from inspector.errors import Cancelled, InspectorError
from inspector.platform import files
from inspector.ui import units
from inspector.ui.background import TaskRunner
from inspector.ui.translate import tr

if TYPE_CHECKING:  # numpy comes with the first comparison
    from inspector.comparison.measured_pair import MeasuredPair
    from inspector.comparison.model_changes import ModelDiff
    from inspector.model.model import Model
    from inspector.preview.runs.folder import Summary
    from inspector.preview.runs.parity import OutputParity
    from inspector.report.language.quality import Quality
    from inspector.report.output_verdict import OutputVerdict
    from inspector.ui.documents.pair_results import PairResults


class ComparedModel(Struct, frozen=True, eq=False):
    """One of two models: its file, and its content if that was read already.

    lasting: whether the file stays after the window is closed, unlike one out of an archive.
    title: the name that is shown, where that of the file says nothing.
    """

    path: Path
    model: "Model | None" = None
    lasting: bool = True
    title: str = ""

    @property
    def name(self) -> str:
        """Return the name of the file, or what is shown instead."""
        return self.title or self.path.name


class DiffDocument(QObject):
    """Compares two models in the background, and again if one is replaced.

    diff: None until `compared`, and while another pair is being compared. proof: what Improve
    measured of the first pair. restored: whether results are those of an earlier session.
    """

    changed = Signal()  # other models, or the same again
    results_changed = Signal()
    compared = Signal()
    failed = Signal(object)  # InspectorError

    def __init__(
        self, first: ComparedModel, other: ComparedModel, proof: "MeasuredPair | None" = None
    ) -> None:
        super().__init__()
        self.sides = first, other
        self.proof, self._proved = proof, (first.path, other.path)
        self.diff: ModelDiff | None = None
        self.restored = False
        self._results: PairResults | None = None
        self._opened = _pairs().now()
        self._jobs, self._turn, self._closed = TaskRunner(self), 0, False

    path = None  # it is in no file of its own

    @property
    def name(self) -> str:
        """Return the name shown in the window."""
        names = [
            units.clip(side.name.removesuffix(side.path.suffix), 60) for side in self.sides
        ]
        if names[0] == names[1]:
            names = [units.clip(str(Path(s.path.parent.name, s.name)), 60) for s in self.sides]
        else:
            names[1] = _rest(*names)
        return tr("{first} and {other}").format(first=names[0], other=names[1])

    @property
    def measured(self) -> "MeasuredPair | None":
        """Return what Improve measured of the two models; None if it did not."""
        paths = tuple(side.path for side in self.sides)
        if self.proof is None or paths == self._proved:
            return self.proof
        return self.proof.swapped if paths == self._proved[::-1] else None

    @property
    def results(self) -> "PairResults | None":
        """Return outputs and accuracy of the two models; None where nothing was compared, or a
        file changed since."""
        known = self._results
        return known if known is not None and known.versions == self._versions() else None

    def keep(
        self,
        outputs: "tuple[OutputParity, ...] | None",
        chosen_input: bool,
        folder: "tuple[Path, Summary] | None",
        measured_here: bool,
        verdict: "OutputVerdict | None" = None,
    ) -> None:
        """Keep what was compared, also for the next session.

        measured_here: whether the models were measured in this comparison, which replaces what
        Improve measured. verdict: on the outputs.
        """
        if measured_here:
            self.proof = None
        place, counts = ("", None) if folder is None else (str(folder[0]), folder[1])
        known = self.results
        if known is not None and outputs is known.outputs and counts is known.counts:
            return
        self.restored, self._results = (
            False,
            _pairs()(
                self._versions(),
                _pairs().now(),
                outputs,
                chosen_input,
                place,
                counts,
                verdict=verdict,
                quality=known.quality if known is not None else None,
            ),
        )
        self.results_changed.emit()

    def keep_quality(self, quality: "Quality") -> None:
        """Keep how well both language models predict a text, also for the next session."""
        known = self.results or _pairs()(self._versions(), _pairs().now())
        if known.quality != quality:
            self._results = replace(known, quality=quality)
            self.results_changed.emit()

    def saved_results(self) -> str:
        """Return the results as JSON for `restore_results`; "" where there are none."""
        known, proof = self.results, self.measured
        if known is None and proof is None:
            return ""
        known = known or _pairs()(self._versions(), self._opened)
        return replace(known, proof=proof).json_text()

    def restore_results(self, text: str) -> None:
        """Show what an earlier session compared, unless a file changed since."""
        known = _pairs().read(text) if text and self._results is None else None
        if known is None or known.versions != self._versions():
            return
        self.restored, self._results = True, known
        if self.proof is None and known.proof is not None:
            self.proof, self._proved = known.proof, (self.sides[0].path, self.sides[1].path)
        self.results_changed.emit()

    def _versions(self) -> tuple[tuple[int, int] | None, ...]:
        states = (files.state(side.path) for side in self.sides)
        return tuple(state and (state[1], state[2]) for state in states)

    @property
    def lasting(self) -> bool:
        """Return whether it can be opened again after a restart."""
        return all(side.lasting for side in self.sides)

    def swap(self) -> None:
        """Compare the other way round."""
        self.replace(self.sides[1], self.sides[0])

    def replace(self, first: ComparedModel, other: ComparedModel) -> None:
        """Compare two other models."""
        self.sides = first, other
        self.changed.emit()
        self.compare()

    def reload(self) -> None:
        """Read both files again and compare them."""
        first, other = (structs.replace(side, model=None) for side in self.sides)
        self.replace(first, other)

    def compare(self) -> None:
        """Start comparing; `compared` or `failed` follows, for the last of several requests."""
        self._turn += 1
        self.diff = None
        turn, sides = self._turn, self.sides

        def stop_if_old(_: float) -> None:
            if self._closed or turn != self._turn:
                raise Cancelled(tr("Stopped"))

        def show(result: "ModelDiff") -> None:
            if turn == self._turn and not self._closed:
                self.sides = (
                    structs.replace(sides[0], model=result.first),
                    structs.replace(sides[1], model=result.other),
                )
                self.diff = result
                self.compared.emit()

        def fail(error: InspectorError) -> None:
            if turn == self._turn and not isinstance(error, Cancelled):
                self.failed.emit(error)

        self._jobs.start(lambda: _pairs().compare(sides[0], sides[1], stop_if_old), show, fail)

    def close(self) -> None:
        """Stop reading weights."""
        self._closed = True


def _pairs() -> "type[PairResults]":
    # numpy comes with the first comparison, not with the first window
    from inspector.ui.documents.pair_results import PairResults

    return PairResults


def _rest(first: str, other: str) -> str:
    """Return what tells the second name from the first: 'net_int8' beside 'net_float32' is
    'int8'."""
    pairs = enumerate(zip(first, other, strict=False))
    same = next((n for n, (a, b) in pairs if a != b), min(len(first), len(other)))
    if same == len(first) and other[same : same + 1] in tuple("_-. "):
        return other[same + 1 :]
    cut = max(first[:same].rfind(sign) for sign in "_-. ") + 1
    return other[cut:] if 0 < cut < len(other) and cut < len(first) else other
