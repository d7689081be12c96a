"""What to say of a call and to do for it, found out once for each kind of feed.

After a prediction the processor has forgotten Python: each line that runs again costs far more
than it would in a loop. So a known feed takes one look at each value and one in a table.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from inspector.instrument.border import Step, needed
from inspector.instrument.sessions import Session
from inspector.instrument.store import Store
from inspector.instrument.values import signature, text

_MOST = 1000


class Plan(NamedTuple):
    """A call: the number of its words, the bytes of its inputs, what these need first."""

    word: int
    size_bytes: int
    steps: Sequence[Step]


def plan(store: Store, own: Session, call: str, feed: Any) -> Plan:
    """What is known of a call of a session with a feed."""
    try:
        # Types, shapes and strides: all that a plan depends on, where the values are arrays.
        key = (call, *[(n, v.dtype, v.shape, v.strides) for n, v in feed.items()])
        return own.plans[key]  # type: ignore[no-any-return]
    except KeyError:
        found = _made(store, own, call, feed)
        if len(own.plans) >= _MOST:
            own.plans.clear()
        own.plans[key] = found
        return found
    except (AttributeError, TypeError):  # lists, values of the runtime, things unheard of
        return _made(store, own, call, feed)


def _made(store: Store, own: Session, call: str, feed: Any) -> Plan:
    given = signature(feed)
    word = store.word((call, given), lambda: text(call, given))
    return Plan(word, _sum(one.size_bytes for one in given), tuple(needed(own.inputs, feed)))


def _sum(sizes: Iterable[Any]) -> int:
    return sum(size for size in sizes if isinstance(size, int))
