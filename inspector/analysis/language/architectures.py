"""What people call the architectures of language models."""

import re
from collections.abc import Mapping
from typing import Any

_LONGEST = 200  # characters of a name
# Source: the titles of the model pages of transformers' documentation.
_NAMES = (
    "BART", "BERT", "BLOOM", "CodeGen", "Cohere", "Cohere2", "DeepSeek-V2", "DeepSeek-V3",
    "Falcon", "Gemma", "Gemma 2", "Gemma 3", "Gemma 3n", "GPT Neo", "GPT-2", "GPT-J",
    "GPT-NeoX", "GPT-OSS", "Granite", "Granite MoE", "InternLM2", "LFM2", "Llama", "Llama 4",
    "LLaVA", "LongT5", "M2M100", "Mamba", "Mamba 2", "Marian", "mBART", "MiniCPM", "Mistral",
    "Mixtral", "Moonshine", "MPT", "mT5", "Nemotron", "OLMo", "OLMo2", "OPT", "Pegasus", "Phi",
    "Phi-2", "Phi-3", "PhiMoE", "Qwen2", "Qwen2 MoE", "Qwen2-VL", "Qwen2.5-VL", "Qwen3",
    "Qwen3 MoE", "RWKV", "SmolLM3", "StableLM", "StarCoder2", "T5", "TrOCR",
    "Vision encoder-decoder", "Whisper",
)  # fmt: skip
_MARKS = re.compile("[^a-z0-9]")
# By `model_type` of a configuration, or the architecture that a GGUF file names, both without
# marks: nearly always the proper name, in lower case.
_BY_KIND = {_MARKS.sub("", name.lower()): name for name in _NAMES} | {
    "deepseek2": "DeepSeek-V2",
    "gemma3text": "Gemma 3",
    "phi3v": "Phi-3.5 Vision",
    "phi4mm": "Phi-4 Multimodal",
}
# What the names of classes in Hugging Face's transformers end with.
_CLASS = re.compile(
    r"(ForCausalLM|LMHeadModel|ForConditionalGeneration|MTModel|ForSequenceClassification|"
    r"ForMaskedLM|Model)$"
)


def proper_name(config: Mapping[str, Any]) -> str:
    """Return what people call an architecture: its proper name where it is a known one, else
    the configuration's own word; "" where it says none."""
    kind = config.get("model_type")
    plain = _MARKS.sub("", kind.lower()) if isinstance(kind, str) else ""
    if plain in _BY_KIND:
        return _BY_KIND[plain]
    named = config.get("architectures")
    first = named[0] if isinstance(named, list) and named else kind
    return (
        _CLASS.sub("", first)[:_LONGEST] or first[:_LONGEST] if isinstance(first, str) else ""
    )
