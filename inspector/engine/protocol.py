"""Messages between the client and the engine process: typed JSON objects.

Arrays and reports do not travel in messages: they lie as files in a folder that both ends
share, and a message names them.
"""

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Union

import msgspec

from inspector.analysis.measured.layer_outputs import Alone
from inspector.backends.array_files import StoredArray
from inspector.backends.values import ComparisonRun, Loaded, Plugin
from inspector.conversion.action import Converted
from inspector.conversion.action import Step as RecipeStep
from inspector.model.tensors.prediction import Prediction
from inspector.report.compatibility import CompatibilityResult
from inspector.report.environment import WeightPrepacking
from inspector.report.report_values import Device, ModelIdentity, ProviderProfile
from inspector.report.roofline import Ceiling
from inspector.report.run_spec import Dimension, RunSpec
from inspector.wording import stored

MESSAGE_BYTES = 4 << 20  # longest message; a longer one is a fault, or made to fill memory
_LENGTH = struct.Struct("<I")
_CHUNK = 1 << 16  # bytes of one read: the size of a pipe on Linux
EXECUTED_FILES = ("executed.onnx", "executed.bin")  # in the shared folder: graph, weights
RANGES_FILE = "ranges.json"  # in the shared folder, for ConvertJob
_HANDLERS = "inspector.engine.worker.jobs"


class MalformedMessage(Exception):
    """Raised for bytes from the pipe that are not a message; the text describes the fault.

    closed: the pipe ended there.
    """

    def __init__(self, text: str, closed: bool = False) -> None:
        super().__init__(text)
        self.closed = closed


def frame(body: bytes) -> bytes:
    """Put the length before a message. Raises ValueError: longer than `MESSAGE_BYTES`."""
    if len(body) > MESSAGE_BYTES:
        raise ValueError(f"a message of {len(body)} bytes is too long for the pipe")
    return _LENGTH.pack(len(body)) + body


def write(descriptor: int, framed: bytes) -> None:
    """Write all of a framed message. Raises OSError when nobody listens any more."""
    rest = memoryview(framed)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def read_messages(descriptor: int) -> Iterator[bytes]:
    """Yield messages until the other end closes the pipe between two of them.

    Raises MalformedMessage: the pipe ended inside a message, or a length is impossible.
    """
    held = bytearray()
    while True:
        chunk = os.read(descriptor, _CHUNK)
        if not chunk:
            break
        held += chunk
        while len(held) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(held)
            if length > MESSAGE_BYTES:
                raise MalformedMessage(f"the declared length is {length} bytes")
            end = _LENGTH.size + length
            if len(held) < end:
                break
            yield bytes(held[_LENGTH.size : end])
            del held[:end]
    if held:
        raise MalformedMessage("the pipe closed in the middle of the message", closed=True)


class Message(msgspec.Struct, frozen=True, tag_field="type"):
    """Anything that goes through the pipe; its class is the value of `type`."""


class Job(Message, frozen=True):
    """A request to the engine process; `JOBS` lists its kinds."""


class Done(Message, frozen=True):
    """The answer to a job that succeeded."""


class Begin(Message, frozen=True):
    """The first message to a new engine process.

    folder: shared, where array files go. parent: process id whose end also ends this process.
    readable: folders that hold the model; empty when files are not confined. backend: the
    runtime of this process. It has only one: it is loaded before files are confined, and
    memory and load time are measured in a process without any other runtime. only_shapes: it
    loads none, and can only infer shapes.
    """

    folder: str
    parent: int
    memory_bytes: int
    confined: bool
    readable: tuple[str, ...] = ()
    backend: str = "onnxruntime"
    only_shapes: bool = False


class LoadJob(Job, frozen=True):
    """Make a model ready."""

    model: str
    spec: RunSpec


class PredictJob(Job, frozen=True):
    """Predict once, or once for each frame; makes the model ready if it is not.

    feeds: of all inputs; those marked as frames give their inputs one tensor a step. states:
    input -> output of the step before that it gets. warm: find out its warm latency, too.
    """

    model: str
    spec: RunSpec
    feeds: tuple[StoredArray, ...]
    warm: bool = False
    states: dict[str, str] = {}


class ReferenceJob(Job, frozen=True):
    """Answer feeds with ONNX's reference evaluator; answered by PredictDone.

    feeds, states: as for PredictJob.
    """

    model: str
    feeds: tuple[StoredArray, ...]
    states: dict[str, str] = {}


class MeasureJob(Job, frozen=True):
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


class DevicesJob(Job, frozen=True):
    """List the runtime's own devices, or those of one plugin, each tried out."""

    plugin: Plugin | None = None


class ShapesJob(Job, frozen=True):
    """Infer types and shapes of a model's values.

    pieces: hand over each stretch of layers as it is known (`piece_step`, `piece_file`).
    """

    model: str
    dimensions: tuple[Dimension, ...] = ()
    pieces: bool = False


