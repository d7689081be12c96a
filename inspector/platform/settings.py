"""The settings of commands: one table, and where the value of each comes from.

An option of a command comes first, then the environment, then the configuration file, then the
default. `inspector config` shows the table, and docs/command_line.md has it, too.
"""

import os
import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from inspector.errors import BadInput
from inspector.platform.late_modules import platformdirs
from inspector.units import clip, uncapitalized

FILE_VARIABLE = "INSPECTOR_CONFIG"
_OFF = ("off", "0", "no", "false")
_DAY_SECONDS = 86_400.0
_MOST_BYTES = 1 << 20
_HINT = "Correct the file, or set INSPECTOR_CONFIG to another one."
_PLACE = re.compile(r"^(.*) \(at (?:line (\d+), column \d+|end of document)\)$", re.DOTALL)


class Kind(StrEnum):
    """What a setting takes, as messages and `inspector config` say it."""

    FOLDER = "the path of a folder"
    SWITCH = "true or false"
    SECONDS = "a number of seconds, at most one day"


class Source(StrEnum):
    """Where a value comes from, besides an option of the command itself."""

    ENVIRONMENT = "environment"
    FILE = "file"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting. name: in the file. variable: in the environment. default: in words.

    inverted: the variable switches it off by being set, as NO_COLOR does.
    """

    name: str
    variable: str
    kind: Kind
    summary: str
    default: str
    inverted: bool = False


@dataclass(frozen=True, slots=True)
class Value:
    """The value of a setting; None is the default. where: a variable, or a line of the file."""

    setting: Setting
    value: str | float | bool | None
    source: Source
    where: str = ""


SETTINGS = (
    Setting(
        "library", "INSPECTOR_LIBRARY", Kind.FOLDER,
        "where saved reports and their history are kept", "in the user's data folder",
    ),
    Setting(
        "downloads", "INSPECTOR_DOWNLOADS", Kind.FOLDER,
        "where downloaded models are kept", "in the user's cache folder",
    ),
    Setting("plugins", "INSPECTOR_PLUGINS", Kind.SWITCH, "load plugins", "true"),
    Setting("bold", "NO_COLOR", Kind.SWITCH, "bold text on a terminal", "true", inverted=True),
    Setting(
        "time_limit", "INSPECTOR_TIME_LIMIT", Kind.SECONDS,
        "default of --time-limit", "none",
    ),
)  # fmt: skip
_BY_NAME = {setting.name: setting for setting in SETTINGS}


def config_file() -> Path:
    """Return the configuration file: $INSPECTOR_CONFIG, or one in the user's folder."""
    override = os.environ.get(FILE_VARIABLE)
    if override:
        return Path(override).absolute()

    return platformdirs.user_config_path("inspector", appauthor=False) / "config.toml"


def devices_folder() -> Path:
    """Return the folder of files with the rules of the user's own devices."""
    return platformdirs.user_config_path("inspector", appauthor=False) / "devices"


def machines_file() -> Path:
    """Return the file that keeps the machines which the user added."""
    return platformdirs.user_config_path("inspector", appauthor=False) / "machines.json"


def values() -> tuple[Value, ...]:
    """Return every setting with its value. Raises BadInput: a variable or the file is wrong."""
    in_file = _in_file()
    return tuple(
        _of_environment(each) or in_file.get(each.name) or Value(each, None, Source.DEFAULT)
        for each in SETTINGS
    )


def folder(name: str) -> Path | None:
    """Return the folder that a setting names; None for the default."""
    value = _lenient(name)
    return Path(str(value)) if value is not None else None


def library_folder() -> Path:
    """Return the folder of reports and sessions: the setting's, or one in the user's data."""
    chosen = folder("library")
    if chosen is not None:
        return chosen
    return platformdirs.user_data_path("inspector", appauthor=False) / "library"


def is_on(name: str) -> bool:
    """Return a switch."""
    return _lenient(name) is not False


def time_limit() -> float:
    """Return the time limit in seconds; 0 for none. Raises BadInput."""
    (found,) = (each for each in values() if each.setting.name == "time_limit")
    return float(found.value or 0.0)


def _lenient(name: str) -> str | float | bool | None:
    """Return a value, the default where the file is wrong: commands say so at their start."""
    setting = _BY_NAME[name]
    try:
        given = _of_environment(setting) or _in_file().get(name)
    except BadInput:
        return None
    return given.value if given is not None else None


def _of_environment(setting: Setting) -> Value | None:
    given = os.environ.get(setting.variable, "")
    if not given:
        return None
    value: str | float | bool
    if setting.kind is Kind.FOLDER:
        value = str(Path(given).absolute())
    elif setting.kind is Kind.SWITCH:
        value = not setting.inverted and given.lower() not in _OFF
    else:
        try:
            value = float(given)
        except ValueError:
            value = 0.0
        if not 0 < value <= _DAY_SECONDS:
            why = f"'{clip(given, 80)}' is not {setting.kind}"
            raise BadInput(
                f"Could not use ${setting.variable}", why, "Set a number such as 60."
            )
    return Value(setting, value, Source.ENVIRONMENT, f"${setting.variable}")


def _in_file() -> dict[str, Value]:
    path = config_file()
    try:
        status = path.stat()
    except OSError:
        return {}
    return _parsed(path, status.st_mtime_ns, status.st_size)


@cache
def _parsed(path: Path, _mtime_ns: int, size_bytes: int) -> dict[str, Value]:
    what = f"Could not use the configuration file {path}"
    if size_bytes > _MOST_BYTES:
        raise BadInput(what, "it is too large for a configuration file", _HINT)
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise BadInput(what, error.strerror or str(error), _HINT) from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise BadInput(what, f"line {line} is not UTF-8 text", _HINT) from error
    import tomllib  # few have a file

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(what, _with_line(str(error), text), _HINT) from error
    except (ValueError, RecursionError) as error:  # 5,000 digits, 1,000 brackets
        why = "a number in it is too long, or values are nested too deeply"
        raise BadInput(what, why, _HINT) from error
    given = {}
    for name, value in table.items():
        word = re.escape(name)
        place = re.search(rf"""^\s*\[*\s*["']?{word}["']?\s*[=.\]]""", text, re.MULTILINE)
        line = text.count("\n", 0, place.end()) + 1 if place else 1
        setting = _BY_NAME.get(name)
        if setting is None:
            why = f"line {line}: there is no setting '{clip(name, 40)}'"
            hint = f"Correct the file. The settings are {', '.join(_BY_NAME)}."
            raise BadInput(what, why, hint)
        given[name] = Value(setting, _checked(setting, value, path, line, what), Source.FILE,
                            f"line {line}")  # fmt: skip
    return given


def _with_line(message: str, text: str) -> str:
    """Return what is wrong with the TOML, with its line first."""
    place = _PLACE.match(message)
    if place is None:
        return message
    line = place[2] or str(text.count("\n") + 1)
    return f"line {line}: {uncapitalized(place[1])}"


def _checked(
    setting: Setting, value: object, path: Path, line: int, what: str
) -> str | float | bool:
    if setting.kind is Kind.FOLDER and isinstance(value, str) and value and "\0" not in value:
        return str(path.parent / Path(value).expanduser())
    if setting.kind is Kind.SWITCH and isinstance(value, bool):
        return value
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if setting.kind is Kind.SECONDS and number and 0 < float(str(value)) <= _DAY_SECONDS:
        return float(str(value))
    why = f"line {line}: {setting.name} must be {setting.kind}"
    raise BadInput(what, why, "Correct the value.")
