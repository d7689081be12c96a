"""A language model in the Improve tab: judged by a text, where lower is better."""

from pathlib import Path

from msgspec import structs
from pytestqt.qtbot import QtBot

from inspector.pages.charts.improvement_plot import plot
from inspector.pages.lists.before_after import before_after
from inspector.report.improvement import PERPLEXITY, SIZE
from inspector.report.language.quality import QualityLevel
from tests import language_folders
from tests.ui.tabs.improve.conftest import PATIENCE_MS, Show

WORDS = "Alice was beginning to get very tired of sitting by her sister on the bank. "


def test_a_language_model_is_judged_by_a_text(qtbot: QtBot, show: Show, tmp_path: Path) -> None:
    folder = language_folders.genai_folder(tmp_path / "tiny")
    text = tmp_path / "words.txt"
    text.write_text(60 * WORDS, "utf-8")
    tab = show(folder / "model.onnx")
    improving = tab.document.improving
    assert improving.by_text
    assert improving.limit == 1.03 - 1
    improving.use_text(text)
    assert tab.recipe.data.buttons["test"].accessibleName() == "Text: words.txt"
    improving.set_goal(SIZE, improving.limit)
    improving.use_texts(("weights-8bit",))
    improving.run()
    qtbot.waitUntil(lambda: not improving.work, timeout=PATIENCE_MS)
    now, candidate = improving.improvement, improving.candidate
    assert now.main == PERPLEXITY
    assert (now.test.name, candidate.quality.text) == ("words.txt", "words.txt")
    assert candidate.quality.level is QualityLevel.GOOD
    assert tab.quality.isVisible()
    rows = [[str(cell) for cell in row.cells] for row in before_after(now, candidate).rows]
    change = next(row[3] for row in rows if row[0] == "perplexity")
    assert change.endswith("%")
    shown = plot(now)
    base = shown.points[0].y
    assert shown.limit == base * (1 + now.limit)
    worse = structs.replace(
        candidate,
        accuracy=tuple(
            structs.replace(each, value=2 * base, change=base, low=base, high=base)
            for each in candidate.accuracy
        ),
        steps=("weights-4bit",),
    )
    both = plot(structs.replace(now, candidates=(candidate, worse)))
    assert 2 * base not in [point.y for point in both.front]
