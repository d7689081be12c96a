"""Take the pictures of the pages, with the program itself and its sample models.

Run `make pictures` in the repository root, on a quiet machine. The tour takes the tabs; the
Improve tab, the Sweep view, the Compare page and the Trace page are taken here. Edit
mode of the graph alone is taken by `python -m tools.make_pictures --edit`. The window of
models on machines is taken by `python -m tools.make_pictures --machines`, which measures the
sample models on the machines that `inspector devices` lists.

`python -m tools.make_pictures --all FOLDER` takes every page at 1440x900 and 1100x700, 1x and
2x, light and dark, with one contact sheet for each size, to look at; nothing in docs/ changes.
For the window of models on machines, it starts two agents here and kills one of them.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Collection, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "docs" / "pictures"
MODELS = ROOT / "sample_models"
TABS = "overview", "graph", "weights", "preview", "activations", "performance"
SIZE = 1440, 900
SIZES, SCALES = (SIZE, (1100, 700)), (1, 2)  # of --all
_THUMBNAIL_PX = 640  # width on a contact sheet
DIGITS, NOISE = 200, 60.0  # pictures; standard deviation of their noise, of 255
THEMES = "light", "dark"
LONGEST_S = 300.0  # to wait for one sweep or trace
_MODELS_HERE = 5  # agents on one machine measure one after another
_LEAVES = "laptop"  # the machine that goes away
_GIVE_UP_S = 60.0  # for a machine that went away: time for its pictures
# A page is painted after its data; 400 ms are what the tour waits, too.
SETTLE_MS = 400


def wait(is_ready: Callable[[], bool], milliseconds: float = LONGEST_S * 1000) -> None:
    """Handle the events of the window until something is true, or the time is over."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop, clock = QEventLoop(), QTimer()
    clock.timeout.connect(lambda: loop.quit() if is_ready() else None)
    clock.start(20)
    QTimer.singleShot(int(milliseconds), loop.quit)
    loop.exec()


def take_tabs(model: Path, tabs: Collection[str], *options: str) -> None:
    """Run the tour on a model and keep its pictures of some tabs."""
    with TemporaryDirectory(prefix="inspector-pictures-") as folder:
        command = [sys.executable, "-m", "inspector.ui.app.tour", str(model)]
        subprocess.run([*command, "--output", folder, *options], check=True, cwd=ROOT)
        for tab in tabs:
            for theme in THEMES:
                name = f"{tab}-{theme}.png"
                (TARGET / name).write_bytes((Path(folder) / name).read_bytes())


def make_digits(folder: Path, seed: int) -> Path:
    """Write the sample digits with noise, in subfolders named after their class."""
    import numpy as np
    from PIL import Image

    random = np.random.default_rng(seed)
    sources = sorted((MODELS / "inputs").glob("digit_*.png"))
    for number in range(DIGITS):
        source = sources[number % len(sources)]
        pixels = np.array(Image.open(source).convert("L"), np.float32)
        noisy = np.clip(pixels + random.normal(0, NOISE, pixels.shape), 0, 255)
        place = folder / source.stem.removeprefix("digit_")
        place.mkdir(parents=True, exist_ok=True)
        Image.fromarray(noisy.astype(np.uint8)).save(place / f"{number}.png")
    return folder


