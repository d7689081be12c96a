"""What a language model takes in memory, from its folder, its graph, or its weights alone."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from inspector.analysis.language.configured_cache import config_of_gguf, configured_cache
from inspector.analysis.language.memory import (
    MemoryNeeds,
    ModelMemory,
    joined,
    model_memory,
    needs_of,
    of_weights,
)
from inspector.app.language.folder import OpenedFolder
from inspector.errors import BadInput, UnreadableFile
from inspector.formats.folders.reading import folder_around, read_folder
from inspector.formats.opening import open_model
from inspector.model.model import Model
from inspector.model.model_folder import FolderPart, ModelFolder
from inspector.units import clip

USUAL_LIMITS = (8 * 10**9, 16 * 10**9)  # bytes: memory that laptops and phones have
_VISION = "vision"  # the variant of weights that stand beside those of the decoder
_PAST = "decoder with past"
_FIRST_STEP = "decoder"
_HEADS = "num_attention_heads"


def memory(
    path: Path,
    contexts: Sequence[int] = (),
    batches: Sequence[int] = (1,),
    cache_types: Sequence[str] = (),
    limits: Sequence[int] = (),
) -> ModelMemory:
    """Return what a model takes by context, batch and type of cache.

    path: a folder that is one model, or a file. limits: bytes, for each of which the largest
    context is told. Raises UnreadableFile; BadInput: it remembers no tokens.
    """
    folder = read_folder(path)
    if folder is not None:
        needs = needs_of_folder(folder, dict(_readable(folder.parts)))
    else:
        needs = needs_of_file(open_model(path), folder_around(path))
    if needs is None:
        raise BadInput(
            f"Could not estimate the memory of {clip(path.name)}",
            "it has no cache of earlier tokens, and no configuration of a language model is "
            "beside it",
            "Name the folder of a language model, or its decoder with the inputs past_*.",
        )
    return model_memory(path.absolute().name, needs, contexts, batches, cache_types, limits)


def memory_of_opened(opened: OpenedFolder) -> ModelMemory | None:
    """Return what a folder takes whose parts are read; None where nothing says its cache."""
    needs = needs_of_opened(opened)
    if needs is None:
        return None
    return model_memory(opened.folder.path.absolute().name, needs, limits=USUAL_LIMITS)


def needs_of_opened(opened: OpenedFolder) -> MemoryNeeds | None:
    """Return the needs of a folder whose parts are read; None where nothing says its cache."""
    parts = {graph.part: graph.model for graph in opened.graphs if graph.model is not None}
    return needs_of_folder(opened.folder, parts)


def needs_of_folder(
    folder: ModelFolder, parts: Mapping[FolderPart, Model]
) -> MemoryNeeds | None:
    """Return the needs of a folder that is one model; None where nothing says its cache.

    parts: those that could be read; the folder's page names the others.
    """
    context, heads = _whole(folder.config, "context_length"), _whole(folder.config, _HEADS)
    chosen = [part for part in _at_once(folder) if part in parts]
    found = {part: needs_of(parts[part], context, heads) for part in chosen}
    decoders = [needs for needs in found.values() if needs is not None]
    if decoders:
        beside = sum(_stored(parts[part]) for part in chosen if found[part] is None)
        whole = joined(decoders)
        return replace(
            whole,
            stored_bytes=whole.stored_bytes + beside,
            kept_bytes=whole.kept_bytes + beside,
        )
    models = [parts[part] for part in chosen]
    configured = _of_config(folder.config, sum(map(_stored, models)))
    return configured or next(filter(None, map(_of_gguf, models)), None)


def needs_of_file(model: Model, folder: ModelFolder | None) -> MemoryNeeds | None:
    """Return the needs of one file, a part of `folder`; None where nothing says its cache."""
    config: Mapping[str, Any] = folder.config if folder is not None else {}
    needs = needs_of(model, _whole(config, "context_length"), _whole(config, _HEADS))
    return (
        needs
        or _of_gguf(model)
        or (None if model.layers else _of_config(config, _stored(model)))
    )


def _of_config(config: Mapping[str, Any], stored_bytes: int) -> MemoryNeeds | None:
    found = configured_cache(config)
    if found is None:
        return None
    context = _whole(config, "context_length")
    return of_weights(stored_bytes, found.layers, context, found.notes)


def _of_gguf(model: Model) -> MemoryNeeds | None:
    if model.format != "gguf":
        return None
    return _of_config(config_of_gguf(dict(model.metadata)), _stored(model))


def _at_once(folder: ModelFolder) -> Iterator[FolderPart]:
    """Yield the parts that are in memory at once: one variant of each role, and of a first step
    and the steps after it, which have the same weights, the latter."""
    roles = {part.role for part in folder.parts}
    variants: dict[str, str] = {}  # the one that counts, by role
    for part in folder.parts:
        again = part.role == _FIRST_STEP and _PAST in roles
        chosen = variants.setdefault(part.role, part.variant)
        if not again and part.variant in (chosen, _VISION):
            yield part


def _readable(parts: Iterable[FolderPart]) -> Iterator[tuple[FolderPart, Model]]:
    for part in parts:
        try:
            yield part, open_model(part.path)
        except UnreadableFile:
            continue


def _stored(model: Model) -> int:
    return sum(weight.size_bytes or 0 for weight in model.distinct_weights)


def _whole(config: Mapping[str, Any], name: str) -> int:
    value = config.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
