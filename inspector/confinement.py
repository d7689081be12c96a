"""What a child process may do while it works on a stranger's file. Linux only, no root.

Landlock rules for files, a seccomp filter for system calls, limits of the process itself;
all through the C library. Sources: kernel documentation of Landlock (ABI 1 to 7) and seccomp.
"""

import ctypes
import os
import platform
import signal
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

FULL, MEMORY_AND_LIFETIME, NO_CONFINEMENT = "full", "memory and lifetime", "none"
CONFINEMENTS = (FULL, MEMORY_AND_LIFETIME, NO_CONFINEMENT)

LINUX = sys.platform.startswith("linux")
_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS = 1, 38
_FIRST_TO_END = "900"  # of 1000: the kernel ends the engine before the window


def live_and_die_with(parent: int, memory_bytes: int) -> str:
    """End with the parent, leave no core file, take no more memory than allowed.

    Returns the confinement that is in force now; NO_CONFINEMENT on other systems, where the
    end of the pipe still ends this process.
    """
    if not LINUX:
        return NO_CONFINEMENT
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)  # it ended before the line above
    return take_no_more_than(memory_bytes)


def take_no_more_than(memory_bytes: int) -> str:
    """Leave no core file, gain no rights, take no more memory than allowed.

    Returns the confinement that is in force now.
    """
    if not LINUX:
        return NO_CONFINEMENT
    import resource  # not on Windows

    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    allowed = memory_bytes if hard == resource.RLIM_INFINITY else min(memory_bytes, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (allowed, hard))
    try:
        Path("/proc/self/oom_score_adj").write_text(_FIRST_TO_END, "ascii")
    except OSError as error:  # some containers keep it from their processes
        print(f"oom_score_adj: {error}", file=sys.stderr)  # noqa: T201 - the child's log
    return MEMORY_AND_LIFETIME


def close_the_doors(readable: Iterable[str] = (), folder: str = "") -> str:
    """Allow reading of a model and of the program, writing into one folder, nothing else.

    No network, no other program, no other process. Binds this thread and those it starts,
    for good: call it while the process has one thread. Returns the confinement in force.
    readable: files and folders. folder: none when empty.
    """
    if not LINUX or platform.machine() not in _ARCHITECTURES:
        return MEMORY_AND_LIFETIME if LINUX else NO_CONFINEMENT
    try:
        _restrict_files([*_PROGRAM, *_interpreter(), *readable], [folder] if folder else [])
        _deny_calls()
    except OSError as error:
        print(f"confinement: {error}", file=sys.stderr)  # noqa: T201 - the child's log
        return MEMORY_AND_LIFETIME
    return FULL


_libc = ctypes.CDLL(None, use_errno=True) if LINUX else None

# What a Python program and the C library read of the system while they run.
_PROGRAM = (
    "/usr", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/localtime",
    "/etc/os-release", "/sys", "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat",
    "/proc/loadavg", "/proc/uptime", "/proc/version", "/proc/sys/vm", "/proc/sys/kernel",
    "/dev/urandom", "/dev/random", "/dev/zero",
)  # fmt: skip
_ALSO_WRITABLE = ("/dev/null",)

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_MAKE_CHAR, _MAKE_SOCK, _MAKE_FIFO = 1 << 6, 1 << 9, 1 << 10
_MAKE_BLOCK, _MAKE_SYM = 1 << 11, 1 << 12
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_ABI_1_FILES = (1 << 13) - 1
_NET_BIND_AND_CONNECT = _SCOPE_SOCKETS_AND_SIGNALS = 0b11
_RULE_PATH_BENEATH = 1
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every architecture

# Denied calls by number; source: the kernel's syscall tables. Names follow the kernel.
_DENIED_X86_64 = {
    "socket": 41, "connect": 42, "sendto": 44, "bind": 49, "listen": 50, "fork": 57,
    "vfork": 58, "execve": 59, "link": 86, "symlink": 88, "ptrace": 101, "syslog": 103,
    "mknod": 133, "personality": 135, "pivot_root": 155, "chroot": 161, "acct": 163,
    "mount": 165, "umount2": 166, "swapon": 167, "reboot": 169, "init_module": 175,
    "quotactl": 179, "setxattr": 188, "kexec_load": 246, "add_key": 248, "request_key": 249,
    "keyctl": 250, "mknodat": 259, "linkat": 265, "symlinkat": 266, "unshare": 272,
    "perf_event_open": 298, "open_by_handle_at": 304, "setns": 308, "process_vm_readv": 310,
    "process_vm_writev": 311, "finit_module": 313, "bpf": 321, "execveat": 322,
    "userfaultfd": 323, "pidfd_send_signal": 424, "io_uring_setup": 425, "pidfd_getfd": 438,
}  # fmt: skip
_DENIED_AARCH64 = {
    "mknodat": 33, "symlinkat": 36, "linkat": 37, "umount2": 39, "mount": 40,
    "pivot_root": 41, "chroot": 51, "unshare": 97, "kexec_load": 104, "init_module": 105,
    "ptrace": 117, "socket": 198, "bind": 200, "listen": 201, "connect": 203, "sendto": 206,
    "add_key": 217, "request_key": 218, "keyctl": 219, "execve": 221, "perf_event_open": 241,
    "open_by_handle_at": 265, "setns": 268, "process_vm_readv": 270, "process_vm_writev": 271,
    "finit_module": 273, "bpf": 280, "execveat": 281, "userfaultfd": 282,
    "pidfd_send_signal": 424, "io_uring_setup": 425, "pidfd_getfd": 438,
}  # fmt: skip
_ARCHITECTURES = {  # audit number, seccomp call, clone call, denied calls
    "x86_64": (0xC000003E, 317, 56, _DENIED_X86_64),
    "aarch64": (0xC00000B7, 277, 220, _DENIED_AARCH64),
}
_CLONE3, _CLONE_THREAD = 435, 0x00010000
_X32_CALLS = 0x40000000
_EPERM, _ENOSYS = 1, 38
_ALLOW, _ERRNO, _KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000
_FILTER_MODE, _ON_ALL_THREADS = 1, 1