def take_pages(
    folder: Path, target: Path = TARGET, sizes: Collection[tuple[int, int]] = (SIZE,)
) -> None:
    """Take the Improve tab, Sweep view, Compare page and Trace page in one window."""
    from inspector.conversion.action import Step
    from inspector.report.sweep import Axis
    from inspector.ui.app.application import make_application, make_window, run_gc_on_ui_thread
    from inspector.ui.documents.document import Document
    from inspector.ui.documents.improving_inputs import CALIBRATION, TEST
    from inspector.ui.window.tabs import Tab

    trace = folder / "example.trace.json"
    command = [sys.executable, "-m", "inspector", "record", "-o", str(trace), "--nodes"]
    program = [sys.executable, str(MODELS / "example.py")]
    subprocess.run([*command, "--", *program], check=True, cwd=ROOT)
    application = make_application()
    run_gc_on_ui_thread(application)
    window = make_window(application, folder / "window.ini")
    window.resize(*SIZE)
    window.show()

    def grab(name: str) -> None:
        widget = application.activeWindow() if name == "compare" else window
        for size, theme in product(sizes, THEMES):
            window.theme.choose(theme)
            wait(lambda: False, SETTLE_MS)
            for top in application.topLevelWidgets():
                if name == "compare" and top.isVisible() and top is not window:
                    widget = top
            assert widget is not None, "the page is on the screen"
            widget.resize(*size)
            wait(lambda: False, SETTLE_MS)
            of_size = "-{}x{}".format(*size) if len(sizes) > 1 else ""
            path = target / f"{name}{of_size}-{theme}.png"
            widget.grab().save(str(path))
            print(f"  picture  {path}")

    def measure(name: str) -> Document:
        window.workspace.open(MODELS / f"{name}.onnx")
        document = window.document
        assert document is not None, "opening shows the document"
        wait(lambda: document.model is not None)
        document.measure()
        wait(lambda: document.report is not None and document.work is None)
        return document

    def improve(document: Document) -> None:
        """Run two recipes on test digits, so that there is a verdict and a plot."""
        improving = document.improving
        window.choose_tab(Tab.IMPROVE)
        for purpose, seed in ((TEST, 1), (CALIBRATION, 2)):
            improving.use_folder(purpose, make_digits(folder / purpose, seed))
            wait(partial(improving.folders.__contains__, purpose))
        for steps in ((Step("float16"),), (Step("int8"),)):
            improving.set_steps(steps)
            improving.run()
            wait(lambda: not improving.work)

    measure("digits_float32")
    document = measure("digits_int8_qdq")
    axes = (Axis("threads", (1, 2)), Axis("optimization", ("none", "basic", "extended", "all")))
    document.sweeping.start(axes, 2, 200, False)
    wait(lambda: document.work is None)
    window.choose_tab(Tab.PERFORMANCE)
    view = window.view
    assert view is not None, "an open document has a view"
    page = view.tab(Tab.PERFORMANCE)
    page.views.choose(1)  # type: ignore[attr-defined]
    page.show_view(1)  # type: ignore[attr-defined]
    grab("sweep")
    window.run_command("compare/reports")
    wait(lambda: False, 10 * SETTLE_MS)
    grab("compare")
    improve(measure("digits_float32"))
    grab("improve")
    window.workspace.open(trace)
    wait(lambda: window.trace is not None)
    wait(lambda: False, 5 * SETTLE_MS)
    grab("trace")
    window.close()


def take_machines(
    folder: Path,
    target: Path = TARGET,
    sizes: Collection[tuple[int, int]] = (SIZE,),
    leaving: Path | None = None,
) -> None:
    """Take the window of models on machines, when all cells have ended.

    leaving: a file without which one of the machines cannot start again; its agent is killed
    while it measures, and there is a picture of that as well.
    """
    from inspector.analysis.measured.machine_matrix import METRICS
    from inspector.ui.app.application import make_application, make_window, run_gc_on_ui_thread
    from inspector.ui.views.machines.measuring import MachineMeasuring
    from inspector.ui.views.machines.view import MachinesView

    application = make_application()
    run_gc_on_ui_thread(application)
    window = make_window(application, folder / "window.ini")
    window.show()
    models = sorted(MODELS.glob("*.onnx"))[: None if leaving is None else _MODELS_HERE]
    window.workspace.open(*models)
    wait(lambda: sum(bool(d.digest) for d in window.workspace.documents) == len(models))
    measuring = MachineMeasuring(window.workspace, window)
    view = MachinesView(window.theme, window.workspace, measuring, window)
    view.show()
    wait(lambda: False, 10 * SETTLE_MS)

    def grab(name: str) -> None:
        for size, theme in product(sizes, THEMES):
            window.theme.choose(theme)
            view.resize(*size)
            wait(lambda: False, SETTLE_MS)
            of_size = "-{}x{}".format(*size) if len(sizes) > 1 else ""
            path = target / f"{name}{of_size}-{theme}.png"
            view.grab().save(str(path))
            print(f"  picture  {path}")

    def step_of(machine: str) -> str:
        pairs = view.measuring.activities.items()
        places = view.matrix.places
        return next((a.step for at, a in pairs if places[at[-1]].text == machine), "")

    view.start()
    if leaving is not None:
        wait(lambda: step_of(_LEAVES) not in ("", "start", "hash", "sending", "waiting"))
        process = int(leaving.read_text())
        leaving.unlink()
        os.kill(process, signal.SIGKILL)
        wait(lambda: step_of(_LEAVES) == "offline")
        grab("machines-unreachable")
    wait(lambda: not view.measuring.running)
    view.table.setCurrentIndex(view.matrix.index(0, 0))
    grab("machines")
    if leaving is not None:
        view.metrics.choose(len(METRICS) - 1)  # layers supported
        grab("machines-layers")
    window.close()


