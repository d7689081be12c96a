"""predict on families of models: what is recognized, assumed, tried, and how it is undone."""

from pathlib import Path
from typing import Any

import pytest

from tests import language_folders
from tests.command_line import json_of, output_of
from tests.preview.families import planted

pytestmark = pytest.mark.engine


def predicted(*said: object) -> dict[str, Any]:
    return json_of("predict", *map(str, said))


@pytest.fixture
def tone(tmp_path: Path) -> Path:
    return planted.tone(tmp_path / "tone.wav")


@pytest.fixture
def classifier(tmp_path: Path) -> Path:
    return planted.classifier(tmp_path / "net.onnx")


@pytest.fixture
def image(tmp_path: Path) -> Path:
    return planted.image(tmp_path / "gray.png")


def test_the_only_list_that_fits_names_the_classes_and_is_marked_assumed(classifier, image):
    answer = predicted(classifier, "--input", image)
    assert answer["labels"] == {"source": "ImageNet", "count": 1000, "assumed": True}
    assert answer["outputs"][0]["top"][0]["label"] == "golden retriever"
    text = output_of("predict", classifier, "--input", image)
    assert "golden retriever" in text
    assert "Class names assumed: ImageNet, the only known list for 1,000 classes" in text


def test_labels_none_undoes_what_was_assumed_and_named_ones_are_not_assumed(classifier, image):
    answer = predicted(classifier, "--input", image, "--labels", "none")
    assert answer["labels"] == {"source": "", "count": 0, "assumed": False}
    assert answer["outputs"][0]["top"][0]["label"] == ""
    named = predicted(classifier, "--input", image, "--labels", "imagenet")
    assert named["labels"] == {"source": "imagenet", "count": 1000, "assumed": False}


def test_prepare_keeps_no_labels_that_were_only_assumed(classifier):
    assert json_of("prepare", classifier)["labels"] == []


def test_a_family_is_told_with_its_preprocessing_its_answer_and_what_is_assumed(tmp_path, tone):
    path = planted.wav2vec2(tmp_path / "speech.onnx", "float32")
    family = predicted(path, "--input", tone)["family"]
    assert family["key"] == "wav2vec2"
    assert family["answer"]["text"] == "HELLO WORLD"
    assert "the letters of facebook/wav2vec2-base-960h" in family["assumed"]
    _, answer, *lines = output_of("predict", path, "--input", tone).splitlines()
    assert "HELLO WORLD" in answer
    assert "Recognized as  wav2vec 2.0 (CTC)" in lines


def test_a_window_of_8_khz_is_tried_where_the_model_gives_nan_to_16_khz(tmp_path, tone):
    path = planted.nan_unless(tmp_path / "vad.onnx", 288)
    answer = predicted(path, "--input", f"input={tone}")
    assert answer["retried"] == (
        "the guessed preprocessing gave NaN; 8,000 Hz with windows of 288 gives a result, and "
        "is shown instead"
    )
    assert answer["inputs"][0]["shape"] == [1, 288]
    assert answer["outputs"][0]["statistics"]["nan"] == 0
    chosen = predicted(path, "--input", f"input={tone}", "--window", "576")
    assert chosen["retried"] == ""
    assert chosen["family"]["flat"] == "NaN"


def test_tokens_without_a_tokenizer_are_told(tmp_path):
    path = planted.bert_classes(tmp_path / "bert.onnx", "float32")
    answer = predicted(path)
    assert answer["retried"].startswith(
        "input_ids is filled with zeros because no text was given"
    )
    assert answer["family"]["answer"]["label"] == "POSITIVE"


def test_bytes_of_a_text_get_a_sample_sentence_instead_of_nothing(samples, tmp_path):
    copy = tmp_path / "bert.onnx"  # under its own name it gets the example that comes with it
    copy.write_bytes((samples / "language_bert.onnx").read_bytes())
    answer = predicted(copy)
    assert answer["outputs"][0]["top"][0]["label"] == "English"
    assert (
        answer["inputs"][0]["words"] == "a sample sentence, because empty text gives no result"
    )


def test_a_folder_that_hears_writes_down_a_sound(tone, tmp_path):
    folder = language_folders.encoder_decoder_folder(
        tmp_path / "scribe", size=language_folders.LISTENER
    )
    answer = predicted(folder, "--input", tone, "--generate", "6")
    assert [each["name"] for each in answer["inputs"]] == ["input_features"]
    assert len(answer["generated"]["tokens"]) == 6
    assert answer["generated"]["encode_ns"] > 0
    text = output_of("predict", folder, "--input", tone, "--generate", "6")
    assert text.startswith("scribe on CPU\nGenerated text:")
    assert "\\u000a" not in text


def test_a_folder_that_reads_answers_a_text(tmp_path):
    folder = language_folders.encoder_decoder_folder(tmp_path / "reader", "transformers.js")
    one, other = (
        predicted(folder, "--input", f"text:{text}", "--generate", "6")["generated"]["text"]
        for text in ("Hello", "Who is it?")
    )
    assert one != other
    chat = json_of("chat", folder, "--prompt", "Hello", "--max-tokens", "6")
    assert chat["answers"][0]["text"].strip() == one
