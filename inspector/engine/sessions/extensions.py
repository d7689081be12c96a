"""Operators of the package onnxruntime-extensions, for models that need them."""

from importlib.util import find_spec
from pathlib import Path

PACKAGE = "onnxruntime_extensions"
_LIBRARY = "_extensions_pydll*"
DOMAINS = ("ai.onnx.contrib", "com.microsoft.extensions")


def library() -> Path | None:
    """Where the package's library lies; None when it is not installed here.

    The package itself is not imported: what comes with it would slow down every load.
    """
    found = find_spec(PACKAGE)
    folders = found.submodule_search_locations if found is not None else None
    places = (path for folder in folders or () for path in Path(folder).glob(_LIBRARY))
    return next((path for path in places if path.suffix in (".so", ".pyd", ".dll")), None)


def missing(refusal: str) -> bool:
    """Whether the runtime refused a model for want of the package's operators."""
    return "is not a registered" in refusal and any(f"{name}:" in refusal for name in DOMAINS)
