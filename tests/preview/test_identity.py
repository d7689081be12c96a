"""What a model is, in a sentence: of samples, of other people's models, of each family."""

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from inspector.formats.opening import open_model
from inspector.preview.families.family_table import FAMILIES, TASKS
from inspector.preview.families.image_families import IMAGE_FAMILIES
from inspector.preview.identity import (
    UNREADABLE_WEIGHTS,
    assumed_labels,
    identify,
    measured_model,
)
from inspector.preview.outputs.labels import ClassNames
from tests import models
from tests.language_folders import optimum_folder
from tests.models import value
from tests.preview.detectors import planted_cases, planted_models
from tests.preview.families import planted

SENTENCES = Path(__file__).with_name("identity_sentences.txt")
PLANTED = (
    *("whisper_encoder", "whisper_decoder", "t5_encoder", "t5_decoder", "wav2vec2", "vits"),
    *("silero", "speaker", "sam_decoder", "clip", "clip_image", "clip_text", "sentence"),
    "bert_classes",
    *("bert_tags", "bert_question", "bert_mask", "gpt", "series", "regression", "embedding"),
)


def expected(kind: str) -> dict[str, str]:
    rows = (line.split(" | ") for line in SENTENCES.read_text("utf-8").splitlines())
    return {name: sentence for group, name, sentence in rows if group == kind}


def test_each_sample_model_is_described(samples):
    sentences = {
        path.stem: identify(open_model(path)).sentence
        for path in sorted(samples.glob("*.onnx"))
    }
    assert sentences == expected("sample")


def test_other_peoples_models_are_described(shared):
    sentences = {
        path.stem: identify(open_model(path)).sentence
        for path in sorted((shared / "real").glob("*.onnx"))
    }
    assert sentences == expected("real")


@pytest.mark.parametrize("precision", ["float32", "int8"])
def test_image_models_of_each_family_are_described(tmp_path, precision):
    headlines = {}
    for case in (*planted_cases.DETECTORS, *planted_cases.OTHERS):
        path = tmp_path / "model.onnx"
        onnx.save(planted_models.model(case.planted, precision), path)
        headlines[case.planted.name] = identify(open_model(path)).headline
    assert headlines == expected("image")


@pytest.mark.parametrize("precision", ["float32", "float16"])
def test_audio_text_and_table_models_of_each_family_are_described(tmp_path, precision):
    headlines = {
        name: identify(
            open_model(getattr(planted, name)(tmp_path / f"{name}.onnx", precision))
        ).headline
        for name in PLANTED
    }
    assert headlines == expected("family")


def test_every_family_has_a_task():
    assert set(TASKS) == {family.key for family in FAMILIES}
    assert all(family.task for family in IMAGE_FAMILIES)


def model_of(
    tmp_path: Path, inputs: list[tuple], outputs: list[tuple], **facts: object
) -> Path:
    ends = [
        [value(name, shape, kind) for name, kind, shape in side] for side in (inputs, outputs)
    ]
    nodes = [
        helper.make_node("Custom", [inputs[0][0]], [name], domain="ours")
        for name, *_ in outputs
    ]
    made = models.model(nodes, *ends)
    for fact, text in facts.items():
        setattr(made, fact, text)
    onnx.save(made, tmp_path / "model.onnx")
    return tmp_path / "model.onnx"


def test_a_model_that_fits_nothing_is_called_unknown(tmp_path):
    inputs = [("a", TensorProto.FLOAT, [3, 5, 7, 11, 13]), ("b", TensorProto.BOOL, [2])]
    path = model_of(tmp_path, inputs, [("y", TensorProto.FLOAT, [1])], producer_name="pytorch")
    result = identify(open_model(path))
    assert not result.known
    assert result.headline == "Unknown task: 2 inputs, 1 output"
    assert (
        result.details == "input of shape 3 × 5 × 7 × 11 × 13 (float32), exported from PyTorch"
    )


def test_a_long_row_is_audio_by_its_name_or_operators_and_not_by_its_length(tmp_path):
    """A matrix product alone may be of anything."""

    def described(name: str, operator: str) -> tuple[str, str]:
        rank = 3 if operator == "Conv" else 2
        weights = {"w": np.zeros((1,) * rank, np.float32)}
        node = helper.make_node(operator, [name, "w"], ["y"])
        ends = [value(name, [1] * (rank - 1) + [16384])], [value("y", [1, 32768])]
        path = models.save(tmp_path / "model.onnx", [node], *ends, weights)
        found = identify(open_model(path))
        return found.headline.partition(":")[0], found.evidence[0].reason

    assert described("x", "MatMul")[0] == "Unknown task"
    named, signal = described("audio", "MatMul"), described("x", "Conv")
    assert named == ("Audio model", "Input audio has the name of an audio input")
    assert signal == ("Audio model", "Input x has 16,384 values: samples")


def test_confidence_follows_from_what_the_file_says(samples):
    result = identify(open_model(samples / "digits_float32.onnx"))
    subjects = ("task", "classes", "input", "origin", "precision")
    told = {each.subject: each.confidence for each in result.evidence}
    assert told == dict.fromkeys(subjects, "certain")
    assert result.evidence[0].reason == "Output probabilities (batch × 10) comes from Softmax"


def test_class_names_that_only_fit_are_assumed(tmp_path):
    inputs = [("x", TensorProto.FLOAT, [1, 3, 224, 224])]
    path = model_of(tmp_path, inputs, [("y", TensorProto.FLOAT, [1, 1000])])
    classes = next(
        each for each in identify(open_model(path)).evidence if each.subject == "classes"
    )
    assert (classes.confidence, classes.statement) == ("assumed", "assumed ImageNet")


