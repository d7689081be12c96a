"""Plugins: our own, and extensions that other distributions bring.

Each group has a registry that asks here for more entries (`GROUPS` names them). Our own
plugins lie in `inspector/plugins` and are listed in `BUILT_IN`; one that an installation lacks
adds nothing. Those of other distributions are found by their entry points. One that cannot be
loaded, or fails later, is left out with a sentence that `inspector plugins` shows; it never
ends the program. What reads files of strangers (formats, preview inputs) runs in a confined
process, backends in the engine. The environment variable INSPECTOR_PLUGINS=off leaves out those
of other distributions.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any
from warnings import warn

from inspector.errors import InspectorError
from inspector.platform import settings
from inspector.platform.late_modules import metadata

VERSION = 1  # of the protocol below; raised where a group changes so that old plugins break
_VERSION_NAME = "INSPECTOR_PLUGIN_VERSION"  # what the plugin's module has to set to it
# Modules of our own plugins: inspector.plugins, the plugin, the group. Each has a tuple named
# as the group, in capitals, and imports nothing that only its use needs.
BUILT_IN = (
    "inspector.plugins.advanced_actions.actions",
    "inspector.plugins.phones.machines",
    "inspector.plugins.ai_hub.machines",
    "inspector.plugins.code.code_languages",
    "inspector.plugins.code.commands",
    "inspector.plugins.lab.commands",
    "inspector.plugins.lab.machines",
    "inspector.plugins.mcp.commands",
)
_MOST_CHARACTERS = 200
_INFO = (".dist-info", ".egg-info")  # of installed packages


@dataclass(frozen=True, slots=True)
class Group:
    """A kind of plugin.

    id: of `inspector plugins`; the group of the entry points is "inspector." and this.
    adds: what one of them adds. type_name: of the object that the entry point names.
    registry: the module that has the type and merges plugins with what Inspector has. key: the
    attribute of an object that no other one of the group may share.
    """

    id: str
    adds: str
    type_name: str
    registry: str
    key: str = "id"

    @property
    def entry_points(self) -> str:
        """The group of the entry points."""
        return f"inspector.{self.id}"


EXPORTERS = Group("exporters", "an export format", "ExportFormat", "inspector.render.registry")
ADVICE_RULES = Group(
    "advice_rules", "an advice rule for measurements", "Rule", "inspector.analysis.advice.rules"
)
BACKENDS = Group("backends", "a runtime", "BackendInfo", "inspector.backends.registry")
FORMATS = Group(
    "formats", "a model file format", "ModelFormat", "inspector.formats.model_formats"
)
PREVIEW_INPUTS = Group(
    "preview_inputs",
    "a kind of input file",
    "InputKind",
    "inspector.preview.inputs.plugin_inputs",
)
PREVIEW_DECODERS = Group(
    "preview_decoders",
    "a decoder of outputs",
    "OutputDecoder",
    "inspector.preview.families.family_table",
)
SUPPORT_TABLES = Group(
    "support_tables",
    "a support table of devices",
    "SupportTableFile",
    "inspector.analysis.devices.support_tables",
)
LAYER_NUMBERS = Group(
    "layer_numbers",
    "numbers shown on the layers of the graph",
    "NumberSource",
    "inspector.analysis.layer_numbers",
)
ACTIONS = Group(
    "actions", "an action that changes ONNX models", "Action", "inspector.conversion.registry"
)
MACHINES = Group(
    "machines", "a kind of machine", "MachineKind", "inspector.remote.machine_kinds"
)
CODE_LANGUAGES = Group(
    "code_languages",
    "a language of generated code",
    "CodeLanguage",
    "inspector.render.code_languages",
    "name",
)
COMMANDS = Group(
    "commands",
    "a command of the command line",
    "Command",
    "inspector.cli.command_table",
    "name",
)
GROUPS = (
    FORMATS,
    BACKENDS,
    PREVIEW_INPUTS,
    PREVIEW_DECODERS,
    SUPPORT_TABLES,
    ADVICE_RULES,
    LAYER_NUMBERS,
    EXPORTERS,
    ACTIONS,
    MACHINES,
    CODE_LANGUAGES,
    COMMANDS,
)


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

    def guard(self, function: Callable[..., Any], otherwise: Any) -> Callable[..., Any]:
        """Return a function that gives `otherwise` where this plugin's function raises."""

        def call(*arguments: Any) -> Any:
            try:
                return function(*arguments)
            except Exception as error:
                self.problem = f"failed: {sentence(error)}"
                if isinstance(otherwise, type) and issubclass(otherwise, Exception):
                    raise otherwise(
                        f"The plugin {self.name} of {self.distribution} {self.problem}"
                    ) from error
                return otherwise

        return call


def added_to(own: Iterable[Any], group: Group) -> list[Any]:
    """Return what Inspector has of a group and what all plugins add, each at its place.

    A value says by an attribute `after` which one it follows; without it, it is the last. One
    of another distribution whose key is taken is left out.
    """
    merged = list(own)
    for value in built_in(group):
        _place(merged, value, group.key)
    return with_others(merged, group)


def with_others(own: Iterable[Any], group: Group) -> list[Any]:
    """Return what Inspector and our own plugins have of a group, and what others add."""
    merged = list(own)
    for plugin in usable(group):
        name = getattr(plugin.value, group.key)
        if any(getattr(each, group.key) == name for each in merged):
            plugin.problem = f"'{name}' already exists"
        else:
            _place(merged, plugin.value, group.key)
    return merged


@cache
def built_in(group: Group) -> tuple[Any, ...]:
    """Return what our own plugins add to a group, as far as this installation has them."""
    added: list[Any] = []
    for module in BUILT_IN:
        if module.endswith(f".{group.id}") and _exists(module):
            added += load(f"{module}:{group.id.upper()}")
    return tuple(added)


