"""Options for a session, shared by several commands; drawn from the settings of a backend."""

import argparse
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Any

from inspector.backends import registry
from inspector.backends.base import Setting, SettingKind
from inspector.cli.options.option_types import Options, at_least, on_or_off, one_of
from inspector.report.run_spec import ProviderOption, RunSpec
from inspector.units import clip

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
    found: dict[str, Setting] = {}
    for info in backends:
        for setting in info.settings:
            found.setdefault(setting.field, setting)
    return tuple(found.values())


def add_arguments(parser: Options, without: Collection[str] = ()) -> None:
    """Add an option for each setting; without: fields of RunSpec that get none."""
    for setting in settings():
        if setting.field not in without:
            _add(parser, setting)


def add_setting(parser: Options, field: str, default: Any = None, words: str = "") -> None:
    """Add the option for one setting; default, words: where they differ from the setting's own.

    words: the option's help.
    """
    _add(parser, next(each for each in settings() if each.field == field), default, words)


def _add(parser: Options, setting: Setting, default: Any = None, text: str = "") -> None:
    usual = getattr(_DEFAULTS, setting.field) if default is None else default
    hint = text or setting.option_help or setting.hint[:1].lower() + setting.hint[1:]
    flag = setting.flag
    match setting.kind:
        case SettingKind.SWITCH:
            flag = f"--no-{flag.removeprefix('--')}"
            more: dict[str, Any] = {"action": "store_false", "help": hint}
        case SettingKind.CHOICE:
            about = f"{hint} (default: {usual})"
            more = {"choices": setting.choices, "default": usual, "help": about}
        case SettingKind.COUNT:
            zero = "; 0 lets the runtime decide" if setting.zero else ""
            about = f"{hint}{zero} (default: {usual})"
            more = {"type": at_least(0), "default": usual, "metavar": "N", "help": about}
        case SettingKind.OPTIONS | SettingKind.NAMES:
            pairs = setting.kind is SettingKind.OPTIONS
            more = (
                {"type": _option, "action": "append"}
                if pairs
                else {"type": _names, "action": "extend"}
            )
            more |= {"default": [], "metavar": setting.metavar, "help": f"{hint}; repeatable"}
        case SettingKind.PATHS:
            about = f"{hint}; repeatable"
            more = {"type": _path, "action": "append", "default": [], "help": about}
            more |= {"metavar": setting.metavar}
    parser.add_argument(flag, dest=setting.field, **more)


def combinable() -> Iterator[tuple[Setting, Callable[[str], Any]]]:
    """Yield the settings that a sweep combines, each with a reader of one of its values."""
    for setting in settings():
        if setting.field == "load_from":  # a sweep measures runs, not loading
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
        return f"{setting.label}: {', '.join(setting.choices)}"
    if setting.kind is SettingKind.SWITCH:
        return f"{setting.label}: on or off"
    return f"{setting.label}; 0 lets the runtime decide" if setting.zero else setting.label


def add_devices(parser: Options, text: str = DEVICE_HELP) -> None:
    """Add the option that chooses devices, any number of them."""
    parser.add_argument(
        "--device", action="append", default=[], metavar="ID", dest="devices", help=text
    )


def chosen(options: argparse.Namespace) -> dict[str, Any]:
    """Return the fields of a RunSpec that these options set."""
    given = vars(options)
    fields = {each.field: given[each.field] for each in settings() if each.field in given}
    pairs = dict(fields.pop("provider_options", ())).items()
    return {
        **fields,
        "provider_options": tuple(ProviderOption(key, value) for key, value in pairs),
        "on_cpu": tuple(dict.fromkeys(fields.get("on_cpu", ()))),
        "custom_ops": tuple(dict.fromkeys(fields.get("custom_ops", ()))),
    }


def _path(text: str) -> str:
    return str(Path(text).absolute())  # other processes work in other folders


def _option(text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not key.strip() or not sign:
        raise argparse.ArgumentTypeError(f"'{clip(text, 80)}' is not KEY=VALUE")
    return key.strip(), value


def _names(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
