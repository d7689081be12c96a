"""Folders of models for speech and images: Piper, sherpa-onnx, diffusers."""

import re
from collections.abc import Mapping
from typing import Any

from inspector.formats.folders.config_facts import take
from inspector.formats.folders.listing import Listing
from inspector.model.model_folder import FolderPart, ModelFolder
from inspector.wording.values import Name, Sentence

PIPER = "Piper"
SHERPA = "sherpa-onnx"
DIFFUSERS = "diffusers"
_INDEX = "model_index.json"
_TOKENS = "tokens.txt"
_VOICES = "voices.bin"  # of Kokoro, a model for speech with several voices
# Parts of sherpa-onnx by the beginning of a file's name, the one that is run first in front.
# Source: the documentation of its pretrained models.
_SHERPA_ROLES = (
    "encoder", "decoder", "joiner", "preprocess", "uncached_decode", "cached_decode", "encode",
    "model", "vocoder", "duration_predictor", "text_encoder", "vector_estimator", "acoustic",
)  # fmt: skip
_INT8 = ".int8"
# Parts of diffusers by the names of their folders, the one that is run most in front.
_DIFFUSERS_ROLES = (
    "unet", "transformer", "prior", "decoder", "text_encoder", "text_encoder_2",
    "text_encoder_3", "image_encoder", "controlnet", "vae_encoder", "vae_decoder", "vae",
    "safety_checker",
)  # fmt: skip
_GRAPH = "model.onnx"
_WEIGHTS = ("diffusion_pytorch_model.safetensors", "model.safetensors")
_MOST_PARTS = 100


def piper(folder: Listing) -> ModelFolder | None:
    """Read a folder with one voice: NAME.onnx and NAME.onnx.json."""
    graphs = folder.ending(".onnx")
    if len(graphs) != 1 or f"{graphs[0]}.json" not in folder.names:
        return None
    config = folder.json(f"{graphs[0]}.json")
    if "phoneme_id_map" not in config and "audio" not in config:
        return None
    facts: dict[str, Any] = {"model_type": "piper"}
    take(facts, "sample_rate", _inner(config, "audio").get("sample_rate"))
    take(facts, "speakers", config.get("num_speakers"))
    take(facts, "language", _inner(config, "language").get("code"))
    take(facts, "phonemes", config.get("num_symbols"))
    part = FolderPart("voice", folder.path / graphs[0])
    return ModelFolder(folder.path, PIPER, (part,), facts, notes=tuple(folder.notes))


def sherpa_onnx(folder: Listing) -> ModelFolder | None:
    """Read a folder with tokens.txt and graphs that are called after their parts."""
    graphs = folder.ending(".onnx")
    if _TOKENS not in folder.names and not any(
        name.endswith(f"-{_TOKENS}") for name in folder.names
    ):
        return None
    found = [(role, name) for name in graphs if (role := _sherpa_role(name)) is not None]
    if not found or len(found) < len(graphs):
        return None
    several = {role for role, _ in found if sum(role == other for other, _ in found) > 1}
    found.sort(key=lambda each: (_SHERPA_ROLES.index(each[0]), _INT8 in each[1], each[1]))
    parts = tuple(
        FolderPart(
            role.replace("_", " "),
            folder.path / name,
            ("int8" if _INT8 in name else "float32") if role in several else "",
        )
        for role, name in found
    )
    roles = {role for role, _ in found}
    missing = [
        Sentence("the graph of the {role} is missing", role=Name(role))
        for role in ("encoder", "decoder")
        if roles & {"encoder", "decoder", "joiner"} and role not in roles
    ]
    kind = "kokoro" if _VOICES in folder.names else "transducer" * ("joiner" in roles)
    facts: dict[str, Any] = {"model_type": kind} if kind else {}
    return ModelFolder(
        folder.path, SHERPA, parts, facts, missing=tuple(missing), notes=tuple(folder.notes)
    )


def diffusers(folder: Listing) -> ModelFolder | None:
    """Read a folder with a model_index.json, which names the folders of its parts.

    Raises UnreadableFile: that file is damaged.
    """
    if _INDEX not in folder.names:
        return None
    index = folder.json(_INDEX, required=True)
    named = [
        key
        for key, value in index.items()
        if isinstance(value, list) and len(value) == 2 and all(map(_is_text, value))
    ][:_MOST_PARTS]
    parts, missing = [], []
    with_weights = {*_DIFFUSERS_ROLES, "prior"}
    # A pipeline in PyTorch has one vae where one in ONNX has two graphs.
    halves = ("vae_encoder", "vae_decoder")
    if set(halves) & folder.folders:
        named = [*(name for name in named if name != "vae"), *halves]
    for name in sorted(dict.fromkeys(named), key=_order):
        if name not in with_weights:
            continue
        inner = folder.below(name)
        files = (_GRAPH, *_WEIGHTS, *inner.ending(".safetensors"))
        file = next((each for each in files if each in inner.names), "")
        if file:
            role = name.replace("_", " ") if file == _GRAPH else "weights"
            parts.append(FolderPart(role, inner.path / file, "" if file == _GRAPH else name))
        elif name in folder.folders or name != "safety_checker":
            missing.append(
                Sentence(
                    "the part '{part}', which '{config}' names, is missing",
                    part=Name(name), config=Name(_INDEX),
                )
            )  # fmt: skip
    facts: dict[str, Any] = {}
    kind = index.get("_class_name")
    take(facts, "model_type", kind)
    return ModelFolder(
        folder.path, DIFFUSERS, tuple(parts), facts, missing=tuple(missing),
        notes=tuple(folder.notes),
    )  # fmt: skip


def _order(name: str) -> int:
    known = name in _DIFFUSERS_ROLES
    return _DIFFUSERS_ROLES.index(name) if known else len(_DIFFUSERS_ROLES)


def _sherpa_role(name: str) -> str | None:
    """Return the part that a file's name begins with, or has behind a dash."""
    stem = name.removesuffix(".onnx").replace(_INT8, "")
    for role in _SHERPA_ROLES:
        if re.search(rf"(?:^|-){role}(?=$|[-_.])", stem):
            return role
    return None


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _inner(config: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = config.get(key)
    return value if isinstance(value, dict) else {}
