"""Several images at once: small pictures with results, a click shows one large."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QMimeData, QPoint, QSettings, Qt, QUrl

from inspector.ui.documents.workspace import Workspace
from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.tabs import Tab

pytestmark = pytest.mark.engine


@pytest.fixture
def images(samples):
    found = sorted((samples / "clothes" / "test").glob("*/*.png"))
    return [found[0], found[len(found) // 2], found[-1]]


@pytest.fixture
def clothes(qtbot, theme, samples, tmp_path):
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    made = MainWindow(theme, Workspace(settings))
    qtbot.addWidget(made)
    made.resize(1300, 900)
    with qtbot.waitSignal(made.workspace.devices_changed):
        made.show()
    made.workspace.open(samples / "clothes_float32.onnx")
    qtbot.waitUntil(lambda: made.document.model is not None)
    yield made
    made.close()


def test_dropped_images_have_thumbnails_with_results(qtbot, clothes, images):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in images])
    drops = clothes.messages.drops
    assert drops.follow(data, QPoint(5, 5))
    assert drops.hint.text.endswith("on 3 files")
    drops.take(data, QPoint(5, 5))
    view = clothes.opened_tab(Tab.PREVIEW).side.folder
    shown = view.thumbnails
    qtbot.waitUntil(lambda: len(view.rows) == 3 and clothes.document.work is None)
    assert view.paths == tuple(images)
    qtbot.waitUntil(lambda: shown.isVisible() and shown.count() == 3)
    assert [view.place / row.file for row in view.rows] == images
    listed = view.table.model
    for place, (row, item) in enumerate(zip(view.rows, map(shown.item, range(3)), strict=True)):
        assert not row.problem
        answer, score = item.text().splitlines()
        assert answer == row.answer
        assert score.endswith("%")
        cells = (listed.index(place, column) for column in range(listed.columnCount()))
        assert score in [cell.data() for cell in cells], "written as in the table"
    one_line = shown.gridSize().height() + 20
    assert shown.height() <= one_line, "no room is left for lines that are not there"

    def is_drawn(number):
        picture = shown.item(number).icon().pixmap(96, 96).toImage()
        return any(picture.pixelColor(x, 48).alpha() for x in range(20, 76))

    qtbot.waitUntil(lambda: all(map(is_drawn, range(3))))
    where = shown.visualItemRect(shown.item(1)).center()
    qtbot.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, pos=where)
    name = clothes.document.model.inputs[0].name

    def shown_large():
        source = clothes.document.sources.get(name)
        return source is not None and images[1].name in source.value

    qtbot.waitUntil(shown_large)
    qtbot.waitUntil(lambda: clothes.document.work is None)
    wrong, right = (
        replace(view.rows[0], wanted=wanted) for wanted in ("Hat", view.rows[0].answer)
    )
    shown.show_rows(view.place, [wrong, right])
    assert shown.item(0).text().startswith(f"✗ {wrong.answer}, not Hat\n")
    assert shown.item(1).text().startswith(f"{right.answer}\n")
    assert shown.item(0).foreground() != shown.item(1).foreground()
    # The button that starts a run has the keyboard focus again: no other field scrolls there.
    view.choose_files.setFocus()
    view.use_files(images)
    qtbot.waitUntil(lambda: clothes.focusWidget() is view.stop)
    qtbot.waitUntil(lambda: clothes.focusWidget() is view.choose_files)
