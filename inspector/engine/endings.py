"""How an engine process ended, in words."""

import re
import signal

from inspector.units import clip
from inspector.verdicts import Outcome, Verdict

# What a crash is called on Windows: an NTSTATUS as exit code.
_WINDOWS = {
    0xC0000005: "an access violation",
    0xC0000017: "no memory left",
    0xC000001D: "an instruction this processor does not have",
    0xC0000094: "a division by zero",
    0xC00000FD: "a full stack",
    0xC0000374: "a damaged heap",
    0xC0000409: "a damaged stack, or an abort",
}
_NO_MEMORY = re.compile(r"bad_alloc|MemoryError|out of memory|cannot allocate", re.IGNORECASE)
_COLOURS = re.compile(r"\x1b?\[[0-9;]*m")
# What Python's fault handler writes: where Python was, not what went wrong.
_TRACE = re.compile(
    r"^(?:Fatal Python error|Current thread|Thread 0x|Extension modules|  File |  \.\.\.|\s*$"
    r"|Traceback|<no Python frame>|  Garbage-collecting|    )"
)

ELSEWHERE = "Try another device or a lower optimisation level; other models are not affected."
AGAIN = "Try again."
LESS = "Close other programs, fix free axes to smaller sizes, or use a smaller input."


def explain(
    exit_code: int | None, log: str, trouble: str, for_memory: bool | None = None
) -> tuple[str, str]:
    """Say why a process is no good any more, and what to do about it.

    exit_code: as subprocess has it, negative for a signal; None while it lives.
    log: all it printed. trouble: what is wrong with it when it lives. for_memory: whether
    the system ended a process for lack of memory meanwhile; None where it does not say.
    """
    words = last_words(log)
    if exit_code == -9 and for_memory:
        return "the system ended the engine for lack of memory", LESS
    if exit_code == -9 and for_memory is None:
        return "the engine was ended (SIGKILL), perhaps by the system for lack of memory", LESS
    if exit_code == -9:
        return "another program ended the engine (SIGKILL), not for lack of memory", AGAIN
    if exit_code and _NO_MEMORY.search(log):
        return "the engine ran out of memory", LESS
    if exit_code is not None and exit_code < 0:
        return _with(f"the runtime crashed ({_signal(-exit_code)})", words), ELSEWHERE
    if exit_code in _WINDOWS:
        return _with(f"the runtime crashed ({_WINDOWS[exit_code]})", words), ELSEWHERE
    if exit_code is not None:
        why = f"the engine left without an answer (exit code {exit_code})"
        return _with(why, words), ELSEWHERE
    return f"the engine failed: {trouble}", ELSEWHERE


def verdict(program: str, why: str, seconds: float, late: bool) -> Verdict:
    """What is to be said of a program whose process gave no answer.

    why: as `explain` tells it. seconds: it took. late: whether it was given no more time.
    """
    took_ns = round(seconds * 1e9)
    if late:
        return Verdict(program, Outcome.SILENT, f"no answer after {seconds:.0f} s", took_ns)
    it = why.replace("the runtime", "it", 1).replace("the engine", "it", 1)
    return Verdict(program, Outcome.DIED, it, took_ns)


def last_words(log: str) -> str:
    """The last line that is neither empty nor part of a trace of Python's fault handler."""
    for line in reversed(log.splitlines()):
        if not _TRACE.match(line):
            return clip(_COLOURS.sub("", line).strip())
    return ""


def _with(why: str, words: str) -> str:
    return f"{why}; its last words: {words}" if words else why


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
