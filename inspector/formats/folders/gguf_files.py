"""Folders with one model as GGUF: shards of one file, or one model stored in several ways."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from inspector.formats.folders.listing import Listing
from inspector.formats.model_formats import model_suffixes
from inspector.formats.shard_names import part_of
from inspector.model.model_folder import FolderPart, ModelFolder, TokenizerFacts
from inspector.wording.values import Name, Sentence

GGUF = "GGUF"
# How a file is stored, by the end of its name. Source: the names that llama.cpp gives types.
_VARIANT = re.compile(
    r"[-._](?P<variant>I?Q\d\w*|TQ\d_\d|MXFP4\w*|B?F16|F32|FP16|FP32)$", re.IGNORECASE
)
_SHARD = re.compile(r"-\d{5}-of-\d{5}$")
_VISION = re.compile(r"^mmproj[-._]|[-._]mmproj[-._]", re.IGNORECASE)
_SUFFIX = ".gguf"
_SHOWN = 120
# Facts of a configuration with the keys of GGUF; "{}" is the architecture. Source: the
# specification, docs/gguf.md of ggml.
_KEYS = {
    "context_length": "{}.context_length", "num_hidden_layers": "{}.block_count",
    "hidden_size": "{}.embedding_length", "intermediate_size": "{}.feed_forward_length",
    "num_attention_heads": "{}.attention.head_count",
    "num_key_value_heads": "{}.attention.head_count_kv",
    "head_dim": "{}.attention.key_length", "vocab_size": "{}.vocab_size",
    "sliding_window": "{}.attention.sliding_window", "num_experts": "{}.expert_count",
    "num_experts_per_tok": "{}.expert_used_count",
}  # fmt: skip
_ARCHITECTURE = "general.architecture"
_NOT_DECODERS = ("bert", "clip", "encoder", "whisper")  # parts of names of architectures
_ROPE_BASE = "{}.rope.freq_base"
_TOKENIZER = "tokenizer.ggml."
_LENGTH = re.compile(r"\(([\d,]+)\)$")  # behind the first items of a list


def gguf(folder: Listing) -> ModelFolder | None:
    """Read a folder whose GGUF files are one model; None where they are several, or models of
    other formats lie beside them."""
    names = folder.ending(_SUFFIX)
    if not names or len(folder.ending(*model_suffixes())) > len(names):
        return None
    vision = [name for name in names if _VISION.search(name)]
    heads: dict[tuple[str, str], list[str]] = {}
    for name in names:
        if name not in vision:
            heads.setdefault(_stem(name), []).append(name)
    if len({stem.lower() for stem, _ in heads}) != 1:
        return None
    several = len(heads) > 1
    missing = [note for shards in heads.values() for note in _missing(shards)]
    parts = [
        FolderPart("weights", folder.path / shards[0], variant * several)
        for (_, variant), shards in sorted(heads.items())
    ]
    parts += [FolderPart("weights", folder.path / name, "vision") for name in vision]
    return ModelFolder(
        folder.path, GGUF, tuple(parts), missing=tuple(missing), notes=tuple(folder.notes)
    )


def gguf_of_file(path: Path) -> ModelFolder | None:
    """Return one GGUF file that is a whole model, its further shards included; None for other
    files."""
    if path.suffix.lower() != _SUFFIX:
        return None
    beside = Listing(path.parent)
    shards = [name for name in beside.ending(_SUFFIX) if _stem(name) == _stem(path.name)]
    missing = tuple(_missing(shards)) if part_of(path.name) is not None else ()
    return ModelFolder(path, GGUF, (FolderPart("weights", path),), missing=missing)


def _stem(name: str) -> tuple[str, str]:
    """Return a file's name without what says how it is stored, and that."""
    stem = _SHARD.sub("", name[: -len(_SUFFIX)])
    match = _VARIANT.search(stem)
    return (stem, "") if match is None else (stem[: match.start()], match["variant"])


def _missing(shards: list[str]) -> list[Sentence]:
    """Return what lacks of a model in several files."""
    found = [part for name in shards if (part := part_of(name)) is not None]
    if not found:
        return []
    count = found[0][1]
    lacking = count - len({number for number, _ in found})
    if lacking <= 0:
        return []
    template = "{lacking} of the {count} files of '{first}' are missing"
    return [Sentence(template, lacking=lacking, count=count, first=Name(shards[0][:_SHOWN]))]


def with_metadata(folder: ModelFolder, metadata: Mapping[str, str]) -> ModelFolder:
    """Return a folder with what the metadata of its first file say."""
    kind = metadata.get(_ARCHITECTURE, "")
    config: dict[str, Any] = {}
    for name, key in _KEYS.items():
        text = metadata.get(key.format(kind), "")
        if text.isdecimal() and len(text) < 19:
            config[name] = int(text)
    base = metadata.get(_ROPE_BASE.format(kind), "")
    with suppress(ValueError):
        config["rope_theta"] = float(base)
    if kind:
        config["model_type"] = kind[:_SHOWN]
        config["is_decoder"] = not any(word in kind for word in _NOT_DECODERS)
    config["license"] = folder.config.get("license") or metadata.get("general.license", "")
    ends = (metadata.get(f"{_TOKENIZER}{key}_token_id", "") for key in ("eos", "eot"))
    end_ids = tuple(dict.fromkeys(int(end) for end in ends if end.isdecimal()))
    start = metadata.get(f"{_TOKENIZER}bos_token_id", "")
    return replace(
        folder,
        config=config,
        chat_template=metadata.get("tokenizer.chat_template", ""),
        end_ids=end_ids,
        bos_id=int(start) if start.isdecimal() else None,
    )


def tokenizer_of_metadata(metadata: Mapping[str, str]) -> TokenizerFacts | None:
    """Return what the metadata say of the tokenizer in the file; None without one."""
    kind = metadata.get(f"{_TOKENIZER}model")
    if kind is None:
        return None
    tokens = metadata.get(f"{_TOKENIZER}tokens", "")
    length = _LENGTH.search(tokens)
    size = int(length[1].replace(",", "")) if length else len(tokens.split(", "))
    return TokenizerFacts(kind, size, size - 1)
