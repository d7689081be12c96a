from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from inspector.analysis.devices.placement_answers import PlacementAnswers
from inspector.formats.opening import open_model
from inspector.report.report import Device, Support
from inspector.ui.selection import Selection
from inspector.ui.tabs.performance.coverage_card import CoverageCard
from inspector.ui.widgets.theme import Theme
from inspector.wording.support_marks import Mark, Rule, Source

GPU = Device("webgpu:0", "Some GPU", "gpu", "WebGpuExecutionProvider")
CPU = Device("cpu", "Some CPU", "cpu", "CPUExecutionProvider")
TAKEN = Support(Mark.SUPPORTED, Source.PROBED, "Asked alone.")
FAILED = Support(Mark.FAILED, Source.MEASURED, "The layer failed while running: boom.")
REFUSED = Support(Mark.UNSUPPORTED, Source.PROBED, "It has no kernel.", Rule.OPERATOR)


@pytest.fixture
def card(qtbot: QtBot, samples: Path) -> CoverageCard:
    layers = open_model(samples / "digits_float32.onnx").layers
    gpu = {2: REFUSED, 5: FAILED}
    marks = tuple({"webgpu:0": gpu.get(n, TAKEN), "cpu": TAKEN} for n in range(len(layers)))
    found = PlacementAnswers((GPU, CPU), layers, marks, why="the driver <b>crashed</b>")
    made = CoverageCard(Theme("light"), found, Selection())
    qtbot.addWidget(made)
    made.resize(534, 400)
    made.show()
    return made


def test_what_failed_stands_first_and_tells_its_reason(card):
    model, gpu = card.model, card.model.columns[3]
    told = [model.text(row, gpu) for row in range(3)]
    assert told == ["Accepted, then failed", "Not supported", "Supported"]
    assert "The layer failed while running: boom. (measured)" in model.hint(0, gpu)
    assert model.spoken(0, gpu) == "WebGPU: Accepted, then failed"


def test_a_filter_finds_marks_and_reasons(card):
    card.filter.setText("failed")
    assert card.count.text() == f"1 of {card.model.total} layers"
    card.filter.setText("kernel")
    assert card.model.place_of(0) == 2


def test_columns_find_room_in_a_narrow_card(card):
    assert card.minimumSizeHint().width() <= 534
    for room in (500, 620, 1100):
        widths = card.table.widths(room)
        assert sum(widths) == room
        assert widths[1] >= 100
