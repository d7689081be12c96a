"""Engines and decoders that start in milliseconds, where their start is not what is tested.

Half a second of each start goes into imports, and the tests start about a thousand engines.
Here one process for each program imports what the program imports before it is confined, and
waits. Each start is a copy of it: a new process with its own memory, descriptors and
confinement, and a child of the tests like any other. What the program does from then on, such
as later imports, is all its own.

Two things differ: idle threads of ONNX Runtime sleep instead of spinning, and the peak of a
device is measured in milliseconds: beside other tests it would be measured again and again.

This is so on Linux only, and not with `--cold`, which `make test-slow` gives. Tests of the
starts themselves use the fixture `cold`.

`python tests/warm_processes.py SOCKET PROGRAM` is the process that waits.
"""

import atexit
import ctypes
import gc
import inspect
import json
import os
import platform
import runpy
import signal
import socket
import subprocess
import sys
import sysconfig
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

DECODER = "inspector.sandbox.decoding"
_RUNTIME = "inspector.backends.onnxruntime"
# What a program has imported when it is confined, by the arguments of Python that start it, and
# what most jobs of an engine import later: these imports are tested by `make test-slow`.
PROGRAMS = {
    ("-X", "faulthandler", "-P", "-m", "inspector.engine"): (
        "inspector.engine.worker.service",
        f"{_RUNTIME}.predictions",
        f"{_RUNTIME}.backend",
        "encodings.ascii",
        "inspector.conversion.apply",
        "inspector.conversion.float16",
        "inspector.conversion.edits.graph_edits",
        "inspector.conversion.int8",
        "inspector.formats.recognition",
        "numpy.ma",  # by a quantile
        f"{_RUNTIME}.graphs.shape_inference",
        f"{_RUNTIME}.measuring.device_ceilings",
        f"{_RUNTIME}.measuring.measure",
        f"{_RUNTIME}.sessions.explanations",
        f"{_RUNTIME}.stepping.reference_evaluator",
        f"{_RUNTIME}.stepping.stepping",
    ),
    **{
        ("-P", "-m", DECODER, kind): (f"{DECODER}.{kind}",)
        for kind in ("images", "audio", "tokenizers", "templates")
    },
}
_CLONE_PARENT = 0x8000  # linux/sched.h: a child of the parent, not of this process
# Number of the system call. On Windows `machine` asks a service, for seconds or for ever.
_CLONE = (
    {"x86_64": 56, "aarch64": 220}.get(platform.machine()) if sys.platform == "linux" else None
)
_OWN_PER_START = "INSPECTOR_DENIED_CALLS_SOCKET"  # differs at each start
_MOST_DESCRIPTORS = 16
_ROOM = "-" * 100  # in the arguments of a copy, for those of its program
_HIGH = 500  # descriptors that arrive are kept above the numbers that they are to have


class WarmPopen(subprocess.Popen[Any]):
    """Copies a waiting process where one has the same command and environment."""

    installed = False

    def _execute_child(self, *arguments: Any) -> None:
        given = inspect.signature(super()._execute_child).bind(*arguments).arguments
        command, environment = list(given["args"]), given["env"]
        if WarmPopen.installed and command[:1] == [sys.executable] and environment is not None:
            warm = _waiting(tuple(command[1:]), environment)
            standard = given["p2cread"], given["c2pwrite"], given["errwrite"]
            passed, folder = given["pass_fds"], given["cwd"]
            pid = warm.start(standard, passed, folder, environment) if warm else 0
            if pid:
                self.pid, self._child_created = pid, True
                pipes = ["p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite"]
                self._close_pipe_fds(*map(given.get, pipes))
                return
        super()._execute_child(*arguments)


class _Waiting:
    """A process that has imported a program and waits to be copied."""

    def __init__(self, command: tuple[str, ...], environment: dict[str, str]) -> None:
        self.environment, self._lock = environment, threading.Lock()
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        number = theirs.fileno()
        flags, which = command[: command.index("-m")], list(PROGRAMS).index(command)
        own = [sys.executable, *flags, __file__, str(number), str(which), _ROOM]
        started = threading.Event()

        def live() -> None:
            with theirs:
                self._process = _COLD(own, env=environment, pass_fds=[number])
            started.set()
            self._process.wait()

        # Linux ends an engine with the thread that started it, so that one stays.
        threading.Thread(target=live, name="warm process", daemon=True).start()
        started.wait()
        atexit.register(self.end)

    def start(
        self, standard: tuple[int, int, int], passed: Any, folder: Any, env: dict[str, str]
    ) -> int:
        """Return the process id of a copy; 0 where this process has ended."""
        request = {"passed": list(passed), "folder": folder and os.fspath(folder)}
        request["denied"] = env.get(_OWN_PER_START)
        try:
            with self._lock:
                body = json.dumps(request).encode()
                socket.send_fds(self._socket, [body], [*standard, *passed])
                return int(self._socket.recv(100) or 0)
        except OSError:
            return 0

    @property
    def was_killed(self) -> bool:
        """Whether a test ended it. One that cannot make copies here ends by itself, with 1."""
        return (self._process.poll() or 0) < 0

    def end(self) -> None:
        """End it; its copies live on."""
        self._socket.close()
        self._process.kill()


_COLD = subprocess.Popen
_ALL: dict[tuple[str, ...], _Waiting] = {}
_LOCK = threading.Lock()


