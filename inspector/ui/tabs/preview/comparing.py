"""Run an input in two configurations; on a thread, no widget."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec import Struct

from inspector.app.parity import Compared, compare
from inspector.app.subjects import Subject
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.outputs import results
from inspector.preview.outputs.results import ShownImage
from inspector.preview.runs import parity
from inspector.preview.runs.other_run import OtherRun
from inspector.preview.runs.parity import OutputParity
from inspector.preview.runs.steps import Predict
from inspector.ui.tabs.preview.fill_inputs import Filling


class OutputPair(Struct, frozen=True, eq=False):
    """One output of both answers: its facts, where they differ, and both as pictures where
    they are some."""

    parity: OutputParity
    heat: ShownImage | None
    first: ShownImage | None
    second: ShownImage | None


class RunComparison(Struct, frozen=True, eq=False):
    """Two answers to one input, with what there is to show of each output."""

    own: str  # name of the model
    against: OtherRun
    compared: Compared
    sides: tuple[OutputPair, ...] = ()


def compare_runs(
    once: Predict, other: Predict, against: OtherRun, subject: Subject, filling: Filling
) -> RunComparison:
    """Answer in both ways. Raises InspectorError: the first failed; Cancelled."""
    theirs: Callable[[], Subject] | None = None
    if against.model:
        theirs = partial(Subject.as_saved, Path(against.model), subject.spec)
    compared = compare(subject, once, other, theirs, filling.filled)
    second = {} if compared.second is None else {o.name: o for o in compared.second.outputs}
    pairs = zip(compared.first.outputs, compared.outputs, strict=False)
    sides = tuple(_output_pair(one, second.get(pair.other), pair) for one, pair in pairs)
    return RunComparison(subject.model.name, against, compared, sides)


def _output_pair(one: OutputValue, two: OutputValue | None, pair: OutputParity) -> OutputPair:
    if two is None or one.array is None or two.array is None:
        return OutputPair(pair, None, None, None)
    alike = all(results.IMAGE in results.read(output) for output in (one, two))
    pictures = (results.image_of(one), results.image_of(two)) if alike else (None, None)
    # The table says all of scores of classes: squares without names would say less.
    heat = (
        None if any(pair.best) else parity.heat(one.array, parity.moved(two.array, pair.axes))
    )
    return OutputPair(pair, heat, *pictures)
