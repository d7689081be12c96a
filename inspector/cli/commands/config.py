"""inspector config: show every setting, its value, and where the value comes from."""

import argparse
import json

from inspector.platform import settings

SCHEMA = "config/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")


def run(options: argparse.Namespace) -> None:
    """Print the table. Raises BadInput: the file or a variable is wrong."""
    file, values = settings.config_file(), settings.values()
    if options.json:
        rows = [
            {
                "name": each.setting.name,
                "value": each.value,
                "source": each.source.value,
                "where": each.where,
                "variable": each.setting.variable,
                "summary": each.setting.summary,
                "default": each.setting.default,
            }
            for each in values
        ]
        plain = {"schema": SCHEMA, "file": str(file), "exists": file.is_file()}
        print(json.dumps(plain | {"settings": rows}))
        return
    for each in values:
        value = each.setting.default if each.value is None else _text(each.value)
        source = f"{each.source.value} ({each.where})" if each.where else each.source.value
        print(f"{each.setting.name:<12}{value}  [{source}]")
        print(f"            {each.setting.summary}; {each.setting.kind}")
    state = "" if file.is_file() else " (does not exist)"
    print(f"\nConfiguration file: {file}{state}")


def _text(value: str | float | bool) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g} s" if isinstance(value, float) else value
