"""Attributes of values as fields of JSON."""

from typing import Any


def fields(value: object, *names: str) -> dict[str, Any]:
    """Return attributes of a value by their names, tuples as lists."""
    picked = {name: getattr(value, name) for name in names}
    return {k: list(v) if isinstance(v, tuple) else v for k, v in picked.items()}
