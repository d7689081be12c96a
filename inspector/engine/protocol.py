"""What the window's end and the engine process say to each other: typed JSON objects.

Arrays and reports do not travel in messages: they lie as files in a folder that both ends
share, and a message names them.
"""

import msgspec

from inspector.analysis.stepping import Alone
from inspector.engine.arrays import StoredArray
from inspector.engine.sessions.providers import Plugin
from inspector.engine.values import Against, Loaded
from inspector.engine.wire import Garbled
from inspector.inside import Inside
from inspector.report import Ceiling, Device, Dimension, ModelIdentity, Packing, RunSpec
from inspector.verdicts import Verdict


class Message(msgspec.Struct, frozen=True, tag_field="type"):
    """Anything that goes through the pipe; its class is the value of `type`."""


class Begin(Message, frozen=True):
    """First word to a new engine process.

    folder: shared, where array files go. parent: process id to live and die with.
    readable: folders that hold the model; empty when files are not to be confined.
    """

    folder: str
    parent: int
    memory_bytes: int
    confined: bool
    readable: tuple[str, ...] = ()


class LoadJob(Message, frozen=True):
    """Make a model ready."""

    model: str
    spec: RunSpec


class PredictJob(Message, frozen=True):
    """Predict once; makes the model ready if it is not.

    warm: find out its warm latency, too.
    """

    model: str
    spec: RunSpec
    feeds: tuple[StoredArray, ...]
    warm: bool = False


class ReferenceJob(Message, frozen=True):
    """Answer feeds with ONNX's reference evaluator; PredictDone comes back."""

    model: str
    feeds: tuple[StoredArray, ...]


class MeasureJob(Message, frozen=True):
    """Measure a model; always the first job of its process.

    known_ns: what a probe of the processor's pace takes at full pace; 0: not known.
    together: names what is measured in turns with it, and makes it ask for each; else empty.
    """

    model: str
    identity: ModelIdentity
    spec: RunSpec
    feeds: tuple[StoredArray, ...]
    known_ns: int = 0
    together: str = ""


class Go(Message, frozen=True):
    """Answer to Yields: the job may go on; number: of its next turn."""

    number: int


class DevicesJob(Message, frozen=True):
    """List the runtime's own devices, or those of one plugin, each tried out."""

    plugin: Plugin | None = None


class ShapesJob(Message, frozen=True):
    """Infer types and shapes of a model's values.

    pieces: hand over each stretch of layers as it is known (`piece_step`, `piece_file`).
    """

    model: str
    dimensions: tuple[Dimension, ...] = ()
    pieces: bool = False


def piece_step(number: int) -> str:
    """Return the step that tells that a piece of shapes lies in its file."""
    return f"shapes, piece {number}"


def piece_file(number: int) -> str:
    """Return the name of the file of a piece of shapes in the shared folder."""
    return f"shapes-{number}.json"


class SupportJob(Message, frozen=True):
    """Ask devices which layers they could run, and tables for `spec.predict`.

    shapes: of the inputs it was run with. asked: id of a device -> layers.
    """

    model: str
    spec: RunSpec
    shapes: dict[str, tuple[int, ...]]
    asked: dict[str, tuple[int, ...]]


class PackingJob(Message, frozen=True):
    """Find out what kernels prepack; always the first job of its process."""

    model: str
    spec: RunSpec


class InsideJob(Message, frozen=True):
    """Ask a provider's own runtime what layers take in a part that the provider compiled.

    device: as that runtime calls it.
    """

    model: str
    device: str
    feeds: tuple[StoredArray, ...]


class VerdictJob(Message, frozen=True):
    """Open a model with a program of `verdicts.PROGRAMS`."""

    model: str
    program: str


class CeilingJob(Message, frozen=True):
    """Find out how fast a device is at most with a type; bytes_per_second: 0 if not known."""

    device: str
    threads: int
    dtype: str
    bytes_per_second: float = 0.0


class StepsJob(Message, frozen=True):
    """Predict layer by layer, beside another side where there is one."""

    model: str
    spec: RunSpec
    feeds: tuple[StoredArray, ...]
    against: Against | None = None
    tolerance: float | None = None


class ValueJob(Message, frozen=True):
    """One inner tensor, on both sides; PredictDone comes back, with a remark as note."""

    model: str
    spec: RunSpec
    feeds: tuple[StoredArray, ...]
    tensor: str
    against: Against | None = None


