"""A program with two models: each is loaded once, and used again and again.

Run: python sample_models/example.py            (needs numpy and onnxruntime)
Record: inspector record --nodes -- python sample_models/example.py
"""

from pathlib import Path

import numpy as np
import onnxruntime

HERE, ROUNDS = Path(__file__).parent, 400


def session(name: str) -> onnxruntime.InferenceSession:
    """One model, loaded once, on a single thread of its own."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(
        HERE / name, options, providers=["CPUExecutionProvider"]
    )


def main() -> None:
    """Tell digits and sounds in turn, as a program with a camera and a microphone would."""
    digits, tones = session("digits_float32.onnx"), session("tones_sound.onnx")
    random = np.random.default_rng(7)
    pictures = random.random((ROUNDS, 1, 1, 8, 8), np.float32)
    sounds = random.standard_normal((ROUNDS, 1, 16_000), np.float32)
    told = set()
    for picture, sound in zip(pictures, sounds, strict=True):
        (digit,) = digits.run(None, {"picture": picture})
        (tone,) = tones.run(None, {"waveform": sound})
        told.add((int(digit.argmax()), int(tone.argmax())))
    print(f"Classified {ROUNDS} random images and sounds; different answers: {len(told)}")


if __name__ == "__main__":
    main()
