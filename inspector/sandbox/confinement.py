"""Confinement of a child process that works on an untrusted file, without root.

On Linux Landlock rules say which files it may read, a seccomp filter which system calls it may
make, limits of the process itself what it may take; all through the C library. macOS has a
sandbox profile (at the end of this file), Windows a job object and low integrity
(`windows_limits`).
What a confined child can still read and do, and what was tried against it:
docs/confinement.md.
Sources: the kernel's documentation of Landlock (ABI 1 to 7) and seccomp.

On macOS, `sandbox_init` binds the process that calls it and all that it starts, for good.
Apple calls it deprecated, and browsers and build tools rely on it. The last rule that fits an
operation wins.
Sources: the man page sandbox_init(3) and the profiles below /System/Library/Sandbox/Profiles.
"""

import ctypes
import json
import os
import platform
import signal
import socket
import struct
import sys
import sysconfig
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from inspector.platform.files import resource
from inspector.sandbox import windows_limits

if sys.platform != "win32":
    import resource as limits

_LIBRARY = "/usr/lib/libSystem.B.dylib"
_PROFILE_TEXT = 0  # of the flags: the profile is text, and not the name of one of Apple's

# Where files of users lie: homes, other disks, temporary folders, keys.
_OF_USERS = (
    "/Users", "/Volumes", "/Network", "/Library/Keychains", "/private/tmp", "/private/var/tmp",
    "/private/var/folders", "/private/var/root", "/private/var/mobile",
)  # fmt: skip

_RULES = """\
(version 1)
(allow default)
(deny network*)
(deny process-exec*)
(deny process-fork)
(deny signal)
(allow signal (target self))
(deny process-info*)
(allow process-info* (target self))
(deny sysctl-read (sysctl-name "kern.procargs2"))
(deny mach-lookup)
(deny mach-priv-task-port)
(deny iokit-open)
(deny file-write*)
(allow file-write* (literal "/dev/null"))
"""

