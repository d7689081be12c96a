"""The model family in the output of predict: preprocessing, result, assumptions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inspector import units

if TYPE_CHECKING:
    from inspector.cli.arguments import ModelRequest
    from inspector.model.tensors.prediction import OutputValue, Prediction
    from inspector.preview.families.family_answers import FamilyAnswer
    from inspector.preview.inputs.audio_windows import Stepping
    from inspector.preview.inputs.feeds import Filled
    from inspector.preview.runs.steps import Predict


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """A prediction with its family's answer; of other preprocessing where the guess failed.

    retried: what was tried automatically, as text; empty if nothing was. doubt: why the class
    of a text is unsure; empty where nothing speaks against it.
    """

    request: "ModelRequest"
    filled: "tuple[Filled, ...]"
    prediction: "Prediction"
    answer: "FamilyAnswer | None"
    retried: str = ""
    doubt: str = ""


def outcome(
    request: "ModelRequest",
    filled: "tuple[Filled, ...]",
    prediction: "Prediction",
    once: "Predict",
    fixed: bool,
) -> Outcome:
    """Read a prediction as its family's, after other preprocessing where it says nothing.

    fixed: somebody chose the preprocessing, so that no other is tried.
    """
    from inspector.preview.families import alternatives, family_answers
    from inspector.preview.families.family_table import recognize
    from inspector.preview.inputs import audio, feeds, tokens
    from inspector.preview.runs import step_by_step

    family = recognize(request.model)
    sounds = [
        name
        for name, value in request.given.items()
        if Path(value).suffix.lower() in audio.SUFFIXES and name not in request.kept.sounds
    ]
    tried = "" if fixed else _missing_tokenizer(request)

    def predict(stepping: "Stepping") -> "Prediction":
        own = replace(request, stepping=stepping).filled()
        return step_by_step.answer(once, own, stepping.memory)

    pace = feeds.pace(filled, request.stepping)
    if not fixed and sounds and pace.steps <= alternatives.MOST_STEPS:
        result = alternatives.retry(
            request.model, family, prediction, request.stepping, sounds, predict
        )
        if result is not None:
            tried = result.text
            if result.preprocessing is not None and result.prediction is not None:
                request = replace(request, stepping=result.preprocessing)
                filled, prediction = request.filled(), result.prediction
    doubt = _doubt(request, prediction, once)
    if family is None:
        return Outcome(request, filled, prediction, None, tried, doubt)
    answer = family_answers.read(
        family,
        prediction.outputs,
        feeds.feeds_by_name(filled),
        tokens.vocabulary(request.tokenizer),
        request.labels,
        alternatives.sound_rate(request.model),
    )
    return Outcome(request, filled, prediction, answer, tried, doubt)


def _doubt(request: "ModelRequest", prediction: "Prediction", once: "Predict") -> str:
    from inspector.preview.families.output_structure import of_model
    from inspector.preview.runs import step_by_step, text_evidence

    given = text_evidence.given_text(request.model, request.given)
    if given is None:
        return ""
    info, text = given

    def answer(other: str) -> "Sequence[OutputValue]":
        values = {**request.given, info.name: f"text:{other}"}
        filled = request.filled(values)
        return step_by_step.answer(once, filled, request.stepping.memory).outputs

    structure = of_model(request.model)
    outputs, labels = prediction.outputs, request.labels
    return text_evidence.doubt(info, text, outputs, labels, structure, answer)


def _missing_tokenizer(request: "ModelRequest") -> str:
    from inspector.preview.families import alternatives

    given = tuple(request.given)
    return alternatives.missing_tokenizer_note(
        request.model, given, request.tokenizer is not None
    )


def lines(found: Outcome) -> list[str]:
    """Return the family's name and preprocessing, its result, then notes."""
    answer, output = found.answer, []
    if answer is not None:
        family = answer.family
        output = ["", f"recognized as {family.name}: {family.preprocessing}"]
        output += [f"     {units.clip(line, 200)}" for line in answer.lines]
        output += [f"note: assumed: {'; '.join(answer.assumed)}"] if answer.assumed else []
    if found.retried:
        output.append(f"note: {found.retried}")
    elif answer is not None and answer.flat:
        output.append(f"note: the result is not meaningful: {answer.flat}")
    output += [f"note: {found.doubt}"] if found.doubt else []
    return output


def as_json(found: Outcome) -> dict[str, Any]:
    """Return the family, null where none was recognized, and what was tried."""
    answer = found.answer
    if answer is None:
        return {"family": None, "retried": found.retried, "doubt": found.doubt}
    family = answer.family
    body = {
        "key": family.key,
        "name": family.name,
        "preprocessing": family.preprocessing,
        "source": family.source,
        "assumed": answer.assumed,
        "answer": answer.values,
        "flat": answer.flat,
    }
    return {"family": body, "retried": found.retried, "doubt": found.doubt}


def chosen(options: Any) -> bool:
    """Return whether somebody chose how sounds are cut."""
    names: Sequence[str] = ("window", "hop", "context", "rate")
    return any(getattr(options, name) is not None for name in names)
