import os
import subprocess
import sys
from pathlib import Path

from inspector.platform.files import private_folder, remove_stale

LONG_AGO = 1_000_000_000


def ended_process():
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
        return process.pid


def test_a_folder_is_private_and_named_after_its_owner():
    with private_folder() as name:
        assert Path(name).name.startswith(f"inspector-{os.getpid()}-")
        assert Path(name).stat().st_mode & 0o077 == 0 or sys.platform == "win32"
    assert not Path(name).exists()


def test_only_old_folders_of_ended_programs_are_swept(tmp_path):
    gone = ended_process()
    names = {
        "left": f"inspector-{gone}-abc",
        "recent": f"inspector-{gone}-recent",
        "ours": f"inspector-{os.getpid()}-abc",
        "foreign": "inspector-of-somebody-else",
    }
    for kind, name in names.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "feed-0.bin").touch()
        if kind != "recent":
            os.utime(tmp_path / name, (LONG_AGO, LONG_AGO))
    remove_stale(tmp_path)
    kept = {kind for kind, name in names.items() if (tmp_path / name).exists()}
    assert kept == {"recent", "ours", "foreign"}
