"""How requests and their answers travel through a folder that both ends share.

Small values are JSON in the message; what is larger is JSON in a file, and each array has a
file of its own. The types of a request's fields and of its result decide which.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from inspector.analysis.facts.shapes import Body as ShapesOfBody
from inspector.analysis.facts.shapes import Contradiction, Shapes
from inspector.backends import array_files
from inspector.backends.array_files import Feed, InvalidArray, StoredArray
from inspector.engine.protocol import Body
from inspector.engine.requests import EXECUTED_FILES, Feeds, Optimized, Request
from inspector.errors import BadInput, EngineFailed, UnreadableFile
from inspector.formats import opening
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue, Prediction, Scale, dequantized
from inspector.platform import files
from inspector.platform.late_modules import LateModule
from inspector.preview.runs.steps import Steps
from inspector.report.report_values import LIMIT_BYTES
from inspector.units import clip
from inspector.wording import stored

if TYPE_CHECKING:
    from inspector.analysis.measured import executed_graph
    from inspector.report import report as reports
    from inspector.report.report import PerformanceReport
else:
    # 3 ms: few ask for the graph that the runtime executes.
    executed_graph = LateModule("inspector.analysis.measured.executed_graph")
    reports = LateModule("inspector.report.report")  # 15 modules, for measurements

_NO_ROOM = "Free up some space in the temporary folder."
INLINE_BYTES = 64 << 10  # of JSON in a message: what a pipe of Linux holds
R = TypeVar("R")


class UnreadableAnswer(ValueError):
    """An answer is not what its type says; the text says why."""


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


class StoredPrediction(msgspec.Struct, frozen=True):
    """A prediction without outputs, whose arrays are in files."""

    prediction: Prediction
    outputs: tuple[StoredOutput, ...]


@contextmanager
def stored_request(folder: Path, request: Request[R]) -> Iterator[Body]:
    """Lay a request into the folder for as long as the block lasts.

    Raises BadInput: a feed is not a tensor's elements, or too large. EngineFailed: no room.
    """
    values = {each.name: getattr(request, each.name) for each in _fields(type(request))}
    steps = next((each for each in values.values() if isinstance(each, Steps)), None)
    with stored_feeds(folder, getattr(request, "feeds", {}), steps) as arrays:
        for each in _fields(type(request)):
            value = values[each.name]
            if each.type == Feeds:
                values[each.name] = arrays
            elif isinstance(value, Steps):
                values[each.name] = value.states
            elif isinstance(value, Path):
                values[each.name] = str(value)
        try:
            body = store_body(folder, "request.json", stored.encode(values))
        except OSError as error:
            why = error.strerror or str(error)
            raise EngineFailed(request.what, why, _NO_ROOM, "start") from error
        try:
            yield body
        finally:
            if body.file:
                (folder / body.file).unlink(missing_ok=True)


def fetched_request(folder: Path, kind: type[Request[R]], body: Body) -> Request[R]:
    """Read a request. Raises InvalidArray, msgspec.ValidationError: it is not one."""
    wire = stored.decode(fetch_body(folder, body), _decoder(kind))
    values = {each.name: getattr(wire, each.name) for each in _fields(kind)}
    frames: dict[str, NDArray[np.generic]] = {}
    for each in _fields(kind):
        if each.type == Feeds:
            values[each.name], frames = fetched_feeds(folder, values[each.name])
        elif each.type is Path:
            values[each.name] = Path(values[each.name])
    for each in _fields(kind):
        if each.type == Steps | None and values[each.name] is not None:
            values[each.name] = Steps(frames, values[each.name])
    return kind(**values)


@cache
def _fields(kind: type[Request[Any]]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(kind)


@cache
def _decoder(kind: type[Request[Any]]) -> msgspec.json.Decoder[Any]:
    """Return what reads a request of which feeds, steps and paths are plain values."""
    plain = {Feeds: tuple[StoredArray, ...], Steps | None: dict[str, str] | None, Path: str}
    fields = [(each.name, plain.get(each.type, each.type)) for each in _fields(kind)]
    return msgspec.json.Decoder(msgspec.defstruct(kind.__name__, fields))


def stored_answer(folder: Path, answer: Any) -> Body:
    """Lay an answer into the folder. Raises EngineFailed: no room, an array is too large."""
    store = _STORES.get(type(answer).__name__, _store_plain)
    return store_body(folder, "answer.json", store(folder, answer))


def fetched_answer(folder: Path, kind: type[Request[R]], body: Body) -> R:
    """Read the answer to a request. Raises UnreadableAnswer: it is not of its type."""
    fetch = _FETCHES.get(result_name(kind))
    try:
        read = fetch_body(folder, body)
        answer: R = fetch(folder, read) if fetch else stored.decode(read, _plain(kind)).answer
    except (UnreadableFile, ValueError, RecursionError) as error:
        raise UnreadableAnswer(getattr(error, "why", "") or str(error)) from error
    return answer


def result_name(kind: type[Request[Any]]) -> str:
    """Return the name of the type of a request's result."""
    result = result_type(kind)
    return str(getattr(result, "__forward_arg__", "") or getattr(result, "__name__", ""))


