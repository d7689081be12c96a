"""What the table of families claims, and what it must not claim."""

import pytest

from inspector.formats.opening import open_model
from inspector.model.model import TensorInfo
from inspector.preview.families.family_table import recognize
from inspector.preview.outputs.labels import assumed
from tests.preview.families import planted


@pytest.mark.parametrize(
    "name", ["digits_float32", "tones_sound", "sequence_loop", "sharpen_float16"]
)
def test_models_of_no_family_are_not_claimed(samples, name):
    assert recognize(open_model(samples / f"{name}.onnx")) is None


def test_other_peoples_models_are_recognized_as_what_they_are(shared):
    found = {
        path.stem: family.key
        for path in sorted((shared / "real").glob("*.onnx"))
        if (family := recognize(open_model(path))) is not None
    }
    assert found == {
        "basic_pitch_nmp": "basic-pitch",
        "mnist_lr_scikit_zipmap": "scikit-learn",
        "silero_vad_op16_if": "silero-vad",
        "silero_vad_op18_ifless": "silero-vad",
        "xgboost_classifier_tree": "xgboost",
    }


def test_names_of_nodes_tell_lightgbm_from_xgboost(tmp_path):
    for name, key in (("LgbmClassifier", "lightgbm"), ("XGBClassifier", "xgboost")):
        path = planted.trees(tmp_path / f"{key}.onnx", False, "skl2onnx", name)
        family = recognize(open_model(path))
        assert family.key == key


PICTURE = TensorInfo("x", "tensor", "float32", (1, 3, 64, 64))
ROW = TensorInfo("x", "tensor", "float32", (1, 64))


@pytest.mark.parametrize(
    ("taken", "name", "shape", "key"),
    [
        (PICTURE, "logits", (1, 1000), "imagenet"),
        (PICTURE, "logits", ("batch", 1001), "imagenet-1001"),
        (PICTURE, "prob", (1, 1000, 1, 1), "imagenet"),
        (PICTURE, "output0", (1, 84, 8400), "coco"),
        (PICTURE, "output", (1, 25200, 85), "coco"),
        (PICTURE, "out", (1, 21, 64, 64), "voc-21"),
        (PICTURE, "logits", (1, 10), ""),  # digits, CIFAR-10 or Fashion-MNIST
        (PICTURE, "features", (1, 1000), ""),
        (PICTURE, "logits", (1, "classes"), ""),
        (ROW, "logits", (1, 1000), ""),
    ],
)
def test_labels_are_assumed_only_where_one_list_fits_a_model_of_pictures(
    taken, name, shape, key
):
    found = assumed([taken], [TensorInfo(name, "tensor", "float32", shape)])
    assert (found.key if found is not None else "") == key
