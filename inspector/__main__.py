"""The door: a command for the terminal, or the window."""

import os
import sys

from inspector.platform import gc_policy, own_processes

if sys.platform != "win32":
    import resource

# Address space for Python, numpy and the window's libraries, and more for each core, since
# OpenBLAS reserves a buffer for each of its threads. Measured on Linux: 300 MB with two cores.
_LEAST_ADDRESS_SPACE = 256 << 20
_A_CORE = 32 << 20
_OPTIONS = ("-h", "--help", "--version", "-v", "--verbose")  # before or without a command
_MORE_MEMORY = "Close other programs, or raise the limit of this shell (ulimit -v)."


def main() -> int:
    """Run a command or open the window; returns the exit status."""
    if own_processes.run_module(sys.argv[1:]):
        return 0
    gc_policy.collect_rarely()
    if shortage := _address_space_shortage():
        sys.stderr.write(shortage)
        return 1
    try:
        return _entered(sys.argv[1:])
    except MemoryError:
        sys.stderr.write(f"Inspector ran out of memory. {_MORE_MEMORY}\n")
        return 1
    except Exception as error:  # noqa: BLE001 - the last resort: a sentence and a file
        # 5 ms, and no start crashes
        from inspector.platform import crash_report

        sys.stderr.write(f"{crash_report.report(error)}\n")
        return 1
    except KeyboardInterrupt:  # by who did not wait until all was loaded
        sys.stderr.write("Stopped.\n")
        return own_processes.INTERRUPTED


def _entered(arguments: list[str]) -> int:
    # child processes enter here too, and need no command line: 11 ms
    from inspector.cli import command_table, failures, main

    named = arguments[2:] if arguments[:1] == ["--language"] else arguments
    if named and (named[0] in _OPTIONS or command_table.find(named[0]) is not None):
        status = main.run(arguments)
        gc_policy.freeze_live_objects()
        return status
    if main.mistyped(arguments):
        return failures.WRONG_USE
    return _window(arguments)


def _window(arguments: list[str]) -> int:
    """Open the window, or say which library or display it lacks."""
    # 6 ms that only the window needs
    from inspector.ui.app import display_check

    try:
        # Qt, which may be missing or broken
        from inspector.ui.app.application import run as open_window
    except ImportError as error:
        if not display_check.lacks_library(str(error)):
            raise
        sys.stderr.write(f"{display_check.advice(display_check.library_of(str(error)))}\n")
        return 1
    library = display_check.missing_library()
    if library:
        sys.stderr.write(f"{display_check.advice(library)}\n")
        return 1
    display = display_check.unreachable_display() if _has_display() else ""
    if display:
        sys.stderr.write(f"{display_check.display_advice(display)}\n")
        return 1
    return open_window(arguments)


def _has_display() -> bool:
    """Return whether the environment names a display or a platform of Qt."""
    names = ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY")
    return any(os.environ.get(name) for name in names)


def _address_space_shortage() -> str:
    """Return a sentence where a limit of the shell leaves too little to start; "" if not.

    Libraries print lines of their own, and end the process, where their threads find no room.
    """
    if sys.platform == "win32":
        return ""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    needed = _LEAST_ADDRESS_SPACE + _A_CORE * (os.cpu_count() or 1)
    if limit == resource.RLIM_INFINITY or limit >= needed:
        return ""
    return (
        f"Inspector cannot start: this shell allows {limit >> 20} MiB of address space, and it "
        f"needs {needed >> 20} MiB. Raise the limit: ulimit -v {needed >> 10}\n"
    )


if __name__ == "__main__":
    sys.exit(main())
