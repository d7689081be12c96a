"""Setting up a machine: what is missing is named exactly, and nothing is done needlessly."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent.parent / "tools" / "system_packages.sh"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="packages are Linux's way")


def machine(folder: Path, **commands: str) -> dict[str, str]:
    """Environment whose PATH holds only these commands and a few real ones."""
    for real in ("sh", "uname", "grep", "cut"):
        (folder / real).symlink_to(shutil.which(real) or "")
    for name, body in commands.items():
        path = folder / name.replace("_", "-")
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
    return {"PATH": str(folder)}


def set_up(folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [str(shutil.which("sh")), str(SCRIPT)]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_without_root_the_exact_line_to_type_is_told(tmp_path):
    bare = machine(tmp_path, ldconfig="", id="echo 1000", apt_get="exit 9", python3="exit 1")
    run = set_up(tmp_path, bare)
    assert run.returncode == 1
    assert (
        "    sudo apt-get update && sudo apt-get install --yes --no-install-recommends "
        "libglib2.0-0 libgl1 libegl1 libxkbcommon0 libfontconfig1 libdbus-1-3 "
        "python3 python3-venv\n"
    ) in run.stderr


def test_root_gets_what_is_missing_installed_and_nothing_else(tmp_path):
    libraries = "libglib-2.0.so.0 libGL.so.1 libEGL.so.1 libxkbcommon.so.0 libdbus-1.so.3"
    log = 'echo "$@" >> log'
    bare = machine(
        tmp_path, ldconfig=f"echo {libraries}", id="echo 0", apt_get=log, python3="exit 0"
    )
    run = set_up(tmp_path, bare)
    assert run.returncode == 0, run.stderr
    update, install = (tmp_path / "log").read_text().splitlines()
    assert update.startswith("update")
    assert [word for word in install.split() if word.startswith("lib")] == ["libfontconfig1"]


def test_a_screen_needs_more_libraries_than_none(tmp_path):
    bare = machine(tmp_path, ldconfig="", id="echo 1000", apt_get="exit 9", python3="exit 0")
    assert "libxcb-cursor0" not in set_up(tmp_path, bare).stderr
    assert "libxcb-cursor0" in set_up(tmp_path, bare | {"DISPLAY": ":0"}).stderr
    assert "libwayland-cursor0" in set_up(tmp_path, bare | {"WAYLAND_DISPLAY": "w"}).stderr


def test_an_old_python_is_refused_by_name(tmp_path):
    old = 'case "$2" in *version_info*) exit 1;; esac; echo Python 3.9.2'
    libraries = (
        "libglib-2.0.so.0 libGL.so.1 libEGL.so.1 libxkbcommon.so.0 "
        "libfontconfig.so.1 libdbus-1.so.3"
    )
    run = set_up(tmp_path, machine(tmp_path, ldconfig=f"echo {libraries}", python3=old))
    assert run.returncode == 1
    assert "Python 3.11 or newer is needed; python3 is 3.9.2." in run.stderr


def test_a_machine_that_has_everything_is_left_alone(tmp_path):
    here = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    machine(tmp_path, apt_get="exit 9")
    run = set_up(SCRIPT.parent.parent, here)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
