"""Models of each family with planted answers, run by the runtime, in each precision."""

import wave
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
from onnxruntime.capi.onnxruntime_pybind11_state import Fail

from inspector.backends.onnxruntime.sessions.predict import output_value
from inspector.errors import EngineFailed
from inspector.formats.opening import open_model
from inspector.model.model import Model
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.preview.families import alternatives, family_answers
from inspector.preview.families.audio_features import Features, features_of
from inspector.preview.families.family_answers import FamilyAnswer
from inspector.preview.families.family_table import FAMILIES, recognize
from inspector.preview.inputs import feeds, model_states
from inspector.preview.inputs.audio_windows import Stepping, guess_framing
from inspector.preview.inputs.feeds import Filled
from inspector.preview.runs import step_by_step
from inspector.preview.runs import steps as steps_module
from inspector.preview.runs.steps import Predict, Steps
from tests.preview.families import planted

EVERY = ("float32", "float16", "int8")
REAL = ("float32", "float16")
Check = Callable[[Mapping[str, Any], FamilyAnswer], bool]


def top(number: int) -> Check:
    return lambda values, _: values["next"][0]["token"] == number


def vector(place: int, length: int) -> Check:
    def check(values: Mapping[str, Any], _: FamilyAnswer) -> bool:
        numbers = np.array(values["embedding"])
        return values["dimensions"] == length and int(np.abs(numbers).argmax()) == place

    return check


def forecast(values: Mapping[str, Any], _: FamilyAnswer) -> bool:
    rows = np.array(values["forecast"])
    wanted = np.stack([np.arange(12) / 4, np.full(12, 1.5)], axis=1)
    return bool(np.abs(rows - wanted).max() < 0.02)


# family, how it is made, in which precisions, what its inputs get, what must come out
CASES: tuple[tuple[str, planted.Maker, tuple[str, ...], Mapping[str, Any], Check], ...] = (
    ("whisper-encoder", planted.whisper_encoder, EVERY, {"input_features": "WAV"},
     lambda values, answer: not answer.flat),
    ("whisper-decoder", planted.whisper_decoder, EVERY, {}, top(50_259)),
    ("t5-encoder", planted.t5_encoder, EVERY, {}, lambda values, answer: True),
    ("t5-decoder", planted.t5_decoder, EVERY, {}, top(644)),
    ("t5-decoder", planted.t5_decoder_with_past, EVERY, {}, top(644)),
    ("wav2vec2", planted.wav2vec2, EVERY, {"input_values": "WAV"},
     lambda values, answer: values["text"] == planted.HELLO
     and family_answers.LETTERS_WORDS in answer.assumed),
    ("vits", planted.vits, EVERY, {"input": [[1, 2, 3]]},
     lambda values, answer: values == {"seconds": 0.5, "rate": 22_050, "samples": 11_025}),
    ("silero-vad", planted.silero, REAL, {"input": "WAV"},
     lambda values, answer: values["share_over_half"] == pytest.approx(30 / 32, abs=0.01)),
    ("silero-vad", partial(planted.silero, sr=True), REAL, {"input": "WAV"},
     lambda values, answer: values["share_over_half"] == pytest.approx(30 / 32, abs=0.01)),
    ("basic-pitch", planted.basic_pitch, REAL, {"audio": "WAV"},
     lambda values, answer: [note["name"] for note in values["notes"]] == ["A4"]),
    ("speaker", planted.speaker, EVERY, {"feats": "WAV"},
     lambda values, answer: values["norm"] == pytest.approx(5, abs=0.05)
     and values["dimensions"] == 192),
    ("sam-decoder", planted.sam_decoder, EVERY, {},
     lambda values, answer: (values["mask"], values["masks"], values["share"]) == (2, 4, 0.25)
     and values["iou"] == pytest.approx(0.9, abs=0.01)),
    ("clip", planted.clip, EVERY, {},
     lambda values, answer: values["text"] == 1 and values["probabilities"][1] > 0.9),
    ("clip-image", planted.clip_image, EVERY, {},
     lambda values, answer: values["dimensions"] == 512),
    ("clip-text", planted.clip_text, EVERY, {}, vector(0, 512)),
    ("sentence", planted.sentence, EVERY,
     {"input_ids": [[101, 7, 102, 0]], "attention_mask": [[1, 1, 1, 0]]},
     lambda values, answer: values["embedding"][0] == pytest.approx(1, abs=1e-3)
     and values["embedding"][1] == 0),
    ("bert-classes", planted.bert_classes, EVERY, {},
     lambda values, answer: (values["class"], values["label"]) == (1, "POSITIVE")),
    ("bert-tags", planted.bert_tags, EVERY,
     {"input_ids": [[101, 7, 8, 0]], "attention_mask": [[1, 1, 1, 0]]},
     lambda values, answer: [tag["class"] for tag in values["tags"]] == [0, 3, 4]),
    ("bert-qa", planted.bert_question, EVERY, {"input_ids": [list(range(100, 108))]},
     lambda values, answer: (values["start"], values["end"], values["text"])
     == (4, 6, "tokens 104 105 106")),
    ("bert-mask", planted.bert_mask, EVERY, {"input_ids": [[101, 7, 103, 102]]},
     lambda values, answer: (values["masks"][0]["place"],
                             values["masks"][0]["top"][0]["token"]) == (2, 3_000)),
    ("gpt", planted.gpt, EVERY, {}, top(318)),
    ("gpt-cache", partial(planted.gpt, cached=True), EVERY, {}, top(318)),
    ("gpt-embeddings", partial(planted.gpt, cached=True, embeddings=True), EVERY, {}, top(318)),
    ("series", planted.series, EVERY, {}, forecast),
    ("regression", planted.regression, EVERY, {},
     lambda values, answer: values["rows"][0]["value"] == pytest.approx(22.5, abs=0.01)),
    ("embedding", planted.embedding, EVERY, {}, vector(5, 128)),
    ("lightgbm", lambda path, _: planted.trees(path, True, "OnnxMLTools"), ("float32",),
     {"input": [[0, 1, 0, 0], [0, 0, 0, 0]]},
     lambda values, answer: values["rows"] == [{"label": 2, "probability": 0.75},
                                               {"label": 0, "probability": 1.0}]),
    ("xgboost", lambda path, _: planted.trees(path, False, "OnnxMLTools"), ("float32",),
     {"input": [[0, 1, 0, 0]]},
     lambda values, answer: values["rows"] == [{"label": 2, "probability": 0.75}]),
    ("catboost", lambda path, _: planted.trees(path, True, "CatBoost"), ("float32",),
     {"input": [[0, 1, 0, 0]]},
     lambda values, answer: values["rows"] == [{"label": 2, "probability": 0.75}]),
    ("scikit-learn", lambda path, _: planted.trees(path, True, "skl2onnx"), ("float32",),
     {"input": [[0, 1, 0, 0]]},
     lambda values, answer: values["rows"] == [{"label": 2, "probability": 0.75}]),
    ("table", lambda path, _: planted.trees(path, True, ""), ("float32",),
     {"input": [[0, 1, 0, 0]]},
     lambda values, answer: values["rows"] == [{"label": 2, "probability": 0.75}]),
)  # fmt: skip


