"""The door: a command for the terminal, or the window."""

import sys

from inspector import cli


def main() -> int:
    """Run a command or open the window; returns the exit status."""
    arguments = sys.argv[1:]
    if arguments and arguments[0] in (*cli.COMMANDS, "-h", "--help", "--version"):
        return cli.run(arguments)
    if cli.mistyped(arguments):
        return cli.WRONG_USE
    from inspector.ui.app import run as open_window

    return open_window(arguments)


if __name__ == "__main__":
    sys.exit(main())
