"""The settings of a session as code, in the languages of ONNX Runtime's users.

`inspector/export/code` has one Jinja template for each language: it says everything that is in
that language. The values that the templates take come from here and from `call_code`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.report.run_spec import RunSpec, entries_off
from inspector.units import clip

if TYPE_CHECKING:
    from jinja2 import Template

_LIST_LINE = 76  # characters of a line in a list of names
_LONGEST = 500  # characters of a string literal; a file may hold names of any length
_USUAL = RunSpec()
_C_VALUES = {  # of Python, C++ and C#
    "none": "ORT_DISABLE_ALL",
    "basic": "ORT_ENABLE_BASIC",
    "extended": "ORT_ENABLE_EXTENDED",
    "all": "ORT_ENABLE_ALL",
    "sequential": "ORT_SEQUENTIAL",
    "parallel": "ORT_PARALLEL",
}
_JAVA_VALUES = {  # of Java and Kotlin
    "none": "NO_OPT",
    "basic": "BASIC_OPT",
    "extended": "EXTENDED_OPT",
    "all": "ALL_OPT",
    "sequential": "SEQUENTIAL",
    "parallel": "PARALLEL",
}


@dataclass(frozen=True, slots=True)
class _Language:
    """template: a file in `inspector/export/code`. suffix: of the files of the language."""

    template: str
    suffix: str


_LANGUAGES = {
    "Python": _Language("python.jinja", ".py"),
    "C++": _Language("cpp.jinja", ".cpp"),
    "C#": _Language("csharp.jinja", ".cs"),
    "Java": _Language("java.jinja", ".java"),
    "Kotlin": _Language("kotlin.jinja", ".kt"),
    "JavaScript": _Language("javascript.jinja", ".mjs"),
    "Swift": _Language("swift.jinja", ".swift"),
}
LANGUAGES = tuple(_LANGUAGES)
SUFFIXES = {name: language.suffix for name, language in _LANGUAGES.items()}


def session_code(spec: RunSpec, model: str, language: str) -> str:
    """Return lines that create a session with the settings of a spec that are not the usual.

    model: the file's name. language: one of LANGUAGES. Devices other than the CPU are named
    in a comment: how they are added depends on their package.
    """
    return render(spec, model, language)


def render(spec: RunSpec, model: str, language: str, **call: object) -> str:
    """Return the code of a language; call: what a whole program says besides the session."""
    others = ", ".join(clip(device, 60) for device in spec.devices if device != "cpu")
    add = f"Add the execution provider of {others} here, as described by its package."

    def settings(templates: Mapping[str, str], names: Mapping[str, str] | None = None) -> str:
        """Return a line for each setting that is not the usual; a template takes its value."""
        changed = [each for each in templates if getattr(spec, each) != getattr(_USUAL, each)]
        values = [getattr(spec, each) for each in changed]
        named = [(names or {}).get(value, value) for value in values]
        pairs = zip(changed, named, strict=True)
        return "".join(templates[each].format(value) + "\n" for each, value in pairs)

    def one_literal(text: str) -> str:
        return literal(text, language)

    text = _template(_LANGUAGES[language].template).render(
        {"call": False, "runtime": "", "image": None} | call,
        spec=spec,
        model=model,
        settings=settings,
        c_values=_C_VALUES,
        java_values=_JAVA_VALUES,
        keys_off=entries_off(spec),
        devices=add if others else "",
        literal=one_literal,
        literals=lambda texts: ", ".join(map(one_literal, texts)),
        listed=lambda texts: _listed(map(one_literal, texts)),
    )
    return text.strip("\n") + "\n"


def literal(text: str, language: str = "Python") -> str:
    """Return a string literal in ASCII, whatever a file put into a name."""
    return '"' + "".join(_escaped(letter, language) for letter in clip(text, _LONGEST)) + '"'


def _escaped(letter: str, language: str) -> str:
    if letter in '"\\' or (letter == "$" and language == "Kotlin"):
        return "\\" + letter
    if letter.isascii():
        return letter if letter.isprintable() else " "
    code = ord(letter)
    if language == "Swift":
        return f"\\u{{{code:x}}}"
    if code < 1 << 16:
        return f"\\u{code:04x}"
    if language in ("Java", "JavaScript", "Kotlin"):  # UTF-16 units
        units = letter.encode("utf-16-be")
        return f"\\u{units[:2].hex()}\\u{units[2:].hex()}"
    return f"\\U{code:08x}"


def _listed(literals: Iterable[str]) -> str:
    """Return the elements of a list: in one line, or in several where they are long."""
    lines = [""]
    for each in literals:
        if lines[-1] and len(lines[-1]) + len(each) > _LIST_LINE:
            lines.append("")
        lines[-1] += f" {each}," if lines[-1] else f"{each},"
    if len(lines) == 1:
        return lines[0].removesuffix(",")
    return "\n    " + "\n    ".join(lines).removesuffix(",") + "\n"


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


@cache
def _template(name: str) -> "Template":
    # The window starts without Jinja.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    # Code is no HTML: what a file says enters by `literal` only.
    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "code"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    functions: dict[str, Callable[..., str]] = {
        "braced": _braced, "floats": _floats, "numbers": _numbers,
    }  # fmt: skip
    return templates.get_template(name, globals=functions)
