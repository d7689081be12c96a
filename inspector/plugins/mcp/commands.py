"""The command of this plugin."""

from inspector.cli.command_table import Command

COMMANDS = (
    Command(
        "mcp",
        "serve models to AI assistants by the Model Context Protocol (MCP)",
        "[FOLDER ...] [options]",
        ("server", "assistant", "serve"),
        module="inspector.plugins.mcp.command",
        after="config",
    ),
)
