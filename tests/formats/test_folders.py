"""A folder is one model: its parts and facts, and one sentence for what is wrong with it."""

import json
import os
from pathlib import Path

import pytest

from inspector.errors import UnreadableFile
from inspector.formats.folders.reading import (
    folder_around,
    is_one_model,
    main_file,
    model_name,
    read_folder,
)
from tests import language_folders

GENAI = {
    "model": {
        "type": "llama",
        "context_length": 512,
        "vocab_size": 265,
        "bos_token_id": 256,
        "eos_token_id": [257, 261],
        "decoder": {
            "filename": "model.onnx",
            "head_size": 16,
            "hidden_size": 64,
            "num_attention_heads": 4,
            "num_hidden_layers": 2,
            "num_key_value_heads": 2,
        },
    },
    "search": {"max_length": 512, "past_present_share_buffer": True},
}
LLAMA = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 64,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "max_position_embeddings": 512,
    "eos_token_id": 257,
}


@pytest.fixture
def made(tmp_path):
    def make(**contents: object) -> Path:
        return filled(tmp_path / "net", contents)

    return make


def filled(folder: Path, contents: dict) -> Path:
    for name, content in contents.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            file.write_bytes(content)
        else:
            file.write_text(content if isinstance(content, str) else json.dumps(content))
    return folder


def roles(folder: Path) -> dict[str, str]:
    read = read_folder(folder)
    return {
        " ".join(filter(None, (part.role, part.variant))): part.path.name for part in read.parts
    }


def genai(tmp_path: Path, config: object = GENAI, **others: object) -> Path:
    names = {"model.onnx": b"", "tokenizer.json": {}}
    contents = {"genai_config.json": config, **names, **others}
    return filled(tmp_path / "net", {name: c for name, c in contents.items() if c is not None})


def with_decoder(**changes: object) -> dict:
    decoder = {**GENAI["model"]["decoder"], **changes}
    return {**GENAI, "model": {**GENAI["model"], "decoder": decoder}}


def test_genai_names_its_parts_and_facts(tmp_path):
    template = "{{ messages }}"
    config = {"chat_template": template, "eos_token": "</s>"}
    folder = read_folder(genai(tmp_path, **{"tokenizer_config.json": config}))
    assert folder.layout == "ONNX Runtime GenAI"
    assert [(p.role, p.path.name) for p in folder.parts] == [("decoder", "model.onnx")]
    expected = {
        "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "head_dim": 16,
        "num_key_value_heads": 2, "vocab_size": 265, "context_length": 512,
        "model_type": "llama",
    }  # fmt: skip
    assert expected.items() <= dict(folder.config).items()
    assert folder.tokenizer.name == "tokenizer.json"
    assert folder.chat_template == template
    assert folder.end_ids == (257, 261)
    assert folder.bos_id == 256
    assert folder.missing == folder.notes == ()


def test_stages_of_a_pipeline_are_parts_in_their_order(tmp_path):
    stages = [{"embeds": {"filename": "a.onnx"}}, {"layers": {"filename": "b.onnx"}}]
    config = with_decoder(pipeline=stages)
    folder = genai(tmp_path, config, **{"a.onnx": b"", "b.onnx": b""})
    assert roles(folder) == {"decoder embeds": "a.onnx", "decoder layers": "b.onnx"}


def test_optimum_puts_what_generates_first(made):
    names = ("encoder_model.onnx", "decoder_with_past_model.onnx", "decoder_model.onnx")
    folder = made(**{"config.json": LLAMA, **dict.fromkeys(names, b"")})
    assert list(roles(folder)) == ["decoder", "decoder with past", "encoder"]
    read = read_folder(folder)
    assert read.layout == "Optimum"
    assert read.config["context_length"] == 512
    assert read.end_ids == (257,)


def test_files_of_one_role_are_variants(made):
    names = ("model.onnx", "model_q4f16.onnx", "model_quantized.onnx")
    folder = made(**{"config.json": LLAMA, **{f"onnx/{name}": b"" for name in names}})
    assert read_folder(folder).layout == "transformers.js"
    assert roles(folder) == {
        "decoder float32": "model.onnx",
        "decoder q4f16": "model_q4f16.onnx",
        "decoder 8 bits": "model_quantized.onnx",
    }


