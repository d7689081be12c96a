"""Activations of piano keys read as notes: names, times, and what is no note."""

import numpy as np
import pytest

from inspector.model.tensors.prediction import OutputValue
from inspector.preview.families import family_answers, piano_notes
from inspector.preview.families.family_table import FAMILIES
from inspector.preview.inputs.audio_windows import Framing
from inspector.preview.outputs.time_series import heat_of, rows_over_time

A4 = 48  # place of the key with 440 Hz
STEP_ROWS = 172
FRAMING = Framing(43_844, 36_164, 3_840, 22_050)


def test_keys_have_their_usual_names():
    names = [piano_notes.key_name(key) for key in (0, 39, A4, 49, 87)]
    assert names == ["A0", "C4", "A4", "A#4", "C8"]


def test_outputs_are_told_apart_by_width_and_order():
    widths = {"call:2": 88, "call:1": 88, "call:0": 264}
    titles = {name: m.title for name, m in piano_notes.meanings(widths).items()}
    assert titles == {
        "call:1": "Musical notes",
        "call:2": "Onsets of musical notes",
        "call:0": "Pitch contour",
    }
    assert piano_notes.meanings({"a": 88, "b": 88}) == {}


def activations(rows=400):
    """Two notes of one key and one of another; a key that gets loud without an onset, one that
    slowly fades in and out, and an onset without a sound."""
    active, onsets = np.full((rows, 88), 0.1), np.full((rows, 88), 0.1)
    for key, begin, end in ((A4, 50, 100), (A4, 150, 200), (60, 150, 170)):
        active[begin:end, key], onsets[begin, key] = 0.8, 0.9
    active[300:350, 20], onsets[250, 30] = 0.8, 0.9
    active[300:400, 70] = 0.6 * np.sin(np.linspace(0, np.pi, 100))
    return active, onsets


def test_a_note_lasts_from_its_onset_while_its_key_is_active():
    heard = piano_notes.notes(*activations(), row_seconds=0.01)
    assert [note.name for note in heard] == ["A4", "A5", "A4", "F2", "G6"]
    assert heard[0].begin == pytest.approx(0.5)
    assert heard[0].end == pytest.approx(1.0)
    assert heard[0].activation == pytest.approx(0.8)


def test_each_moment_of_overlapping_windows_is_shown_once():
    """The rows are counted through the sound; each window repeats 15 rows at both ends."""
    pace = FRAMING.pace(2, 3.0)
    steps = np.zeros((2, STEP_ROWS, 88))
    inner = STEP_ROWS - 30
    for step in range(2):
        steps[step, :, 0] = np.arange(STEP_ROWS) - 15 + step * inner
    rows = rows_over_time(steps, pace)
    assert np.array_equal(rows[:, 0], np.arange(len(rows)))
    assert len(rows) == round(2 * inner * 3.0 / (2 * FRAMING.step_seconds))
    shown = heat_of(OutputValue("x", "tensor", "float32", steps), pace)
    assert shown.picture.shape[:2] == (88, len(rows))
    assert pace.shown_seconds == 3.0


def test_a_row_for_each_window_is_kept_however_much_the_windows_share():
    pace = Framing(512, 128, 384).pace(125, 1.0)
    steps = np.arange(125.0)[:, None, None] * np.ones((1, 1, 257))
    assert np.array_equal(rows_over_time(steps, pace)[:, 0], np.arange(125))
    shown = heat_of(OutputValue("mask", "tensor", "float32", steps[:, 0]), pace)
    assert shown.picture.shape[:2] == (257, 125)


def test_the_answer_names_the_notes_in_seconds_of_the_sound():
    family = next(each for each in FAMILIES if each.key == "basic-pitch")
    active, onsets = (
        np.full((1, STEP_ROWS, 88), 0.1), np.full((1, STEP_ROWS, 88), 0.1)
    )  # fmt: skip
    active[0, 65:115, A4], onsets[0, 65, A4] = 0.8, 0.9
    arrays = {"s:2": onsets, "s:1": active, "s:0": np.zeros((1, STEP_ROWS, 264))}
    outputs = [OutputValue(n, "tensor", "float32", a) for n, a in arrays.items()]
    answer = family_answers.read(family, outputs, pace=FRAMING.pace(1, 1.5))
    assert answer.lines == ("1 musical note: A4 at 0.58 s",)
    silent = [OutputValue(o.name, "tensor", "float32", o.array * 0.1) for o in outputs]
    silent[2] = outputs[2]
    answer = family_answers.read(family, silent, pace=FRAMING.pace(1, 1.5))
    assert answer.lines[0].startswith("no note was found")
