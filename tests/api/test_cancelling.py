"""Calls are cancelled from a thread and from a task: the engine is gone, and its folder too."""

import asyncio
import tempfile
import threading
import time
from pathlib import Path

import pytest

import inspector
from inspector.errors import Cancelled
from tests.conftest import ROOT
from tests.engine.watching import ends_within

pytestmark = pytest.mark.engine
MODEL = ROOT / "sample_models" / "digits_float32.onnx"
ENDS_S = 0.5  # at most from the cancellation to the end of the engine


@pytest.fixture
def folders(tmp_path: Path, monkeypatch) -> Path:
    """Where engines have their folders."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def engines(folders: Path) -> list[Path]:
    return list(folders.glob("inspector-*"))


def test_another_thread_cancels(folders):
    assert ends_within(ENDS_S, lambda: cancelled_by_a_thread(folders))


def cancelled_by_a_thread(folders: Path) -> float:
    """Return how long it took until the call had ended."""
    call, running, ended = inspector.Cancellation(), threading.Event(), []

    def progress(step: str, done: float) -> None:
        if step == "prediction":
            running.set()

    def work() -> None:
        try:
            call.run(inspector.measure, MODEL, runs=1_000_000, progress=progress)
        except Cancelled as error:
            ended.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    assert running.wait(30)
    assert engines(folders)
    began = time.monotonic()
    call.cancel()
    thread.join(60)
    took = time.monotonic() - began
    assert (len(ended), engines(folders)) == (1, [])
    with pytest.raises(Cancelled):
        call.run(inspector.predict, MODEL)
    return took


def test_a_task_that_is_cancelled_leaves_no_engine(folders):
    async def main() -> float:
        running = asyncio.Event()
        loop = asyncio.get_running_loop()

        def progress(step: str, done: float) -> None:
            if step == "prediction":
                loop.call_soon_threadsafe(running.set)

        work = inspector.measure_async(MODEL, runs=1_000_000, progress=progress)
        task = asyncio.create_task(work)
        await asyncio.wait_for(running.wait(), 30)
        began = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        took = time.monotonic() - began
        assert not engines(folders)
        return took

    assert ends_within(ENDS_S, lambda: asyncio.run(main()))


def test_a_function_beside_the_event_loop_gives_its_answer():
    answer = asyncio.run(inspector.run_async(inspector.predict, MODEL, "zeros"))
    assert [array.shape for array in answer.outputs.values()] == [(1, 10)]
