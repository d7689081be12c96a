"""Sound from files: mono float32 samples, at the rate a model wants.

Compressed ones are decoded in a process of its own, by an extra of the package.

Format: the Multimedia Programming Interface and Data Specifications 1.0 (RIFF WAVE).
"""

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector import units
from inspector.errors import UnreadableFile
from inspector.platform import files
from inspector.preview.inputs.image_files import Picture
from inspector.preview.outputs.dense_maps import heated
from inspector.sandbox.decoding.channel import Request
from inspector.sandbox.decoding.decoder_process import decoder

LIMIT_BYTES = 512 << 20
COMPRESSED = frozenset((".flac", ".mp3", ".ogg", ".oga", ".opus", ".aif", ".aiff"))
SUFFIXES = COMPRESSED | {".wav"}
_PCM = 1
_FLOAT = 3
_EXTENSIBLE = 0xFFFE
_CODECS = {2: "Microsoft ADPCM", 6: "A-law", 7: "µ-law", 17: "IMA ADPCM", 49: "GSM 6.10",
           85: "MP3"}  # fmt: skip
_CONVERT = "Convert it to PCM, for example with: ffmpeg -i in.wav -c:a pcm_s16le out.wav"
_TAPS = 16
_BLOCK = 1 << 22
FASTEST = 1_000_000
# At another rate: 6 hours at 25 kHz. 1 MB that declares 1 Hz would take 34 GB at 16 kHz.
_MOST_RESAMPLED_BYTES = 2 << 30
_CUT_SECONDS = 5.0  # before its longest end, in which a piece of a sound may end
_QUIET_SECONDS = 0.1  # of which the loudness is compared: less than a syllable
WINDOW = 512
MOST_COLUMNS = 640
SHOWN_HZ = 8_000
RANGE_DB = 80.0


class Audio(Struct, frozen=True, eq=False):
    """Samples of one channel in -1..1, float32 (N,). rate: samples per second."""

    samples: NDArray[np.float32]
    rate: int
    channels: int

    @property
    def seconds(self) -> float:
        """Return how long it lasts."""
        return len(self.samples) / self.rate


class _Format(Struct, frozen=True):
    codec: int
    channels: int
    rate: int
    bits: int


