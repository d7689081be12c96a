import argparse
import os
import sys
from pathlib import Path

import pytest

from inspector.cli.commands import record
from inspector.cli.main import run
from inspector.recorder import launch
from tests.command_line import errors_of


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    record.add_arguments(parser)
    return parser.parse_args(words)


def test_options_before_the_dashes_are_ours_and_those_after_are_the_programs():
    options = parsed("--nodes", "-o", "t.json", "--", "python", "app.py", "-o", "x", "--nodes")
    assert (str(options.nodes), options.output) == ("50", Path("t.json"))
    assert options.program[-5:] == ["python", "app.py", "-o", "x", "--nodes"]
    assert parsed("--", "app").output is None


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "there is no program to run"),
        (["--"], "there is no program to run"),
        (["--last", "0", "--", "x"], "N must be 1 or more"),
        (["--", "no-such-program"], "there is no such program"),
        (["--", ""], "Could not start a program without a name: there is no such program"),
    ],
)
def test_what_cannot_be_run_is_told(words, told):
    assert told in errors_of("record", *words)


@pytest.mark.skipif(os.name != "posix", reason="elsewhere a suffix says what runs")
@pytest.mark.parametrize(
    ("code", "mode", "told"),
    [
        ("print()", 0o755, "Exec format error\nSpecify the interpreter: inspector record -- "),
        (
            "#!/no/such/python\n",
            0o755,
            "the interpreter named in its first line does not exist",
        ),
        ("print()", 0o644, "it is not executable\nRun it with Python: inspector"),
    ],
)
def test_a_script_that_the_system_does_not_run_is_told_with_what_to_type(
    code, mode, told, tmp_path
):
    script = tmp_path / "app.py"
    script.write_text(code, "utf-8")
    script.chmod(mode)
    found = errors_of("record", "-o", tmp_path / "a", "--", script)
    assert found.startswith(f"Could not start {script}: ")
    assert told in found


def test_a_program_without_the_runtime_leaves_no_trace(tmp_path):
    target = tmp_path / "a.json"
    said = errors_of("record", "-o", target, "--", sys.executable, "-c", "x = 1")
    assert "did not use ONNX Runtime" in said
    assert not target.exists()


def test_the_programs_arguments_reach_it_as_they_are(tmp_path, capfd):
    code = "import sys; print(sys.argv[1:])"
    own = ["--scale", "-1..1", "--", "-o", "-1"]
    run(["record", "-o", str(tmp_path / "a"), "--", sys.executable, "-c", code, *own])
    assert capfd.readouterr().out.splitlines() == [f"{own}"]


def test_a_script_that_does_not_exist_is_named(tmp_path, capfd):
    target, script = tmp_path / "a.json", tmp_path / "missing.py"
    for options in ((), ("-u",), ("-X", "dev"), ("-Wignore",)):
        words = ["record", "-o", str(target), "--", sys.executable, *options, str(script)]
        assert run(words) == 1
        told = capfd.readouterr().err
        assert told.startswith(f"Could not start {script}: there is no such script")
        assert "3.11" not in told


def test_a_program_that_fails_first_is_not_told_to_use_another_python(tmp_path, capfd):
    words = ["record", "-o", str(tmp_path / "a.json"), "--", sys.executable, "-c", "exit(7)"]
    assert run(words) == 1
    told = capfd.readouterr().err
    assert "ended with exit status 7 before it used ONNX Runtime" in told
    assert "3.11" not in told


@pytest.mark.parametrize("at_home", [False, True])
def test_a_recording_says_where_it_goes_replaces_none_and_is_not_put_into_home(
    at_home, tmp_path, monkeypatch, capfd
):
    home, data = tmp_path / "home", tmp_path / "data"
    here = home if at_home else tmp_path / "work"
    for folder in (home, tmp_path / "work"):
        folder.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setattr(launch, "recordings_folder", lambda: data / "recordings")
    monkeypatch.chdir(here)
    (here / "recording.trace.json").write_text("an earlier one", "utf-8")
    assert run(["record", "--", sys.executable, "-c", "pass"]) == 1
    name = "recordings/recording.trace.json" if at_home else "recording-2.trace.json"
    expected = (data if at_home else here) / name
    assert capfd.readouterr().err.startswith(f"Recording to {expected}\n")
    assert (here / "recording.trace.json").read_text("utf-8") == "an earlier one"
