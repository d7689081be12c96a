"""Plugins: extensions that other distributions bring, found by their entry points.

Each group has a registry that asks here for more entries: `inspector.export.registry`,
`inspector.analysis.advice.rules`, `inspector.backends.registry`. A plugin that cannot be
loaded, or fails later, is left out with a sentence that `inspector plugins` shows; it never
ends the program. The environment variable INSPECTOR_PLUGINS=off leaves all of them out.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from typing import Any

VERSION = 1  # of the protocol below; raised where a group changes so that old plugins break
_VERSION_NAME = "INSPECTOR_PLUGIN_VERSION"  # what the plugin's module has to set to it
_VARIABLE = "INSPECTOR_PLUGINS"
_MOST_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Group:
    """A kind of plugin.

    id: of `inspector plugins`; the group of the entry points is "inspector." and this.
    adds: what one of them adds. type_name: of the object that the entry point names.
    """

    id: str
    adds: str
    type_name: str

    @property
    def entry_points(self) -> str:
        """The group of the entry points."""
        return f"inspector.{self.id}"


EXPORTERS = Group("exporters", "an export format", "ExportFormat")
ADVICE_RULES = Group("advice_rules", "an advice rule for measurements", "Rule")
BACKENDS = Group("backends", "a runtime", "BackendInfo")
GROUPS = (EXPORTERS, ADVICE_RULES, BACKENDS)


@dataclass(slots=True)
class Plugin:
    """One entry point.

    distribution: name and version of the package that brings it. value: the object that it
    names; None where it could not be loaded. problem: why not, or how it failed later.
    """

    group: Group
    name: str
    distribution: str
    value: Any = None
    problem: str = ""
    _failures: set[str] = field(default_factory=set)

    def guard(self, function: Callable[..., Any], otherwise: Any) -> Callable[..., Any]:
        """Return a function that gives `otherwise` where this plugin's function raises."""

        def call(*arguments: Any) -> Any:
            try:
                return function(*arguments)
            except Exception as error:
                self.problem = f"failed: {_sentence(error)}"
                if isinstance(otherwise, type) and issubclass(otherwise, Exception):
                    raise otherwise(
                        f"The plugin {self.name} of {self.distribution} {self.problem}"
                    ) from error
                return otherwise

        return call


@cache
def found(group: Group) -> tuple[Plugin, ...]:
    """Return the plugins of a group, loaded, with their problems; those of this process."""
    if os.environ.get(_VARIABLE, "").lower() in ("off", "0", "no"):
        return ()
    return tuple(_loaded(group))


def usable(group: Group) -> tuple[Plugin, ...]:
    """Return the plugins of a group that could be loaded."""
    return tuple(plugin for plugin in found(group) if plugin.value is not None)


def _loaded(group: Group) -> Iterator[Plugin]:
    entries = metadata.entry_points(group=group.entry_points)
    for entry in sorted(entries, key=lambda each: each.name):
        owner = entry.dist
        plugin = Plugin(group, entry.name, f"{owner.name} {owner.version}" if owner else "")
        try:
            plugin.value = _value(entry, group)
        except Exception as error:  # noqa: BLE001 - imports code of others
            plugin.problem = f"could not be loaded: {_sentence(error)}"
        yield plugin


def _value(entry: metadata.EntryPoint, group: Group) -> Any:
    """Load what an entry point names. Raises what its import raises; TypeError: it is none."""
    from importlib import import_module

    written = getattr(import_module(entry.module), _VERSION_NAME, None)
    if written != VERSION:
        raise TypeError(
            f"{entry.module} has {_VERSION_NAME} = {written}; this Inspector needs {VERSION}"
        )
    value = entry.load()
    if type(value).__name__ != group.type_name:
        raise TypeError(f"{entry.value} is not of the type {group.type_name}")
    return value


def _sentence(error: Exception) -> str:
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return text if len(text) <= _MOST_CHARACTERS else f"{text[: _MOST_CHARACTERS - 1]}…"
