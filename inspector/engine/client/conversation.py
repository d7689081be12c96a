"""One job with one engine process: ask, listen to how it comes along, take the answer."""

from collections.abc import Callable
from typing import TypeVar

from inspector.backends.values import Progress
from inspector.engine.client.stall_suspects import Suspects
from inspector.engine.client.supervision import SupervisedProcess
from inspector.engine.progress_text import suspects_text
from inspector.engine.protocol import Beat, Failure, FromEngine, Go, Job, Ready, Step, Yields
from inspector.errors import (
    BadInput,
    DeviceFailed,
    EngineDied,
    EngineFailed,
    EngineLate,
    InspectorError,
    UnreadableFile,
)
from inspector.platform.work_limits import Allowance
from inspector.units import clip

A = TypeVar("A", bound=FromEngine)
LATEST_SAMPLES = 20_000  # enough to draw; a long measurement takes millions
MAX_SAMPLES = 1_000_000  # as many as a measurement takes; a process that babbles tells no more
# What a child may raise here; it cannot say that it died or was cancelled.
_ERROR_KINDS = {kind.__name__: kind for kind in (BadInput, EngineFailed, UnreadableFile)}


def run_job(
    child: SupervisedProcess,
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
    done = -1.0
    samples: tuple[int, ...] = ()
    suspects = Suspects(job)

    def stalled(seconds: float) -> None:
        layer = child.layer
        layers = () if layer else suspects.layers
        stall = Progress(phase, done, samples, "", seconds, layers, layer)
        tell(stall)

    child.send(job)
    while True:
        match _next_message(child, phase, allowance, what, stalled, suspects):
            case Step() as step:
                phase, done = clip(step.step, 80), step.done
                if heard_ns is not None and len(heard_ns) < MAX_SAMPLES:
                    heard_ns.extend(step.samples_ns)
                samples = (samples + step.samples_ns)[-LATEST_SAMPLES:]
                tell(Progress(phase, step.done, samples))
            case Yields():
                child.send(Go(pass_on()))
            case Failure() as failure:
                raise _error(failure, what)
            case Ready() | Beat():
                continue
            case kind() as answer:
                return answer
            case other:
                name = type(other).__name__
                raise EngineDied(
                    what, f"the engine answered another question ({name})", "", phase
                )


def _next_message(
    child: SupervisedProcess,
    phase: str,
    allowance: Allowance,
    what: str,
    stalled: Callable[[float], None],
    suspects: Suspects,
) -> FromEngine:
    """Return the next message; an error says what did not happen, and what may be why."""
    try:
        return child.receive(phase, allowance, stalled)
    except EngineDied as error:
        hint = error.hint
        if isinstance(error, EngineLate):
            layers = (child.layer,) if child.layer else suspects.layers
            hint = f"{suspects_text(layers)} {hint}".rstrip()
        raise type(error)(what, error.why, hint, error.phase) from None


def _error(failure: Failure, what: str) -> InspectorError:
    """Return what a process refused; what: did not happen, where the process does not say."""
    told = failure.what or what, failure.why, failure.hint, failure.phase
    if failure.kind == DeviceFailed.__name__:
        return DeviceFailed(*told, failure.device, failure.layers, failure.reason)
    return _ERROR_KINDS.get(failure.kind, EngineFailed)(*told)