def _interpreter() -> list[str]:
    package = Path(__file__).resolve().parents[1]
    places = [sys.prefix, sys.exec_prefix, sys.base_prefix, str(package), *sys.path]
    return [place for place in dict.fromkeys(places) if place and os.path.isdir(place)]


def _prctl(option: int, value: int) -> None:
    zero = ctypes.c_ulong(0)
    _checked(_clib().prctl(option, ctypes.c_ulong(value), zero, zero, zero), "prctl")


def _restrict_files(readable: Iterable[str], writable: Iterable[str]) -> None:
    version = ctypes.c_uint32(1)
    abi = _call(_CREATE_RULESET, None, ctypes.c_size_t(0), version, name="landlock")
    handled = _ABI_1_FILES
    handled |= (_REFER if abi >= 2 else 0) | (_TRUNCATE if abi >= 3 else 0)
    handled |= _IOCTL_DEV if abi >= 5 else 0
    network = _NET_BIND_AND_CONNECT if abi >= 4 else 0
    scope = _SCOPE_SOCKETS_AND_SIGNALS if abi >= 6 else 0
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    attributes = struct.pack("=QQQ", handled, network, scope)
    nothing = ctypes.c_uint32(0)
    rules = _call(
        _CREATE_RULESET, attributes, ctypes.c_size_t(size), nothing, name="landlock rules"
    )
    try:
        read = _READ_FILE | _READ_DIR
        special = _MAKE_CHAR | _MAKE_BLOCK | _MAKE_SOCK | _MAKE_FIFO | _MAKE_SYM
        write = handled & ~(special | _EXECUTE | _IOCTL_DEV)
        for place in readable:
            _allow(rules, place, read, handled)
        for place in (*writable, *_ALSO_WRITABLE):
            _allow(rules, place, write, handled)
        _call(_RESTRICT_SELF, ctypes.c_int(rules), nothing, name="landlock restriction")
    finally:
        os.close(rules)


def _allow(rules: int, place: str, access: int, handled: int) -> None:
    """Permit access to a file or to all below a folder; what is not there needs no rule."""
    try:
        descriptor = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, PermissionError):
        return
    try:
        if not os.path.isdir(place):
            access &= handled & (_EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV)
        rule = struct.pack("=Qi", access, descriptor)
        kind, nothing = ctypes.c_int(_RULE_PATH_BENEATH), ctypes.c_uint32(0)
        _call(_ADD_RULE, ctypes.c_int(rules), kind, rule, nothing, name=f"rule for {place}")
    finally:
        os.close(descriptor)


def _deny_calls() -> None:
    audit, seccomp, clone, denied = _ARCHITECTURES[platform.machine()]
    program = b"".join(_filter(audit, clone, sorted(denied.values())))
    code = ctypes.create_string_buffer(program, len(program))
    header = _Program(len(program) // 8, ctypes.cast(code, ctypes.c_void_p))
    mode, flags = ctypes.c_uint(_FILTER_MODE), ctypes.c_uint(_ON_ALL_THREADS)
    _call(seccomp, mode, flags, ctypes.byref(header), name="seccomp")


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def _filter(audit: int, clone: int, denied: Iterable[int]) -> Iterable[bytes]:
    """Yield a BPF program: denied calls fail with EPERM, a new process is no thread."""
    load, equal, at_least, give, mask = 0x20, 0x15, 0x35, 0x06, 0x54
    refuse = _step(give, _ERRNO | _EPERM)
    number, architecture, first_argument = 0, 4, 16  # offsets in struct seccomp_data
    yield _step(load, architecture)
    yield _step(equal, audit, 1, 0) + _step(give, _KILL_PROCESS)
    yield _step(load, number)
    yield _step(at_least, _X32_CALLS, 0, 1) + refuse
    # The flags of clone3 lie in memory, out of sight; the C library then takes clone.
    yield _step(equal, _CLONE3, 0, 1) + _step(give, _ERRNO | _ENOSYS)
    for call in denied:
        yield _step(equal, call, 0, 1) + refuse
    yield _step(equal, clone, 1, 0) + _step(give, _ALLOW)
    yield _step(load, first_argument) + _step(mask, _CLONE_THREAD)
    yield _step(equal, _CLONE_THREAD, 1, 0) + refuse + _step(give, _ALLOW)


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _call(number: int, *arguments: object, name: str) -> int:
    return _checked(_clib().syscall(ctypes.c_long(number), *arguments), name)


def _checked(result: int, name: str) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{name}: {os.strerror(error)}")
    return result


def _clib() -> ctypes.CDLL:
    assert _libc is not None
    return _libc
