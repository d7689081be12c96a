"""Results that depend on a model alone, worked out once for each model."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import ref

from inspector.model.model import Model

Result = TypeVar("Result")


def cached_by_model(function: Callable[[Model], Result]) -> Callable[[Model], Result]:
    """Return a function that calls `function` once for each model object, while it lives.

    By identity: the hash of a model reads all its layers.
    """
    results: dict[int, tuple[ref[Model], Result]] = {}

    def forget(key: int) -> None:
        results.pop(key, None)

    @wraps(function)
    def cached(model: Model) -> Result:
        key = id(model)
        entry = results.get(key)
        if entry is not None and entry[0]() is model:
            return entry[1]
        result = function(model)
        results[key] = ref(model, lambda _: forget(key)), result
        return result

    return cached
