import pytest

from inspector.report.compatibility import PROGRAMS, CompatibilityResult, Outcome, summarize


@pytest.mark.parametrize(
    ("refusing", "sentence"),
    [
        ("", "All of them load the model."),
        ("01234", "None of them loads the model."),
        ("4", "All others load the model, but ONNX Runtime does not."),
        (
            "2",
            "ONNX Runtime loads the model; onnx.checker does not: "
            "programs that check models first may refuse it.",
        ),
        (
            "023",
            "ONNX Runtime loads the model; Inspector, onnx.checker and onnx shape inference do "
            "not: programs that check models first may refuse it.",
        ),
        ("1234", "Only Inspector loads the model."),
        ("124", "Only Inspector and onnx shape inference load the model."),
    ],
)
def test_one_sentence_says_who_opens_it(refusing: str, sentence: str) -> None:
    outcomes = [
        CompatibilityResult(
            program, Outcome.REFUSES if str(place) in refusing else Outcome.OPENS
        )
        for place, program in enumerate(PROGRAMS)
    ]
    assert summarize(outcomes) == sentence
