from pathlib import Path

import pytest

from inspector import cli


def test_a_mistyped_command_is_no_file_to_open(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.mistyped(["mesure", "model.onnx"])
    assert "Did you mean 'inspector measure'?" in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["model.onnx"], ["-"], ["elephant"]])
def test_other_words_are_files(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert not cli.mistyped(words)
    assert not capsys.readouterr().err


def test_a_file_may_be_called_nearly_like_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "infos").write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    assert not cli.mistyped(["infos"])
    assert cli.mistyped(["infoss"])