def take_own_machines(folder: Path, target: Path) -> None:
    """Take the window of models on machines with two agents here, one of which goes away."""
    from inspector.remote import machines
    from inspector.remote.connection import Machine

    program, leaving = folder / "python", folder / "process"
    start = f'echo $$ > {leaving}; exec {sys.executable} "$@"'
    program.write_text(f"#!/bin/sh\ntest -e {leaving} || exit 1\n{start}\n")
    program.chmod(0o700)
    leaving.touch()
    machines.default_file = lambda: folder / "machines.json"
    vars(machines)["Machine"] = partial(Machine, give_up_seconds=_GIVE_UP_S)
    machines.keep(machines.Saved("workstation", machines.LOCAL))
    machines.keep(machines.Saved(_LEAVES, machines.LOCAL, str(program)))
    take_machines(folder, target, SIZES, leaving)


def take_all(folder: Path) -> None:
    """Take every page at each size and scale in both themes, and make the contact sheets."""
    sizes = ["{}x{}".format(*size) for size in SIZES]
    picture = str(MODELS / "inputs" / "bag.png")
    tour = (
        "-m",
        "inspector.ui.app.tour",
        str(MODELS / "clothes_float32.onnx"),
        "--input",
        picture,
    )
    for scale in SCALES:
        target = folder / f"{scale}x"
        target.mkdir(parents=True, exist_ok=True)
        environment = os.environ | {"QT_SCALE_FACTOR": str(scale)}
        for command in (
            (*tour, "--output", str(target), "--size", *sizes),
            ("-m", "tools.make_pictures", "--pages-in", str(target)),
            ("-m", "tools.make_pictures", "--machines-in", str(target)),
        ):
            subprocess.run([sys.executable, *command], check=True, cwd=ROOT, env=environment)
        for size in sizes:
            make_contact_sheet(sorted(target.glob(f"*-{size}-*.png")), target, size)


