"""Commands of helper processes, from a checkout and from a frozen program."""

import subprocess
import sys

from inspector.platform import own_processes


def test_a_checkout_runs_modules_by_the_interpreter():
    command = own_processes.command("inspector.engine", "--x", python_options=("-P",))
    assert command == [sys.executable, "-P", "-m", "inspector.engine", "--x"]


def test_a_frozen_program_runs_itself(monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    engine = own_processes.command("inspector.engine", python_options=("-P",))
    assert engine == [sys.executable, own_processes.RUN_MODULE, "inspector.engine"]
    assert own_processes.command("inspector", "info", "m") == [sys.executable, "info", "m"]


def test_only_our_helpers_are_run_by_name():
    assert not own_processes.run_module([])
    assert not own_processes.run_module(["info", "model.onnx"])
    assert not own_processes.run_module([own_processes.RUN_MODULE, "http.server"])


def test_the_door_starts_a_helper_when_it_is_asked_for_one():
    """A decoder that gets no request ends without a word."""
    arguments = [own_processes.RUN_MODULE, "inspector.sandbox.decoding", "images"]
    command = [sys.executable, "-P", "-m", "inspector", *arguments]
    done = subprocess.run(command, input=b"", capture_output=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
