"""Small language models with random weights, in the folder layouts that people have.

All of one seed have the same weights: each writes the same tokens, whatever its layout.
"""

import json
from pathlib import Path
from typing import Any

import onnx
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from sample_models.making.alice import TEMPLATE, genai_config
from sample_models.making.decoder import (
    PLAIN,
    DecoderSize,
    Form,
    decomposed,
    fused,
    head_size,
    merged,
    random_weights,
)

SIZE = DecoderSize()
SPECIALS = ("<s>", "</s>", "<|user|>", "<|assistant|>", "<|system|>", "<|end|>")


def write_tokenizer(folder: Path, template: str = TEMPLATE) -> Tokenizer:
    """Write a tokenizer whose tokens are the 256 bytes and `SPECIALS`; return it."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: place for place, letter in enumerate(alphabet)}
    tokenizer = Tokenizer(models.BPE(vocabulary, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(list(SPECIALS))
    tokenizer.save(str(folder / "tokenizer.json"))
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": "<s>"}
    settings |= {"eos_token": "</s>"} | ({"chat_template": template} if template else {})
    write_json(folder / "tokenizer_config.json", settings)
    return tokenizer


def genai_folder(
    folder: Path, form: Form = PLAIN, size: DecoderSize = SIZE, seed: int = 0
) -> Path:
    """Write a folder of ONNX Runtime GenAI, weights beside the graph; return it."""
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = write_tokenizer(folder)
    model = fused(size, random_weights(size, seed, form.tied), form)
    onnx.save(
        model,
        folder / "model.onnx",
        save_as_external_data=True,
        location="model.onnx.data",
        size_threshold=1024,
    )
    start, *ends = (tokenizer.token_to_id(each) for each in ("<s>", "</s>", "<|end|>"))
    write_json(folder / "genai_config.json", genai_config(size, start, ends))
    return folder


def optimum_folder(
    folder: Path, as_one: bool = False, size: DecoderSize = SIZE, seed: int = 0
) -> Path:
    """Write a folder of Optimum: a graph with a cache and one without, or both in one file."""
    folder.mkdir(parents=True, exist_ok=True)
    write_tokenizer(folder)
    weights = random_weights(size, seed)
    if as_one:
        onnx.save(merged(size, weights), folder / "decoder_model_merged.onnx")
    else:
        onnx.save(decomposed(size, weights, past=False), folder / "decoder_model.onnx")
        onnx.save(decomposed(size, weights), folder / "decoder_with_past_model.onnx")
    write_json(folder / "config.json", hugging_face_config(size))
    return folder


def transformers_js_folder(folder: Path, size: DecoderSize = SIZE, seed: int = 0) -> Path:
    """Write a folder of transformers.js: variants of one decoder below `onnx`."""
    (folder / "onnx").mkdir(parents=True, exist_ok=True)
    write_tokenizer(folder)
    weights = random_weights(size, seed)
    forms = {"": PLAIN, "_fp16": Form("float16", "float16"), "_q4": Form("int4")}
    for suffix, form in forms.items():
        onnx.save(decomposed(size, weights, form), folder / "onnx" / f"model{suffix}.onnx")
    write_json(folder / "config.json", hugging_face_config(size))
    return folder


def hugging_face_config(size: DecoderSize, **more: Any) -> dict[str, Any]:
    """Return a config.json of a Llama."""
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "hidden_size": size.hidden,
        "num_attention_heads": size.heads,
        "num_key_value_heads": size.kv_heads,
        "head_dim": head_size(size),
        "num_hidden_layers": size.layers,
        "intermediate_size": size.feed_forward,
        "vocab_size": size.vocabulary,
        "max_position_embeddings": size.context,
        "bos_token_id": 256,
        "eos_token_id": 257,
        "tie_word_embeddings": False,
        "rope_theta": 10000.0,
        **more,
    }


def write_json(path: Path, content: dict[str, Any]) -> None:
    """Write a configuration file."""
    path.write_text(json.dumps(content, indent=1), "utf-8")