FULL = "full"
MEMORY_AND_LIFETIME = "memory and lifetime only"
NO_CONFINEMENT = "none"
FILES_AND_NETWORK = "files and network blocked"
NO_CHANGES = "no changes allowed"
CONFINEMENTS = (FULL, FILES_AND_NETWORK, NO_CHANGES, MEMORY_AND_LIFETIME, NO_CONFINEMENT)
# What each level means, for the window; the table in docs/confinement.md says it in full.
MEANINGS = {
    FULL: "a model can read only its own folder and the system libraries",
    FILES_AND_NETWORK: "a model can read only its own folder and the system libraries, cannot "
    "write files, and has no network access; its memory is monitored but not limited",
    NO_CHANGES: "a model cannot change your files or start programs, but it could read "
    "files and use the network",
    MEMORY_AND_LIFETIME: "a model has a memory limit and is terminated when Inspector exits, "
    "but it could access files and the network",
    NO_CONFINEMENT: "a model runs in a separate process, but could access your files",
}
SYSTEM = sys.platform  # a name of its own, for tests
LINUX = sys.platform.startswith("linux")
# Number of an inherited socket, over which the child hands its parent the right to answer the
# calls that its filter stops (`inspector.sandbox.denied_call_log`).
LISTENER_VARIABLE = "INSPECTOR_DENIED_CALLS_SOCKET"
_PR_SET_PDEATHSIG = 1
_PR_SET_NO_NEW_PRIVS = 38
_FIRST_TO_END = "900"  # of 1000: the kernel ends the engine before the window
# The C library, Python, temporary folders; what Windows needs to start a process at all.
_VARIABLE_NAMES = (
    "PATH HOME USER LOGNAME LANG LANGUAGE TZ TMPDIR TEMP TMP LD_LIBRARY_PATH LD_PRELOAD "
    "DYLD_LIBRARY_PATH DYLD_FALLBACK_LIBRARY_PATH MALLOC_ARENA_MAX GLIBC_TUNABLES "
    "XDG_CACHE_HOME XDG_RUNTIME_DIR DISPLAY WAYLAND_DISPLAY XAUTHORITY VIRTUAL_ENV "
    "SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT USERPROFILE APPDATA LOCALAPPDATA "
    "PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES "
    "NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE PROCESSOR_IDENTIFIER PROCESSOR_LEVEL "
    "PROCESSOR_REVISION OS"
)
_VARIABLES = frozenset(_VARIABLE_NAMES.split())
# Settings of Python, runtimes, drivers of devices, math libraries and coverage tools.
_VARIABLE_PREFIXES = (
    "LC_", "PYTHON", "INSPECTOR_", "ORT_", "OMP_", "KMP_", "GOMP_", "MKL_", "OPENBLAS_",
    "VECLIB_", "CUDA_", "CUDNN_", "NVIDIA_", "TENSORRT_", "HIP_", "ROCR_", "HSA_", "MIGRAPHX_",
    "VK_", "OPENVINO_", "OV_", "QNN_", "ZE_", "ONEAPI_", "SYCL_", "DAWN_", "WINE", "COV_",
    "COVERAGE_",
)  # fmt: skip
# What a Python program and the C library read of the system while they run: libraries, time
# zones, and what the machine is. Not the programs, manuals and settings below /usr and /etc.
_SYSTEM = (
    "/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib",
    "/usr/share/zoneinfo", "/usr/lib/locale", "/etc/ld.so.cache", "/etc/localtime",
    "/etc/os-release", "/sys/devices/system", "/sys/fs/cgroup", "/sys/kernel/mm",
    "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/loadavg",
    "/proc/uptime", "/proc/version", "/proc/sys/vm", "/proc/sys/kernel",
    "/dev/urandom", "/dev/random", "/dev/zero",
)  # fmt: skip
_ALSO_WRITABLE = ("/dev/null",)
# Rights of Landlock (linux/landlock.h).
_EXECUTE = 1 << 0
_WRITE_FILE = 1 << 1
_READ_FILE = 1 << 2
_READ_DIR = 1 << 3
_MAKE_CHAR = 1 << 6
_MAKE_SOCK = 1 << 9
_MAKE_FIFO = 1 << 10
_MAKE_BLOCK = 1 << 11
_MAKE_SYM = 1 << 12
_REFER = 1 << 13
_TRUNCATE = 1 << 14
_IOCTL_DEV = 1 << 15
_ABI_1_FILES = (1 << 13) - 1
_NET_BIND_AND_CONNECT = _SCOPE_SOCKETS_AND_SIGNALS = 0b11
_RULE_PATH_BENEATH = 1
# the same on every architecture
_CREATE_RULESET = 444
_ADD_RULE = 445
_RESTRICT_SELF = 446
# What a confined child may ask of the kernel; every other call fails with EPERM. Recorded over
# the test suite, then completed with the calls of the same kind that another version of the
# C library, of Python or of the runtime makes instead. Numbers: `tools/system_calls.py`.
_FILES_AND_PIPES = (
    "read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 sendfile "
    "copy_file_range open openat openat2 close close_range lseek stat fstat lstat newfstatat "
    "statx statfs fstatfs access faccessat faccessat2 readlink readlinkat getdents getdents64 "
    "getcwd chdir fchdir mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 umask "
    "fsync fdatasync ftruncate fallocate fadvise64 readahead sync_file_range dup dup2 dup3 "
    "pipe pipe2 eventfd2 poll ppoll select pselect6 epoll_create1 epoll_ctl epoll_wait "
    "epoll_pwait epoll_pwait2"
)
_MEMORY = (
    "mmap mprotect munmap mremap msync mincore madvise brk membarrier mbind set_mempolicy "
    "get_mempolicy"
)
_THREADS_AND_SIGNALS = (
    "futex futex_waitv futex_wake futex_wait futex_requeue sched_yield sched_getaffinity "
    "sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min "
    "sched_rr_get_interval getpriority set_tid_address set_robust_list rseq getcpu arch_prctl "
    "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend "
    "sigaltstack restart_syscall pause alarm getitimer setitimer exit exit_group wait4 waitid"
)
_TIME_AND_FACTS = (
    "clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times getrusage "
    "getrlimit sysinfo uname getrandom getpid gettid getppid getpgrp getpgid getsid getuid "
    "geteuid getgid getegid getgroups getresuid getresgid"
)
# To hand over the listener. No call that makes or receives a socket is allowed, and it is
# the only one that the process has.
_HANDING_OVER = "sendmsg"
_ALLOWED = " ".join(
    (_FILES_AND_PIPES, _MEMORY, _THREADS_AND_SIGNALS, _TIME_AND_FACTS, _HANDING_OVER)
).split()
# Calls that are allowed with some values of one argument: its place, the values.
_F_OF_FILES_AND_LOCKS = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1031, 1032, 1033, 1034)
_TCGETS = 0x5401
_TIOCGWINSZ = 0x5413
_FIONREAD = 0x541B
_FIONBIO = 0x5421
_FIONCLEX = 0x5450
_FIOCLEX = 0x5451
_PR_SET_NAME = 15
_PR_GET_NAME = 16
_PR_SET_VMA = 0x53564D41
_SOME_VALUES: dict[str, tuple[int, tuple[int, ...]]] = {
    # Not F_SETOWN and F_SETSIG, which send signals to other processes.
    "fcntl": (1, _F_OF_FILES_AND_LOCKS),
    # Not those of terminals (TIOCSTI types into them), nor those that answer the listener.
    "ioctl": (1, (_TCGETS, _TIOCGWINSZ, _FIONREAD, _FIONBIO, _FIONCLEX, _FIOCLEX)),
    # Not PR_SET_PDEATHSIG, with which it would outlive its parent, nor PR_SET_PTRACER.
    "prctl": (0, (_PR_SET_NAME, _PR_GET_NAME, _PR_SET_VMA)),
    # 0 is the thread that calls. OpenVINO binds it to a core and back in every run: an answer
    # from the parent would add 20 us to each, which doubles the latency of a small model.
    "sched_setaffinity": (0, (0,)),
}
# The runtime binds its other threads to cores, too: who listens lets it where they are its own.
OWN_THREADS_ONLY = "sched_setaffinity"
_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # AUDIT_ARCH_*
_CLONE_THREAD = 0x00010000  # linux/sched.h: the new task is a thread
_X32_CALLS = 0x40000000  # bit of system calls of the x32 ABI, which would go around the filter
_EPERM = 1
_ENOSYS = 38
_ALLOW = 0x7FFF0000
_NOTIFY = 0x7FC00000
_ERRNO = 0x00050000
_KILL_PROCESS = 0x80000000
_FILTER_MODE = 1
# TSYNC: all threads; NEW_LISTENER: returns a descriptor that hears of calls that are stopped;
# TSYNC_ESRCH: needed for both at once (Linux 5.7).
_ON_ALL_THREADS = 1 << 0
_WITH_LISTENER = (1 << 0) | (1 << 3) | (1 << 4)
_PACKAGE_FOLDERS = ("site-packages", "dist-packages")
_STEP_BYTES = 8
# Operations of classic BPF, and offsets in struct seccomp_data.
_LOAD = 0x20
_IF_EQUAL = 0x15
_IF_AT_LEAST = 0x35
_RETURN = 0x06
_AND = 0x54
_NUMBER = 0
_ARCHITECTURE = 4
_FIRST_ARGUMENT = 16


