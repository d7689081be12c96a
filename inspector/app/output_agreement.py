"""Agreement of the outputs of several models with those of the first, and of one network in
two formats."""

from collections.abc import Sequence
from math import isfinite

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.analysis.verdicts.outputs import sentence as verdict_sentence
from inspector.app.runner import sentence
from inspector.app.subjects import LengthGuesses, Subject
from inspector.engine.client.engine import Engine
from inspector.errors import BadInput, Cancelled, InspectorError
from inspector.model.model import Model
from inspector.model.tensors.difference import difference
from inspector.model.tensors.element_types import Fed
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.preview.inputs.feeds import Filled, feeds_by_name, input_kind
from inspector.preview.runs import parity
from inspector.preview.runs.model_comparison import ModelComparison, comparison_of
from inspector.preview.runs.parity import OutputParity
from inspector.preview.runs.steps import Predict
from inspector.report.output_verdict import OutputVerdict
from inspector.report.run_spec import RunSpec
from inspector.report.sweep import Agreement
from inspector.units import clip

Array = NDArray[np.generic]


class _Answers(Struct, frozen=True):
    """The outputs of a model, of a second run on the same inputs, and the inputs."""

    outputs: tuple[OutputValue, ...]
    again: tuple[OutputValue, ...]
    filled: tuple[Filled, ...]


def agreements(
    engine: Engine,
    models: Sequence[Subject],
    spec: RunSpec,
    guesses: LengthGuesses | None = None,
) -> tuple[Agreement, ...]:
    """Predict with each model on the same inputs, and judge the outputs beside the first's.

    Tensors at hand are left out, since only the first model has them. A model that fails costs
    its own answer. guesses: lengths for models that fail with the default ones.

    Raises Cancelled.
    """
    guesses = guesses or LengthGuesses(engine)
    answers: list[_Answers | str] = []
    for subject in models:

        def work(one: Subject) -> _Answers:
            inputs = one.filled()
            feeds = feeds_by_name(inputs)
            first = engine.predict(one.path, spec, feeds).outputs
            # Only of the first it matters whether it repeats its outputs.
            again = first if answers else engine.predict(one.path, spec, feeds).outputs
            return _Answers(first, again, inputs)

        try:
            answers.append(guesses.run(subject.with_given(subject.texts).at(spec), work))
        except Cancelled:
            raise
        except InspectorError as error:
            answers.append(sentence(error))
    first = answers[0] if answers else ""
    return tuple(
        _against(models[0], first, answer, place) for place, answer in enumerate(answers)
    )


def _against(
    subject: Subject, first: _Answers | str, other: _Answers | str, place: int
) -> Agreement:
    if isinstance(first, str) or isinstance(other, str):
        return Agreement(why=other if isinstance(other, str) else str(first))
    if len(first.outputs) != len(other.outputs):
        return Agreement(why="The models have different numbers of outputs.")
    pairs = [
        (a.array, b.array)
        for a, b in zip(first.outputs, other.outputs, strict=True)
        if a.array is not None and b.array is not None
    ]
    if not pairs:
        return Agreement(why="None of the outputs is a tensor.")
    verdict = _verdict(subject, first, other) if place else None
    differences = [difference(a, b) for a, b in pairs]
    problem = next((each.problem for each in differences if each.problem), "")
    if problem:
        return Agreement(why=problem, verdict=verdict)
    psnr_values = [each.psnr_db for each in differences if each.psnr_db is not None]
    tops = [each.top1 for each in differences if each.top1 is not None]
    least = min(psnr_values, default=None)
    return Agreement(
        psnr=least if least is not None and isfinite(least) else None,
        equal=all(each.unequal == 0 for each in differences),
        same_top=all(top == 1 for top in tops) if tops else None,
        verdict=verdict,
    )


def _verdict(subject: Subject, first: _Answers, other: _Answers) -> OutputVerdict:
    feeds = feeds_by_name(first.filled)
    comparison = comparison_of(subject.path, subject.model, feeds)
    comparison.add(first.outputs, other.outputs)
    comparison.add_repeat(first.outputs, first.again)
    return comparison.verdict(input_kind(first.filled))


class FormatAgreement(Struct, frozen=True):
    """Whether one network gives the same outputs in two formats.

    verdict: on the other's outputs beside those of the first; None where they could not be
    compared, and why. assumed: how inputs and outputs were brought together, as sentences.
    outputs: how far each is from that of the first.
    """

    verdict: OutputVerdict | None = None
    why: str = ""
    assumed: tuple[str, ...] = ()
    outputs: tuple[OutputParity, ...] = ()

    @property
    def sentence(self) -> str:
        """Return whether they agree, and what was assumed."""
        if self.verdict is None:
            text = f"Whether their outputs agree is unknown: {self.why}"
        else:
            text = verdict_sentence(self.verdict)
        return " ".join((text, *self.assumed))


def format_agreement(
    comparison: ModelComparison,
    first: Prediction,
    other: Prediction,
    again: Prediction,
    input_kind: str,
    note: str = "",
) -> FormatAgreement:
    """Compare the outputs of two models on the same inputs, by name, or else by position.

    comparison: of the first one's outputs, without an input yet. again: the first one's second
    run. note: on their inputs, which are of input_kind.
    """
    pairs = parity.outputs(first.outputs, other.outputs)
    assumed = [note] if note else []
    comparison.add(first.outputs, parity.fitted(other.outputs, pairs))
    comparison.add_repeat(first.outputs, again.outputs)
    if any(pair.name != pair.other for pair in pairs):
        assumed.append("Outputs have other names and were compared by position.")
    moved = [f"'{clip(pair.other, 60)}'" for pair in pairs if pair.axes]
    if moved:
        assumed.append(f"Channels of output {', '.join(moved)} were moved to fit.")
    return FormatAgreement(comparison.verdict(input_kind), "", tuple(assumed), pairs)


def output_agreement(
    subject: Subject, other: Model, once: Predict, second: Predict, hint: str = ""
) -> FormatAgreement:
    """Run two models on the inputs of the first, and compare their outputs.

    once, second: predict with the first and with the other. hint: what to do where the inputs
    of the other are too different. Raises BadInput for that, else what predictions raise.
    """
    filled = subject.filled()
    values, fitted = feeds_by_name(filled), _fitted_values(filled, other, hint)
    before, again = once(values), once(values)
    comparison = comparison_of(subject.path, subject.model, values)
    return format_agreement(comparison, before, second(fitted), again, input_kind(filled))


def _fitted_values(filled: Sequence[Filled], other: Model, hint: str) -> dict[str, Fed]:
    """Return the same values for another model's inputs, whose names, layout (channels first or
    last) and floating-point precision may differ."""
    fitted = parity.for_model(filled, other.inputs, cast=True)
    if fitted is None:
        why = (
            "the models have different numbers of inputs, or inputs of different shapes or "
            "types"
        )
        raise BadInput("Could not compare the outputs", why, hint)
    return feeds_by_name(fitted)
