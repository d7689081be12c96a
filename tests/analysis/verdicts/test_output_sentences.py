"""The one sentence of a verdict on outputs: what is said for each level, kind and reason."""

from math import inf

import pytest
from msgspec import structs

from inspector.analysis.verdicts.outputs import (
    as_json,
    error_text,
    finding_text,
    inputs_text,
    repeat_text,
    sentence,
)
from inspector.report.output_verdict import (
    CONSTANT,
    DEAD,
    DEGRADED,
    DESTROYED,
    ERROR,
    FROZEN,
    GUESSED,
    MISSING,
    NON_FINITE,
    RANDOM,
    RESPONSE,
    ROWS,
    SAME,
    SATURATED,
    SHAPE,
    SHIFT,
    TEST_DATA,
    TYPICAL,
    UNDECIDED,
    UNEQUAL,
    WITHIN,
    ZEROS,
    OutputFinding,
    OutputVerdict,
    TaskAgreement,
    UndecidedReason,
)


def part(kind: str, error: float | None = None, **more: int) -> OutputFinding:
    places = {"axis": 1, "first": 4, "last": 6, "rank": 3, "count": 3, "of": 7} | more
    return OutputFinding("output0", kind, error, **places)


@pytest.mark.parametrize(
    ("finding", "text"),
    [
        (part(DEAD), "rows 4 to 6 of output0 are always 0"),
        (part(DEAD, first=6, count=1), "row 6 of output0 is always 0"),
        (part(CONSTANT, first=5, count=2), "rows 5 to 6 of output0 no longer vary"),
        (part(CONSTANT, first=6, count=1), "row 6 of output0 no longer varies"),
        (part(FROZEN), "rows 4 to 6 of output0 no longer depend on the input"),
        (part(FROZEN, first=6, count=1), "row 6 of output0 no longer depends on the input"),
        (part(SATURATED, 0.2), "rows 4 to 6 of output0 are clipped"),
        (part(ERROR, 0.234), "rows 4 to 6 of output0 are off by 23% of their spread"),
        (part(ERROR, 0.0234, first=6, count=1),
         "row 6 of output0 is off by 2.34% of its spread"),
        (part(ERROR, 12.34, count=5),
         "rows 4 to 6 of output0 and 2 more are off by up to 12 times their spread"),
        (part(ERROR, 0.234, count=4),
         "rows 4 to 6 of output0 and 1 more are off by up to 23% of their spread"),
        (part(ERROR, inf), "rows 4 to 6 of output0 are no longer constant"),
        (part(RESPONSE, 0.5),
         "rows 4 to 6 of output0 are off by 50% of their variation between inputs"),
        (part(SHIFT, 0.1),
         "rows 4 to 6 of output0 are shifted or scaled by 10% of their variation between "
         "inputs"),
        (part(ERROR, 1.4), "rows 4 to 6 of output0 are off by 140% of their spread"),
        (part(RESPONSE, 2.34, first=6, count=1),
         "row 6 of output0 is off by 2.3 times its variation between inputs"),
        (part(ERROR, 12345.6), "rows 4 to 6 of output0 are off by 12,000 times their spread"),
        (part(SHIFT, inf, first=6, count=1),
         "row 6 of output0 is shifted or scaled by more than 1,000,000 times its variation "
         "between inputs"),
        (part(ERROR, 0.2, axis=2), "columns 4 to 6 of output0 are off by 20% of their spread"),
        (part(DEAD, rank=2), "columns 4 to 6 of output0 are always 0"),
        (part(DEAD, rank=2, axis=0), "rows 4 to 6 of output0 are always 0"),
        (part(DEAD, axis=0), "batch items 4 to 6 of output0 are always 0"),
        (part(DEAD, rank=1, axis=0), "columns 4 to 6 of output0 are always 0"),
        (part(DEAD, rank=4), "channels 4 to 6 of output0 are always 0"),
        (part(DEAD, rank=4, axis=2), "rows 4 to 6 of output0 are always 0"),
        (part(DEAD, rank=4, axis=3), "columns 4 to 6 of output0 are always 0"),
        (part(DEAD, period=7), "channels 4 to 6 of output0 are always 0"),
        (part(NON_FINITE, count=1), "1 value of output0 is NaN or infinite"),
        (part(NON_FINITE, count=2), "2 values of output0 are NaN or infinite"),
        (part(MISSING), "output0 is missing"),
        (part(SHAPE), "output0 has another shape or type"),
        (part(ROWS, 0.3, count=6, of=20), "6 of 20 rows of output0 differ"),
        (part(UNEQUAL, 0.3, count=6, of=20), "6 of 20 values of output0 differ"),
        (OutputFinding("y", ERROR, 0.2), "y is off by 20% of its spread"),
    ],
)  # fmt: skip
def test_a_finding_names_the_part_and_what_happened(finding, text):
    assert finding_text(finding) == text