def make_contact_sheet(pictures: Sequence[Path], folder: Path, name: str) -> None:
    """Write small copies of pictures in two columns, light beside dark."""
    from PIL import Image

    small = []
    for path in pictures:
        with Image.open(path) as whole:
            height = round(whole.height * _THUMBNAIL_PX / whole.width)
            small.append(whole.convert("RGB").resize((_THUMBNAIL_PX, height)))
    height = max(image.height for image in small)
    rows = -(-len(small) // len(THEMES))
    sheet = Image.new("RGB", (len(THEMES) * _THUMBNAIL_PX, rows * height), "gray")
    for number, image in enumerate(small):
        row, column = divmod(number, len(THEMES))
        sheet.paste(image, (column * _THUMBNAIL_PX, row * height))
    sheet.save(folder / f"sheet-{name}.png")


def take_edit_mode(folder: Path) -> None:
    """Take the Graph tab in edit mode: three edits, and a cut that is previewed."""
    from inspector.app.changing.editing import EditState
    from inspector.conversion.edits import choices
    from inspector.ui.app.application import make_application, make_window, run_gc_on_ui_thread
    from inspector.ui.graph.tab import GraphTab
    from inspector.ui.window.tabs import Tab

    application = make_application()
    run_gc_on_ui_thread(application)
    window = make_window(application, folder / "window.ini")
    window.resize(*SIZE)
    window.show()
    window.workspace.open(MODELS / "language_bert.onnx")
    wait(lambda: window.document is not None and window.document.model is not None)
    tab = window.opened_tab(Tab.GRAPH)
    assert isinstance(tab, GraphTab), "an ONNX model has a graph"
    wait(lambda: tab.view.scene is not None and not tab.working)
    tab.set_editing(True)
    view = tab.edit_view
    assert view is not None, "edit mode has begun"
    editing = view.editing
    model = editing.model
    relu = next(each.index for each in model.layers if each.operator in ("Relu", "Gelu", "Erf"))
    steps = (
        choices.rename_value(model.inputs[0].name, "tokens"),
        choices.rename_layer(model, relu, "activation"),
        choices.metadata("edited_by", "example"),
    )
    for count, step in enumerate(steps, 1):
        editing.apply(step)
        wait(lambda count=count: len(editing.steps) == count)  # type: ignore[misc]
    wait(lambda: not editing.busy and editing.verdict.state is EditState.RUNS)
    model = editing.model
    half = next(
        each.index
        for each in model.layers
        if each.operator == "Add" and each.index > len(model.layers) // 2
    )
    for theme in THEMES:
        window.theme.choose(theme)
        wait(lambda: not tab.working, SETTLE_MS)
        view.selection.choose(half)
        wait(lambda: False, SETTLE_MS)
        view.show_step(choices.cut(editing.model, half, choices.ABOVE), pinned=True)
        wait(lambda: view.preview is not None)
        wait(lambda: False, SETTLE_MS)
        path = TARGET / f"edit-{theme}.png"
        window.grab().save(str(path))
        print(f"  picture  {path}")
    editing.discard()
    wait(lambda: not editing.steps)
    window.close()


def take_language_model(folder: Path) -> None:
    """Take Chat, the measurement token by token, and the quality of a smaller version."""
    from inspector.ui.app.application import make_application, make_window, run_gc_on_ui_thread
    from inspector.ui.window.tabs import Tab

    small = folder / "alice_4bit.onnx"
    command = [sys.executable, "-m", "inspector", "convert", str(MODELS / "alice")]
    subprocess.run([*command, "weights-4bit", "-o", str(small)], check=True, cwd=ROOT)
    application = make_application()
    run_gc_on_ui_thread(application)
    window = make_window(application, folder / "window.ini")
    window.resize(*SIZE)
    window.show()

    def grab(name: str) -> None:
        for theme in THEMES:
            window.theme.choose(theme)
            wait(lambda: False, 2 * SETTLE_MS)
            path = TARGET / f"{name}-{theme}.png"
            window.grab().save(str(path))
            print(f"  picture  {path}")

    window.workspace.open(MODELS / "alice")
    document = window.document
    assert document is not None, "opening shows the document"
    wait(lambda: document.model is not None and document.work is None)
    window.choose_tab(Tab.CHAT)
    chatting = document.chatting
    wait(lambda: chatting.ready)
    for prompt in ("Alice opened the door", "The Queen turned"):
        chatting.send(prompt)
        wait(lambda: chatting.running is None)
    last = chatting.last
    chatting.choose(last.answer if last is not None else None, 3)
    grab("chat")
    window.choose_tab(Tab.PERFORMANCE)
    document.measure()
    wait(lambda: document.report is not None and document.work is None)
    grab("phases")
    window.workspace.open(small)
    wait(lambda: window.document is not document)
    window.workspace.open_diff(MODELS / "alice" / "model.onnx", small)
    wait(lambda: window.diff is not None and window.diff.judging is not None)
    view = window.diff
    assert view is not None, "waited for it"
    judging = view.judging
    assert judging is not None, "waited for it"
    view.show_view(1)
    judging.ranked = True
    judging.start()
    wait(lambda: not judging.running)
    grab("quality")
    window.close()


def _after(option: str) -> Path | None:
    """Return the path that follows an option on the command line; None without the option."""
    if option not in sys.argv:
        return None
    return Path(sys.argv[sys.argv.index(option) + 1]).absolute()


def main() -> int:
    """Take all pictures; returns the exit status."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if whole := _after("--all"):
        take_all(whole)
        return 0
    if target := _after("--pages-in"):
        with TemporaryDirectory(prefix="inspector-pictures-") as own:
            take_pages(Path(own), target, SIZES)
        return 0
    if target := _after("--machines-in"):
        with TemporaryDirectory(prefix="inspector-pictures-") as own:
            take_own_machines(Path(own), target)
        return 0
    TARGET.mkdir(parents=True, exist_ok=True)
    if "--machines" in sys.argv:
        with TemporaryDirectory(prefix="inspector-pictures-") as folder:
            take_machines(Path(folder))
        return 0
    if "--edit" in sys.argv:
        with TemporaryDirectory(prefix="inspector-pictures-") as folder:
            take_edit_mode(Path(folder))
        return 0
    if "--language" in sys.argv:
        with TemporaryDirectory(prefix="inspector-pictures-") as folder:
            take_language_model(Path(folder))
        return 0
    if "--pages" not in sys.argv:
        language = [sys.executable, "-m", "tools.make_pictures", "--language"]
        subprocess.run(language, check=True)
        subprocess.run([sys.executable, "-m", "tools.make_pictures", "--edit"], check=True)
        picture = str(MODELS / "inputs" / "digit_3.png")
        take_tabs(MODELS / "digits_float32.onnx", TABS, "--input", picture)
        take_tabs(MODELS / "language_bert.onnx", ("graph", "performance"))
    with TemporaryDirectory(prefix="inspector-pictures-") as folder:
        take_pages(Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
