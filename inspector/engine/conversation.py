"""One job with one engine process: ask, listen to how it comes along, take the answer."""

from collections.abc import Callable
from typing import TypeVar

from inspector.allowance import Allowance
from inspector.engine.protocol import (
    Beat,
    Failure,
    FromEngine,
    Go,
    Job,
    Ready,
    Step,
    Yields,
)
from inspector.engine.supervision import Child
from inspector.engine.values import Progress
from inspector.errors import (
    BadInput,
    DeviceFailed,
    EngineDied,
    EngineFailed,
    InspectorError,
    UnreadableFile,
)
from inspector.units import clip

A = TypeVar("A", bound=FromEngine)
LATEST_SAMPLES = 20_000  # enough to draw; a long measurement takes millions
MOST_HEARD = 1_000_000  # as many as a measurement takes; a process that babbles tells no more
# What a child may raise here; it cannot say that it died or was cancelled.
_KINDS = {kind.__name__: kind for kind in (BadInput, EngineFailed, UnreadableFile)}


def converse(
    child: Child,
    job: Job,
    kind: type[A],
    what: str,
    allowance: Allowance | None = None,
    tell: Callable[[Progress], None] = lambda _: None,
    pass_on: Callable[[], int] = lambda: 0,
    heard_ns: list[int] | None = None,
) -> A:
    """Give a job to a process and wait for its answer, a message of the class `kind`.

    what: says in the user's words what did not happen if it does not. allowance: what the job
    may take; None: as long as it takes. tell: hears of each step. pass_on: lets others
    compute, and tells the number of the job's next turn. heard_ns: takes every sample that the
    job tells of, up to MOST_HEARD, for a report of what there was if it does not come to its
    end. Raises InspectorError.
    """
    allowance = allowance or Allowance()
    phase = "start"
    samples: tuple[int, ...] = ()
    child.send(job)
    while True:
        match _heard(child, phase, allowance, what):
            case Step() as step:
                phase = clip(step.step, 80)
                if heard_ns is not None and len(heard_ns) < MOST_HEARD:
                    heard_ns.extend(step.samples_ns)
                samples = (samples + step.samples_ns)[-LATEST_SAMPLES:]
                tell(Progress(phase, step.done, samples))
            case Yields():
                child.send(Go(pass_on()))
            case Failure() as failure:
                raise _error(failure)
            case Ready() | Beat():
                continue
            case kind() as answer:
                return answer
            case other:
                name = type(other).__name__
                raise EngineDied(
                    what, f"the engine answered another question ({name})", "", phase
                )


def _heard(child: Child, phase: str, allowance: Allowance, what: str) -> FromEngine:
    """The next message; what is told of its end says what did not happen."""
    try:
        return child.receive(phase, allowance)
    except EngineDied as error:
        raise type(error)(what, error.why, error.hint, error.phase) from None


def _error(failure: Failure) -> InspectorError:
    told = failure.what, failure.why, failure.hint, failure.phase
    if failure.kind == DeviceFailed.__name__:
        return DeviceFailed(*told, failure.device, failure.layers, failure.reason)
    return _KINDS.get(failure.kind, EngineFailed)(*told)