def result_type(kind: type[Request[Any]]) -> Any:
    """Return the type of a request's result; only its name where it is loaded late."""
    (result,) = kind.__orig_bases__[0].__args__  # type: ignore[attr-defined]
    return result


@cache
def _plain(kind: type[Request[Any]]) -> msgspec.json.Decoder[Any]:
    """Return what reads an answer that is plain JSON."""
    return msgspec.json.Decoder(msgspec.defstruct("Plain", [("answer", result_type(kind))]))


def store_body(folder: Path, name: str, body: bytes) -> Body:
    """Put JSON into a message, or where it is large into a file of the folder."""
    if len(body) <= INLINE_BYTES:
        return Body(msgspec.Raw(body))
    (folder / name).write_bytes(body)
    return Body(file=name)


def fetch_body(folder: Path, body: Body) -> bytes:
    """Read JSON that came with a message. Raises UnreadableFile."""
    if not body.file:
        return bytes(body.inline)
    if Path(body.file).name != body.file:
        raise UnreadableFile("", f"'{body.file}' is outside of the shared folder")
    return files.read_capped(folder / body.file, LIMIT_BYTES)


@contextmanager
def stored_feeds(
    folder: Path, feeds: Mapping[str, Feed], steps: "Steps | None" = None
) -> Iterator[tuple[StoredArray, ...]]:
    """Lay feeds into the folder for as long as the block lasts; a tuple is a sequence.

    steps: with inputs that change from step to step, whose frames are laid there as well.
    Raises BadInput: not a tensor's elements, or too large. EngineFailed: no room on disk.
    """
    listed: list[tuple[str, NDArray[np.generic], dict[str, bool]]] = []
    for name, value in feeds.items():
        parts = value if isinstance(value, tuple) else (value,)
        listed += [(name, array, {"part": isinstance(value, tuple)}) for array in parts]
    frames = {} if steps is None else steps.frames
    listed += [(name, array, {"frames": True}) for name, array in frames.items()]
    names = [f"feed-{number}.bin" for number in range(len(listed))]
    try:
        yield tuple(
            replace(_store(folder, file, name, array), **marks)
            for file, (name, array, marks) in zip(names, listed, strict=True)
        )
    finally:
        for file in names:
            (folder / file).unlink(missing_ok=True)


def fetched_feeds(
    folder: Path, stored: Iterable[StoredArray]
) -> tuple[dict[str, Feed], dict[str, NDArray[np.generic]]]:
    """Read feeds by name, parts of one name as a sequence; and the frames of steps by name.

    Raises InvalidArray: a file is not the array that its description promises.
    """
    feeds: dict[str, Feed] = {}
    frames: dict[str, NDArray[np.generic]] = {}
    for each in stored:
        array = array_files.fetch(folder, each)
        if each.frames:
            frames[each.name] = array
            continue
        before = feeds.get(each.name, ())
        sequence = each.part and isinstance(before, tuple)
        feeds[each.name] = (*before, array) if sequence else array
    return feeds, frames


def stored_prediction(folder: Path, prediction: Prediction) -> StoredPrediction:
    """Write the outputs of a prediction into the folder. Raises EngineFailed."""
    outputs = stored_outputs(folder, prediction.outputs)
    return StoredPrediction(replace(prediction, outputs=()), outputs)


def prediction(folder: Path, answer: StoredPrediction) -> Prediction:
    """Collect a prediction from the folder. Raises InvalidArray: it has other arrays."""
    outputs = tuple(_output(folder, output) for output in answer.outputs)
    return replace(answer.prediction, outputs=outputs)


class _Body(msgspec.Struct):
    """A body of shapes whose values are not decoded yet.

    Of 100,000 values at once nothing else in the process, a window say, moves for 0.2 s.
    """

    function: int
    values: list[msgspec.Raw]
    calls: dict[int, int]
    trips: dict[int, int]


class _Shapes(msgspec.Struct):
    bodies: tuple[_Body, ...]
    lengths: dict[str, int]
    note: str
    contradictions: tuple[Contradiction, ...] = ()


