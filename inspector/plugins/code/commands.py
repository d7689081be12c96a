"""The command of this plugin."""

from inspector.cli.command_table import Command

COMMANDS = (
    Command(
        "code",
        "generate code that prepares inputs and runs the model",
        "MODEL [--language LANGUAGE] [-o FILE] [options]",
        ("snippet", "generate"),
        module="inspector.plugins.code.command",
        runs="inspector.plugins.code.running",
        after="prepare",
    ),
)
