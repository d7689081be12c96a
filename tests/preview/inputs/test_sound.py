import struct
from pathlib import Path

import numpy as np
import pytest

from inspector.errors import UnreadableFile
from inspector.preview.inputs.audio import MOST_COLUMNS, Audio, read, resample, spectrogram

WAVE = np.array([0.0, 0.5, -0.5, 0.25])


def wav(
    path: Path, data: bytes, codec: int, bits: int, channels: int = 1, tail: bytes = b""
) -> Path:
    head = struct.pack("<HHIIHH", codec, channels, 8000, 0, channels * bits // 8, bits) + tail
    chunks = b"fmt " + struct.pack("<I", len(head)) + head
    chunks += b"LIST" + struct.pack("<I", 3) + b"abc\0"
    chunks += b"data" + struct.pack("<I", len(data)) + data
    path.write_bytes(b"RIFF" + struct.pack("<I", len(chunks) + 4) + b"WAVE" + chunks)
    return path


def packed_24(values: np.ndarray) -> bytes:
    return b"".join(int(value * 2**23).to_bytes(3, "little", signed=True) for value in values)


@pytest.mark.parametrize(
    ("codec", "bits", "data"),
    [
        (1, 8, (WAVE * 128 + 128).astype(np.uint8).tobytes()),
        (1, 16, (WAVE * 2**15).astype("<i2").tobytes()),
        (1, 24, packed_24(WAVE)),
        (1, 32, (WAVE * 2**31).astype("<i4").tobytes()),
        (3, 32, WAVE.astype("<f4").tobytes()),
        (3, 64, WAVE.astype("<f8").tobytes()),
    ],
)
def test_samples_of_every_width_are_brought_to_one(tmp_path, codec, bits, data):
    heard = read(wav(tmp_path / "x.wav", data, codec, bits))
    assert heard.samples.dtype == np.float32
    assert heard.samples.tolist() == WAVE.tolist()
    assert (heard.rate, heard.seconds) == (8000, 4 / 8000)


def test_the_extensible_form_is_read_by_what_it_holds(tmp_path):
    tail = struct.pack("<HHIH", 22, 16, 0, 1) + bytes(14)
    data = (WAVE * 2**15).astype("<i2").tobytes()
    heard = read(wav(tmp_path / "x.wav", data, 0xFFFE, 16, tail=tail))
    assert heard.samples.tolist() == WAVE.tolist()


def test_channels_are_averaged(tmp_path):
    data = np.column_stack([WAVE, -WAVE]).astype("<f4").tobytes()
    heard = read(wav(tmp_path / "x.wav", data, 3, 32, channels=2))
    assert heard.samples.tolist() == [0, 0, 0, 0]
    assert heard.channels == 2


def test_a_recording_that_was_cut_off_keeps_its_whole_samples(tmp_path):
    path = wav(tmp_path / "x.wav", WAVE.astype("<f4").tobytes(), 3, 32)
    path.write_bytes(path.read_bytes()[:-5])
    assert len(read(path).samples) == 2


@pytest.mark.parametrize("codec", [2, 6, 7, 17, 4242])
def test_compressed_sound_is_refused_with_a_way_out(tmp_path, codec):
    with pytest.raises(UnreadableFile, match="compressed") as raised:
        read(wav(tmp_path / "x.wav", b"0123", codec, 4))
    assert "pcm" in raised.value.hint


def test_what_is_no_sound_gives_one_sentence(shared, tmp_path):
    for body in (b"", b"RIFF", b"RIFF\0\0\0\0WAVE", b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0"):
        (tmp_path / "x.wav").write_bytes(body)
        with pytest.raises(UnreadableFile, match=r"Could not open x.wav"):
            read(tmp_path / "x.wav")
    with pytest.raises(UnreadableFile, match="ADPCM"):
        read(shared / "bad/made/media/adpcm.wav")


def tone(hertz: float, rate: int) -> Audio:
    time = np.arange(rate) / rate
    return Audio(np.sin(2 * np.pi * hertz * time).astype(np.float32), rate, 1)


@pytest.mark.parametrize(("before", "after"), [(8000, 16000), (44100, 16000), (16000, 22050)])
def test_a_tone_sounds_the_same_at_another_rate(before, after):
    changed = resample(tone(440, before), after)
    assert changed.rate == after
    assert len(changed.samples) == pytest.approx(after, abs=1)
    middle = slice(after // 4, after // 2)
    assert np.abs(changed.samples[middle] - tone(440, after).samples[middle]).max() < 0.01


def test_what_the_lower_rate_cannot_hold_is_removed():
    assert np.abs(resample(tone(7000, 16000), 8000).samples[500:-500]).max() < 0.01


def test_a_sound_that_would_not_fit_into_memory_is_refused():
    week = Audio(np.zeros(1 << 20, np.float32), 1, 1)
    with pytest.raises(UnreadableFile, match=r"at 16,000 Hz, .* would take 62.5 GiB of memory"):
        resample(week, 16_000)


def test_a_compressed_sound_is_the_one_it_was_made_of(tmp_path):
    soundfile = pytest.importorskip("soundfile")
    tone = np.sin(np.arange(16_000) / 9).astype(np.float32) * 0.5
    for suffix, near in ((".flac", 1e-4), (".ogg", 0.05)):
        path = tmp_path / f"tone{suffix}"
        soundfile.write(path, np.stack([tone, tone], axis=1), 16_000)
        found = read(path)
        assert (found.rate, found.channels, len(found.samples)) == (16_000, 2, 16_000)
        assert np.abs(found.samples - tone).mean() < near
    (tmp_path / "broken.mp3").write_bytes(b"ID3" + bytes(99))
    with pytest.raises(UnreadableFile, match="damaged"):
        read(tmp_path / "broken.mp3")


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
