"""Limits of a child process on Windows: a job object, low integrity, no privileges.

The parent puts the child into a job object that ends it with the parent, bounds its memory and
lets it start no program. The child itself then drops to low integrity before it sees a model:
from there it changes no file, registry key or process of the user. It can still read files and
reach the network, which would take an AppContainer (docs/confinement.md).

Each call may succeed and do nothing (Wine does that), so what is in force is read back.
Sources: Microsoft's pages on job objects, nested jobs and the mandatory integrity control.
"""

import ctypes
import os
import subprocess
import sys
from collections.abc import Sequence

WINDOWS = os.name == "nt"

_LIMIT_ACTIVE_PROCESS = 0x8
_LIMIT_PROCESS_MEMORY = 0x100
_DIE_ON_UNHANDLED_EXCEPTION = 0x400
_KILL_ON_JOB_CLOSE = 0x2000
_NEEDED_LIMITS = _LIMIT_ACTIVE_PROCESS | _LIMIT_PROCESS_MEMORY | _KILL_ON_JOB_CLOSE
# Windows of others, the clipboard, settings of the system and its display, global atoms,
# desktops, signing off.
_ALL_USER_INTERFACE_LIMITS = 0xFF
_BASIC_UI_RESTRICTIONS = 4
_EXTENDED_LIMIT_INFORMATION = 9

_TOKEN_QUERY = 0x8
_TOKEN_ADJUST_PRIVILEGES = 0x20
_TOKEN_ADJUST_DEFAULT = 0x80
_TOKEN_PRIVILEGES = 3
_TOKEN_INTEGRITY_LEVEL = 25
_LOW_INTEGRITY = 0x1000
_LOW_INTEGRITY_SID = "S-1-16-4096"
_SE_GROUP_INTEGRITY = 0x20
_SE_PRIVILEGE_REMOVED = 0x4
_SE_CHANGE_NOTIFY = 23  # to pass through folders; every program has it
_PRIVILEGES_BYTES = 4096  # 36 privileges of 12 bytes exist

_SE_FILE_OBJECT = 1
_SE_KERNEL_OBJECT = 6
_LABEL_SECURITY_INFORMATION = 0x10
# Mandatory labels in SDDL: no write from below low; for a folder also what is made in it.
_LOW_FOLDER = "S:(ML;OICI;NW;;;LW)"
_LOW_PROCESS = "S:(ML;;NW;;;LW)"
_THIS_PROCESS = ctypes.c_void_p(-1)


class _BasicLimits(ctypes.Structure):
    _fields_ = (
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("least_working_set", ctypes.c_size_t),
        ("most_working_set", ctypes.c_size_t),
        ("active_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority_class", ctypes.c_uint32),
        ("scheduling_class", ctypes.c_uint32),
    )