def run(path: Path, model: Model) -> Callable[[Mapping[str, Any]], Prediction]:
    """What predicts with a model, in this process: a test of reading needs no other."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])

    def predict(arrays: Mapping[str, Any], steps: Steps | None = None) -> Prediction:
        if steps is not None:
            return steps_module.run(predict, arrays, steps)
        found = session.run(None, dict(arrays))
        outputs = map(output_value, model.outputs, found)
        return Prediction(tuple(outputs), ("cpu",), 1, 0, ())

    return predict


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A second of a rising tone at 16 kHz, with an offset that normalization takes away."""
    path = tmp_path_factory.mktemp("sounds") / "tone.wav"
    times = np.arange(16_000) / 16_000
    samples = 0.1 + 0.3 * np.sin(2 * np.pi * (200 + 400 * times) * times)
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 16_000, 0, "NONE", ""))
        file.writeframes(np.rint(samples * 32_767).astype("<i2").tobytes())
    return path


def stepping_of(model: Model, values: Mapping[str, str]) -> Stepping:
    framings = {}
    for info in model.inputs:
        framing = guess_framing(info, model.inputs, model.outputs, model.metadata)
        if framing is not None and values.get(info.name, "").endswith(".wav"):
            framings[info.name] = framing
    memory = model_states.states(model.inputs, model.outputs)
    return Stepping(framings, memory, features_of(model))


def given(values: Mapping[str, Any], model: Model, sound: Path, folder: Path) -> dict[str, str]:
    """Values for inputs: the sound's path for "WAV", else a file with the rows."""
    found = {}
    kinds = {info.name: np.dtype(info.dtype) for info in model.inputs}
    for name, value in values.items():
        path = folder / f"{name}.npy"
        if value == "WAV":
            path = sound
        else:
            np.save(path, np.array(value, kinds[name]))
        found[name] = str(path)
    return found


def filled_and_predicted(
    once: Predict, model: Model, values: dict[str, str], stepping: Stepping
) -> tuple[tuple[Filled, ...], Prediction]:
    filled = feeds.fill_all(model.inputs, values, {}, stepping=stepping)
    return filled, step_by_step.answer(once, filled, stepping.memory)


@pytest.mark.parametrize(
    ("key", "make", "precision", "values", "check"),
    [
        pytest.param(key, make, precision, values, check, id=f"{key}-{place}-{precision}")
        for place, (key, make, precisions, values, check) in enumerate(CASES)
        for precision in precisions
    ],
)
def test_the_planted_answer_comes_out(sound, tmp_path, key, make, precision, values, check):
    path = make(tmp_path / "model.onnx", precision)
    model = open_model(path)
    family = recognize(model)
    assert family.key == key
    own = given(values, model, sound, tmp_path)
    filled, prediction = filled_and_predicted(
        run(path, model), model, own, stepping_of(model, own)
    )
    labels = ("NEGATIVE", "POSITIVE") if key == "bert-classes" else ()
    answer = family_answers.read(
        family, prediction.outputs, feeds.feeds_by_name(filled), None, labels,
        alternatives.sound_rate(model),
    )  # fmt: skip
    assert check(answer.values, answer), answer


