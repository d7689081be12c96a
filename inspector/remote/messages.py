"""What crosses a line between two machines, and what an agent accepts of it.

A transport carries two things in both directions: JSON objects, and pieces of files that are
named by the SHA-256 of the whole file. Nothing is pickled. An agent (`agent.Agent`) accepts

    hello                      -> hello: versions, kinds of jobs, the machine
    have   {blobs: {sha: size}} -> have {missing: {sha: bytes that are there already}}
    a piece of a file          -> stored {sha256} after the last one, or refused {sha256, why}
    run    {job: Job}          -> waiting, progress, tokens, ..., and one end {id, state}
    cancel {id}
    stop   {id}                   a text that is being generated ends with what it has
    get    {sha256, offset}    -> pieces of the file, then got {sha256}
    forget {id}                   the end has arrived, and may be deleted
    ping                       -> pong {load, busy}

States of an end are `STATES`. Keys of an object that one side does not know are ignored by it,
so that versions may differ; settings of a run that an agent does not know are refused, because
the result would be about something else.
"""

import hashlib
import re
import struct
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import IO, Any

import msgspec

from inspector import errors
from inspector.backends.array_files import StoredArray
from inspector.engine.requests import answered_elsewhere
from inspector.errors import BadInput, DeviceFailed, InspectorError
from inspector.report.run_spec import SETTINGS, RunSpec
from inspector.report.saved_json import expect_ranges
from inspector.report.settings import Setting, SettingKind
from inspector.units import clip
from inspector.wording import stored
from inspector.wording.stored import text_only

PROTOCOL = 1
SCHEMA = "job/1"
FOLDER = "folder"  # the kind of a job that predicts the files of an archive
DONE = "done"
FAILED = "failed"
CANCELLED = "cancelled"
REFUSED = "refused"
LOST = "lost"
STATES = (DONE, FAILED, CANCELLED, REFUSED, LOST)

