"""The menu entry and file types of Linux desktops."""

import configparser
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.formats.model_formats import file_patterns
from tests.command_line import run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="for Linux desktops")
SAMPLES = Path(__file__).parents[3] / "sample_models"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


def test_it_is_installed_and_removed_again(folder):
    assert run("desktop").stdout.count("not installed") == 3
    assert "not installed" not in run("desktop", "--install").stdout
    entry = configparser.ConfigParser(interpolation=None)
    entry.read(folder / "applications" / "inspector.desktop")
    command = entry["Desktop Entry"]["Exec"]
    assert command.endswith(" %F")
    assert Path(command.split('"')[1]).exists()
    if shutil.which("desktop-file-validate"):
        path = folder / "applications" / "inspector.desktop"
        subprocess.run(["desktop-file-validate", path], check=True)
    assert run("desktop", "--uninstall").stdout.count("not installed") == 3


def test_the_types_are_those_of_model_files(folder):
    run("desktop", "--install")
    text = (folder / "mime" / "packages" / "inspector.xml").read_text()
    patterns = {line.split('"')[1] for line in text.splitlines() if "<glob" in line}
    assert patterns <= set(file_patterns().split())
    assert {"*.onnx", "*.ort"} <= patterns
    if shutil.which("update-mime-database") is None:
        pytest.skip("no shared MIME database here")
    magic = (folder / "mime" / "magic").read_bytes()
    assert b"ORTM" in magic