def piece_step(number: int) -> str:
    """Return the progress step that announces a file with a piece of shapes."""
    return f"shapes, piece {number}"


def piece_file(number: int) -> str:
    """Return the name of the file of a piece of shapes in the shared folder."""
    return f"shapes-{number}.json"


class SupportJob(Job, frozen=True):
    """Query devices for the layers they could run, and tables for `spec.predict`.

    shapes: of the inputs it was run with. layers: id of a device -> layers.
    """

    model: str
    spec: RunSpec
    shapes: dict[str, tuple[int, ...]]
    layers: dict[str, tuple[int, ...]]


class PackingJob(Job, frozen=True):
    """Find out what kernels prepack; always the first job of its process."""

    model: str
    spec: RunSpec


class InsideJob(Job, frozen=True):
    """Measure the layers of a compiled partition with the provider's own runtime.

    device: as that runtime calls it.
    """

    model: str
    device: str
    feeds: tuple[StoredArray, ...]


class VerdictJob(Job, frozen=True):
    """Open a model with one of `compatibility.PROGRAMS`; libraries: of custom operators."""

    model: str
    program: str
    libraries: tuple[str, ...] = ()


class CeilingJob(Job, frozen=True):
    """Find out how fast a device is at most with a type; bytes_per_second: 0 if not known."""

    device: str
    threads: int
    dtype: str
    bytes_per_second: float = 0.0


class StepsJob(Job, frozen=True):
    """Predict layer by layer, compared with another run if there is one."""

    model: str
    spec: RunSpec
    feeds: tuple[StoredArray, ...]
    against: ComparisonRun | None = None
    tolerance: float | None = None


class ValueJob(Job, frozen=True):
    """Get one inner tensor, of both runs; answered by PredictDone, with a remark as note."""

    model: str
    spec: RunSpec
    feeds: tuple[StoredArray, ...]
    tensor: str
    against: ComparisonRun | None = None


class AloneJob(Job, frozen=True):
    """Run one layer by itself, `spec.runs` times."""

    model: str
    spec: RunSpec
    feeds: tuple[StoredArray, ...]
    layer: int


class ExecutedGraphJob(Job, frozen=True):
    """Optimize a model for the devices of `spec`, and explain the graph by its layers."""

    model: str
    spec: RunSpec


class ConvertJob(Job, frozen=True):
    """Run a recipe on a model, or only find out what steps would do.

    plan: steps whose effect is asked for; then nothing is written. ranges: whether the file
    `RANGES_FILE` in the shared folder has the ranges of values that a step needs. name: of
    the new file.
    """

    model: str
    steps: tuple[RecipeStep, ...]
    plan: tuple[RecipeStep, ...] = ()
    ranges: bool = False
    name: str = "model.onnx"


class Ready(Message, frozen=True):
    """The process has loaded the runtime and is confined as `confinement` says."""

    confinement: str


class Beat(Message, frozen=True):
    """A sign of life during a job; layer: the one it is at, empty where it does not know."""

    layer: str = ""


class Step(Message, frozen=True):
    """Progress of a job; `samples_ns` are only those that are new since the last one."""

    step: str
    done: float
    samples_ns: tuple[int, ...] = ()


class Yields(Message, frozen=True):
    """A job lets others compute, and does not go on before it hears Go."""


class LoadDone(Done, frozen=True):
    """Answer to LoadJob."""

    loaded: Loaded


class StoredOutput(msgspec.Struct, frozen=True):
    """An OutputValue whose array and keys are in files; of a quantized one the integers."""

    name: str
    kind: str
    dtype: str
    array: StoredArray | None
    keys: StoredArray | None
    text: str
    parts: tuple[StoredArray, ...] = ()
    scale: float = 0.0
    zero_point: int = 0


class PredictDone(Done, frozen=True):
    """Answer to PredictJob: a prediction without outputs, whose arrays are in files."""

    prediction: Prediction
    outputs: tuple[StoredOutput, ...]


class MeasureDone(Done, frozen=True):
    """Answer to MeasureJob: the report's JSON is the file `report` in the shared folder."""

    report: str


class DevicesDone(Done, frozen=True):
    """Answer to DevicesJob."""

    devices: tuple[Device, ...]


class ShapesDone(Done, frozen=True):
    """Answer to ShapesJob: JSON of `Shapes` is the file `shapes` in the shared folder."""

    shapes: str


class SupportDone(Done, frozen=True):
    """Answer to SupportJob: id of a device -> layer -> Support, as JSON in a file."""

    answers: str


class CeilingDone(Done, frozen=True):
    """Answer to CeilingJob."""

    ceiling: Ceiling


