"""The commands that start processes of this program, by `python -m` or by a frozen program, and
their end."""

import faulthandler
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.machinery import ExtensionFileLoader
from types import FrameType

from inspector.platform.late_modules import psutil

if sys.platform == "win32":
    import msvcrt

# Signals that end a program from outside (a job is over, a terminal is closed), and its status.
ENDING_SIGNALS = ("SIGTERM", "SIGHUP")
TERMINATED = 143
INTERRUPTED = 130  # exit status: 128 and the number of SIGINT
# First argument that has a frozen program run one of these modules in place of the window.
RUN_MODULE = "--run-module"
_ENGINE = "inspector.engine"
_DECODER = "inspector.sandbox.decoding"
_PROGRAM = "inspector"
_BUSY = "inspector.platform.busy_cores"
_LOADING = ("create_module", "exec_module")  # methods of Python's loaders of libraries
_MODULES = (_ENGINE, _DECODER, _BUSY)
_PLUGINS = "inspector.plugins."  # a module of our own plugins may be a process, too


def command(module: str, *arguments: str, python_options: Sequence[str] = ()) -> list[str]:
    """Return the command that runs a module of this package in a process of its own.

    python_options: for the interpreter. A frozen program has none to give them to.
    """
    if not getattr(sys, "frozen", False):
        return [sys.executable, *python_options, "-m", module, *arguments]
    if module == _PROGRAM:
        return [sys.executable, *arguments]
    return [sys.executable, RUN_MODULE, module, *arguments]


def run_module(arguments: Sequence[str]) -> bool:
    """Run the module that the arguments of a frozen program name; False if they name none."""
    if len(arguments) < 2 or arguments[0] != RUN_MODULE:
        return False
    module, rest = arguments[1], list(arguments[2:])
    of_plugin = module.startswith(_PLUGINS)
    if not of_plugin and module not in _MODULES:
        return False
    if module == _ENGINE and sys.stderr is not None:
        faulthandler.enable()
    sys.argv[:] = [module, *rest]
    # one of several programs, each with its own needs
    import_module(module if of_plugin or module == _BUSY else f"{module}.__main__").main()
    return True


def exchange_bytes(*descriptors: int) -> None:
    """Let pipes carry bytes as they are: Windows would translate line ends in them."""
    if sys.platform == "win32":
        for descriptor in descriptors:
            msvcrt.setmode(descriptor, os.O_BINARY)


def is_loading_library(frame: FrameType | None) -> bool:
    """Return whether a frame, or one that called it, loads a library of native code.

    An exception that a signal raises there ends the process: libraries in C++ do not expect one
    while they define their classes.
    """
    while frame is not None:
        loader = frame.f_locals.get("self") if frame.f_code.co_name in _LOADING else None
        if isinstance(loader, ExtensionFileLoader):
            return True
        frame = frame.f_back
    return False


def kill_tree(number: int) -> None:
    """End a process and all that it started; needed where they are no group to be ended."""
    with suppress(psutil.Error):
        root = psutil.Process(number)
        for process in [root, *root.children(recursive=True)]:
            with suppress(psutil.Error):
                process.kill()
