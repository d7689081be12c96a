"""inspector memory: what folders, graphs and weights of language models take."""

import json
import struct

import pytest
from onnx import TensorProto, helper

from tests import models
from tests.command_line import errors_of, json_of, output_of
from tests.language_folders import genai_folder, optimum_folder, write_json

LAYERS = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
}


def weights(path, count=1_000):
    shape = {"a": {"dtype": "BF16", "shape": [count], "data_offsets": [0, 2 * count]}}
    header = json.dumps(shape).encode()
    path.write_bytes(struct.pack("<Q", len(header)) + header + bytes(2 * count))


def asked(*arguments):
    return json_of("memory", *arguments, "--json")


def test_a_folder_its_graph_and_the_command_info_say_the_same(tmp_path):
    folder = genai_folder(tmp_path / "small")
    found = asked(folder, "--batch", "1,4", "--fits", "70MB")
    assert found["name"] == "small"
    assert found["cache"]["bytes_per_token"] == 2 * 2 * 2 * 16 * 4
    assert found["context_limit"] == 512
    assert {(each["context"], each["batch"]) for each in found["estimates"]} == {
        (512, 1), (512, 4),
    }  # fmt: skip
    for each in found["estimates"]:
        parts = ("process_bytes", "weights_bytes", "cache_bytes", "work_bytes")
        assert each["total_bytes"] == sum(each[part] for part in parts)
    alone = asked(folder / "model.onnx", "--batch", "1,4")
    assert alone["estimates"] == found["estimates"]
    known = json_of("info", folder, "--json", "--no-shapes")
    assert known["memory"]["cache"] == found["cache"]


def test_text_says_what_fits(tmp_path):
    folder = optimum_folder(tmp_path / "small")
    text = output_of("memory", folder, "--fits", "1MB", "--context", "256")
    assert "This model does not fit in 977 KiB of memory" in text
    assert "does not fit" in text
    assert " 256 " in text


def test_weights_without_a_graph_take_themselves_and_their_cache(tmp_path):
    weights(tmp_path / "model.safetensors")
    write_json(tmp_path / "config.json", LAYERS | {"max_position_embeddings": 2_048})
    found = asked(tmp_path, "--context", "1000", "--cache", "float16")
    assert found["runtime"] is None
    (only,) = found["estimates"]
    cache = 4 * 2 * 64 * 2 * 1_000
    assert (only["cache_bytes"], only["total_bytes"]) == (cache, cache + 2_000)


@pytest.mark.parametrize("layers", [10**9, -1, "many"])
def test_a_configuration_with_absurd_numbers_is_refused_in_a_sentence(tmp_path, layers):
    weights(tmp_path / "model.safetensors")
    write_json(tmp_path / "config.json", LAYERS | {"num_hidden_layers": layers})
    assert "it has no cache of earlier tokens" in errors_of("memory", str(tmp_path))


def test_other_models_and_numbers_are_refused_with_a_remedy(samples, tmp_path):
    said = errors_of("memory", str(samples / "digits_float32.onnx"))
    assert "Name the folder of a language model" in said
    said = errors_of("memory", str(genai_folder(tmp_path / "m")), "--context", "0,x", status=2)
    assert "'0,x' must be whole numbers from 1" in said


def test_what_is_absurdly_large_fits_nowhere(tmp_path):
    cache = ["batch", 1 << 62, "past", 1 << 62]
    tokens = ["batch", "new"]
    node = helper.make_node("Cast", ["input_ids"], ["logits"], to=TensorProto.FLOAT)
    path = models.save(
        tmp_path / "huge.onnx", [node],
        [models.value("input_ids", tokens, TensorProto.INT64),
         models.value("past_key_values.0.key", cache)],
        [models.value("logits", tokens)],
    )  # fmt: skip
    text = output_of("memory", path, "--fits", "8GB")
    assert "This model does not fit in 7.45 GiB of memory" in text
    assert "the largest context fits" not in text


def gguf(path, numbers, lists):
    """Write a GGUF file with 32-bit metadata, and one weight of 512 bytes."""

    def text(value):
        return struct.pack("<Q", len(value)) + value.encode()

    keys = [text("general.architecture") + struct.pack("<I", 8) + text("gemma3")]
    keys += [
        text(f"gemma3.{key}") + struct.pack("<II", 4, each) for key, each in numbers.items()
    ]
    for key, each in lists.items():
        head = struct.pack("<IIQ", 9, 4, len(each))
        keys.append(text(f"gemma3.{key}") + head + struct.pack(f"<{len(each)}I", *each))
    tensor = text("token_embd.weight") + struct.pack("<IQQIQ", 2, 32, 4, 0, 0)
    head = b"GGUF" + struct.pack("<IQQ", 3, 1, len(keys)) + b"".join(keys) + tensor
    path.write_bytes(head + bytes(-len(head) % 32) + bytes(512))


def test_gguf_has_windows_and_heads_by_layer_and_variants_are_not_added_up(tmp_path):
    numbers = {
        "block_count": 12, "context_length": 131_072, "embedding_length": 2_560,
        "attention.head_count": 8, "attention.key_length": 256, "attention.value_length": 256,
        "attention.sliding_window": 1_024,
    }  # fmt: skip
    for name in ("m-Q4_0.gguf", "m-Q8_0.gguf"):
        gguf(tmp_path / name, numbers, {"attention.head_count_kv": [4] * 11 + [2]})
    found = asked(tmp_path, "--context", "100000", "--cache", "float16")
    assert found["weights"]["stored_bytes"] == 512
    pair = 2 * 256 * 2
    (only,) = found["estimates"]
    assert only["cache_bytes"] == pair * (10 * 4 * 1_024 + 4 * 100_000 + 2 * 100_000)
