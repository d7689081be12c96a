import numpy as np
import pytest

from inspector.errors import BadInput
from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.inputs.feeds import Filled
from inspector.preview.runs import parity


def value(name: str, array: object) -> OutputValue:
    return OutputValue(name, "tensor", "float32", np.asarray(array, np.float32))


def test_outputs_are_paired_by_name_and_else_by_place():
    first = [value("a", [1, 2]), value("b", [3, 4])]
    (a, b) = parity.outputs(first, [value("b", [3, 5]), value("a", [1, 2])])
    assert (a.other, b.other) == ("a", "b")
    assert a.difference.identical
    assert b.difference.max_abs == 1
    (x, y) = parity.outputs(first, [value("x", [1, 2]), value("y", [3, 4])])
    assert (x.other, y.other) == ("x", "y")
    (_, missing) = parity.outputs(first, [value("x", [1, 2])])
    assert missing.problem


def test_limits_hold_where_an_output_meets_them():
    found = parity.outputs([value("a", [1.0, 2.0])], [value("a", [1.0, 2.5])])
    assert parity.limit("max_abs>0.4").broken_by(found) == ("a",)
    assert parity.limit("output.max_abs>0.5").broken_by(found) == ()
    assert parity.limit("unequal>=1").broken_by(found) == ("a",)
    assert parity.limit("psnr<1e2").broken_by(found) == ("a",)
    with pytest.raises(BadInput, match="no such metric"):
        parity.limit("max>1")


def test_a_heat_map_is_hottest_where_the_difference_is_largest():
    first = np.zeros((1, 3, 16, 20), np.float32)
    second = first.copy()
    second[0, 1, 4, 7] = 2
    shown = parity.heat(first, second)
    assert shown.picture.shape == (16, 20, 3)
    assert (shown.low, shown.high) == (0, 2)
    brightest = shown.picture.astype(int).sum(axis=2)
    assert np.unravel_index(brightest.argmax(), brightest.shape) == (4, 7)


@pytest.mark.parametrize(
    "shape", [(1000,), (1, 10), (4, 3000), (1, 16, 16, 3), (2, 3, 4, 5, 6)]
)
def test_a_heat_map_of_any_shape_has_a_bounded_size(shape):
    generator = np.random.default_rng(0)
    first, second = generator.random((2, *shape))
    shown = parity.heat(first, second)
    assert max(shown.picture.shape) <= 1024


def test_there_is_nothing_to_draw_of_texts_and_other_shapes():
    assert parity.heat(np.array(["a"], object), np.array(["b"], object)) is None
    assert parity.heat(np.zeros(3), np.zeros(4)) is None
    nothing = parity.heat(np.array([np.nan]), np.array([1.0]))
    assert nothing is not None


def test_another_model_gets_the_same_tensors_where_it_takes_them():
    filled = (Filled("x", "zeros", np.zeros((1, 4), np.float32), dtype="float32"),)
    (same,) = parity.for_model(filled, [TensorInfo("y", "tensor", "float32", (None, 4))]) or ()
    assert same.name == "y"
    for dtype, shape in (("float16", (1, 4)), ("float32", (1, 5)), ("float32", (4,))):
        assert parity.for_model(filled, [TensorInfo("x", "tensor", dtype, shape)]) is None
    half = [TensorInfo("x", "tensor", "float16", (1, 4))]
    (other,) = parity.for_model(filled, half, cast=True) or ()
    assert (other.array.dtype, other.dtype) == (np.float16, "float16")
    whole = [TensorInfo("x", "tensor", "int64", (1, 4))]
    assert parity.for_model(filled, whole, cast=True) is None, "only floating-point values"


def test_channels_move_where_only_the_layout_differs():
    """A picture with channels first, and the same model converted to channels last."""
    first = np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4)
    last = np.moveaxis(first, 1, -1)
    (pair,) = parity.outputs([value("y", first)], [value("Identity", last)])
    assert pair.difference.identical
    assert pair.axes == (0, 3, 1, 2)
    given = [Filled("x", "random:0", first, dtype="float32")]
    shape = (None, 3, 4, 2)
    taken = parity.for_model(given, [TensorInfo("image", "tensor", "float32", shape)])
    np.testing.assert_array_equal(taken[0].array, last)
    assert "'image' (1×2×3×4 as 1×3×4×2)" in parity.layout_note(given, taken)
    assert (
        parity.for_model(given, [TensorInfo("image", "tensor", "float32", (1, 4, 3, 2))])
        is None
    )
    (wrong,) = parity.outputs([value("y", first)], [value("y", first.reshape(1, 4, 3, 2))])
    assert wrong.problem


def test_values_for_an_input_follow_it_to_another_model_by_name_or_else_by_place():
    def infos(*names: str) -> list[TensorInfo]:
        return [TensorInfo(name, "tensor", "float32", (1, 4)) for name in names]

    mine = infos("a", "b", "c")
    assert parity.values_for({"a": "1", "c": "2"}, mine, infos("c", "a")) == {
        "a": "1",
        "c": "2",
    }
    assert parity.values_for({"b": "1", "a": "2"}, mine, infos("x", "y")) == {
        "y": "1",
        "x": "2",
    }
    for given in ({"c": "1"}, {"d": "1"}):
        with pytest.raises(BadInput, match="no input for"):
            parity.values_for(given, mine, infos("x", "y"))


def test_indices_are_counted_and_have_no_decibels():
    """Boxes that a non-maximum suppression chose: 14 of 20 are the same."""
    chosen = np.arange(20)
    other = np.where(chosen < 14, chosen, chosen + 500)
    pair = [OutputValue("chosen", "tensor", "int64", each) for each in (chosen, other)]
    (found,) = parity.outputs(pair[:1], pair[1:])
    assert parity.summary_text(found) == "14 of 20 values are the same"
    pixels = [
        OutputValue("y", "tensor", "uint8", each.astype(np.uint8)) for each in (chosen, other)
    ]
    assert "PSNR" in parity.summary_text(parity.outputs(pixels[:1], pixels[1:])[0])


def test_frames_of_a_sound_have_no_highest_class():
    sound = np.sin(np.arange(512) / 7)[None] * 0.4
    (frames,) = parity.outputs([value("audio", sound)], [value("audio", sound * 0.9)])
    assert "top-1" not in parity.summary_text(frames)
    scores = np.full((1, 10), 0.01) + np.eye(10)[3] * 0.9
    (classes,) = parity.outputs(
        [value("probabilities", scores)], [value("probabilities", scores * 0.99)]
    )
    assert "same top class in 100.0% of rows" in parity.summary_text(classes)
