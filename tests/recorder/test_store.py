"""What the recorder does inside the program beside the program's own threads."""

import time

import pytest

from inspector.recorder import live_progress, store
from inspector.recorder.span_ring import BLOCK
from tests.engine.watching import wait_for


@pytest.mark.parametrize(
    ("word", "stops"), [(live_progress.INTERRUPT, 1), (live_progress.END, 0), ("", 0)]
)
def test_a_request_to_stop_interrupts_the_program_once(tmp_path, monkeypatch, word, stops):
    interrupted: list[float] = []
    monkeypatch.setattr(store, "_EVERY_S", 0.01)
    monkeypatch.setattr("_thread.interrupt_main", lambda: interrupted.append(1))
    if word:
        live_progress.request_progress(tmp_path, word)
    recorded = store.Store(tmp_path, BLOCK)
    if stops:
        wait_for(lambda: bool(interrupted))
    time.sleep(0.1)  # ten looks for more
    recorded.close()
    assert len(interrupted) == stops
