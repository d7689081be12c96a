"""A sound as a picture: frequencies upwards, time to the right, brighter is louder."""

import numpy as np

from inspector.preview.decoders.dense import heated
from inspector.preview.picture import Picture
from inspector.preview.sound import Sound

WINDOW, MOST_COLUMNS, SHOWN_HZ, RANGE_DB = 512, 640, 8_000, 80.0


def spectrogram(sound: Sound) -> Picture | None:
    """Magnitudes of Hann windows in decibels below the loudest, up to SHOWN_HZ.

    uint8 (rows, columns, 3); None for less than two windows. Of a long sound every n-th
    window is taken, MOST_COLUMNS at most.
    """
    samples = np.nan_to_num(sound.samples)
    if len(samples) < 2 * WINDOW:
        return None
    starts = np.linspace(0, len(samples) - WINDOW, min(MOST_COLUMNS, len(samples) // 128))
    frames = samples[starts.astype(np.int64)[:, None] + np.arange(WINDOW)]
    sizes = np.abs(np.fft.rfft(frames * np.hanning(WINDOW)))
    kept = sizes[:, : max(8, int(min(1.0, 2 * SHOWN_HZ / sound.rate) * sizes.shape[1]))]
    loudest = float(kept.max()) or 1.0
    decibels = 20 * np.log10(np.maximum(kept / loudest, 10 ** (-RANGE_DB / 20)))
    return heated(decibels.T[::-1])[0]
