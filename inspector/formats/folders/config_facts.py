"""The facts of a model's configuration by one name each, whoever wrote the file."""

from collections.abc import Mapping
from typing import Any

# Each fact with the keys that Hugging Face's configurations have for it, the usual one first.
# Source: the configuration classes of transformers (attribute_map of each model type).
_NAMES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("hidden_size", ("hidden_size", "n_embd", "d_model", "dim", "model_dim")),
    ("num_hidden_layers",
     ("num_hidden_layers", "n_layer", "n_layers", "decoder_layers", "num_layers")),
    ("num_attention_heads",
     ("num_attention_heads", "n_head", "n_heads", "decoder_attention_heads", "num_heads")),
    ("num_key_value_heads",
     ("num_key_value_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num")),
    ("head_dim", ("head_dim", "head_size", "d_kv", "attention_head_size")),
    ("intermediate_size",
     ("intermediate_size", "n_inner", "decoder_ffn_dim", "d_ff", "ffn_dim", "ffn_hidden_size")),
    ("vocab_size", ("vocab_size", "padded_vocab_size")),
    ("context_length",
     ("context_length", "max_position_embeddings", "n_positions", "n_ctx", "max_seq_len",
      "max_sequence_length", "seq_length", "max_target_positions")),
    ("encoder_layers", ("encoder_layers", "encoder_num_hidden_layers")),
    ("num_experts", ("num_local_experts", "num_experts", "n_routed_experts")),
    ("num_experts_per_tok", ("num_experts_per_tok", "num_experts_per_token")),
)  # fmt: skip
# Kept by their own names.
_KEPT = (
    "model_type", "architectures", "rope_theta", "rope_scaling", "rope_parameters",
    "sliding_window", "use_sliding_window", "layer_types", "tie_word_embeddings", "torch_dtype",
    "dtype", "hidden_act", "kv_lora_rank", "qk_rope_head_dim", "qk_nope_head_dim", "v_head_dim",
    "q_lora_rank", "rotary_dim", "partial_rotary_factor", "full_attention_interval",
    "bos_token_id", "eos_token_id", "pad_token_id", "decoder_start_token_id",
    "quantization_config", "num_mel_bins", "sliding_window_pattern", "max_window_layers",
    # Of layers that keep a state instead of keys and values.
    "layers_block_type", "hybrid_override_pattern", "attn_layer_period", "attn_layer_offset",
    "attention_chunk_size", "linear_num_value_heads", "linear_value_head_dim",
    "linear_num_key_heads", "linear_key_head_dim", "linear_conv_kernel_dim", "conv_L_cache",
    "mamba_n_heads", "mamba_d_head", "mamba_expand", "mamba_d_state", "mamba_d_conv",
)  # fmt: skip
_COUNTS = frozenset(name for name, _ in _NAMES) | {"sliding_window"}
# Where models of several parts keep the facts of the one that generates.
_INNER = ("text_config", "llm_config", "language_config", "thinker_config", "decoder")
_MOST_CHARACTERS = 2_000  # of a text in a configuration
_MOST_ITEMS = 10_000  # of a list: one for each layer


def config_facts(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of a config.json; values of a wrong type are left out."""
    facts: dict[str, Any] = {}
    found = (config[key] for key in _INNER if isinstance(config.get(key), dict))
    inner: Mapping[str, Any] = next(found, {})
    for source in (inner, config):
        for name, keys in _NAMES:
            value = next((source[key] for key in keys if source.get(key) is not None), None)
            take(facts, name, value)
        for name in _KEPT:
            take(facts, name, source.get(name))
    for name in ("model_type", "architectures"):  # of the whole, not of the inner part
        if config.get(name) is not None:
            facts.pop(name, None)
            take(facts, name, config[name])
    return facts


def take(facts: dict[str, Any], name: str, value: Any) -> None:
    """Add a fact that is not there yet, if its value is plausible by its type."""
    if name in facts or value is None:
        return
    if name in _COUNTS or name.endswith("_id"):
        counted = whole(value)
        if counted is None and isinstance(value, list) and name.endswith("_id"):
            counted = next((w for w in map(whole, value) if w is not None), None)
        if counted is not None:
            facts[name] = counted
    elif (isinstance(value, (bool, int, float)) and abs(value) < 1e18) or isinstance(
        value, dict
    ):
        facts[name] = value
    elif isinstance(value, str):
        facts[name] = value[:_MOST_CHARACTERS]
    elif isinstance(value, list) and len(value) <= _MOST_ITEMS:
        facts[name] = value


def whole(value: Any) -> int | None:
    """Return a whole number of a configuration; None for what is none, or over 64 bits."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if value != value or abs(value) >= 1 << 63 or int(value) != value:
        return None
    return int(value)


def token_ids(value: Any) -> tuple[int, ...]:
    """Return the tokens of `eos_token_id`: a number, a list of them, or nothing."""
    several = value if isinstance(value, list) else [value]
    found = (whole(each) for each in several[:_MOST_ITEMS])
    return tuple(dict.fromkeys(each for each in found if each is not None and each >= 0))
