"""Translation of the window's text: every string that a person reads goes through `tr`.

    label(tr("Layers"))                                      # drawn here
    TITLES = {"min": mark("Min")} ... label(tr(TITLES[id]))  # drawn later
    tr("{shown:,} of {total:,}").format(shown=10, total=25)  # with values
    plural(3, "layer")                                       # "3 layers"
    painter.drawText(box, tr_message(finding.text))          # made outside the window

`tools/make_catalogue.py` collects the literals into `resources/translations/inspector_*.ts`.
Without a translation, which is the rule, `tr` returns its argument and Qt is not asked.
"""

import math
import re
import string
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QDateTime, QLibraryInfo, QLocale, Qt, QTranslator

from inspector import units as english
from inspector.platform import files
from inspector.platform.late_modules import LateModule
from inspector.ui import units

if TYPE_CHECKING:
    from inspector.wording import catalog
    from inspector.wording import values as values
    from inspector.wording.values import Value, Wording
else:
    # 13 ms: the first window is drawn in English, or in Qt's translations.
    catalog = LateModule("inspector.wording.catalog")
    # 12 ms: the first picture shows no values.
    values = LateModule("inspector.wording.values")

CONTEXT = "Inspector"  # of every message in the catalogue
PSEUDO = "pseudo"  # a language for tests: English with accents, and longer
_ACCENTS = str.maketrans("aceinosuyACEINOSUY", "áçéíñöšüýÁÇÉÍÑÖŠÜÝ")
_LONGER = 1.3  # German and French texts of a window are about a third longer than English ones

# (text, count) -> translation; count is -1 for text without a plural. None: not translated.
_translate: Callable[[str, int], str] | None = None
_translated: dict[tuple[str, int], str] = {}  # paint loops ask for the same few texts
_wording: "Wording | None" = None  # None: in English, and in the pseudo-language


def tr(text: str) -> str:
    """Return a text in the language of the window."""
    return text if _translate is None or not text else _look_up(text, -1)


def tr_message(text: str) -> str:
    """Return a finished sentence of another package in the language of the window.

    Such as a finding, a verdict or an error: see `message_patterns`. Labels, tooltips and
    tables call it for each of their texts; one word may be a name, and stays.
    """
    if _wording is None or not text:
        return text
    if (translation := _text(text)) != text or " " not in text:
        return translation
    translation = tr(text)
    return translation if translation != text else _wording.finished(text)


def language() -> str:
    """Return the code of the language that texts have now, such as "de"."""
    return "en" if _wording is None else _wording.code


def wording() -> "Wording":
    """Return the language of the window for the values of a page."""
    if _translate is None:
        return values.ENGLISH
    if _wording is not None:
        return _wording
    return values.Wording(translate=tr, plural=plural)


def written(value: "Value | None") -> str:
    """Return a value of a page, such as a sentence, in the language of the window."""
    return wording().text(value) if value else ""


def with_ellipsis(text: str) -> str:
    """Return a translated text with "…" behind it: of an entry that asks first, or of work."""
    return tr("{text}…").format(text=text)


def interval(text: str) -> str:
    """Return an interval of `units.durations` in the language of the window."""
    if _translate is None:
        return text
    low, to, high = text.partition(" to ")
    if not to:
        return text
    if low == "up":
        return tr("up to {high}").format(high=high)
    return tr("{low} to {high}").format(low=low, high=high)


def time_left(seconds: float, at_most: bool = False) -> str:
    """Return how long something will still take, or takes at most, in the window's language."""
    template = tr("up to {time} left") if at_most else tr("about {time} left")
    return template.format(time=english.rounded_time(seconds))


def in_sentence(title: str) -> str:
    """Return a translated title as it is written within a sentence.

    English writes it in lower case; other languages may write nouns with a capital letter.
    """
    return title.lower() if _translate is None else title


def mark(text: str) -> str:
    """Return the text as it is, for tables made at import; `tr` translates it where drawn."""
    return text


def plural(count: int, noun: str) -> str:
    """Return "3 layers" or "1 layer" in the language of the window."""
    if _wording is not None:
        return units.localized(_wording.plural(count, noun))
    return english.plural(count, noun) if _translate is None else _look_up(noun, count)


def short_plural(count: int, noun: str) -> str:
    """Return a count in thousands, millions, ... with its noun: "11.7 M parameters"."""
    return f"{units.count(count)} {plural(count, noun).partition(' ')[2]}"