def profile(readable: Iterable[str], folder: str = "") -> str:
    """Return the profile of a child that reads some places and writes into one folder.

    No network, no other program, no signal, no service of the system, no writing elsewhere, no
    file of users but those that are given. Names, sizes and times of files stay visible, which
    resolving a path needs. readable: files and folders. folder: none when empty.
    """
    of_users = [f"(deny file-read* (subpath {_quoted(place)}))" for place in _OF_USERS]
    rules = [_RULES.rstrip("\n"), *of_users, "(allow file-read-metadata)"]
    rules += [f"(allow file-read* {_below(place)})" for place in dict.fromkeys(readable)]
    if folder:
        rules.append(f"(allow file-read* file-write* {_below(folder)})")
    return "\n".join(rules) + "\n"


def _below(place: str) -> str:
    """Return the filter for a file, or for a folder and all below it; links are resolved."""
    return f"(subpath {_quoted(os.path.realpath(place))})"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def macos_sandbox_available() -> bool:
    """Return whether this macOS still has the call."""
    try:
        return hasattr(ctypes.CDLL(_LIBRARY), "sandbox_init")
    except OSError:
        return False


def enforce(text: str) -> None:
    """Put a profile in force for this process, for good. Raises OSError: why it is not."""
    library = ctypes.CDLL(_LIBRARY)
    init = library.sandbox_init
    init.argtypes = (ctypes.c_char_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_char_p))
    message = ctypes.c_char_p()
    if init(os.fsencode(text), _PROFILE_TEXT, ctypes.byref(message)):
        reason = (message.value or b"no reason").decode("utf-8", "replace")
        raise OSError(f"sandbox_init: {reason}")


