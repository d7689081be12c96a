"""The settings of a session as code: a template, and the values that it takes.

What a language says is in its Jinja template. The one for Python is here; whole programs and
other languages are of the plugin of code.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.render.code_languages import CodeLanguage
from inspector.report.run_spec import RunSpec, session_entries
from inspector.units import clip

if TYPE_CHECKING:
    from jinja2 import Environment

_LIST_LINE = 76  # characters of a line in a list of names
LONGEST = 10_000  # characters of a name in a program; a file may hold names of any length
_LONGEST_SHOWN = 500  # characters of a name that is only printed
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}  # in all our languages
_USUAL = RunSpec()
_C_VALUES = {  # of Python, C++ and C#
    "none": "ORT_DISABLE_ALL",
    "basic": "ORT_ENABLE_BASIC",
    "extended": "ORT_ENABLE_EXTENDED",
    "all": "ORT_ENABLE_ALL",
    "sequential": "ORT_SEQUENTIAL",
    "parallel": "ORT_PARALLEL",
}


def python_session(language: CodeLanguage, spec: RunSpec, model: str) -> str:
    """Return lines of Python that create a session; see `CodeLanguage.session_code`."""
    return render("session_python.jinja", spec, model, literal, call=False)


def render(
    template: str,
    spec: RunSpec,
    model: str,
    literal: Callable[[str], str],
    folder: Path | None = None,
    **values: object,
) -> str:
    """Return code from a template, which extends one of this package or lies in a folder.

    model: the file's name. literal: makes string literals of the language. values: what the
    template takes besides the settings of the session.
    """
    others = ", ".join(clip(device, 60) for device in spec.devices if device != "cpu")
    add = f"Add the execution provider of {others} here, as described by its package."

    def settings(templates: Mapping[str, str], names: Mapping[str, str] | None = None) -> str:
        """Return a line for each setting that is not the usual; a template takes its value."""
        changed = [each for each in templates if getattr(spec, each) != getattr(_USUAL, each)]
        values = [getattr(spec, each) for each in changed]
        named = [(names or {}).get(value, value) for value in values]
        pairs = zip(changed, named, strict=True)
        return "".join(templates[each].format(value) + "\n" for each, value in pairs)

    text = (
        _templates(folder)
        .get_template(template)
        .render(
            spec=spec,
            model=model,
            settings=settings,
            c_values=_C_VALUES,
            entries=session_entries(spec),
            devices=add if others else "",
            literal=literal,
            literals=lambda texts: ", ".join(map(literal, texts)),
            listed=lambda texts: _listed(literal(clip(text, _LONGEST_SHOWN)) for text in texts),
            **values,
        )
    )
    return text.strip("\n") + "\n"


def literal(text: str, escaped: Callable[[str], str] | None = None) -> str:
    """Return a string literal in ASCII of exactly a text, whatever a file put into it.

    escaped: how a language writes a letter; as Python does by default.
    """
    return '"' + "".join(map(escaped or python_escape, text)) + '"'


def python_escape(letter: str) -> str:
    """Return a letter as it is written inside of quotes in Python and C++."""
    code = ord(letter)
    if letter in '"\\':
        return "\\" + letter
    if letter in _SHORT:
        return _SHORT[letter]
    if letter.isascii():
        return letter if letter.isprintable() else f"\\{code:03o}"
    return f"\\u{code:04x}" if code < 1 << 16 else f"\\U{code:08x}"


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


@cache
def _templates(folder: Path | None) -> "Environment":
    # The window starts without Jinja.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    # Code is no HTML: what a file says enters by `literal` only.
    own = Path(__file__).parent
    return Environment(
        loader=FileSystemLoader([folder, own] if folder is not None else [own]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
