"""Count the modules and functions that the window enters for three things people do.

`python -m tools.count_walk` opens a model, drops a picture in Preview and measures, in the
window without a screen, and prints for each walk what was entered from its first event until
its end is on the screen. `--tree` adds the packages, `--list WALK` each function with its
calls and its first caller; `--json` prints the same for programs;
`--against tools/walks_baseline.json` adds the difference to a stored count.

Entered is what was called, in any thread of the window's process: importing a module alone
does not count, nor does what other processes do. Two runs differ by a few functions, because
threads end when they do.
"""

import argparse
import json
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # nothing is imported before the profiler listens
    from inspector.ui.window.main_window import MainWindow

ROOT = Path(__file__).parents[1]
MODEL = ROOT / "sample_models/digits_float32.onnx"
PICTURE = ROOT / "sample_models/inputs/digit_7.png"
WALKS = ("open", "drop", "measure")
GOALS = {"open": 60, "drop": 45, "measure": 90}  # modules entered; issue 37
PATIENCE_S = 60.0  # for one step; a busy machine may need long
REST_S = 2.0  # before a walk begins, so that what the last one left is done
_PACKAGE = str(ROOT / "inspector") + os.sep


class Calls:
    """Counts calls of functions of the package while a walk is under way, in all threads."""

    def __init__(self) -> None:
        self._under_way = False
        self._calls: Counter[CodeType] = Counter()
        self._callers: dict[CodeType, CodeType | None] = {}
        sys.setprofile(self._heard)
        threading.setprofile(self._heard)

    @contextmanager
    def walk(self) -> "Iterator[Walk]":
        """Count what is called meanwhile; complete when it has ended."""
        walk = Walk(Counter(), {})
        self._calls.clear()
        self._callers.clear()
        self._under_way = True
        yield walk
        self._under_way = False
        for code, calls in self._calls.items():
            walk.calls[_name(code)] += calls
            caller = self._callers[code]
            walk.callers.setdefault(_name(code), "" if caller is None else _name(caller))

    def _heard(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call" or not self._under_way:
            return
        code = frame.f_code
        if _is_ours(code):
            if code not in self._callers:
                back = frame.f_back
                while back is not None and not _is_ours(back.f_code):
                    back = back.f_back
                self._callers[code] = None if back is None else back.f_code
            self._calls[code] += 1


@dataclass(frozen=True, slots=True)
class Walk:
    """How often each function was called, and who called it first, "" for Qt or a thread.

    Functions are named as `module:function`.
    """

    calls: Counter[str]
    callers: dict[str, str]


def _is_ours(code: CodeType) -> bool:
    """Whether code is a function of the package; bodies of modules and classes are none."""
    return bool(code.co_flags & CO_OPTIMIZED) and code.co_filename.startswith(_PACKAGE)


def _name(code: CodeType) -> str:
    place = Path(code.co_filename).relative_to(ROOT).with_suffix("")
    return f"{'.'.join(place.parts)}:{code.co_qualname}"


def main() -> int:
    """Walk, print the counts, and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--against", metavar="FILE", help="show the difference to a count")
    parser.add_argument("--tree", action="store_true", help="show the packages of each walk")
    parser.add_argument("--list", metavar="WALK", choices=WALKS, help="show each function")
    options = parser.parse_args()
    walks = walked()
    if options.list:
        walk = walks[options.list]
        for name, calls in sorted(walk.calls.items()):
            sys.stdout.write(f"{calls:7,} {name} <- {walk.callers[name]}\n")
        return 0
    counts = {name: _counts(walk.calls) for name, walk in walks.items()}
    if options.json:
        sys.stdout.write(json.dumps(counts, indent=2) + "\n")
        return 0
    before = json.loads(Path(options.against).read_text("utf-8")) if options.against else None
    for name, count in counts.items():
        line = f"{name:9}{count['modules']:5} modules{count['functions']:7} functions"
        if before is not None:
            changes = (count[key] - before[name][key] for key in ("modules", "functions"))
            line += "{:+6} modules{:+7} functions".format(*changes)
        sys.stdout.write(f"{line}   goal {GOALS[name]} modules\n")
        if options.tree:
            sys.stdout.writelines(_tree(walks[name].calls))
    return 0


def walked() -> dict[str, Walk]:
    """Go all walks in a new window, and return what was called in each."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    with tempfile.TemporaryDirectory(prefix="inspector-walk-") as name:
        folder = Path(name)
        for variable in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
            os.environ[variable] = str(folder / variable)
        calls = Calls()
        from inspector.ui.app.application import make_application, make_window

        application = make_application("en")
        window = make_window(application, folder / "window.ini")
        window.first_painted.connect(lambda: window.begin_session(with_files=True))
        window.resize(1400, 900)
        window.show()
        found = dict(_walk(window, calls))
        window.close()
        window.workspace.end()
        return found


def _walk(window: "MainWindow", calls: Calls) -> "Iterator[tuple[str, Walk]]":
    """Go each walk; only what happens between its first event and its end is counted."""
    from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
    from PySide6.QtGui import QDragEnterEvent, QDropEvent
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication, QWidget

    from inspector.ui.tabs.performance.tab import Invitation
    from inspector.ui.tabs.preview.tab import PreviewTab
    from inspector.ui.window.tabs import Tab

    def shown(kind: str) -> QWidget | None:
        """Return the widget of a class, looked for by name, that can be seen."""
        return next(
            (
                each
                for each in window.findChildren(QWidget)
                if type(each).__name__ == kind
                and each.isVisible()
                and not each.visibleRegion().isEmpty()
            ),
            None,
        )

    _wait(lambda: bool(window.workspace.devices))
    _wait(_rested())
    with calls.walk() as walk:
        window.workspace.open(MODEL)
        _wait(lambda: shown("IdentityCard") is not None)
        window.repaint()
    yield "open", walk

    window.choose_tab(Tab.PREVIEW)
    _wait(lambda: shown("ClassBars") is not None)
    _wait(_rested())
    tab, target = shown("PreviewTab"), shown("ImageDrop")
    assert isinstance(tab, PreviewTab)
    assert target is not None, "its input is a picture"
    answers = list[object]()
    tab.predicting.answered.connect(answers.append)  # after the tab itself has heard of it
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(PICTURE))])
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    with calls.walk() as walk:
        enter = QDragEnterEvent(QPoint(5, 5), copy, data, left, none)
        QApplication.sendEvent(target, enter)
        QApplication.sendEvent(target, QDropEvent(QPointF(5, 5), copy, data, left, none))
        _wait(lambda: bool(answers) and shown("ClassBars") is not None)
        window.repaint()
    yield "drop", walk

    window.choose_tab(Tab.PERFORMANCE)
    document = window.document
    assert document is not None, "the model is open"
    document.set_spec(runs=20, warmup=2, seconds=0.0)
    _wait(_rested())
    invitation = shown("Invitation")
    assert isinstance(invitation, Invitation)
    with calls.walk() as walk:
        QTest.mouseClick(invitation.measure, Qt.MouseButton.LeftButton)
        _wait(lambda: shown("ReportView") is not None)
        window.repaint()
    yield "measure", walk


