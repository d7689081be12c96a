"""Whether the class of a text is called unsure by the answer itself."""

from collections.abc import Sequence

import numpy as np
import pytest

from inspector.errors import BadInput
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.families.output_structure import ModelStructure
from inspector.preview.runs import text_evidence

BYTES = TensorInfo("text", "tensor", "uint8", ("batch", "length"))
TOKENS = TensorInfo("input_ids", "tensor", "int64", ("batch", "length"))
LABELS = ("English", "German", "French")


def outputs(*shares: float) -> tuple[OutputValue, ...]:
    return (OutputValue("y", "tensor", "float32", np.array([shares], np.float32)),)


def doubt(
    info: TensorInfo, text: str, shares: Sequence[float], halves: dict[str, Sequence[float]]
) -> str:
    def answer(part: str) -> tuple[OutputValue, ...]:
        return outputs(*halves[part])

    found = outputs(*shares)
    return text_evidence.doubt(info, text, found, LABELS, ModelStructure(), answer)


SURE = {"ein schöner": (0, 1, 0), "Tag heute": (0.1, 0.9, 0)}


def test_a_class_that_parts_of_the_text_share_is_not_doubted():
    assert doubt(BYTES, "ein schöner Tag heute", (0.1, 0.9, 0), SURE) == ""


def test_a_class_that_is_hardly_ahead_is_unsure():
    said = doubt(TOKENS, "ein", (0.5, 0.4, 0.1), {})
    assert said == "the class is unsure: English is only 10 points ahead of German"
    assert doubt(TOKENS, "ein", (0.65, 0.35, 0), {}) == ""


@pytest.mark.parametrize("half", ["ein schöner", "Tag heute"])
def test_halves_with_other_classes_speak_against_the_whole(half):
    said = doubt(BYTES, "ein schöner Tag heute", (0, 1, 0), {**SURE, half: (1, 0, 0)})
    assert "half of the text gives English" in said or "second English" in said
    assert said.endswith("all of it German")


def test_tokens_have_their_own_evidence_and_short_texts_no_halves():
    assert doubt(TOKENS, "ein schöner Tag heute", (0, 1, 0), {}) == ""
    assert doubt(BYTES, "ein schöner Tag", (0, 1, 0), {}) == ""


def test_a_half_that_the_model_refuses_says_nothing():
    def refuse(_: str) -> tuple[OutputValue, ...]:
        raise BadInput("Could not run", "too short")

    found = outputs(0, 1, 0)
    said = text_evidence.doubt(BYTES, "a b c d", found, LABELS, ModelStructure(), refuse)
    assert said == ""


def test_numbers_without_classes_are_not_judged():
    found = outputs(0.31, -0.3, 4.5)
    structure = ModelStructure()
    assert text_evidence.doubt(TOKENS, "ein", found, (), structure, lambda _: found) == ""
