"""A long sound as one tensor after the other: windows that a model hears in turn."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from inspector import units
from inspector.errors import BadInput
from inspector.model.model import TensorInfo
from inspector.model.tensors.element_types import Tensor, is_float, numpy_type
from inspector.platform.data_struct import DataStruct
from inspector.preview.families.audio_features import Features
from inspector.preview.families.family_table import FBANK_BINS
from inspector.preview.inputs import audio, default_values, model_states
from inspector.preview.inputs.audio import Audio
from inspector.preview.inputs.model_states import State
from inspector.preview.preprocessing.guess import guess

TRANSFORMS = ("samples", "magnitudes")
SHORTEST_WINDOW = 64
LONGEST_WINDOW = 100_000_000
MOST_STEPS = 1_000_000
_SOUND = re.compile(r"audio|wave?(form)?(?![a-z])|speech|sound|pcm|signal|(?<![a-z])wav", re.I)
_RATES = ("sample_rate", "sampling_rate", "samplerate")
# Windows of Silero VAD by their length: (hop, context, rate), from utils_vad.py.
_SILERO_WINDOWS = {
    576: (512, 64, 16_000),
    288: (256, 32, 8_000),
    512: (512, 0, 16_000),
    256: (256, 0, 8_000),
}


class Pace(DataStruct, frozen=True):
    """Number of runs for one prediction, and the time from one step to the next.

    seconds: length of the sound; 0 where no sound was given. before, after: shares of a window
    that the windows around it hear, too.
    """

    steps: int = 1
    step_seconds: float = 0.0
    seconds: float = 0.0
    before: float = 0.0
    after: float = 0.0

    @property
    def shown_seconds(self) -> float:
        """Return how long the outputs of all steps last: as long as the sound."""
        whole = self.steps * self.step_seconds
        return min(self.seconds, whole) if self.seconds else whole


@dataclass(frozen=True, slots=True)
class Framing:
    """Windows that audio is split into.

    window: samples a step takes. hop: samples from one step to the next. context: samples of
    silence before the sound, so that the first step has a past; mostly window - hop.
    rate: samples per second that the model expects. repeat: play a sound again that is shorter
    than the window, instead of adding silence. transform: "samples", or "magnitudes" of the
    Fourier transform of the window. scale: samples are multiplied by it. why: where the values
    come from, for people. sure: more than a row of numbers says that the input takes a sound.
    Raises BadInput: a window or hop under 1 or far too long, or a rate that no sound has.
    """

    window: int
    hop: int
    context: int = 0
    rate: int = default_values.SAMPLE_RATE
    repeat: bool = False
    transform: str = "samples"
    scale: float = 1.0
    why: str = field(default="", compare=False)
    sure: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        fits = all(0 < length <= LONGEST_WINDOW for length in (self.window, self.hop))
        fits = fits and 0 <= self.context <= LONGEST_WINDOW
        if not fits or not 0 < self.rate <= audio.FASTEST or self.transform not in TRANSFORMS:
            raise BadInput(
                "Could not split the audio",
                f"a window of {self.window:,} samples, a hop of {self.hop:,} and "
                f"{self.rate:,} Hz are not a valid combination",
                f"Choose a window and a hop of 1 to {LONGEST_WINDOW:,} samples.",
            )

    @property
    def step_seconds(self) -> float:
        """Return the time from one step to the next."""
        return self.hop / self.rate

    def pace(self, steps: int, seconds: float) -> Pace:
        """Return the pace of so many steps over a sound of this length."""
        shared = max(0, self.window - self.hop)
        before = min(self.context, shared)
        shares = before / self.window, (shared - before) / self.window
        return Pace(steps, self.step_seconds, seconds, *shares)

    def text(self) -> str:
        """Return it in one line: 'windows of 576 every 512 samples at 16,000 Hz'."""
        kind = "" if self.transform == "samples" else ", as magnitudes"
        kind += "" if self.scale == 1 else f", times {self.scale:,.0f}"
        return (
            f"windows of {self.window:,} every {self.hop:,} samples at {self.rate:,} Hz{kind}"
        )


class Stepping(DataStruct, frozen=True):
    """Feeding a model step by step: windows by input, and states that are fed back.

    features: inputs that take a sound as a whole, with what is computed of it.
    """

    framings: Mapping[str, Framing] = {}
    memory: tuple[State, ...] = ()
    features: Mapping[str, Features] = {}


ONCE = Pace()
AT_ONCE = Stepping()


def guess_framing(
    info: TensorInfo,
    inputs: Sequence[TensorInfo],
    outputs: Sequence[TensorInfo],
    metadata: Sequence[tuple[str, str]] = (),
) -> Framing | None:
    """Start values for the framing of an input; None when it does not take rows of samples.

    A free length without a memory takes a sound whole, so that there is nothing to frame.
    """
    row = _row(info)
    memory = model_states.states(inputs, outputs)
    if row is None or any(state.input == info.name for state in memory):
        return None
    entries = dict(metadata)
    rates = (entries[key] for key in _RATES if entries.get(key, "").isdecimal())
    rate = next((int(r) for r in rates if 0 < int(r) <= audio.FASTEST), 0)
    known_framing = _known(row, info, inputs, bool(memory))
    if known_framing is not None:
        return replace(known_framing, sure=True)
    if not SHORTEST_WINDOW <= row <= LONGEST_WINDOW:
        return None
    why = f"the input takes {row:,} samples; no overlap is declared"
    why += (
        ""
        if rate
        else f", {default_values.SAMPLE_RATE:,} Hz is the most common rate for speech"
    )
    sure = bool(rate) or _SOUND.search(info.name) is not None
    return Framing(row, row, rate=rate or default_values.SAMPLE_RATE, why=why, sure=sure)


def read(path: Path, framing: Framing, info: TensorInfo) -> tuple[Tensor, float, str]:
    """Frames of a sound file, as `cut`, its length in seconds, and what was done to get them.

    Raises UnreadableFile: damaged. BadInput: as `cut`.
    """
    sound = audio.read(path)
    steps = cut_frames(sound, framing, info)
    description = (
        f"{sound.rate:,} Hz, {sound.seconds:.2f} s; {units.plural(len(steps), 'step')}"
    )
    why = f" ({framing.why})" if framing.why else ""
    return steps, sound.seconds, f"{description}: {framing.text()}{why}"


def cut_frames(heard: Audio, framing: Framing, info: TensorInfo) -> Tensor:
    """Frames in the type and shape of an input: (steps, *shape); the last is filled up.

    Raises BadInput: they do not fit the input, or there would be too many.
    """
    what = f"Could not split the audio for input '{units.clip(info.name, 80)}'"
    samples = audio.resample(heard, framing.rate).samples
    if framing.scale != 1:
        samples = samples * np.float32(framing.scale)
    if framing.repeat and 0 < len(samples) < framing.window:
        samples = np.tile(samples, ceil(framing.window / len(samples)))[: framing.window]
    steps = 1 + max(0, ceil((framing.context + len(samples) - framing.window) / framing.hop))
    if steps > MOST_STEPS:
        raise BadInput(what, f"it would need {steps:,} steps", "Choose a larger hop size.")
    length = (steps - 1) * framing.hop + framing.window
    padded = np.zeros(length, np.float32)
    padded[framing.context : framing.context + len(samples)] = samples[
        : max(0, length - framing.context)
    ]
    windows = np.lib.stride_tricks.sliding_window_view(padded, framing.window)
    return _shaped(windows[:: framing.hop], framing, info, what)


def _shaped(
    windows: NDArray[np.float32], framing: Framing, info: TensorInfo, what: str
) -> Tensor:
    if framing.transform == "magnitudes":
        windows = np.abs(np.fft.rfft(windows)).astype(np.float32)
    width, row = windows.shape[1], _row(info)
    if row is not None and row not in (0, width):
        hint = "Change the window size."
        raise BadInput(
            what, f"the windows have {width:,} values, but the input expects {row:,}", hint
        )
    axes = info.shape or (1, None)
    place = next((i for i, axis in enumerate(axes) if axis == row and row), len(axes) - 1)
    if not row:
        place = max(i for i, axis in enumerate(axes) if not isinstance(axis, int))
    shape = [width if i == place else 1 for i in range(len(axes))]
    typed: Tensor = windows if is_float(info.dtype) else np.clip(windows * 32768, -32768, 32767)
    return typed.astype(numpy_type(info.dtype)).reshape(len(windows), *shape)


def _row(info: TensorInfo) -> int | None:
    """Length of the one row that an input holds, 0 when it is free; None: no such input."""
    if info.kind != "tensor" or not (is_float(info.dtype) or info.dtype == "int16"):
        return None
    if guess(info) is not None or not info.shape:
        return None
    fixed = [axis for axis in info.shape if isinstance(axis, int) and axis != 1]
    spectrum = len(info.shape) == 3 and fixed == [FBANK_BINS]  # energies of frames
    if len(fixed) > 1 or spectrum:
        return None
    free = [axis for axis in info.shape if not isinstance(axis, int)]
    return fixed[0] if fixed else 0 if free else None


def _silero(row: int, inputs: Sequence[TensorInfo]) -> Framing:
    """Return what Silero VAD hears in a step: of a free length as at 16 kHz."""
    early = default_values.silero_state(inputs) == default_values.EARLY_SILERO_STATE
    window = row or (default_values.SOUND_FRAME if early else default_values.SILERO_FRAME)
    hop, context, rate = _SILERO_WINDOWS[window]
    past = f" after {context}" if context else ""
    why = f"the state of Silero VAD: {hop} samples{past}, {rate:,} Hz assumed"
    return Framing(window, hop, context, rate, why=why)


def _known(
    row: int, info: TensorInfo, inputs: Sequence[TensorInfo], memory: bool
) -> Framing | None:
    """Return what models of this shape take, from their authors' own programs."""
    if default_values.silero_state(inputs) == default_values.EARLY_SILERO_STATE and row == 0:
        return _silero(row, inputs)  # with an input for the rate or without one
    if memory and row == 0 and any(default_values.is_rate(other) for other in inputs):
        why = (
            "a dynamic axis, a state and a sample rate: voice activity detectors take 512 "
            "new samples after 64 previous ones"
        )
        return Framing(576, 512, 64, why=why)
    if default_values.silero_state(inputs) and (row == 0 or row in _SILERO_WINDOWS):
        return _silero(row, inputs)
    if memory and row == 257:
        why = "257 values and a state: the spectrum of 512 samples, hop 128"
        return Framing(512, 128, 384, transform="magnitudes", why=why)
    if row == 144_160:
        why = (
            "144,160 samples: speech quality models use 9.01 s at 16 kHz, short audio "
            "is repeated"
        )
        return Framing(row, default_values.SAMPLE_RATE, repeat=True, why=why)
    if row == 43_844:
        why = "43,844 samples: note detection models use 2 s at 22,050 Hz, overlapping by 7,680"
        return Framing(row, row - 7_680, 3_840, 22_050, why=why)
    return None
