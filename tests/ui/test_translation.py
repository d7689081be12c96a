"""All text of the window goes through `tr`, and the catalogue has all of it."""

import ast
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, Qt, QTranslator
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QMenu,
    QWidget,
)

from inspector.platform import files
from inspector.ui import translate, units
from inspector.ui.window.tabs import TABS
from inspector.wording.values import Count, Duration, Sentence
from tests.conftest import ROOT
from tests.ui.made_documents import open_in_window
from tools import make_catalogue
from tools.syntax_trees import syntax_trees

# Calls that show a text, and which of their arguments that is.
SHOWING = {
    "setText": 0, "setToolTip": 0, "setWindowTitle": 0, "setPlaceholderText": 0,
    "setAccessibleName": 0, "setAccessibleDescription": 0, "setStatusTip": 0,
    "addAction": 0, "addMenu": 0, "QLabel": 0, "QPushButton": 0, "QCheckBox": 0, "QAction": 0,
    "label": 0, "tip": 0, "wrapped": 0, "Elided": 0, "set_text": 0, "button": 1, "tool": 2,
    "NumberField": 0, "ChoiceField": 0, "FilterField": 1, "Table": 1, "TextCard": 1,
}  # fmt: skip
READABLE = re.compile(r"[A-Za-z]{3}")
ABBREVIATED = re.compile(r"\b(Std|Abw)\.$")  # not the end of a sentence
TRANSLATIONS = sorted(
    path for path in make_catalogue.FOLDER.glob("inspector_*.ts") if path.stem != "inspector_en"
)


class Pseudo(QTranslator):
    """Puts brackets around each text of the window."""

    def translate(
        self, context: str, source: str, disambiguation: str | None = None, n: int = -1
    ) -> str:
        if context != translate.CONTEXT:
            return ""
        return f"⟦{source}⟧" if n < 0 else f"⟦{n} {source}⟧"

    def isEmpty(self) -> bool:
        return False


@pytest.fixture
def pseudo(qapp: QApplication) -> Iterator[None]:
    translator = Pseudo(qapp)
    translate.install(qapp, translator)
    yield
    translate.remove(qapp, translator)


@pytest.fixture(scope="module")
def messages() -> list[make_catalogue.Message]:
    return make_catalogue.collect()


@pytest.fixture(scope="module")
def trees() -> dict[Path, ast.Module]:
    """Those of all modules of the window."""
    return {path: tree for path, (_, tree) in syntax_trees(make_catalogue.WINDOW).items()}


def test_no_text_is_shown_without_translation(trees):
    bare = [
        f"{path.relative_to(ROOT)}:{text.lineno}: {ast.unparse(text)}"
        for path, tree in trees.items()
        for text in _shown_texts(tree)
        if READABLE.search(_constant_part(text))
    ]
    assert bare == [], "wrap them with tr()"


def test_every_widget_of_the_main_window_shows_translated_text(
    pseudo, qtbot, window, samples, messages
):
    document = open_in_window(qtbot, window, samples / "digits_float32.onnx")
    qtbot.waitUntil(lambda: window.top_bar.menu_button.menu() is not None, timeout=60_000)
    texts = set[str]()
    for tab in TABS:
        window.choose_tab(tab)
        qtbot.wait(50)
        texts |= set(_texts(window))
    names = {layer.name for layer in document.model.layers}
    names |= {layer.operator for layer in document.model.layers} | {
        "picture",
        "none",
        "CPU",
        "Inspector",
        "XNNPACK",
        "float32",  # a data type of the model, too
    }
    sources = {message.text for message in messages} - names
    assert len([text for text in texts if "⟦" in text]) > 200
    assert sorted(text for text in texts if text.strip() in sources) == []


def test_text_is_itself_without_a_translation():
    assert translate.tr("Layers") == "Layers"
    assert (translate.plural(1, "layer"), translate.plural(1200, "layer")) == (
        "1 layer",
        "1,200 layers",
    )


def test_the_date_of_a_report_is_said_in_local_time_and_any_text_is_shown():
    noon = datetime.now().replace(hour=12, minute=5, second=9, microsecond=0)
    before = noon - timedelta(days=1)  # in local time, also where clocks were changed since
    assert translate.when(noon.astimezone().isoformat()) == "Today 12:05"
    assert translate.when(before.astimezone().isoformat()) == "Yesterday 12:05"
    assert translate.when("2024-11-03T14:02:59") == "3 Nov 14:02"
    assert translate.when("0001-01-01T00:00:00+10:00").startswith("31 Dec ")
    assert translate.when("not a date") == "not a date"


