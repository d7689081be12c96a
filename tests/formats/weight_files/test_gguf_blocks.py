"""Numbers out of GGUF's blocks, one at a time as ggml defines them, against whole blocks."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from inspector.formats.weight_files.gguf_blocks import DECODERS, decoded
from inspector.formats.weight_files.gguf_kinds import BY_NAME, KINDS

Read = Callable[[bytes, int], float]  # the number at a place of a block


def half(block: bytes, at: int) -> float:
    return float(np.frombuffer(block, np.float16, 1, at)[0])


def signed(byte: int) -> int:
    return byte - 256 if byte > 127 else byte


def nibble(block: bytes, start: int, place: int) -> int:
    byte = block[start + place % 16]
    return byte >> 4 if place >= 16 else byte & 15


def fifth(block: bytes, start: int, place: int) -> int:
    return (int.from_bytes(block[start : start + 4], "little") >> place & 1) << 4


def scale_and_minimum(block: bytes, part: int) -> tuple[float, float]:
    """Return those of one of eight parts: 6 bits each, the last four parts in three places."""
    packed = block[4:16]
    if part < 4:
        scale, least = packed[part] & 63, packed[part + 4] & 63
    else:
        scale = packed[part + 4] & 15 | (packed[part - 4] >> 6) << 4
        least = packed[part + 4] >> 4 | (packed[part] >> 6) << 4
    return half(block, 0) * scale, half(block, 2) * least


def of_part(block: bytes, start: int, place: int, upper: int) -> float:
    part, inside = divmod(place, 32)
    byte = block[start + part // 2 * 32 + inside]
    scale, least = scale_and_minimum(block, part)
    return scale * ((byte >> 4 if part % 2 else byte & 15) + upper) - least


def q5_k(block: bytes, place: int) -> float:
    part, inside = divmod(place, 32)
    return of_part(block, 48, place, (block[16 + inside] >> part & 1) << 4)


def q6_k(block: bytes, place: int) -> float:
    side, inside = divmod(place, 128)  # each with 64 low bytes, 32 high ones and 8 scales
    quarter, column = divmod(inside, 32)
    low = block[64 * side + 32 * (quarter % 2) + column]
    low = low >> 4 if quarter >= 2 else low & 15
    high = block[128 + 32 * side + column] >> 2 * quarter & 3
    return half(block, 208) * signed(block[192 + place // 16]) * ((low | high << 4) - 32)


READ: dict[str, Read] = {
    "Q1_0": lambda b, i: half(b, 0) * (1 if b[2 + i // 8] >> i % 8 & 1 else -1),
    "Q8_0": lambda b, i: half(b, 0) * signed(b[2 + i]),
    "Q8_1": lambda b, i: half(b, 0) * signed(b[4 + i]),
    "Q8_K": lambda b, i: float(np.frombuffer(b, np.float32, 1)[0]) * signed(b[4 + i]),
    "Q4_0": lambda b, i: half(b, 0) * (nibble(b, 2, i) - 8),
    "Q4_1": lambda b, i: half(b, 0) * nibble(b, 4, i) + half(b, 2),
    "Q5_0": lambda b, i: half(b, 0) * (nibble(b, 6, i) + fifth(b, 2, i) - 16),
    "Q5_1": lambda b, i: half(b, 0) * (nibble(b, 8, i) + fifth(b, 4, i)) + half(b, 2),
    "Q4_K": lambda b, i: of_part(b, 16, i, 0),
    "Q5_K": q5_k,
    "Q6_K": q6_k,
}


@pytest.mark.parametrize("kind", READ)
def test_every_number_of_random_blocks_is_what_ggml_defines(kind):
    _, numbers, width, _ = BY_NAME[kind]
    blocks = np.random.default_rng(5).integers(0, 256, (3, width), dtype=np.uint8)
    places = [208] if kind == "Q6_K" else [0, 2] if kind.endswith(("_1", "_K")) else [0]
    if kind == "Q8_K":
        blocks[:, :4] = np.array([[0.5], [-0.25], [3]], np.float32).view(np.uint8)
        places = []
    for number, at in enumerate(places):
        scales = np.array([[0.5], [-0.25], [3]], np.float16) + number
        blocks[:, at : at + 2] = scales.view(np.uint8)
    expected = [READ[kind](row.tobytes(), at) for row in blocks for at in range(numbers)]
    np.testing.assert_allclose(decoded(kind, blocks.tobytes()), expected, rtol=1e-6)


# Two random blocks of each kind, and the numbers that the package gguf 0.19 makes of them.
REFERENCE = np.load(Path(__file__).with_name("gguf_values.npz"))


@pytest.mark.parametrize("kind", DECODERS)
def test_numbers_are_those_of_the_package_gguf(kind):
    if kind in ("Q8_1", "Q8_K", "Q1_0"):
        pytest.skip("the package does not decode it")
    values = decoded(kind, REFERENCE[f"{kind}_blocks"].tobytes())
    np.testing.assert_array_equal(values, REFERENCE[kind])


def test_all_kinds_have_a_decoder():
    quantized = {kind.name for kind in KINDS.values() if kind.bits}
    assert set(DECODERS) == quantized


def test_numbers_of_kinds_are_those_of_ggml():
    """As `enum ggml_type` of ggml.h lists them; 4, 5, 31 to 33 and 36 to 38 are taken out."""
    families = {
        2: "Q4_0 Q4_1", 6: "Q5_0 Q5_1 Q8_0 Q8_1 Q2_K Q3_K Q4_K Q5_K Q6_K Q8_K",
        16: "IQ2_XXS IQ2_XS IQ3_XXS IQ1_S IQ4_NL IQ3_S IQ2_S IQ4_XS", 29: "IQ1_M",
        34: "TQ1_0 TQ2_0", 39: "MXFP4",
    }  # fmt: skip
    for first, names in families.items():
        for number, name in enumerate(names.split(), first):
            assert KINDS[number].name == name
