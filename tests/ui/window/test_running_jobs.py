"""What is under way for a model is seen while another one is in front."""

from PySide6.QtCore import Qt

from inspector.ui.documents.document import Topic, Work


def working(document, work, stage=""):
    document.work, document.stage = work, stage
    document.tell(Topic.WORK)


def test_work_of_another_model_is_told_in_list_and_status_bar_and_a_click_shows_it(
    qtbot, window, samples
):
    window.resize(1100, 700)
    window.workspace.open(samples / "digits_float32.onnx", samples / "tones_sound.onnx")
    qtbot.waitUntil(lambda: all(d.model for d in window.workspace.documents), timeout=30_000)
    first, front = window.workspace.documents
    assert window.document is front
    qtbot.waitUntil(lambda: front.work is None and first.work is None)
    button, entries = window.status.jobs, window.sidebar.list.model()
    working(first, Work.MEASURING, "measurement 3 of 21")
    qtbot.waitUntil(button.isVisible)
    assert button.text().strip() == f"{first.stem}: {Work.MEASURING} · measurement 3 of 21"
    assert button.geometry().right() <= window.status.width()
    working(first, Work.MEASURING, "measurement 3 of 21 " * 20)
    qtbot.waitUntil(lambda: button.text().endswith("…"))
    assert button.text().startswith(first.stem)
    assert button.sizeHint().width() <= button.width(), "neither end is cut"
    working(first, Work.MEASURING, "measurement 3 of 21")
    qtbot.waitUntil(lambda: not button.text().endswith("…"))
    spoken = [entries.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in (1, 2)]
    assert [str(Work.MEASURING) in text for text in spoken] == [True, False]
    before = window.sidebar.grab().toImage()
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert window.document is first
    assert not button.isVisible(), "the status itself says what the model in front does"
    window.show_document(front)
    assert button.isVisible()
    working(first, None)
    assert not button.isVisible()
    assert window.sidebar.grab().toImage() != before, "the mark is gone"
