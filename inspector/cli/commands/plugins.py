"""inspector plugins: list the plugins of other packages, and what is wrong with them."""

import argparse
import json

from inspector import units
from inspector.cli import pages
from inspector.errors import InspectorError
from inspector.pages.program import plugins_page
from inspector.platform import plugins, settings

SCHEMA = "plugins/1"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")


def run(options: argparse.Namespace) -> None:
    """List plugins. Raises InspectorError: one could not be loaded."""
    enabled = settings.is_on("plugins")
    listed = [plugin for group in plugins.GROUPS for plugin in plugins.found(group)]
    if options.json:
        rows = [
            {
                "group": plugin.group.id,
                "name": plugin.name,
                "package": plugin.distribution,
                "problem": plugin.problem,
            }
            for plugin in listed
        ]
        shown = {"version": plugins.VERSION, "enabled": enabled, "plugins": rows}
        print(json.dumps({"schema": SCHEMA, **shown}))
    else:
        disabled = (each for each in settings.values() if each.setting.name == "plugins")
        off = "" if enabled else next(disabled).where
        pages.show(plugins_page(listed, plugins.GROUPS, off))
    broken = [plugin for plugin in listed if plugin.problem]
    if broken:
        names = ", ".join(f"{plugin.name} ({plugin.distribution})" for plugin in broken)
        raise InspectorError(
            f"Could not load {len(broken)} of {units.plural(len(listed), 'plugin')}",
            names,
            "Update or uninstall the packages that provide them, or set INSPECTOR_PLUGINS=off.",
        )
