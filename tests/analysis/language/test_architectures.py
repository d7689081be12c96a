"""Architectures of language models have the names that people call them by."""

import pytest

from inspector.analysis.language.facts import proper_name


@pytest.mark.parametrize(
    ("config", "name"),
    [
        ({"model_type": "stablelm"}, "StableLM"),
        ({"model_type": "qwen2_5_vl", "architectures": ["Other"]}, "Qwen2.5-VL"),
        ({"model_type": "gpt-oss"}, "GPT-OSS"),
        ({"model_type": "gpt_oss"}, "GPT-OSS"),
        ({"model_type": "Qwen3MoE"}, "Qwen3 MoE"),
        ({"model_type": "deepseek2"}, "DeepSeek-V2"),
        ({"model_type": "gemma3_text"}, "Gemma 3"),
        ({"model_type": "phi3v"}, "Phi-3.5 Vision"),
        ({"model_type": "phi4mm"}, "Phi-4 Multimodal"),
        ({"model_type": "new", "architectures": ["NewForCausalLM"]}, "New"),
        ({"model_type": 3, "architectures": ["Model"]}, "Model"),
        ({"model_type": "new"}, "new"),
        ({"model_type": "x" * 900}, "x" * 200),
        ({"architectures": [3]}, ""),
        ({}, ""),
    ],
)
def test_an_architecture_has_the_name_that_people_call_it_by(config, name):
    assert proper_name(config) == name
