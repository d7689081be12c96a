"""The list of backends. A new runtime is one folder next to this file and one entry here."""

from importlib import import_module
from pathlib import Path

from inspector.backends.base import Backend, BackendInfo
from inspector.backends.litert.info import LITERT
from inspector.backends.onnxruntime.info import ONNXRUNTIME
from inspector.errors import BadInput, UnreadableFile
from inspector.formats.model_formats import format_of
from inspector.formats.source import open_source
from inspector.platform import plugins

DEFAULT = ONNXRUNTIME.id
BACKENDS: dict[str, BackendInfo] = {each.id: each for each in (ONNXRUNTIME, LITERT)}


def register(backend: BackendInfo) -> None:
    """Add a backend of another package; both the client and the engine process need it."""
    BACKENDS[backend.id] = backend


def info(backend_id: str) -> BackendInfo:
    """Return the description of a backend. Raises BadInput: there is none with this id."""
    if backend_id not in BACKENDS:
        _add_plugins()
    if backend_id not in BACKENDS:
        what = f"There is no backend '{backend_id}'"
        why = f"Inspector has {', '.join(sorted(BACKENDS))}"
        raise BadInput(what, why, "Choose one of these.")
    return BACKENDS[backend_id]


def _add_plugins() -> None:
    for plugin in plugins.usable(plugins.BACKENDS):
        BACKENDS.setdefault(plugin.value.id, plugin.value)


def for_format(model_format: str) -> BackendInfo:
    """Return the backend that runs a format; the default one for a format that none runs."""
    if all(model_format not in each.formats for each in BACKENDS.values()):
        _add_plugins()
    runs = (each for each in BACKENDS.values() if model_format in each.formats)
    return next(runs, BACKENDS[DEFAULT])


def for_model(path: Path) -> BackendInfo:
    """Return the backend that runs a file, by its content; the default one if unreadable."""
    try:
        with open_source(path) as source:
            return for_format(format_of(source).id)
    except UnreadableFile:
        return BACKENDS[DEFAULT]


def load(backend_id: str) -> Backend:
    """Import a backend and its runtime; for engine processes only. Raises BadInput."""
    module, _, name = info(backend_id).implementation.partition(":")
    backend: Backend = getattr(import_module(module), name)()
    return backend