class _ExtendedLimits(ctypes.Structure):
    _fields_ = (
        ("basic", _BasicLimits),
        ("io_counters", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


class _SidAndAttributes(ctypes.Structure):
    _fields_ = (("sid", ctypes.c_void_p), ("attributes", ctypes.c_uint32))


class JobObject:
    """A job object with one child in it; closing it, or the parent's end, ends the child."""

    def __init__(self, process: "subprocess.Popen[bytes]", memory_bytes: int) -> None:
        """Put a running child in. Raises OSError: the system refuses."""
        create = _kernel32().CreateJobObjectW
        create.restype = ctypes.c_void_p
        self._handle = ctypes.c_void_p(create(None, None))
        limits = job_limits(memory_bytes)
        try:
            _set_job(self._handle, _EXTENDED_LIMIT_INFORMATION, limits)
            # Windows allows these in the outermost job only: a terminal or a build server may
            # have put us into one of its own, and then the rest has to do.
            _kernel32().SetInformationJobObject(
                self._handle,
                _BASIC_UI_RESTRICTIONS,
                ctypes.byref(ctypes.c_uint32(_ALL_USER_INTERFACE_LIMITS)),
                4,
            )
            child = ctypes.c_void_p(int(vars(process)["_handle"]))
            if not _kernel32().AssignProcessToJobObject(self._handle, child):
                no_limits = ctypes.byref(ctypes.c_uint32(0))
                _kernel32().SetInformationJobObject(
                    self._handle, _BASIC_UI_RESTRICTIONS, no_limits, 4
                )
                _checked(
                    _kernel32().AssignProcessToJobObject(self._handle, child), "job object"
                )
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        """End what is still in the job."""
        if self._handle:
            _kernel32().CloseHandle(self._handle)
            self._handle = ctypes.c_void_p(None)


def job_limits(memory_bytes: int) -> _ExtendedLimits:
    """Return the limits of a child: one process, so much memory, ended with its parent."""
    limits = _ExtendedLimits()
    limits.basic.flags = _NEEDED_LIMITS | _DIE_ON_UNHANDLED_EXCEPTION
    limits.basic.active_processes = 1
    limits.process_memory = memory_bytes
    return limits


def limit_child(process: "subprocess.Popen[bytes]", memory_bytes: int) -> JobObject | None:
    """Put a child into a job object; None on other systems, and where Windows refuses."""
    if not WINDOWS:
        return None
    try:
        return JobObject(process, memory_bytes)
    except OSError:
        return None  # the child finds no limits in force, and says so as its level


def direct_python(
    command: Sequence[str], environment: dict[str, str]
) -> tuple[list[str], dict[str, str]]:
    """Return a command and its environment without the launcher of a virtual environment.

    On Windows python.exe of a virtual environment starts the real one as another process,
    which a job of one process forbids, and whose memory and time a watch of the launcher
    would miss. Python's own multiprocessing starts it in this way, too.
    """
    real = getattr(sys, "_base_executable", sys.executable)
    launcher = command[0] if command else ""
    # That of an environment of an engine is as much a launcher as this Python's own.
    virtual = launcher == sys.executable or os.path.exists(
        os.path.join(os.path.dirname(launcher), "..", "pyvenv.cfg")
    )
    if not WINDOWS or launcher == real or not virtual:
        return list(command), environment
    return [real, *command[1:]], environment | {"__PYVENV_LAUNCHER__": launcher}


def is_wine() -> bool:
    """Return whether this Windows is Wine, which accepts limits and does not enforce them."""
    return WINDOWS and hasattr(ctypes.CDLL("ntdll"), "wine_get_version")


def job_in_force() -> bool:
    """Return whether this process is in a job with all limits that it needs."""
    limits = _ExtendedLimits()
    size = ctypes.sizeof(limits)
    read = _kernel32().QueryInformationJobObject(
        None, _EXTENDED_LIMIT_INFORMATION, ctypes.byref(limits), size, None
    )
    flags: int = limits.basic.flags
    return bool(read) and flags & _NEEDED_LIMITS == _NEEDED_LIMITS


def lower_integrity(folder: str = "") -> bool:
    """Give up all rights to change what is the user's; return whether that is in force.

    For good, and for the whole process. folder: stays writable, if not empty.
    """
    try:
        if folder:
            _label(_LOW_FOLDER, folder)
        _label(_LOW_PROCESS)  # as a process that starts at this level has it: it opens itself
        token = ctypes.c_void_p()
        access = _TOKEN_QUERY | _TOKEN_ADJUST_PRIVILEGES | _TOKEN_ADJUST_DEFAULT
        opened = _advapi32().OpenProcessToken(_THIS_PROCESS, access, ctypes.byref(token))
        _checked(opened, "token")
        try:
            _drop_privileges(token)
            _set_integrity(token, _LOW_INTEGRITY_SID)
            return _integrity(token) <= _LOW_INTEGRITY
        finally:
            _kernel32().CloseHandle(token)
    except OSError as error:
        print(f"confinement: {error}", file=sys.stderr)  # noqa: T201 - the child's log
        return False


def _drop_privileges(token: ctypes.c_void_p) -> None:
    """Remove every privilege of a token but the one that all programs need."""
    buffer = (ctypes.c_uint32 * (_PRIVILEGES_BYTES // 4))()
    size = ctypes.c_uint32()
    read = _advapi32().GetTokenInformation(
        token, _TOKEN_PRIVILEGES, buffer, ctypes.sizeof(buffer), ctypes.byref(size)
    )
    _checked(read, "privileges")
    for at in range(1, 1 + 3 * buffer[0], 3):  # a number of 64 bits, then attributes
        if (buffer[at], buffer[at + 1]) != (_SE_CHANGE_NOTIFY, 0):
            buffer[at + 2] = _SE_PRIVILEGE_REMOVED
    adjusted = _advapi32().AdjustTokenPrivileges(token, 0, buffer, 0, None, None)
    _checked(adjusted, "privileges")


def _set_integrity(token: ctypes.c_void_p, sid_text: str) -> None:
    sid = ctypes.c_void_p()
    converted = _advapi32().ConvertStringSidToSidW(
        ctypes.c_wchar_p(sid_text), ctypes.byref(sid)
    )
    _checked(converted, "integrity level")
    try:
        level = _SidAndAttributes(sid, _SE_GROUP_INTEGRITY)
        lowered = _advapi32().SetTokenInformation(
            token, _TOKEN_INTEGRITY_LEVEL, ctypes.byref(level), ctypes.sizeof(level)
        )
        _checked(lowered, "integrity level")
    finally:
        _kernel32().LocalFree(sid)


def _integrity(token: ctypes.c_void_p) -> int:
    """Return the integrity level of a token: 0x1000 low, 0x2000 medium, 0x3000 high."""
    buffer = (ctypes.c_void_p * 16)()
    size = ctypes.c_uint32()
    read = _advapi32().GetTokenInformation(
        token, _TOKEN_INTEGRITY_LEVEL, buffer, ctypes.sizeof(buffer), ctypes.byref(size)
    )
    _checked(read, "integrity level")
    part = _advapi32().GetSidSubAuthority
    part.restype = ctypes.POINTER(ctypes.c_uint32)
    return int(part(ctypes.c_void_p(buffer[0]), 0)[0])


def _label(text: str, folder: str = "") -> None:
    """Set the mandatory label of a folder, or of this process."""
    descriptor, labels = ctypes.c_void_p(), ctypes.c_void_p()
    present, defaulted = ctypes.c_int(), ctypes.c_int()
    converted = _advapi32().ConvertStringSecurityDescriptorToSecurityDescriptorW(
        ctypes.c_wchar_p(text), 1, ctypes.byref(descriptor), None
    )
    _checked(converted, "label")
    try:
        succeeded = _advapi32().GetSecurityDescriptorSacl(
            descriptor, ctypes.byref(present), ctypes.byref(labels), ctypes.byref(defaulted)
        )
        _checked(succeeded, "label")
        rest = (_LABEL_SECURITY_INFORMATION, None, None, None, labels)
        if folder:
            status = _advapi32().SetNamedSecurityInfoW(
                ctypes.c_wchar_p(folder), _SE_FILE_OBJECT, *rest
            )
        else:
            status = _advapi32().SetSecurityInfo(_THIS_PROCESS, _SE_KERNEL_OBJECT, *rest)
        _checked(
            status == 0,
            f"setting the integrity label of {folder or 'the process'} (error {status})",
        )
    finally:
        _kernel32().LocalFree(descriptor)


def _set_job(job: ctypes.c_void_p, kind: int, limits: ctypes.Structure) -> None:
    succeeded = _kernel32().SetInformationJobObject(
        job, kind, ctypes.byref(limits), ctypes.sizeof(limits)
    )
    _checked(succeeded, "job object")


def _checked(worked: object, name: str) -> None:
    if not worked:
        raise OSError(f"Windows call failed: {name}")


def _kernel32() -> ctypes.CDLL:
    return ctypes.CDLL("kernel32")


def _advapi32() -> ctypes.CDLL:
    return ctypes.CDLL("advapi32")
