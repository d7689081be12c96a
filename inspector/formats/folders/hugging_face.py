"""Folders of Hugging Face's libraries: Optimum, transformers.js, weights of transformers."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from inspector.formats.folders.config_facts import config_facts, take
from inspector.formats.folders.listing import Listing
from inspector.formats.folders.tokenizer_files import bos_id, end_ids, tokenizer_files
from inspector.formats.shard_names import INDEX, part_of
from inspector.model.model_folder import FolderPart, ModelFolder
from inspector.wording.values import Name, Sentence

OPTIMUM = "Optimum"
TRANSFORMERS_JS = "transformers.js"
TRANSFORMERS = "transformers"
CONFIG = "config.json"
_GENERATION = "generation_config.json"
GRAPHS = "onnx"  # the folder of transformers.js
# How a part is stored, by the end of its file's name. Source: DEFAULT_DTYPE_SUFFIX_MAPPING of
# transformers.js (src/utils/dtypes.js), and the names that Optimum's quantizer gives.
_VARIANTS = {
    "_fp16": "float16", "_q4f16": "q4f16", "_q4": "q4", "_bnb4": "bnb4", "_int8": "int8",
    "_uint8": "uint8", "_quantized": "8 bits", "_q8": "q8", "_fp32": "float32", "_O1": "O1",
    "_O2": "O2", "_O3": "O3", "_O4": "O4", "_optimized": "optimized", "_q2": "q2",
    "_q2f16": "q2f16", "_q1": "q1", "_q1f16": "q1f16",
}  # fmt: skip
_PLAIN = "float32"  # what a file without such an end has, if there are others
_VARIANT = re.compile("|".join(sorted(_VARIANTS, key=len, reverse=True)) + "$")
# Roles by the names that Optimum and transformers.js give files, the one that generates first.
_ROLES = {
    "decoder_model_merged": "decoder, merged",
    "decoder_model": "decoder",
    "decoder_with_past_model": "decoder with past",
    "model": "model",
    "encoder_model": "encoder",
    "embed_tokens": "embedding",
    "vision_encoder": "vision",
    "audio_encoder": "speech",
    "text_encoder": "text encoder",
}
_GENERATES = ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration")
_PICKLES = (".bin", ".pt", ".pth", ".pkl", ".pickle")


def transformers_js(folder: Listing) -> ModelFolder | None:
    """Read a folder with config.json and graphs in the folder named onnx."""
    if CONFIG not in folder.names or GRAPHS not in folder.folders:
        return None
    inner = folder.below(GRAPHS)
    graphs = inner.ending(".onnx")
    return _with_graphs(folder, inner, graphs, TRANSFORMERS_JS) if graphs else None


def optimum(folder: Listing) -> ModelFolder | None:
    """Read a folder with graphs by Optimum's names, or with model.onnx and its config.json."""
    graphs = folder.ending(".onnx")
    stems = {_stem(name)[0] for name in graphs}
    parted = stems & {name for name in _ROLES if name.startswith(("encoder_", "decoder_"))}
    whole = "model" in stems <= set(_ROLES) and _is_config(folder.json(CONFIG))
    return _with_graphs(folder, folder, graphs, OPTIMUM) if parted or whole else None


def transformers(folder: Listing) -> ModelFolder | None:
    """Read a folder with config.json and weights in safetensors files."""
    if not _is_config(folder.json(CONFIG)):
        return None
    names = folder.ending(".safetensors")
    indexes = folder.ending(INDEX)
    single = [name for name in names if part_of(name) is None]
    chosen = indexes[:1] or single
    if not chosen:
        return None
    parts = tuple(FolderPart("weights", folder.path / name) for name in chosen)
    return _made(folder, parts, TRANSFORMERS)


def _with_graphs(
    folder: Listing, place: Listing, graphs: list[str], layout: str
) -> ModelFolder:
    config = folder.json(CONFIG)
    found = [(*_stem(name), name) for name in graphs]
    counts = {stem: sum(stem == other for other, *_ in found) for stem, *_ in found}
    order = list(_ROLES)

    def rank(each: tuple[str, str, str]) -> tuple[int, bool, str]:
        stem, variant, name = each
        return order.index(stem) if stem in order else len(order), bool(variant), name

    parts = tuple(
        FolderPart(
            _role(stem, config), place.path / name,
            variant or (_PLAIN if counts[stem] > 1 else ""),
        )
        for stem, variant, name in sorted(found, key=rank)
    )  # fmt: skip
    return _made(folder, parts, layout, tuple(_missing(set(counts), config)))


def _made(
    folder: Listing,
    parts: tuple[FolderPart, ...],
    layout: str,
    missing: tuple[Sentence, ...] = (),
) -> ModelFolder:
    config, generation = folder.json(CONFIG), folder.json(_GENERATION)
    files = tokenizer_files(folder)
    facts = config_facts(config)
    by_name = tuple(files.ids[name] for name in (files.end,) if name in files.ids)
    take(facts, "license", config.get("license"))
    inner = config.get("text_config")
    inner = inner if isinstance(inner, dict) else {}
    if layout != TRANSFORMERS and not parts_have_safetensors(parts):
        pickles = folder.ending(*_PICKLES)
        if pickles:
            folder.note("'{file}' can hold Python code: it was not read", file=Name(pickles[0]))
    return ModelFolder(
        folder.path, layout, parts, facts, files.path, files.template,
        end_ids(generation, config, inner) or by_name, bos_id(generation, config, inner),
        missing, tuple(folder.notes), files.end,
    )  # fmt: skip


def parts_have_safetensors(parts: tuple[FolderPart, ...]) -> bool:
    """Return whether the weights of a part are a safetensors file."""
    return any(part.path.name.endswith((".safetensors", INDEX)) for part in parts)


def _missing(stems: set[str], config: Mapping[str, Any]) -> Iterator[Sentence]:
    """Yield what a model of these graphs needs, too."""
    if "encoder_model" in stems and not any(stem.startswith("decoder_") for stem in stems):
        return  # an encoder alone: embeddings
    decodes = any(stem.startswith("decoder_") for stem in stems)
    if config.get("is_encoder_decoder") is True and decodes and "encoder_model" not in stems:
        yield Sentence("'{file}', the encoder, is missing", file=Name("encoder_model.onnx"))
    if "decoder_with_past_model" in stems and not stems & {
        "decoder_model", "decoder_model_merged",
    }:  # fmt: skip
        yield Sentence(
            "'{file}', the graph of the first step, is missing", file=Name("decoder_model.onnx")
        )


def _stem(name: str) -> tuple[str, str]:
    """Return a file's name without its end and without what says how it is stored, and that."""
    stem = name[: -len(".onnx")]
    match = _VARIANT.search(stem)
    if match is None or not stem[: match.start()]:
        return stem, ""
    return stem[: match.start()], _VARIANTS[match[0]]


def _role(stem: str, config: Mapping[str, Any]) -> str:
    if stem == "model":
        named = config.get("architectures")
        first = named[0] if isinstance(named, list) and named else ""
        if isinstance(first, str) and first.endswith(_GENERATES):
            return "decoder"
    return _ROLES.get(stem, stem.replace("_", " "))


def _is_config(config: Mapping[str, Any]) -> bool:
    return "model_type" in config or "architectures" in config
