"""Agreement of the outputs of several models with those of the first, and of one network in
two formats."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from inspector.engine.client.engine_process import EngineProcess
from inspector.engine.client.report_completion import coarsest
from inspector.errors import Cancelled, InspectorError
from inspector.experiments.runner import sentence
from inspector.experiments.subjects import LengthGuesses, Subject, filled
from inspector.model.model import Model
from inspector.model.tensors.agreement import CheckedOutput, summary_text
from inspector.model.tensors.difference import difference
from inspector.model.tensors.prediction import Prediction
from inspector.preview.inputs.feeds import ImageOptions, feeds_by_name
from inspector.preview.runs import parity
from inspector.report.run_spec import RunSpec
from inspector.report.sweep import Agreement
from inspector.units import clip

Array = NDArray[np.generic]


def agreements(
    engine: EngineProcess,
    models: Sequence[Subject],
    spec: RunSpec,
    values: Mapping[str, str],
    cast: bool = False,
    guesses: LengthGuesses | None = None,
) -> tuple[Agreement, ...]:
    """Predict once with each model on the same inputs, and compare with the first.

    A model that fails costs its own answer. guesses: lengths for models that fail with the
    default ones. Raises Cancelled.
    """
    guesses = guesses or LengthGuesses(engine)
    answers: list[tuple[Array | None, ...] | str] = []
    for subject in models:

        def work(guessed: Mapping[str, int], subject: Subject = subject) -> Prediction:
            image = ImageOptions.of(subject.model, cast)
            feeds = feeds_by_name(filled(subject, spec, values, image, guessed))
            return engine.predict(subject.path, spec, feeds)

        try:
            prediction = guesses.run(subject.path, subject.model, spec, values, work)
            answers.append(tuple(output.array for output in prediction.outputs))
        except Cancelled:
            raise
        except InspectorError as error:
            answers.append(sentence(error))
    first = answers[0] if answers else ""
    return tuple(_against(first, answer) for answer in answers)


def _against(
    first: tuple[Array | None, ...] | str, other: tuple[Array | None, ...] | str
) -> Agreement:
    if isinstance(first, str) or isinstance(other, str):
        return Agreement(why=other if isinstance(other, str) else str(first))
    if len(first) != len(other):
        return Agreement(why="The models have different numbers of outputs.")
    pairs = [
        (a, b) for a, b in zip(first, other, strict=True) if a is not None and b is not None
    ]
    if not pairs:
        return Agreement(why="None of the outputs is a tensor.")
    differences = [difference(a, b) for a, b in pairs]
    problem = next((each.problem for each in differences if each.problem), "")
    if problem:
        return Agreement(why=problem)
    psnr_values = [each.psnr_db for each in differences if each.psnr_db is not None]
    tops = [each.top1 for each in differences if each.top1 is not None]
    least = min(psnr_values, default=None)
    return Agreement(
        psnr=least if least is not None and isfinite(least) else None,
        equal=all(each.unequal == 0 for each in differences),
        same_top=all(top == 1 for top in tops) if tops else None,
    )


@dataclass(frozen=True, slots=True)
class FormatAgreement:
    """Whether one network gives the same outputs in two formats.

    outputs: the other's outputs compared with those of the first. why: they could not be
    compared. assumed: how inputs and outputs were brought together, as sentences.
    """

    outputs: tuple[CheckedOutput, ...] = ()
    why: str = ""
    assumed: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """Return whether they agree, how far they are apart and what was assumed."""
        over = [each for each in self.outputs if each.over]
        if self.why:
            text = f"Whether their outputs agree is unknown: {self.why}"
        elif problem := next(filter(None, (_problem(each) for each in over)), ""):
            text = f"Their outputs differ. {problem}"
        elif over:
            text = f"Their outputs differ beyond the tolerance: {summary_text(over)}."
        else:
            text = f"Their outputs agree: {summary_text(self.outputs)}."
        return " ".join((text, *self.assumed))


def _problem(output: CheckedOutput) -> str:
    return "" if output.difference is None else output.difference.problem


def format_agreement(
    model: Model, other_model: Model, first: Prediction, other: Prediction, note: str = ""
) -> FormatAgreement:
    """Compare the outputs of one network in two formats, by name, or else by position.

    note: on their inputs.
    """
    pairs = parity.outputs(first.outputs, other.outputs)
    least = max(coarsest(model), coarsest(other_model))
    by_name = {output.name: output for output in (*other.outputs, *first.outputs)}
    checked, assumed = list[CheckedOutput](), [note] if note else []
    for pair in pairs:
        found = pair.difference
        if found is None and (pair.problem or pair.not_compared):
            name = clip(pair.name, 60)
            why = f"output '{name}': {pair.problem or pair.not_compared}."
            return FormatAgreement(why=why, assumed=tuple(assumed))
        if found is not None:
            dtypes = by_name[pair.name].dtype, by_name[pair.other].dtype
            found = replace(found, reference_dtype=dtypes[0], other_dtype=dtypes[1])
        checked.append(CheckedOutput(pair.name, found, least))
    if not any(each.difference for each in checked):
        return FormatAgreement(why="none of the outputs is a tensor.", assumed=tuple(assumed))
    if any(pair.name != pair.other for pair in pairs):
        assumed.append("Outputs have other names and were compared by position.")
    moved = [f"'{clip(pair.other, 60)}'" for pair in pairs if pair.axes]
    if moved:
        assumed.append(f"Channels of output {', '.join(moved)} were moved to fit.")
    return FormatAgreement(tuple(checked), "", tuple(assumed))
