"""Values that jobs of an engine process take and return, apart from reports and predictions."""

from msgspec import Struct

from inspector.model.model import TensorInfo
from inspector.report.language.generation import GeneratedToken
from inspector.report.run_spec import RunSpec
from inspector.sandbox.confinement import (
    FILES_AND_NETWORK,
    FULL,
    MEMORY_AND_LIFETIME,
    NO_CHANGES,
)
from inspector.wording.values import Sentence


class Progress(Struct, frozen=True):
    """Progress of a job.

    step: what is under way ("load", "warm up", "prediction", ...).
    done: share of the step, 0 to 1; negative when nobody can tell.
    samples_ns: clean predictions of a measurement so far, the latest 20,000 in their order.
    part: which part of a larger job the step belongs to ("start 2 of 5"); empty for all of it.
    stalled_seconds: for how long nothing has come of the step; 0 while it goes on. The process
        lives then, and works or waits.
    layer: with `stalled_seconds`, the layer that is computed, in words; empty if not known.
    layers: with `stalled_seconds`, those that may be the cause where `layer` is not known.
    tokens: that a generated text got since the last progress.
    """

    step: str
    done: float
    samples_ns: tuple[int, ...] = ()
    part: str = ""
    stalled_seconds: float = 0.0
    layers: tuple[str, ...] = ()
    layer: str = ""
    tokens: tuple[GeneratedToken, ...] = ()


class Loaded(Struct, frozen=True):
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
    """Return what a model could have done that ran with less than full confinement."""
    if confinement == FULL:
        return ()
    if confinement == FILES_AND_NETWORK:
        return (
            "The memory of the engine process was monitored, but not limited by the system.",
        )
    if confinement == NO_CHANGES:
        return (
            "The sandbox was partial: the engine process could read files and use the "
            "network, but could not change files.",
        )
    limited = "only its memory and lifetime were limited"
    extent = limited if confinement == MEMORY_AND_LIFETIME else "there was no sandbox"
    return (
        Sentence("The engine process could access files and the network: {extent}.", extent),
    )


class ComparisonRun(Struct, frozen=True):
    """The other side of a comparison layer by layer.

    spec: how it is run; None for ONNX's reference evaluator. model: the path of another model;
    empty for the same.
    """

    spec: RunSpec | None = None
    model: str = ""


class Graft(Struct, frozen=True):
    """Layers of another model in a model's graph.

    model: path of the other one. tensors: made by the layers that are taken over, by their
    names in the model. shared: of tensors that both models have, the names in the other one
    and in the model; inputs have the same ones.
    """

    model: str
    tensors: tuple[str, ...]
    shared: tuple[tuple[str, str], ...] = ()


class Plugin(Struct, frozen=True):
    """An installed package that carries execution providers as a library.

    id: what device ids begin with ("webgpu"). module: what to import for the library's path.
    source: package and version.
    """

    id: str
    module: str
    source: str
