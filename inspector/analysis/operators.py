"""Which operators a model is made of."""

from collections import Counter
from collections.abc import Iterable

from inspector.model import Layer


def counted(layers: Iterable[Layer]) -> tuple[tuple[str, int], ...]:
    """Count layers by operator, most frequent first."""
    numbers = Counter(qualified(layer.domain, layer.operator) for layer in layers)
    return tuple(sorted(numbers.items(), key=lambda entry: (-entry[1], entry[0])))


def qualified(domain: str, operator: str) -> str:
    """Name an operator; with its domain where that is not the default one."""
    return f"{domain}.{operator}" if domain else operator
