"""Starts a real child process in which each job first tries what a hostile model might.

    python confined_attempts.py engine
    python confined_attempts.py decoder KIND

What came of it goes to stderr, which is the child's log, as a line "attempts: JSON": for each
attempt "works" or why not. INSPECTOR_VICTIM names a folder of the user's that is none of the
child's business; the parent is the process that started it.
"""

import ctypes
import errno
import fcntl
import importlib
import json
import os
import platform
import resource
import signal
import socket
import sys
import threading
from functools import partial
from pathlib import Path

from inspector.sandbox import confinement

PARENT, VICTIM = os.getppid(), Path(os.environ.get("INSPECTOR_VICTIM", "/"))
NUMBERS = confinement.system_calls(platform.machine())
LIBC = ctypes.CDLL(None, use_errno=True)
BUFFER = ctypes.create_string_buffer(4096)
PIDFD_SELF, AT_FDCWD = os.getpid(), -100


def call(name, *arguments):
    values = [
        ctypes.c_char_p(os.fsencode(a)) if isinstance(a, str | Path)
        else ctypes.c_long(a) if isinstance(a, int) else a
        for a in arguments
    ]  # fmt: skip
    if LIBC.syscall(ctypes.c_long(NUMBERS[name]), *values) < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def start_a_thread():
    thread = threading.Thread(target=int)
    thread.start()
    thread.join()


def fork():
    if os.fork() == 0:
        os._exit(0)


def limits():
    return (ctypes.c_ulong * 2)(*resource.getrlimit(resource.RLIMIT_NOFILE))


def raise_own_memory_limit():
    call("prlimit64", 0, resource.RLIMIT_DATA, (ctypes.c_ulong * 2)(1 << 62, 1 << 62), 0)


def signal_the_parent_through_a_file():
    fcntl.fcntl(0, fcntl.F_SETOWN, PARENT)


