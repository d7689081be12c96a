from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from inspector.errors import BadInput
from inspector.formats import opening
from inspector.model.model import Model
from inspector.preview.inputs.image import ImagePreprocessing
from inspector.preview.inputs.image_files import SUFFIXES
from inspector.preview.preprocessing.guess import guess
from inspector.report.run_spec import Dimension, RunSpec
from inspector.ui.tabs.preview.fill_inputs import (
    SHOWN_SIDE,
    Choice,
    Filling,
    ImageChoice,
    ValuesChoice,
    fill,
    preprocessing_text,
    subject_of,
)
from inspector.ui.tabs.preview.inputs.input_editor import samples as tries


@pytest.fixture
def sharpen(samples: Path) -> Model:
    return opening.open_model(samples / "sharpen_float16.onnx")


def filled_with(model: Model, choices: Mapping[str, Choice], **lengths: int) -> Filling:
    sizes = tuple(Dimension(name, length) for name, length in lengths.items())
    return fill(subject_of(None, model, choices, RunSpec(dimensions=sizes)))


def photo(model: Model, height: int, width: int) -> ImageChoice:
    (info,) = model.inputs
    preparation = guess(info, model.metadata, model.producer)
    assert preparation is not None
    return ImageChoice(preparation, picture=np.full((height, width, 3), 200, np.uint8))


def test_a_picture_gives_its_own_size_to_free_axes(sharpen):
    filling = filled_with(sharpen, {"picture": photo(sharpen, 30, 50)})
    (filled,) = filling.filled
    assert filled.array.shape == (1, 3, 30, 50)
    assert filling.lengths == {"height": 30, "width": 50}
    assert filled.value == "pasted image"


def test_a_chosen_length_stands_against_a_picture_of_another(sharpen):
    with pytest.raises(BadInput, match="expects 1×3×16×width"):
        filled_with(sharpen, {"picture": photo(sharpen, 30, 50)}, height=16)


def test_a_large_picture_is_shown_small_and_predicted_whole(sharpen):
    filling = filled_with(sharpen, {"picture": photo(sharpen, 700, 1400)})
    seen = filling.images["picture"]
    assert seen.shown.shape == (SHOWN_SIDE // 2, SHOWN_SIDE, 3)
    assert filling.filled[0].array.shape == (1, 3, 700, 1400)


def test_inputs_without_a_choice_get_what_is_usual(samples):
    model = opening.open_model(samples / "sequence_loop.onnx")
    signal = samples / "inputs" / "sequence.npy"
    filling = filled_with(model, {"signal": ValuesChoice(str(signal))})
    assert [filled.name for filled in filling.filled] == ["signal", "state"]
    assert filling.filled[0].value == "sequence.npy"
    assert not filling.filled[1].array.any()
    statistics = filling.statistics["state"]
    assert (statistics.minimum, statistics.maximum) == (0, 0)


def test_a_preparation_is_told_in_one_line():
    own = ImagePreprocessing(0, 0, order="gray", scale="-1..1")
    assert preprocessing_text(own) == "Original size, gray, -1..1"
    fixed = ImagePreprocessing(224, 200, "crop", order="bgr")
    assert preprocessing_text(fixed) == "Crop to 224 × 200, BGR, 0..255"


def test_our_samples_come_with_inputs_to_try_them_on(samples):
    digits = opening.open_model(samples / "digits_int8_qdq.onnx")
    names = [path.name for path in tries(digits.name, digits.inputs[0], SUFFIXES)]
    assert names == ["digit_0.png", "digit_3.png", "digit_5.png", "digit_7.png", "digit_8.png"]
    for other in tries("another.onnx", digits.inputs[0], SUFFIXES):
        assert other.is_file()
    assert tries("another.onnx", digits.inputs[0], ()) == ()
    for other in tries("another.onnx", digits.inputs[0], (".wav",)):
        assert other.is_file()
        assert other.suffix == ".wav"