class AloneJob(Message, frozen=True):
    """Run one layer by itself, `spec.runs` times."""

    model: str
    spec: RunSpec
    feeds: tuple[StoredArray, ...]
    layer: int


Job = (
    LoadJob
    | PredictJob
    | ReferenceJob
    | MeasureJob
    | DevicesJob
    | ShapesJob
    | SupportJob
    | InsideJob
    | PackingJob
    | VerdictJob
    | CeilingJob
    | StepsJob
    | ValueJob
    | AloneJob
)


class Ready(Message, frozen=True):
    """The process has loaded the runtime and is confined as `confinement` says."""

    confinement: str


class Beat(Message, frozen=True):
    """A sign of life during a job."""


class Step(Message, frozen=True):
    """How a job comes along; `samples_ns` are only those that are new since the last one."""

    step: str
    done: float
    samples_ns: tuple[int, ...] = ()


class Yields(Message, frozen=True):
    """A job lets others compute, and does not go on before it hears Go."""


class LoadDone(Message, frozen=True):
    """Answer to LoadJob."""

    loaded: Loaded


class StoredOutput(msgspec.Struct, frozen=True):
    """An OutputValue whose array and keys lie in files."""

    name: str
    kind: str
    dtype: str
    array: StoredArray | None
    keys: StoredArray | None
    text: str
    parts: tuple[StoredArray, ...] = ()


class PredictDone(Message, frozen=True):
    """Answer to PredictJob; the last three as in Prediction."""

    outputs: tuple[StoredOutput, ...]
    devices: tuple[str, ...]
    prediction_ns: int
    load_ns: int
    notes: tuple[str, ...] = ()
    first_call_ns: int = 0
    warm_ns: tuple[int, ...] = ()
    session_load_ns: int = 0


class MeasureDone(Message, frozen=True):
    """Answer to MeasureJob: the report's JSON is the file `report` in the shared folder."""

    report: str


class DevicesDone(Message, frozen=True):
    """Answer to DevicesJob."""

    devices: tuple[Device, ...]


class ShapesDone(Message, frozen=True):
    """Answer to ShapesJob: JSON of `Shapes` is the file `shapes` in the shared folder."""

    shapes: str


class SupportDone(Message, frozen=True):
    """Answer to SupportJob: id of a device -> layer -> Support, as JSON in a file."""

    answers: str


class CeilingDone(Message, frozen=True):
    """Answer to CeilingJob."""

    ceiling: Ceiling


class PackingDone(Message, frozen=True):
    """Answer to PackingJob."""

    packing: Packing


class InsideDone(Message, frozen=True):
    """Answer to InsideJob: layer -> what it takes."""

    layers: dict[int, Inside]


class VerdictDone(Message, frozen=True):
    """Answer to VerdictJob."""

    verdict: Verdict


class StepsDone(Message, frozen=True):
    """Answer to StepsJob: JSON of `Stepping` is the file `steps` in the shared folder."""

    steps: str


class AloneDone(Message, frozen=True):
    """Answer to AloneJob."""

    alone: Alone


class Failure(Message, frozen=True):
    """Answer to any job that did not work: the parts of an InspectorError.

    device, layers, reason: of a DeviceFailed.
    """

    kind: str
    what: str
    why: str
    hint: str
    phase: str
    device: str = ""
    layers: tuple[int, ...] = ()
    reason: str = ""


Done = (
    LoadDone
    | PredictDone
    | MeasureDone
    | DevicesDone
    | ShapesDone
    | SupportDone
    | InsideDone
    | PackingDone
    | VerdictDone
    | CeilingDone
    | StepsDone
    | AloneDone
)
Answer = Done | Failure
FromEngine = Ready | Beat | Step | Yields | Answer
_from_engine: msgspec.json.Decoder[FromEngine] = msgspec.json.Decoder(FromEngine)
_to_engine: msgspec.json.Decoder[Begin | Go | Job] = msgspec.json.Decoder(Begin | Go | Job)


def encode(message: Message) -> bytes:
    """Write a message as JSON."""
    return msgspec.json.encode(message)


def from_engine(body: bytes) -> FromEngine:
    """Read what an engine process said. Raises Garbled: it is not one of its messages."""
    try:
        return _from_engine.decode(body)
    except (ValueError, RecursionError) as error:  # msgspec's own errors are ValueErrors
        raise Garbled(str(error)) from error


def to_engine(body: bytes) -> Begin | Go | Job:
    """Read what an engine process is told. Raises msgspec.DecodeError, ValidationError."""
    return _to_engine.decode(body)
