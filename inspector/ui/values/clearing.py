"""Making room in a layout."""

from PySide6.QtWidgets import QLayout, QWidget


def cleared(layout: QLayout, *kept: QWidget) -> None:
    """Take all widgets out of a layout, hidden; those that are not kept are gone soon."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            if widget not in kept:
                widget.deleteLater()
