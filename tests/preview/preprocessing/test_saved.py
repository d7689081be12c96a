import pytest

from inspector.errors import BadInput, UnreadableFile
from inspector.preview.inputs.audio_windows import Framing
from inspector.preview.preprocessing import saved
from inspector.preview.preprocessing.recipe import ImagePreprocessing
from inspector.preview.preprocessing.saved import SavedPreprocessing

PICTURE = ImagePreprocessing(32, 16, order="bgr", mean=(1.0, 2.0, 3.0), why="a guess")
KEPT = SavedPreprocessing(
    {"x": PICTURE}, {"s": Framing(576, 512, 64)}, {"n": 2}, ("cat", "dog")
)


def test_what_is_written_comes_back_and_says_from_where():
    found = saved.decode(saved.encode(KEPT, "net.onnx"), "net.onnx.inspector.json")
    assert (found.pictures, found.sounds) == (KEPT.pictures, KEPT.sounds)
    assert (found.dimensions, found.labels) == ({"n": 2}, ("cat", "dog"))
    assert found.pictures["x"].why == "saved in net.onnx.inspector.json"
    assert found.sounds["s"].sure
    assert found.text == "2 inputs, 1 dimension, 2 class names"
    assert b"a guess" not in saved.encode(KEPT, "net.onnx")


def test_a_side_car_goes_before_metadata(tmp_path):
    model = tmp_path / "net.onnx"
    assert saved.load(model, ()) is saved.NONE_SAVED
    metadata = ((saved.METADATA_KEY, saved.encode(KEPT, "net.onnx").decode()),)
    assert saved.load(model, metadata).source == "the model's metadata"
    other = SavedPreprocessing(labels=("a",))
    saved.sidecar_path(model).write_bytes(saved.encode(other, "net.onnx"))
    assert saved.load(model, metadata).labels == ("a",)


def test_a_file_name_that_is_no_text_can_be_written_down():
    assert b"a\\\\udcff.onnx" in saved.encode(KEPT, "a\udcff.onnx")


def test_a_model_with_the_longest_of_names_has_no_side_car(tmp_path):
    assert saved.load(tmp_path / ("n" * 250 + ".onnx"), ()) is saved.NONE_SAVED


def test_fields_of_a_later_version_do_no_harm():
    body = b'{"schema": "preparation/1", "later": 1, "labels": ["a"]}'
    assert saved.decode(body, "x").labels == ("a",)


@pytest.mark.parametrize("body", [b"", b"{}", b"[" * 100_000, b'{"schema": "preparation/2"}'])
def test_anything_else_is_a_sentence(body):
    with pytest.raises(UnreadableFile, match="Could not read the preprocessing in x"):
        saved.decode(body, "x")
    with pytest.raises(BadInput, match="no order"):
        saved.decode(
            b'{"schema": "preparation/1", "pictures": '
            b'{"x": {"width": 1, "height": 1, "order": "xyz"}}}',
            "x",
        )
