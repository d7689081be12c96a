"""Agreement of the outputs of several models with those of the first."""

from collections.abc import Mapping, Sequence
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import Cancelled, InspectorError
from inspector.experiments.runner import sentence
from inspector.experiments.subjects import LengthGuesses, Subject, filled
from inspector.model.tensors.difference import difference
from inspector.model.tensors.prediction import Prediction
from inspector.preview.inputs.feeds import ImageOptions, feeds_by_name
from inspector.report.run_spec import RunSpec
from inspector.report.sweep import Agreement

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
