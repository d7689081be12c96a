"""The command of this plugin."""

from inspector.cli.command_table import Command

COMMANDS = (
    Command(
        "lab",
        "share machines: run a hub, join it, or list the machines and their queue",
        "[hub | join FILE | use FILE | leave | share REPORT ... | results] [options]",
        ("hub", "join", "fleet", "cluster"),
        module="inspector.plugins.lab.command",
        runs="inspector.plugins.lab.running",
        after="devices",
    ),
)
