"""Write docs/python_reference.md: functions and types of the Python API, from their docstrings.

python -m tools.make_python_page
"""

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import inspector
from inspector import api
from tools.make_json_page import meanings_of

PAGE = Path(__file__).parents[1] / "docs" / "python_reference.md"
_HEAD = """# Python reference

Every name of `import inspector`, from its docstring: `help(inspector.measure)` prints the same.
[The Python API](python_api.md) has examples.
"""
_RAISES = " Raises "
# Inherited, or of the machinery of dataclasses.
_LEFT_OUT = {"add_note", "with_traceback", "args"}


def page() -> str:
    """Return the page: functions first, then the types that they return."""
    things = [(name, getattr(inspector, name)) for name in (*api.__all__, "recording")]
    functions = [(name, thing) for name, thing in things if not inspect.isclass(thing)]
    types = [(name, thing) for name, thing in things if inspect.isclass(thing)]
    lines = [_HEAD, "## Functions\n"]
    for name, function in sorted(functions):
        lines += _function(f"inspector.{name}", name, function, "###")
    lines.append("## Types\n")
    for name, each in sorted(types):
        lines += _type(name, each)
    return "\n".join(lines).rstrip() + "\n"


def _type(name: str, each: type) -> Iterator[str]:
    yield f"### {name}\n"
    yield from _text(each, ())
    for member, value in inspect.getmembers_static(each):
        if member.startswith("_") or member in _LEFT_OUT or not _described(value):
            continue
        if isinstance(value, property):
            said = " ".join((inspect.getdoc(value) or "").split()).removeprefix("Return ")
            yield f"- `{member}`: {said}"
    yield ""
    for member, value in inspect.getmembers_static(each):
        if inspect.isfunction(value) and not member.startswith("_") and _described(value):
            yield from _function(f"{name}.{member}", member, value, "####")


def _described(value: object) -> bool:
    return bool(inspect.getdoc(value))


def _function(title: str, name: str, function: Any, level: str) -> Iterator[str]:
    signature = inspect.signature(function)
    yield f"{level} {title}\n"
    yield f"```python\n{_signature(name, signature)}\n```\n"
    yield from _text(function, [each for each in signature.parameters if each != "self"])


def _signature(name: str, signature: inspect.Signature) -> str:
    """Return a signature as code, one parameter on each line where there are several."""
    given = [p for p in signature.parameters.values() if p.name != "self"]
    keyword = any(each.kind is each.VAR_POSITIONAL for each in given)
    shown = []
    for each in given:
        if each.kind is each.KEYWORD_ONLY and not keyword:
            shown.append("*")
            keyword = True
        # Annotations are strings in the code, but no reader would quote them.
        bare = each.replace(annotation=each.empty)
        note = f": {each.annotation}" if each.annotation is not each.empty else ""
        name_of, equals, default = str(bare).partition("=")
        shown.append(f"{name_of}{note}" + (f" = {default}" if equals else ""))
    back = str(signature.return_annotation).strip("'")
    ends = f" -> {back}" if signature.return_annotation is not signature.empty else ""
    if len(shown) < 3:
        return f"{name}({', '.join(shown)}){ends}"
    body = "".join(f"    {each},\n" for each in shown)
    return f"{name}(\n{body}){ends}"


def _text(thing: Any, names: list[str] | tuple[()]) -> Iterator[str]:
    """Return a docstring: what it says of parameters as a list, and the rest as it stands."""
    text = inspect.getdoc(thing) or ""
    yield text.partition("\n")[0] + "\n"
    body = text.partition("\n")[2].strip("\n")
    meanings = meanings_of(text, names) if names else {}
    if not meanings:
        if body:
            yield body + "\n"
        return
    errors = ""
    for name in names:
        if name in meanings:
            meaning, _, raised = meanings[name].partition(_RAISES)
            errors = raised or errors
            yield f"- `{name}`: {meaning}"
    yield ""
    if errors:
        yield f"{_RAISES.strip()} {errors}\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
