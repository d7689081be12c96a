"""Folders with weights alone: facts by the names and shapes of their tensors."""

import struct

import numpy as np
import pytest

from inspector.analysis.language.tensor_classes import Kind
from inspector.api.models import open_model
from inspector.app.language.folder import open_folder
from tests.command_line import output_of
from tests.formats.test_litertlm import usual as litert_lm_bundle
from tests.formats.weight_files.test_shards import safetensors
from tests.language_folders import SIZE, hugging_face_config, write_json

HEAD_SIZE = SIZE.hidden // SIZE.heads
SHAPES = {
    "self_attn.q_proj": (SIZE.hidden, SIZE.hidden),
    "self_attn.k_proj": (SIZE.kv_heads * HEAD_SIZE, SIZE.hidden),
    "self_attn.v_proj": (SIZE.kv_heads * HEAD_SIZE, SIZE.hidden),
    "self_attn.o_proj": (SIZE.hidden, SIZE.hidden),
    "mlp.gate_proj": (SIZE.feed_forward, SIZE.hidden),
    "mlp.up_proj": (SIZE.feed_forward, SIZE.hidden),
    "mlp.down_proj": (SIZE.hidden, SIZE.feed_forward),
    "input_layernorm": (SIZE.hidden,),
}


def tensors(with_head: bool = True) -> dict[str, np.ndarray]:
    table = np.zeros((SIZE.vocabulary, SIZE.hidden), np.float32)
    named = {"model.embed_tokens.weight": table}
    named |= {"lm_head.weight": table} if with_head else {}
    for block in range(SIZE.layers):
        for name, shape in SHAPES.items():
            named[f"model.layers.{block}.{name}.weight"] = np.zeros(shape, np.float32)
    return named


def folder_of(tmp_path, named, **config):
    tmp_path.mkdir(exist_ok=True)
    safetensors(tmp_path / "model.safetensors", named)
    write_json(tmp_path / "config.json", hugging_face_config(SIZE, **config))
    return tmp_path


def test_a_checkpoint_is_known_by_its_tensors(tmp_path):
    facts = open_folder(folder_of(tmp_path / "net", tensors())).facts
    assert facts.blocks == SIZE.layers
    assert facts.vocabulary == SIZE.vocabulary
    assert facts.feed_forward == SIZE.feed_forward
    assert facts.parameters == sum(array.size for array in tensors().values())
    assert facts.parameters_of(Kind.NORM) == SIZE.layers * SIZE.hidden
    assert not facts.tied
    assert "heads" in facts.configured
    assert facts.notes == ()


def test_a_checkpoint_without_a_head_is_tied(tmp_path):
    named = tensors(with_head=False)
    facts = open_folder(folder_of(tmp_path / "net", named, tie_word_embeddings=True)).facts
    assert facts.tied


