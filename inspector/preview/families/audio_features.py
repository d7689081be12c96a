"""A whole sound as what a family's input takes: samples, log-mel or filter-bank energies.

Sources: openai/whisper whisper/audio.py and librosa.filters.mel (Slaney's scale and norm);
Kaldi's feature-fbank.cc with the settings of wespeaker (Hamming window, no dither);
Wav2Vec2FeatureExtractor.zero_mean_unit_var_norm of Hugging Face's transformers.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.errors import BadInput
from inspector.model.model import Model, TensorInfo
from inspector.model.tensors.element_types import Tensor, numpy_type
from inspector.preview.families.family_table import (
    FBANK_BINS,
    WHISPER_BINS,
    WHISPER_FRAMES,
    fbank_input,
    mel_input,
    recognize,
    waveform_input,
)
from inspector.preview.families.model_structure import Structure, axis
from inspector.preview.inputs import audio
from inspector.preview.inputs.default_values import SAMPLE_RATE

WAVEFORM = "waveform"
LOG_MEL = "log-mel"
FBANK = "fbank"
FULL_SCALE = 32_768.0  # of 16-bit samples, which Kaldi computes with
MEL_WINDOW = 400
MEL_HOP = 160
_MEL_RANGE = 8.0  # powers of ten below the highest that are kept
_FBANK_WINDOW_SECONDS = 0.025
_FBANK_HOP_SECONDS = 0.010
_LOWEST_HZ = 20.0
_PREEMPHASIS = 0.97
_BLOCK = 4_096  # frames at once, so that an hour of sound does not fill the memory
_TINY = float(np.finfo(np.float32).eps)
_VARIANCE_FLOOR = 1e-7  # of Wav2Vec2FeatureExtractor
_RATE_KEYS = ("sample_rate", "sampling_rate", "samplerate")
Numbers = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Features:
    """Settings that turn audio into an input.

    kind: WAVEFORM, LOG_MEL or FBANK. rate: samples per second. normalized: samples get mean 0
    and variance 1; energies have their mean over time subtracted. scale: samples are multiplied
    by it.
    bins: of a spectrum. frames_first: (frames, bins) instead of (bins, frames).
    why: where the values come from, for people.
    """

    kind: str
    rate: int = SAMPLE_RATE
    normalized: bool = False
    scale: float = 1.0
    bins: int = 0
    frames_first: bool = True
    why: str = field(default="", compare=False)

    def text(self) -> str:
        """Return it in a few words: '16,000 Hz, mean 0 and variance 1'."""
        parts = [f"{self.rate:,} Hz"]
        if self.kind == LOG_MEL:
            parts.append(f"log-mel spectrogram of {self.bins} bins, 30 s")
        if self.kind == FBANK:
            parts.append(f"{self.bins} filter-bank energies per frame")
        if self.scale != 1:
            parts.append(f"times {self.scale:,.0f}")
        if self.normalized:
            waveform = self.kind == WAVEFORM
            parts.append("mean 0 and variance 1" if waveform else "mean over time subtracted")
        return ", ".join(parts)


def features_of(model: Model) -> Mapping[str, Features]:
    """Return the inputs of a model that take a whole sound, with how it becomes them."""
    family = recognize(model)
    if family is None:
        return {}
    structure, metadata = Structure(model), dict(model.metadata)
    rates = (int(metadata[key]) for key in _RATE_KEYS if metadata.get(key, "").isdecimal())
    rate = next((r for r in rates if 0 < r <= audio.FASTEST), SAMPLE_RATE)
    why = f"{family.name}: {family.source}"
    if family.key in ("whisper-encoder", "whisper-like"):
        mel = mel_input(structure)
        bins = axis(mel, 1) if mel is not None else None
        if mel is None:
            return {}
        features = Features(LOG_MEL, bins=bins if isinstance(bins, int) else WHISPER_BINS[0],
                            frames_first=False, why=why)  # fmt: skip
        return {mel.name: features}
    if family.key == "speaker":
        bank = fbank_input(structure)
        if bank is None:
            return {}
        last = axis(bank, 2) == FBANK_BINS
        features = Features(FBANK, rate, True, FULL_SCALE, FBANK_BINS, last, why)
        return {bank.name: features}
    if family.key == "wav2vec2":
        row = waveform_input(structure)
        free = row is not None and not isinstance(axis(row, 1), int)
        return {row.name: Features(WAVEFORM, rate, True, why=why)} if row and free else {}
    return {}


def read(path: Path, features: Features, info: TensorInfo) -> tuple[Tensor, str]:
    """Make the tensor of an input from a sound file; and words about it.

    Raises UnreadableFile: damaged. BadInput: too short for one frame, or another shape.
    """
    return tensor_of(audio.read(path), features, info)


def tensor_of(sound: audio.Audio, features: Features, info: TensorInfo) -> tuple[Tensor, str]:
    """Make the tensor of an input from a sound; and words about it. Raises as `read`."""
    samples = audio.resample(sound, features.rate).samples
    array = compute_features(samples, features, info.name)
    wanted = axis(info, -1 if features.kind == WAVEFORM or not features.frames_first else 1)
    array = _cut(array, wanted, features)
    description = f"{sound.rate:,} Hz, {sound.seconds:.2f} s; {features.text()}"
    why = f" ({features.why})" if features.why else ""
    return array[None].astype(numpy_type(info.dtype)), f"{description}{why}"


def compute_features(samples: Numbers, features: Features, name: str = "") -> Numbers:
    """Features of samples at the features' own rate: (samples,), (frames, bins) or turned.

    Raises BadInput: the sound is shorter than one frame.
    """
    scaled = samples.astype(np.float64) * features.scale
    if features.kind == WAVEFORM:
        if features.normalized and len(scaled):
            scaled = (scaled - scaled.mean()) / np.sqrt(scaled.var() + _VARIANCE_FLOOR)
        return scaled.astype(np.float32)
    if features.kind == LOG_MEL:
        spectrum = log_mel(scaled, features.bins)
        return spectrum.T if features.frames_first else spectrum
    energies = fbank(scaled, features.rate, features.bins)
    if not len(energies):
        what = f"Could not use the audio for input '{units.clip(name, 80)}'"
        raise BadInput(what, "it is shorter than one 25 ms frame", "Use a longer recording.")
    if features.normalized:
        energies = energies - energies.mean(axis=0)
    return energies if features.frames_first else energies.T


def log_mel(samples: NDArray[np.float64], bins: int) -> Numbers:
    """Whisper's log-mel spectrogram of the first 30 s at 16 kHz, float32 (bins, 3000)."""
    length = WHISPER_FRAMES * MEL_HOP
    padded = np.zeros(length)
    padded[: min(length, len(samples))] = samples[:length]
    half = MEL_WINDOW // 2
    reflected = np.pad(padded, half, mode="reflect")
    frames = np.lib.stride_tricks.sliding_window_view(reflected, MEL_WINDOW)[::MEL_HOP]
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(MEL_WINDOW) / MEL_WINDOW)
    powers = np.abs(np.fft.rfft(frames[:WHISPER_FRAMES] * window)) ** 2
    mel = np.log10(np.maximum(powers @ slaney_filters(bins).T, 1e-10))
    clipped = np.maximum(mel, mel.max() - _MEL_RANGE)
    scaled: Numbers = ((clipped + 4) / 4).T.astype(np.float32)
    return scaled


