"""Options that a provider does not know: the runtime passes over them without a word."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from mmap import ACCESS_READ, mmap
from pathlib import Path

import onnxruntime

from inspector.engine.sessions import providers
from inspector.engine.sessions.devices import Unit
from inspector.engine.sessions.session import receives_options
from inspector.report import RunSpec
from inspector.units import clip

_LIBRARIES = (".so", ".pyd", ".dll", ".dylib")


def unheard(spec: RunSpec, units: Sequence[Unit]) -> tuple[str, ...]:
    """Tell of each option whose key is no word in the library that the provider lives in."""
    unit = next((unit for unit in units if receives_options(spec, unit)), None)
    if unit is None:
        return ()
    places = tuple(_libraries(unit))
    name = providers.builtin(unit.device.provider).name
    return tuple(
        f"The option '{clip(option.key, 60)}' is no word that {name} knows: it was passed on, "
        "and most likely ignored."
        for option in spec.provider_options
        if places and not any(_has(place, option.key) for place in places)
    )


def _libraries(unit: Unit) -> Iterator[Path]:
    """The plugin's library, or those of the runtime."""
    own = "" if unit.handle is None else str(unit.handle.ep_metadata.get("library_path", ""))
    if own:
        yield Path(own)
        return
    for path in (Path(onnxruntime.__file__).parent / "capi").iterdir():
        if any(suffix in path.name for suffix in _LIBRARIES):
            yield path


@cache
def _has(library: Path, key: str) -> bool:
    """Whether a library holds a word: a text between bytes that are no part of words."""
    word = rb"(?<![A-Za-z0-9_])" + re.escape(key.encode()) + rb"(?![A-Za-z0-9_])"
    with library.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as body:
        return re.search(word, body) is not None
