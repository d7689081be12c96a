"""A dialog that installs an engine into an environment of its own, and shows how it goes."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, Qt, QTimer, Signal
from PySide6.QtWidgets import QDialog, QWidget

from inspector.backends import environments
from inspector.backends.environments import Engine
from inspector.errors import Cancelled, InspectorError
from inspector.ui import units
from inspector.ui.background import SafeEmitter, TaskRunner
from inspector.ui.translate import tr, with_ellipsis
from inspector.ui.widgets.failure import Failure
from inspector.ui.widgets.parts import button, label, page_of, row
from inspector.ui.widgets.progress import ProgressLine
from inspector.ui.widgets.theme import Theme

_WIDTH = 560
_MB = 10**6  # bytes


class EngineDialog(QDialog):
    """Installs an engine; `installed` follows. Closing it stops the installation."""

    installed = Signal()
    _stepped = Signal(str)
    _loaded = Signal(int)  # bytes so far

    def __init__(self, theme: Theme, engine: Engine, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = tr("Install {name}").format(name=engine.name)
        self.setWindowTitle(title)
        self.setFixedWidth(_WIDTH)
        self.engine, self._stopped = engine, False
        self._jobs, self._emitter = TaskRunner(self), SafeEmitter(self)
        self.question = label("", "secondary")
        self.question.setText(self._question())
        self.question.setWordWrap(True)
        self._step, self._seconds, self._share = "", 0, -1.0
        self._clock = QTimer(self, interval=1000)
        self._clock.timeout.connect(self._show_seconds)
        self.progress = ProgressLine(theme, title, may_cancel=False)
        self.failure = Failure(theme)
        self.failure.again.hide()
        self.go = button(theme, tr("Install"), primary=True)
        self.stop = button(theme, tr("Cancel"))
        self.go.setDefault(True)
        self.go.setFocus()
        column = page_of(self)
        column.addWidget(label(title, "title"))
        for part in (self.question, self.progress, self.failure):
            column.addWidget(part)
        column.addLayout(row(None, self.stop, self.go))
        self.progress.hide()
        self.go.clicked.connect(self.install)
        self.stop.clicked.connect(self.reject)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.reject)
        self._stepped.connect(self._show_step)
        self._loaded.connect(self._show_loaded)

    def _question(self) -> str:
        engine = self.engine
        text = tr("Downloads {packages} and all dependencies into an environment of its own:")
        if engine.download:
            text = tr(
                "Downloads {packages} and all dependencies (about {size}) into an "
                "environment of its own:"
            )
        packages = ", ".join(engine.requirements)
        first = text.format(packages=packages, size=engine.download)
        place, last = environments.folder(engine.id), tr("Nothing else is changed.")
        return f"{first}\n{place}\n{last}"

    def install(self) -> None:
        """Install what the user agreed to."""
        self.go.setEnabled(False)
        self.failure.hide()
        self._show_step(tr("starting"))
        self.progress.show()
        self._fit()
        self._clock.start()
        stepped, loaded = map(self._emitter.of, (self._stepped, self._loaded))
        engine = self.engine

        def job() -> str:
            return environments.install(engine, stepped, lambda: self._stopped, loaded=loaded)

        def show(_: str) -> None:
            self.installed.emit()
            self.accept()

        self._jobs.start(job, show, self._fail)

    def reject(self) -> None:
        """Stop the installation, which leaves nothing behind."""
        self._stopped = True
        super().reject()

    def _show_step(self, step: str) -> None:
        self._seconds, self._share = 0, -1.0
        self._step = with_ellipsis(units.capitalized(step))
        self.progress.begin(self._step)

    def _show_seconds(self) -> None:
        """Show how long the step takes by now, after a moment."""
        self._seconds += 1
        text = tr("{step} {seconds} s").format(step=self._step, seconds=self._seconds)
        self.progress.show_share(self._share, text if self._share < 0 else self._step)

    def _show_loaded(self, count: int) -> None:
        """Show how much of the download is there."""
        whole = self.engine.download_bytes
        if whole:
            self._share = min(0.99, count / whole)
            text = tr("Downloading: {count} MB of about {whole}")
            loaded = units.number(count // _MB)
            self._step = text.format(count=loaded, whole=self.engine.download)
            self.progress.show_share(self._share, self._step)

    def _fail(self, error: InspectorError) -> None:
        if isinstance(error, Cancelled):
            return
        self._clock.stop()
        self.progress.hide()
        self.failure.show_error(error)
        self.failure.again.hide()
        self.go.setEnabled(True)
        self._fit()

    def _fit(self) -> None:
        """Be as high as the texts, which wrap: QWidget.adjustSize forgets what is in cards."""
        column = self.layout()
        assert column is not None, "it is made at the begin"
        column.activate()
        self.resize(_WIDTH, column.totalHeightForWidth(_WIDTH))


def ask_to_install(
    theme: Theme, engine: Engine, installed: Callable[[], object], parent: QWidget
) -> None:
    """Show the dialog, unless it is there. installed: called when the engine is there."""
    known = parent.findChild(EngineDialog)
    if isinstance(known, EngineDialog):
        known.raise_()
        known.activateWindow()
        return
    dialog = EngineDialog(theme, engine, parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.installed.connect(installed)
    dialog.show()  # the window can be used meanwhile
