"""A frozen program imports from its own file, which its confined processes have to read."""

import sys

from inspector.sandbox import confinement


def test_confined_processes_may_read_what_a_frozen_program_imports_from(monkeypatch, tmp_path):
    program = tmp_path / "inspector"
    program.touch()
    unpacked = tmp_path / "_internal"
    unpacked.mkdir()
    monkeypatch.setattr(sys, "executable", str(program))
    assert str(program) not in confinement._interpreter()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "_MEIPASS", str(unpacked), raising=False)
    assert {str(program), str(unpacked)} <= set(confinement._interpreter())
