"""inspector plugins: the plugins of other packages, what is wrong with them, and our own."""

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
    parser.add_argument(
        "--built-in",
        action="store_true",
        help="list Inspector's own plugins instead, which are part of its package",
    )
    parser.add_argument("--json", action="store_true", help=f"print JSON (schema {SCHEMA})")


def run(options: argparse.Namespace) -> None:
    """List plugins. Raises InspectorError: one could not be loaded."""
    enabled = options.built_in or settings.is_on("plugins")
    others = [plugin for group in plugins.GROUPS for plugin in plugins.found(group)]
    listed = plugins.own() if options.built_in else others
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
    if broken and not options.built_in:
        names = ", ".join(f"{plugin.name} ({plugin.distribution})" for plugin in broken)
        raise InspectorError(
            f"Could not load {len(broken)} of {units.plural(len(listed), 'plugin')}",
            names,
            "Update or uninstall the packages that provide them, or set INSPECTOR_PLUGINS=off.",
        )
