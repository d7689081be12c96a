"""Options for settings of a run, made from their descriptions in `report/run_spec.py`."""

import argparse
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

from inspector.backends import registry
from inspector.cli.options.option_types import (
    MOST,
    Options,
    add_renamed,
    at_least,
    between,
    on_or_off,
    one_of,
    several_from,
    share,
)
from inspector.report.run_spec import SETTINGS, ProviderOption, RunSpec
from inspector.report.settings import Role, Setting, SettingKind
from inspector.units import clip, uncapitalized

DEVICE_HELP = (
    "device ID from 'inspector devices'; repeat to add fallbacks in order of priority; the CPU "
    "runs the layers that no other device supports (default: cpu)"
)
_DEFAULTS = RunSpec()


def settings() -> tuple[Setting, ...]:
    """Return the settings of all backends, the default one's first; a shared one once.

    Which of them a model's runtime has is checked when the model is run.
    """
    backends = (registry.info(registry.DEFAULT), *registry.BACKENDS.values())
    settings_by_name: dict[str, Setting] = {}
    for info in backends:
        for setting in info.settings:
            settings_by_name.setdefault(setting.name, setting)
    return tuple(settings_by_name.values())


def add_arguments(
    parser: Options, without: Collection[str] = (), others: Options | None = None
) -> None:
    """Add an option for each setting of a runtime.

    without: fields that get none. others: for settings that the default runtime lacks.
    """
    for setting in settings():
        if setting.name not in without:
            _add(parser if others is None or is_usual(setting) else others, setting)


def is_usual(setting: Setting) -> bool:
    """Return whether the default runtime has a setting."""
    return registry.DEFAULT in setting.runtimes


def add_places(parser: Options) -> tuple[str, ...]:
    """Add the options that have no meaning while the CPU runs everything; return the fields."""
    own = {setting.name: setting for setting in settings()}
    place_settings = [each for each in (SETTINGS | own).values() if each.for_devices]
    for setting in place_settings:
        _add(parser, setting)
    return tuple(setting.name for setting in place_settings)


def add_role(parser: Options, role: Role) -> None:
    """Add the options of Inspector's own settings of a role."""
    for setting in SETTINGS.values():
        own = setting.has_option and not setting.runtimes and not setting.for_devices
        if own and setting.role is role:
            _add(parser, setting)


def add_setting(parser: Options, name: str, default: Any = None, words: str = "") -> None:
    """Add the option for one setting; default, words: where they differ from the setting's own.

    words: the option's help.
    """
    of_runtimes = {each.name: each for each in settings()}
    _add(parser, (SETTINGS | of_runtimes)[name], default, words)


def _add(parser: Options, setting: Setting, default: Any = None, text: str = "") -> None:
    found_later = setting.usual if default is None else ""
    value = getattr(_DEFAULTS, setting.name) if default is None else default
    hint = text or setting.option_help or uncapitalized(setting.about)
    usual = found_later or (f"{value:g}" if isinstance(value, float) else value)
    about, flag = f"{hint} (default: {usual})", setting.flag
    start = None if found_later else value
    more: dict[str, Any]
    match setting.kind:
        case SettingKind.SWITCH if value:
            flag = f"--no-{flag.removeprefix('--')}"
            more = {"action": "store_false", "help": hint}
        case SettingKind.SWITCH:
            more = {"action": "store_true", "help": hint}
        case SettingKind.CHOICE:
            more = {"choices": setting.choices, "default": value, "help": about}
        case SettingKind.COUNT:
            zero = "; 0 lets the runtime decide" if setting.runtimes and setting.zero else ""
            about = f"{hint}{zero} (default: {usual})"
            more = {"type": at_least(setting.least), "default": start, "help": about}
            more |= {"metavar": "N"}
        case SettingKind.SECONDS:
            more = {"type": _seconds, "default": start, "metavar": "SECONDS", "help": about}
        case SettingKind.SHARE:
            more = {"type": share, "default": value, "metavar": "P%", "help": hint}
        case SettingKind.COUNTS:
            usual_text = f" (default: {setting.usual})" if setting.usual else ""
            more = {
                "type": several_from(setting.least),
                "default": (),
                "help": hint + usual_text,
            }
            more |= {"metavar": setting.metavar}
        case _:
            read = _READERS.get(setting.kind, str)
            action = "extend" if setting.kind is SettingKind.NAMES else "append"
            more = {"type": read, "action": action, "default": []}
            more |= {"metavar": setting.metavar, "help": f"{hint}; repeatable"}
    more["help"] = more["help"].replace("%", "%%")
    if setting.renamed:
        add_renamed(parser, flag, f"--{setting.name.replace('_', '-')}",
                    dest=setting.name, **more)  # fmt: skip
    else:
        parser.add_argument(flag, dest=setting.name, **more)


def combinable() -> Iterator[tuple[Setting, Callable[[str], Any]]]:
    """Yield the settings that a sweep combines, each with a reader of one of its values."""
    for setting in settings():
        if not setting.is_axis:
            continue
        match setting.kind:
            case SettingKind.CHOICE:
                yield setting, one_of(setting.choices)
            case SettingKind.COUNT:
                yield setting, at_least(0)
            case SettingKind.SWITCH:
                yield setting, on_or_off


def values_help(setting: Setting) -> str:
    """Return the help of an option that takes several values of a setting."""
    if setting.kind is SettingKind.CHOICE:
        return f"{setting.title}: {', '.join(setting.choices)}"
    if setting.kind is SettingKind.SWITCH:
        return f"{setting.title}: on or off"
    return f"{setting.title}; 0 lets the runtime decide" if setting.zero else setting.title


def add_devices(parser: Options, text: str = DEVICE_HELP) -> None:
    """Add the option that chooses devices, any number of them."""
    parser.add_argument(
        "--device", action="append", default=[], metavar="ID", dest="devices", help=text
    )


def chosen(options: argparse.Namespace) -> dict[str, Any]:
    """Return the fields of a RunSpec that these options set."""
    values = {}
    for name, value in vars(options).items():
        setting = SETTINGS.get(name)
        if setting is None or not setting.has_option or value is None:
            continue
        if setting.kind is SettingKind.OPTIONS:
            value = tuple(ProviderOption.here(*pair) for pair in dict(value).items())
        values[name] = tuple(dict.fromkeys(value)) if isinstance(value, list) else value
    return values


def _path(text: str) -> str:
    return str(Path(text).absolute())  # other processes work in other folders


def _option(text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not key.strip() or not sign:
        raise argparse.ArgumentTypeError(f"'{clip(text, 80)}' is not KEY=VALUE")
    return key.strip(), value


def _names(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


_seconds = between(0, MOST, "not a number of seconds")
_READERS: dict[SettingKind, Callable[[str], Any]] = {
    SettingKind.OPTIONS: _option,
    SettingKind.NAMES: _names,
    SettingKind.PATHS: _path,
}