def test_a_compiled_translation_is_loaded_for_the_language(qapp, tmp_path):
    source = tmp_path / "inspector_de.ts"
    source.write_text(
        '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE TS><TS version="2.1" language="de">'
        f"<context><name>{translate.CONTEXT}</name><message><source>Layers</source>"
        "<translation>Schichten</translation></message></context></TS>",
        "utf-8",
    )
    make_catalogue.compile_catalogue(source)
    translator = QTranslator(qapp)
    assert translator.load(str(source.with_suffix(".qm")))
    translate.install(qapp, translator)
    try:
        assert translate.tr("Layers") == "Schichten"
        assert translate.tr("not in the catalogue") == "not in the catalogue"
    finally:
        translate.remove(qapp, translator)


def test_sentences_are_read_from_the_file_of_the_whole_language_code(
    qapp, tmp_path, monkeypatch
):
    source = tmp_path / "inspector_pt_BR.ts"
    source.write_text(make_catalogue.catalogue([], "pt_BR", {}), "utf-8")
    make_catalogue.compile_catalogue(source)
    monkeypatch.setattr(make_catalogue, "FOLDER", tmp_path)
    monkeypatch.setattr(make_catalogue, "collect_templates", lambda: ["Run it again."])
    sentences = tmp_path / "messages_pt_BR.json"
    sentences.write_text('{"Run it again.": "Rode de novo."}', "utf-8")
    assert make_catalogue.untranslated_sentences("pt_BR") == {}
    monkeypatch.setattr(files, "resource", lambda *parts: tmp_path.joinpath(*parts[1:]))
    before = qapp.findChildren(QTranslator)
    translate.load(qapp, "pt_BR")
    try:
        assert translate.tr_message("Run it again.") == "Rode de novo."
    finally:
        for translator in qapp.findChildren(QTranslator):
            if translator not in before:
                translate.remove(qapp, translator)


@pytest.mark.parametrize("path", TRANSLATIONS, ids=lambda path: path.stem)
def test_a_translation_agrees_with_its_texts(path):
    assert [
        f"{text!r} - {element.text!r}: {what}"
        for text, element in make_catalogue.translations(path).items()
        for what in _differences(text, element.text or "")
    ] == []


@pytest.mark.parametrize("path", TRANSLATIONS, ids=lambda path: path.stem)
def test_the_compiled_file_is_that_of_the_catalogue(path, qapp):
    translator = QTranslator(qapp)
    assert translator.load(str(path.with_suffix(".qm")))
    old = [
        text
        for text, element in make_catalogue.translations(path).items()
        if translator.translate(translate.CONTEXT, text) != element.text
    ]
    assert old == [], f"run `python -m tools.make_catalogue --language {path.stem[10:]}`"


@pytest.mark.slow  # A check before a release: who adds a text need not know each language.
@pytest.mark.parametrize("path", TRANSLATIONS, ids=lambda path: path.stem)
def test_every_text_is_translated(path, messages):
    assert make_catalogue.missing(messages, path.stem.partition("_")[2]) == []


def test_missing_texts_are_listed(capsys, messages, monkeypatch):
    monkeypatch.setattr(make_catalogue, "collect", lambda: messages)
    with pytest.raises(SystemExit) as end:
        make_catalogue.main(["--missing", "xx"])
    assert end.value.code == 1
    assert "inspector_xx.ts" in capsys.readouterr().err


def test_numbers_are_written_in_one_place(trees):
    """An f-string or another module writes a number in English: see `inspector.ui.units`."""
    plain = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path, tree in trees.items()
        if path.stem not in ("units", "translate")
        for node in ast.walk(tree)
        if (
            isinstance(node, ast.ImportFrom)
            and node.module == "inspector"
            and any(each.name == "units" for each in node.names)
        )
        or (
            isinstance(node, ast.FormattedValue)
            and re.search(r"[,.]", ast.unparse(node.format_spec) if node.format_spec else "")
            and path.stem not in ("view_link", "tensor_output")
        )  # an address; files and copies
    ]
    assert plain == []


def test_numbers_have_the_signs_of_the_language(german):
    assert units.duration(2_314_000) == "2,31 ms"
    assert units.number(12345) == "12.345"
    assert units.number(0.4489, ".3f") == "0,449"
    assert translate.written(Duration(2_310_000)) == "2,31 ms"
    filled = translate.tr("Show all {total:,} {noun}").format(total=12345, noun="a.1.onnx")
    assert "12.345 a.1.onnx" in filled
    shown = translate.tr_message(f"{units.durations(2_311_000, 2_314_000)} · 12.345 Kopien")
    assert shown == "2,311 ms to 2,314 ms · 12.345 Kopien", "what is localized stays"
    assert [float(units.typed(text)) for text in ("0,5", "0.5", "1e-3")] == [0.5, 0.5, 1e-3]
    translate.remove_pseudo()
    assert units.number(12345) == "12,345"