secret, program = VICTIM / "secret.txt", "/usr/bin/env"
THE_PARENT = {
    "read the parent's limits": lambda: call("prlimit64", PARENT, 7, 0, BUFFER),
    "limit the parent's files": lambda: call("prlimit64", PARENT, 7, limits(), 0),
    "look for the parent by a signal": lambda: os.kill(PARENT, 0),
    "end the parent": lambda: os.kill(PARENT, signal.SIGTERM),
    "end a thread of the parent": lambda: call("tgkill", PARENT, PARENT, 0),
    "end a thread with tkill": lambda: call("tkill", PARENT, 0),
    "queue a signal": lambda: call("rt_sigqueueinfo", PARENT, 0, BUFFER),
    "queue a signal to a thread": lambda: call("rt_tgsigqueueinfo", PARENT, PARENT, 0, BUFFER),
    "signal it through a file": signal_the_parent_through_a_file,
    "open the parent with pidfd_open": lambda: call("pidfd_open", PARENT, 0),
    "take a descriptor of the parent": lambda: call("pidfd_getfd", 0, 0, 0),
    "signal with pidfd_send_signal": lambda: call("pidfd_send_signal", 0, 0, 0, 0),
    "trace the parent": lambda: call("ptrace", 16, PARENT, 0, 0),
    "trace it with PTRACE_SEIZE": lambda: call("ptrace", 0x4206, PARENT, 0, 0),
    "read the parent's memory": lambda: call("process_vm_readv", PARENT, 0, 0, 0, 0, 0),
    "write the parent's memory": lambda: call("process_vm_writev", PARENT, 0, 0, 0, 0, 0),
    "advise on the parent's memory": lambda: call("process_madvise", 0, 0, 0, 0, 0),
    "move the parent's pages": lambda: call("move_pages", PARENT, 0, 0, 0, 0, 0),
    "migrate its pages (migrate_pages)": lambda: call("migrate_pages", PARENT, 0, 0, 0),
    "compare with the parent": lambda: call("kcmp", PARENT, PARENT, 0, 0, 0),
    "read the parent's locks": lambda: call("get_robust_list", PARENT, BUFFER, BUFFER),
    "count its performance events": lambda: call("perf_event_open", BUFFER, PARENT, -1, -1, 0),
    "slow the parent down": lambda: os.setpriority(os.PRIO_PROCESS, PARENT, 0),
    "lower its disk priority": lambda: call("ioprio_set", 1, PARENT, 0),
    "bind the parent to a core": lambda: os.sched_setaffinity(PARENT, {0}),
    "change its scheduler": lambda: call("sched_setscheduler", PARENT, 0, BUFFER),
    "change its scheduling": lambda: call("sched_setparam", PARENT, BUFFER),
    "change its scheduling with sched_setattr": lambda: call(
        "sched_setattr", PARENT, BUFFER, 0
    ),
    "move it to another group": lambda: os.setpgid(PARENT, 0),
    "read its environment": lambda: Path(f"/proc/{PARENT}/environ").read_bytes(),
    "read its memory map": lambda: Path(f"/proc/{PARENT}/maps").read_bytes(),
    "list its descriptors": lambda: os.listdir(f"/proc/{PARENT}/fd"),
    "raise its score for the out-of-memory killer": lambda: Path(
        f"/proc/{PARENT}/oom_score_adj"
    ).write_text("1000"),
    "outlive the parent": lambda: call("prctl", 1, 0, 0, 0, 0),
}
THE_FILES = {
    "read one of the user's files": secret.read_bytes,
    "read the accounts": Path("/etc/passwd").read_bytes,
    "read a program": Path(program).read_bytes,
    "list another folder": lambda: os.listdir(VICTIM),
    "list temporary files": lambda: os.listdir("/tmp"),
    "list programs": lambda: os.listdir("/usr/bin"),
    "list devices": lambda: os.listdir("/sys/class"),
    "write a new file": lambda: (VICTIM / "new").write_text(""),
    "overwrite a file": lambda: secret.write_text(""),
    "append to a file": lambda: secret.open("a"),
    "cut a file off": lambda: os.truncate(secret, 0),
    "change a file's mode": lambda: os.chmod(secret, 0o600),
    "change a file's mode with fchmodat": lambda: call("fchmodat", AT_FDCWD, secret, 0o600),
    "change a file's owner": lambda: os.chown(secret, os.getuid(), os.getgid()),
    "change a file's owner with fchownat": lambda: call(
        "fchownat", AT_FDCWD, secret, -1, -1, 0
    ),
    "change a file's times": lambda: os.utime(secret, (1, 1)),
    "add an attribute": lambda: os.setxattr(secret, "user.a", b"1"),
    "remove an attribute": lambda: os.removexattr(secret, "user.a"),
    "rename a file": lambda: secret.rename(VICTIM / "mine"),
    "delete a file": secret.unlink,
    "make a folder": lambda: (VICTIM / "made").mkdir(),
    "delete a folder": lambda: (VICTIM / "empty").rmdir(),
    "make a hard link": lambda: os.link(secret, VICTIM / "hard"),
    "make a symbolic link": lambda: os.symlink("/etc/passwd", VICTIM / "soft"),
    "make a named pipe": lambda: os.mkfifo(VICTIM / "pipe"),
    "watch a file": lambda: call("inotify_init1", 0),
    "watch all files": lambda: call("fanotify_init", 0, 0),
    "open a file by its handle": lambda: call("open_by_handle_at", AT_FDCWD, BUFFER, 0),
    "type into the terminal": lambda: fcntl.ioctl(0, 0x5412, b"x"),
    "lock files of others": lambda: call("flock", 0, 2),
}
PROGRAMS_AND_NETWORK = {
    "start a program": lambda: os.execv("/bin/true", ["true"]),
    "start a program with execveat": lambda: call("execveat", AT_FDCWD, "/bin/true", 0, 0, 0),
    "make a program in memory": lambda: call("memfd_create", "a", 0),
    "fork": fork,
    "fork with clone3": lambda: call("clone3", BUFFER, 64),
    "open a network socket": lambda: socket.socket(socket.AF_INET),
    "open an IPv6 socket": lambda: socket.socket(socket.AF_INET6),
    "send datagrams": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
    "open a local socket": lambda: socket.socket(socket.AF_UNIX),
    "open a netlink socket": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
    "open a pair of sockets": socket.socketpair,
    "connect": lambda: call("connect", 0, BUFFER, 16),
    "listen": lambda: call("listen", 0, 1),
    "accept": lambda: call("accept4", 0, 0, 0, 0),
    "send": lambda: call("sendto", 0, BUFFER, 1, 0, 0, 0),
    "receive a descriptor": lambda: call("recvmsg", 0, BUFFER, 0),
    "make calls past the filter": lambda: call("io_uring_setup", 1, BUFFER),
    "share memory with others": lambda: call("shmget", 0, 4096, 0o1600),
    "send messages to others": lambda: call("msgget", 0, 0o1600),
}
THE_SYSTEM = {
    "take a namespace of its own": lambda: call("unshare", 0x10000000),
    "enter a namespace": lambda: call("setns", 0, 0),
    "mount": lambda: call("mount", "none", VICTIM, "tmpfs", 0, 0),
    "change the root": lambda: os.chroot(VICTIM),
    "become somebody else": lambda: call("setuid", 65534),
    "join another group": lambda: call("setgid", 65534),
    "raise its memory limit": raise_own_memory_limit,
    "be traced by all": lambda: call("prctl", 0x59616D61, -1, 0, 0, 0),
    "load a program into the kernel": lambda: call("bpf", 0, BUFFER, 0),
    "load a module": lambda: call("finit_module", 0, "", 0),
    "handle page faults": lambda: call("userfaultfd", 0),
    "read kernel keys": lambda: call("keyctl", 0, -3, 0, 0, 0),
    "read the kernel's log": lambda: call("syslog", 3, BUFFER, 4096),
    "disable address randomization (personality)": lambda: call("personality", 0x40000),
    "set the clock": lambda: call("clock_settime", 0, BUFFER),
    "restart the machine": lambda: call("reboot", 0, 0, 0, 0),
    "add another filter": lambda: call("seccomp", 1, 0, BUFFER),
}
REFUSED = THE_PARENT | THE_FILES | PROGRAMS_AND_NETWORK | THE_SYSTEM
ALLOWED = {
    "start a thread": start_a_thread,
    "import a module": partial(importlib.import_module, "wave"),
    "bind itself to a core": lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)),
    "read its own limits": lambda: resource.getrlimit(resource.RLIMIT_DATA),
    "core file limits": lambda: "{} {}".format(*resource.getrlimit(resource.RLIMIT_CORE)),
    "oom score": lambda: Path("/proc/self/oom_score_adj").read_text().strip(),
    "secret of the environment": lambda: os.environ.get("SECRET_TOKEN", "hidden"),
}