SENT = tuple(name for name, setting in SETTINGS.items() if setting.is_sent)
# Options of execution providers are free text, and some name a library to load or a file to
# write. These take a number or a word.
_OPTIONS = """
    device_id device_type device_filter precision num_of_threads num_streams
    inference_num_threads intra_op_num_threads performance_preference disable_metacommands
    gpu_mem_limit arena_extend_strategy cudnn_conv_algo_search cudnn_conv_use_max_workspace
    do_copy_in_default_stream enable_cuda_graph use_tf32 prefer_nhwc tunable_op_enable
    tunable_op_tuning_enable trt_fp16_enable trt_int8_enable trt_bf16_enable
    trt_max_workspace_size trt_min_subgraph_size trt_max_partition_iterations
    trt_builder_optimization_level trt_cuda_graph_enable migraphx_fp16_enable
    migraphx_int8_enable enable_dynamic_shapes htp_performance_mode vtcm_mb
    htp_graph_finalization_optimization_mode enable_htp_fp16_precision qnn_context_priority
    ModelFormat MLComputeUnits RequireStaticInputShapes EnableOnSubgraphs
    SpecializationStrategy AllowLowPrecisionAccumulationOnGPU preferredLayout powerPreference
    validationMode enableGraphCapture
"""
PROVIDER_OPTIONS = frozenset(_OPTIONS.split())
_WORD = re.compile(r"[A-Za-z0-9_.:+-]{0,100}")
# Options of `inspector predict --folder` that a job may have: words and numbers.
FOLDER_OPTIONS = (
    "device",
    "order",
    "scale",
    "mean",
    "std",
    "resize",
    "filter",
    "cast",
    "plain",
    "labels",
)
NO_LABELS = "none"  # the only value of the option labels: a name could be that of a file there
_WORD_LIST = re.compile(r"[A-Za-z0-9_.,:+-]{0,200}")
_ID = re.compile(r"[0-9a-f]{32}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_MOST_FILES = 1_000
_MOST_FEEDS = 10_000
_MOST_TEXT = 1_000
_MOST_VALUES_BYTES = 64 << 10
_MOST_BYTES = 1 << 40
_RESERVED = {
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{d}{n}" for d in ("com", "lpt") for n in range(10)),
}
PIECE_BYTES = 256 << 10  # of a file in one frame; a Cancel waits for no more than this
# What an agent says first: a shell may have greeted before it.
GREETING = b"\ninspector agent\n"
_MOST_WELCOME = 64 << 10
_MOST_FRAME = 8 << 20
_HEAD = struct.Struct("<IB")
_PIECE_HEAD = struct.Struct("<32sQ")
_OBJECT = 1
_PIECE = 2
_ANY = msgspec.json.Decoder()


class ModelFile(msgspec.Struct, frozen=True):
    """One file of a model; the first one of a job is the model itself.

    name: beside the model, with '/' where it lies in a folder.
    """

    name: str
    sha256: str
    size_bytes: int


class FeedFile(msgspec.Struct, frozen=True):
    """An array for an input, and the file that it lies in."""

    array: StoredArray
    sha256: str
    size_bytes: int


class Job(msgspec.Struct, frozen=True, omit_defaults=True):
    """A job for another machine: plain values, files by SHA-256, no path of either machine.

    id: 32 hexadecimal digits, by what the job is. kind: that of a request, or FOLDER. spec:
    settings of RunSpec that are not the default. other: those of the second run of
    "measure_pair", or of the run that layers are compared with; with `reference` it is ONNX's
    reference evaluator. states: as of `Steps`, where feeds have frames. warm, first, layer,
    tensor, tolerance, device, threads, dtype, bytes_per_second, seconds, wait: as the request
    has them; values: its other fields. folder, options: an archive of files to predict, and
    how, as `inspector predict --folder` takes it. client: who asks, for those who wait.
    job_seconds, stall_seconds: limits, as in `Limits`.
    """

    id: str
    kind: str
    schema: str = SCHEMA
    model: tuple[ModelFile, ...] = ()
    spec: dict[str, Any] = {}
    feeds: tuple[FeedFile, ...] = ()
    other: dict[str, Any] | None = None
    reference: bool = False
    states: dict[str, str] = {}
    warm: bool = False
    first: int = 0
    layer: int = 0
    tensor: str = ""
    tolerance: float | None = None
    device: str = ""
    threads: int = 0
    dtype: str = ""
    bytes_per_second: float = 0.0
    seconds: float = 0.0
    wait: bool = True
    client: str = ""
    job_seconds: float = 0.0
    stall_seconds: float = 0.0
    folder: ModelFile | None = None
    options: dict[str, str] = {}
    values: dict[str, Any] = {}


class ResultFile(msgspec.Struct, frozen=True):
    """One file of a result. name: what it is ("report", "output-0.bin")."""

    name: str
    sha256: str
    size_bytes: int


class Problem(msgspec.Struct, frozen=True):
    """An InspectorError as plain values; kind: the name of its class."""

    kind: str
    what: str
    why: str = ""
    hint: str = ""
    phase: str = ""
    device: str = ""
    layers: tuple[int, ...] = ()
    reason: str = ""


class End(msgspec.Struct, frozen=True, omit_defaults=True):
    """The end of a job.

    state: one of STATES. files: of the result; of one that failed, what it had until then.
    answer: small values of the result. waited_seconds: for other measurements. spooled: the job
    had ended before this line was there.
    """

    id: str
    state: str
    files: tuple[ResultFile, ...] = ()
    answer: Any = None
    problem: Problem | None = None
    waited_seconds: float = 0.0
    spooled: bool = False


def kinds() -> tuple[str, ...]:
    """Return the kinds of jobs that an agent of this version runs."""
    return (*answered_elsewhere(), FOLDER)


def job_id(job: Job, machine: str) -> str:
    """Return the id of a job, by its content: who asks again gets what was done meanwhile.

    machine: what the client calls the machine, so that two names of one are two jobs.
    """
    asked = msgspec.structs.replace(job, id="", job_seconds=0.0, stall_seconds=0.0)
    body = msgspec.json.encode(asked, order="deterministic", enc_hook=text_only)
    return hashlib.sha256(machine.encode() + b"\0" + body).hexdigest()[:32]


def settings_of(spec: RunSpec) -> dict[str, Any]:
    """Return the settings of a run as a job has them: those that are not the default."""
    if spec.custom_ops:
        what, why = (
            "Could not run on another machine",
            "custom operators are libraries of this one",
        )
        raise BadInput(what, why, "Run the model on this machine.")
    default = RunSpec()
    return {
        name: msgspec.to_builtins(value, enc_hook=text_only)
        for name in SENT
        if (value := getattr(spec, name)) != getattr(default, name)
    }


def read_job(value: Any) -> Job:
    """Return a job that an agent may run. Raises BadInput: anything in it is not allowed."""
    try:
        job = msgspec.convert(value, Job)
    except (msgspec.ValidationError, RecursionError) as error:
        raise _refused(clip(str(error), 200)) from error
    _check(job)
    return job


def read_spec(settings: Mapping[str, Any]) -> RunSpec:
    """Return settings of a job as a RunSpec. Raises BadInput: one is not allowed."""
    unknown = [name for name in settings if name not in SENT]
    if unknown:
        name = clip(unknown[0], 40)
        raise _refused(f"the setting '{name}' is not one that this agent accepts")
    try:
        spec = msgspec.convert(dict(settings), RunSpec)
        expect_ranges(spec)
    except (ValueError, RecursionError) as error:
        raise _refused(clip(str(error), 200)) from error
    for name in SENT:
        value = getattr(spec, name)
        _check_values(SETTINGS[name], value if isinstance(value, tuple) else (value,))
    return spec


def _check_values(setting: Setting, values: tuple[Any, ...]) -> None:
    """Raise BadInput for a value of a setting that an agent does not accept."""
    match setting.kind:
        case SettingKind.CHOICE | SettingKind.DEVICES:
            for word in values:
                if not _WORD.fullmatch(word):
                    raise _refused(f"'{clip(word, 60)}' is not a setting")
        case SettingKind.NAMES:
            _expect_short(*values)
        case SettingKind.DIMENSIONS:
            _expect_short(*(each.name for each in values))
        case SettingKind.OPTIONS:
            for option in values:
                if option.key not in PROVIDER_OPTIONS or not _WORD.fullmatch(option.value):
                    shown = clip(f"{option.key}={option.value}", 60)
                    raise _refused(f"'{shown}' is not an option that an agent accepts")
        case _ if any(number > (setting.most or 1) for number in values):
            name, most = setting.name, f"{setting.most:g}"
            raise _refused(f"{name} is above {most}, the most that an agent accepts")


def is_sha256(text: object) -> bool:
    """Return whether this is a SHA-256 in hexadecimal."""
    return isinstance(text, str) and _SHA256.fullmatch(text) is not None


def is_id(text: object) -> bool:
    """Return whether this is the id of a job."""
    return isinstance(text, str) and _ID.fullmatch(text) is not None


def is_plain_name(name: str) -> bool:
    """Return whether a name of a file means the same on every system, and stays below a folder.

    It may have folders, with '/' between them.
    """
    parts = name.split("/")
    return (
        0 < len(name) <= 240
        and len(parts) <= 4
        and str(PurePosixPath(name)) == name
        and all(_is_plain_part(part) for part in parts)
    )


def _is_plain_part(part: str) -> bool:
    return (
        bool(part)
        and part.isprintable()
        and part[0] != "."
        and part[-1] not in ". "
        and not set(part) & set('\\:*?"<>|')
        and part.partition(".")[0].strip().lower() not in _RESERVED
    )


def _check(job: Job) -> None:
    """Raise BadInput for a job that is not allowed."""
    if job.schema != SCHEMA:
        raise _refused(f"it has schema '{clip(job.schema, 40)}', not '{SCHEMA}'")
    kind = answered_elsewhere().get(job.kind)
    if kind is None and job.kind != FOLDER:
        raise _refused(f"'{clip(job.kind, 40)}' is not a known kind of job")
    if not is_id(job.id):
        raise _refused("its id is not 32 hexadecimal digits")
    if not job.model and (kind is None or "model" in kind.__struct_fields__):
        raise _refused("it has no model")
    if len(job.model) > _MOST_FILES or len(job.feeds) > _MOST_FEEDS:
        raise _refused("it has too many files")
    names = [each.name for each in job.model]
    if len({name.casefold() for name in names}) != len(names):
        raise _refused("two files of the model have the same name")
    for file in job.model:
        if not is_plain_name(file.name):
            raise _refused(f"'{clip(file.name, 80)}' is not a plain file name")
    if job.model and "/" in job.model[0].name:
        raise _refused("the model itself lies in a folder")
    sizes = [(each.sha256, each.size_bytes) for each in job.model]
    sizes += [(each.sha256, each.size_bytes) for each in job.feeds]
    sizes += [(job.folder.sha256, job.folder.size_bytes)] if job.folder is not None else []
    for sha256, count in sizes:
        if not is_sha256(sha256) or not 0 <= count <= _MOST_BYTES:
            raise _refused("a file has no valid SHA-256 or size")
    _expect_short(job.tensor, job.device, job.dtype, job.client)
    if not _WORD.fullmatch(job.device) or not _WORD.fullmatch(job.dtype):
        raise _refused("the device or the type is not a word")
    numbers = (job.job_seconds, job.stall_seconds, job.seconds, job.bytes_per_second)
    if not all(0 <= number < 1e18 for number in numbers):
        raise _refused("a number is out of range")
    if not (0 <= job.first <= 1 and 0 <= job.layer < 1 << 31 and 0 <= job.threads <= 1024):
        raise _refused("a number is out of range")
    if job.tolerance is not None and not 0 <= job.tolerance < 1e18:
        raise _refused("the tolerance is out of range")
    if (job.kind == FOLDER) != (job.folder is not None):
        raise _refused("a folder is missing, or is given to another kind of job")
    for name, value in job.options.items():
        plain = _WORD_LIST.fullmatch(value) and (name != "labels" or value == NO_LABELS)
        if name not in FOLDER_OPTIONS or not plain:
            raise _refused(f"'{clip(f'{name}={value}', 60)}' is not an option of a folder")
    if len(msgspec.json.encode(job.values)) > _MOST_VALUES_BYTES:
        raise _refused("its values are too long")
    read_spec(job.spec)
    if job.other is not None:
        read_spec(job.other)


def _expect_short(*texts: str) -> None:
    for text in texts:
        if len(text) > _MOST_TEXT or not text.isprintable():
            raise _refused(f"'{clip(text, 40)}' is too long, or is no plain text")


def _refused(why: str) -> BadInput:
    return BadInput("The agent refused the job", why, phase="job")


def problem_of(error: InspectorError) -> Problem:
    """Return an error as plain values."""
    parts = type(error).__name__, error.what, error.why, error.hint, error.phase
    if isinstance(error, DeviceFailed):
        return Problem(*parts, error.device, error.layers, error.reason)
    return Problem(*parts)


def error_of(problem: Problem) -> InspectorError:
    """Return the error that a problem describes; one of an unknown kind is an EngineFailed."""
    parts = problem.what, problem.why, problem.hint, problem.phase
    kind = getattr(errors, problem.kind, errors.EngineFailed)
    if not (isinstance(kind, type) and issubclass(kind, InspectorError)):
        kind = errors.EngineFailed
    if kind is errors.DeviceFailed:
        more = problem.device, problem.layers, problem.reason
        return errors.DeviceFailed(*parts, *more)
    error: InspectorError = kind(*parts)
    return error


class Piece(msgspec.Struct, frozen=True):
    """A piece of a file. offset: where it begins. data: its bytes."""

    sha256: str
    offset: int
    data: bytes


class BrokenLine(Exception):
    """Raised when a stream ends or carries something else than frames; the text says what."""


def frame(message: Any) -> bytes:
    """Return an object, or a Piece, as bytes for a stream."""
    if isinstance(message, Piece):
        head = _PIECE_HEAD.pack(bytes.fromhex(message.sha256), message.offset)
        kind, body = _PIECE, head + message.data
    else:
        kind, body = _OBJECT, stored.encode(message)
    if len(body) > _MOST_FRAME:
        raise ValueError(f"a message of {len(body)} bytes is too long")
    return _HEAD.pack(len(body), kind) + body


def skip_to_greeting(stream: IO[bytes]) -> None:
    """Read what a shell says before an agent does. Raises BrokenLine: there is no agent."""
    held = bytearray()
    while not held.endswith(GREETING):
        more = stream.read(1)
        if not more or len(held) > _MOST_WELCOME:
            said = held.decode("utf-8", "replace").split("\n")
            raise BrokenLine("; ".join([line for line in said if line.strip()][-2:]))
        held += more


def frames(stream: IO[bytes]) -> Iterator[Any]:
    """Yield what arrives until the stream ends: dicts and Pieces. Raises BrokenLine."""
    while head := _exactly(stream, _HEAD.size, may_end=True):
        length, kind = _HEAD.unpack(head)
        if length > _MOST_FRAME or kind not in (_OBJECT, _PIECE):
            text = head.decode("ascii", "replace")
            raise BrokenLine(f"something else than messages of an agent arrived: {text!r}")
        body = _exactly(stream, length)
        if kind == _PIECE:
            if length < _PIECE_HEAD.size:
                raise BrokenLine("a piece of a file is too short")
            sha256, offset = _PIECE_HEAD.unpack_from(body)
            yield Piece(sha256.hex(), offset, body[_PIECE_HEAD.size :])
            continue
        try:
            message = stored.decode(body, _ANY)
        except (ValueError, RecursionError) as error:
            raise BrokenLine(f"a message is no JSON: {clip(str(error), 80)}") from error
        if not isinstance(message, dict):
            raise BrokenLine("a message is no JSON object")
        yield message


def _exactly(stream: IO[bytes], count: int, may_end: bool = False) -> bytes:
    held = b""
    while len(held) < count:
        try:
            more = stream.read(count - len(held))
        except (OSError, ValueError) as error:  # closed by another thread
            raise BrokenLine(str(error)) from error
        if not more:
            if may_end and not held:
                return b""
            raise BrokenLine("the line ended in the middle of a message")
        held += more
    return held
