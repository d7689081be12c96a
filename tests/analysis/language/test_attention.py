"""What a graph says of its attention by its states, also of blocks that do not attend."""

from dataclasses import replace

import numpy as np
import pytest

from inspector.analysis.language.attention import attention_of, rope_base
from inspector.formats.opening import open_model
from inspector.model.model import TensorInfo
from tests.language_folders import genai_folder


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    read = open_model(genai_folder(tmp_path_factory.mktemp("lm") / "m") / "model.onnx")
    return replace(read, layers=(), outputs=(), weights=())


def with_states(model, shapes, *more):
    states = tuple(
        TensorInfo(name, "tensor", "float32", shape) for name, shape in shapes.items()
    )
    return replace(
        model, inputs=(*states, *(TensorInfo(name, "tensor", "int32", None) for name in more))
    )


@pytest.mark.parametrize(
    ("shapes", "blocks", "heads", "size"),
    [
        (  # as LFM2 of ONNX Runtime GenAI has them
            {
                "past_conv.0": ("batch", 32, 4),
                "past_key_values.1.key": ("batch", 4, "past", 8),
                "past_key_values.1.value": ("batch", 4, "past", 8),
                "past_conv.2": ("batch", 32, 4),
                "past_key_values.3.key": ("batch", 4, "past", 8),
                "past_key_values.3.value": ("batch", 4, "past", 8),
            },
            4, 4, 8,
        ),
        (  # as Qwen3.5 has them
            {
                "past_key_values.0.conv_state": ("batch", 6144, 2),
                "past_key_values.0.recurrent_state": ("batch", 16, 128, 128),
                "past_key_values.1.conv_state": ("batch", 6144, 2),
                "past_key_values.1.recurrent_state": ("batch", 16, 128, 128),
                "past_key_values.2.key": ("batch", 2, "past", 256),
                "past_key_values.2.value": ("batch", 2, "past", 256),
            },
            3, 2, 256,
        ),
        (
            {
                "past_0": (2, "batch", 4, "past", 8),
                "past_1": (2, "batch", 4, "past", 8),
            },
            2, 4, 8,
        ),
    ],
)  # fmt: skip
def test_blocks_heads_and_sizes_are_those_of_the_states(model, shapes, blocks, heads, size):
    found = attention_of(with_states(model, shapes))
    assert (found.blocks, found.kv_heads, found.head_size) == (blocks, heads, size)


def test_a_cache_of_pages_has_its_heads_behind_the_tokens_of_a_page(model):
    shapes = {f"past_key_values.0.{name}": (128, 16, 4, 64) for name in ("key", "value")}
    assert attention_of(with_states(model, shapes, "block_table")).kv_heads == 4
    assert attention_of(with_states(model, shapes)).kv_heads == 16


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("base", [10_000, 150_000, 500_000, 1_000_000])
@pytest.mark.parametrize("size", [8, 32, 64])
def test_the_base_is_recovered(base, size, dtype):
    angles = float(base) ** (-np.arange(size) / size)
    assert rope_base(np.cos(angles).astype(dtype).tolist(), dtype) == base


@pytest.mark.parametrize("row", [[], [1.0], [0.5, 0.5], [np.cos(0.25), 0.99], [0.5403, 2.0]])
def test_scaled_or_other_tables_have_none(row):
    assert rope_base(row) is None
