import numpy as np
import pytest

from inspector.formats.opening import open_model
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.inputs.audio_windows import Framing, guess_framing
from inspector.preview.preprocessing.guess import guess
from inspector.preview.preprocessing.presets import common_presets, top_result
from inspector.preview.preprocessing.recipe import (
    IMAGENET_MEAN,
    IMAGENET_STD,
    ImagePreprocessing,
)

IMAGENET = {"scale": "1", "mean": IMAGENET_MEAN, "std": IMAGENET_STD}
# What each model's own documents say; see the table of the folder's README.
PICTURES = {
    "squeezenet1.1_fp16": ImagePreprocessing(224, 224, order="bgr"),
    "mobilenet_qdq_int8_maui": ImagePreprocessing(244, 244, **IMAGENET),
    "mnist_cntk_opset7_gray8_meta": ImagePreprocessing(28, 28, order="gray"),
    "cifar_like_imageclassifier_opset10": ImagePreprocessing(32, 32, scale="-1..1"),
    "fastestdet_opset11": ImagePreprocessing(352, 352, order="bgr", scale="1", filter="area"),
    "ultraface_rfb_320_ort_optimized": ImagePreprocessing(
        320, 240, mean=(127.0,), std=(128.0,)
    ),
    "superres_pytorch_opset15": ImagePreprocessing(224, 224, order="gray", scale="1"),
    "openseeface_lm_model0": ImagePreprocessing(224, 224, **IMAGENET),
}
SOUNDS = {
    "silero_vad_op16_if": Framing(576, 512, 64),
    "silero_vad_op18_ifless": Framing(576, 512, 64),
    "dnsmos_sig_bak_ovr": Framing(144_160, 16_000, repeat=True),
    "dtln_model_1": Framing(512, 128, 384, transform="magnitudes"),
    "basic_pitch_nmp": Framing(43_844, 36_164, 3_840, 22_050),
}


@pytest.mark.parametrize("name", PICTURES)
def test_the_right_preparation_is_among_the_first_two(name, shared):
    model = open_model(shared / f"real/{name}.onnx")
    guessed = guess(model.inputs[0], model.metadata, model.producer)
    assert guessed is not None
    assert PICTURES[name] in [preparation for _, preparation in common_presets(guessed)[:2]]


@pytest.mark.parametrize("name", SOUNDS)
def test_the_right_windows_are_guessed(name, shared):
    model = open_model(shared / f"real/{name}.onnx")
    found = guess_framing(model.inputs[0], model.inputs, model.outputs, model.metadata)
    assert found == SOUNDS[name]
    assert found.sure


def test_the_guess_comes_first_and_only_once():
    tried = common_presets(ImagePreprocessing(64, 64, scale="1"))
    assert tried[0][0] == "Suggested"
    assert len({preparation for _, preparation in tried}) == len(tried) > 5
    gray = common_presets(ImagePreprocessing(28, 28, order="gray"))
    assert {preparation.order for _, preparation in gray} == {"gray"}


def test_a_verdict_names_the_best_class():
    output = OutputValue("p", "tensor", "float32", np.array([[0.1, 0.7, 0.2]], np.float32))
    assert top_result([output], ("a", "b", "c"), 9, 9).text == "b"
    assert top_result([output], (), 9, 9).text == "class 1"
    assert top_result([output], (), 9, 9).share == pytest.approx(0.7)


def test_a_verdict_of_anything_else_is_its_range():
    output = OutputValue("y", "tensor", "float32", np.full((1, 3, 64, 64), 2.5, np.float32))
    assert top_result([output], (), 64, 64).text == "2.5"
