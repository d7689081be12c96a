"""Preview of a model with several signatures: which one runs, and how another one does."""

from PySide6.QtWidgets import QLabel

from inspector.conversion.action import LITERT_SIGNATURE, Step
from inspector.formats.opening import open_model
from inspector.ui.tabs.preview.inputs.input_list import InputList, SignatureCard
from tests.formats.tflite import build


def test_the_signature_that_runs_is_named_and_another_one_is_offered(
    qtbot, theme, tmp_path, ran
):
    path = tmp_path / "two.tflite"
    path.write_bytes(build.two_signatures())
    inputs = InputList(theme, open_model(path), ())
    qtbot.addWidget(inputs)
    (card,) = inputs.findChildren(SignatureCard)
    said = card.findChild(QLabel).text()
    assert said.index("'add'") < said.index("mul")
    card.set_main.click()
    assert ran[-1] == ("improve/offer", Step(LITERT_SIGNATURE, (("name", "mul"),)))
    path.write_bytes(build.adding())
    plain = InputList(theme, open_model(path), ())
    qtbot.addWidget(plain)
    assert not plain.findChildren(SignatureCard)