def limit_memory_and_lifetime(parent: int, memory_bytes: int) -> str:
    """End with the parent, leave no core file, take no more memory than allowed.

    Returns the confinement that is in force now; NO_CONFINEMENT on macOS, where the end of the
    pipe still ends this process.
    """
    if not LINUX:
        return take_no_more_than(memory_bytes)
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)  # it ended before the line above
    return take_no_more_than(memory_bytes)


def take_no_more_than(memory_bytes: int) -> str:
    """Leave no core file, gain no rights, take no more memory than allowed.

    Returns the confinement that is in force now.
    """
    if SYSTEM == "win32":  # the parent has set the limits, by a job object
        return MEMORY_AND_LIFETIME if windows_limits.job_in_force() else NO_CONFINEMENT
    limits.setrlimit(limits.RLIMIT_CORE, (0, 0))
    if not LINUX:
        return NO_CONFINEMENT
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    _, hard = limits.getrlimit(limits.RLIMIT_DATA)
    allowed = memory_bytes if hard == limits.RLIM_INFINITY else min(memory_bytes, hard)
    limits.setrlimit(limits.RLIMIT_DATA, (allowed, hard))
    try:
        Path("/proc/self/oom_score_adj").write_text(_FIRST_TO_END, "ascii")
    except OSError as error:  # some containers keep it from their processes
        print(f"oom_score_adj: {error}", file=sys.stderr)  # noqa: T201 - the child's log
    return MEMORY_AND_LIFETIME


def confine_this_process(readable: Iterable[str] = (), folder: str = "") -> str:
    """Allow reading of a model and of the program, writing into one folder, nothing else.

    No network, no other program, no other process, no change of a file's mode, owner or time;
    macOS and Windows do a part of that (docs/confinement.md).
    Binds this thread and those it starts, for good: call it while the process has one thread.
    Returns the confinement in force. readable: files and folders. folder: none when empty.
    """
    if SYSTEM == "darwin":
        try:
            enforce(profile([*_interpreter(), *readable], folder))
        except OSError as error:
            print(f"confinement: {error}", file=sys.stderr)  # noqa: T201 - the child's log
            return NO_CONFINEMENT
        return FILES_AND_NETWORK
    if SYSTEM == "win32":
        lowered = windows_limits.lower_integrity(folder)
        if not windows_limits.job_in_force():
            return NO_CONFINEMENT
        return NO_CHANGES if lowered else MEMORY_AND_LIFETIME
    machine = platform.machine()
    if not LINUX or machine not in _ARCHITECTURES:
        return MEMORY_AND_LIFETIME if LINUX else NO_CONFINEMENT
    listener = os.environ.pop(LISTENER_VARIABLE, "")
    try:
        _restrict_files([*_SYSTEM, *_interpreter(), *readable], [folder] if folder else [])
        _allow_calls(machine, int(listener) if listener.isdecimal() else None)
    except OSError as error:
        print(f"confinement: {error}", file=sys.stderr)  # noqa: T201 - the child's log
        return MEMORY_AND_LIFETIME
    return FULL


def available() -> tuple[str, str]:
    """Return the level that a prediction on the CPU gets on this system, and why not more."""
    if SYSTEM == "darwin" and macos_sandbox_available():
        return FILES_AND_NETWORK, "macOS does not limit the memory of a process"
    if SYSTEM == "darwin":
        return NO_CONFINEMENT, "this version of macOS has no sandbox_init"
    if SYSTEM == "win32" and windows_limits.is_wine():
        return NO_CONFINEMENT, "Wine accepts the limits of Windows, but does not enforce them"
    if SYSTEM == "win32":
        return NO_CHANGES, "only an AppContainer could prevent it from reading files"
    if not LINUX:
        return NO_CONFINEMENT, "Inspector has a sandbox only on Linux, macOS and Windows"
    machine = platform.machine()
    if machine not in _ARCHITECTURES:
        return MEMORY_AND_LIFETIME, f"the sandbox does not support {machine} processors"
    if not landlock_version():
        return (
            MEMORY_AND_LIFETIME,
            "this kernel has no Landlock (Linux 5.13 or later), or it is disabled",
        )
    return FULL, ""