WORST = OutputFinding("y", ERROR, 0.02)
CLASSES = TaskAgreement("classes", 0.9, 0.7, 0.97, 20, 18)
ALL = TaskAgreement("classes", 1.0, 0.84, 1.0, 20, 20)
BASE = OutputVerdict(WITHIN, (), WORST, 20, TEST_DATA)


@pytest.mark.parametrize(
    ("verdict", "text"),
    [
        ({"level": SAME}, "Outputs are the same on 20 test inputs."),
        ({"level": SAME, "tasks": (ALL,)},
         "Outputs are the same on 20 test inputs (same top class on all)."),
        ({},
         "Outputs are nearly the same on 20 test inputs (y is off by 2.00% of its spread)."),
        ({"tasks": (CLASSES,), "held_out": True},
         "Outputs are nearly the same on 20 test inputs, not used for calibration (same top "
         "class on 18 of them; y is off by 2.00% of its spread)."),
        ({"level": DEGRADED, "findings": (part(ERROR, 0.2),)},
         "Outputs are degraded on 20 test inputs: rows 4 to 6 of output0 are off by 20% of "
         "their spread."),
        ({"findings": (part(ERROR, 0.2),), "worst": part(ERROR, 0.2), "tasks": (ALL,)},
         "Answers are the same on 20 test inputs (same top class on all), although rows 4 to 6 "
         "of output0 are off by 20% of their spread."),
        ({"worst": OutputFinding("y", ERROR, 0.11), "tasks": (CLASSES,)},
         "Answers are nearly the same on 20 test inputs (same top class on 18 of them), "
         "although y is off by 11% of its spread."),
        ({"level": DESTROYED, "findings": (part(ERROR, 0.4),)},
         "Outputs are mostly different (SNR 8 dB) on 20 test inputs: rows 4 to 6 of output0 "
         "are off by 40% of their spread. Do not ship this."),
        ({"level": DESTROYED, "findings": (part(ERROR, 1.5),)},
         "Outputs are mostly different on 20 test inputs: rows 4 to 6 of output0 are off by "
         "150% of their spread. Do not ship this."),
        ({"level": DESTROYED, "findings": (part(ERROR, 270.0),)},
         "Outputs are mostly different on 20 test inputs: rows 4 to 6 of output0 are off by "
         "270 times their spread. Do not ship this."),
        ({"level": DESTROYED, "findings": (part(DEAD), part(ERROR, 0.4), part(SHIFT, 0.4))},
         "Outputs are broken on 20 test inputs: rows 4 to 6 of output0 are always 0; rows 4 to "
         "6 of output0 are off by 40% of their spread; 1 more finding. Do not ship this."),
        ({"level": DEGRADED, "tasks": (CLASSES,)},
         "Answers are degraded on 20 test inputs: same top class on 18 of them."),
        ({"level": DEGRADED, "tasks": (CLASSES,), "inputs": 21},
         "Answers are degraded on 21 test inputs: same top class on 18 of 20 inputs."),
        ({"level": DESTROYED, "tasks": (TaskAgreement("boxes", 0.45, 0.4, 0.5, 20, 2),),
          "findings": (part(ERROR, 0.4),)},
         "Answers are mostly different on 20 test inputs: 45% agreement of boxes (rows 4 to 6 "
         "of output0 are off by 40% of their spread). Do not ship this."),
        ({"level": UNDECIDED, "reason": UndecidedReason.FEW_INPUTS,
          "inputs": 1, "input_kind": TYPICAL},
         "No verdict from only 1 typical input (y is off by 2.00% of its spread)."),
        ({"level": UNDECIDED, "reason": UndecidedReason.MADE_UP,
          "inputs": 1, "input_kind": RANDOM,
          "worst": None},
         "No verdict from only 1 random input (outputs agree within rounding)."),
        ({"level": UNDECIDED, "reason": UndecidedReason.MADE_UP,
          "inputs": 1, "input_kind": RANDOM,
          "tasks": (TaskAgreement("classes", 1.0, 0.2, 1.0, 1, 1),)},
         "No verdict from only 1 random input (same top class)."),
        ({"level": UNDECIDED, "reason": UndecidedReason.MADE_UP,
          "inputs": 1, "input_kind": RANDOM,
          "findings": (part(DEAD),)},
         "No verdict from only 1 random input (rows 4 to 6 of output0 are always 0)."),
        ({"level": UNDECIDED, "reason": UndecidedReason.MADE_UP,
          "inputs": 2, "input_kind": ZEROS,
          "tasks": (ALL,), "findings": (part(DEAD),)},
         "No verdict from only 2 inputs of zeros (same top class on all; rows 4 to 6 of "
         "output0 are always 0)."),
        ({"level": UNDECIDED, "reason": UndecidedReason.CLOSE,
          "worst": OutputFinding("y", ERROR, 0.11)},
         "No verdict: 20 test inputs are too few to tell (y is off by 11% of its spread)."),
        ({"level": UNDECIDED, "reason": UndecidedReason.NOT_REPEATING, "repeats": 0.85},
         "No verdict: the original does not repeat its outputs: two runs on one input differ "
         "by 85% of their spread."),
        ({"level": UNDECIDED, "reason": UndecidedReason.NOTHING_COMPARED},
         "No verdict: no output could be compared."),
    ],
)  # fmt: skip
def test_each_verdict_is_one_sentence(verdict, text):
    assert sentence(structs.replace(BASE, **verdict)) == text


