"""Predict with a model: fill its inputs, run it, try other preprocessing where a guessed one
says nothing, and read the outputs."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from inspector.app.subjects import Subject, is_sound
from inspector.engine.client.engine import Engine
from inspector.errors import BadInput, Cancelled, InspectorError
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.preview.families import alternatives, family_answers
from inspector.preview.families.family_answers import FamilyAnswer
from inspector.preview.families.family_table import recognize
from inspector.preview.families.output_structure import of_model
from inspector.preview.inputs import feeds, image, tokens
from inspector.preview.inputs.audio_windows import Stepping
from inspector.preview.inputs.feeds import Filled
from inspector.preview.inputs.image import ImagePreprocessing, PreparedPicture
from inspector.preview.inputs.tokens import Vocabulary
from inspector.preview.outputs import embedding, scene
from inspector.preview.outputs.embedding import CosineSimilarity
from inspector.preview.outputs.scene import Decoder, PlacedScene, Scene
from inspector.preview.preprocessing import image_retry, presets
from inspector.preview.preprocessing.image_retry import Retry
from inspector.preview.preprocessing.presets import TopResult
from inspector.preview.runs import step_by_step, text_evidence
from inspector.preview.runs.predicted import TriedPreset
from inspector.preview.runs.steps import Predict, Steps


class Predicted(Struct, frozen=True, eq=False):
    """A prediction, and what it was made of.

    subject: with the lengths and the preprocessing that were used in the end. lengths: those
    that nobody gave; note: says so, and how to set them. picture, sound: other preprocessing
    that was tried because the guessed one gave nothing. doubt: why the class of a text is
    unsure; empty where nothing speaks against it.
    """

    subject: Subject
    filled: tuple[Filled, ...]
    prediction: Prediction
    lengths: Mapping[str, int]
    note: str = ""
    picture: Retry[ImagePreprocessing] | None = None
    sound: Retry[Stepping] | None = None
    doubt: str = ""

    @property
    def retry(self) -> Retry[ImagePreprocessing] | Retry[Stepping] | None:
        """Return what was tried, of a picture or of a sound."""
        return self.picture or self.sound

    @property
    def replaced(self) -> bool:
        """Return whether other preprocessing than the guessed one was used."""
        return self.retry is not None and self.retry.preprocessing is not None


def predict(
    subject: Subject, once: Predict, filled: tuple[Filled, ...] | None = None
) -> Predicted:
    """Run a model with its inputs, with lengths of axes and preprocessing that give a result.

    once: runs it. filled: the inputs, where they are filled already. Raises InspectorError.
    """
    memory = subject.stepping.memory
    ran = subject.run(lambda made: step_by_step.answer(once, made, memory), filled)
    predicted = Predicted(ran.subject, ran.filled, ran.result, ran.guessed, ran.note)
    predicted = _with_picture_retried(predicted, once)
    if predicted.picture is None:
        predicted = _with_sound_retried(predicted, once)
    return replace(predicted, doubt=_doubt(predicted, once))


def predicting(engine: Engine, subject: Subject, warm: bool = False) -> Predict:
    """Return what runs a model with its settings. warm: several times, for its latency."""

    def once(values: Mapping[str, Any], steps: Steps | None = None) -> Prediction:
        return engine.predict(subject.path, subject.spec, values, warm=warm, steps=steps)

    return once


def answer(subject: Subject, once: Predict) -> Prediction:
    """Run a model with its inputs as they are. Raises InspectorError."""
    return step_by_step.answer(once, subject.filled(), subject.stepping.memory)


def family_answer(
    found: Predicted, prediction: Prediction, vocabulary: Vocabulary | None
) -> FamilyAnswer | None:
    """Read the outputs as the model's family does; None where it is of no known one."""
    subject = found.subject
    family = recognize(subject.model)
    if family is None:
        return None
    tensors, rate = feeds.feeds_by_name(found.filled), alternatives.sound_rate(subject.model)
    names = subject.labels.names
    pace = feeds.pace(found.filled, subject.stepping)
    return family_answers.read(
        family, prediction.outputs, tensors, vocabulary, names, rate, pace
    )


