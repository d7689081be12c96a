"""Where a setting comes from, and what is wrong with the configuration file."""

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from inspector.cli import command_timer
from inspector.errors import BadInput
from inspector.platform import settings
from inspector.platform.settings import Source
from tests.command_line import run
from tests.conftest import ROOT

MODEL = ROOT / "sample_models" / "digits_float32.onnx"


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for setting in settings.SETTINGS:
        monkeypatch.delenv(setting.variable, raising=False)
    monkeypatch.setenv("INSPECTOR_CONFIG", str(tmp_path / "config.toml"))
    return tmp_path / "config.toml"


def sources() -> dict[str, tuple[object, Source, str]]:
    return {
        each.setting.name: (each.value, each.source, each.where) for each in settings.values()
    }


def test_without_a_file_all_are_defaults():
    assert {source for _, source, _ in sources().values()} == {Source.DEFAULT}
    assert settings.time_limit() == 0
    assert settings.folder("library") is None
    assert settings.is_on("plugins")


def test_the_environment_comes_before_the_file(file, monkeypatch):
    file.write_text('# mine\nlibrary = "reports"\ntime_limit = 90\nplugins = false\n')
    assert sources()["library"] == (str(file.parent / "reports"), Source.FILE, "line 2")
    assert settings.library_folder() == file.parent / "reports"
    assert settings.time_limit() == 90
    assert not settings.is_on("plugins")
    monkeypatch.setenv("INSPECTOR_TIME_LIMIT", "20")
    monkeypatch.setenv("INSPECTOR_PLUGINS", "on")
    monkeypatch.setenv("NO_COLOR", "1")
    assert sources()["time_limit"] == (20.0, Source.ENVIRONMENT, "$INSPECTOR_TIME_LIMIT")
    assert settings.is_on("plugins")
    assert not settings.is_on("bold")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('\nlibary = "x"', "line 2: there is no setting 'libary'"),
        ("plugins = true\ntime_limit = -1", "line 2: time_limit must be a number of seconds"),
        ("\n\nplugins = 'off'", "line 3: plugins must be true or false"),
        ("bold = true\nplugins = maybe", "line 2: "),
        ("[library]\nx = 1", "line 1: library must be the path of a folder"),
        ("bold = true\nplugins = ", "line 2: "),
        pytest.param(f"time_limit = {'9' * 5000}", "a number in it is too long", id="digits"),
        pytest.param(f"plugins = {'[' * 50_000}", "a number in it is too long", id="nested"),
    ],
)
def test_a_mistake_in_the_file_has_its_line(file, text, why):
    file.write_text(text)
    with pytest.raises(BadInput) as told:
        settings.values()
    assert told.value.why.startswith(why)
    assert settings.folder("library") is None  # the window goes on


def test_a_command_says_what_is_wrong_and_ends(file):
    file.write_bytes(b'bold = true\nlibrary = "\xff"')
    done = run("plugins")
    assert done.returncode == 1
    assert "line 2 is not UTF-8 text" in done.stderr


def test_the_table_shows_value_and_source(file):
    file.write_text("time_limit = 120\n")
    done = run("config")
    assert done.returncode == 0
    assert "time_limit 120 s file (line 1)" in " ".join(done.stdout.split())
    assert str(file) in done.stdout


def test_a_wrong_variable_is_a_sentence(monkeypatch):
    monkeypatch.setenv("INSPECTOR_TIME_LIMIT", "soon")
    done = run("config")
    assert done.returncode == 1
    assert "$INSPECTOR_TIME_LIMIT: 'soon' is not a number of seconds" in done.stderr


def test_the_time_limit_of_the_settings_holds_where_no_option_gives_one(file, monkeypatch):
    file.write_text("time_limit = 300\n")
    limits: list[float] = []

    def noted(seconds: float, _what: str = "") -> AbstractContextManager[None]:
        limits.append(seconds)
        return nullcontext()

    monkeypatch.setattr(command_timer, "ended_after", noted)
    for given in ((), ("--time-limit", "500")):
        assert run("info", "--no-shapes", *given, MODEL).returncode == 0
    assert sorted(set(limits)) == [300, 500]
