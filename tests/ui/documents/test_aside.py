import os
import sys
import threading

import pytest

from inspector.ui.documents.aside import stand_aside


def niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


def aside(first: int) -> int:
    """Niceness of a thread that had `first` and stood aside."""
    found = []

    def work() -> None:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), first)
        stand_aside()
        found.append(niceness())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return found[0]


@pytest.mark.skipif(sys.platform != "linux", reason="no such thing elsewhere")
def test_only_the_thread_that_asks_stands_aside() -> None:
    before = niceness()
    assert aside(before) == max(before, 10)
    assert niceness() == before


@pytest.mark.skipif(sys.platform != "linux", reason="no such thing elsewhere")
def test_one_that_stood_further_aside_stays_there() -> None:
    assert aside(19) == 19, "coming back is refused to whoever is not root"
