"""Memory of language models: sums over graphs and configurations, against counts by hand."""

import pytest

from inspector.analysis.language.configured_cache import config_of_gguf, configured_cache
from inspector.analysis.language.memory import CacheLayer, needs_of, of_weights, usual_contexts
from inspector.formats.opening import open_model
from sample_models.making.decoder import DecoderSize, Form, head_size
from tests.language_folders import genai_folder, optimum_folder

SIZE = DecoderSize()
GEMMA_3_4B = {
    "model_type": "gemma3", "hidden_size": 2560, "num_hidden_layers": 34, "head_dim": 256,
    "num_attention_heads": 8, "num_key_value_heads": 4, "sliding_window": 1024,
}  # fmt: skip
DEEPSEEK_V2_LITE = {
    "hidden_size": 2048, "num_hidden_layers": 27, "num_attention_heads": 16,
    "num_key_value_heads": 16, "kv_lora_rank": 512, "qk_rope_head_dim": 64, "v_head_dim": 128,
}  # fmt: skip
QWEN_3_NEXT = {
    "hidden_size": 2048, "num_hidden_layers": 48, "num_attention_heads": 16, "head_dim": 256,
    "num_key_value_heads": 2, "full_attention_interval": 4, "linear_num_value_heads": 32,
    "linear_value_head_dim": 128, "linear_num_key_heads": 16, "linear_key_head_dim": 128,
    "linear_conv_kernel_dim": 4,
}  # fmt: skip


def cache_bytes(config, context):
    found = configured_cache(config)
    assert not found.notes
    return of_weights(0, found.layers, 0, ()).cache_bytes(context)


@pytest.mark.parametrize(("cache", "width"), [("float32", 4), ("float16", 2)])
def test_a_graph_says_what_each_layer_remembers_of_a_token(tmp_path, cache, width):
    path = genai_folder(tmp_path / "m", Form(cache=cache)) / "model.onnx"
    needs = needs_of(open_model(path))
    token = 2 * SIZE.kv_heads * head_size(SIZE)
    assert needs.cache == tuple(CacheLayer(layer, token) for layer in range(SIZE.layers))
    assert needs.token_bytes == SIZE.layers * token * width
    assert needs.cache_bytes(100, 3) == 300 * needs.token_bytes
    assert needs.copies == 1
    assert (needs.hidden, needs.feed_forward, needs.vocabulary) == (64, 128, SIZE.vocabulary)


def test_a_cache_that_each_step_returns_anew_counts_twice(tmp_path):
    folder = optimum_folder(tmp_path / "m")
    needs = needs_of(open_model(folder / "decoder_with_past_model.onnx"))
    assert needs.copies == 2
    assert needs.estimate(64).cache_bytes == 2 * needs.cache_bytes(64)
    assert needs_of(open_model(folder / "decoder_model.onnx")) is None


def test_the_largest_context_fits_and_one_token_more_does_not(tmp_path):
    path = genai_folder(tmp_path / "m") / "model.onnx"
    needs = needs_of(open_model(path), context_limit=1 << 30)
    for limit in (70_000_000, 500_000_000, 8_000_000_000):
        most = needs.largest_context(limit, 2)
        assert needs.estimate(most, 2).total_bytes <= limit
        assert needs.estimate(most + 1, 2).total_bytes > limit
    assert needs.largest_context(1_000_000) == 0
    assert needs_of(open_model(path), 500).largest_context(8_000_000_000) == 500


def test_scores_of_a_float16_cache_take_memory_and_those_of_float32_none(tmp_path):
    needs = needs_of(open_model(genai_folder(tmp_path / "m") / "model.onnx"))
    plain, half = needs.estimate(512, 8), needs.estimate(512, 8, "float16")
    scores = 8 * 256 * 512 * SIZE.heads * 4
    assert half.work_bytes - plain.work_bytes == pytest.approx(1.15 * scores, rel=0.01)
    assert 2 * half.cache_bytes == plain.cache_bytes


def test_windows_remember_no_more_than_their_tokens():
    token = 2 * 4 * 256 * 2
    assert cache_bytes(GEMMA_3_4B, 131_072) == token * (5 * 131_072 + 29 * 1_024)
    assert cache_bytes(GEMMA_3_4B, 1_000) == token * 34 * 1_000
    mistral = {**GEMMA_3_4B, "model_type": "mistral"}
    assert cache_bytes(mistral, 131_072) == token * 34 * 1_024
    listed = {**mistral, "layer_types": ["full_attention", *["sliding_attention"] * 33]}
    assert cache_bytes(listed, 2_048) == token * (2_048 + 33 * 1_024)
    assert cache_bytes({**mistral, "use_sliding_window": False}, 9_000) == token * 34 * 9_000


def test_latent_attention_remembers_one_vector_of_each_token():
    assert cache_bytes(DEEPSEEK_V2_LITE, 1) == 27 * (512 + 64) * 2


def test_layers_with_a_state_take_the_same_whatever_the_context():
    short, long = cache_bytes(QWEN_3_NEXT, 1_000), cache_bytes(QWEN_3_NEXT, 2_000)
    assert long - short == 12 * 2 * 2 * 256 * 2 * 1_000
    state = 32 * 128 * 128 + 3 * (2 * 16 * 128 + 32 * 128)
    assert short - (long - short) == 36 * state * 4


def test_a_kind_of_layers_that_nobody_knows_is_said():
    config = {**GEMMA_3_4B, "layer_types": ["full_attention"] * 33 + ["telepathy"]}
    found = configured_cache(config)
    assert len(found.notes) == 1
    assert found.layers[-1].token_values == 0


@pytest.mark.parametrize("broken", [
    {}, {"num_hidden_layers": 10**9, "num_attention_heads": 8, "hidden_size": 64},
    {"num_hidden_layers": -1}, {"num_hidden_layers": "many", "num_attention_heads": [8]},
    {"num_hidden_layers": 2, "num_attention_heads": 8, "hidden_size": 2},
])  # fmt: skip
def test_a_configuration_that_says_too_little_or_too_much_tells_no_cache(broken):
    assert configured_cache(broken) is None


def test_metadata_of_gguf_say_the_same():
    metadata = {
        "general.architecture": "llama", "llama.block_count": "32",
        "llama.embedding_length": "4096", "llama.attention.head_count": "32",
        "llama.attention.head_count_kv": "8", "llama.context_length": "8192",
        "llama.rope.dimension_count": "128",
    }  # fmt: skip
    config = config_of_gguf(metadata)
    assert config["context_length"] == 8_192
    assert cache_bytes(config, 1) == 32 * 2 * 8 * 128 * 2
    mixed = {**metadata, "llama.attention.head_count_kv": ", ".join(["8"] * 31 + ["0"])}
    assert cache_bytes(config_of_gguf(mixed), 1) == 31 * 2 * 8 * 128 * 2


def test_contexts_that_are_shown_end_with_the_largest():
    assert usual_contexts(4_096) == (1_024, 4_096)
    assert usual_contexts(5_000) == (1_024, 4_096, 5_000)
    assert usual_contexts(512) == (512,)
