"""Capture of inputs: camera, microphone and a region of the screen."""

from collections.abc import Callable
from functools import partial
from math import log10
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QCameraPermission,
    QCoreApplication,
    QElapsedTimer,
    QIODevice,
    QMicrophonePermission,
    QObject,
    QPermission,
    QPoint,
    QRect,
    QRectF,
    Qt,
    QTemporaryDir,
    QTimer,
    Signal,
)
from PySide6.QtGui import (
    QCloseEvent,
    QColor,
    QGuiApplication,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QScreen,
)
from PySide6.QtWidgets import QCheckBox, QPushButton, QSizePolicy, QWidget

from inspector.errors import InspectorError
from inspector.pages.charts.palette import SCREEN_EDGE
from inspector.platform import files
from inspector.preview.inputs.audio import Audio
from inspector.preview.inputs.image_files import Picture
from inspector.preview.outputs import audio_outputs
from inspector.ui import units
from inspector.ui.background import TaskRunner
from inspector.ui.tabs.preview.outputs.audio_player import multimedia
from inspector.ui.tabs.preview.outputs.image_view import to_picture
from inspector.ui.translate import mark, tr
from inspector.ui.widgets.parts import button, column_of, label, row, tool, wrapped
from inspector.ui.widgets.theme import Theme, fill_round, qt_color

Permission = QMicrophonePermission | QCameraPermission
CAMERA_MODULE_MISSING = mark(
    'To use the camera, install the Qt module for it: pip install "onnx-inspector[media]"'
)
CAMERA_FORBIDDEN = mark(
    "The operating system is blocking Inspector's access to the camera. Allow access in the "
    "system settings."
)
NO_CAMERA = mark("No camera is available on this machine.")
PIXELS = 1280 * 720  # enough for any model, and quick to show
SHOWN_MS = 66  # between two pictures: the window has other things to do
LIVE_MS = 300  # between two predictions
AUDIO_MODULE_MISSING = mark(
    'To record audio, install the Qt module for it: pip install "onnx-inspector[media]"'
)
MICROPHONE_FORBIDDEN = mark(
    "The operating system is blocking Inspector's access to the microphone. Allow access in "
    "the system settings."
)
NO_MICROPHONE = mark("No microphone is available on this machine.")
ONLY_SILENCE = mark(
    "The microphone recorded only silence. Check in the system settings whether it is muted."
)
LONGEST_SECONDS = 600
# How the samples of a QAudioFormat lie in memory, and what full loudness is there.
_LAYOUTS: dict[str, tuple[str, float, float]] = {
    "UInt8": ("u1", 128.0, 128.0),
    "Int16": ("=i2", 0.0, 32768.0),
    "Int32": ("=i4", 0.0, 2147483648.0),
    "Float": ("=f4", 0.0, 1.0),
}
QUIETEST = -60.0  # decibels below full loudness, where the bar begins
HEIGHT = 6
PAUSE_MS = 250  # until the window is gone from the screen
SMALLEST = 4  # px, side of a part of the screen
WAYLAND = mark(
    "Wayland does not let programs capture the screen. Use your system's screenshot key, "
    "then paste it."
)
SCREEN_NOT_CAPTURED = mark(
    "The screen could not be captured. Take a screenshot, then paste it."
)
HINT = mark("Drag a rectangle · Enter captures the whole screen · Esc cancels")
_SHADE = QColor(0, 0, 0, 110)
_PLATE = QColor(0, 0, 0, 200)
_EDGE = QColor(SCREEN_EDGE)


def permitted(
    permission: Permission,
    context: QObject,
    then: Callable[[], None],
    otherwise: Callable[[], None],
) -> None:
    """Call `then` once the system lets us, after it asked its user where it wants to."""
    application = QCoreApplication.instance()
    assert application is not None, "a window has an application"
    status = application.checkPermission(permission)
    if status == Qt.PermissionStatus.Undetermined:

        def answered(answer: QPermission) -> None:
            granted = answer.status() == Qt.PermissionStatus.Granted
            (then if granted else otherwise)()

        application.requestPermission(permission, context, answered)
    elif status == Qt.PermissionStatus.Granted:
        then()
    else:
        otherwise()