def _wait(ready: Callable[[], bool]) -> None:
    """Let the window live until a condition holds."""
    from PySide6.QtWidgets import QApplication

    end = time.monotonic() + PATIENCE_S
    while not ready():
        if time.monotonic() > end:
            raise SystemExit("the window does not get there; see where with a debugger")
        QApplication.processEvents()
        time.sleep(0.002)
    QApplication.processEvents()


def _rested() -> Callable[[], bool]:
    """Return whether there was time enough for what a walk left to others."""
    end = time.monotonic() + REST_S
    return lambda: time.monotonic() > end


def _counts(calls: Counter[str]) -> dict[str, int]:
    """Return the number of modules, of functions and of calls of a walk."""
    modules = {name.partition(":")[0] for name in calls}
    return {"modules": len(modules), "functions": len(calls), "calls": calls.total()}


def _tree(calls: Counter[str]) -> Iterator[str]:
    """Yield a line for each package and module with its functions and calls."""
    modules: dict[str, list[int]] = {}
    for name, number in calls.items():
        modules.setdefault(name.partition(":")[0], []).append(number)
    folder = ""
    for module, numbers in sorted(modules.items()):
        package, _, last = module.rpartition(".")
        if package != folder:
            yield f"  {package}\n"
            folder = package
        yield f"    {last:28}{len(numbers):4} functions{sum(numbers):8,} calls\n"


if __name__ == "__main__":
    raise SystemExit(main())
