"""The window's beginning: one application, one window, the files that were named.

Nothing is imported here, or by the modules of the first window, that its first picture does
not need: the session, the report library and the notices come after it.
"""

import os
import re
import signal
import stat
import sys
import threading
from argparse import ArgumentParser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from msgspec import Struct
from PySide6.QtCore import QEvent, QObject, QSettings, QTimer, Signal
from PySide6.QtGui import QFileOpenEvent, QIcon
from PySide6.QtWidgets import QApplication

from inspector import __version__
from inspector.errors import BadInput, InspectorError
from inspector.formats.names import STANDARD_INPUT, named
from inspector.platform import crash_report, files, gc_policy
from inspector.platform.late_modules import platformdirs
from inspector.platform.own_processes import ENDING_SIGNALS, TERMINATED
from inspector.platform.settings import library_folder
from inspector.ui import preferences, translate
from inspector.ui.app.handover import address, hand_over
from inspector.ui.background import SafeEmitter, internal_error
from inspector.ui.documents.workspace import Workspace
from inspector.ui.graph import view_link
from inspector.ui.graph.view_link import ViewLink
from inspector.ui.widgets import accessible
from inspector.ui.widgets.theme import Theme, load_fonts
from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.tabs import all_tabs

_AFTER_START_MS = 300
_SWITCH_INTERVAL_S = 0.0001
_GC_INTERVAL_MS = 200
# Qt reads all settings before the first window opens; those of years take some 10 kB.
_MOST_SETTINGS_BYTES = 1 << 20
# Values that Qt would decode to whatever they declare: it runs out of memory or stack, and ends
# the process. Inspector writes none of them; "@@" begins a text that begins with "@".
_DECODED_VALUE = re.compile(r"(^|[=,\s])@(Variant|DateTime)\(")
# Of a text in the file: a coded character, an escape, a continued line, a quote.
_ESCAPE = re.compile(r"\\x([0-9a-fA-F]+)|\\([0-7]+)|(\\[abfnrtv?'\"\\])|\\\r?\n|\"")


def run(arguments: list[str]) -> int:
    """Open the window on the named files; returns the exit status when it is closed."""
    start = _arguments(arguments)
    if not _has_display():
        print(
            "Could not open the window: no display is available\n"
            "Use the command line (inspector --help), or set QT_QPA_PLATFORM=offscreen.",
            file=sys.stderr,
        )
        return 1
    settings = settings_file()
    names = [str(named(name)) for name in start.names]
    if start.may_hand_over and hand_over(address(settings), names, start.view):
        sys.stdout.write("Opened in the window that is open (--new-window opens another)\n")
        return 0
    preferred = _preferred(settings)
    application = make_application(start.language or preferred)
    run_gc_on_ui_thread(application)
    end_at_signals(application)
    window = make_window(application, settings, library_folder)
    InternalErrors(window).install()
    window.first_painted.connect(lambda: window.begin_session(with_files=bool(names)))
    window.show()
    window.open_named(names, start.link)
    QTimer.singleShot(_AFTER_START_MS, lambda: _begin_later(window, settings))
    status = application.exec()
    if status == TERMINATED:
        window.session.end()  # no crash: what was open opens again
    window.workspace.end()
    return status


def make_application(language: str = "") -> QApplication:
    """The QApplication with our names, fonts and icon. language: "" for that of the system."""
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication), "a window needs more than a core application"
    application.setApplicationName("Inspector")
    application.setApplicationVersion(__version__)
    application.setDesktopFileName("inspector")
    application.setWindowIcon(QIcon(str(files.resource("icons", "inspector-app.svg"))))
    load_fonts()
    translate.load(application, language)
    accessible.install()
    accessible.show_focus(application)
    sys.setswitchinterval(
        _SWITCH_INTERVAL_S
    )  # how long a thread that reads may keep the window waiting
    return application


def _preferred(settings: Path) -> str:
    """Apply the zoom and the units of a settings file, and return its language."""
    if not _is_harmless(settings):
        return ""
    stored = QSettings(str(settings), QSettings.Format.IniFormat)
    preferences.apply_at_start(stored)
    return preferences.text(stored, preferences.LANGUAGE)


def end_at_signals(application: QApplication) -> None:
    """Let signals that end a program end the event loop, so that temporary files are removed.

    Python handles a signal between two of its instructions, and the timer of its garbage
    collector runs some five times a second.
    """
    for name in ENDING_SIGNALS:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, lambda *_: application.exit(TERMINATED))


def run_gc_on_ui_thread(application: QApplication) -> None:
    """Let Python's collector run in the window's thread alone, for as long as the program."""
    gc_policy.disable_automatic_collection()
    clock = QTimer(application, interval=_GC_INTERVAL_MS)
    clock.timeout.connect(gc_policy.collect_if_due)
    clock.start()


def make_window(
    application: QApplication, settings: Path, library: Callable[[], Path] | None = None
) -> MainWindow:
    """Make a window with its theme and workspace; `settings` is the file of its settings.

    library: returns the folder of reports and sessions; None keeps none.
    """
    stored, aside = stored_settings(settings)
    theme = Theme(str(stored.value("theme", "system")))
    theme.dress(application)
    window = MainWindow(theme, Workspace(stored, library=library))
    if aside is not None:
        window.messages.tell_settings_damaged(aside)
    if sys.platform == "darwin":  # nowhere else, since it is asked about every event
        opener = _OpenEvents(application)
        opener.asked.connect(window.workspace.open)
        application.installEventFilter(opener)
    return window