def test_a_regression_of_several_values_has_them_in_a_row():
    """Trees of scikit-learn with three targets: a label would be a class."""
    family = next(each for each in FAMILIES if each.key == "scikit-learn")
    array = np.array([[1.5, 2, 3], [4, 5, 6]], np.float32)
    answer = family_answers.read(family, [OutputValue("variable", "tensor", "float32", array)])
    assert answer.lines == ("row 0: 1.5, 2, 3", "row 1: 4, 5, 6")
    assert answer.values == {"rows": [{"values": [1.5, 2, 3]}, {"values": [4, 5, 6]}]}


@pytest.mark.parametrize(
    ("shares", "row", "line"),
    [([0.25, 0.75], {"label": 1, "probability": 0.75}, "row 0: 1  75.00%"),
     ([-1.25, 0.75], {"label": 1, "score": 0.75}, "row 0: 1  score 0.75"),  # of LinearSVC
     ([0.7, 0.75], {"label": 1, "score": 0.75}, "row 0: 1  score 0.75")],
)  # fmt: skip
def test_distances_under_the_name_of_probabilities_are_scores(shares, row, line):
    family = next(each for each in FAMILIES if each.key == "scikit-learn")
    label = OutputValue("label", "tensor", "int64", np.array([1]))
    outputs = [label, OutputValue("probabilities", "tensor", "float32", np.array([shares]))]
    answer = family_answers.read(family, outputs)
    assert (answer.values["rows"], answer.lines) == ([row], (line,))


def test_every_family_of_the_table_is_planted():
    general = {"whisper-like", "gpt-part", "token-embedding"}
    assert {family.key for family in FAMILIES} - general == {case[0] for case in CASES}
    assert all(family.source and family.preprocessing for family in FAMILIES)


def test_a_flat_answer_to_guessed_preprocessing_is_tried_otherwise(sound, tmp_path):
    """The model spells only what has mean 0 and variance 1, and was given plain samples."""
    path = planted.wav2vec2(tmp_path / "model.onnx", "float32")
    model, values = open_model(path), {"input_values": str(sound)}
    once = run(path, model)
    guessed = Features("waveform")
    stepping = Stepping(features={"input_values": guessed})

    def predict(other: Stepping) -> Prediction:
        return filled_and_predicted(once, model, values, other)[1]

    family = recognize(model)
    assert family is not None
    found = alternatives.retry(
        model, family, predict(stepping), stepping, ("input_values",), predict
    )
    assert found.text == (
        "the guessed preprocessing gave the same value everywhere; mean 0 and variance 1 "
        "gives a result, and is shown instead"
    )
    assert family_answers.read(family, found.prediction.outputs).values["text"] == planted.HELLO


def test_the_other_rate_of_silero_is_tried_with_its_windows(sound, tmp_path):
    path = planted.silero(tmp_path / "model.onnx", "float32", window=288)
    model, values = open_model(path), {"input": str(sound)}
    once = run(path, model)
    stepping = stepping_of(model, values)
    nan = OutputValue("output", "tensor", "float32", np.full((3, 1), np.nan, np.float32))
    quiet = Prediction((nan,), ("cpu",), 1, 0, ())

    def predict(other: Stepping) -> Prediction:
        try:
            return filled_and_predicted(once, model, values, other)[1]
        except Fail as error:  # as the engine says it
            raise EngineFailed("Could not run the model", str(error)) from error

    found = alternatives.retry(model, recognize(model), quiet, stepping, ("input",), predict)
    assert "8,000 Hz with windows of 288 gives a result" in found.text
    assert found.preprocessing.framings["input"].rate == 8_000


def test_what_says_something_is_left_alone(sound, tmp_path):
    path = planted.wav2vec2(tmp_path / "model.onnx", "float32")
    model, values = open_model(path), {"input_values": str(sound)}
    stepping = stepping_of(model, values)
    prediction = filled_and_predicted(run(path, model), model, values, stepping)[1]
    asked: list[Stepping] = []

    def predict(other: Stepping) -> Prediction:
        asked.append(other)
        return prediction

    family = recognize(model)
    names = ("input_values",)
    assert alternatives.retry(model, family, prediction, stepping, names, predict) is None
    assert not asked


def test_tokens_made_up_for_want_of_a_tokenizer_are_told(tmp_path):
    model = open_model(planted.bert_classes(tmp_path / "model.onnx", "float32"))
    words = alternatives.missing_tokenizer_note(model, (), False)
    assert words.startswith(
        "input_ids is filled with zeros because no text was given: put the model's"
    )
    assert alternatives.missing_tokenizer_note(model, (), True) == ""
    assert alternatives.missing_tokenizer_note(model, ("input_ids",), False) == ""