def test_packed_weights_count_by_the_bits_of_the_configuration(tmp_path):
    name = "model.layers.0.mlp.up_proj"
    named = tensors() | {
        f"{name}.qweight": np.zeros((SIZE.hidden // 8, SIZE.feed_forward), np.float32),
        f"{name}.scales": np.zeros((2, SIZE.feed_forward), np.float32),
    }
    del named[f"{name}.weight"]
    folder = folder_of(tmp_path / "net", named, quantization_config={"bits": 4})
    body = (folder / "model.safetensors").read_bytes()
    # The helper writes only floats; the packed weight is int32 of the same size.
    at = body.index(b'"F32"', body.index(f"{name}.qweight".encode()))
    (folder / "model.safetensors").write_bytes(body[:at] + b'"I32"' + body[at + 5 :])
    facts = open_folder(folder).facts
    assert facts.parameters == sum(array.size for array in tensors().values())


def test_a_missing_shard_is_named(tmp_path):
    folder = tmp_path / "net"
    folder.mkdir()
    first = dict(list(tensors().items())[:1])
    safetensors(folder / "model-00001-of-00002.safetensors", first)
    index = dict.fromkeys(first, "model-00001-of-00002.safetensors")
    index["lm_head.weight"] = "model-00002-of-00002.safetensors"
    write_json(folder / "model.safetensors.index.json", {"weight_map": index})
    write_json(folder / "config.json", hugging_face_config(SIZE))
    opened = open_folder(folder)
    assert opened.folder.layout == "transformers"
    assert "model-00002-of-00002.safetensors" in output_of("info", folder)


@pytest.mark.parametrize("count", [1, 2])
def test_gguf_files_of_one_model_are_variants(tmp_path, gguf_file, count):
    folder = tmp_path / "net"
    folder.mkdir()
    for name in ("net-Q4_0.gguf", "net-F16.gguf")[:count]:
        (folder / name).write_bytes(gguf_file)
    opened = open_folder(folder)
    assert len(opened.graphs) == count
    assert opened.facts.architecture == "llama"
    assert opened.facts.context == 512
    assert opened.facts.blocks == 2
    assert opened.facts.kv_heads == 2
    assert opened.facts.rope_base == 10_000
    assert opened.facts.tokenizer.kind == "gpt2"
    assert opened.folder.end_ids == (2,)


def test_a_lone_gguf_file_says_as_much_as_a_folder(tmp_path, gguf_file):
    path = tmp_path / "net-Q4_0.gguf"
    path.write_bytes(gguf_file)
    (tmp_path / "another-F16.gguf").write_bytes(gguf_file)
    opened = open_folder(path)
    assert opened.folder.is_file
    assert opened.facts.generates
    assert (opened.facts.context, opened.facts.kv_heads) == (512, 2)
    assert opened.facts.configured == frozenset()
    assert opened.facts.tokenizer.kind == "gpt2"
    text = output_of("info", path)
    assert text.startswith("net-Q4_0.gguf\nLanguage model: Llama, ")
    assert "Cache per token" in text
    assert open_model(path).folder is not None


def test_a_lone_shard_names_those_that_are_missing(tmp_path, gguf_file):
    path = tmp_path / "net-00001-of-00003.gguf"
    path.write_bytes(gguf_file)
    assert "2 of the 3 files" in str(open_folder(path).folder.missing[0])


def test_a_litert_lm_bundle_says_as_much_as_a_folder(tmp_path):
    path = tmp_path / "gemma.litertlm"
    path.write_bytes(litert_lm_bundle())
    opened = open_folder(path)
    assert (opened.facts.called, opened.facts.context) == ("Gemma 3", 2048)
    assert opened.folder.chat_template == "{{ messages }}"
    assert opened.folder.bos_id == 2
    assert opened.facts.tokenizer.kind == "tokenizer.json"
    assert output_of("info", path).splitlines()[2].startswith("LiteRT-LM file, ")


def test_several_models_as_gguf_are_no_folder(tmp_path, gguf_file):
    for name in ("a-Q4_0.gguf", "b-Q4_0.gguf"):
        (tmp_path / name).write_bytes(gguf_file)
    assert open_folder(tmp_path) is None


@pytest.fixture
def gguf_file():
    def text(value: str) -> bytes:
        return struct.pack("<Q", len(value)) + value.encode()

    numbers = {
        "llama.context_length": 512, "llama.block_count": 2, "llama.embedding_length": 64,
        "llama.feed_forward_length": 128, "llama.attention.head_count": 4,
        "llama.attention.head_count_kv": 2, "tokenizer.ggml.eos_token_id": 2,
    }  # fmt: skip
    texts = {"general.architecture": "llama", "tokenizer.ggml.model": "gpt2"}
    keys = [text(key) + struct.pack("<I", 8) + text(value) for key, value in texts.items()]
    keys += [text(key) + struct.pack("<II", 4, value) for key, value in numbers.items()]
    keys.append(text("llama.rope.freq_base") + struct.pack("<If", 6, 10_000.0))
    tensor = text("token_embd.weight") + struct.pack("<IQQIQ", 2, 4, 8, 0, 0)
    head = b"GGUF" + struct.pack("<IQQ", 3, 1, len(keys)) + b"".join(keys) + tensor
    return head + bytes(-len(head) % 32) + bytes(4 * 8 * 4)
