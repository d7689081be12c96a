import numpy as np
import pytest

from inspector.errors import BadInput
from inspector.model.model import TensorInfo
from inspector.preview.inputs.audio import Audio
from inspector.preview.inputs.audio_windows import Framing, cut_frames, guess_framing


def info(name: str, *shape: int | str | None, dtype: str = "float32") -> TensorInfo:
    return TensorInfo(name, "tensor", dtype, shape)


def ramp(length: int, rate: int = 16_000) -> Audio:
    return Audio(np.arange(1, length + 1, dtype=np.float32) / 100_000, rate, 1)


ROW = info("input", "batch", "samples")
SPEECH = ROW, info("state", 2, "batch", 128), info("sr", dtype="int64")
SPEECH_OUT = info("output", "batch", 1), info("stateN", 2, "batch", 128)


def test_a_row_that_no_memory_holds_is_no_window():
    row = info("audio", 1, 2**63 - 1)
    assert guess_framing(row, (row,), ()) is None
    with pytest.raises(BadInput, match="not a valid combination"):
        Framing(2**40, 512)


def test_windows_overlap_and_the_first_has_silence_for_a_past():
    sound = ramp(1200)
    steps = cut_frames(sound, Framing(576, 512, 64), ROW)
    assert steps.shape == (3, 1, 576)
    assert not steps[0, 0, :64].any()
    assert np.array_equal(steps[0, 0, 64:], sound.samples[:512])
    assert np.array_equal(steps[1, 0], sound.samples[448:1024])
    assert np.array_equal(steps[2, 0, : 1200 - 960], sound.samples[960:])
    assert not steps[2, 0, 1200 - 960 :].any()


def test_a_short_sound_is_repeated_where_its_model_wants_that():
    wanted = info("x", "N", 1000)
    steps = cut_frames(ramp(300), Framing(1000, 500, repeat=True), wanted)
    assert steps.shape == (1, 1, 1000)
    assert np.array_equal(steps[0, 0, 300:600], steps[0, 0, :300])


def test_a_sound_is_brought_to_the_rate_of_the_model():
    assert len(cut_frames(ramp(8_000, 8_000), Framing(1600, 1600), info("x", 1, 1600))) == 10


def test_the_spectrum_of_a_window_has_half_its_values_and_one():
    tone = Audio(np.cos(np.arange(4096) / 512 * 2 * np.pi * 40).astype(np.float32), 16_000, 1)
    steps = cut_frames(tone, Framing(512, 128, transform="magnitudes"), info("x", 1, 1, 257))
    assert steps.shape[1:] == (1, 1, 257)
    assert steps[3].argmax() == 40


def test_sixteen_bits_are_scaled():
    steps = cut_frames(
        Audio(np.full(64, 0.5, np.float32), 16_000, 1),
        Framing(64, 64),
        info("x", 64, dtype="int16"),
    )
    assert steps.dtype == np.int16
    assert (steps == 16_384).all()


@pytest.mark.parametrize(
    ("row", "window", "hop", "context", "rate"),
    [(144_160, 144_160, 16_000, 0, 16_000), (43_844, 43_844, 36_164, 3_840, 22_050),
     (4096, 4096, 4096, 0, 16_000)],
)  # fmt: skip
def test_a_fixed_row_tells_the_window(row, window, hop, context, rate):
    audio = info("x", "N", row)
    found = guess_framing(audio, (audio,), ())
    assert found == Framing(window, hop, context, rate, repeat=row == 144_160)
    assert found.why


def test_voice_activity_takes_context_before_each_window():
    assert guess_framing(ROW, SPEECH, SPEECH_OUT) == Framing(576, 512, 64)
    assert guess_framing(SPEECH[1], SPEECH, SPEECH_OUT) is None


def test_what_takes_a_sound_whole_or_none_is_not_framed():
    assert guess_framing(ROW, (ROW,), ()) is None
    for other in (
        info("x", 1, 3, 224, 224),
        info("x", 1, 13),
        info("x", 1, 512, dtype="int32"),
    ):
        assert guess_framing(other, (other,), ()) is None


def test_metadata_tell_the_rate():
    audio = info("x", 1, 4800)
    found = guess_framing(audio, (audio,), (), (("sample_rate", "48000"),))
    assert found.rate == 48_000


def test_frames_that_do_not_fit_are_refused_with_the_length_that_does():
    with pytest.raises(BadInput, match="expects 1,000"):
        cut_frames(ramp(2000), Framing(512, 512), info("x", 1, 1000))
    with pytest.raises(BadInput, match="hop"):
        Framing(512, 0)