def landlock_version() -> int:
    """Return the version of Landlock's interface that this kernel has; 0 for none."""
    if not LINUX:
        return 0
    version = ctypes.c_uint32(1)
    try:
        return _call(_CREATE_RULESET, None, ctypes.c_size_t(0), version, name="landlock")
    except OSError:
        return 0


def environment(inherited: Mapping[str, str], **added: str) -> dict[str, str]:
    """Return what a child gets of the environment: what programs need to run, by name.

    Tokens, passwords and addresses that a shell or a build server keeps in other variables
    stay with the parent. added: set on top of that.
    """
    upper = str.upper if os.name == "nt" else str  # Windows does not tell cases apart
    return {
        name: value
        for name, value in inherited.items()
        if upper(name) in _VARIABLES or upper(name).startswith(_VARIABLE_PREFIXES)
    } | added


def child_environment(**added: str) -> dict[str, str]:
    """Return the `environment` of a Python that imports this package before what the user put
    on its path."""
    root = str(Path(__file__).resolve().parents[2])
    paths = os.pathsep.join([root, *filter(None, [os.environ.get("PYTHONPATH")])])
    own = {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    own["OPENBLAS_NUM_THREADS"] = "1"  # threads of numpy's would escape the confinement
    return environment(os.environ, **own, **added)


_libc = ctypes.CDLL(None, use_errno=True) if LINUX else None


@cache
def system_calls(machine: str) -> Mapping[str, int]:
    """Return the numbers of Linux's system calls by name, for "x86_64" or "aarch64"."""
    text = resource("confinement", "system_calls.json").read_bytes()
    tables: dict[str, dict[str, int]] = json.loads(text)
    return tables[machine]


def _interpreter() -> list[str]:
    """Return the folders of Python, its packages and our own package, for imports."""
    package = Path(__file__).resolve().parents[1]
    standard = [path for key, path in sysconfig.get_paths().items() if "lib" in key]
    own = [str(package), str(resource().resolve()), os.path.join(sys.base_prefix, "lib")]
    virtual = os.path.join(sys.prefix, "pyvenv.cfg")
    import_paths = {os.getcwd()}
    if package.parent.name not in _PACKAGE_FOLDERS:
        import_paths.add(str(package.parent))  # a checkout has more in it than the package
    searched = [
        place for place in sys.path if place and os.path.realpath(place) not in import_paths
    ]
    # A frozen program imports from its own file, and from the folder that it was unpacked to.
    frozen = [sys.executable, getattr(sys, "_MEIPASS", os.path.dirname(sys.executable))]
    own += frozen if getattr(sys, "frozen", False) else []
    places = dict.fromkeys([*standard, *own, virtual, *searched])
    return [place for place in places if os.path.exists(place)]


def _prctl(option: int, value: int) -> None:
    zero = ctypes.c_ulong(0)
    _checked(_clib().prctl(option, ctypes.c_ulong(value), zero, zero, zero), "prctl")


def _restrict_files(readable: Iterable[str], writable: Iterable[str]) -> None:
    abi = landlock_version()
    handled = _ABI_1_FILES
    handled |= (_REFER if abi >= 2 else 0) | (_TRUNCATE if abi >= 3 else 0)
    handled |= _IOCTL_DEV if abi >= 5 else 0
    network = _NET_BIND_AND_CONNECT if abi >= 4 else 0
    scope = _SCOPE_SOCKETS_AND_SIGNALS if abi >= 6 else 0
    size = 24 if abi >= 6 else 16 if abi >= 4 else 8
    attributes = struct.pack("=QQQ", handled, network, scope)
    nothing = ctypes.c_uint32(0)
    rules = _call(
        _CREATE_RULESET, attributes, ctypes.c_size_t(size), nothing, name="Landlock rules"
    )
    try:
        read = _READ_FILE | _READ_DIR
        special = _MAKE_CHAR | _MAKE_BLOCK | _MAKE_SOCK | _MAKE_FIFO | _MAKE_SYM
        write = handled & ~(special | _EXECUTE | _IOCTL_DEV)
        for place in readable:
            _allow(rules, place, read, handled)
        for place in (*writable, *_ALSO_WRITABLE):
            _allow(rules, place, write, handled)
        _call(_RESTRICT_SELF, ctypes.c_int(rules), nothing, name="Landlock restriction")
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


def _allow_calls(machine: str, listener: int | None) -> None:
    """Refuse every system call but those that are allowed.

    listener: a socket on which the parent gets a descriptor that names refused calls to it.
    """
    if listener is not None:
        # Looked at before the filter is there: from then on a call that is refused waits for
        # the parent, which has nothing to answer on before it has the descriptor.
        parent = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0, listener)
        try:
            descriptor = _install(machine, _NOTIFY, _WITH_LISTENER)
        except OSError:  # before Linux 5.7
            parent.close()
        else:
            socket.send_fds(parent, [b"1"], [descriptor])
            os.close(descriptor)
            parent.close()
            return
    _install(machine, _ERRNO | _EPERM, _ON_ALL_THREADS)


