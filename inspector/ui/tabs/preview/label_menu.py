"""Where the names of classes come from: none, lists of ours that fit, or a file."""

from collections.abc import Callable, Sequence

from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QWidget

from inspector.preview.outputs.labels import LabelList, fitting
from inspector.ui.translate import tr


def label_menu(
    parent: QWidget,
    shapes: Sequence[Sequence[int]],
    take: Callable[[LabelList | None], None],
    ask: Callable[[], None],
) -> QMenu:
    """Offer the lists for outputs of these shapes; `take` gets the chosen one or None for no
    labels, `ask` asks for a file."""
    menu = QMenu(parent)
    menu.addAction(tr("No labels")).triggered.connect(lambda: take(None))
    lists = fitting(shapes)
    if lists:
        menu.addSeparator()
    for each in lists:
        action = menu.addAction(f"{each.title} · {each.count:,}")
        action.triggered.connect(lambda _=False, chosen=each: take(chosen))
    menu.addSeparator()
    menu.addAction(tr("From a file…")).triggered.connect(ask)
    menu.aboutToHide.connect(menu.deleteLater)
    return menu


def pop_up(menu: QMenu) -> None:
    """Show a menu below the button that was pressed, by mouse or key."""
    pressed = QApplication.focusWidget()
    if isinstance(pressed, QAbstractButton):
        menu.popup(pressed.mapToGlobal(pressed.rect().bottomLeft()))
    else:
        menu.popup(QCursor.pos())
