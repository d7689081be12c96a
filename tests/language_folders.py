"""Small language models with random weights, in the folder layouts that people have.

All of one seed have the same weights: each writes the same tokens, whatever its layout.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from sample_models.making import encoder_decoder
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
from sample_models.making.encoder_decoder import EncoderDecoderSize

SIZE = DecoderSize()
READER = EncoderDecoderSize()  # reads a text
LISTENER = EncoderDecoderSize(bins=16)  # hears a sound
SPECIALS = ("<s>", "</s>", "<|user|>", "<|assistant|>", "<|system|>", "<|end|>")


def write_tokenizer(
    folder: Path, template: str = TEMPLATE, specials: Sequence[str] = SPECIALS
) -> Tokenizer:
    """Write a tokenizer whose tokens are the 256 bytes and special ones; return it."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: place for place, letter in enumerate(alphabet)}
    tokenizer = Tokenizer(models.BPE(vocabulary, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(list(specials))
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


def encoder_decoder_folder(
    folder: Path,
    layout: str = "pair",
    size: EncoderDecoderSize = READER,
    seed: int = 0,
    specials: Sequence[str] = SPECIALS,
    **config: Any,
) -> Path:
    """Write an encoder-decoder; return its folder.

    layout: "pair" (Optimum: one graph of the first call, one of those after it), "merged" (both
    in one), "transformers.js" or "genai", whose encoder makes the keys and values.
    """
    inner = folder / "onnx" if layout == "transformers.js" else folder
    inner.mkdir(parents=True, exist_ok=True)
    write_tokenizer(folder, template="", specials=specials)
    weights = encoder_decoder.random_weights(size, seed)
    if layout == "genai":
        onnx.save(
            encoder_decoder.encoder(size, weights, with_cross=True), inner / "encoder.onnx"
        )
        graph = encoder_decoder.decoder(size, weights, past=True, with_cross=True)
        onnx.save(graph, inner / "decoder.onnx")
        parts = {name: {"filename": f"{name}.onnx"} for name in ("encoder", "decoder")}
        write_json(folder / "genai_config.json", {
            "model": {
                "type": "whisper", "context_length": 448, "eos_token_id": 257,
                "decoder_start_token_id": 256, "vocab_size": size.vocabulary, **parts,
            },
            "search": {"max_length": 448},
        })  # fmt: skip
        return folder
    onnx.save(encoder_decoder.encoder(size, weights), inner / "encoder_model.onnx")
    if layout == "pair":
        for name, past in (("decoder_model", False), ("decoder_with_past_model", True)):
            graph = encoder_decoder.decoder(size, weights, past)
            onnx.save(graph, inner / f"{name}.onnx")
    else:
        graph = encoder_decoder.merged(size, weights)
        onnx.save(graph, inner / "decoder_model_merged.onnx")
    kind = "Whisper" if size.bins else "T5"
    write_json(folder / "config.json", {
        "architectures": [f"{kind}ForConditionalGeneration"], "model_type": kind.lower(),
        "d_model": size.hidden, "decoder_layers": size.layers, "vocab_size": size.vocabulary,
        "decoder_start_token_id": 256, "eos_token_id": 257, "is_encoder_decoder": True,
        **config,
    })  # fmt: skip
    return folder


def with_slow_path(folder: Path, context: int) -> Path:
    """Let the graph of a folder do more work from a context on; return its file."""
    path = folder / "model.onnx"
    model = onnx.load(path)
    graph, make = model.graph, onnx.helper.make_node
    numbers = {"slow_place": np.int64(1), "slow_from": np.int64(context)}
    numbers["slow_shape"] = np.array([450, 450])  # far more work than a busy machine adds
    graph.initializer.extend(
        onnx.numpy_helper.from_array(np.asarray(v), n) for n, v in numbers.items()
    )
    value = onnx.helper.make_tensor_value_info
    slow = [
        make("ReduceMax", ["logits_before"], ["slow_max"], keepdims=0),
        make("Expand", ["slow_max", "slow_shape"], ["slow_square"]),
        make("MatMul", ["slow_square", "slow_square"], ["slow_product"], name="slow_product"),
        make("ReduceMin", ["slow_product"], ["slow_min"], keepdims=0),
        make("Sub", ["slow_min", "slow_min"], ["slow_zero"]),
    ]
    zero = onnx.helper.make_tensor("zero", onnx.TensorProto.FLOAT, [], [0.0])
    quick = [make("Constant", [], ["quick_zero"], value=zero)]
    branches = {
        name: onnx.helper.make_graph(nodes, name, [], [value(nodes[-1].output[0], 1, [])])
        for name, nodes in (("slow", slow), ("quick", quick))
    }
    for node in graph.node:
        for place, name in enumerate(node.output):
            if name == "logits":
                node.output[place] = "logits_before"
    graph.node.extend([
        make("Shape", ["attention_mask"], ["slow_sizes"]),
        make("Gather", ["slow_sizes", "slow_place"], ["slow_total"]),
        make("Greater", ["slow_total", "slow_from"], ["slow_now"]),
        make("If", ["slow_now"], ["slow_more"], name="slow_path",
             then_branch=branches["slow"], else_branch=branches["quick"]),
        make("Add", ["logits_before", "slow_more"], ["logits"], name="slow_sum"),
    ])  # fmt: skip
    onnx.save(model, path)
    return path
