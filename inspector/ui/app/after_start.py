"""What begins when the window is there: code loads ahead, and later starts are listened to."""

from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from inspector.errors import BadInput
from inspector.ui.app import handover
from inspector.ui.graph import view_link
from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.preloading import Preloader
from inspector.ui.window.tabs import all_tabs


def begin(window: MainWindow, settings: Path) -> None:
    """Load what the next click needs, and open from now on what other starts are given."""
    Preloader(window)
    Receiver(window, handover.address(settings))


class Receiver(QObject):
    """Opens in a window what later starts were given, and brings the window to the front.

    Only this user can reach it: its socket lies in a folder of theirs, with their rights alone.
    """

    def __init__(self, window: MainWindow, address: str) -> None:
        super().__init__(window)
        self._window = window
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._receive)
        if address and not handover.is_answered(address):
            QLocalServer.removeServer(address)  # of a window that was killed
            self._server.listen(address)
        window.destroyed.connect(self._server.close)

    def _receive(self) -> None:
        while (line := self._server.nextPendingConnection()) is not None:
            line.readyRead.connect(lambda line=line: self._read(line))
            line.disconnected.connect(line.deleteLater)
            self._read(line)

    def _read(self, line: QLocalSocket) -> None:
        if not line.canReadLine():
            if line.bytesAvailable() > handover.MOST_BYTES:
                line.abort()
            return
        body = bytes(line.readLine(handover.MOST_BYTES).data())
        line.write(handover.RECEIVED)
        line.disconnectFromServer()
        request = handover.read_request(body)
        if request is not None:
            self._open(*request)

    def _open(self, names: tuple[str, ...], view: str) -> None:
        window = self._window
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()
        link = None
        if view:
            try:
                link = view_link.parse(view, tuple(tab.id for tab in all_tabs()))
            except BadInput as error:
                window.notice.show_error(error)
        window.open_named(names, link)
