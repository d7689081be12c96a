"""Threads for what nobody waits for: they let all others go first."""

import os
import sys
import threading

_NICE = 10


def stand_aside() -> None:
    """Let the calling thread have what others leave of the processors, for good (Linux).

    Only for one that hardly holds Python's lock: whoever waits for the lock waits for it.
    """
    if sys.platform == "linux":  # elsewhere this would be the whole process
        me = threading.get_native_id()
        already = os.getpriority(os.PRIO_PROCESS, me)  # under `nice` there is no way back
        os.setpriority(os.PRIO_PROCESS, me, max(already, _NICE))
