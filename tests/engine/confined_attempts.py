"""Confines itself and tries what a hostile model might; prints what came of it as JSON.

python confined_attempts.py MODEL FOLDER
"""

import ctypes
import errno
import importlib
import json
import os
import resource
import signal
import socket
import sys
import threading
from pathlib import Path

from inspector import confinement

model, folder = Path(sys.argv[1]), Path(sys.argv[2])
parent = os.getppid()
confinement.live_and_die_with(parent, 2 << 30)
level = confinement.close_the_doors([str(model.parent)], str(folder))
assert level == "full", level


def start_a_thread():
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()


def trace(pid):
    ctypes.set_errno(0)
    if ctypes.CDLL(None, use_errno=True).ptrace(16, pid, None, None) < 0:  # PTRACE_ATTACH
        raise OSError(ctypes.get_errno(), "ptrace")


def fork():
    if os.fork() == 0:
        os._exit(0)


def outcome(attempt):
    try:
        result = attempt()
    except OSError as error:
        return errno.errorcode[error.errno]
    except MemoryError:
        return "MemoryError"
    return result if isinstance(result, str) else "works"


ATTEMPTS = {
    "read the model": model.read_bytes,
    "write into its folder": lambda: (folder / "profile.json").write_text("{}"),
    "start a thread": start_a_thread,
    "import a module": lambda: importlib.import_module("wave"),
    "read a system file": Path("/etc/passwd").read_bytes,
    "list another folder": lambda: os.listdir("/tmp"),
    "write beside the model": lambda: (model.parent / "new").write_text(""),
    "write to /tmp": lambda: Path("/tmp/inspector-confinement-test").write_text(""),
    "read another process": Path(f"/proc/{parent}/environ").read_bytes,
    "rename the model": lambda: model.rename(folder / "mine"),
    "open a network socket": lambda: socket.socket(socket.AF_INET),
    "open a local socket": lambda: socket.socket(socket.AF_UNIX),
    "start a program": lambda: os.execv("/bin/true", ["true"]),
    "fork": fork,
    "end the parent": lambda: os.kill(parent, signal.SIGTERM),
    "trace the parent": lambda: trace(parent),
    "make a link": lambda: (folder / "link").symlink_to("/etc/passwd"),
    "take 3 GiB": lambda: bytearray(3 << 30),
    "core file limit": lambda: str(resource.getrlimit(resource.RLIMIT_CORE)[0]),
    "oom score": lambda: Path("/proc/self/oom_score_adj").read_text().strip(),
}
sys.stdout.write(json.dumps({name: outcome(attempt) for name, attempt in ATTEMPTS.items()}))
