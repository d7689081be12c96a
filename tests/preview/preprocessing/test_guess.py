import pytest

from inspector.model.model import Axis, TensorInfo
from inspector.preview.preprocessing.guess import guess, range_text
from inspector.preview.preprocessing.recipe import IMAGENET_MEAN


def tensor(
    *shape: Axis, dtype: str = "float32", name: str = "x", meaning: str = ""
) -> TensorInfo:
    return TensorInfo(name, "tensor", dtype, shape, meaning)


@pytest.mark.parametrize(
    "info",
    [
        tensor(1, 3, 224, 224),
        tensor("batch", 3, "height", "width"),
        tensor(None, 1, 28, 28),
        tensor(1, 480, 640, 3, dtype="uint8"),
        tensor(3, 96, 96),
        tensor(96, 96, 4),
        tensor(1, None, 28, 28, meaning="IMAGE"),
    ],
)
def test_an_input_shaped_like_a_picture_is_one(info):
    assert guess(info) is not None


@pytest.mark.parametrize(
    "info",
    [
        tensor("batch", 4),
        tensor(1, 1, 257),
        tensor(1, 2, 128, 2),
        tensor("n", 43844, 1),
        tensor("batch", 3, "past_sequence_length", 64),
        tensor("batch", "points", 3),
        tensor(64, 64, 1),  # rank 3: a table of one sequence
        tensor(1, 4, 64, 64, name="latent_sample"),
        tensor(1, 1, 64, 64, name="attention_mask"),
        tensor(1, 3, 8, 5000),
        tensor(1, 3, 224, 224, dtype="int64"),
        tensor(1, 3, 224, 224, dtype="string"),
        TensorInfo("x", "tensor", "float32", None),
    ],
)
def test_other_shapes_and_names_are_no_pictures(info):
    assert guess(info) is None


def test_layout_and_size_come_from_the_shape():
    upright = guess(tensor(1, 3, 240, 320))
    assert (upright.layout, upright.width, upright.height) == ("nchw", 320, 240)
    inside_out = guess(tensor("n", 240, None, 3))
    assert (inside_out.layout, inside_out.width, inside_out.height) == ("nhwc", 0, 240)


def test_metadata_of_windows_ml_wins():
    told = [("Image.BitmapPixelFormat", "Bgr8"), ("Image.NominalPixelRange", "Normalized_1_1"),
            ("Image.ColorSpaceGamma", "Linear")]  # fmt: skip
    found = guess(tensor(1, 3, 224, 224), told)
    assert (found.order, found.scale, found.gamma, found.mean) == ("bgr", "-1..1", "linear", ())
    assert "Bgr8" in found.why


def test_a_pixel_format_that_contradicts_the_channels_is_not_believed():
    found = guess(tensor(1, 1, 28, 28), [("Image.BitmapPixelFormat", "Bgr8")])
    assert found.order == "gray"


@pytest.mark.parametrize(
    ("info", "producer", "order", "words"),
    [
        (tensor(1, 3, 224, 224, dtype="uint8"), "", "rgb", "0..255"),
        (tensor(1, 3, 224, 224, dtype="int8"), "", "rgb", "-128..127"),
        (tensor(1, 3, 224, 224), "pytorch", "rgb", "-2.12..2.64"),
        (tensor(1, 3, 224, 224, dtype="float16"), "onnx-caffe2", "bgr", "0..255"),
        (tensor(1, 3, 32, 32), "pytorch", "rgb", "-1..1"),
        (tensor(1, 3, 352, 352), "pytorch", "bgr", "0..1"),
        (tensor(1, 3, 240, 320), "pytorch", "rgb", "-0.992..1"),
        (tensor(1, 224, 224, 3), "tf2onnx", "rgb", "0..1"),
        (tensor(1, 1, 224, 224), "", "gray", "0..1"),
    ],
)
def test_type_and_shape_suggest_the_usual_range(info, producer, order, words):
    found = guess(info, (), producer)
    assert (found.order, range_text(found)) == (order, words)
    assert found.why


def test_only_what_classifiers_take_gets_the_mean_of_imagenet():
    classifier, detector = guess(tensor(1, 3, 224, 224)), guess(tensor(1, 3, 352, 352))
    assert (classifier.mean, detector.mean) == (IMAGENET_MEAN, ())


@pytest.mark.parametrize(
    ("shape", "family", "scale", "order"),
    [
        ((1, 25200, 85), "YOLO v5 to v7", "1", "rgb"),
        ((1, 84, 8400), "YOLO v8 to v12", "1", "rgb"),
        (("batch", 84, 8400), "YOLO v8 to v12", "1", "rgb"),
        ((1, 300, 6), "YOLO v10, finished boxes", "1", "rgb"),
        ((1, 3549, 85), "YOLOX", "255", "bgr"),
    ],
)
def test_yolo_without_metadata_takes_a_letterbox(shape, family, scale, order):
    side = 416 if family == "YOLOX" else 640
    found = guess(tensor(1, 3, side, side), outputs=(tensor(*shape, name="output0"),))
    assert (found.resize, found.fill, found.scale, found.order) == ("fit", 114, scale, order)
    assert family in found.why


def test_a_picture_that_gives_a_picture_is_cropped_and_not_squeezed():
    luma = tensor("batch", 1, 224, 224)
    found = guess(luma, outputs=(tensor("batch", 1, 672, 672, name="y"),))
    assert (found.resize, found.scale) == ("crop", "1")
    assert "cropped, because stretching" in found.why
    for other in (tensor("batch", 10), tensor(1, 3, 672, 672), tensor(1, 1, 670, 672)):
        stretched = guess(luma, outputs=(other,))
        assert stretched.resize == "stretch"
    own = guess(tensor(1, 3, "h", "w"), outputs=(tensor(1, 3, "h", "w"),))
    assert own.resize == "stretch"


def test_yolo_heads_without_metadata_take_a_letterbox():
    heads = [tensor(1, 3, side, side, 85, name=f"head{side}") for side in (80, 40, 20)]
    found = guess(tensor(1, 3, 640, 640), outputs=heads)
    assert found.resize == "fit"


def test_a_classifier_is_not_taken_for_yolo():
    found = guess(tensor(1, 3, 640, 640), outputs=(tensor(1, 1000),))
    assert found.resize == "stretch"
