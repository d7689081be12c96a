"""The Improve tab on real models in real engines, and folders of digits."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from pytestqt.qtbot import QtBot

from inspector.engine.client.engine_process import EngineProcess
from inspector.report.library import Library
from inspector.report.run_spec import RunSpec
from inspector.ui.documents.autosave import Autosave
from inspector.ui.documents.document import Document, Topic
from inspector.ui.tabs.improve.tab import ImproveTab
from inspector.ui.widgets.theme import Theme

SAMPLES = Path(__file__).parents[4] / "sample_models"
PATIENCE_MS = 120_000
Show = Callable[..., ImproveTab]


@pytest.fixture
def show(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Iterator[Show]:
    """Open a model in the tab, with a library that lasts as long as the test."""
    documents = []

    def shown(path: Path, checked: bool = True) -> ImproveTab:
        library = Autosave(Library(tmp_path / "library"))
        document = Document(path, RunSpec(runs=5), EngineProcess, library)
        documents.append(document)
        with qtbot.waitSignal(document.changed(Topic.DIGEST), timeout=PATIENCE_MS):
            document.open()
        document.improving.starts = 0  # no latency: tests that want one say so
        tab = ImproveTab(theme, document)
        qtbot.addWidget(tab)
        tab.resize(1212, 800)
        tab.show()
        if checked:
            qtbot.waitUntil(lambda: bool(document.improving.offers), timeout=PATIENCE_MS)
        return tab

    yield shown
    for document in documents:
        document.close()


@pytest.fixture
def tab(show: Show) -> ImproveTab:
    return show(SAMPLES / "digits_float32.onnx")


def make_digits(folder: Path, count: int, seed: int) -> Path:
    """Write the sample digits with a little noise, in subfolders named after their class."""
    random = np.random.default_rng(seed)
    sources = sorted((SAMPLES / "inputs").glob("digit_*.png"))
    for number in range(count):
        source = sources[number % len(sources)]
        pixels = np.array(Image.open(source).convert("L"), np.float32)
        noisy = np.clip(pixels + random.normal(0, 4, pixels.shape), 0, 255).astype(np.uint8)
        place = folder / source.stem.removeprefix("digit_")
        place.mkdir(parents=True, exist_ok=True)
        Image.fromarray(noisy).save(place / f"{number}.png")
    return folder