def missing_tokenizer(subject: Subject) -> str:
    """Return a note if tokens are zeros for lack of a tokenizer; else empty."""
    given, has = tuple(subject.given), subject.tokenizer is not None
    return alternatives.missing_tokenizer_note(subject.model, given, has)


def picture_of(filled: Sequence[Filled]) -> PreparedPicture | None:
    """Return the first picture among the inputs."""
    return next((each.picture for each in filled if each.picture is not None), None)


class Places(Struct, frozen=True, eq=False):
    """What the outputs say about places in a picture.

    decoders: all that fit. scene: by the chosen one; None where none is chosen.
    """

    picture: PreparedPicture
    decoders: tuple[Decoder, ...]
    scene: Scene | None
    labels: tuple[str, ...]

    @property
    def placed(self) -> PlacedScene | None:
        """Return the scene in the original picture."""
        if self.scene is None:
            return None
        picture = self.picture
        return PlacedScene(self.scene, picture.pixels, picture.place, self.labels)


def places(
    subject: Subject,
    filled: Sequence[Filled],
    outputs: Sequence[OutputValue],
    name: str = "",
    score: float | None = None,
    overlap: float | None = None,
) -> Places | None:
    """Read the outputs as boxes, points or a mask in the picture that went in; None without
    one, or where no decoder fits.

    name: of a decoder, NO_DECODER for none; the best one by default, and where no decoder of
    that name fits. score, overlap: its settings.
    """
    picture = picture_of(filled)
    if picture is None:
        return None
    structure, names = of_model(subject.model), tuple(subject.labels.names)
    preparation = picture.preparation
    ways = scene.decoders(outputs, *picture.size, preparation.channels, structure)
    if not ways:
        return None
    if name.lower() == scene.NO_DECODER:
        return Places(picture, ways, None, names)
    chosen = scene.named(name, ways) if name else ways[0]
    settings = (None, None) if chosen is None else (score, overlap)
    ground = image.part(picture.pixels, preparation)
    read = scene.read_scene(
        chosen or ways[0], outputs, *picture.size, ground, *settings, structure
    )
    return Places(picture, ways, read, names or read.names)


def similarities(
    found: Predicted, once: Predict, others: Sequence[tuple[str, Mapping[str, str]]]
) -> dict[str, tuple[CosineSimilarity, ...]]:
    """Return how similar the embeddings of other inputs are, by output.

    others: a name of each, and its values of inputs. Raises BadInput: no output is
    an embedding.
    """
    subject = found.subject
    structure = of_model(subject.model)
    vectors = {o.name: embedding.vector_of(o, structure) for o in found.prediction.outputs}
    own = {name: vector for name, vector in vectors.items() if vector is not None}
    if not own:
        what, why = "Could not compare embeddings", "the model has no embedding output"
        hint = (
            "An output counts as an embedding if it is named embedding, features, pooled, ..."
        )
        raise BadInput(what, why, hint)
    vectors_by_output: dict[str, list[embedding.SavedVector]] = {name: [] for name in own}
    for title, values in others:
        given = subject.with_given({**subject.given, **values})
        for output in once(given.feeds()).outputs:
            vector = embedding.vector_of(output, structure)
            if output.name in vectors_by_output and vector is not None:
                vectors_by_output[output.name].append(embedding.SavedVector(title, vector))
    return {
        name: embedding.similarities(vector, vectors_by_output[name])
        for name, vector in own.items()
    }


def refusals(
    subject: Subject, filled: Sequence[Filled], outputs: Sequence[OutputValue]
) -> tuple[str, ...]:
    """Return why decoders refuse to read the outputs as places in the picture."""
    picture, structure = picture_of(filled), of_model(subject.model)
    return () if picture is None else scene.refusals(outputs, *picture.size, structure)


