"""Opens files in the real window and clicks all that can be clicked, as a restless hand would.

    python clicked_through.py [--seconds 6] [--work FOLDER] FILE ...

The wheel is turned over every field, and may change none. Everything is pressed in an order
that depends on the file's name alone: buttons, entries of menus, rows, fields that get odd
words. Files and folders asked for are those of --work, whose `full` is where nothing can be
saved. Each finding is a line, and so is each file: seconds, presses, memory. Exit status 1:
there was a finding. Not a test.
"""

import argparse
import contextlib
import faulthandler
import os
import random
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
from PySide6.QtCore import (
    QEventLoop,
    QObject,
    QPoint,
    QPointF,
    Qt,
    QTimer,
    qInstallMessageHandler,
)
from PySide6.QtGui import QAction, QDesktopServices, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollBar,
    QToolButton,
    QWidget,
)

from inspector.ui.app.application import make_application, make_window, run_gc_on_ui_thread
from inspector.ui.documents.document import Document
from inspector.ui.widgets import notice
from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.tabs import TABS, Tab

ODD_WORDS = ("", "nan", "-1", "9" * 40, "\u202ex\x00<b>", "(((", "0", "1", "e", "2,3")
LEFT_ALONE = ("Record", "Quit", "Close", "Open")  # other programs, and the end of this one
OWN_FAULTS = ("an internal error in Inspector", "Internal error in Inspector", "Traceback")
JOB_SECONDS, OPEN_SECONDS = 2.0, 20.0
FIELDS = QComboBox | QAbstractSpinBox | QAbstractSlider
WHEEL_STEP = 120  # eighths of a degree, as Qt counts one notch of a wheel


def say(words: str) -> None:
    """Tell it at once: the next press may be the last."""
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


