"""Values that go to and from an engine process through its folder."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from inspector.analysis.facts.shapes import Body, Contradiction, Shapes
from inspector.analysis.measured.layer_outputs import Stepping
from inspector.backends import array_files
from inspector.backends.array_files import Feed, InvalidArray, StoredArray
from inspector.engine.protocol import PredictDone, StoredOutput
from inspector.errors import BadInput, EngineDied, EngineFailed, UnreadableFile
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import (
    OutputValue,
    Prediction,
    Scale,
    dequantized,
)
from inspector.platform import files
from inspector.report.report_values import LIMIT_BYTES, Support
from inspector.units import clip
from inspector.wording import stored

if TYPE_CHECKING:
    from inspector.analysis.measured.executed_graph import ExecutedGraph
    from inspector.preview.runs.steps import Steps
    from inspector.report.report import PerformanceReport


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


def prediction(folder: Path, answer: PredictDone) -> Prediction:
    """Collect a prediction from the folder. Raises EngineDied: it differs from the message."""
    try:
        outputs = tuple(_output(folder, output) for output in answer.outputs)
    except InvalidArray as error:
        raise _unreadable("prediction", str(error)) from error
    return replace(answer.prediction, outputs=outputs)


def performance_report(folder: Path, name: str) -> "PerformanceReport":
    """Collect a report from the folder. Raises EngineDied: it is not whole."""
    from inspector.report import report

    try:
        if Path(name).name != name:
            raise UnreadableFile("", f"'{name}' is outside the model's folder")
        return report.from_json(files.read_capped(folder / name, LIMIT_BYTES), name)
    except UnreadableFile as error:
        raise _unreadable("report", error.why) from error


class _Body(msgspec.Struct):
    """A Body whose values are not decoded yet.

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


def _body(body: _Body) -> Body:
    read = msgspec.json.Decoder(TensorInfo).decode
    return Body(
        body.function, tuple(read(each) for each in body.values), body.calls, body.trips
    )


def shapes(folder: Path, name: str) -> Shapes:
    """Collect inferred shapes from the folder. Raises EngineDied: they are not whole."""
    try:
        body = files.read_capped(folder / Path(name).name, LIMIT_BYTES)
        decoded = msgspec.json.decode(body, type=_Shapes)
        bodies = tuple(_body(each) for each in decoded.bodies)
        return Shapes(bodies, decoded.lengths, decoded.note, decoded.contradictions)
    except (UnreadableFile, ValueError, RecursionError) as error:
        raise _unreadable("shapes", str(error)) from error


def steps(folder: Path, name: str) -> Stepping:
    """Collect the outputs of layers. Raises EngineDied: they are not whole."""
    try:
        body = files.read_capped(folder / Path(name).name, LIMIT_BYTES)
        return stored.decode(body, msgspec.json.Decoder(Stepping))
    except (UnreadableFile, ValueError, RecursionError) as error:
        raise _unreadable("layers", str(error)) from error


def executed_graph(folder: Path, name: str) -> "ExecutedGraph":
    """Collect how nodes and layers belong together. Raises EngineDied: it is not whole."""
    from inspector.analysis.measured.executed_graph import ExecutedGraph

    try:
        body = files.read_capped(folder / Path(name).name, LIMIT_BYTES)
        return stored.decode(body, msgspec.json.Decoder(ExecutedGraph))
    except (UnreadableFile, ValueError, RecursionError) as error:
        raise _unreadable("graph", str(error)) from error


def answers(folder: Path, name: str) -> dict[str, dict[int, Support]]:
    """Collect the devices' support of layers. Raises EngineDied: it is not whole."""
    try:
        body = files.read_capped(folder / Path(name).name, LIMIT_BYTES)
        return stored.decode(body, msgspec.json.Decoder(dict[str, dict[int, Support]]))
    except (UnreadableFile, ValueError, RecursionError) as error:
        raise _unreadable("answers", str(error)) from error


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
        hint = "Free up some space in the temporary folder."
        raise EngineFailed(what, error.strerror or str(error), hint, "answer") from error
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
        what = f"Could not pass input '{clip(name, 80)}' to the engine"
        hint = "Free up some space in the temporary folder."
        raise EngineFailed(what, error.strerror or str(error), hint, "prediction") from error


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


def _unreadable(noun: str, why: str) -> EngineDied:
    return EngineDied(f"Could not read the engine's {noun}", why, "Try again.", "answer")