def when(created: str, brief: bool = False) -> str:
    """Return the date of a report, in local time: 'Today 14:02', '3 Nov 14:02'.

    brief: '14:02' if it is of today.
    """
    moment = QDateTime.fromString(created, Qt.DateFormat.ISODateWithMs).toLocalTime()
    if not moment.isValid():
        return units.clip(created, 30)
    day = moment.date()
    days = day.daysTo(QDateTime.currentDateTime().date())
    month = QLocale().standaloneMonthName(day.month(), QLocale.FormatType.ShortFormat)
    if brief and not days:
        return moment.toString("HH:mm")
    date = tr("{day} {month}").format(day=day.day(), month=month)
    shown = {0: tr("Today"), 1: tr("Yesterday")}.get(days, date)
    return f"{shown} {moment.toString('HH:mm')}"


def install(application: QCoreApplication, translator: QTranslator) -> None:
    """Translate what is drawn from now on."""
    global _translate

    def translate(text: str, count: int) -> str:
        return application.translate(CONTEXT, text, None, count)

    application.installTranslator(translator)
    _translated.clear()
    _translate = translate


def remove(application: QCoreApplication, translator: QTranslator) -> None:
    """Return to English."""
    application.removeTranslator(translator)
    remove_pseudo()


def remove_pseudo() -> None:
    """Return to English, for a language that is none of Qt's."""
    global _translate, _wording
    _translated.clear()
    if _wording is not None:
        catalog.use("")
    units.use_decimal_comma(False)
    _translate = _wording = None


def install_pseudo() -> None:
    """Show each text with accents and a third longer from now on.

    What is still plain English was forgotten by `tr`, and what is cut has too little room.
    """
    global _translate

    def translate(text: str, count: int) -> str:
        return pseudo(text if count < 0 else f"{count} {text}")

    _translated.clear()
    _translate = translate


def pseudo(text: str) -> str:
    """Return a text with accents and about a third longer; its fields stay as they are."""
    if text.endswith("~"):
        return text  # it was translated before it was handed on
    parts = re.split(r"(\{[^{}]*\}|&|<[^<>]*>|https?:\S+)", text)
    accented = "".join(
        part if place % 2 else part.translate(_ACCENTS) for place, part in enumerate(parts)
    )
    end = "…" if accented.endswith("…") else ""
    extra = math.ceil(len(text) * (_LONGER - 1))
    return f"{accented.removesuffix('…')}{'~' * extra}{end}"


def languages() -> tuple[str, ...]:
    """Return the codes of the languages that there is a translation for, such as "de"."""
    return tuple(sorted(map(_code, files.resource("translations").glob("inspector_*.qm"))))


def _code(catalogue: Path | str) -> str:
    """Return the language of a catalogue: "inspector_pt_BR.qm" -> "pt_BR"."""
    return Path(catalogue).stem.partition("_")[2]


def load(application: QCoreApplication, language: str = "") -> None:
    """Install the translation for a language, by default the user's, if there is one.

    Qt takes the user's languages from the system's settings or the environment variable
    LANGUAGE. language: "pseudo" shows longer texts with accents, see `install_pseudo`.
    """
    # English, and languages without a translation, have English dates and numbers.
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    if language == PSEUDO:
        install_pseudo()
        return
    if language == "en" or not languages():
        return
    folder = files.resource("translations")
    translator = QTranslator(application)
    locale = QLocale(language) if language else QLocale.system()
    if translator.load(locale, "inspector", "_", str(folder)):
        of_qt = QTranslator(application)  # "Cancel" of its dialogs, "Copy" of its text fields
        qt_folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        if of_qt.load(QLocale(translator.language()), "qtbase", "_", qt_folder):
            application.installTranslator(of_qt)
        QLocale.setDefault(QLocale(translator.language()))
        install(application, translator)
        _use(_code(translator.filePath()))


def _use(language: str) -> None:
    """Write pages, and the documents that the window saves, in its language."""
    global _wording
    catalog.use(language)
    _wording = catalog.wording(language)
    units.use_decimal_comma(_wording.decimal_comma)


class _Template(str):
    """A translated text; what is filled into its fields is in the language of the window.

    Numbers in fields with a format, "{count:,}", get its signs, and sentences are translated.
    """

    __slots__ = ()

    def format(self, *args: object, **named: object) -> str:
        """Fill the fields."""
        return _FORMATTER.vformat(self, args, named)


class _Formatter(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        """Return the text of a field."""
        if format_spec:
            return units.localized(format(value, format_spec))
        return _text(value) if isinstance(value, str) else str(value)


_FORMATTER = _Formatter()


def _text(text: str) -> str:
    """Return a text, which may be a sentence that knows its parts."""
    if _wording is None or not isinstance(text, values.Sentence | values.Joined):
        return text
    return _wording.text(text)


def _look_up(text: str, count: int) -> str:
    assert _translate is not None
    if (text, count) not in _translated:
        _translated[text, count] = _Template(_translate(text, count))
    return _translated[text, count]
