"""Types of GGUF tensors by their number, with the parts that a block of each consists of."""

import struct

import numpy as np
import pytest

from inspector import api
from inspector.errors import UnreadableFile
from inspector.formats.onnx.weight_values import WeightReader
from inspector.formats.opening import open_bytes, open_model
from inspector.formats.weight_files.gguf_blocks import DECODERS, decoded
from inspector.formats.weight_files.gguf_kinds import KINDS
from tests.formats.other.test_other_formats import gguf, told

HALF = 2  # bytes of a float16, the scale or the minimum of most blocks
# Name, numbers in a block, and the bytes of its parts as ggml's own structures list them.
SAME = "A and B are identical."
BLOCKS = {
    0: ("float32", 1, (4,)),
    1: ("float16", 1, (2,)),
    2: ("Q4_0", 32, (HALF, 16)),
    3: ("Q4_1", 32, (HALF, HALF, 16)),
    6: ("Q5_0", 32, (HALF, 4, 16)),
    7: ("Q5_1", 32, (HALF, HALF, 4, 16)),
    8: ("Q8_0", 32, (HALF, 32)),
    9: ("Q8_1", 32, (HALF, HALF, 32)),
    10: ("Q2_K", 256, (16, 64, HALF, HALF)),
    11: ("Q3_K", 256, (32, 64, 12, HALF)),
    12: ("Q4_K", 256, (HALF, HALF, 12, 128)),
    13: ("Q5_K", 256, (HALF, HALF, 12, 32, 128)),
    14: ("Q6_K", 256, (128, 64, 16, HALF)),
    15: ("Q8_K", 256, (4, 256, 32)),
    16: ("IQ2_XXS", 256, (HALF, 64)),
    17: ("IQ2_XS", 256, (HALF, 64, 8)),
    18: ("IQ3_XXS", 256, (HALF, 96)),
    19: ("IQ1_S", 256, (HALF, 32, 16)),
    20: ("IQ4_NL", 32, (HALF, 16)),
    21: ("IQ3_S", 256, (HALF, 64, 8, 32, 4)),
    22: ("IQ2_S", 256, (HALF, 64, 8, 8)),
    23: ("IQ4_XS", 256, (HALF, 2, 4, 128)),
    24: ("int8", 1, (1,)),
    25: ("int16", 1, (2,)),
    26: ("int32", 1, (4,)),
    27: ("int64", 1, (8,)),
    28: ("float64", 1, (8,)),
    29: ("IQ1_M", 256, (32, 16, 8)),
    30: ("bfloat16", 1, (2,)),
    34: ("TQ1_0", 256, (48, 4, HALF)),
    35: ("TQ2_0", 256, (64, HALF)),
    39: ("MXFP4", 32, (1, 16)),
    40: ("NVFP4", 64, (4, 32)),
    41: ("Q1_0", 128, (HALF, 16)),
}


def test_every_type_has_the_size_of_its_parts():
    known = {number: (k.name, k.numbers, k.block_bytes) for number, k in KINDS.items()}
    expected = {n: (name, count, sum(parts)) for n, (name, count, parts) in BLOCKS.items()}
    assert known == expected
    for kind in KINDS.values():
        assert kind.bits * kind.numbers <= 8 * kind.block_bytes
        assert bool(kind.bits) is (kind.numbers > 1)


@pytest.mark.parametrize(("numbers", "blocks"), [(255, 1), (256, 1), (257, 2)])
def test_the_last_block_of_a_tensor_is_whole(numbers, blocks):
    (weight,) = open_bytes(gguf(14, (1, numbers), bytes(blocks * 210)), "m.gguf").weights
    assert (weight.size_bytes, weight.problem) == (210 * blocks, "")
    (weight,) = open_bytes(gguf(14, (1, numbers), bytes(blocks * 210 - 1)), "m.gguf").weights
    assert "beyond the file" in weight.problem


def test_an_unknown_type_is_named_by_its_number():
    model = open_bytes(gguf(99, (1, 4), bytes(16)), "m.gguf")
    (weight,) = model.weights
    assert (weight.dtype, weight.size_bytes) == ("type 99", None)
    assert "does not know the size" in weight.problem
    assert told(model)["Tensors by type"] == "type 99 1"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (struct.pack("<IQQ", 3, 1_000_001, 0), "1,000,001 tensors"),
        (struct.pack("<IQQ", 3, 0, 1_000_001), "1,000,001 metadata entries"),
        (struct.pack("<IQQQ", 3, 0, 1, 99), "are missing"),
        (struct.pack("<IQQQI", 3, 0, 1, 0, 77), "unknown type 77"),
        (struct.pack("<IQQQI", 3, 1, 0, 0, 17), "17 axes"),
    ],
)
def test_a_damaged_file_is_refused_with_the_reason(body, why):
    with pytest.raises(UnreadableFile, match=why):
        open_bytes(b"GGUF" + body, "m.gguf")


@pytest.mark.parametrize("number", [n for n, kind in KINDS.items() if kind.name in DECODERS])
def test_a_small_tensor_of_every_kind_is_read_through_the_file(tmp_path, number):
    kind = KINDS[number]
    body = np.random.default_rng(number).integers(0, 60, 2 * kind.block_bytes, np.uint8)
    path = tmp_path / "m.gguf"
    path.write_bytes(gguf(number, (2, kind.numbers), body.tobytes()))
    (weight,) = open_model(path).weights
    expected = decoded(kind.name, body.tobytes())
    with WeightReader(path) as reader:
        np.testing.assert_array_equal(np.concatenate([*reader.read(weight)]), expected)
    assert api.diff(path, path).summary.startswith("A and B are identical.")


def test_the_signs_of_q1_0_are_its_bits_from_the_lowest(tmp_path):
    path = tmp_path / "m.gguf"
    path.write_bytes(gguf(41, (1, 128), np.float16(0.5).tobytes() + bytes([0b101] + [0] * 15)))
    (weight,) = open_model(path).weights
    with WeightReader(path) as reader:
        (values,) = reader.read(weight)
    assert values.tolist() == [0.5, -0.5, 0.5, *[-0.5] * 125]


def test_bits_per_weight_count_tensors_of_unknown_size_by_the_size_of_the_file():
    said = told(open_bytes(gguf(139, (2, 256), bytes(288)), "m.gguf"))
    assert said["Bits per weight"] == "4.50 (from the file's size; unknown: type 139)"
