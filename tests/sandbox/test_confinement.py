"""The text of the macOS profile, on every system; levels are tried on macOS only."""

import sys

import pytest

from inspector.sandbox import confinement

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="its paths are no paths there")


def test_the_last_rule_for_a_place_is_the_one_that_is_meant(tmp_path):
    lines = confinement.profile(["/opt/model"], str(tmp_path)).splitlines()
    assert lines[:2] == ["(version 1)", "(allow default)"]
    denied = lines.index('(deny file-read* (subpath "/Users"))')
    assert denied < lines.index('(allow file-read* (subpath "/opt/model"))')
    assert lines.index("(deny file-write*)") < len(lines) - 1
    assert lines[-1] == f'(allow file-read* file-write* (subpath "{tmp_path.resolve()}"))'


@pytest.mark.parametrize("operation", ["network*", "process-exec*", "process-fork", "signal"])
def test_nothing_allows_again_what_is_denied_as_a_whole(operation):
    lines = confinement.profile(["/opt/model"]).splitlines()
    assert f"(deny {operation})" in lines
    allowed = [line for line in lines if line.startswith(f"(allow {operation}")]
    assert allowed in ([], ["(allow signal (target self))"])


def test_without_a_folder_of_its_own_only_dev_null_is_written():
    writes = [
        line for line in confinement.profile(["/opt"]).splitlines()
        if line.startswith("(allow") and "file-write" in line
    ]  # fmt: skip
    assert writes == ['(allow file-write* (literal "/dev/null"))']


def test_a_path_with_quotes_stays_one_string():
    quoted = confinement.profile(['/opt/a "b\\c'])
    assert '(allow file-read* (subpath "/opt/a \\"b\\\\c"))' in quoted
    assert quoted.count("(") == quoted.count(")")


def test_a_link_is_allowed_by_where_it_leads(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    text = confinement.profile([str(tmp_path / "link")])
    assert f'(subpath "{(tmp_path / "real").resolve()}")' in text


@pytest.mark.skipif(sys.platform != "linux", reason="Landlock is of Linux")
def test_landlock_is_asked_for_its_version_and_for_nothing_else(monkeypatch):
    asked = []

    def answer(number, *given, name):
        asked.append([getattr(each, "value", each) for each in given])
        return 5

    monkeypatch.setattr(confinement, "_call", answer)
    assert confinement.landlock_version() == 5
    assert asked == [[None, 0, 1]]  # 2 asks for errata

    def refuse(*_, name):
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(confinement, "_call", refuse)
    assert confinement.landlock_version() == 0


def test_the_sandbox_of_macos_is_on_macos_only():
    assert confinement.macos_sandbox_available() is (sys.platform == "darwin")


@pytest.mark.skipif(sys.platform == "darwin", reason="this would confine the tests")
def test_where_the_call_is_missing_the_level_is_none(monkeypatch, capsys):
    monkeypatch.setattr(confinement, "SYSTEM", "darwin")
    assert confinement.confine_this_process() == confinement.NO_CONFINEMENT
    assert capsys.readouterr().err.startswith("confinement: ")
