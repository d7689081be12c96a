import pytest

from inspector.report.compatibility import PROGRAMS, CompatibilityResult, Outcome, summarize


@pytest.mark.parametrize(
    ("refusing", "sentence"),
    [
        ("", "All of them open it."),
        ("01234", "None of them opens it."),
        ("4", "It is sound to all others, but ONNX Runtime does not open it."),
        (
            "2",
            "ONNX Runtime opens it; onnx.checker does not: "
            "programs that check a model first may refuse it.",
        ),
        (
            "023",
            "ONNX Runtime opens it; Inspector, onnx.checker and onnx shape inference do not: "
            "programs that check a model first may refuse it.",
        ),
        ("1234", "Only Inspector opens it."),
        ("124", "Only Inspector and onnx shape inference open it."),
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
