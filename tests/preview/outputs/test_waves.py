import numpy as np
import pytest

from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.inputs import audio
from inspector.preview.outputs import saving
from inspector.preview.outputs.audio_outputs import audio_of, mask_of_spectrum, scores, wav

TONE = np.sin(np.arange(1600) / 10).astype(np.float32) * 0.5


def value(name: str, array: object) -> OutputValue:
    return OutputValue(name, "tensor", "float32", np.asarray(array))


def test_a_row_named_after_sound_is_one_and_is_saved_as_such(tmp_path):
    output = value("audio_out", TONE.reshape(1, 1, 1600))
    saved = saving.save([output], tmp_path)
    assert [path.suffix for path in saved] == [".npy", ".wav"]
    heard = audio.read(saved[1])
    assert heard.rate == 16_000
    assert np.abs(heard.samples - TONE).max() < 1e-4


def test_sixteen_bits_come_back_and_what_is_too_loud_is_cut():
    integers = audio_of(value("pcm", (TONE * 32768).astype(np.int16)))
    assert np.abs(integers.samples - TONE).max() < 1e-4
    loud = audio_of(value("wav", TONE * 9))
    assert loud is not None
    assert len(wav(loud)) == 44 + 3200


@pytest.mark.parametrize(
    ("name", "shape"), [("logits", (1, 1600)), ("audio", (1, 80, 200)), ("audio", (1, 2))]
)
def test_other_outputs_are_no_sound(name, shape):
    assert audio_of(value(name, np.ones(shape, np.float32))) is None


@pytest.mark.parametrize(
    ("bins", "taken", "top", "is_mask"),
    [
        (257, 257, 1.0, True),
        (257, 257, 1.5, False),
        (256, 256, 1.0, False),
        (257, 80, 1.0, False),
    ],
)
def test_shares_of_the_bins_of_a_spectrum_are_a_mask(bins, taken, top, is_mask):
    output = value(
        "Identity", np.linspace(0, top, 3 * bins, dtype=np.float32).reshape(3, 1, bins)
    )
    inputs = (TensorInfo("in", "tensor", "float32", (1, 1, taken)),)
    assert (mask_of_spectrum(inputs, output) is not None) == is_mask


SPEECH = (TensorInfo("x", "tensor", "float32", ("N", 144_160)),)


def answer(array: object) -> tuple[OutputValue, ...]:
    return (OutputValue("y", "tensor", "float32", np.array(array, np.float32)),)


def test_raw_answers_become_three_scores():
    found = dict(scores(SPEECH, answer([[1, 1, 1], [3, 3, 3]])))
    assert found["Overall (OVRL)"] == pytest.approx((1.09382 + 2.78345) / 2, abs=1e-3)
    assert len(found) == 3


def test_other_models_have_no_such_scores():
    input_of_any = (TensorInfo("x", "tensor", "float32", ("N", 16_000)),)
    assert not scores(input_of_any, answer([[1, 1, 1]]))
    assert not scores(SPEECH, answer([[1, 1]]))