def test_a_folder_of_several_models_is_none(made):
    folder = made(**{"resnet.onnx": b"", "model.onnx": b"", "config.json": LLAMA})
    assert read_folder(folder) is None
    assert not is_one_model(folder)
    assert main_file(folder) == folder


def test_the_main_file_is_the_graph_that_generates(tmp_path):
    folder = genai(tmp_path)
    assert main_file(folder) == folder / "model.onnx"
    assert main_file(folder / "tokenizer.json") == folder / "tokenizer.json"


def test_a_part_knows_its_folder(made):
    folder = made(**{"config.json": LLAMA, "onnx/model.onnx": b"1", "onnx/other.txt": b""})
    assert folder_around(folder / "onnx" / "model.onnx").path == folder
    assert folder_around(folder / "onnx" / "other.txt") is None


def test_a_missing_part_is_named(tmp_path):
    folder = genai(tmp_path, **{"model.onnx": None, "tokenizer.json": None})
    assert list(map(str, read_folder(folder).missing)) == [
        "'model.onnx', which 'genai_config.json' names for the decoder, is missing",
        "'tokenizer.json' is missing",
    ]
    with pytest.raises(UnreadableFile, match=r"'model\.onnx', which"):
        main_file(folder)


@pytest.mark.parametrize(
    "name", ["../model.onnx", "/etc/passwd", "C:/net.onnx", 7, None, "a\0b"]
)
def test_a_part_outside_of_the_folder_is_refused(tmp_path, name):
    (tmp_path / "model.onnx").write_bytes(b"")
    folder = read_folder(genai(tmp_path, with_decoder(filename=name)))
    assert folder.parts == ()
    assert "is not in the folder" in folder.missing[0]


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_a_link_out_of_the_folder_is_no_file_of_it(tmp_path):
    (tmp_path / "secret").write_text("{}")
    folder = genai(tmp_path, **{"tokenizer.json": None})
    (folder / "tokenizer.json").symlink_to(tmp_path / "secret")
    read = read_folder(folder)
    assert read.tokenizer is None
    assert "is a link to a file outside of the folder" in read.notes[0]


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_links_of_a_download_cache_are_followed(tmp_path):
    cache = filled(tmp_path, {"blobs/1": GENAI, "blobs/2": b"", "blobs/3": {}})
    folder = cache / "snapshots" / "main"
    folder.mkdir(parents=True)
    for number, name in enumerate(("genai_config.json", "model.onnx", "tokenizer.json"), 1):
        (folder / name).symlink_to(f"../../blobs/{number}")
    read = read_folder(folder)
    assert len(read.parts) == 1
    assert read.missing == read.notes == ()


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "it is empty"),
        (b'{"model": ', "damaged at line 1"),
        (b"[" * 200_000, "nested too deeply"),
        (b"\x80\x04\x95", "Python pickle"),
        (b"[]", "no JSON object"),
        (b"\xff\xfe\x00", "not text"),
    ],
)
def test_a_damaged_configuration_is_one_sentence(tmp_path, body, why):
    folder = genai(tmp_path, body)
    with pytest.raises(UnreadableFile, match=why) as caught:
        main_file(folder)
    assert caught.value.what == "Could not open net/genai_config.json"
    assert is_one_model(folder)


def test_a_damaged_tokenizer_configuration_is_a_note(tmp_path):
    folder = genai(tmp_path, **{"tokenizer_config.json": b"\x80\x04pickle"})
    assert list(map(str, read_folder(folder).notes)) == [
        "'tokenizer_config.json' was not read: it is a Python pickle, which could run code"
    ]


def test_keys_of_a_newer_version_are_noted(tmp_path):
    config = with_decoder(thought_tokens=3)
    (note,) = read_folder(genai(tmp_path, config)).notes
    assert "was made for a newer version of ONNX Runtime GenAI than 0.18" in note
    assert "model.decoder.thought_tokens" in note


def test_what_would_run_code_is_noted(tmp_path):
    config = with_decoder(session_options={"custom_ops_library": "evil.so", "log_id": "x"})
    (note,) = read_folder(genai(tmp_path, config)).notes
    assert "'custom_ops_library'" in note