@pytest.mark.parametrize(
    ("inputs", "kind", "held_out", "text"),
    [
        (1, TYPICAL, None, "1 typical input"),
        (2, ZEROS, None, "2 inputs of zeros"),
        (1, ZEROS, None, "1 input of zeros"),
        (1_000, GUESSED, None, "1,000 made-up inputs"),
        (9, TEST_DATA, False, "9 test inputs, also used for calibration"),
        (9, TEST_DATA, True, "9 test inputs, not used for calibration"),
    ],
)
def test_inputs_are_counted_with_their_kind(inputs, kind, held_out, text):
    assert inputs_text(OutputVerdict(SAME, (), None, inputs, kind, held_out)) == text


def test_nothing_is_said_of_no_error():
    assert error_text(None) == ""
    assert error_text(OutputFinding("y", ERROR, 0.0)) == ""
    assert repeat_text(0.5).startswith("the model does not repeat its outputs: two")


def test_json_has_the_sentence_and_whether_it_is_good():
    body = as_json(BASE)
    assert body["sentence"] == sentence(BASE)
    assert (body["good"], body["level"], body["inputs"]) == (True, "within limit", 20)
    assert body["worst"]["output"] == "y"
    assert as_json(structs.replace(BASE, level=DESTROYED))["good"] is False


def test_a_finding_without_a_place_is_one_of_the_whole_output():
    assert OutputFinding("y", DEAD) == OutputFinding("y", DEAD, None, None, 0, 0, 0, 0, 0, 0)


def test_outputs_that_no_answers_are_read_from_are_not_called_answers():
    worst = OutputFinding("y", ERROR, 0.14, 1, 7, 7, rank=3)
    verdict = OutputVerdict(WITHIN, worst=worst, inputs=24, input_kind=TYPICAL)
    assert sentence(verdict) == (
        "Outputs are nearly the same on 24 typical inputs (row 7 of y is off by 14% of its "
        "spread)."
    )
