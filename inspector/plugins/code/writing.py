"""Fills the templates of this plugin: one for each language, in `templates/`."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from inspector.render.code_languages import CodeLanguage
from inspector.render.session_code import literal, python_escape, render
from inspector.report.run_spec import RunSpec

_FOLDER = Path(__file__).parent / "templates"
_SHORT_ESCAPE = 2  # characters, such as of a line break
_JAVA_VALUES = {  # of Java and Kotlin
    "none": "NO_OPT",
    "basic": "BASIC_OPT",
    "extended": "EXTENDED_OPT",
    "all": "ALL_OPT",
    "sequential": "SEQUENTIAL",
    "parallel": "PARALLEL",
}


def session(language: CodeLanguage, spec: RunSpec, model: str) -> str:
    """Return lines that create a session; see `CodeLanguage.session_code`."""
    return write(language, spec, model, call=False, runtime="", image=None, rare={})


def write(
    language: CodeLanguage, spec: RunSpec, model: str, template: str = "", **values: object
) -> str:
    """Return code in a language.

    template: another than the language's. values: what a whole program says besides the
    session.
    """
    return render(
        template or f"{language.id}.jinja",
        spec,
        model,
        partial(literal, escaped=partial(_escaped, language=language.id)),
        _FOLDER,
        java_values=_JAVA_VALUES,
        braced=_braced,
        floats=_floats,
        numbers=_numbers,
        **values,
    )


def _escaped(letter: str, language: str) -> str:
    """Return a letter inside of quotes; octal numbers are of Python, C++ and Java only."""
    if letter == "$" and language == "kotlin":
        return "\\$"
    plain, code = python_escape(letter), ord(letter)
    if len(plain) <= _SHORT_ESCAPE:
        return plain
    if language == "swift":
        return f"\\u{{{code:x}}}"
    if language in ("csharp", "javascript", "kotlin") and letter.isascii():
        return f"\\u{code:04x}"
    if language in ("java", "javascript", "kotlin") and code >= 1 << 16:  # UTF-16 units
        units = letter.encode("utf-16-be")
        return f"\\u{units[:2].hex()}\\u{units[2:].hex()}"
    return plain


def _braced(text: object) -> str:
    """Return a text in braces, which Jinja would read as its own."""
    return f"{{{text}}}"


def _numbers(values: Iterable[float]) -> str:
    """Return numbers separated by commas."""
    return ", ".join(f"{value:.9g}" for value in values)


def _floats(values: Iterable[float]) -> str:
    """Return numbers as float literals of C, C# and Java: 0.5f, 1.0f."""
    return ", ".join(
        f"{text if any(c in text for c in '.en') else text + '.0'}f"
        for text in (f"{value:.9g}" for value in values)
    )