def outcome(attempt):
    try:
        result = attempt()
    except OSError as error:
        return errno.errorcode[error.errno]
    except MemoryError:
        return "MemoryError"
    return result if isinstance(result, str) else "works"


def try_all(more):
    attempts = REFUSED | ALLOWED | more
    results = {name: outcome(attempt) for name, attempt in attempts.items()}
    sys.stderr.write(f"attempts: {json.dumps(results)}\n")
    sys.stderr.flush()


def engine():
    from inspector.engine import __main__ as program
    from inspector.engine.worker import service

    class AttemptingRunner(service.Worker):
        def run(self, request):
            model = request.model
            more = {
                "read the model": model.read_bytes,
                "write into its folder": (self.folder / "a").touch,
                "take 3 GiB": lambda: bytearray(3 << 30),
            }
            refused = {
                "write beside the model": lambda: (model.parent / "new").write_text(""),
                "change the model's mode": lambda: model.chmod(0o600),
                "rename the model": lambda: model.rename(self.folder / "mine"),
            }
            try_all(more | refused)
            return super().run(request)

    service.Worker = AttemptingRunner
    program.main()


def decoder(kind):
    from inspector.sandbox.decoding import __main__ as program

    reader = importlib.import_module(f"inspector.sandbox.decoding.{kind}")
    answer = reader.answer

    def answer_after_attempts(asked, body):
        try_all({})
        return answer(asked, body)

    reader.answer = answer_after_attempts
    sys.argv[1] = kind
    program.main()


if __name__ == "__main__":
    engine() if sys.argv[1] == "engine" else decoder(sys.argv[2])
