"""The door: a command for the terminal, or the window."""

import sys


def main() -> int:
    """Run a command or open the window; returns the exit status."""
    try:
        return _entered(sys.argv[1:])
    except KeyboardInterrupt:  # by who did not wait until all was loaded
        sys.stderr.write("Stopped.\n")
        return 130


def _entered(arguments: list[str]) -> int:
    from inspector import cli

    if arguments and arguments[0] in (*cli.COMMANDS, "-h", "--help", "--version"):
        return cli.run(arguments)
    if cli.mistyped(arguments):
        return cli.WRONG_USE
    from inspector.ui.app import run as open_window

    return open_window(arguments)


if __name__ == "__main__":
    sys.exit(main())
