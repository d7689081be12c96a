"""What installs the libraries that Inspector can do without."""

import sys


def can_install() -> bool:
    """Return whether packages can be installed: a program with a Python of its own cannot."""
    return not getattr(sys, "frozen", False)


def install_hint(extra: str, installer: str = "") -> str:
    """Return what to do where the libraries of an extra of the package are missing.

    installer: a command of Inspector that installs them, too.
    """
    command = f'pip install "onnx-inspector[{extra}]"'
    if not can_install():
        return f"This program cannot install it; install Inspector as a package: {command}"
    if installer:
        return f"Install it with: {installer} (or {command})"
    return f"Install it with: {command}"