def _waiting(command: tuple[str, ...], environment: dict[str, str]) -> _Waiting | None:
    """Return the process to copy; none for another program, or with other variables."""
    if command not in PROGRAMS:
        return None
    same = {name: value for name, value in environment.items() if name != _OWN_PER_START}
    with _LOCK:
        if command not in _ALL or _ALL[command].was_killed:
            _ALL[command] = _Waiting(command, same)
        warm = _ALL[command]
    return warm if warm.environment == same else None


def install() -> None:
    """Have tests start copies from now on."""
    if sys.platform == "linux" and _CLONE is not None:
        subprocess.Popen = WarmPopen
        WarmPopen.installed = True


@contextmanager
def cold() -> Iterator[None]:
    """Start each process the usual way meanwhile."""
    before, WarmPopen.installed = WarmPopen.installed, False
    yield
    WarmPopen.installed = before


def _serve(number: int) -> bool:
    """Start copies until the tests end. Returns whether this is a copy."""
    own = socket.socket(fileno=number)
    while True:
        body, descriptors, _, _ = socket.recv_fds(own, 65536, _MOST_DESCRIPTORS)
        if not body:
            return False
        pid = _copy()
        if pid == 0:
            own.close()
            _become(json.loads(body), descriptors)
            return True
        for each in descriptors:
            os.close(each)
        try:
            own.send(str(pid).encode())
        except OSError:  # the tests have ended meanwhile
            return False


def _copy() -> int:
    """Fork, but as a child of the parent; Python and the C library are told by their own rules.

    This process has one thread, or the copy could wait for a lock that nobody holds any more.
    """
    assert len(os.listdir("/proc/self/task")) == 1
    python = ctypes.pythonapi
    python.PyOS_BeforeFork()
    flags = ctypes.c_long(_CLONE_PARENT | signal.SIGCHLD)
    nothing = ctypes.c_long(0)
    clone = ctypes.c_long(_CLONE or 0)
    pid: int = ctypes.PyDLL(None).syscall(clone, flags, nothing, nothing, nothing, nothing)
    if pid == 0:
        python.PyOS_AfterFork_Child()
    else:
        python.PyOS_AfterFork_Parent()
    assert pid >= 0, "clone failed"
    return pid


def _become(request: dict[str, Any], descriptors: list[int]) -> None:
    """Take over the descriptors and the folder, as a process that was just started."""
    from fcntl import F_DUPFD, fcntl  # not on Windows

    kept = [fcntl(each, F_DUPFD, _HIGH) for each in descriptors]
    for each in descriptors:
        os.close(each)
    for each, wanted in zip(kept, (0, 1, 2, *request["passed"]), strict=True):
        os.dup2(each, wanted)
        os.close(each)
    if request["folder"]:
        os.chdir(request["folder"])
    if request["denied"] is not None:
        os.environ[_OWN_PER_START] = request["denied"]
    os.setsid()


def _show_arguments(command: list[str]) -> None:
    """Have other processes see these arguments, by which tests find engines."""
    fields = Path("/proc/self/stat").read_text("ascii").rpartition(")")[2].split()
    start, end = (int(fields[number - 3]) for number in (48, 49))  # as proc(5) counts them
    shown = b"\0".join(os.fsencode(each) for each in command)
    ctypes.memmove(start, shown.ljust(end - start, b"\0"), end - start)


def let_threads_sleep() -> None:
    """Have idle threads of ONNX Runtime sleep, whatever the settings of a session say.

    They would spin after each run, for half of the processor time of a test that predicts.
    """
    import onnxruntime

    create = onnxruntime.InferenceSession.__init__

    def quiet(
        self: Any, model: Any, sess_options: Any = None, *more: Any, **named: Any
    ) -> None:
        options = sess_options or onnxruntime.SessionOptions()
        for threads in ("intra", "inter"):
            options.add_session_config_entry(f"session.{threads}_op.allow_spinning", "0")
        create(self, model, options, *more, **named)

    onnxruntime.InferenceSession.__init__ = quiet


def _measure_peaks_briefly() -> None:
    """Have the peak of a device be that of a few short runs.

    It takes six seconds, and what was measured beside load, such as of other tests, is measured
    anew with each report.
    """
    ceilings = import_module(f"{_RUNTIME}.measuring.device_ceilings")
    brief = {"SIDE": 256, "ROW": 1 << 20, "_SECONDS": 0.0}
    assert brief.keys() <= vars(ceilings).keys()
    vars(ceilings).update(brief)


def main() -> None:
    """Import the program, wait, and be it in each copy."""
    command = list(PROGRAMS)[int(sys.argv[2])]
    program, *arguments = command[command.index("-m") + 1 :]
    for module in (*PROGRAMS[command], f"{program}.__main__"):
        import_module(module)
    if program == "inspector.engine":
        let_threads_sleep()
        _measure_peaks_briefly()
        sysconfig.get_paths()  # keeps what it found, for the confinement
        providers = import_module(f"{_RUNTIME}.sessions.providers")
        providers.installed_plugins(), providers.runtime_source()  # likewise, for sessions
    gc.collect()
    gc.freeze()  # a copy walks only what it made itself
    if _serve(int(sys.argv[1])):
        _show_arguments([sys.executable, *command])
        sys.argv = [program, *arguments]
        runpy.run_module(program, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
