import re

import pytest

from inspector.cli import command_table, main
from tests.command_line import output_of

# `record` takes the rest of the line as its program, and `convert --list` and `compile --list`
# need no model: they say themselves what is missing.
OWN = ("record", "convert", "compile")
USAGES = {n: c.usage for n, c in command_table.commands().items() if c.usage and n not in OWN}


def helped(command: str) -> str:
    return output_of(command, "--help")


@pytest.mark.parametrize("command", command_table.commands())
def test_a_usage_is_three_lines_at_most(command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    usage, _, rest = helped(command).partition("\n\n")
    assert len(usage.splitlines()) <= (1 if command in USAGES else 3)
    assert usage.startswith(f"usage: inspector {command} ")
    assert max(map(len, rest.splitlines())) <= 80


@pytest.mark.parametrize("command", [name for name in USAGES if USAGES[name][0] != "["])
def test_a_usage_names_all_that_has_to_be_given(command, capsys):
    refused = main.run([command])
    error = capsys.readouterr().err
    assert refused == 2
    assert error.startswith("usage: ")
    needed = error.rpartition("required: ")[2].split(", ")
    assert all(name.strip().split("/")[-1] in USAGES[command] for name in needed)


@pytest.mark.parametrize("command", ["measure", "sweep"])
def test_many_options_are_grouped_by_their_purpose(command):
    groups = re.split(r"^(\S.*):$", helped(command), flags=re.MULTILINE)
    told = dict(zip(groups[1::2], groups[2::2], strict=True))
    assert re.findall(r"^  (-.*?)  ", told.pop("options"), re.MULTILINE) == ["-h, --help"]
    counts = [len(re.findall(r"^  -", text, re.MULTILINE)) for text in told.values()]
    assert len(told) >= 4
    assert max(counts) <= 14
