import subprocess
import sys

import pytest

from inspector.cli import command_table, main


def test_a_mistyped_command_is_no_file_to_open(capsys):
    assert main.mistyped(["mesure", "model.onnx"])
    told = capsys.readouterr().err
    assert told.startswith("There is no command 'mesure', and no such file\nSimilar ")
    assert "  inspector measure " in told


@pytest.mark.parametrize(
    ("word", "near"),
    [("quantize", "convert"), ("benchmark", "measure"), ("pradict", "predict")],
)
def test_a_word_that_is_no_command_ends_with_wrong_use_and_the_nearest_command(word, near):
    words = [sys.executable, "-m", "inspector", word, "x.onnx"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert done.returncode == 2
    assert done.stderr.startswith(f"There is no command '{word}', and no such file\n")
    assert f"  inspector {near} " in done.stderr


def test_a_word_for_several_commands_is_told_each_of_them(capsys):
    assert main.mistyped(["generate"])
    told = capsys.readouterr().err
    assert all(f"  inspector {name} " in told for name in ("predict", "chat   ", "code   "))


def test_a_word_like_no_command_is_told_with_all_commands(capsys):
    assert main.mistyped(["xyzzy"])
    told = capsys.readouterr().err
    assert all(name in told for name in command_table.commands())


@pytest.mark.parametrize("words", [[], ["model.onnx"], ["-"], ["folder/model"]])
def test_other_words_are_files(words, capsys):
    assert not main.mistyped(words)
    assert not capsys.readouterr().err


def test_a_file_may_be_called_nearly_like_a_command(tmp_path, monkeypatch):
    (tmp_path / "infos").write_bytes(b"")
    monkeypatch.chdir(tmp_path)
    assert not main.mistyped(["infos"])
    assert main.mistyped(["infoss"])
