"""A cache whose results go with the object that they were computed from."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

K = TypeVar("K")
P = ParamSpec("P")
R = TypeVar("R")


def weak_cache(function: Callable[Concatenate[K, P], R]) -> Callable[Concatenate[K, P], R]:
    """Compute a function of an immutable object, and of hashable arguments, once each.

    A window asks for numbers of one report again and again; a closed report is freed, together
    with its trace and its results.
    """
    results: WeakKeyDictionary[K, dict[object, R]] = WeakKeyDictionary()

    @wraps(function)
    def cached(subject: K, /, *args: P.args, **options: P.kwargs) -> R:
        own = results.setdefault(subject, {})
        key = (args, *options.items())
        if key not in own:
            own[key] = function(subject, *args, **options)
        return own[key]

    return cached
