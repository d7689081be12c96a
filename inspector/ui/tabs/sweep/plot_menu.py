"""The context menu of a plot: save or copy it."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QMenu, QWidget

from inspector.errors import InspectorError
from inspector.pages.charts.drawing import Drawing
from inspector.render.registry import picture
from inspector.ui.documents.file_dialogs import Exporter
from inspector.ui.translate import tr


class PlotMenu(QObject):
    """Gives a plot its menu.

    name: proposed for its file, without the suffix. draw: takes what is shown now and gives
    what draws that for paper, maybe on another thread. failed: told of what is not written.
    """

    def __init__(
        self,
        plot: QWidget,
        name: str,
        draw: Callable[[], Callable[[], Drawing]],
        failed: Callable[[InspectorError], None],
    ) -> None:
        super().__init__(plot)
        self._plot, self._name, self._draw, self._failed = plot, name, draw, failed
        self.exporter = Exporter(plot)
        self.exporter.failed.connect(failed)
        self.menu = QMenu(plot)
        self.save = self.menu.addAction(tr("Save image…"), self._save)
        self.copy = self.menu.addAction(tr("Copy image"), self._copy)
        plot.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        plot.customContextMenuRequested.connect(self._offer)

    def _offer(self, at: QPoint) -> None:
        self.menu.popup(self._plot.mapToGlobal(at))

    def _save(self) -> None:
        self.exporter.ask_for_picture(self._name, self._draw())

    def _copy(self) -> None:
        try:
            made = picture(self._draw()(), "png")
        except InspectorError as error:  # larger than can be held
            self._failed(error)
            return
        QGuiApplication.clipboard().setImage(QImage.fromData(made))
