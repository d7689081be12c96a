"""Errors of the API name parameters, where those of the command line name options."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import ParamSpec, TypeVar

from inspector.errors import InspectorError
from inspector.report.run_spec import SETTINGS
from inspector.report.settings import SettingKind

P = ParamSpec("P")
R = TypeVar("R")
# An option with its value; a command of a shell to its end, whose options stay options.
_OPTION = re.compile(
    r"\binspector\s\w.*|(?<![\w-])--(?P<name>[a-z][a-z0-9-]*)"
    r"(?:[ =](?P<value>[A-Z]+=[A-Za-z0-9]+|[A-Z]{2,}|\d+(?:\.\d+)?))?"
)
_MAPPINGS = {"input": "inputs", "dim": "dimensions", "output-as": "output_as"}
_SWITCHES = {
    setting.option or name.replace("_", "-")
    for name, setting in SETTINGS.items()
    if setting.kind is SettingKind.SWITCH
}
_FIELDS = {setting.option or name.replace("_", "-"): name for name, setting in SETTINGS.items()}


def says_parameters(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function whose errors name its parameters in place of options."""
    names = frozenset(signature(function).parameters)

    @wraps(function)
    def call(*args: P.args, **options: P.kwargs) -> R:
        try:
            return function(*args, **options)
        except InspectorError as error:
            error.why = in_python(error.why, names)
            error.hint = in_python(error.hint, names)
            error.args = (error.what, error.why, error.hint, *error.args[3:])
            raise

    return call


def in_python(text: str, parameters: frozenset[str]) -> str:
    """Return a text with parameters of a function in place of options: 'settings={"cast":
    True}' for '--cast'. Options that it does not have, and those of commands, stay."""

    def named(found: re.Match[str]) -> str:
        option, value = found["name"] or "", found["value"] or ""
        if not option:
            return found[0]
        name = _MAPPINGS.get(option, option.replace("-", "_"))
        if option in _MAPPINGS and name in parameters:
            key, _, inner = value.partition("=")
            return f'{name}={{"{key or "NAME"}": {inner or "VALUE"}}}'
        field = _FIELDS.get(option, "")
        given = value or ("True" if option in _SWITCHES else "")
        if name in parameters:
            return f"{name}={given}" if given else name
        if field and "settings" in parameters:
            return f'settings={{"{field}": {given or "..."}}}'
        return found[0]

    return _OPTION.sub(named, text)
