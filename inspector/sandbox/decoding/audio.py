"""Decoder of compressed audio, by the library soundfile, an extra of the package."""

import io

import numpy as np

from inspector import units
from inspector.errors import UnreadableFile
from inspector.sandbox.decoding.channel import Request, Response

try:
    import soundfile
except (ImportError, OSError):  # or the C library below it
    soundfile = None


# Samples of all channels, 2 GB as float32; samples per second.
LIMIT_SAMPLES = 500_000_000
FASTEST = 1_000_000


def answer(request: Request, body: memoryview) -> tuple[Response, memoryview]:
    """Decode audio to the mean of its channels, float32 (N,); numbers: rate and channels.

    Raises UnreadableFile: damaged, far too long, or no such library.
    """
    what = f"Could not open {request.name}"
    if soundfile is None:
        raise UnreadableFile(
            what,
            "compressed audio requires the library 'soundfile', which is not installed",
            'Install it with: pip install "onnx-inspector[sound]", or use a .wav file.',
        )
    try:
        with soundfile.SoundFile(io.BytesIO(body)) as file:
            rate, channels, frames = file.samplerate, file.channels, file.frames
            if not 0 < rate <= FASTEST or frames * channels > LIMIT_SAMPLES:
                raise UnreadableFile(
                    what,
                    f"it declares {frames:,} samples at {rate:,} Hz, which is out of range",
                )
            read = file.read(dtype="float32", always_2d=True)
    except soundfile.LibsndfileError as error:
        raise UnreadableFile(
            what, units.clip(f"the audio is damaged ({error})", 160)
        ) from error
    mono = np.ascontiguousarray(read.mean(axis=1, dtype=np.float32))
    response = Response(dtype="float32", shape=mono.shape, numbers=(rate, channels))
    return response, mono.view(np.uint8).data
