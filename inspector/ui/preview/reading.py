"""What a prediction has to show; worked out on a job's thread, knows no widget."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from inspector import units
from inspector.model import TensorInfo
from inspector.prediction import OutputValue, Prediction, Statistics
from inspector.preview import embedding, generation, results, waves
from inspector.preview.decoders import speech_quality
from inspector.preview.decoders.words import Words, words
from inspector.preview.elements import Tensor
from inspector.preview.embedding import Vector
from inspector.preview.frames import ONCE, Pace
from inspector.preview.heat import heat_of
from inspector.preview.results import Classes, Shown
from inspector.preview.series import Series, series_of
from inspector.preview.sound import Sound
from inspector.preview.tokens import Vocabulary

TOP, FEW_ROWS, FEW_ROWS_TOP = 10, 3, 3
ROWS, COLUMNS, LONGEST_TEXT, PARTS = 12, 6, 20_000, 100
SHORTEST_CURVE, CURVE_POINTS, ROWS_BELOW_CURVE = 17, 400, 4


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One output read in every way that fits; the first of `ways` fits best.

    classes: the highest classes of each row. labelled: whether they have names.
    cells: the first elements as text, rows by columns; `text`: what is no array, or texts.
    curve: of a tensor that is one long row, the lowest and the highest finite value in each
        of at most CURVE_POINTS stretches of equal length.
    series: one value a step, where the model heard a sound step by step; several become the
        heat map `shown`, which lasts so many `seconds`.
    words: text in numbers; writes: more can be asked for. vector: a place in a space.
    scores: from 1 to 5, by name. subject: what went into the model, in words.
    parts: the tensors of a sequence, the first PARTS of them.
    """

    output: OutputValue
    ways: tuple[str, ...]
    classes: tuple[Classes, ...] = ()
    labelled: bool = False
    shown: Shown | None = None
    statistics: Statistics | None = None
    numbers: str = ""
    text: str = ""
    cells: tuple[tuple[str, ...], ...] = ()
    curve: tuple[tuple[float, float], ...] = ()
    series: Series | None = None
    sound: Sound | None = None
    seconds: float = 0.0
    words: Words | None = None
    writes: bool = False
    vector: Vector | None = None
    scores: tuple[tuple[str, float], ...] = ()
    subject: str = ""
    parts: tuple["Reading", ...] = ()


def read_all(
    prediction: Prediction,
    labels: Sequence[str],
    pace: Pace = ONCE,
    inputs: Sequence[TensorInfo] = (),
    vocabulary: Vocabulary | None = None,
    subject: str = "",
) -> tuple[Reading, ...]:
    """Read every output of a prediction.

    inputs: of the model. vocabulary: for text in numbers. subject: what went in, in words.
    """
    outputs = prediction.outputs
    scores = speech_quality.scores(inputs, outputs)
    writes = generation.writes(inputs, outputs)
    found = (read(output, labels, pace, vocabulary) for output in outputs)
    return tuple(
        replace(
            each,
            ways=(results.SCORES, *each.ways) if scores else each.ways,
            scores=scores,
            writes=writes and each.words is not None,
            subject=subject,
        )
        for each in found
    )


def read(
    output: OutputValue,
    labels: Sequence[str],
    pace: Pace = ONCE,
    vocabulary: Vocabulary | None = None,
) -> Reading:
    """Read one output in all the ways that fit; pace: how it went on in time."""
    ways = results.read(output, labels)
    spelt, vector = words(output, vocabulary, labels), embedding.vector_of(output)
    series = series_of(output, pace.steps, pace.step_seconds)
    if series is not None:
        ways = (results.OVER_TIME, results.TENSOR)
    heat, sound = heat_of(output, pace), waves.sound_of(output)
    ways = (results.HEAT, results.TENSOR) if heat is not None else ways
    if sound is not None:
        ways = (results.SOUND, *(way for way in ways if way != results.CLASSES))
    ways = (results.EMBEDDING, *ways) if vector is not None else ways
    ways = (results.WORDS, *ways) if spelt is not None else ways
    ways = (results.TENSOR,) if output.parts else ways
    rows = output.shape[0] if len(output.shape) > 1 else 1
    top = TOP if rows == 1 else FEW_ROWS_TOP if rows <= FEW_ROWS else 1
    found = results.classes(output, labels, top) if results.CLASSES in ways else ()
    return Reading(
        output,
        ways,
        found,
        any(best.label for row in found for best in row.top),
        results.picture_of(output) if results.PICTURE in ways else heat,
        output.statistics(),
        results.numbers(output, 64) if results.NUMBERS in ways else "",
        _text(output) if results.TEXT in ways else "",
        _cells(output) if results.TENSOR in ways else (),
        _curve(output) if results.TENSOR in ways else (),
        series,
        sound,
        0.0 if heat is None else pace.steps * pace.step_seconds,
        spelt,
        vector=vector,
        parts=tuple(read(_part(output, part), ()) for part in output.parts[:PARTS]),
    )


def _part(output: OutputValue, array: Tensor) -> OutputValue:
    return OutputValue(output.name, "tensor", array.dtype.name, array)


def _text(output: OutputValue) -> str:
    if output.array is None:
        return output.text[:LONGEST_TEXT]
    lines = (str(text) for text in output.array.ravel()[:200].tolist())
    return "\n".join(units.clip(line, 400) for line in lines)


def _cells(output: OutputValue) -> tuple[tuple[str, ...], ...]:
    """The first elements: rows of the last axis; one long row is broken into lines."""
    array = output.array
    if array is None or not array.size:
        return ()
    width = array.shape[-1] if array.ndim else 1
    if width == array.size:
        lines = ROWS if width < SHORTEST_CURVE else ROWS_BELOW_CURVE
        flat = array.ravel()[: lines * COLUMNS]
        rows = [flat[i : i + COLUMNS] for i in range(0, len(flat), COLUMNS)]
    else:
        rows = list(array.reshape(-1, width)[:ROWS, :COLUMNS])
    return tuple(tuple(_cell(value) for value in row.tolist()) for row in rows)


def _curve(output: OutputValue) -> tuple[tuple[float, float], ...]:
    array = output.array
    if array is None or array.dtype.kind not in "fiub" or array.size < SHORTEST_CURVE:
        return ()
    if max(array.shape) != array.size:
        return ()
    values = array.ravel().astype(np.float64)
    parts = min(CURVE_POINTS, len(values))
    begins = np.arange(parts) * len(values) // parts
    finite = np.isfinite(values)
    lows = np.minimum.reduceat(np.where(finite, values, np.inf), begins)
    highs = np.maximum.reduceat(np.where(finite, values, -np.inf), begins)
    told = lows <= highs
    return tuple(zip(lows[told].tolist(), highs[told].tolist(), strict=True))


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.0f}" if 1000 <= abs(value) < 1e7 else f"{value:.3g}"
    return units.clip(str(value), 24)
