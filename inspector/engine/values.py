"""What goes into an engine and comes out of it, beside reports and predictions."""

from dataclasses import dataclass

from inspector.confinement import FULL, MEMORY_AND_LIFETIME
from inspector.model import TensorInfo
from inspector.report import RunSpec


@dataclass(frozen=True, slots=True)
class Progress:
    """How a job comes along.

    step: what is under way ("load", "warm up", "prediction", ...).
    done: share of the step, 0 to 1; negative when nobody can tell.
    samples_ns: clean predictions of a measurement so far, the latest 20,000 in their order.
    part: which part of a larger job the step belongs to ("start 2 of 5"); empty for all of it.
    """

    step: str
    done: float
    samples_ns: tuple[int, ...] = ()
    part: str = ""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model that is ready to predict.

    load_ns: time to create the session; 0 when it was at hand from an earlier job.
    devices: ids of the devices whose provider the session really has, first choice first.
    confinement: what binds the engine process, one of `confinement.CONFINEMENTS`.
    """

    load_ns: int
    devices: tuple[str, ...]
    inputs: tuple[TensorInfo, ...]
    outputs: tuple[TensorInfo, ...]
    confinement: str
    notes: tuple[str, ...] = ()


def confinement_notes(confinement: str) -> tuple[str, ...]:
    """Tell what a model could have done that ran with less than full confinement."""
    if confinement == FULL:
        return ()
    limited = "only its memory and lifetime were limited"
    extent = limited if confinement == MEMORY_AND_LIFETIME else "it was not confined"
    return (f"The engine could reach files and the network: {extent}.",)


@dataclass(frozen=True, slots=True)
class Limits:
    """What an engine process may take before it is ended.

    memory_bytes: of its own data, mapped files not counted; 0: what `memory_budget` allows all
        engines of this process together.
    silence_seconds: idle, or at work, without any sign of life. A long kernel is no silence:
        the process beats from a thread of its own, and the runtime lets go of Python's lock
        while it works. Waiting for a core does not count.
    job_seconds: by the clock on the wall, for one job from its first message to its answer;
        0: as long as it takes. Limits that the user did not set count work (`Allowance`).
    """

    memory_bytes: int = 0
    silence_seconds: float = 30.0
    job_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Against:
    """The other side of a comparison layer by layer.

    spec: how it is run; None for ONNX's reference evaluator. model: the path of another model;
    empty for the same.
    """

    spec: RunSpec | None = None
    model: str = ""
