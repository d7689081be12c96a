import os
import sys
import threading

import pytest

from inspector.ui.documents.aside import stand_aside


def niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


@pytest.mark.skipif(sys.platform != "linux", reason="no such thing elsewhere")
def test_only_the_thread_that_asks_stands_aside() -> None:
    before, found = niceness(), []

    def work() -> None:
        stand_aside()
        found.append(niceness())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found[0] > before
    assert niceness() == before