@pytest.mark.parametrize("number", [10**9, -1, 10**30, 1e400, "twelve", [1], {"a": 1}])
def test_a_hostile_number_is_kept_as_a_number_or_left_out(tmp_path, number):
    folder = read_folder(genai(tmp_path, with_decoder(num_hidden_layers=number)))
    assert folder.config.get("num_hidden_layers") in (number, None)
    assert not isinstance(folder.config.get("num_hidden_layers"), str)


def test_another_programs_configuration_is_no_model(tmp_path):
    assert read_folder(genai(tmp_path, {"enabled": True}, **{"model.onnx": None})) is None


def test_diffusers_names_the_parts_in_folders(made):
    index = {
        "_class_name": "OnnxStableDiffusionPipeline",
        "unet": ["diffusers", "OnnxRuntimeModel"],
        "text_encoder": ["diffusers", "OnnxRuntimeModel"],
        "vae_decoder": ["diffusers", "OnnxRuntimeModel"],
        "scheduler": ["diffusers", "PNDMScheduler"],
        "_version": "1",
    }
    parts = {f"{name}/model.onnx": b"" for name in ("unet", "text_encoder")}
    folder = made(**{"model_index.json": index, **parts})
    read = read_folder(folder)
    assert [part.role for part in read.parts] == ["unet", "text encoder"]
    assert list(map(str, read.missing)) == [
        "the part 'vae_decoder', which 'model_index.json' names, is missing"
    ]


def test_a_voice_of_piper(made):
    settings = {"audio": {"sample_rate": 22050}, "phoneme_id_map": {}, "num_speakers": 1}
    read = read_folder(made(**{"en-amy.onnx": b"", "en-amy.onnx.json": settings}))
    assert read.layout == "Piper"
    assert read.config["sample_rate"] == 22050


def test_parts_of_sherpa_onnx(made):
    names = ("encoder-epoch-99.onnx", "encoder-epoch-99.int8.onnx", "joiner-epoch-99.onnx")
    folder = made(**{"tokens.txt": "a 0", **dict.fromkeys(names, b"")})
    assert list(roles(folder)) == ["encoder float32", "encoder int8", "joiner"]
    assert list(map(str, read_folder(folder).missing)) == [
        "the graph of the decoder is missing"
    ]


def test_missing_files_of_a_divided_gguf_are_counted(made):
    folder = made(**{f"net-Q4_0-0000{number}-of-00003.gguf": b"GGUF" for number in (1, 3)})
    read = read_folder(folder)
    assert len(read.parts) == 1
    assert "1 of the 3 files" in read.missing[0]


@pytest.mark.parametrize(
    ("name", "text", "license_"),
    [
        ("README.md", "---\ntags:\n- x\nlicense: apache-2.0\n---\n# Net", "apache-2.0"),
        ("README.md", "# Net\nlicense: none of a head", ""),
        ("LICENSE", "\nMIT License\n\nCopyright", "MIT License"),
    ],
)
def test_the_license_is_that_of_the_model_card(tmp_path, name, text, license_):
    assert read_folder(genai(tmp_path, **{name: text})).config["license"] == license_


def test_half_a_character_in_a_template_is_replaced(tmp_path):
    body = b'{"chat_template": "a \\ud800 b", "eos_token": "\\ud83d\\ude00"}'
    folder = read_folder(genai(tmp_path, **{"tokenizer_config.json": body}))
    assert folder.chat_template == "a ? b"
    assert folder.end_token == "\U0001f600"


def test_a_model_is_called_after_its_folder_unless_that_has_several(tmp_path):
    one = language_folders.genai_folder(tmp_path / "one")
    assert model_name(one / "model.onnx") == "one"
    web = language_folders.transformers_js_folder(tmp_path / "web")
    assert model_name(web / "onnx" / "model_q4.onnx") == "web/model_q4.onnx"
    pair = language_folders.optimum_folder(tmp_path / "pair")
    assert model_name(pair / "decoder_model.onnx") == "pair"
    (tmp_path / "alone.onnx").write_bytes(b"")
    assert model_name(tmp_path / "alone.onnx") == "alone.onnx"


def test_a_missing_encoder_is_named(tmp_path):
    folder = language_folders.encoder_decoder_folder(tmp_path / "half")
    (folder / "encoder_model.onnx").unlink()
    told = map(str, read_folder(folder).missing)
    assert "'encoder_model.onnx', the encoder, is missing" in told
