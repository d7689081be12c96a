"""Outputs that are sound: known by their name and shape, and written as .wav files."""

import io
import re
import wave
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from inspector.model.model import TensorInfo
from inspector.model.tensors.prediction import OutputValue
from inspector.preview.families.piano_notes import Meaning
from inspector.preview.inputs.audio import Audio
from inspector.preview.inputs.default_values import SAMPLE_RATE

SHORTEST = 256
SPEECH_RATE = 22_050  # of VITS trained on LJ Speech, and of most Piper voices
_FEWEST_BINS = 32  # of an FFT of 64 samples; fewer numbers are no spectrum
_NAMED = re.compile(r"audio|wav|speech|pcm|waveform|sound|vocal", re.I)
_FULL = 32767
QUALITY_SAMPLES = 144_160  # 9.01 s at 16 kHz
QUALITY_SCORES = {
    "Speech (SIG)": (-0.08397278, 1.22083953, 0.0052439),
    "Background (BAK)": (-0.13166888, 1.60915514, -0.39604546),
    "Overall (OVRL)": (-0.06766283, 1.11546468, 0.04602535),
}


def audio_of(output: OutputValue) -> Audio | None:
    """Return the output as a sound; None unless it is one row of samples that is named after
    one. The model does not tell the rate; integers of 16 bits are brought to -1..1."""
    array = output.array
    if array is None or array.dtype not in (np.float16, np.float32, np.float64, np.int16):
        return None
    one_row = array.size >= SHORTEST and max(array.shape, default=0) == array.size
    if not one_row or not _NAMED.search(output.name):
        return None
    row = array.ravel().astype(np.float32)
    if array.dtype == np.int16:
        row /= np.float32(_FULL + 1)
    return Audio(row, SAMPLE_RATE, 1)


def mask_of_spectrum(inputs: Sequence[TensorInfo], output: OutputValue) -> Meaning | None:
    """Return what an output means that says which part of each frequency to keep.

    None unless it has as many frequency bins as an input, of an FFT, and lies between 0 and 1.
    """
    array = output.array
    bins = output.shape[-1] if output.shape else 0
    of_fft = bins > _FEWEST_BINS and (bins - 1) & (bins - 2) == 0  # a power of two, and 0 Hz
    same = any(info.shape and info.shape[-1] == bins for info in inputs)
    if array is None or array.dtype.kind != "f" or not (of_fft and same and array.size):
        return None
    if not 0 <= array.min() <= array.max() <= 1:
        return None
    return Meaning(
        "Mask of the spectrum (assumed): 1 keeps a frequency, 0 removes it",
        f"{bins} frequencies from 0 Hz",
    )


def wav(sound: Audio) -> bytes:
    """Return a sound as the bytes of a .wav file, 16 bits a sample; louder than -1..1 is cut
    off."""
    level: NDArray[np.float32] = np.clip(np.nan_to_num(sound.samples), -1, 1)
    body = io.BytesIO()
    with wave.open(body, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(sound.rate)
        file.writeframes(np.rint(level * _FULL).astype("<i2").tobytes())
    return body.getvalue()


def scores(
    inputs: Sequence[TensorInfo], outputs: Sequence[OutputValue]
) -> tuple[tuple[str, float], ...]:
    """Return the scores from 1 (bad) to 5 (excellent) with their names, the mean over all
    windows. Empty where the model is not one input of 144,160 samples with one output of
    three."""
    one = len(inputs) == len(outputs) == 1
    fits = one and (inputs[0].shape or ())[-1:] == (QUALITY_SAMPLES,)
    array = outputs[0].array if fits else None
    if array is None or array.dtype.kind != "f" or not array.size or array.shape[-1] != 3:
        return ()
    raw = array.reshape(-1, 3).astype(np.float64)
    columns = zip(QUALITY_SCORES.items(), raw.T, strict=True)
    return tuple((name, float(np.polyval(p, column).mean())) for (name, p), column in columns)