def stored_settings(path: Path) -> tuple[QSettings, Path | None]:
    """Return the settings of a file, and where the file was moved if it was damaged.

    One that cannot be moved is left alone, and nothing is kept.
    """
    aside = None
    if not _is_harmless(path):
        aside = files.set_aside(path)
        if aside is None:
            return QSettings(os.devnull, QSettings.Format.IniFormat), None
    stored = QSettings(str(path), QSettings.Format.IniFormat)
    if stored.status() is QSettings.Status.FormatError:  # it would be written over
        del stored  # Qt shares what it read as long as anybody has it
        aside = files.set_aside(path)
        stored = QSettings(str(path), QSettings.Format.IniFormat)
    return stored, aside


def _is_harmless(settings: Path) -> bool:
    """Return whether Qt can read a file of settings within limits; also if there is none."""
    try:
        if not stat.S_ISREG(settings.stat().st_mode):  # a pipe would be waited for
            return False
        with settings.open("rb") as file:
            body = file.read(_MOST_SETTINGS_BYTES + 1)
    except (OSError, ValueError):
        return True  # Qt says what it thinks of it
    if len(body) > _MOST_SETTINGS_BYTES:
        return False
    text = _ESCAPE.sub(_unescaped, body.decode("latin-1"))
    # Of an escape that it does not know, Qt drops the backslash, or both characters.
    return not any(
        _DECODED_VALUE.search(re.sub(dropped, "", text)) for dropped in (r"\\", r"\\.")
    )


def _unescaped(escape: re.Match[str]) -> str:
    """Return what Qt makes of a part of a text: of a code it takes 16 bits."""
    coded, octal, known = escape.groups()
    if coded or octal:
        digits, base = (coded, 16) if coded else (octal, 8)
        return chr(int(digits[-8:], base) & 0xFFFF)
    return "." if known else ""


def settings_file() -> Path:
    """Return where the window's state is kept on this system; nothing is where it cannot be."""
    folder = platformdirs.user_config_path("inspector", appauthor=False)
    with suppress(OSError):  # a home that cannot be written to: it opens as it did first
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / "window.ini"


def _begin_later(window: MainWindow, settings: Path) -> None:
    from inspector.ui.app import after_start  # 0.3 s after the start

    after_start.begin(window, settings)


class _OpenEvents(QObject):
    """macOS hands a double-clicked file over as an event, not as an argument."""

    asked = Signal(object)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Open the file of a FileOpen event; let all others through."""
        if isinstance(event, QFileOpenEvent):
            self.asked.emit(Path(event.file()))
            return True
        return False


class Start(Struct, frozen=True):
    """What a start was given. view, link: to show of the first file. language: "" for the one
    in Preferences."""

    names: tuple[str, ...] = ()
    view: str = ""
    link: "ViewLink | None" = None
    language: str = ""
    new_window: bool = False

    @property
    def may_hand_over(self) -> bool:
        """Return whether the window that is open can do it: it has its own language, and
        cannot read the standard input of this start."""
        apart = self.new_window or self.language or str(STANDARD_INPUT) in self.names
        return bool(self.names) and not apart


def _arguments(arguments: list[str]) -> Start:
    """Return what the program was given; ends it on a mistake."""
    if not any(argument.startswith("-") for argument in arguments):
        return Start(tuple(arguments))
    parser = ArgumentParser(
        prog="inspector", description="Open models, reports and traces in the desktop app."
    )
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="a model, a saved report or a trace"
    )
    parser.add_argument(
        "--view",
        metavar="TAB[:LAYER[@ZOOM]]",
        help="open a tab, optionally at a layer and a zoom percentage, such as "
        "graph:stem/conv@80",
    )
    parser.add_argument(
        "--language",
        default="",
        choices=("en", *translate.languages(), translate.PSEUDO),
        help="language of the user interface, instead of the one in Preferences; 'pseudo' "
        "shows longer text with accents, to help translators find text that is cut off",
    )
    parser.add_argument(
        "--new-window",
        action="store_true",
        help="open another window; otherwise, files open in the window that is open already",
    )
    options = parser.parse_args(arguments)
    link = None
    if options.view is not None:
        try:
            link = view_link.parse(options.view, tuple(tab.id for tab in all_tabs()))
        except BadInput as error:
            parser.error(f"{error.why}\n{error.hint}")
    return Start(
        tuple(options.files), options.view or "", link, options.language, options.new_window
    )


def _has_display() -> bool:
    named = os.environ.get("QT_QPA_PLATFORM")
    screens = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return bool(named or screens) or not sys.platform.startswith("linux")


class InternalErrors(QObject):
    """Saves each exception to a file and shows it in the window, one message for each place."""

    found = Signal(object)

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._places: set[tuple[type[BaseException], str]] = set()
        self._emitter = SafeEmitter(self)
        self.found.connect(self._show)

    def install(self) -> None:
        """Take over the hooks of the process, for as long as it lives."""
        sys.excepthook = self._of_slot
        threading.excepthook = self._of_thread

    def report(self, error: BaseException) -> None:
        """Save an exception and show it, unless one of the same place was shown before.

        A handler may fail at each movement of the pointer. Any thread.
        """
        where = crash_report.place(error)
        if (type(error), where) in self._places:
            return
        self._places.add((type(error), where))
        self._emitter.emit(self.found, internal_error(error))

    def _show(self, error: InspectorError) -> None:
        self._window.notice.show_error(error)

    def _of_slot(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        sys.__excepthook__(kind, error, trace)
        if isinstance(error, Exception):
            self.report(error)

    def _of_thread(self, failed: threading.ExceptHookArgs) -> None:
        threading.__excepthook__(failed)
        if isinstance(failed.exc_value, Exception):
            self.report(failed.exc_value)
