"""The kinds of storage of GGUF's tensors: how many numbers a block has, and how many bytes.

Numbers are those of ggml_type, sizes those of the block structures in ggml-common.h.
"""

from typing import NamedTuple

# What the number in general.file_type stands for (enum llama_ftype).
FILE_TYPES = {
    0: "all float32", 1: "mostly float16", 2: "mostly Q4_0", 3: "mostly Q4_1", 7: "mostly Q8_0",
    8: "mostly Q5_0", 9: "mostly Q5_1", 10: "Q2_K", 11: "Q3_K, small", 12: "Q3_K, medium",
    13: "Q3_K, large", 14: "Q4_K, small", 15: "Q4_K, medium", 16: "Q5_K, small",
    17: "Q5_K, medium", 18: "Q6_K", 19: "IQ2_XXS", 20: "IQ2_XS", 21: "Q2_K, small",
    22: "IQ3_XS", 23: "IQ3_XXS", 24: "IQ1_S", 25: "mostly IQ4_NL", 26: "IQ3_S",
    27: "IQ3_S, medium", 28: "IQ2_S", 29: "IQ2_S, medium", 30: "IQ4_XS", 31: "IQ1_M",
    32: "mostly bfloat16", 36: "TQ1_0", 37: "TQ2_0", 38: "MXFP4 for experts", 39: "NVFP4",
    40: "Q1_0",
}  # fmt: skip
_GUESSED = 1 << 10  # added to the number where the writer guessed it


class Kind(NamedTuple):
    """A kind of storage: how many numbers a block has, and how many bytes it takes.

    bits: of a stored number, without the scales of its block; 0 where it is not quantized.
    """

    name: str
    numbers: int
    block_bytes: int
    bits: int = 0


KINDS = {
    0: Kind("float32", 1, 4), 1: Kind("float16", 1, 2), 2: Kind("Q4_0", 32, 18, 4),
    3: Kind("Q4_1", 32, 20, 4), 6: Kind("Q5_0", 32, 22, 5), 7: Kind("Q5_1", 32, 24, 5),
    8: Kind("Q8_0", 32, 34, 8), 9: Kind("Q8_1", 32, 36, 8), 10: Kind("Q2_K", 256, 84, 2),
    11: Kind("Q3_K", 256, 110, 3), 12: Kind("Q4_K", 256, 144, 4), 13: Kind("Q5_K", 256, 176, 5),
    14: Kind("Q6_K", 256, 210, 6), 15: Kind("Q8_K", 256, 292, 8),
    16: Kind("IQ2_XXS", 256, 66, 2), 17: Kind("IQ2_XS", 256, 74, 2),
    18: Kind("IQ3_XXS", 256, 98, 3), 19: Kind("IQ1_S", 256, 50, 1),
    20: Kind("IQ4_NL", 32, 18, 4),
    21: Kind("IQ3_S", 256, 110, 3), 22: Kind("IQ2_S", 256, 82, 2),
    23: Kind("IQ4_XS", 256, 136, 4),
    24: Kind("int8", 1, 1), 25: Kind("int16", 1, 2), 26: Kind("int32", 1, 4),
    27: Kind("int64", 1, 8), 28: Kind("float64", 1, 8), 29: Kind("IQ1_M", 256, 56, 1),
    30: Kind("bfloat16", 1, 2), 34: Kind("TQ1_0", 256, 54, 1), 35: Kind("TQ2_0", 256, 66, 2),
    39: Kind("MXFP4", 32, 17, 4), 40: Kind("NVFP4", 64, 36, 4), 41: Kind("Q1_0", 128, 18, 1),
}  # fmt: skip
BY_NAME = {kind.name: kind for kind in KINDS.values()}


def file_type(number: int) -> str:
    """Return what a number in general.file_type stands for."""
    name = FILE_TYPES.get(number & ~_GUESSED)
    return name if name is not None else f"file type {number} (unknown)"
