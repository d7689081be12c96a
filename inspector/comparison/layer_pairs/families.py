"""Families of operators, names without suffixes, and runs that two sequences share."""

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from difflib import SequenceMatcher

from inspector.model import operator_names

CONVERSIONS = {"QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear", "Cast"}
# Pairs of elements compared one by one; above it equal ones are counted.
_MOST_PAIRS = 4_000_000
_AFFIXES = re.compile(
    r"^(QLinear|Fused|Nhwc|Dynamic(Quantize)?|QOrdered|Q(?=[A-Z]))|(Integer(ToFloat)?|NBits|Bnb4|FpQ4|BlockQuantized)$"
)
_SUFFIXES = re.compile(
    r"(_(quant(ized)?|dequant(ized)?|fp16|fp32|float16|int8|uint8|bf16|Q4|nchwc|"
    r"QuantizeLinear(_(Input|Output))?|DequantizeLinear(_Output)?|cast_to_\w+))+$",
    re.IGNORECASE,
)
_ALIKE = {"Gemm": "MatMul", "Clip": "Relu", "Squeeze": "Reshape", "Flatten": "Reshape",
          "Unsqueeze": "Reshape", "SkipLayerNormalization": "LayerNormalization",
          "SimplifiedLayerNormalization": "LayerNormalization", "FastGelu": "Gelu",
          "QuickGelu": "Gelu", "BiasGelu": "Gelu",
          "MultiHeadAttention": "Attention", "GlobalAveragePool": "ReduceMean"}  # fmt: skip


def family(operator: str) -> str:
    """Return the base operator: QLinearConv, FusedConv, CONV_2D and Convolution are Conv, Gemm
    is MatMul."""
    name = operator_names.from_any(operator)
    core = _AFFIXES.sub("", _AFFIXES.sub("", name)) or name
    return _ALIKE.get(core, core)


def without_suffix(name: str) -> str:
    """Return a name without what converters append to it: "conv1_quant" is conv1."""
    return _SUFFIXES.sub("", name)


def common_runs(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Return the positions of equal elements in both sequences; by counts if both are long."""
    if len(first) * len(second) > _MOST_PAIRS:
        counts: Counter[Hashable] = Counter()
        places: dict[tuple[Hashable, int], int] = {}
        for i, one in enumerate(first):
            places[one, counts[one]] = i
            counts[one] += 1
        counts.clear()
        pairs = []
        for j, one in enumerate(second):
            place = places.get((one, counts[one]))
            counts[one] += 1
            if place is not None:
                pairs.append((place, j))
        return pairs
    blocks = SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks()
    return [(i + step, j + step) for i, j, length in blocks for step in range(length)]
