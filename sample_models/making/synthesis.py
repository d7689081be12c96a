"""Sounds of six kinds, computed: a second at 16,000 samples a second, float32 of -1..1."""

import numpy as np
from numpy.typing import NDArray

RATE = 16_000
LABELS = ["silence", "hum", "tone", "sweep", "noise", "clicks"]
Array = NDArray[np.float32]


def sounds(examples: int, seed: int) -> tuple[Array, NDArray[np.int64]]:
    """Compute `examples` sounds (examples, 16000) of random kind, and which kind each is."""
    random = np.random.default_rng(seed)
    classes = random.integers(0, len(LABELS), examples)
    return np.stack([sound(LABELS[kind], random) for kind in classes]), classes


def sound(label: str, random: np.random.Generator) -> Array:
    """Compute one sound, somewhere between faint and loud, above a quieter hiss."""
    hiss = random.standard_normal(RATE) * 10 ** random.uniform(-4.5, -3)
    if label == "silence":
        return hiss.astype("f4")
    wave = {"hum": _hum, "tone": _tone, "sweep": _sweep, "noise": _noise, "clicks": _clicks}[
        label
    ](random)
    loudness = 10 ** random.uniform(-1.3, -0.1)
    return (wave / np.abs(wave).max() * loudness + hiss).astype("f4")


def _time() -> NDArray[np.float64]:
    return np.arange(RATE) / RATE


def _hum(random: np.random.Generator) -> NDArray[np.float64]:
    """Mains of 50 or 60 Hz with the overtones that transformers and lamps add."""
    mains = random.choice((50, 60)) * random.uniform(0.995, 1.005)
    overtones = np.arange(1, 9)
    strengths = random.uniform(0.2, 1, 8) / overtones
    phases = random.uniform(0, 2 * np.pi, 8)
    angles = 2 * np.pi * mains * overtones[:, None] * _time() + phases[:, None]
    return strengths @ np.sin(angles)


def _tone(random: np.random.Generator) -> NDArray[np.float64]:
    """One steady pitch from 250 to 5,000 Hz, with a faint octave above it."""
    pitch = 250 * 20 ** random.uniform()
    angle = 2 * np.pi * pitch * _time() + random.uniform(0, 2 * np.pi)
    return np.sin(angle) + random.uniform(0, 0.2) * np.sin(2 * angle)


def _sweep(random: np.random.Generator) -> NDArray[np.float64]:
    """A pitch that rises or falls by one to four octaves within the second."""
    octaves = random.uniform(1, 4) * random.choice((-1, 1))
    low = 250 * 2 ** random.uniform(0, 4.3 - abs(octaves))
    start = low if octaves > 0 else low * 2 ** abs(octaves)
    pitch = start * 2 ** (octaves * _time())
    return np.sin(2 * np.pi * np.cumsum(pitch) / RATE)


def _noise(random: np.random.Generator) -> NDArray[np.float64]:
    """Anything between white and brown: power falls by 0 to 6 dB an octave."""
    spectrum = np.fft.rfft(random.standard_normal(RATE))
    frequencies = np.maximum(np.fft.rfftfreq(RATE, 1 / RATE), 40)
    return np.fft.irfft(spectrum * frequencies ** -random.uniform(0, 1), RATE)


def _clicks(random: np.random.Generator) -> NDArray[np.float64]:
    """Three to twelve short knocks, each a pitch that dies away within milliseconds."""
    wave = np.zeros(RATE)
    ring = np.arange(800) / RATE
    for _ in range(random.integers(3, 13)):
        start = random.integers(0, RATE - 800)
        decay = np.exp(-ring / random.uniform(0.001, 0.006))
        knock = decay * np.sin(2 * np.pi * random.uniform(500, 5000) * ring)
        wave[start : start + 800] += knock * random.uniform(0.5, 1)
    return wave
