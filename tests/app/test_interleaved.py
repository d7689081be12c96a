"""What a report says of the model that it was measured beside."""

from types import SimpleNamespace
from typing import Any

from inspector.app import interleaved
from inspector.app.output_agreement import FormatAgreement
from tests.reports import example_report


def test_a_report_says_whether_the_other_format_gives_the_same_outputs():
    report = example_report(notes=("A note.",))
    other: Any = SimpleNamespace(model=SimpleNamespace(name="b.tflite"))
    agreement = FormatAgreement(why="it takes no picture.", assumed=("By position.",))
    found = interleaved.with_agreement(report, agreement, other)
    assert found.notes == (
        "A note.",
        "Compared with b.tflite: Whether their outputs agree is unknown: it takes no picture. "
        "By position.",
    )