class PackingDone(Done, frozen=True):
    """Answer to PackingJob."""

    packing: WeightPrepacking


class InsideDone(Done, frozen=True):
    """Answer to InsideJob: layer -> what it takes."""

    layers: dict[int, ProviderProfile]


class VerdictDone(Done, frozen=True):
    """Answer to VerdictJob."""

    verdict: CompatibilityResult


class StepsDone(Done, frozen=True):
    """Answer to StepsJob: JSON of `Stepping` is the file `steps` in the shared folder."""

    steps: str


class AloneDone(Done, frozen=True):
    """Answer to AloneJob."""

    alone: Alone


class ExecutedGraphDone(Done, frozen=True):
    """Answer to ExecutedGraphJob: JSON of `ExecutedGraph` is the file `graph` in the shared
    folder, and the optimized model is in `EXECUTED_FILES`."""

    graph: str


class ConvertDone(Done, frozen=True):
    """Answer to ConvertJob: files are in the shared folder; effects of the steps."""

    converted: Converted


class Failure(Message, frozen=True):
    """Answer to any job that did not work: the parts of an InspectorError.

    what: empty where it is as the one says who gave the job. device, layers, reason: of a
    DeviceFailed.
    """

    kind: str
    what: str
    why: str
    hint: str
    phase: str
    device: str = ""
    layers: tuple[int, ...] = ()
    reason: str = ""


Answer = Done | Failure
FromEngine = Ready | Beat | Step | Yields | Answer


@dataclass(frozen=True, slots=True)
class JobType:
    """One kind of job; its name in messages is the class name of `request`.

    answer: message that it is answered with. handler: "module:function", imported in the engine
    process when the first such job arrives; called with a `worker.jobs.JobRunner` and the
    request, it returns the answer.
    """

    request: type[Job]
    answer: type[Done]
    handler: str


# Every kind of job: an entry here, its two messages above and its handler are all of a new one.
JOBS: dict[str, JobType] = {
    job.request.__name__: job
    for job in (
        JobType(LoadJob, LoadDone, f"{_HANDLERS}:load"),
        JobType(PredictJob, PredictDone, f"{_HANDLERS}:predict"),
        JobType(ReferenceJob, PredictDone, f"{_HANDLERS}:reference"),
        JobType(MeasureJob, MeasureDone, f"{_HANDLERS}:measure"),
        JobType(DevicesJob, DevicesDone, f"{_HANDLERS}:devices"),
        JobType(ShapesJob, ShapesDone, f"{_HANDLERS}:shapes"),
        JobType(SupportJob, SupportDone, f"{_HANDLERS}:support"),
        JobType(InsideJob, InsideDone, f"{_HANDLERS}:inside"),
        JobType(PackingJob, PackingDone, f"{_HANDLERS}:packing"),
        JobType(VerdictJob, VerdictDone, f"{_HANDLERS}:verdict"),
        JobType(CeilingJob, CeilingDone, f"{_HANDLERS}:ceiling"),
        JobType(StepsJob, StepsDone, f"{_HANDLERS}:steps"),
        JobType(ValueJob, PredictDone, f"{_HANDLERS}:value"),
        JobType(AloneJob, AloneDone, f"{_HANDLERS}:alone"),
        JobType(ExecutedGraphJob, ExecutedGraphDone, f"{_HANDLERS}:executed_graph"),
        JobType(ConvertJob, ConvertDone, f"{_HANDLERS}:convert"),
    )
}


def register(job: JobType) -> None:
    """Add a kind of job; both the client and the engine process need it."""
    JOBS[job.request.__name__] = job
    _answers.cache_clear()
    _requests.cache_clear()


@cache
def _answers() -> msgspec.json.Decoder[Any]:
    """Return the decoder of messages from an engine process."""
    answers = dict.fromkeys(job.answer for job in JOBS.values())
    return msgspec.json.Decoder(Union[Ready, Beat, Step, Yields, Failure, *answers])


@cache
def _requests() -> msgspec.json.Decoder[Any]:
    """Return the decoder of messages to an engine process."""
    requests = (job.request for job in JOBS.values())
    return msgspec.json.Decoder(Union[Begin, Go, *requests])


def encode(message: Message) -> bytes:
    """Write a message as JSON."""
    return stored.encode(message)


def from_engine(body: bytes) -> FromEngine:
    """Read a message from an engine process. Raises MalformedMessage."""
    try:
        message: FromEngine = stored.decode(body, _answers())
    except (ValueError, RecursionError) as error:  # msgspec's own errors are ValueErrors
        raise MalformedMessage(str(error)) from error
    return message


def to_engine(body: bytes) -> Begin | Go | Job:
    """Read a message to an engine process. Raises msgspec.DecodeError, ValidationError."""
    message: Begin | Go | Job = stored.decode(body, _requests())
    return message
