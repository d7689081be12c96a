"""A picture from the machine's camera, where Qt's part for it is installed."""

from typing import Any

from PySide6.QtCore import QCameraPermission, QElapsedTimer, QObject, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QCheckBox, QPushButton, QWidget

from inspector.preview.inputs.image_files import Picture
from inspector.ui.tabs.overview.about import wrapped
from inspector.ui.tabs.preview.inputs import capture_device
from inspector.ui.tabs.preview.outputs.audio_player import multimedia
from inspector.ui.tabs.preview.outputs.image_view import to_picture
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.parts import button, row, tool
from inspector.ui.widgets.theme import Theme

HOW = mark(
    'To use the camera, install the Qt module for it: pip install "onnx-inspector[media]"'
)
FORBIDDEN = mark(
    "The system does not let Inspector use the camera. Allow it in the system settings."
)
NO_DEVICE = mark("No camera is available on this machine.")
PIXELS = 1280 * 720  # enough for any model, and quick to show
SHOWN_MS, LIVE_MS = 66, 300  # the window has other things to do; a wish rests for 150 ms


class Camera(QObject):
    """Says `seen` with each Picture that is to be shown, or `refused` with a sentence."""

    seen = Signal(object)
    refused = Signal(str)

    def __init__(self, parent: QObject, module: Any | None = None) -> None:
        super().__init__(parent)
        self._module = module or multimedia()
        self._parts: tuple[Any, ...] = ()  # camera, sink, session; the last goes first
        self._shown = QElapsedTimer()

    @property
    def running(self) -> bool:
        """Whether it looks now."""
        return bool(self._parts)

    def start(self) -> None:
        """Look until `stop`."""
        if self._module is None:
            self.refused.emit(tr(HOW))
            return
        refuse = self.refused.emit
        capture_device.permitted(
            QCameraPermission(), self, self._begin, lambda: refuse(tr(FORBIDDEN))
        )

    def stop(self) -> None:
        """Look no longer."""
        parts, self._parts = self._parts, ()
        if parts:
            parts[0].stop()
            for part in reversed(parts):
                part.deleteLater()

    def _begin(self) -> None:
        module, device = self._module, self._module.QMediaDevices.defaultVideoInput()
        if device.isNull():
            self.refused.emit(tr(NO_DEVICE))
            return
        camera, sink = module.QCamera(device, self), module.QVideoSink(self)
        forms = device.videoFormats()
        if forms:
            camera.setCameraFormat(min(forms, key=_distance))
        session = module.QMediaCaptureSession(self)
        session.setCamera(camera)
        session.setVideoSink(sink)
        sink.videoFrameChanged.connect(self._take)
        camera.errorOccurred.connect(self._fail)
        self._parts = (camera, sink, session)
        self._shown.invalidate()
        camera.start()

    def _take(self, frame: Any) -> None:
        if not self._parts or (self._shown.isValid() and self._shown.elapsed() < SHOWN_MS):
            return
        image = frame.toImage()
        if not image.isNull():
            self._shown.start()
            self.seen.emit(to_picture(image))

    def _fail(self, error: Any, words: str) -> None:
        self.stop()
        said = f" ({words})" if words else ""
        self.refused.emit(
            tr("The camera stopped{said}; another program may use it.").format(said=said)
        )


class CameraLine(QWidget):
    """What is offered while the camera looks; `button` and `problem` are placed by others.

    seen: a picture to look at. taken: one to give to the model. ended: it looks no longer.
    """

    seen = Signal(object)
    taken = Signal(object)
    ended = Signal()

    def __init__(self, theme: Theme, module: Any | None = None) -> None:
        super().__init__()
        self.camera = Camera(self, module)
        self.button: QPushButton = button(theme, tr("Camera"))
        if (module or multimedia()) is None:
            self.button.setToolTip(tr(HOW))
        self.problem = wrapped("", "bad")
        self.problem.hide()
        self.take: QPushButton = button(theme, tr("Capture image"), primary=True)
        self.live = QCheckBox(tr("Live: run the model on every image"))
        self.close_it = tool(theme, "close", tr("Close the camera"))
        self._latest: Picture | None = None
        self._given = QElapsedTimer()
        line = row(self.take, self.live, None, self.close_it)
        line.setContentsMargins(0, 0, 0, 0)
        self.setLayout(line)
        self.hide()
        self.button.clicked.connect(self._open)
        self.take.clicked.connect(self._take)
        self.close_it.clicked.connect(self.end)
        self.camera.seen.connect(self._see)
        self.camera.refused.connect(self._refuse)

    def end(self) -> None:
        """Close the camera."""
        if self.camera.running or not self.isHidden():
            self.camera.stop()
            self._latest = None
            self.live.setChecked(False)
            self.hide()
            self.button.show()
            self.ended.emit()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody is looked at who cannot see it."""
        if self.camera.running:
            self.end()

    def _open(self) -> None:
        self._say("")
        self._given.invalidate()
        self.camera.start()
        if self.camera.running:
            self.take.setEnabled(False)
            self.button.hide()
            self.show()

    def _see(self, picture: Picture) -> None:
        self._latest = picture
        self.take.setEnabled(True)
        self.seen.emit(picture)
        rested = not self._given.isValid() or self._given.elapsed() >= LIVE_MS
        if self.live.isChecked() and rested:
            self._given.start()
            self.taken.emit(picture)

    def _take(self) -> None:
        picture = self._latest
        self.end()
        if picture is not None:
            self.taken.emit(picture)

    def _refuse(self, problem: str) -> None:
        self.end()
        self._say(problem)

    def _say(self, problem: str) -> None:
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))


def _distance(form: Any) -> int:
    size = form.resolution()
    return abs(int(size.width()) * int(size.height()) - PIXELS)