def test_a_report_says_what_the_model_is(samples):
    path = samples / "digits_float32.onnx"
    measured = measured_model(path, open_model(path))
    assert measured.description == expected("sample")["digits_float32"]
    assert measured == replace(measured, description="by another version of Inspector")


def test_chosen_class_names_replace_those_of_the_file(samples):
    model = open_model(samples / "digits_float32.onnx")
    headline = "Image classifier: 10 classes"
    assert identify(model, ClassNames()).headline == headline
    chosen = ClassNames("names.txt", ("zero", "one"))
    assert identify(model, chosen).headline == f"{headline} (names.txt)"


def test_detectors_get_the_names_that_their_sentence_assumes(tmp_path, shared):
    fitting = assumed_labels(open_model(shared / "real" / "fastestdet_opset11.onnx"))
    assert fitting.key == "coco"
    inputs = [("x", TensorProto.FLOAT, [1, 3, 640, 640])]
    path = model_of(tmp_path, inputs, [("y", TensorProto.FLOAT, [1, 4 + 10, 8400])])
    assert identify(open_model(path)).task == "Object detector"
    assert assumed_labels(open_model(path)) is None  # ten classes of CIFAR-10 are no boxes


def test_an_unknown_producer_is_named_as_it_is(tmp_path):
    inputs = [("x", TensorProto.FLOAT, [1, 3, 224, 224])]
    outputs = [("y", TensorProto.FLOAT, [1, 10])]
    path = model_of(tmp_path, inputs, outputs, producer_name="acme")
    assert "made by acme" in identify(open_model(path)).sentence


def test_a_model_without_inputs_and_outputs_is_unknown(tmp_path):
    path = models.save(tmp_path / "model.onnx", [], [], [])
    assert identify(open_model(path)).headline == "Unknown task: 0 inputs, 0 outputs"


def test_an_input_without_a_type_is_not_certain(tmp_path):
    path = model_of(tmp_path, [("a", TensorProto.UNDEFINED, None)], [])
    told = {each.subject: each.confidence for each in identify(open_model(path)).evidence}
    assert told["input"] == "unknown"


def test_a_large_model_is_described_at_once(tmp_path):
    """Only parts of a graph are looked at, so a long chain says what a short one does."""
    names = [f"v{number}" for number in range(20_001)]
    nodes = [
        helper.make_node("Relu", [first], [second])
        for first, second in itertools.pairwise(names)
    ]
    ends = [[value(name, [1, 3, 64, 64])] for name in (names[0], names[-1])]
    path = models.save(tmp_path / "model.onnx", nodes, *ends)
    assert identify(open_model(path)).task == "Image to image"


def test_a_model_with_more_inputs_than_any_family_has_is_unknown(tmp_path):
    """Each of 100,000 inputs would be looked at for each family."""
    for count, task in ((1, "Image classifier"), (10_001, "Unknown task")):
        inputs = [(f"x{i}", TensorProto.FLOAT, [1, 3, 64, 64]) for i in range(count)]
        path = model_of(tmp_path, inputs, [("y", TensorProto.FLOAT, [1, 1000])])
        assert identify(open_model(path)).task == task


def test_a_model_whose_weights_are_all_empty_has_no_precision(tmp_path):
    ends = [[value(name, [0, 4])] for name in "xy"]
    concat = helper.make_node("Concat", ["x", "w"], ["y"], axis=0)
    weights = {"w": np.zeros((0, 4), np.float32)}
    path = models.save(tmp_path / "model.onnx", [concat], *ends, weights)
    subjects = {each.subject for each in identify(open_model(path)).evidence}
    assert "precision" not in subjects
    assert "input" in subjects


def test_weights_that_cannot_be_read_are_told_first(tmp_path):
    path = tmp_path / "model.onnx"
    ends = [[value(name, [4])] for name in "xy"]
    add = helper.make_node("Add", ["x", "w"], ["y"])
    model = models.model(
        [add], *ends, {"w": np.ones(4, np.float32)}
    )  # external: raw bytes only
    onnx.save(model, path, save_as_external_data=True, location="w.bin", size_threshold=0)
    assert identify(open_model(path)).evidence[0].subject == "task"
    (tmp_path / "w.bin").unlink()
    found = identify(open_model(path))
    assert found.details.endswith("weights cannot be read")
    assert found.evidence[0].statement == UNREADABLE_WEIGHTS
    assert found.evidence[0].reason.startswith("w: its values are in 'w.bin'")


def test_parts_of_decoders_are_no_taggers_and_no_signal_models(tmp_path):
    folder = optimum_folder(tmp_path / "optimum")
    first = identify(open_model(folder / "decoder_model.onnx"))
    assert first.headline.startswith("Language model")
    part, tokens = ["batch", "tokens", 8], ["batch", "tokens"]
    cache = ["batch", 2, "past_sequence_length", 4]
    nodes = [helper.make_node("Identity", ["hidden_in"], ["hidden_out"])]
    nodes += [helper.make_node("Identity", ["past_key_values.0.key"], ["present.0.key"])]
    blocks = models.save(
        tmp_path / "blocks.onnx", nodes,
        [value("hidden_in", part), value("past_key_values.0.key", cache)],
        [value("hidden_out", part), value("present.0.key", cache)],
    )  # fmt: skip
    assert identify(open_model(blocks)).headline.startswith("Language model, part")
    gather = helper.make_node("Gather", ["words", "input_ids"], ["inputs_embeds"])
    embedding = models.save(
        tmp_path / "embed.onnx", [gather], [value("input_ids", tokens, TensorProto.INT64)],
        [value("inputs_embeds", part)], {"words": np.zeros((9, 8), np.float32)},
    )  # fmt: skip
    assert identify(open_model(embedding)).headline.startswith("Token embedding")
