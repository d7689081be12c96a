"""Speech in the probabilities of a voice activity detector, as times."""

import numpy as np

from inspector.preview.families.family_answers import speech_spans

ROW_SECONDS = 0.032


def test_spans_end_in_silence_and_not_in_a_short_pause():
    probabilities = np.zeros(100)
    probabilities[10:30] = 0.9
    probabilities[18:20] = 0.1  # 64 ms
    probabilities[40:60], probabilities[60:70] = 0.9, 0.4  # not low enough to end there
    probabilities[80:84] = 0.9  # too short
    probabilities[91:] = 0.9  # to the end
    spans = [
        (round(begin / ROW_SECONDS), round(end / ROW_SECONDS))
        for begin, end in speech_spans(probabilities, ROW_SECONDS)
    ]
    assert spans == [(10, 30), (40, 70), (91, 100)]
    assert speech_spans(probabilities, 0.0) == []
