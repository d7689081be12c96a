import numpy as np

from inspector.preview.inputs.audio import MOST_COLUMNS, Audio, spectrogram


def test_a_tone_is_a_bright_line_at_its_height():
    tone = np.sin(2 * np.pi * 2_000 * np.arange(32_000) / 16_000).astype(np.float32)
    found = spectrogram(Audio(tone, 16_000, 1))
    rows, columns, _ = found.shape
    brightest = found.sum(axis=2).argmax(axis=0)
    assert np.unique(brightest).tolist() == [rows - 1 - 64]  # 2,000 of 8,000 Hz in 257 rows
    assert columns == 32_000 // 128


def test_long_ones_are_thinned_and_short_ones_have_none():
    noise = np.random.default_rng(0).normal(size=2_000_000).astype(np.float32)
    found = spectrogram(Audio(noise, 44_100, 2))
    assert found.shape[1] == MOST_COLUMNS
    assert spectrogram(Audio(noise[:1000], 44_100, 1)) is None
    silent = spectrogram(Audio(np.zeros(4_096, np.float32), 16_000, 1))
    assert silent is not None
