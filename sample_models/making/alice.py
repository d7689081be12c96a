"""The language model that writes like Alice's Adventures in Wonderland, as a folder.

`python -m sample_models.making.alice` trains it again: half an hour, needs `jax`.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import onnx
from tokenizers import Tokenizer

from sample_models.making.decoder import DecoderSize, Form, Weights, fused, random_weights
from sample_models.making.decoder import head_size as width_of_head

FOLDER = "alice"
HELD_OUT = "held_out.txt"  # the last chapter, for perplexity
SIZE = DecoderSize(
    hidden=64, layers=4, heads=4, kv_heads=2, feed_forward=176, vocabulary=512, context=512
)
STEPS = 2500
START = 0.1  # scale of the first embeddings, whose transpose is the head
TEMPLATE = (
    "{% for message in messages %}{{ '<|' + message['role'] + '|>\\n' + message['content']"
    " + '<|end|>\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>\\n' }}{% endif %}"
)
ENTRY: dict[str, object] = {
    "file": FOLDER,
    "task": "text generation",
    "shows": "A folder with tokenizer and chat template: answers in a chat, token by token",
    "try": [],
    "prompts": ["The Queen turned", "Alice opened the door", "The Cat only grinned"],
}


def write_folder(folder: Path, weights: Weights, tokenizer: Tokenizer) -> None:
    """Write the model's files, in the layout of ONNX Runtime GenAI."""
    folder.mkdir(exist_ok=True)
    model = fused(SIZE, weights, Form(tied=True))
    texts = {
        "author": "Inspector",
        "license": "Apache-2.0",
        "description": "Continues a sentence in the manner of Alice's Adventures in Wonderland",
        "training": "eleven chapters of the book by Lewis Carroll (1865), in the public domain",
    }
    for key, text in texts.items():
        model.metadata_props.add(key=key, value=text)
    model.producer_name = "Inspector sample_models"
    onnx.save(model, folder / "model.onnx")
    tokenizer.save(str(folder / "tokenizer.json"))
    start, end, stop = (tokenizer.token_to_id(each) for each in ("<s>", "</s>", "<|end|>"))
    _write_json(folder / "genai_config.json", genai_config(SIZE, start, [end, stop]))
    _write_json(
        folder / "tokenizer_config.json",
        {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "bos_token": "<s>",
            "eos_token": "</s>",
            "model_max_length": SIZE.context,
            "chat_template": TEMPLATE,
        },
    )


def genai_config(size: DecoderSize, start: int, ends: list[int]) -> dict[str, Any]:
    """Return the configuration that ONNX Runtime GenAI reads."""
    decoder = {
        "session_options": {"provider_options": []},
        "filename": "model.onnx",
        "head_size": width_of_head(size),
        "hidden_size": size.hidden,
        "num_attention_heads": size.heads,
        "num_hidden_layers": size.layers,
        "num_key_value_heads": size.kv_heads,
        "inputs": {
            "input_ids": "input_ids",
            "attention_mask": "attention_mask",
            "past_key_names": "past_key_values.%d.key",
            "past_value_names": "past_key_values.%d.value",
        },
        "outputs": {
            "logits": "logits",
            "present_key_names": "present.%d.key",
            "present_value_names": "present.%d.value",
        },
    }
    model = {
        "type": "llama",
        "bos_token_id": start,
        "eos_token_id": ends,
        "pad_token_id": ends[0],
        "context_length": size.context,
        "vocab_size": size.vocabulary,
        "decoder": decoder,
    }
    search = {"do_sample": False, "max_length": size.context, "past_present_share_buffer": True}
    return {"model": model, "search": search}


def _write_json(path: Path, content: Mapping[str, object]) -> None:
    path.write_text(json.dumps(content, indent=1) + "\n", "utf-8")


def main() -> None:
    """Train the weights, and write the folder with the held-out chapter."""
    from sample_models.making import alice_training  # needs jax

    texts, held_out = alice_training.paragraphs()
    tokenizer = alice_training.trained_tokenizer("\n\n".join(texts), SIZE.vocabulary)
    start = random_weights(SIZE, tied=True)
    start["embedding"] *= START
    weights = alice_training.trained(start, SIZE, tokenizer, STEPS)
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / FOLDER
    write_folder(folder, weights, tokenizer)
    (folder / HELD_OUT).write_text("\n\n".join(held_out) + "\n", "utf-8")


if __name__ == "__main__":
    main()
