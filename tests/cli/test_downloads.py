"""Models at an address on the command line."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector.cli import main
from tests.command_line import errors_of, output_of
from tests.model_server import Behavior, serving

Printed = pytest.CaptureFixture[str]


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("INSPECTOR_DOWNLOADS", str(tmp_path / "downloads"))
    monkeypatch.delenv("CI", raising=False)
    with serving(Behavior()) as place:
        yield place


def test_a_model_at_an_address_is_opened_with_yes(address):
    assert output_of("info", address, "--no-shapes", "--no-hash", "--yes").startswith(
        "net.onnx"
    )
    assert "A and B are identical." in output_of("diff", address, address, "--yes")


def test_nothing_is_downloaded_unasked(address, tmp_path):
    assert "Add --yes to download it." in errors_of("info", address)
    assert not (tmp_path / "downloads").exists()


@pytest.mark.parametrize(("answer", "status"), [("y\n", 0), ("\n", 130), ("n\n", 130)])
def test_a_terminal_is_asked(address, answer, status, capsys, monkeypatch):
    class Terminal:
        def isatty(self) -> bool:
            return True

        def readline(self) -> str:
            return answer

    monkeypatch.setattr("sys.stdin", Terminal())
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    command = ["info", address, "--no-shapes", "--no-hash"]
    assert main.run(command) == status
    assert "Download net.onnx (78.6 KiB) from 127.0.0.1? [y/N]" in capsys.readouterr().err
    monkeypatch.setenv("CI", "true")
    assert main.run(["info", address.replace("net", "other")]) == 1