def shapes(body: bytes) -> Shapes:
    """Read inferred shapes. Raises ValueError: they are not whole."""
    read, decoded = (
        msgspec.json.Decoder(TensorInfo).decode,
        msgspec.json.decode(body, type=_Shapes),
    )
    bodies = tuple(
        ShapesOfBody(
            each.function, tuple(read(value) for value in each.values), each.calls, each.trips
        )
        for each in decoded.bodies
    )
    return Shapes(bodies, decoded.lengths, decoded.note, decoded.contradictions)


def report_body(report: "PerformanceReport") -> bytes:
    """Return a report as it is stored."""
    return reports.to_json(report)


def report(body: bytes) -> "PerformanceReport":
    """Read a report. Raises UnreadableFile: it is not whole."""
    return reports.from_json(body, "report.json")


def stored_outputs(folder: Path, values: Iterable[OutputValue]) -> tuple[StoredOutput, ...]:
    """Write output values into the folder. Raises EngineFailed: no room, too large."""
    return tuple(_stored_output(folder, number, value) for number, value in enumerate(values))


def _stored_output(folder: Path, number: int, value: OutputValue) -> StoredOutput:
    what = f"Could not return the output '{value.name}'"
    try:
        array = value.codes
        stored = None
        if array is not None:
            stored = array_files.store(folder, f"output-{number}.bin", value.name, array)
        parts = tuple(
            array_files.store(folder, f"parts-{number}{place:04}.bin", value.name, part)
            for place, part in enumerate(value.parts)
        )
        keys = None
        if value.keys:
            texts = np.array(value.keys, object)
            keys = array_files.store(folder, f"keys-{number}.bin", value.name, texts)
    except array_files.InvalidArray as error:
        hint = "Save fewer outputs, or view one layer at a time."
        raise EngineFailed(what, str(error), hint, "answer") from error
    except OSError as error:
        raise EngineFailed(what, error.strerror or str(error), _NO_ROOM, "answer") from error
    name, kind, dtype = value.name, value.kind, value.dtype
    return StoredOutput(
        name, kind, dtype, stored, keys, value.text, parts, value.scale, value.zero_point
    )


def _store(folder: Path, file: str, name: str, array: NDArray[np.generic]) -> StoredArray:
    try:
        return array_files.store(folder, file, name, array)
    except InvalidArray as error:
        what = f"Input '{clip(name, 80)}' cannot be passed"
        raise BadInput(what, str(error), phase="prediction") from error
    except OSError as error:
        what = f"Could not pass input '{clip(name, 80)}' to the engine process"
        raise EngineFailed(
            what, error.strerror or str(error), _NO_ROOM, "prediction"
        ) from error


def _output(folder: Path, output: StoredOutput) -> OutputValue:
    array = None if output.array is None else array_files.fetch(folder, output.array)
    if array is not None and output.scale:
        array = dequantized(array, Scale(output.scale, output.zero_point))
    keys = () if output.keys is None else tuple(array_files.fetch(folder, output.keys).tolist())
    parts = tuple(array_files.fetch(folder, part) for part in output.parts)
    return OutputValue(
        output.name,
        output.kind,
        output.dtype,
        array,
        keys,
        output.text,
        parts,
        output.scale,
        output.zero_point,
    )


def _store_plain(_: Path, answer: Any) -> bytes:
    return stored.encode({"answer": answer})


def _store_prediction(folder: Path, prediction: Prediction) -> bytes:
    return stored.encode(stored_prediction(folder, prediction))


def _fetch_prediction(folder: Path, body: bytes) -> Prediction:
    return prediction(folder, stored.decode(body, _PREDICTIONS))


def _fetch_optimized(folder: Path, body: bytes) -> Optimized:
    class Plain(msgspec.Struct):
        answer: executed_graph.ExecutedGraph

    written = [folder / name for name in EXECUTED_FILES]
    try:
        graph = stored.decode(body, msgspec.json.Decoder(Plain)).answer
        model = opening.open_model(written[0])
    finally:
        for file in written:
            file.unlink(missing_ok=True)
    if len(model.layers) != len(graph.nodes):
        raise UnreadableAnswer("it describes another graph than was written")
    return Optimized(model, graph)


_PREDICTIONS = msgspec.json.Decoder(StoredPrediction)
_STORES: dict[str, Callable[[Path, Any], bytes]] = {
    "Prediction": _store_prediction,
    "PerformanceReport": lambda _, report: report_body(report),
    "Shapes": lambda _, shapes: stored.encode(shapes),
}
_FETCHES: dict[str, Callable[[Path, bytes], Any]] = {
    "Prediction": _fetch_prediction,
    "PerformanceReport": lambda _, body: report(body),
    "Shapes": lambda _, body: shapes(body),
    "Optimized": _fetch_optimized,
}