def read(path: Path) -> Audio:
    """Read a sound, its channels averaged: .wav of integers (8, 16, 24, 32 bits) or floats, and
    one of COMPRESSED where the library for it is installed. Raises UnreadableFile: damaged,
    compressed by another codec, or no such library."""
    what = f"Could not open {path.name}"
    body = files.read_capped(path, LIMIT_BYTES)
    if body[:4] != b"RIFF" and path.suffix.lower() in COMPRESSED:
        return _decoded(body, path.name)
    form, data = _parts(body, what)
    if form.codec not in (_PCM, _FLOAT):
        codec = _CODECS.get(form.codec, f"codec {form.codec}")
        raise UnreadableFile(what, f"its audio is compressed ({codec})", _CONVERT)
    if not 0 < form.rate <= FASTEST or not form.channels:
        why = f"it declares {form.channels} channels at {form.rate:,} Hz"
        raise UnreadableFile(what, why)
    values = _values(form, data, what)
    whole = values[: len(values) // form.channels * form.channels]
    mono = whole.reshape(-1, form.channels).mean(axis=1, dtype=np.float32)
    return Audio(mono, form.rate, form.channels)


def _decoded(body: bytes, name: str) -> Audio:
    header, samples = decoder("audio").ask(Request("", name), body, f"Could not open {name}")
    rate, channels = header.numbers
    return Audio(samples.astype(np.float32, copy=False), rate, channels)


def resample(sound: Audio, rate: int) -> Audio:
    """Return the sound at another rate, by a Hann-windowed sinc that also removes what would
    alias. Raises UnreadableFile: it would take more than _MOST_RESAMPLED_BYTES."""
    if rate == sound.rate or not len(sound.samples):
        return sound
    step = sound.rate / rate
    reach = int(np.ceil(_TAPS * max(1.0, step)))
    padded = np.pad(sound.samples, reach)
    length = int(len(sound.samples) / step)
    size_bytes = length * np.dtype(np.float32).itemsize
    if size_bytes > _MOST_RESAMPLED_BYTES:
        at_rate = f"at {rate:,} Hz, {units.duration(1e9 * sound.seconds)} of it"
        why = f"{at_rate} would take {units.size(size_bytes)} of memory"
        raise UnreadableFile("Could not use the audio", why, "Use a shorter recording.")
    out = np.empty(length, np.float32)
    offsets = np.arange(-reach + 1, reach + 1)
    block = max(1, _BLOCK // len(offsets))
    for start in range(0, length, block):
        places = np.arange(start, min(start + block, length)) * step
        first = places.astype(np.int64)
        distance = offsets - (places - first)[:, None]
        near = padded[first[:, None] + offsets + reach]
        out[start : start + len(places)] = (near * _kernel(distance, step, reach)).sum(axis=1)
    return Audio(out, rate, sound.channels)


def cut_where_quiet(sound: Audio, longest_seconds: float) -> tuple[tuple[float, Audio], ...]:
    """Return a sound in pieces of a length at most, each with the time it begins at.

    A piece ends at the quietest moment of its last `_CUT_SECONDS`, so that words stay whole.
    """
    most, span = int(longest_seconds * sound.rate), int(_CUT_SECONDS * sound.rate)
    width = max(1, int(_QUIET_SECONDS * sound.rate))
    pieces, start = [], 0
    while len(sound.samples) - start > most:
        last = np.abs(sound.samples[start + most - span : start + most]).astype(np.float64)
        loudness = np.convolve(last, np.ones(width), "valid")
        end = start + most - span + int(loudness.argmin()) + width // 2
        pieces.append((start, end))
        start = end
    pieces.append((start, len(sound.samples)))
    return tuple(
        (begin / sound.rate, Audio(sound.samples[begin:end], sound.rate, sound.channels))
        for begin, end in pieces
    )


def _kernel(distance: NDArray[np.float64], step: float, reach: int) -> NDArray[np.float64]:
    cut = min(1.0, 1 / step)
    window = 0.5 + 0.5 * np.cos(np.pi * np.clip(distance / reach, -1, 1))
    return np.sinc(distance * cut) * window * cut


def _parts(body: bytes, what: str) -> tuple[_Format, bytes]:
    if body[:4] != b"RIFF" or body[8:12] != b"WAVE":
        raise UnreadableFile(what, "it is not a WAVE file", _CONVERT)
    form: _Format | None = None
    for name, chunk in _chunks(body):
        if name == b"fmt " and len(chunk) >= 16:
            codec, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", chunk)
            if codec == _EXTENSIBLE and len(chunk) >= 26:
                codec = int.from_bytes(chunk[24:26], "little")
            form = _Format(codec, channels, rate, bits)
        if name == b"data" and form is not None:
            return form, chunk
    raise UnreadableFile(
        what, "its header does not describe the audio, or it contains no audio data"
    )


def _chunks(body: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 12
    while at + 8 <= len(body):
        name, length = struct.unpack_from("<4sI", body, at)
        yield name, body[at + 8 : at + 8 + length]  # a recorder that died leaves it too short
        at += 8 + length + length % 2


def _values(form: _Format, data: bytes, what: str) -> NDArray[np.float32]:
    if form.codec == _FLOAT and form.bits in (32, 64):
        return _whole(data, form.bits // 8, f"<f{form.bits // 8}").astype(np.float32)
    if form.bits == 8:
        return ((_whole(data, 1, "u1").astype(np.float64) - 128) / 128).astype(np.float32)
    if form.bits in (16, 32):
        numbers = _whole(data, form.bits // 8, f"<i{form.bits // 8}").astype(np.float64)
        return (numbers / 2.0 ** (form.bits - 1)).astype(np.float32)
    if form.bits == 24:
        octets = _whole(data, 3, "u1").reshape(-1, 3).astype(np.int32)
        joined = octets[:, 0] << 8 | octets[:, 1] << 16 | octets[:, 2] << 24
        return (joined / 2.0**31).astype(np.float32)
    raise UnreadableFile(what, f"{form.bits}-bit samples are not supported", _CONVERT)


def _whole(data: bytes, item_bytes: int, kind: str) -> NDArray[Any]:
    return np.frombuffer(data[: len(data) // item_bytes * item_bytes], kind)


def spectrogram(sound: Audio) -> Picture | None:
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
    visible = sizes[:, : max(8, int(min(1.0, 2 * SHOWN_HZ / sound.rate) * sizes.shape[1]))]
    loudest = float(visible.max()) or 1.0
    decibels = 20 * np.log10(np.maximum(visible / loudest, 10 ** (-RANGE_DB / 20)))
    return heated(decibels.T[::-1])[0]
