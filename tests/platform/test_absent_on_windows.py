"""What only POSIX has is used in the places listed here alone, each of which asks for it first.

`os.kill(process, 0)`, which asks on POSIX whether a process runs, ends it on Windows.
"""

import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "inspector"
_OS = (
    "O_CLOEXEC|O_DIRECTORY|O_NOFOLLOW|O_NONBLOCK|O_PATH|P_PID|WEXITED|WEXITSTATUS|WIFEXITED|"
    "WIFSIGNALED|WNOHANG|WNOWAIT|WTERMSIG|chown|chroot|environb|fchmod|fchown|fork|forkpty|"
    "getegid|geteuid|getgid|getgroups|getloadavg|getpgid|getpgrp|getuid|kill|killpg|lchown|"
    "lockf|memfd_create|mkfifo|mknod|nice|openpty|posix_fadvise|posix_fallocate|posix_spawn|"
    "pread|preadv|pwrite|pwritev|readv|register_at_fork|sched_getaffinity|sched_setaffinity|"
    "sendfile|setgid|setpgid|setpriority|setsid|setuid|statvfs|sync|sysconf|uname|wait|wait3|"
    "wait4|waitid|writev"
)
_SIGNAL = (
    "ITIMER_PROF|ITIMER_REAL|SIGALRM|SIGBUS|SIGCHLD|SIGCONT|SIGHUP|SIGKILL|SIGPIPE|SIGQUIT|"
    "SIGSTOP|SIGTSTP|SIGUSR1|SIGUSR2|SIGXCPU|SIGXFSZ|alarm|pause|pthread_kill|"
    "pthread_sigmask|setitimer|sigwait"
)
_REST = "select\\.(?:epoll|kqueue|poll)|socket\\.(?:AF_UNIX|recv_fds|send_fds)|time\\.tzset"
USE = re.compile(
    rf"\b((?<!\.)(?:os\.(?:{_OS})|signal\.(?:{_SIGNAL})|{_REST}))\b"
    r"|^ *(?:import|from) (fcntl|grp|pty|pwd|readline|resource|syslog|termios|tty)\b",
    re.MULTILINE,
)
# By the file, what stands behind a question of the system, or behind hasattr.
ASKED_FOR = {
    "__main__.py": "resource",
    "backends/measuring/energy.py": "os.pread",  # of files of /sys, which are not there
    "backends/measuring/process_state.py": "resource",
    "cli/main.py": "os.kill",  # of itself by a signal that it has got, also on Windows
    "cli/command_timer.py": "signal.ITIMER_REAL signal.SIGALRM signal.setitimer",
    "cli/runs/chat.py": "readline",  # an import that may fail
    "engine/client/supervision.py": "os.P_PID os.WEXITED os.WNOHANG os.WNOWAIT os.waitid",
    "formats/source.py": "os.pread os.preadv",
    "platform/files.py": "fcntl os.O_DIRECTORY",
    "platform/memory_budget.py": "resource",
    "platform/process_states.py": "os.sysconf",
    "recorder/native_programs.py": "os.getuid",  # of programs on Linux alone
    "recorder/import_hook.py": (
        "os.P_PID os.WEXITED os.WNOHANG os.WNOWAIT os.getpgrp os.kill os.killpg os.waitid"
    ),
    "recorder/recorded_processes.py": "os.kill signal.SIGKILL",
    "recorder/span_ring.py": "os.posix_fallocate",
    "recorder/store.py": "os.getpgrp os.kill os.register_at_fork os.sysconf",
    "recorder/unrecorded_python.py": "os.posix_spawn",
    "remote/agent.py": "signal.SIGHUP",
    "sandbox/confinement.py": (
        "os.O_CLOEXEC os.O_PATH resource signal.SIGKILL socket.AF_UNIX socket.send_fds"
    ),
    "sandbox/decoding/__main__.py": "signal.ITIMER_PROF signal.setitimer",
    "sandbox/decoding/decoder_process.py": "fcntl",
    "sandbox/denied_call_log.py": "fcntl select.poll socket.recv_fds",
    "ui/app/display_check.py": "socket.AF_UNIX",
    "ui/app/handover.py": "os.getuid socket.AF_UNIX",
    "ui/background.py": "os.setpriority",
    "ui/documents/recorded_program.py": "os.killpg signal.SIGKILL",
}


def used(code: str) -> str:
    return " ".join(sorted({first or second for first, second in USE.findall(code)}))


def test_a_use_of_what_windows_lacks_is_listed_with_its_file():
    found = {}
    for path in PACKAGE.rglob("*.py"):
        if names := used(path.read_text("utf-8")):
            found[path.relative_to(PACKAGE).as_posix()] = names
    assert found == ASKED_FOR


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("import os\nos.kill(1, 0)", "os.kill"),
        ("if True:\n    import fcntl as system", "fcntl"),
        ("a.os.kill(b.signal.SIGINT)", ""),
    ],
)
def test_each_way_to_use_one_is_seen(code, names):
    assert used(code) == names
