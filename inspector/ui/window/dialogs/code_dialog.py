"""A dialog with a complete program that prepares the inputs of the open model and runs it."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from PySide6.QtGui import QGuiApplication, QSyntaxHighlighter, QTextCharFormat, QTextDocument
from PySide6.QtWidgets import QDialog, QFileDialog, QPlainTextEdit, QWidget

from inspector.errors import InspectorError
from inspector.platform import files
from inspector.preview.class_names import Labels
from inspector.preview.inputs.image import ImageOptions
from inspector.preview.preprocessing import saved
from inspector.preview.preprocessing.recipe import ImagePreprocessing
from inspector.preview.preprocessing.saved import SavedPreprocessing
from inspector.render import code_languages
from inspector.render.code_languages import PYTHON, CodeLanguage
from inspector.ui.documents import file_dialogs
from inspector.ui.documents.document import Document
from inspector.ui.translate import tr
from inspector.ui.widgets.failure import Failure
from inspector.ui.widgets.layouts import resize_on_screen
from inspector.ui.widgets.parts import Segmented, button, label, page_of, row
from inspector.ui.widgets.theme import Theme, font, qt_color

_LANGUAGE_WIDTH_PX = 92
_KEYWORDS = (
    "as|async|auto|await|break|case|catch|class|const|continue|def|double|else|except|export|"
    "extension|final|float|for|foreach|from|fun|func|function|if|import|in|include|int|is|"
    "lambda|let|long|namespace|new|public|return|sizeof|static|std|string|struct|switch|throws|"
    "throw|try|using|val|var|void|while|with"
)


def saved_preprocessing(document: Document) -> SavedPreprocessing:
    """Return what was saved with the model; what cannot be read counts as not saved."""
    path, model = document.path, document.model
    if path is None or model is None:
        return saved.NONE_SAVED
    try:
        return saved.load(path, model.metadata)
    except InspectorError:  # Preview says so
        return saved.NONE_SAVED


def class_names(document: Document) -> tuple[str, ...]:
    """Return the names of classes as Preview shows them; empty where there are none."""
    model = document.model
    if model is None:
        return ()
    if document.class_names is not None:
        return document.class_names.names
    kept = saved_preprocessing(document)
    return tuple(Labels.of(model, document.path, kept).or_assumed(model).names)


def image_preprocessing(document: Document) -> dict[str, ImagePreprocessing]:
    """Return the preprocessing of image inputs: saved with the model, or guessed."""
    model = document.model
    if model is None:
        return {}
    pictures = saved_preprocessing(document).pictures
    options = ImageOptions.of(model)
    guesses = {info.name: options.preparation(info) for info in model.inputs}
    return {name: guess for name, guess in guesses.items() if guess is not None} | dict(
        pictures
    )


class CodeColors(QSyntaxHighlighter):
    """Colors keywords, texts, numbers and comments of the language that is shown."""

    def __init__(self, theme: Theme, document: QTextDocument) -> None:
        super().__init__(document)
        self._theme, self.language = theme, PYTHON

    def highlightBlock(self, text: str, /) -> None:
        """Color one line; each part of it belongs to what begins first."""
        look = self._theme.palette
        roles = {"comment": look.tertiary, "text": look.good, "number": look.caution}
        for part in _parts(self.language.comment).finditer(text):
            made = QTextCharFormat()
            made.setForeground(qt_color(roles.get(str(part.lastgroup), look.accent)))
            self.setFormat(part.start(), len(part.group()), made)


class CodeDialog(QDialog):
    """One language at a time, with what must be installed; the code can be copied or saved.

    images: preprocessing by input name, as Preview uses it now.
    """

    def __init__(
        self,
        theme: Theme,
        document: Document,
        images: Mapping[str, ImagePreprocessing],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        assert document.model is not None
        self._model, self._spec, self._images = document.model, document.spec, images
        self._known = tuple(code_languages.with_programs().values())
        self._names = class_names(document)
        self.setWindowTitle(tr("Code for {model} — Inspector").format(model=document.name))
        # As high as a low screen allows: languages that need more lines do not make it grow.
        resize_on_screen(self, 860, 640)
        self.languages = Segmented(
            theme, [each.name for each in self._known], _LANGUAGE_WIDTH_PX
        )
        self.languages.setAccessibleName(tr("Programming language"))
        self.needs = label("", "caption", selectable=True)
        self.code = QPlainTextEdit()
        self.code.setReadOnly(True)
        self.code.setFont(font(11, mono=True))
        self.code.setStyleSheet('font-family: "JetBrains Mono"; font-size: 11px;')
        self.code.setAccessibleName(tr("Code"))
        self._colors = CodeColors(theme, self.code.document())
        theme.changed.connect(self._colors.rehighlight)
        self.code.setTabChangesFocus(True)
        self.failure = Failure(theme)
        self.failure.again.hide()
        self.failure.hide()
        self.copy = button(theme, tr("Copy"), "copy", primary=True)
        self.save = button(theme, tr("Save as…"), "save")
        close = button(theme, tr("Close"))
        close.clicked.connect(self.close)
        self.languages.chosen.connect(lambda _: self._write())
        self.copy.clicked.connect(self._copy)
        self.save.clicked.connect(self._ask_where)
        text = tr(
            "Uses the preprocessing from the Preview tab and the settings of the next "
            "measurement."
        )
        about = label(text, "secondary")
        page = page_of(self)
        self.needs.setWordWrap(True)
        page.addWidget(self.languages)
        page.addWidget(self.needs)
        page.addWidget(about)
        page.addWidget(self.code, 1)
        page.addWidget(self.failure)
        page.addLayout(row(None, self.save, self.copy, close))
        self._write()

    @property
    def _language(self) -> CodeLanguage:
        return self._known[self.languages.current]

    def write_to(self, path: Path) -> None:
        """Save the code; a failure is shown in the dialog."""
        self.failure.hide()
        try:
            files.write_atomic(path, self._text.encode())
        except InspectorError as error:
            self.failure.show_error(error)

    def _write(self) -> None:
        language = self._language
        self.failure.hide()  # of another language
        try:
            self._text = language.program_code(
                self._model, self._images, self._spec, self._names
            )
        except InspectorError as error:  # such as a type that the language's API lacks
            self._text = ""
            self.failure.show_error(error)
        for part in (self.copy, self.save):
            part.setEnabled(bool(self._text))
        self._colors.language = language
        self.code.setPlainText(self._text.rstrip("\n"))
        self.needs.setText(tr("Requires: {packages}").format(packages=language.needs))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text)

    def _ask_where(self) -> None:
        suffix = self._language.suffix
        name, _ = QFileDialog.getSaveFileName(
            self, tr("Save code"), file_dialogs.start(f"CallModel{suffix}"), f"*{suffix}"
        )
        if name:
            self.write_to(Path(name))


@cache
def _parts(comment: str) -> re.Pattern[str]:
    """Return what finds the parts of a line; comment: what begins one in the language."""
    return re.compile(
        rf"(?P<comment>{re.escape(comment)}.*|/\*.*?\*/)"
        r"|(?P<text>\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|`[^`]*`)"
        rf"|(?P<number>\b\d[\w.]*)|(?P<keyword>\b(?:{_KEYWORDS})\b)"
    )
