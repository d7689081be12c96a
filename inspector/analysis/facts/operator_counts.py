"""Which operators a model is made of."""

from collections import Counter
from collections.abc import Iterable
from operator import attrgetter

from inspector.model.model import Layer


def counted(layers: Iterable[Layer]) -> tuple[tuple[str, int], ...]:
    """Count layers by operator, most frequent first."""
    kinds = Counter(map(attrgetter("domain", "operator"), layers)).items()
    numbers: Counter[str] = Counter()
    for (domain, operator), number in kinds:
        numbers[qualified(domain, operator)] += number
    return tuple(sorted(numbers.items(), key=lambda entry: (-entry[1], entry[0])))


def qualified(domain: str, operator: str) -> str:
    """Name an operator; with its domain where that is not the default one."""
    return f"{domain}.{operator}" if domain else operator
