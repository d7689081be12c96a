"""inspector config: show every setting, its value, and where the value comes from."""

import argparse
import json

from inspector.cli import pages
from inspector.pages.program import settings_page
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
    pages.show(settings_page(file, values))