class Hand:
    """Presses what there is, and notes down what should not have happened."""

    def __init__(self, window: MainWindow, options: argparse.Namespace, work: Path) -> None:
        self.window, self.work = window, work
        self.seconds, self.loud = options.seconds, options.loud
        self.findings: list[str] = []
        self.file, self.last, self.pressed = Path(), "", 0
        self.done: set[str] = set()
        self.found: set[str] = set()
        self.beat = time.monotonic()
        self.chance = random.Random()
        self.until = 0.0

    def find(self, what: str) -> None:
        """Note a finding down, once for each file."""
        if what in self.found:
            return
        self.found.add(what)
        self.findings.append(what)
        say(f"FINDING {self.file.name} | {self.last} | {what}")

    def tick(self) -> None:
        """Show that the window lives, and answer a menu or a question that waits for it."""
        self.beat = time.monotonic()
        waiting = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if isinstance(waiting, QMenu) and (found := _actions(waiting)):
            self.chance.choice(found).trigger()
        if waiting is not None:
            waiting.close()

    def live(self, seconds: float, ready: Callable[[], bool] = lambda: False) -> bool:
        """Let the window live until it is ready, for so many seconds at most."""
        end = time.monotonic() + seconds
        loop = QEventLoop()
        clock = QTimer()
        clock.timeout.connect(
            lambda: loop.quit() if ready() or time.monotonic() > end else None
        )
        clock.start(5)
        loop.exec()
        return ready()

    def visit(self, file: Path) -> None:
        """Open a file, press what there is, close it."""
        self.file, self.last, self.pressed = file, "opening", 0
        self.chance.seed(file.name)
        self.done.clear()
        self.found.clear()
        workspace = self.window.workspace
        began = time.monotonic()
        self.window.show()
        self.window.notice.dismiss()
        workspace.open(file)
        opened = self.live(OPEN_SECONDS, self._is_open)
        if not opened:
            self.find("neither open nor refused")
        document = self.window.document
        self.until = time.monotonic() + self.seconds
        if document is not None and document.model is not None:
            with contextlib.suppress(AttributeError):
                document.set_spec(runs=2, warmup=0, seconds=0.0)
            for tab in self.chance.sample(TABS, len(TABS)):
                self._press_all(tab)
        elif self.window.trace is not None or document is not None:
            self._press_all(None)
        self._close(document)
        memory = psutil.Process().memory_info().rss >> 20
        took = time.monotonic() - began
        say(f"{took:6.1f} s {self.pressed:4} presses {memory:5} MiB  {file.name}")

    def _is_open(self) -> bool:
        document = self.window.document
        shown = document is not None and (document.model or document.report)
        return bool(self.window.notice.isVisible() or shown or self.window.trace)

    def _press_all(self, tab: Tab | None) -> None:
        """Press each thing once, what appears meanwhile too, until this tab's time is up."""
        left = 1 if tab is None else 6
        until = min(self.until, time.monotonic() + self.seconds / left * 1.6)
        done = {key for key in self.done if "'Menu' > " in key}
        document = self.window.document
        while time.monotonic() < until:
            if tab is not None and self.window.view is not None:
                self.window.choose_tab(tab)
            self.live(0.02)
            self._turn_wheel()
            found = [(key, press) for key, press in self._things() if key not in done]
            if not found and self.window.isVisible():
                return
            if not found:  # it steps aside for a picture of the screen
                continue
            inside = [one for one in found if "'Menu' > " not in one[0]]
            key, press = self.chance.choice(
                inside if inside and self.chance.random() > 0.1 else found
            )
            done.add(key)
            self.done.add(key)
            self._press(f"{tab.title if tab is not None else 'Trace'}: {key}", press)
            if self.window.document is not document:
                if document is None or document not in self.window.workspace.documents:
                    return
                self.window.show_document(document)

    def _turn_wheel(self) -> None:
        """Turn the wheel over each field without focus, as one who scrolls past it."""
        self.window.setFocus()
        for field in self.window.findChildren(QWidget):
            bar = isinstance(field, QScrollBar)
            if bar or not field.isVisible() or not isinstance(field, FIELDS):
                continue
            before = _value(field)
            _turn_over(field, WHEEL_STEP)
            after = _value(field)
            _turn_over(field, -WHEEL_STEP)
            # A sent event moves no focus; a turned wheel does, before the field has it.
            if after != before or field.focusPolicy() == Qt.FocusPolicy.WheelFocus:
                self.find(f"the wheel changes {_name(field)}")

    def _press(self, key: str, press: Callable[[], object]) -> None:
        self.last, self.pressed = key, self.pressed + 1
        try:
            press()
        except RuntimeError as error:
            if "already deleted" not in str(error):  # it went while it was on its way
                raise
        self.live(0.03)
        if self.loud:
            say(f"    {key}")
        document = self.window.document
        if document is not None and not self.live(JOB_SECONDS, lambda: document.work is None):
            document.cancel()
            if not self.live(5.0, lambda: document.work is None):
                self.find(f"still {document.work} after it was cancelled")
        for top in self._tops():
            for each in top.findChildren(QLabel):
                if each.isVisible() and any(words in each.text() for words in OWN_FAULTS):
                    self.find(each.text())

    def _things(self) -> list[tuple[str, Callable[[], object]]]:
        """What can be pressed now, with what says which it is."""
        things: list[tuple[str, Callable[[], object]]] = []
        for top in self._tops():
            for widget in top.findChildren(QWidget):
                if not (widget.isVisible() and widget.isEnabled()):
                    continue
                if isinstance(widget, QAbstractButton):
                    things += self._of_button(widget)
                elif isinstance(widget, QLineEdit) and not widget.isReadOnly():
                    for words in random.Random(self.file.name + _name(widget)).sample(
                        ODD_WORDS, 2
                    ):
                        things.append((f"{_name(widget)} = {words!r}", _typed(widget, words)))
                elif isinstance(widget, QComboBox):
                    for index in range(min(widget.count(), 4)):
                        things.append((f"{_name(widget)} [{index}]", _chosen(widget, index)))
                elif isinstance(widget, QAbstractItemView):
                    things.append((f"{_name(widget)} row", self._row(widget)))
            if top is not self.window:
                things.append((f"{type(top).__name__} closes", top.close))
        return things

    def _tops(self) -> list[QWidget]:
        shown = [top for top in QApplication.topLevelWidgets() if top.isVisible()]
        return [top for top in shown if not isinstance(top, QMenu)]

    def _of_button(self, button: QAbstractButton) -> list[tuple[str, Callable[[], object]]]:
        name = _name(button)
        if any(words in name for words in LEFT_ALONE):
            return []
        menu = button.menu() if isinstance(button, QToolButton | QPushButton) else None
        if menu is None:
            return [(name, button.click)]
        menu.aboutToShow.emit()
        return [(f"{name} > {a.text()}", a.trigger) for a in _actions(menu)]

    def _row(self, view: QAbstractItemView) -> Callable[[], object]:
        def press() -> None:
            model = view.model()
            rows = model.rowCount() if model is not None else 0
            if rows:
                view.setCurrentIndex(model.index(self.chance.randrange(rows), 0))
                QTest.keyClick(view, Qt.Key.Key_Return)

        return press

    def _close(self, document: Document | None) -> None:
        self.last = "closing"
        for top in self._tops():
            if top is not self.window:
                top.close()
        workspace = self.window.workspace
        self.live(1.0, self.window.isVisible)  # it steps aside for a picture of the screen
        for top in self._tops():
            if top is not self.window:
                top.close()
        for each in (*workspace.documents, *workspace.traces):
            self.window.close_document(each)
        self.live(0.05)
        if workspace.documents or workspace.traces:
            self.find("does not close")
        if not self.window.isVisible():
            self.find("the window is gone")
        if not self.live(20.0, lambda: not _engines()):
            self.find(f"left processes behind: {_engines()}")


def _engines() -> list[str]:
    found = []
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            words = child.cmdline()
            if "inspector.engine" in words and child.status() != psutil.STATUS_ZOMBIE:
                found.append(" ".join(words)[-80:])
    return found


def _name(widget: QWidget) -> str:
    words = widget.text() if isinstance(widget, QAbstractButton) else ""
    said = widget.accessibleName() or words or widget.toolTip() or widget.objectName()
    return f"{type(widget).__name__} '{said[:60]}'"


