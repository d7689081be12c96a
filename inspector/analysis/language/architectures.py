"""What people call the architectures of language models."""

import re
from collections.abc import Mapping
from typing import Any

_LONGEST = 200  # characters of a name
# By `model_type` of a configuration, or the architecture that a GGUF file names. Source: the
# titles of the model pages of transformers' documentation.
_NAMES = {
    "bart": "BART", "bert": "BERT", "bloom": "BLOOM", "codegen": "CodeGen", "cohere": "Cohere",
    "cohere2": "Cohere2", "deepseek_v2": "DeepSeek-V2", "deepseek2": "DeepSeek-V2",
    "deepseek_v3": "DeepSeek-V3", "falcon": "Falcon", "gemma": "Gemma", "gemma2": "Gemma 2",
    "gemma3": "Gemma 3", "gemma3_text": "Gemma 3", "gemma3n": "Gemma 3n", "gpt2": "GPT-2",
    "gpt_neo": "GPT Neo", "gpt_neox": "GPT-NeoX", "gptj": "GPT-J", "gpt-oss": "GPT-OSS",
    "gpt_oss": "GPT-OSS", "granite": "Granite", "granitemoe": "Granite MoE",
    "internlm2": "InternLM2", "lfm2": "LFM2", "llama": "Llama", "llama4": "Llama 4",
    "llava": "LLaVA", "longt5": "LongT5", "m2m_100": "M2M100", "mamba": "Mamba",
    "mamba2": "Mamba 2", "marian": "Marian", "mbart": "mBART", "minicpm": "MiniCPM",
    "mistral": "Mistral", "mixtral": "Mixtral", "moonshine": "Moonshine", "mpt": "MPT",
    "mt5": "mT5", "nemotron": "Nemotron", "olmo": "OLMo", "olmo2": "OLMo2", "opt": "OPT",
    "pegasus": "Pegasus", "phi": "Phi", "phi2": "Phi-2", "phi3": "Phi-3",
    "phi3v": "Phi-3.5 Vision", "phimoe": "PhiMoE", "phi4mm": "Phi-4 Multimodal",
    "qwen2": "Qwen2", "qwen2_moe": "Qwen2 MoE",
    "qwen2_vl": "Qwen2-VL", "qwen2_5_vl": "Qwen2.5-VL", "qwen3": "Qwen3",
    "qwen3_moe": "Qwen3 MoE", "qwen3moe": "Qwen3 MoE", "rwkv": "RWKV", "smollm3": "SmolLM3",
    "stablelm": "StableLM", "starcoder2": "StarCoder2", "t5": "T5", "trocr": "TrOCR",
    "vision-encoder-decoder": "Vision encoder-decoder", "whisper": "Whisper",
}  # fmt: skip
# What the names of classes in Hugging Face's transformers end with.
_CLASS = re.compile(
    r"(ForCausalLM|LMHeadModel|ForConditionalGeneration|MTModel|ForSequenceClassification|"
    r"ForMaskedLM|Model)$"
)


def proper_name(config: Mapping[str, Any]) -> str:
    """Return what people call an architecture: its proper name where it is a known one, else
    the configuration's own word; "" where it says none."""
    kind = config.get("model_type")
    if isinstance(kind, str) and kind.lower() in _NAMES:
        return _NAMES[kind.lower()]
    named = config.get("architectures")
    first = named[0] if isinstance(named, list) and named else kind
    return (
        _CLASS.sub("", first)[:_LONGEST] or first[:_LONGEST] if isinstance(first, str) else ""
    )
