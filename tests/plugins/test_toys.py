"""A machine kind, an action, a command and a language of our own plugins: one file each."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector.cli import command_table
from inspector.conversion import registry
from inspector.formats.opening import open_model
from inspector.platform import plugins
from inspector.render import code_languages
from inspector.report.run_spec import RunSpec
from tests.command_line import output_of
from tests.conversion.conversions import converted

TOYS = Path(__file__).parent / "toys"
GROUPS = ("machines", "actions", "commands", "code_languages")


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    added = tuple(f"tests.plugins.toys.{group}" for group in GROUPS)
    monkeypatch.setattr(plugins, "BUILT_IN", plugins.BUILT_IN + added)
    caches = (plugins.built_in, command_table.commands)
    for each in caches:
        each.cache_clear()
    yield
    for each in caches:
        each.cache_clear()


def test_one_file_adds_one_of_each_group():
    assert sorted(path.stem for path in TOYS.glob("[!_]*.py")) == sorted(GROUPS)
    listed = output_of("plugins", "--built-in")
    assert all(name in listed for name in ("toy", "stamp", "greet", "BASIC"))


def test_a_kind_of_machine_is_added_by_its_host():
    assert "'toy:NUMBER' for a toy board" in " ".join(output_of("devices", "--help").split())
    try:
        assert "Toy device" in output_of("devices", "--add", "board", "toy:1")
    finally:
        output_of("devices", "--remove", "board")


def test_an_action_is_listed_at_its_place_and_changes_a_model(samples, tmp_path, monkeypatch):
    merged = plugins.added_to(registry.ONNX_ACTIONS.values(), plugins.ACTIONS)
    names = [action.id for action in merged]
    assert names[names.index("metadata") + 1] == "stamp"
    stamp = next(each for each in merged if each.id == "stamp")
    monkeypatch.setitem(registry.ONNX_ACTIONS, "stamp", stamp)
    monkeypatch.setitem(registry.ACTIONS, "stamp", stamp)
    made, _ = converted(samples / "digits_float32.onnx", tmp_path, "stamp")
    assert open_model(made).doc == "stamped"


def test_a_command_is_listed_at_its_place_and_runs():
    names = [*command_table.commands()]
    assert names[names.index("info") + 1] == "greet"
    assert output_of("greet", "you") == "Hello, you\n"
    assert "greet" in output_of("completion", "fish")


def test_a_language_writes_code():
    assert "basic" in output_of("tune", "--help")
    text = code_languages.language("basic").session_code(RunSpec(threads=2), "net.onnx")
    assert text == '10 LOAD "net.onnx": REM BASIC, 2 threads\n'
    assert "BASIC" not in code_languages.with_programs()
