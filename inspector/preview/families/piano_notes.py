"""Notes in the outputs of Basic Pitch: activations of the keys of a piano over time.

Formats, thresholds and steps are those of spotify/basic-pitch (constants.py, note_creation.py)
with its defaults: a note begins where its onset peaks or its key quickly gets louder, and lasts
while its key stays active; then what is still active without an onset is a note, too.
"""

from collections.abc import Mapping

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from inspector.platform.data_struct import DataStruct

KEYS = 88  # of a piano
PITCHES = 264  # values of the contour: three for each key
WINDOW = 43_844  # samples of a step
LOWEST = 21  # MIDI number of the lowest key, A0
ONSET = 0.5  # activation of an onset from which a note begins
ACTIVE = 0.3  # activation of a key that sounds
SHORTEST = 11  # rows of the shortest note, 128 ms; also of a gap that ends one
RISE_ROWS = 2  # rows over which a key that gets louder counts as an onset
_NAMES = ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")
_KEY_ROWS = "88 piano keys, A0 (27.5 Hz) to C8"
Numbers = NDArray[np.float64]


class Note(DataStruct, frozen=True):
    """A note that was heard; begin, end: in seconds; activation: mean while it sounds."""

    name: str
    begin: float
    end: float
    activation: float


class Meaning(Struct, frozen=True):
    """What an output holds, and what its rows are, both for people."""

    title: str
    rows: str


def meanings(widths: Mapping[str, int]) -> dict[str, Meaning]:
    """Return what the outputs hold, by name; empty for other models.

    widths: length of the last axis of each output. The three exports number or name their
    outputs in alphabetic order: contour, note, onset.
    """
    keys = sorted(name for name, width in widths.items() if width == KEYS)
    contours = [name for name, width in widths.items() if width == PITCHES]
    if len(keys) != 2 or len(contours) != 1 or len(widths) != 3:
        return {}
    rows = "264 pitches, A0 (27.5 Hz) to C8, three for each piano key"
    return {
        keys[0]: Meaning("Musical notes", _KEY_ROWS),
        keys[1]: Meaning("Onsets of musical notes", _KEY_ROWS),
        contours[0]: Meaning("Pitch contour", rows),
    }


def key_name(key: int) -> str:
    """Return the name of a key of a piano, from 0: 'A0' to 'C8'."""
    number = LOWEST + key
    return f"{_NAMES[number % 12]}{number // 12 - 1}"


def notes(active: Numbers, onsets: Numbers, row_seconds: float) -> list[Note]:
    """Return the notes in their order. active, onsets: (rows, keys), 0 to 1."""
    starts = _with_rises(active, onsets)
    inner = starts[1:-1]
    peaks = (inner > starts[:-2]) & (inner > starts[2:]) & (inner >= ONSET)
    left = active.copy()
    heard = []

    def hear(begin: int, end: int, key: int) -> None:
        if end - begin > SHORTEST:
            activation = float(active[begin:end, key].mean())
            times = begin * row_seconds, end * row_seconds
            heard.append(Note(key_name(key), *times, activation))

    # The last ones first, so that a note ends where the next one of its key begins.
    for row, key in reversed(np.argwhere(peaks).tolist()):
        begin = row + 1
        end = _end(left[:, key], begin)
        if end - begin > SHORTEST:
            _silence(left, begin, end, key)
            hear(begin, end, key)
    while left.size and left.max() > ACTIVE:
        row, key = (int(each) for each in np.unravel_index(left.argmax(), left.shape))
        end = _end(left[:, key], row)
        begin = len(left) - _end(left[::-1, key], len(left) - 1 - row)
        _silence(left, min(begin, row), max(end, row + 1), key)
        hear(begin, end, key)
    return sorted(heard, key=lambda note: (note.begin, -note.activation))


def _with_rises(active: Numbers, onsets: Numbers) -> Numbers:
    """Return the onsets, also where a key gets louder over RISE_ROWS rows without one."""
    before = np.concatenate([np.zeros((RISE_ROWS, active.shape[1])), active])
    rows = len(active)
    rises = np.minimum.reduce(
        [active - before[RISE_ROWS - n : RISE_ROWS - n + rows] for n in range(1, RISE_ROWS + 1)]
    ).clip(min=0)
    rises[:RISE_ROWS] = 0
    highest = rises.max(initial=0)
    combined: Numbers = onsets
    if highest:
        combined = np.maximum(onsets, rises * onsets.max(initial=0) / highest)
    return combined


def _silence(left: Numbers, begin: int, end: int, key: int) -> None:
    """Clear what a note explains: its key, and what its neighbors hear of it."""
    left[begin:end, max(0, key - 1) : key + 2] = 0


def _end(key: Numbers, begin: int) -> int:
    """Return the row where a note of a key ends: it has been silent for long from there on."""
    silent = 0
    for row in range(begin + 1, len(key)):
        silent = silent + 1 if key[row] < ACTIVE else 0
        if silent == SHORTEST:
            return row - SHORTEST + 1
    return len(key) - silent
