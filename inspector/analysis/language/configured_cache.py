"""What the layers of a language model remember, by its configuration alone.

The usual formula (layers x 2 x key-value heads x head size) is wrong by several times for
models whose layers differ: sliding windows, latent attention, states in place of keys.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from inspector.analysis.language.memory import MOST_LAYERS, CacheLayer
from inspector.wording.values import Count, Name, Sentence

_STATE_BYTES = 4  # of a number in a recurrent state: runtimes keep these as float32
_SLIDING = ("sliding_attention", "local_attention", "sliding_window_attention", "sliding")
_CHUNKED = "chunked_attention"
_FULL = ("full_attention", "global_attention", "attention", "full", "*", "hybrid")
_LINEAR = "linear_attention"
_CONVOLUTION = "conv"
_MAMBA = ("mamba", "mamba2", "M")
_NOTHING = ("mlp", "moe", "-", "E", "ffn")  # layers of hybrids that remember nothing
# Models that alternate between windows and the whole context where no list says so.
# Source: their configuration classes in transformers.
_ALTERNATING = {"gemma2": 2, "cohere2": 4, "gemma3": 6, "gemma3_text": 6, "gpt_oss": 2}
_GGUF_VALUES = {  # key of GGUF behind the name of the architecture: name in `config`
    "block_count": "num_hidden_layers",
    "attention.head_count": "num_attention_heads",
    "attention.head_count_kv": "num_key_value_heads",
    "attention.key_length": "head_dim",
    "attention.value_length": "v_head_dim",
    "attention.sliding_window": "sliding_window",
    "attention.kv_lora_rank": "kv_lora_rank",
    "rope.dimension_count": "qk_rope_head_dim",
    "embedding_length": "hidden_size",
    "context_length": "context_length",
    "vocab_size": "vocab_size",
    "ssm.conv_kernel": "mamba_d_conv",
    "ssm.inner_size": "mamba_inner_size",
    "ssm.state_size": "mamba_d_state",
    "full_attention_interval": "full_attention_interval",
}
_ARCHITECTURE = "general.architecture"
_GGUF_ALTERNATING = {"gemma2": 2, "gemma3": 6, "cohere2": 4, "gpt-oss": 2}


class ConfiguredCache(NamedTuple):
    """The cache by layer, and what is not known of it."""

    layers: tuple[CacheLayer, ...]
    notes: tuple[Sentence, ...] = ()


def configured_cache(config: Mapping[str, Any]) -> ConfiguredCache | None:
    """Return what each layer remembers; None where the configuration does not say enough.

    config: facts by their usual names, as in `ModelFolder.config`.
    """
    count = _whole(config, "num_hidden_layers")
    heads = _whole(config, "num_attention_heads")
    if not 0 < count <= MOST_LAYERS or heads <= 0:
        return None
    pairs = _by_layer(config.get("num_key_value_heads"), count) or [heads] * count
    size = _whole(config, "head_dim") or _whole(config, "hidden_size") // heads
    values_size = _whole(config, "v_head_dim") or size
    latent = _whole(config, "kv_lora_rank")
    if size <= 0:
        return None
    layers, unknown = [], dict[str, int]()
    for place, (kind, window) in enumerate(_kinds(config, count)):
        if latent:
            values = latent + _whole(config, "qk_rope_head_dim")
        else:
            values = pairs[place] * (size + values_size)
        if kind in _FULL or window:
            layers.append(CacheLayer(place, values, window))
        elif kind in _NOTHING:
            layers.append(CacheLayer(place))
        else:
            state = _state_values(kind, config)
            if state is None:
                unknown[kind] = unknown.get(kind, 0) + 1
            layers.append(CacheLayer(place, fixed_bytes=_STATE_BYTES * (state or 0)))
    notes = tuple(
        Sentence(
            "What {layers} of the kind {kind} remember is not known and not counted",
            layers=Count(number, "layer"), kind=Name(kind),
        )
        for kind, number in unknown.items()
    )  # fmt: skip
    return ConfiguredCache(tuple(layers), notes)


def config_of_gguf(metadata: Mapping[str, str]) -> dict[str, Any]:
    """Return the facts in the metadata of a GGUF file, by their usual names."""
    architecture = metadata.get(_ARCHITECTURE, "")
    config: dict[str, Any] = {"model_type": architecture}
    for key, name in _GGUF_VALUES.items():
        text = metadata.get(f"{architecture}.{key}", "")
        numbers = [part.strip() for part in text.strip("[]").split(",")]
        if all(number.isdecimal() for number in numbers):
            found = [int(number[:18]) for number in numbers]
            config[name] = found if len(found) > 1 else found[0]
    if not _whole(config, "kv_lora_rank"):  # else the rotated part of the keys
        config.pop("qk_rope_head_dim", None)
    period = _GGUF_ALTERNATING.get(architecture)
    if period:
        config["sliding_window_pattern"] = period
    return config


def _kinds(config: Mapping[str, Any], count: int) -> list[tuple[str, int]]:
    """Return the kind of each layer, and its window in tokens; 0: it sees all."""
    window = _whole(config, "sliding_window")
    if config.get("use_sliding_window") is False:
        window = 0
    named = next(
        (
            [*map(str, value)]
            for name in ("layer_types", "layers_block_type", "hybrid_override_pattern")
            if isinstance(value := config.get(name), (list, str)) and len(value) == count
        ),
        None,
    )
    if named is not None:
        chunk = _whole(config, "attention_chunk_size")
        sizes = dict.fromkeys(_SLIDING, window) | {_CHUNKED: chunk}
        return [(kind, sizes.get(kind, 0)) for kind in named]
    interval = _whole(config, "full_attention_interval")
    if interval > 0:  # the last of so many layers sees all, the others keep a state
        full = [place % interval == interval - 1 for place in range(count)]
        return [("full", 0) if each else (_LINEAR, 0) for each in full]
    period = _whole(config, "attn_layer_period")
    if period > 0:
        offset = _whole(config, "attn_layer_offset")
        full = [place % period == offset for place in range(count)]
        return [("full", 0) if each else ("mamba", 0) for each in full]
    if not window:
        return [("full", 0)] * count
    pattern = _whole(config, "sliding_window_pattern") or _ALTERNATING.get(
        str(config.get("model_type", "")), 0
    )
    if pattern > 1:
        return [("full", 0 if place % pattern == pattern - 1 else window) for place in
                range(count)]  # fmt: skip
    first = _whole(config, "max_window_layers") if config.get("use_sliding_window") else 0
    return [("full", window if place >= first else 0) for place in range(count)]


def _state_values(kind: str, config: Mapping[str, Any]) -> int | None:
    """Return how many numbers a layer without keys keeps; None for a kind that is not known."""
    hidden = _whole(config, "hidden_size")
    if kind == _LINEAR:  # of transformers: a state for each head, and the last inputs
        values = _whole(config, "linear_num_value_heads") * _whole(
            config, "linear_value_head_dim"
        )
        keys = _whole(config, "linear_num_key_heads") * _whole(config, "linear_key_head_dim")
        kernel = _whole(config, "linear_conv_kernel_dim")
        state = values * _whole(config, "linear_key_head_dim")
        return state + (2 * keys + values) * max(0, kernel - 1) if state else None
    if kind == _CONVOLUTION:
        return hidden * _whole(config, "conv_L_cache") or None
    if kind in _MAMBA:
        inner = _whole(config, "mamba_inner_size") or (
            _whole(config, "mamba_n_heads") * _whole(config, "mamba_d_head")
            or _whole(config, "mamba_expand") * hidden
        )
        state = inner * _whole(config, "mamba_d_state")
        return state + inner * _whole(config, "mamba_d_conv") if state else None
    return None


def _by_layer(value: Any, count: int) -> list[int] | None:
    """Return one number for each layer, from one for all or a list."""
    if isinstance(value, list) and len(value) == count:
        return [each if isinstance(each, int) and each > 0 else 0 for each in value]
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return [value] * count
    return None


def _whole(config: Mapping[str, Any], name: str) -> int:
    """Return a positive whole number of a configuration; 0 for anything else."""
    value = config.get(name)
    if isinstance(value, list) and value:
        value = value[0]
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0
