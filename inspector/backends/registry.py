"""The list of backends. A new runtime is one folder next to this file and one entry here."""

from importlib import import_module

from inspector.backends.base import Backend, BackendInfo
from inspector.backends.onnxruntime.info import ONNXRUNTIME
from inspector.errors import BadInput
from inspector.platform import plugins

DEFAULT = ONNXRUNTIME.id
BACKENDS: dict[str, BackendInfo] = {each.id: each for each in (ONNXRUNTIME,)}


def register(backend: BackendInfo) -> None:
    """Add a backend of another package; both the client and the engine process need it."""
    BACKENDS[backend.id] = backend


def info(backend_id: str) -> BackendInfo:
    """Return the description of a backend. Raises BadInput: there is none with this id."""
    if backend_id not in BACKENDS:
        for plugin in plugins.usable(plugins.BACKENDS):
            BACKENDS.setdefault(plugin.value.id, plugin.value)
    if backend_id not in BACKENDS:
        what = f"There is no backend '{backend_id}'"
        why = f"Inspector has {', '.join(sorted(BACKENDS))}"
        raise BadInput(what, why, "Choose one of these.")
    return BACKENDS[backend_id]


def load(backend_id: str) -> Backend:
    """Import a backend and its runtime; for engine processes only. Raises BadInput."""
    module, _, name = info(backend_id).implementation.partition(":")
    backend: Backend = getattr(import_module(module), name)()
    return backend
