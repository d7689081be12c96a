"""The bar at the top: its tabs stand still, whatever is open, measured or run on."""

from pathlib import Path

import pytest

from inspector.ui.documents.document import Topic, Work
from inspector.ui.window.tabs import Tab, place_of

SAMPLE = Path(__file__).parents[3] / "sample_models" / "digits_float32.onnx"


@pytest.mark.parametrize("width", [960, 1100, 1280, 1440])
def test_no_tab_moves_with_the_device_the_model_or_a_measurement(qtbot, window, width):
    bar, tabs = window.top_bar, window.top_bar.tabs
    window.workspace.open(SAMPLE)
    window.resize(width, 600)
    document = window.document

    def places() -> tuple[int, ...]:
        qtbot.wait(1)
        bar.layout().activate()
        ends = (tabs.item_box(n).right() for n in range(tabs.item_count()))
        return (tabs.x(), bar.export_button.x(), *ends)

    first = places()
    qtbot.waitUntil(lambda: document.model is not None, timeout=30_000)
    assert places() == first, "as while it was read"
    document.set_spec(devices=("openvino:a graphics card with a very long name", "cpu"))
    assert places() == first
    assert bar.device_button.width() >= bar.device_button.minimumSizeHint().width() - 1
    tabs.rename(place_of(Tab.PREVIEW), "Chat")  # of a language model
    assert places() == first
    document.work = Work.MEASURING
    document.tell(Topic.WORK)
    assert bar.cancel_button.isVisible()
    assert places() == first
    document.work = None
    document.tell(Topic.WORK)
