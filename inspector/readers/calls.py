"""Functions that call each other: circles, and how many nodes they become when expanded."""

from collections import Counter
from collections.abc import Iterable

from inspector.model import Finding, Function, Layer, Model

_MANY = 1_000_000
_Key = tuple[str, str, str]


def call_findings(model: Model) -> list[Finding]:
    """Tell of functions without an end, and of those that grow beyond what a runtime takes.

    A runtime puts the body of a function in the place of each call: 24 functions that each
    call the next one twice are a file of 3 kB and 16 million nodes.
    """
    if not model.functions:
        return []
    bodies = {_key(function): function.layers for function in model.functions}
    calls = {key: _calls(layers, bodies) for key, layers in bodies.items()}
    order, circle = _inner_first(calls)
    if circle:
        return [Finding(circle[1], "this function calls itself, at once or through others")]
    sizes: dict[_Key, int] = {}
    for key in order:
        own = len(bodies[key]) - calls[key].total()
        sizes[key] = own + sum(sizes[called] * times for called, times in calls[key].items())
    called = _calls(model.layers, bodies)
    total = len(model.layers) + sum((sizes[key] - 1) * times for key, times in called.items())
    if total <= _MANY:
        return []
    text = f"with its functions expanded it has {_short(total)} nodes: a runtime may not end"
    return [Finding("", text)]


def _calls(layers: Iterable[Layer], bodies: dict[_Key, tuple[Layer, ...]]) -> Counter[_Key]:
    keys = ((layer.domain, layer.operator, layer.overload) for layer in layers)
    return Counter(key for key in keys if key in bodies)


def _key(function: Function) -> _Key:
    return function.domain, function.name, function.overload


def _inner_first(calls: dict[_Key, Counter[_Key]]) -> tuple[list[_Key], _Key | None]:
    """Sort functions so that each comes after those it calls, or name one in a circle.

    Without recursion: a chain of functions may be longer than Python's stack.
    """
    order: list[_Key] = []
    done: set[_Key] = set()
    for first in calls:
        trail = [] if first in done else [(first, iter(calls[first]))]
        while trail:
            key, inner = trail[-1]
            called = next((called for called in inner if called not in done), None)
            if called is None:
                trail.pop()
                done.add(key)
                order.append(key)
            elif any(called == other for other, _ in trail):
                return order, called
            else:
                trail.append((called, iter(calls[called])))
    return order, None


def _short(number: int) -> str:
    return f"{number:,}" if number < 10**15 else f"10^{len(str(number)) - 1}"
