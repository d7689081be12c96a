"""The same spans drawn in the usual ways: what a timeline made of ready parts would take.

A scene of Qt with one rectangle for each span, and pyqtgraph's bars where it is installed.
"""

from collections.abc import Callable
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPen, QPixmap
from PySide6.QtWidgets import QApplication, QGraphicsScene, QGraphicsView, QWidget

from inspector.trace.trace import Trace

SIZE = (1600, 1000)
MOST = {"QGraphicsScene": 100_000, "pyqtgraph": 1_000_000}
Show = Callable[[float, float], None]  # seconds of the trace, from and to


def peers() -> dict[str, Callable[[Trace], tuple[QWidget, Show]]]:
    """Ways to draw that there are here, by name."""
    found: dict[str, Callable[[Trace], tuple[QWidget, Show]]] = {"QGraphicsScene": scene}
    if find_spec("pyqtgraph") is not None:
        found["pyqtgraph"] = bars
    return found


def rows(trace: Trace) -> NDArray[np.int64]:
    """Row of each span."""
    return trace.track.astype(np.int64) * 4 + trace.depth


def scene(trace: Trace) -> tuple[QWidget, Show]:
    """One QGraphicsRectItem for each span; a microsecond is a unit."""
    view = QGraphicsView()
    made = QGraphicsScene(view)
    view.setScene(made)
    brush, pen = QBrush(QColor("#0A9390")), QPen(Qt.PenStyle.NoPen)
    for start, duration, row in zip(
        (trace.start_ns / 1e3).tolist(),
        (trace.duration_ns / 1e3).tolist(),
        rows(trace).tolist(),
        strict=True,
    ):
        made.addRect(start, row * 24, duration, 20, pen, brush)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.resize(*SIZE)

    def show(begin: float, end: float) -> None:
        view.fitInView(
            QRectF(begin / 1e3, 0, (end - begin) / 1e3, 20 * 24),
            Qt.AspectRatioMode.IgnoreAspectRatio,
        )

    return view, show


def bars(trace: Trace) -> tuple[QWidget, Show]:
    """One BarGraphItem for all spans."""
    import pyqtgraph

    plot = pyqtgraph.PlotWidget()
    x0, width, y0 = trace.start_ns / 1e3, trace.duration_ns / 1e3, rows(trace) * 24.0
    plot.addItem(pyqtgraph.BarGraphItem(x0=x0, width=width, y0=y0, height=20, pen=None))
    plot.resize(*SIZE)

    def show(begin: float, end: float) -> None:
        plot.setXRange(begin / 1e3, end / 1e3, padding=0)

    return plot, show


def frame(widget: QWidget, picture: QPixmap) -> None:
    """Draw once."""
    QApplication.processEvents()
    picture.swap(widget.grab())
