import pytest

from inspector.report.compatibility import PROGRAMS, CompatibilityResult, Outcome, summarize


@pytest.mark.parametrize(
    ("refusing", "sentence"),
    [
        ("", "All of them can load the model."),
        ("01234", "None of them can load the model."),
        ("4", "All others can load the model, but ONNX Runtime cannot."),
        (
            "2",
            "ONNX Runtime can load the model; onnx.checker cannot, so programs that validate "
            "models may reject it.",
        ),
        (
            "023",
            "ONNX Runtime can load the model; Inspector, onnx.checker and onnx shape "
            "inference cannot, so programs that validate models may reject it.",
        ),
        ("1234", "Only Inspector can load the model."),
        ("124", "Only Inspector and onnx shape inference can load the model."),
    ],
)
def test_one_sentence_says_who_opens_it(refusing, sentence):
    outcomes = [
        CompatibilityResult(
            program, Outcome.REFUSES if str(place) in refusing else Outcome.OPENS
        )
        for place, program in enumerate(PROGRAMS)
    ]
    assert summarize(outcomes) == sentence