def _actions(menu: QMenu) -> list[QAction]:
    found = []
    for action in menu.actions():
        below = action.menu()
        if isinstance(below, QMenu):
            below.aboutToShow.emit()
            found += _actions(below)
        elif action.isEnabled() and action.text():
            found += [action] * (not any(words in action.text() for words in LEFT_ALONE))
    return found


def _value(field: QWidget) -> object:
    if isinstance(field, QComboBox):
        return field.currentIndex()
    return field.value() if isinstance(field, QAbstractSlider) else field.property("value")


def _turn_over(field: QWidget, turn: int) -> None:
    middle = QPointF(field.rect().center())
    event = QWheelEvent(
        middle,
        QPointF(field.mapToGlobal(middle)),
        QPoint(),
        QPoint(0, turn),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(field, event)


def _typed(field: QLineEdit, words: str) -> Callable[[], object]:
    def press() -> None:
        field.setFocus()
        field.setText(words)
        field.textEdited.emit(words)
        QTest.keyClick(field, Qt.Key.Key_Return)

    return press


def _chosen(field: QComboBox, index: int) -> Callable[[], object]:
    def press() -> None:
        field.setCurrentIndex(index)
        field.activated.emit(index)

    return press


def answer_dialogs(hand: Hand) -> None:
    """Choose a file of the folder wherever one is asked for; to save, a full disk at times."""

    def some() -> str:
        there = sorted(path for path in hand.work.iterdir() if path.is_file())
        return str(hand.chance.choice(there)) if there else ""

    def save(parent: object, title: str, proposed: str = "", *rest: object) -> tuple[str, str]:
        name = Path(proposed).name or "saved"
        return hand.chance.choice((str(hand.work / "out" / name), f"/dev/full/{name}", "")), ""

    answers: dict[str, Any] = {
        "getOpenFileName": lambda *_: (some(), ""),
        "getOpenFileNames": lambda *_: ([some()], ""),
        "getSaveFileName": save,
        "getExistingDirectory": lambda *_: str(hand.work),
    }
    for name, answer in answers.items():
        setattr(QFileDialog, name, staticmethod(answer))
    QFileDialog.exec = lambda _: QFileDialog.DialogCode.Accepted
    QFileDialog.selectedFiles = lambda _: [*filter(None, [some()])]
    QDesktopServices.openUrl = staticmethod(lambda _: True)
    notice.FILE_MANAGER = "true"


def listen(hand: Hand) -> None:
    """Make everything that nobody caught a finding."""

    def told(kind: type[BaseException], error: BaseException, trace: Any) -> None:
        hand.find("".join(traceback.format_exception(kind, error, trace)))

    def from_qt(kind: object, context: object, message: str | None) -> None:
        if message and "plugin does not support" not in message:
            hand.find(f"Qt: {message}")

    def warned(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
        hand.find(f"{category.__name__}: {message} {where[:2]}")

    sys.excepthook = told
    sys.unraisablehook = lambda it: told(type(it.exc_value), it.exc_value, it.exc_traceback)
    threading.excepthook = lambda it: told(it.exc_type, it.exc_value, it.exc_traceback)
    qInstallMessageHandler(from_qt)
    warnings.simplefilter("always")
    warnings.showwarning = warned


def watch(hand: Hand, stall_seconds: float) -> QObject:
    """Say where the window was when it stood still for so long."""
    clock = QTimer()
    clock.timeout.connect(hand.tick)
    clock.start(50)

    def look() -> None:
        told = 0.0
        while True:
            time.sleep(0.2)
            began = hand.beat
            if time.monotonic() - began > stall_seconds and began != told:
                told = began
                hand.find(f"stood still for {stall_seconds:g} s:\n{_stack()}")

    threading.Thread(target=look, daemon=True).start()
    return clock


def _stack() -> str:
    """Where the threads are. A frame held here would be let go here, with its widgets."""
    with tempfile.TemporaryFile("w+") as file:
        faulthandler.dump_traceback(file)
        file.seek(0)
        return file.read()


def main() -> int:
    """Visit the files that were named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--seconds", type=float, default=6.0, help="for each file")
    parser.add_argument("--work", type=Path, help="what to choose where a file is asked for")
    parser.add_argument("--stall", type=float, default=3.0, help="seconds that are a finding")
    parser.add_argument("--loud", action="store_true", help="tell each press")
    options = parser.parse_args()
    faulthandler.enable()
    with tempfile.TemporaryDirectory() as home:
        work = options.work or Path(home)
        for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
            os.environ[name] = home
        (work / "out").mkdir(exist_ok=True)
        application = make_application()
        run_gc_on_ui_thread(application)
        window = make_window(
            application, Path(home) / "window.ini", lambda: Path(home) / "library"
        )
        hand = Hand(window, options, work)
        listen(hand)
        answer_dialogs(hand)
        window.show()
        clock = watch(hand, options.stall)
        hand.live(15.0, lambda: bool(window.workspace.devices))
        for file in options.files:
            hand.visit(file.absolute())
        window.close()
        clock.deleteLater()
    say(f"{len(hand.findings)} findings in {len(options.files)} files")
    return 1 if hand.findings else 0


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main())