class Camera(QObject):
    """Says `image_captured` with each Picture to show, or `refused` with a sentence."""

    image_captured = Signal(object)
    refused = Signal(str)

    def __init__(self, parent: QObject, module: Any | None = None) -> None:
        super().__init__(parent)
        self._module = module or multimedia()
        self._parts: tuple[Any, ...] = ()  # camera, sink, session; the last goes first
        self._shown = QElapsedTimer()

    @property
    def running(self) -> bool:
        """Return whether it looks now."""
        return bool(self._parts)

    def start(self) -> None:
        """Show the camera until `stop`."""
        if self._module is None:
            self.refused.emit(tr(CAMERA_MODULE_MISSING))
            return
        refuse = self.refused.emit
        permitted(QCameraPermission(), self, self._begin, lambda: refuse(tr(CAMERA_FORBIDDEN)))

    def stop(self) -> None:
        """Stop the camera."""
        parts, self._parts = self._parts, ()
        if parts:
            parts[0].stop()
            for part in reversed(parts):
                part.deleteLater()

    def _begin(self) -> None:
        module, device = self._module, self._module.QMediaDevices.defaultVideoInput()
        if device.isNull():
            self.refused.emit(tr(NO_CAMERA))
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
            self.image_captured.emit(to_picture(image))

    def _fail(self, error: Any, reason: str) -> None:
        self.stop()
        detail = f" ({reason})" if reason else ""
        self.refused.emit(
            tr("The camera stopped{said}; another program may be using it.").format(said=detail)
        )


class CameraLine(QWidget):
    """The controls while the camera runs; `button` and `problem` are placed by others.

    image_captured: an image to show. image_chosen: one for the model. ended: it was stopped.
    """

    image_captured = Signal(object)
    image_chosen = Signal(object)
    ended = Signal()

    def __init__(self, theme: Theme, module: Any | None = None) -> None:
        super().__init__()
        self.camera = Camera(self, module)
        self.button: QPushButton = button(theme, tr("Camera"))
        if (module or multimedia()) is None:
            self.button.setToolTip(tr(CAMERA_MODULE_MISSING))
        self.problem = wrapped("", "bad")
        self.problem.hide()
        self.take: QPushButton = button(theme, tr("Capture image"), primary=True)
        self.live = QCheckBox(tr("Live: run the model continuously on camera frames"))
        self.close_it = tool(theme, "close", tr("Turn off the camera"), then=self.end)
        self._latest: Picture | None = None
        self._given = QElapsedTimer()
        row(self.take, self.live, None, self.close_it, on=self)
        self.hide()
        self.button.clicked.connect(self._open)
        self.take.clicked.connect(self._take)
        self.camera.image_captured.connect(self._see)
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
        """Stop the camera when its picture is hidden."""
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
        self.image_captured.emit(picture)
        rested = not self._given.isValid() or self._given.elapsed() >= LIVE_MS
        if self.live.isChecked() and rested:
            self._given.start()
            self.image_chosen.emit(picture)

    def _take(self) -> None:
        picture = self._latest
        self.end()
        if picture is not None:
            self.image_chosen.emit(picture)

    def _refuse(self, problem: str) -> None:
        self.end()
        self._say(problem)

    def _say(self, problem: str) -> None:
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))


def _distance(form: Any) -> int:
    size = form.resolution()
    return abs(int(size.width()) * int(size.height()) - PIXELS)


