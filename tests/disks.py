"""Disks that take nothing more, and homes that take nothing at all, without being root."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def full_disk(room_bytes: int = 400) -> Iterator[None]:
    """Let no file of this process grow any larger, as on a full disk."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    previous = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, previous)


def closed_home(tmp_path: Path) -> dict[str, str]:
    """Settings of the environment by which no folder of this user can be made."""
    file = tmp_path / "no folder"
    file.touch()
    names = (
        "HOME",
        "XDG_CONFIG_HOME",
        "XDG_CACHE_HOME",
        "XDG_DATA_HOME",
        "LOCALAPPDATA",
        "APPDATA",
    )
    return {name: str(file / "home") for name in names}
