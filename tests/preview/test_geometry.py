from inspector.preview.geometry import WHOLE, placement
from inspector.preview.preparation import ImagePreparation


def test_a_stretched_picture_is_the_whole() -> None:
    assert placement(ImagePreparation(100, 100), 300, 200) == WHOLE


def test_what_was_padded_lies_beyond_the_original() -> None:
    place = placement(ImagePreparation(100, 100, resize="fit"), 200, 100)
    assert (place.left, place.right) == (0, 1)
    assert (place.top, place.bottom) == (-0.5, 1.5)
    assert place.y(0.5) == 0.5
    assert place.y(0.25) == 0


def test_what_was_cropped_lies_within_the_original() -> None:
    place = placement(ImagePreparation(100, 100, resize="crop"), 200, 100)
    assert (place.left, place.right) == (0.25, 0.75)
    assert (place.top, place.bottom) == (0, 1)