def samples_of(body: bytes, layout: str, channels: int) -> NDArray[np.float32]:
    """The mean of the channels in -1..1, float32 (N,).

    layout: a name of QAudioFormat.SampleFormat. A last sample that is cut off is left out.
    """
    kind, middle, full = _LAYOUTS[layout]
    width = np.dtype(kind).itemsize * channels
    values = np.frombuffer(body[: len(body) // width * width], kind).astype(np.float64)
    mono: NDArray[np.float32] = (
        ((values - middle) / full).reshape(-1, channels).mean(axis=1, dtype=np.float32)
    )
    return mono


class Microphone(QObject):
    """Hears until it is stopped, then says `recorded` with a Sound, or `refused` with a reason.

    level: the loudest of the latest samples, 0 to 1, and how many seconds there are so far.
    """

    level = Signal(float, float)
    recorded = Signal(object)
    refused = Signal(str)

    def __init__(self, parent: QObject, module: Any | None = None) -> None:
        super().__init__(parent)
        self._module = module or multimedia()
        self._source: Any = None
        self._stream: QIODevice | None = None
        self._layout, self._channels, self._rate = "Int16", 1, 1
        self._pieces: list[bytes] = []
        self._size = 0

    @property
    def hearing(self) -> bool:
        """Return whether it records now."""
        return self._source is not None

    def start(self, rate: int) -> None:
        """Record at a rate in Hz, or at the microphone's own if it lacks that rate."""
        if self._module is None:
            self.refused.emit(tr(AUDIO_MODULE_MISSING))
            return
        refuse = self.refused.emit
        begin, forbidden = partial(self._begin, rate), tr(MICROPHONE_FORBIDDEN)
        permitted(QMicrophonePermission(), self, begin, lambda: refuse(forbidden))

    def stop(self) -> None:
        """End; what was heard follows as a signal."""
        if self._source is None:
            return
        self._take()
        self._silence()
        sound = Audio(self._samples(b"".join(self._pieces)), self._rate, self._channels)
        self._pieces = []
        if len(sound.samples) and np.any(sound.samples):
            self.recorded.emit(sound)
        else:
            self.refused.emit(tr(ONLY_SILENCE))

    def drop(self) -> None:
        """End, and forget what was heard."""
        self._silence()
        self._pieces = []

    def _begin(self, rate: int) -> None:
        device = self._module.QMediaDevices.defaultAudioInput()
        if device.isNull():
            self.refused.emit(tr(NO_MICROPHONE))
            return
        form = self._module.QAudioFormat()
        form.setSampleRate(rate)
        form.setChannelCount(1)
        form.setSampleFormat(self._module.QAudioFormat.SampleFormat.Int16)
        if not device.isFormatSupported(form):
            form = device.preferredFormat()
        self._layout, self._channels = form.sampleFormat().name, form.channelCount()
        self._rate = form.sampleRate()
        if self._layout not in _LAYOUTS or self._channels < 1 or self._rate < 1:
            self.refused.emit(tr("The microphone does not provide a supported audio format."))
            return
        self._pieces, self._size = [], 0
        self._source = self._module.QAudioSource(device, form, self)
        self._stream = self._source.start()
        if self._stream is None:
            self._silence()
            self.refused.emit(
                tr("The microphone could not be opened; another program may be using it.")
            )
            return
        self._stream.readyRead.connect(self._take)
        self.level.emit(0.0, 0.0)

    def _take(self) -> None:
        if self._stream is None:
            return
        piece = bytes(self._stream.readAll().data())
        if not piece:
            return
        self._pieces.append(piece)
        self._size += len(piece)
        latest = self._samples(piece)
        width = np.dtype(_LAYOUTS[self._layout][0]).itemsize * self._channels
        seconds = self._size / width / self._rate
        self.level.emit(float(np.abs(latest).max(initial=0.0)), seconds)
        if seconds >= LONGEST_SECONDS:
            self.stop()

    def _samples(self, body: bytes) -> NDArray[np.float32]:
        return samples_of(body, self._layout, self._channels)

    def _silence(self) -> None:
        if self._source is not None:
            self._source.stop()
            self._source.deleteLater()
        self._source = self._stream = None


class Level(QWidget):
    """A level meter: a bar from the quietest to full loudness."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self.share = theme, 0.0
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Microphone level"))

    def show_level(self, loudest: float) -> None:
        """Show a loudness of 0 to 1."""
        decibels = 20 * log10(loudest) if loudest > 0 else QUIETEST
        self.share = min(1.0, max(0.0, 1 - decibels / QUIETEST))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bar in its trough; what is cut off is red."""
        look = self._theme.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        fill_round(painter, QRectF(self.rect()), HEIGHT / 2, qt_color(look.hairline))
        painter.setBrush(qt_color(look.bad if self.share >= 1 else look.accent))
        width = self.width() * self.share
        if width >= HEIGHT:
            painter.drawRoundedRect(QRectF(0, 0, width, HEIGHT), HEIGHT / 2, HEIGHT / 2)


class Recording(QWidget):
    """The line with the level; `button` and `problem` get their places from who shows them.

    recorded: the path of a .wav file that lives as long as this widget.
    """

    recorded = Signal(Path)

    def __init__(self, theme: Theme, module: Any | None = None) -> None:
        super().__init__()
        self.rate = 16_000
        self.microphone = Microphone(self, module)
        self.button: QPushButton = button(theme, tr("Record"), "record")
        if (module or multimedia()) is None:
            self.button.setToolTip(tr(AUDIO_MODULE_MISSING))
        self.problem = wrapped("", "bad")
        self.problem.hide()
        self.level = Level(theme)
        self._time = label("0:00", "caption")
        self._folder: QTemporaryDir | None = None
        self._number = 0
        self._jobs = TaskRunner(self)
        column_of(row((self.level, 1), self._time), on=self)
        self.hide()
        self.button.clicked.connect(self._turn)
        self.microphone.level.connect(self._show_level)
        self.microphone.recorded.connect(self._keep)
        self.microphone.refused.connect(self._say)

    def drop(self) -> None:
        """Record no longer, and keep nothing of it."""
        self.microphone.drop()
        self._rest()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop the microphone when its level is hidden."""
        if self.microphone.hearing:
            self.drop()

    def _turn(self) -> None:
        self._say("")
        if self.microphone.hearing:
            self.microphone.stop()
        else:
            self.microphone.start(self.rate)

    def _show_level(self, loudest: float, seconds: float) -> None:
        self.show()
        self.button.setText(tr(" Stop"))
        self.level.show_level(loudest)
        self._time.setText(f"{int(seconds) // 60}:{int(seconds) % 60:02}")

    def _keep(self, sound: Audio) -> None:
        self._rest()
        if self._folder is None:
            self._folder = QTemporaryDir()
        self._number += 1
        path = Path(self._folder.path()) / tr("recording {number}.wav").format(
            number=self._number
        )

        def write() -> Path:
            files.write_atomic(path, audio_outputs.wav(sound))
            return path

        # A method holds this widget until then; a signal's own `emit` does not, and crashes.
        self._jobs.start(write, self._tell, self._refuse)

    def _tell(self, path: Path) -> None:
        self.recorded.emit(path)

    def _refuse(self, error: InspectorError) -> None:
        self._say(f"{units.capitalized(error.why)}.")

    def _rest(self) -> None:
        self.button.setText(tr(" Record"))
        self.hide()

    def _say(self, problem: str) -> None:
        if not self.microphone.hearing:
            self._rest()
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))


Grab = Callable[[QScreen], QPixmap]


def grabbed(screen: QScreen) -> QPixmap:
    """The whole screen as it is now; a null pixmap where the system refuses."""
    return screen.grabWindow(0)


class ScreenRegion(QObject):
    """Hides a window, lets a part of its screen be chosen, and shows the window again.

    Emits `captured` with a Picture, or `refused` with a sentence; nothing if cancelled.
    """

    captured = Signal(object)
    refused = Signal(str)

    def __init__(self, parent: QObject, grab: Grab = grabbed) -> None:
        super().__init__(parent)
        self._grab = grab
        self.canvas: Canvas | None = None

    def ask(self, window: QWidget) -> None:
        """Begin, once the window is out of the way."""
        if QGuiApplication.platformName().startswith("wayland"):
            self.refused.emit(tr(WAYLAND))
            return
        window.hide()
        QTimer.singleShot(PAUSE_MS, self, lambda: self._begin(window))

    def _begin(self, window: QWidget) -> None:
        screen = window.screen()
        screenshot = self._grab(screen)
        if screenshot.isNull():
            window.show()
            self.refused.emit(tr(SCREEN_NOT_CAPTURED))
            return
        self.canvas = Canvas(screenshot, screen)
        self.canvas.done.connect(lambda part: self._end(window, part))
        self.canvas.setGeometry(screen.geometry())
        self.canvas.showFullScreen()
        self.canvas.activateWindow()

    def _end(self, window: QWidget, part: QPixmap | None) -> None:
        canvas, self.canvas = self.canvas, None
        window.show()  # first, since a program without windows would end
        window.activateWindow()
        if canvas is not None:
            canvas.hide()
            canvas.deleteLater()
        if part is not None:
            self.captured.emit(to_picture(part.toImage()))


class Canvas(QWidget):
    """The picture of a screen, to draw a rectangle on; `done` with that part or None."""

    done = Signal(object)

    def __init__(self, screenshot: QPixmap, screen: QScreen) -> None:
        super().__init__(None, Qt.WindowType.FramelessWindowHint | Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.setScreen(screen)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setWindowTitle(tr("Capture part of the screen"))
        self.setAccessibleName(tr(HINT))
        self._seen = screenshot
        self._from: QPoint | None = None
        self._part = QRect()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a rectangle."""
        self._from = event.position().toPoint()
        self._part = QRect()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Draw it on."""
        if self._from is not None:
            at, begun = event.position().toPoint(), self._from
            left, right = sorted((at.x(), begun.x()))
            top, bottom = sorted((at.y(), begun.y()))
            self._part = QRect(QPoint(left, top), QPoint(right, bottom))
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Take it, unless it was only a click."""
        part = self._part.intersected(self.rect())
        self._from = None
        if min(part.width(), part.height()) >= SMALLEST:
            self.done.emit(self._seen.copy(self._pixels(part).toAlignedRect()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Cancel, or take the whole screen."""
        if event.key() == Qt.Key.Key_Escape:
            self.done.emit(None)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.done.emit(self._seen)
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Cancel: the window that stepped aside would never come back."""
        super().closeEvent(event)
        self.done.emit(None)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The screen in shade, and what is chosen as it is."""
        painter = QPainter(self)
        painter.drawPixmap(self.rect(), self._seen)
        painter.fillRect(self.rect(), _SHADE)
        if not self._part.isNull():
            painter.drawPixmap(QRectF(self._part), self._seen, self._pixels(self._part))
            painter.setPen(QPen(_EDGE, 2))
            painter.drawRect(self._part)
        text_box = painter.fontMetrics().boundingRect(tr(HINT)).adjusted(-14, -8, 14, 8)
        text_box.moveCenter(QPoint(self.width() // 2, 40))
        painter.fillRect(text_box, _PLATE)
        painter.setPen(Qt.GlobalColor.white)
        painter.drawText(text_box, Qt.AlignmentFlag.AlignCenter, tr(HINT))
        painter.end()

    def _pixels(self, part: QRect) -> QRectF:
        """A rectangle of the widget in pixels of the picture, which may be finer."""
        across = self._seen.width() / max(1, self.width())
        down = self._seen.height() / max(1, self.height())
        return QRectF(
            part.x() * across, part.y() * down, part.width() * across, part.height() * down
        )
