"""A decoder: `python -m inspector.sandbox.decoding KIND`, one of `channel.KINDS`. Serves stdin.

It opens no file: the bytes come through the pipe, and the system lets it do little else than
answer. What a damaged or hostile file breaks, it breaks here.
"""

import os
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from io import BufferedIOBase, BufferedReader, FileIO

import msgspec

from inspector.errors import InspectorError, UnreadableFile
from inspector.platform import own_processes
from inspector.sandbox import confinement
from inspector.sandbox.decoding import channel
from inspector.sandbox.decoding.channel import (
    KINDS,
    MEMORY_BYTES,
    SECONDS,
    SHORT_SECONDS,
    Request,
    Response,
)

Answer = Callable[[Request, memoryview], tuple[Response, bytes | memoryview]]


def main() -> None:
    """Keep the pipes for messages, load the one library, close the doors, answer."""
    kind = sys.argv[1]
    module, seconds = KINDS[kind], SHORT_SECONDS.get(kind, SECONDS)
    requests, answers = os.dup(0), os.dup(1)
    os.dup2(2, 1)  # stderr is the log, also for libraries that print
    own_processes.exchange_bytes(requests, answers)
    confinement.take_no_more_than(MEMORY_BYTES)
    # the one reader that was asked for, in a process that is confined first
    reader = import_module(module)
    prepare = getattr(reader, "prepare", None)
    if prepare is not None:
        prepare()
    confinement.confine_this_process()
    with BufferedReader(FileIO(requests)) as pipe:
        _answer_all(pipe, answers, reader.answer, seconds)


def _answer_all(pipe: BufferedIOBase, answers: int, answer: Answer, seconds: int) -> None:
    while True:
        try:
            line = channel.read_line(pipe)
        except EOFError:
            return
        request = msgspec.json.decode(line, type=Request)
        body = channel.body(pipe, request.size_bytes)
        _allow(seconds)
        try:
            response, array = answer(request, body.data)
        except InspectorError as error:
            problem = (type(error).__name__, error.what, error.why, error.hint)
            response, array = Response(problem), b""
        except MemoryError:
            what = f"Could not open {request.name}"
            problem = (UnreadableFile.__name__, what, "it needs more memory than allowed", "")
            response, array = Response(problem), b""
        _allow(0)
        channel.send(answers, response, array)


def _allow(seconds: int) -> None:
    """Limit the CPU time of this process in seconds, even inside a library; 0: no limit."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


if __name__ == "__main__":
    main()
