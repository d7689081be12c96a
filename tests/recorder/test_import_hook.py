import os
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.recorder import launch
from inspector.recorder.assemble import collect
from inspector.recorder.live_summary import Follower
from inspector.recorder.profiled_runs import ProfiledRuns
from tests.recorder.recorded import DIGITS

ROOT = Path(__file__).parent.parent.parent


def test_what_works_inside_programs_knows_the_standard_library_only():
    code = (
        "import sys\n"
        "before = set(sys.modules)\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "import inspector.recorder.import_hook\n"
        "names = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(*sorted(names - sys.stdlib_module_names))\n"
    )
    command = [sys.executable, "-I", "-S", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["inspector"]


def test_the_programs_own_path_stays_behind_ours(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    found = launch.environment(Path("/tmp/x"), 10, ProfiledRuns())
    ours, _, rest = found["PYTHONPATH"].partition(os.pathsep)
    assert Path(ours, "sitecustomize.py").is_file()
    assert rest == "/somewhere"
    monkeypatch.delenv("PYTHONPATH")
    assert launch.environment(Path("/tmp/x"), 10, ProfiledRuns())["PYTHONPATH"] == ours


@pytest.mark.engine
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_children_of_a_program_are_recorded_beside_it(tmp_path):
    program = tmp_path / "app.py"
    program.write_text(
        "import os, subprocess, sys, onnxruntime, numpy\n"
        "make = onnxruntime.OrtValue.ortvalue_from_shape_and_type\n"
        "make([1], numpy.float32)\n"
        "child = os.fork()\n"
        "for _ in range(2 if child else 3):\n"
        "    make([1], numpy.float32)\n"
        "if not child:\n"
        "    sys.exit()\n"
        "os.waitpid(child, 0)\n"
        "code = f'import onnxruntime; onnxruntime.InferenceSession({sys.argv[1]!r})'\n"
        "subprocess.run([sys.executable, '-c', code], check=True)\n",
        "utf-8",
    )
    folder = tmp_path / "parts"
    folder.mkdir()
    command = [sys.executable, str(program), str(DIGITS)]
    assert launch.run(command, folder, 1000, ProfiledRuns()) == 0
    found = collect(folder)
    counts = {
        track.name: int((found.trace.track == number).sum())
        for number, track in enumerate(found.trace.tracks)
    }
    assert found.processes == 3
    assert counts["values · process 1"] == 3
    assert counts["values · process 2"] == 3
    assert counts["digits_float32 · process 3"] in (2, 3), "its release may come too late"
    assert not any("killed" in note for note in found.notes)
    assert Follower(folder).look().calls == 7, "a parent's calls are not its child's"
