"""The pipe between the client and the engine process: frames, and messages as typed JSON.

What is asked and answered is in `requests`. Arrays and all that is large do not travel in
messages: they lie as files in a folder that both ends share, and a message names them.
"""

import os
import struct
from collections.abc import Iterator

import msgspec

from inspector.report.language.generation import GeneratedToken
from inspector.wording import stored

MESSAGE_BYTES = 4 << 20  # longest message; a longer one is a fault, or made to fill memory
_LENGTH = struct.Struct("<I")
_CHUNK = 1 << 16  # bytes of one read: the size of a pipe on Linux


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


class Body(msgspec.Struct, frozen=True, omit_defaults=True):
    """A value on its way: JSON in the message itself, or in a file of the shared folder."""

    inline: msgspec.Raw = msgspec.Raw(b"null")
    file: str = ""


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


class Ask(Message, frozen=True):
    """A request to the engine process. request: the name of its class in `requests`."""

    request: str
    body: Body


class Stop(Message, frozen=True):
    """Asks a job to end early with what it has. job: the number of its Ask, from 1."""

    job: int


class Go(Message, frozen=True):
    """Answer to Yields: the job may go on; number: of its next turn."""

    number: int


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


class Tokens(Message, frozen=True):
    """Tokens that a generated text got since the last such message.

    done: share of the tokens that may come, 0 to 1.
    """

    tokens: tuple[GeneratedToken, ...]
    done: float


class Yields(Message, frozen=True):
    """A job lets others compute, and does not go on before it hears Go."""


class Answered(Message, frozen=True):
    """The answer to a request that succeeded."""

    body: Body


class Failure(Message, frozen=True):
    """Answer to a request that did not work: the parts of an InspectorError.

    what: empty where it is as the one says who asked. device, layers, reason: of a
    DeviceFailed. layer: of an EngineFailed.
    """

    kind: str
    what: str
    why: str
    hint: str
    phase: str
    device: str = ""
    layers: tuple[int, ...] = ()
    reason: str = ""
    layer: str = ""


FromEngine = Ready | Beat | Step | Tokens | Yields | Answered | Failure
_from_engine = msgspec.json.Decoder(FromEngine)
_failures = msgspec.json.Decoder(Failure)
_to_engine = msgspec.json.Decoder(Begin | Go | Ask | Stop)


def encode(message: Message) -> bytes:
    """Write a message as JSON."""
    return stored.encode(message)


def from_engine(body: bytes) -> FromEngine:
    """Read a message from an engine process. Raises MalformedMessage."""
    try:
        message: FromEngine = _from_engine.decode(body)
        # The sentences of an answer are in its body, which is read where its type is known.
        return stored.decode(body, _failures) if isinstance(message, Failure) else message
    except (ValueError, RecursionError) as error:  # msgspec's own errors are ValueErrors
        raise MalformedMessage(str(error)) from error


def to_engine(body: bytes) -> Begin | Go | Ask | Stop:
    """Read a message to an engine process. Raises msgspec.DecodeError, ValidationError."""
    message: Begin | Go | Ask | Stop = _to_engine.decode(body)
    return message
