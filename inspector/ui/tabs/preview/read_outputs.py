"""Read the outputs of a prediction for the views; on a job's thread, no widget."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from inspector.app.predict import Predicted, places
from inspector.model.model import TensorInfo
from inspector.model.tensors.element_types import Tensor
from inspector.model.tensors.prediction import OutputValue, Prediction, Statistics
from inspector.preview.families.output_structure import UNKNOWN, ModelStructure
from inspector.preview.families.piano_notes import Meaning
from inspector.preview.inputs.audio import Audio
from inspector.preview.inputs.audio_windows import ONCE, Pace
from inspector.preview.inputs.tokens import Vocabulary
from inspector.preview.outputs import audio_outputs, embedding, results, scene
from inspector.preview.outputs.embedding import Vector
from inspector.preview.outputs.results import Classes, ShownImage
from inspector.preview.outputs.scene import Decoder, Scene
from inspector.preview.outputs.time_series import Series, heat_of, series_of
from inspector.preview.outputs.token_outputs import DecodedText, decode_text
from inspector.preview.runs import generation
from inspector.ui import units
from inspector.ui.tabs.preview.fill_inputs import Filling, PreparedImage
from inspector.ui.translate import mark

TOP = 10  # classes of one row
FEW_ROWS = 3
FEW_ROWS_TOP = 3  # classes of each of a few rows
ROWS = 12  # of a table
COLUMNS = 6  # of a table
LONGEST_TEXT = 20_000  # characters
PARTS = 100  # of a sequence
SHORTEST_CURVE = 17  # values
CURVE_POINTS = 400
ROWS_BELOW_CURVE = 4
NO_DECODER = mark("Raw outputs")


class Reading(Struct, frozen=True, eq=False):
    """One output in every form that fits; the first of `forms` fits best.

    classes: the highest classes of each row. labelled: whether they have names.
    cells: the first elements as text, rows by columns; `text`: what is no array, or texts.
    curve: of a tensor that is one long row, the lowest and the highest finite value in each
        of at most CURVE_POINTS stretches of equal length.
    series: one value a step, where the model heard a sound step by step; several become the
        heat map `shown`, which lasts so many `seconds`.
    decoded_text: text in tokens; writes: more can be asked for. vector: a place in a space.
    scores: from 1 to 5, by name. subject: what went into the model, in words.
    parts: the tensors of a sequence, the first PARTS of them. meaning: what it holds, where the
    model's family says it.
    """

    output: OutputValue
    forms: tuple[str, ...]
    classes: tuple[Classes, ...] = ()
    labelled: bool = False
    shown: ShownImage | None = None
    statistics: Statistics | None = None
    numbers: str = ""
    text: str = ""
    cells: tuple[tuple[str, ...], ...] = ()
    curve: tuple[tuple[float, float], ...] = ()
    series: Series | None = None
    sound: Audio | None = None
    seconds: float = 0.0
    decoded_text: DecodedText | None = None
    writes: bool = False
    vector: Vector | None = None
    scores: tuple[tuple[str, float], ...] = ()
    subject: str = ""
    parts: tuple["Reading", ...] = ()
    meaning: Meaning | None = None


def read_all(
    prediction: Prediction,
    labels: Sequence[str],
    pace: Pace = ONCE,
    inputs: Sequence[TensorInfo] = (),
    vocabulary: Vocabulary | None = None,
    subject: str = "",
    decoded: bool = False,
    structure: ModelStructure = UNKNOWN,
) -> tuple[Reading, ...]:
    """Read every output of a prediction.

    inputs: of the model. vocabulary: for text in numbers. subject: what went in, in words.
    decoded: boxes or points were decoded from the outputs; structure: of the model; see
    `results.read`.
    """
    outputs = prediction.outputs
    scores = audio_outputs.scores(inputs, outputs)
    writes = generation.writes(inputs, outputs)
    readings = (
        read(output, labels, pace, vocabulary, decoded, structure) for output in outputs
    )
    return tuple(
        replace(
            each,
            forms=(results.SCORES, *each.forms) if scores else each.forms,
            scores=scores,
            writes=writes and each.decoded_text is not None,
            subject=subject,
            meaning=audio_outputs.mask_of_spectrum(inputs, each.output)
            if results.HEAT in each.forms
            else None,
        )
        for each in readings
    )


def read(
    output: OutputValue,
    labels: Sequence[str],
    pace: Pace = ONCE,
    vocabulary: Vocabulary | None = None,
    decoded: bool = False,
    structure: ModelStructure = UNKNOWN,
) -> Reading:
    """Read one output in all forms that fit; pace: its steps in time."""
    views = results.read(output, labels, decoded, structure)
    spelt, vector = (
        decode_text(output, vocabulary, labels),
        embedding.vector_of(output, structure),
    )
    series = series_of(output, pace.steps, pace.step_seconds)
    if series is not None:
        views = (results.OVER_TIME, results.TENSOR)
    heat, sound = heat_of(output, pace), audio_outputs.audio_of(output)
    views = (results.HEAT, results.TENSOR) if heat is not None else views
    if sound is not None:
        views = (results.AUDIO, *(view for view in views if view != results.CLASSES))
    views = (results.EMBEDDING, *views) if vector is not None else views
    views = (results.DECODED_TEXT, *views) if spelt is not None else views
    views = (results.TENSOR,) if output.parts else views
    rows = output.shape[0] if len(output.shape) > 1 else 1
    top = TOP if rows == 1 else FEW_ROWS_TOP if rows <= FEW_ROWS else 1
    classes: tuple[Classes, ...] = ()
    if results.CLASSES in views:
        classes = results.classes(output, labels, top, structure=structure)
    return Reading(
        output,
        views,
        classes,
        any(best.label for row in classes for best in row.top),
        results.image_of(output) if results.IMAGE in views else heat,
        output.statistics(),
        results.numbers(output, 64) if results.NUMBERS in views else "",
        _text(output) if results.TEXT in views else "",
        _cells(output) if results.TENSOR in views else (),
        _curve(output) if results.TENSOR in views else (),
        series,
        sound,
        0.0 if heat is None else pace.shown_seconds,
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
    finite_columns = lows <= highs
    return tuple(
        zip(lows[finite_columns].tolist(), highs[finite_columns].tolist(), strict=True)
    )


def _cell(value: object) -> str:
    if isinstance(value, float):
        return (
            units.number(value, ".0f")
            if 1000 <= abs(value) < 1e7
            else units.number(value, ".3g")
        )
    return units.clip(str(value), 24)


class SceneOptions(Struct, frozen=True):
    """The chosen decoder of the outputs and its settings; None for the default."""

    decoder: str = ""
    score: float | None = None
    overlap: float | None = None

    @staticmethod
    def of_saved(decoder: str) -> "SceneOptions":
        """Return the options with a decoder as it is saved next to a model."""
        return SceneOptions(NO_DECODER if decoder == scene.NO_DECODER else decoder)


class SceneReading(Struct, frozen=True, eq=False):
    """The decoders that fit, and the scene by the chosen one; None when none is chosen."""

    decoders: tuple[Decoder, ...]
    scene: Scene | None
    image: PreparedImage
    labels: tuple[str, ...]


def read_scene(
    found: Predicted, prediction: Prediction, filling: Filling, options: SceneOptions
) -> SceneReading | None:
    """Read the outputs as places in the picture that went in; None where nothing fits."""
    name = scene.NO_DECODER if options.decoder == NO_DECODER else options.decoder
    read = places(
        found.subject, found.filled, prediction.outputs, name, options.score, options.overlap
    )
    if read is None:
        return None
    image = next(iter(filling.images.values()))
    return SceneReading(read.decoders, read.scene, image, read.labels)