def load(place: str) -> Any:
    """Return what "module:name" names, or a module itself. Raises what its import raises.

    Registries name what a program may never need, and import it here, at its first use.
    """
    module, _, name = place.partition(":")
    # the one place where registries load what they name
    value = import_module(module)
    return getattr(value, name) if name else value


def readers(kinds: Iterable[Any]) -> dict[str, tuple[str, Any]]:
    """Import what reads each kind of a plugin: the `read` of its module, by the kind's id.

    Before each stands "", or for one that could not be imported why, as part of a sentence.
    """
    imported: dict[str, tuple[str, Any]] = {}
    for each in kinds:
        try:
            imported[each.id] = "", load(f"{each.reader}:read")
        except Exception as error:  # noqa: BLE001 - imports code of others
            imported[each.id] = f"could not be loaded: {sentence(error)}", None
    return imported


def own() -> list[Plugin]:
    """Return what our own plugins add, one by one; those that are absent with that problem."""
    listed = []
    groups = {group.id: group for group in GROUPS}
    for module in BUILT_IN:
        package, _, group_id = module.rpartition(".")
        group = groups[group_id]
        if not _exists(module):
            name = package.rpartition(".")[2]
            listed.append(Plugin(group, name, package, problem="not installed"))
            continue
        values = load(f"{module}:{group_id.upper()}")
        listed += (Plugin(group, getattr(each, group.key), package, each) for each in values)
    return listed


def absent() -> tuple[str, ...]:
    """Return the names of our own plugins that this installation lacks."""
    missing = (module.split(".")[-2] for module in BUILT_IN if not _exists(module))
    return tuple(dict.fromkeys(missing))


def hint(otherwise: str) -> str:
    """Return a hint for what was asked for and is not known, with those of ours that lack."""
    names = ", ".join(absent())
    lacking = f"Not installed here are Inspector's plugins {names}. " if names else ""
    return lacking + otherwise


@contextmanager
def blamed(group: Group, value: Any, what: str) -> Iterator[None]:
    """Raise InspectorError where the code of a value of another distribution fails in a block.

    what: did not happen. Our own plugins fail as all else of Inspector.
    """
    try:
        yield
    except InspectorError:
        raise
    except Exception as error:
        plugin = next((plugin for plugin in found(group) if plugin.value is value), None)
        if plugin is None:
            raise
        plugin.problem = f"failed: {sentence(error)}"
        why = f"the plugin {plugin.name} of {plugin.distribution} {plugin.problem}"
        raise InspectorError(what, why) from error


@cache
def found(group: Group) -> tuple[Plugin, ...]:
    """Return the plugins of a group, loaded, with their problems; those of this process."""
    if not any_installed() or not settings.is_on("plugins"):  # the settings are a file
        return ()
    _accept_moved_module()
    return tuple(_loaded(group))


def usable(group: Group) -> tuple[Plugin, ...]:
    """Return the plugins of a group that could be loaded."""
    return tuple(plugin for plugin in found(group) if plugin.value is not None)


@cache
def _accept_moved_module() -> None:
    """Let plugins import `ExportFormat` from where version 0.2.0 had it, with a warning."""

    def moved(name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        warn(f"import {name} from inspector.plugin_api", DeprecationWarning, stacklevel=2)
        return getattr(load(EXPORTERS.registry), name)

    for path in ("inspector.export", "inspector.export.registry"):
        sys.modules[path] = ModuleType(path)
    sys.modules[path].__getattr__ = moved  # type: ignore[method-assign]


@cache
def any_installed() -> bool:
    """Return whether any distribution may have plugins, without importing what lists them.

    importlib.metadata takes longer to import than most commands to run.
    """
    for folder in dict.fromkeys(sys.path):
        try:
            with os.scandir(folder or ".") as entries:
                folders = [e.path for e in entries if e.name.endswith(_INFO)]
        except NotADirectoryError:
            return True  # a ZIP file of packages, in which nobody looks here
        except OSError:
            continue
        for info in folders:
            try:
                with open(os.path.join(info, "entry_points.txt"), "rb") as file:
                    if b"[inspector." in file.read():
                        return True
            except OSError:
                continue
    return False


def _exists(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # the folder that it would lie in
        return False


def _place(merged: list[Any], value: Any, key: str) -> None:
    """Put a value behind the one that it follows."""
    names = [getattr(each, key) for each in merged]
    after = getattr(value, "after", "")
    merged.insert(names.index(after) + 1 if after in names else len(names), value)


def _loaded(group: Group) -> Iterator[Plugin]:
    entries = metadata.entry_points(group=group.entry_points)
    for entry in sorted(entries, key=lambda each: each.name):
        owner = entry.dist
        plugin = Plugin(group, entry.name, f"{owner.name} {owner.version}" if owner else "")
        try:
            written = getattr(load(entry.module), _VERSION_NAME, None)
            if written != VERSION:
                has = f"{entry.module} has {_VERSION_NAME} = {written}"
                raise TypeError(f"{has}; this Inspector needs {VERSION}")
            value = entry.load()
            if type(value).__name__ != group.type_name:
                raise TypeError(f"{entry.value} is not of the type {group.type_name}")
            plugin.value = value
        except Exception as error:  # noqa: BLE001 - imports code of others
            plugin.problem = f"could not be loaded: {sentence(error)}"
        yield plugin


def sentence(error: Exception) -> str:
    """Return an exception of a plugin as one short line."""
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return text if len(text) <= _MOST_CHARACTERS else f"{text[: _MOST_CHARACTERS - 1]}…"