def test_what_is_filled_in_is_translated(german):
    reason = Sentence("median of {runs}", Count(1200, "run"))
    text = translate.tr("noisy: {reason}").format(reason=reason)
    assert text.endswith(translate.written(reason))
    assert translate.written(reason) != reason


def test_german_is_loaded_for_austria(german, qapp, monkeypatch):
    assert "de" in translate.languages()
    assert translate.tr("Layers") == "Schichten"
    assert translate.tr("copy") == "Kopie"
    assert [translate.plural(n, "copy") for n in (1, 1200)] == ["1 Kopie", "1.200 Kopien"]
    assert QApplication.translate("QPlatformTheme", "Cancel") == "Abbrechen"
    translate.remove_pseudo()
    monkeypatch.setattr(QLocale, "system", lambda: QLocale("de_AT"))
    translate.load(qapp)
    assert translate.tr("Layers") == "Schichten"
    translate.remove_pseudo()
    monkeypatch.setattr(QLocale, "system", lambda: QLocale("fr_FR"))
    translate.load(qapp)
    assert translate.tr("Layers") == "Layers"


def test_no_letter_opens_two_menus(german, window):
    for menu in [menu for menu in window.findChildren(QMenu) if menu.actions()]:
        letters = [
            action.text()[place + 1].casefold()
            for action in menu.actions()
            if (place := action.text().replace("&&", "__").find("&")) >= 0
        ]
        assert len(letters) == len(set(letters)), [each.text() for each in menu.actions()]


def _differences(source: str, form: str) -> Iterator[str]:
    """Say what a translation must have in common with its text and has not."""
    parts = {
        "fields": r"\{[^{}]*\}",
        "markup": r"</?\w[^<>]*>",
        "file names": r"\(\*[^()]*\)|;;",
        "lines": r"\n",
        "letter of a menu": r"&(?=\w)",
        "end": r"[…:?]\s*$",
        "space around": r"^ +| +$",
    }
    for name, pattern in parts.items():
        wanted = sorted(re.findall(pattern, source))
        if wanted != sorted(re.findall(pattern, form)):
            yield name
    if source.endswith(".") != form.endswith(".") and not ABBREVIATED.search(form):
        yield "full stop"


def test_a_translation_keeps_its_texts_when_the_catalogue_is_written_again(tmp_path, messages):
    path = tmp_path / "inspector_de.ts"
    path.write_text(make_catalogue.catalogue(messages[:3], "de", {}), "utf-8")
    unfinished = '<translation type="unfinished"></translation>'
    done = path.read_text("utf-8").replace(
        unfinished, "<translation>Übersetzt</translation>", 1
    )
    path.write_text(done, "utf-8")
    again = make_catalogue.catalogue(messages[:3], "de", make_catalogue.translations(path))
    assert again.count("<translation>Übersetzt</translation>") == 1
    assert again.count(unfinished) == 2


def _shown_texts(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield arguments of calls in SHOWING that are literals."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        place = SHOWING.get(name, len(node.args))
        if place < len(node.args):
            yield from _literals(node.args[place])


def _literals(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.Constant | ast.JoinedStr):
        yield node
    elif isinstance(node, ast.IfExp):
        yield from _literals(node.body)
        yield from _literals(node.orelse)
    elif isinstance(node, ast.BinOp):
        yield from _literals(node.left)
        yield from _literals(node.right)


def _constant_part(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "\0".join(_constant_part(part) for part in node.values)
    return str(node.value) if isinstance(node, ast.Constant) else ""


def _texts(top: QWidget) -> Iterator[str]:
    """Yield what labels, buttons, fields, menus, tables and tooltips say."""
    for widget in (top, *top.findChildren(QWidget)):
        yield from (widget.toolTip(), widget.accessibleName(), widget.windowTitle())
        if isinstance(widget, QLabel | QAbstractButton):
            yield widget.text()
        if isinstance(widget, QLineEdit):
            yield widget.placeholderText()
        if isinstance(widget, QComboBox):
            yield from (widget.itemText(index) for index in range(widget.count()))
        if isinstance(widget, QMenu):
            widget.aboutToShow.emit()
        yield from (action.text() for action in widget.actions())
        headed = isinstance(widget, QAbstractItemView) and not isinstance(widget, QListWidget)
        if headed and widget.model() is not None:
            model = widget.model()
            for column in range(model.columnCount()):
                yield str(model.headerData(column, Qt.Orientation.Horizontal) or "")
