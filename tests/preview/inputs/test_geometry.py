from inspector.preview.inputs.image import WHOLE, placement
from inspector.preview.preprocessing.recipe import ImagePreprocessing


def test_a_stretched_picture_is_the_whole():
    assert placement(ImagePreprocessing(100, 100), 300, 200) == WHOLE


def test_what_was_padded_lies_beyond_the_original():
    place = placement(ImagePreprocessing(100, 100, resize="fit"), 200, 100)
    assert (place.left, place.right) == (0, 1)
    assert (place.top, place.bottom) == (-0.5, 1.5)
    assert place.y(0.5) == 0.5
    assert place.y(0.25) == 0


def test_what_was_cropped_lies_within_the_original():
    place = placement(ImagePreprocessing(100, 100, resize="crop"), 200, 100)
    assert (place.left, place.right) == (0.25, 0.75)
    assert (place.top, place.bottom) == (0, 1)


def test_a_letterbox_at_the_top_left_leaves_the_rest_at_the_right_and_below():
    preparation = ImagePreprocessing(100, 100, resize="fit", position="top-left")
    place = placement(preparation, 200, 100)
    assert (place.left, place.top, place.right, place.bottom) == (0, 0, 1, 2)
