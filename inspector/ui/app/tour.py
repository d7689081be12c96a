"""The main job without hands: open, preview, measure, export, and a picture of every tab.

`make run` does this where there is no screen, `make pictures` for the README.
"""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import (
    QEventLoop,
    QMessageLogContext,
    QTimer,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtWidgets import QApplication

from inspector.analysis.measured.layer_outputs import summary
from inspector.errors import InspectorError
from inspector.platform import files
from inspector.platform.terminal import plain_output
from inspector.render.registry import Subject, formats_of
from inspector.ui import units
from inspector.ui.app.application import make_application, make_window, run_gc_on_ui_thread
from inspector.ui.documents.class_names import top_classes
from inspector.ui.documents.document import Document
from inspector.ui.documents.exported_report import completion
from inspector.ui.translate import plural
from inspector.ui.window.main_window import MainWindow
from inspector.ui.window.tabs import TABS, Tab

PATIENCE_MS = 300_000
_FILLING_WAITS = 25  # of 0.4 s each


def main(arguments: list[str]) -> int:
    """Make the tour; prints where everything is. 0 when it all worked, else 1."""
    options = _options(arguments)
    options.output.mkdir(parents=True, exist_ok=True)
    qInstallMessageHandler(_tell)
    application = make_application()
    run_gc_on_ui_thread(application)
    with TemporaryDirectory(prefix="inspector-tour-") as folder:
        window = make_window(application, Path(folder) / "window.ini")
        window.resize(*options.size[0])
        window.show()
        try:
            _tour(application, window, options)
        except InspectorError as error:
            print(error, file=sys.stderr)
            return 1
        finally:
            window.close()
    return 0


def _tell(kind: QtMsgType, context: QMessageLogContext, message: str | None) -> None:
    """Pass on what Qt says, but for the one complaint of every window without a screen."""
    if message and "propagateSizeHints" not in message:
        print(message, file=sys.stderr)


def _tour(application: QApplication, window: MainWindow, options: Namespace) -> None:
    print(f"Opening {options.model.name}")
    window.workspace.open(options.model.absolute())
    document = window.document
    assert document is not None, "opening shows the document at once"
    _wait(document, lambda: document.model is not None)
    if options.prompt:
        print("Chatting")
        window.choose_tab(Tab.CHAT)
        chatting = document.chatting
        _wait(document, lambda: chatting.ready)
        chatting.send(options.prompt)
        turn = chatting.last
        answer = turn.answer if turn is not None else None
        assert answer is not None, "what was sent gets an answer"
        _wait(document, lambda: not answer.busy and document.work is None)
        print(f"  you      {options.prompt}")
        print(f"  model    {units.clip(answer.text, 200)}")
    else:
        print("Previewing")
        _preview(window, document, options.input)
    print("Measuring")
    if options.device:
        document.set_spec(devices=(options.device,))
    document.measure()
    _wait(document, lambda: document.report is not None)
    _select_slowest(document)
    if not options.prompt:
        print("Recording layer outputs")
        _step_through(window, document)
    for size in options.size:
        window.resize(*size)
        of_size = "-{}x{}".format(*size) if len(options.size) > 1 else ""
        for theme in options.theme:
            window.theme.choose(theme)
            for tab in [Tab.OVERVIEW, Tab.CHAT, Tab.PERFORMANCE] if options.prompt else TABS:
                window.choose_tab(tab)
                _settle()
                path = options.output / f"{tab.id}{of_size}-{theme}.png"
                window.grab().save(str(path))
                print(f"  picture  {path}")
    _export(document, options.output)


def _preview(window: MainWindow, document: Document, picture: Path | None) -> None:
    window.choose_tab(Tab.PREVIEW)
    view = window.view
    assert view is not None, "an open document has a view"
    tab = view.tab(Tab.PREVIEW)
    if picture is not None:
        tab.try_file(picture)  # type: ignore[attr-defined]
    filled = picture is not None
    for _ in range(_FILLING_WAITS):  # inputs are filled on another thread
        filled = filled or bool(tab.predicting.filling.filled)  # type: ignore[attr-defined]
        if filled:
            break
        _settle()
    if not filled:
        print("  no prediction: the input takes a file; give one with --input")
        return
    _wait(document, lambda: document.prediction is not None and document.work is None)
    assert document.prediction is not None, "waited for it"
    if likely := top_classes(document, 1):
        best = likely[0]
        named = best.label or best.index
        print(f"  answer   class {named} ({units.share(best.probability, 1)})")
    print(f"  one run  {units.duration(document.prediction.prediction_ns)}, with cold caches")


def _step_through(window: MainWindow, document: Document) -> None:
    window.choose_tab(Tab.ACTIVATIONS)
    view = window.view
    assert view is not None, "an open document has a view"
    tab = view.tab(Tab.ACTIVATIONS)
    against = tab.fields.against  # type: ignore[attr-defined]
    if against.findData("reference") >= 0:
        against.show_value("reference")
    tab.run()  # type: ignore[attr-defined]
    _wait(document, lambda: document.work is None and document.stepping.found is not None)
    stepping = document.stepping.found
    assert stepping is not None, "waited for it"
    print(f"  {' '.join(summary(stepping))}")


def _select_slowest(document: Document) -> None:
    report = document.report
    assert report is not None, "waited for it"
    runs = plural(len(report.prediction_ns), "run")
    print(f"  median   {units.duration(report.median_ns)} of {runs} in a warm loop")
    timed = [use for use in report.layers if use.time_ns]
    if timed:
        document.selection.choose(layer=max(timed, key=lambda use: use.time_ns or 0).index)


def _export(document: Document, folder: Path) -> None:
    report = document.report
    assert report is not None, "waited for it"
    report = completion(document)(report)
    for form in formats_of(Subject.REPORT):
        path = folder / f"{document.stem}{form.suffix}"
        files.write_atomic(path, bytes(form.writer(report)))
        print(f"  report   {path}")
    page = folder / f"{document.stem}.html"
    print(f"Open {page} in a browser, or look at the screenshots.")


def _wait(document: Document, ready: Callable[[], bool]) -> None:
    """Let the window live until `ready`. Raises the document's failure, or one for silence."""
    loop = QEventLoop()
    clock, limit = QTimer(), QTimer()
    clock.timeout.connect(lambda: loop.quit() if ready() or document.error else None)
    limit.setSingleShot(True)
    limit.timeout.connect(loop.quit)
    clock.start(20)
    limit.start(PATIENCE_MS)
    loop.exec()
    if document.error is not None:
        raise document.error
    if not ready():
        raise InspectorError("The tour stopped", f"no result within {PATIENCE_MS // 1000} s")


def _settle() -> None:
    loop = QEventLoop()
    QTimer.singleShot(400, loop.quit)
    loop.exec()
    QApplication.processEvents()


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.partition("x")
    return int(width), int(height)


def _options(arguments: list[str]) -> Namespace:
    parser = ArgumentParser(prog="python -m inspector.ui.app.tour", description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--input", type=Path, help="image or other file to use as the input")
    parser.add_argument("--prompt", default="", help="what to ask a language model")
    parser.add_argument("--device", help="device to measure on (default: cpu)")
    parser.add_argument("--output", type=Path, default=Path("out"))
    parser.add_argument(
        "--size", nargs="+", type=_size, default=[(1440, 900)], metavar="WIDTHxHEIGHT"
    )
    parser.add_argument("--theme", nargs="+", default=["light", "dark"])
    return parser.parse_args(arguments)


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with plain_output():  # on Windows a pipe would get cp1252
        sys.exit(main(sys.argv[1:]))
