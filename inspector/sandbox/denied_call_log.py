"""The parent's side of a child's system call filter: it names what the child was refused.

A confined child may make few system calls (`inspector.sandbox.confinement`). Any other one is
stopped, and the kernel asks this process what to do. It refuses the call and writes its name to
the child's log: a newer C library or runtime that needs one more call can then be distinguished
from a model that tried something. Linux 5.7 and later; elsewhere nothing listens, and calls are
refused without a name. Source: seccomp_unotify(2).
"""

import logging
import os
import platform
import select
import socket
import struct
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Self

from inspector.sandbox import confinement

if sys.platform != "win32":
    import fcntl

_LOG = logging.getLogger(__name__)
# struct seccomp_notif: id, thread, flags, number, architecture, instruction, six arguments.
_REQUEST = struct.Struct("=QIIiIQ6Q")
_RESPONSE = struct.Struct("=QqiI")  # struct seccomp_notif_resp: id, value, error, flags
# SECCOMP_IOCTL_NOTIF_RECV and _SEND
_RECEIVE = 0xC0502100
_SEND = 0xC0182101
_CONTINUE = 1  # SECCOMP_USER_NOTIF_FLAG_CONTINUE
_EPERM = 1


class DeniedCalls:
    """Answers the stopped calls of one child until it ends.

    Enter it, start the child with `variables` and `inherited`, then call `follow`.
    note: takes a line for the child's log, once for each system call.
    """

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note
        self._named: set[int] = set()
        self._ours: socket.socket | None = None
        self._theirs: socket.socket | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        if confinement.LINUX:
            self._ours, self._theirs = socket.socketpair()
        return self

    def __exit__(self, *_: object) -> None:
        if self._theirs is not None:
            self._theirs.close()
        if self._ours is not None and self._thread is None:
            self._ours.close()

    def variables(self) -> dict[str, str]:
        """Return what to add to the child's environment."""
        if self._theirs is None:
            return {}
        return {confinement.LISTENER_VARIABLE: str(self._theirs.fileno())}

    def inherited(self) -> tuple[int, ...]:
        """Return the descriptors that the child inherits."""
        return () if self._theirs is None else (self._theirs.fileno(),)

    def follow(self, process: int) -> None:
        """Answer the stopped calls of this process, in a thread of its own."""
        if self._ours is not None:
            target, arguments = self._answer, (self._ours, process)
            self._thread = threading.Thread(target=target, args=arguments, name="denied calls")
            self._thread.daemon = True
            self._thread.start()

    def join(self, seconds: float) -> None:
        """Wait so long for the thread; it ends with the child, which is over by now."""
        if self._thread is not None and self._ours is not None:
            with suppress(OSError):  # closed already, or never waited for
                self._ours.shutdown(socket.SHUT_RDWR)
            self._thread.join(seconds)

    def _answer(self, ours: socket.socket, process: int) -> None:
        with ours:
            try:
                _, descriptors, _, _ = socket.recv_fds(ours, 1, 1)
            except OSError:
                descriptors = []
        for listener in descriptors:  # none where the child ended, or has no filter
            try:
                self._answer_all(listener, process)
            finally:
                os.close(listener)

    def _answer_all(self, listener: int, process: int) -> None:
        calls = confinement.system_calls(platform.machine())
        names = {number: name for name, number in calls.items()}
        poll = select.poll()
        poll.register(listener, select.POLLIN)
        while not any(event & select.POLLHUP for _, event in poll.poll()):
            request = bytearray(_REQUEST.size)
            try:
                fcntl.ioctl(listener, _RECEIVE, request)
            except OSError:  # the thread that called is gone
                continue
            identity, _, _, number, _, _, first, *_ = _REQUEST.unpack(request)
            name = names.get(number, f"call {number}")
            thread = first & 0xFFFFFFFF
            own = not thread or os.path.exists(f"/proc/{process}/task/{thread}")
            allowed = name == confinement.OWN_THREADS_ONLY and own
            if not allowed and number not in self._named:
                self._named.add(number)
                self._note(f"denied system call: {name}")
                _LOG.info("process %d was denied the system call %s", process, name)
            error, flags = (0, _CONTINUE) if allowed else (-_EPERM, 0)
            try:
                fcntl.ioctl(listener, _SEND, _RESPONSE.pack(identity, 0, error, flags))
            except OSError:
                continue
