"""One input run in two ways, and how far the outputs differ."""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from inspector.app.predict import answer
from inspector.app.subjects import Subject
from inspector.backends.machine import int8_notes
from inspector.errors import Cancelled, InspectorError
from inspector.model.tensors.prediction import Prediction
from inspector.preview.families.output_structure import of_model
from inspector.preview.inputs.feeds import Filled, feeds_by_name, input_kind
from inspector.preview.inputs.guessed_axes import noted
from inspector.preview.runs import parity, step_by_step
from inspector.preview.runs.model_comparison import comparison_of
from inspector.preview.runs.parity import OutputParity
from inspector.preview.runs.steps import Predict
from inspector.report.output_verdict import OutputVerdict

OWN_INPUTS = (
    "the other model takes other types or shapes of inputs, filled from the same values"
)


class Compared(Struct, frozen=True, eq=False):
    """Two answers to one input.

    second: None where the second way failed, and `error` says why. outputs: each output of
    both. notes: how the inputs were made to fit, and what explains differences.
    """

    first: Prediction
    second: Prediction | None
    outputs: tuple[OutputParity, ...] = ()
    verdict: OutputVerdict | None = None
    notes: tuple[str, ...] = ()
    error: InspectorError | None = None


def compare(
    subject: Subject,
    once: Predict,
    other: Predict,
    theirs: Callable[[], Subject] | None = None,
    filled: tuple[Filled, ...] | None = None,
) -> Compared:
    """Run a model twice in one way and once in another, and compare.

    once, other: run it. theirs: opens the other model, without inputs, where it is another one.
    filled: the inputs, where they are filled already. Raises InspectorError: the first failed;
    Cancelled.
    """
    memory = subject.stepping.memory
    ran = subject.run(lambda made: step_by_step.answer(once, made, memory), filled)
    first = noted(ran.result, ran.note)
    again = step_by_step.answer(once, ran.filled, memory)
    try:
        opened = None if theirs is None else theirs()
        second, notes = _second(subject, other, opened, ran.filled)
    except Cancelled:
        raise
    except InspectorError as error:
        return Compared(first, None, error=error)
    names, feeds = subject.labels.names, feeds_by_name(ran.filled)
    comparison = comparison_of(subject.path, subject.model, feeds, names)
    comparison.add(first.outputs, second.outputs)
    comparison.add_repeat(first.outputs, again.outputs)
    verdict = comparison.verdict(input_kind(ran.filled))
    structure = of_model(subject.model)
    outputs = parity.outputs(first.outputs, second.outputs, names, structure)
    if any(output.differs for output in outputs):
        sides = ((subject.model, first), ((opened or subject).model, second))
        notes = (
            *notes,
            *comparison.notes,
            *int8_notes((model, side.devices) for model, side in sides),
        )
    return Compared(first, second, outputs, verdict, notes)


def _second(
    subject: Subject, other: Predict, theirs: Subject | None, filled: tuple[Filled, ...]
) -> tuple[Prediction, tuple[str, ...]]:
    """Return the prediction of the second run, and notes on its inputs.

    Another model gets the same tensors by name or place; where it takes other ones, they are
    made anew of the same values, as it wants them. Raises InspectorError.
    """
    if theirs is None:
        return step_by_step.answer(other, filled, subject.stepping.memory), ()
    renamed = parity.for_model(filled, theirs.model.inputs)
    if renamed is not None:
        layout = parity.layout_note(filled, renamed)
        notes = (layout,) if layout else ()
        return step_by_step.answer(other, renamed, theirs.stepping.memory), notes
    given = parity.values_for(subject.given, subject.model.inputs, theirs.model.inputs)
    own = {
        name: replace(value, name=name) if isinstance(value, Filled) else value
        for name, value in given.items()
    }
    return answer(theirs.with_given(own), other), (OWN_INPUTS,)
