"""What an entry of a menu says on hover covers no other entry."""

from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QMenu, QToolTip

from inspector.ui.widgets.parts import explain_entries, set_available


def test_the_reason_of_a_disabled_entry_stands_beside_the_menu(qtbot):
    menu = QMenu()
    qtbot.addWidget(menu)
    explain_entries(menu)
    first, second = menu.addAction("Compare models…"), menu.addAction("Compare measurements…")
    set_available(first, "Needs two open models")
    menu.popup(QPoint(40, 40))
    place = menu.actionGeometry(first).center()
    QApplication.sendEvent(
        menu, QHelpEvent(QEvent.Type.ToolTip, place, menu.mapToGlobal(place))
    )
    assert QToolTip.text() == "Needs two open models"
    (shown,) = [each for each in QApplication.topLevelWidgets() if each.inherits("QTipLabel")]
    assert not shown.geometry().intersects(menu.geometry())
    place = menu.actionGeometry(second).center()
    QApplication.sendEvent(
        menu, QHelpEvent(QEvent.Type.ToolTip, place, menu.mapToGlobal(place))
    )
    qtbot.waitUntil(lambda: QToolTip.text() == "" or not shown.isVisible())
    menu.close()