def tried_presets(
    subject: Subject, filled: Sequence[Filled], once: Predict, name: str = ""
) -> tuple[TriedPreset, ...]:
    """Predict with each usual preprocessing of a picture.

    name: of its input; by default the first with one. What fails has the reason as its result.
    Raises BadInput: no input was given a picture. Cancelled.
    """
    own = next((f for f in filled if f.picture is not None and name in ("", f.name)), None)
    if own is None or own.picture is None:
        hint = "Set one with --input NAME=FILE."
        raise BadInput("Could not try presets", "no input is set to an image", hint)
    info = next(info for info in subject.inputs if info.name == own.name)
    size, structure = own.picture.size, of_model(subject.model)
    tried = []
    for title, preparation in presets.common_presets(own.picture.preparation):
        try:
            made = _with(filled, feeds.with_preparation(own, info, preparation))
            outputs = once(feeds.feeds_by_name(made)).outputs
            names = subject.labels.names
            result = presets.top_result(outputs, names, *size, structure)
        except Cancelled:
            raise
        except InspectorError as error:
            result = TopResult(error.why or error.what, 0.0)
        tried.append(TriedPreset(title, preparation, result))
    return tuple(tried)


def _with_picture_retried(found: Predicted, once: Predict) -> Predicted:
    """Try other preprocessing of a picture whose guessed one gives no clear result."""
    subject, filled = found.subject, found.filled
    pictures = [each for each in filled if each.picture is not None]
    if len(pictures) != 1 or feeds.pace(filled, subject.stepping).steps > 1:
        return found
    (own,) = pictures
    picture = own.picture
    assert picture is not None, "pictures are those that have one"
    if own.name not in subject.guessed or not image_retry.replaceable(picture.preparation):
        return found
    info = next(info for info in subject.inputs if info.name == own.name)

    def prepared(preparation: ImagePreprocessing) -> tuple[Filled, ...]:
        return _with(filled, feeds.with_preparation(own, info, preparation))

    retry = image_retry.retry(
        lambda preparation: once(feeds.feeds_by_name(prepared(preparation))),
        info,
        subject.model.outputs,
        picture.preparation,
        found.prediction.outputs,
        subject.labels.names,
        picture.size,
        of_model(subject.model),
    )
    if retry is None or retry.preprocessing is None or retry.prediction is None:
        return replace(found, picture=retry)
    used = replace(subject.image, saved=(*subject.image.saved, (own.name, retry.preprocessing)))
    return replace(
        found, subject=replace(subject, image=used), filled=prepared(retry.preprocessing),
        prediction=retry.prediction, picture=retry,
    )  # fmt: skip


def _with_sound_retried(found: Predicted, once: Predict) -> Predicted:
    """Try other preprocessing of sounds whose guessed one gives no meaningful result."""
    subject = found.subject
    texts = subject.texts.items()
    sounds = [name for name, text in texts if is_sound(text) and name in subject.guessed]
    pace = feeds.pace(found.filled, subject.stepping)
    if not sounds or pace.steps > alternatives.MOST_STEPS:
        return found
    model, family = subject.model, recognize(subject.model)

    def cut(stepping: Stepping) -> Prediction:
        return answer(replace(subject, sounds=stepping), once)

    retry = alternatives.retry(model, family, found.prediction, subject.stepping, sounds, cut)
    if retry is None or retry.preprocessing is None or retry.prediction is None:
        return replace(found, sound=retry)
    used = replace(subject, sounds=retry.preprocessing)
    return replace(
        found, subject=used, filled=used.filled(), prediction=retry.prediction, sound=retry
    )


def _with(filled: Sequence[Filled], own: Filled) -> tuple[Filled, ...]:
    """Return the inputs with another one in the place of that of its name."""
    return tuple(own if each.name == own.name else each for each in filled)


def _doubt(found: Predicted, once: Predict) -> str:
    """Return why the class of a text is unsure, or ""."""
    subject = found.subject
    given = text_evidence.given_text(subject.model, subject.texts)
    if given is None:
        return ""
    info, text = given

    def outputs_of(other: str) -> Sequence[OutputValue]:
        values = {**subject.given, info.name: f"{tokens.TEXT}{other}"}
        return answer(subject.with_given(values), once).outputs

    names, structure = subject.labels.names, of_model(subject.model)
    return text_evidence.doubt(
        info, text, found.prediction.outputs, names, structure, outputs_of
    )