@cache
def slaney_filters(bins: int) -> NDArray[np.float64]:
    """Triangles on Slaney's mel scale up to 8 kHz, each of area 1: (bins, 201)."""
    per_mel, knee_hz = 200 / 3, 1_000.0
    knee, step = knee_hz / per_mel, np.log(6.4) / 27
    top = knee + np.log(SAMPLE_RATE / 2 / knee_hz) / step
    mels = np.linspace(0, top, bins + 2)
    high = knee_hz * np.exp(step * np.maximum(0, mels - knee))
    hertz = np.where(mels < knee, mels * per_mel, high)
    lines = np.fft.rfftfreq(MEL_WINDOW, 1 / SAMPLE_RATE)
    ramps = hertz[:, None] - lines
    rising = -ramps[:-2] / np.diff(hertz)[:-1, None]
    falling = ramps[2:] / np.diff(hertz)[1:, None]
    filters = np.maximum(0, np.minimum(rising, falling))
    areas: NDArray[np.float64] = filters * (2 / (hertz[2:] - hertz[:-2]))[:, None]
    return areas


def fbank(samples: NDArray[np.float64], rate: int, bins: int) -> Numbers:
    """Kaldi's log filter-bank energies, float32 (frames, bins); no frame for a short sound."""
    window, hop = round(rate * _FBANK_WINDOW_SECONDS), round(rate * _FBANK_HOP_SECONDS)
    if len(samples) < window:
        return np.zeros((0, bins), np.float32)
    size = 1 << (window - 1).bit_length()
    hamming = 0.54 - 0.46 * np.cos(2 * np.pi * np.arange(window) / (window - 1))
    filters = _kaldi_filters(bins, size, rate)
    views = np.lib.stride_tricks.sliding_window_view(samples, window)[::hop]
    rows = []
    for start in range(0, len(views), _BLOCK):
        frames = views[start : start + _BLOCK]
        frames = frames - frames.mean(axis=1, keepdims=True)
        before = np.concatenate([frames[:, :1], frames[:, :-1]], axis=1)
        powers = np.abs(np.fft.rfft((frames - _PREEMPHASIS * before) * hamming, size)) ** 2
        rows.append(np.log(np.maximum(powers[:, : size // 2] @ filters.T, _TINY)))
    return np.concatenate(rows).astype(np.float32)


@cache
def _kaldi_filters(bins: int, size: int, rate: int) -> NDArray[np.float64]:
    """Triangles of equal width on the scale 1127 ln(1 + f / 700): (bins, size // 2)."""
    low, high = (1127 * np.log1p(f / 700) for f in (_LOWEST_HZ, rate / 2))
    edges = np.linspace(low, high, bins + 2)
    lines = 1127 * np.log1p(np.arange(size // 2) * rate / size / 700)
    rising = (lines - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    falling = (edges[2:, None] - lines) / (edges[2:] - edges[1:-1])[:, None]
    filters: NDArray[np.float64] = np.maximum(0, np.minimum(rising, falling))
    return filters


def _cut(array: Numbers, wanted: object, features: Features) -> Numbers:
    """Return the array with as many steps as a fixed input takes, cut or repeated."""
    place = 0 if features.kind == WAVEFORM or features.frames_first else 1
    steps = array.shape[place]
    if not isinstance(wanted, int) or wanted == steps or not steps:
        return array
    fitted: Numbers = np.take(array, np.arange(wanted) % steps, axis=place)
    return fitted
