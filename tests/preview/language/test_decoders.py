from dataclasses import replace

import onnx
import pytest

from inspector.formats.opening import open_model
from inspector.preview.language.decoders import remembers, why_no_text
from sample_models.making.decoder import decomposed, random_weights
from tests.language_folders import SIZE, optimum_folder


def scores_only(path, vocabulary):
    """A model that scores each token of a text and returns nothing else."""
    size = replace(SIZE, vocabulary=vocabulary)
    model = decomposed(size, random_weights(size), past=False)
    kept = [each for each in model.graph.output if each.name == "logits"]
    del model.graph.output[:]
    model.graph.output.extend(kept)
    onnx.save(model, path)
    return open_model(path)


@pytest.mark.parametrize(("vocabulary", "why"), [(9, "classifies"), (30_522, "masked")])
def test_scores_that_come_from_words_on_both_sides_continue_no_text(tmp_path, vocabulary, why):
    model = scores_only(tmp_path / "model.onnx", vocabulary)
    assert why in why_no_text(model)
    assert not remembers(model)


def test_a_decoder_without_a_cache_generates_text(tmp_path):
    model = scores_only(tmp_path / "model.onnx", 50_257)
    assert why_no_text(model) == ""


def test_the_first_step_of_a_decoder_generates_text_and_the_next_one_remembers(tmp_path):
    folder = optimum_folder(tmp_path / "model")
    first = open_model(folder / "decoder_model.onnx")
    after = open_model(folder / "decoder_with_past_model.onnx")
    assert (why_no_text(first), remembers(first)) == ("", False)
    assert (why_no_text(after), remembers(after)) == ("", True)


def test_other_models_say_why_they_do_not(samples):
    model = open_model(samples / "digits_float32.onnx")
    assert "no input takes token IDs" in why_no_text(model)
