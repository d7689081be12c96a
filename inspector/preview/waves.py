"""Outputs that are sound: known by their name and shape, and written as .wav files."""

import io
import re
import wave

import numpy as np
from numpy.typing import NDArray

from inspector.prediction import OutputValue
from inspector.preview.sound import Sound
from inspector.preview.usual import SAMPLE_RATE

SHORTEST = 256
_NAMED = re.compile(r"audio|wav|speech|pcm|waveform|sound|vocal", re.I)
_FULL = 32767


def sound_of(output: OutputValue, rate: int = SAMPLE_RATE) -> Sound | None:
    """The output as a sound; None unless it is one row of samples that is named after one.

    The model does not tell the rate; integers of 16 bits are brought to -1..1.
    """
    array = output.array
    if array is None or array.dtype not in (np.float16, np.float32, np.float64, np.int16):
        return None
    one_row = array.size >= SHORTEST and max(array.shape, default=0) == array.size
    if not one_row or not _NAMED.search(output.name):
        return None
    row = array.ravel().astype(np.float32)
    if array.dtype == np.int16:
        row /= np.float32(_FULL + 1)
    return Sound(row, rate, 1)


def wav(sound: Sound) -> bytes:
    """A sound as the bytes of a .wav file, 16 bits a sample; louder than -1..1 is cut off."""
    level: NDArray[np.float32] = np.clip(np.nan_to_num(sound.samples), -1, 1)
    body = io.BytesIO()
    with wave.open(body, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(sound.rate)
        file.writeframes(np.rint(level * _FULL).astype("<i2").tobytes())
    return body.getvalue()
