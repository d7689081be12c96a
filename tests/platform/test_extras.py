"""How to install what an extra of the package has, from Python and from a frozen program."""

import sys

from inspector.plugins.mcp import command
from tests import command_line


def test_only_a_program_that_can_install_offers_to(monkeypatch):
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    said = 'pip install "onnx-inspector[mcp]"\n'
    assert command_line.run("mcp").stderr.endswith(f"Install it with: {said}")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    answer = command_line.run("mcp")
    assert answer.returncode == 1
    assert answer.stderr.endswith(f"cannot install it; install Inspector as a package: {said}")