def _install(machine: str, refusal: int, flags: int) -> int:
    program = b"".join(_filter(machine, refusal))
    code = ctypes.create_string_buffer(program, len(program))
    header = _Program(len(program) // _STEP_BYTES, ctypes.cast(code, ctypes.c_void_p))
    return _call(
        system_calls(machine)["seccomp"],
        ctypes.c_uint(_FILTER_MODE),
        ctypes.c_uint(flags),
        ctypes.byref(header),
        name="seccomp",
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def _filter(machine: str, refusal: int) -> Iterable[bytes]:
    """Yield a BPF program: what is allowed passes, all else ends with `refusal`."""
    number = system_calls(machine)
    refuse, allow = _step(_RETURN, refusal), _step(_RETURN, _ALLOW)
    yield _step(_LOAD, _ARCHITECTURE)
    yield _step(_IF_EQUAL, _ARCHITECTURES[machine], 1, 0) + _step(_RETURN, _KILL_PROCESS)
    yield _step(_LOAD, _NUMBER)
    yield _step(_IF_AT_LEAST, _X32_CALLS, 0, 1) + refuse
    # The flags of clone3 lie in memory, out of sight; the C library then takes clone.
    yield _step(_IF_EQUAL, number["clone3"], 0, 1) + _step(_RETURN, _ERRNO | _ENOSYS)
    for name in _ALLOWED:
        if name in number:  # aarch64 lacks the older ones
            yield _step(_IF_EQUAL, number[name], 0, 1) + allow
    for name, (place, values) in _SOME_VALUES.items():
        yield _if_call(number[name], _if_argument(place, values, allow, refuse))
    for name in ("kill", "tgkill"):  # abort() ends the process this way
        yield _if_call(number[name], _if_argument(0, (os.getpid(),), allow, refuse))
    # Limits may be read, and not even those of the process itself changed.
    own, unchanged = _if_argument(0, (0,), b"", refuse), _if_argument(2, (0,), b"", refuse)
    high = _step(_LOAD, _FIRST_ARGUMENT + 2 * 8 + 4) + _step(_IF_EQUAL, 0, 1, 0) + refuse
    yield _if_call(number["prlimit64"], own + unchanged + high + allow)
    thread = _step(_LOAD, _FIRST_ARGUMENT) + _step(_AND, _CLONE_THREAD)
    thread += _step(_IF_EQUAL, _CLONE_THREAD, 1, 0) + refuse + allow
    yield _if_call(number["clone"], thread)
    yield refuse


def _if_call(number: int, then: bytes) -> bytes:
    """Do `then`, which returns, where the call is this one."""
    return _step(_IF_EQUAL, number, 0, len(then) // _STEP_BYTES) + then


def _if_argument(place: int, values: Iterable[int], then: bytes, otherwise: bytes) -> bytes:
    """Compare the low half of an argument: `then` for one of the values, else `otherwise`.

    An empty `then` goes on behind this.
    """
    code = _step(_LOAD, _FIRST_ARGUMENT + 8 * place)
    for value in values:
        if then:
            code += _step(_IF_EQUAL, value, 0, 1) + then
        else:
            return code + _step(_IF_EQUAL, value, 1, 0) + otherwise
    return code + otherwise


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
