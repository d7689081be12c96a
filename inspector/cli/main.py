"""The command line: parse the arguments and run one command. Loads no Qt."""

import argparse
import errno
import os
import re
import shlex
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, TextIO

from inspector import __version__, units
from inspector.cli import command_table, command_timer, downloads, failures
from inspector.cli.failures import WRONG_USE, Parser
from inspector.errors import BadInput, Cancelled, InspectorError
from inspector.platform import plugins, settings
from inspector.platform.own_processes import (
    ENDING_SIGNALS,
    INTERRUPTED,
    TERMINATED,
    is_loading_library,
)
from inspector.platform.terminal import output_failure, plain_output

_NO_ROOM = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))
VERBOSE = (["-v"], ["--verbose"])
LANGUAGE = "INSPECTOR_LANGUAGE"  # of the environment, in place of the option --language
EXPECTED_FAILURE = 1  # exit status: what the user can mend
_AGAIN_SECONDS = 0.05  # until a signal that came too early is sent again


class _Terminated(KeyboardInterrupt):
    """Ends what runs as Ctrl+C does, so that temporary files are removed."""


def run(arguments: list[str]) -> int:
    """Run one command and return its exit status: 0 success, 1 failure, 2 usage error."""
    language = os.environ.get(LANGUAGE, "")
    if arguments[:1] == ["--language"]:
        language, arguments = "".join(arguments[1:2]), arguments[2:]
    sys.stdout, sys.stderr = _or_null(sys.stdout), _or_null(sys.stderr)
    if arguments[:1] in VERBOSE:
        import logging  # only where somebody reads it

        form = "%(asctime)s.%(msecs)03d %(name)s: %(message)s"
        logging.basicConfig(level=logging.INFO, format=form, datefmt="%H:%M:%S")
        arguments = arguments[1:]
    if language and not _speak(language):
        return WRONG_USE
    with plain_output(), _cleaned_up_at_signals():
        status = _run(arguments)
        sys.stderr.flush()
        failure = output_failure()
        # A reader that closes the pipe early (`inspector info model | head`) is no failure.
        if failure is None or isinstance(failure, BrokenPipeError):
            return status
        hint = (
            "Free up some space." if failure.errno in _NO_ROOM else "Write to another location."
        )
        print(f"Could not write the output: {failure.strerror}\n{hint}", file=sys.stderr)
        return status or EXPECTED_FAILURE


def _catalog() -> ModuleType:
    """Return the languages, which a command that succeeds in English does not need."""
    # 12 ms
    from inspector.wording import catalog

    return catalog


def _speak(language: str) -> bool:
    """Print pages in a language from now on; False and a message if there is none such."""
    catalog = _catalog()
    if language not in catalog.languages():
        print(
            f"Language {units.clip(language, 40)!r} is not available\n"
            f"The languages are {', '.join(catalog.languages())}.",
            file=sys.stderr,
        )
        return False
    catalog.use(language)
    return True


@contextmanager
def _cleaned_up_at_signals() -> Iterator[None]:
    """Let signals that end a program end a block as Ctrl+C does, if nobody handles them yet."""
    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for number in filter(None, (getattr(signal, name, None) for name in ENDING_SIGNALS)):
            if signal.getsignal(number) == signal.SIG_DFL:
                before[number] = signal.signal(number, _terminate)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _terminate(number: int, frame: FrameType | None) -> None:
    if is_loading_library(frame):
        again = threading.Timer(_AGAIN_SECONDS, os.kill, (os.getpid(), number))
        again.daemon = True
        again.start()
        return
    signal.signal(number, signal.SIG_IGN)  # a second one would end the cleaning up
    raise _Terminated


def _run(arguments: list[str]) -> int:
    options = argparse.Namespace()
    try:
        arguments = _joined_values(arguments)
        options, unknown = _parser(arguments).parse_known_args(arguments)
        if unknown:  # said with the usage of the command, which argparse would not do
            own = command_parser(options.command_name)
            own.arguments = arguments
            own.error(f"unrecognized arguments: {' '.join(unknown)}")
        time_limit = settings.time_limit()  # says what is wrong with the file, too
        if "time_limit" in options and not options.time_limit:
            options.time_limit = time_limit
        with command_timer.ended_after(getattr(options, "time_limit", 0.0)):
            _carry_out(options)
    except SystemExit as end:  # argparse has printed the reason
        return int(end.code or 0)
    except (KeyboardInterrupt, Cancelled) as error:
        print("Stopped.", file=sys.stderr)
        status = TERMINATED if isinstance(error, _Terminated) else INTERRUPTED
        failures.print_error(Cancelled("Stopped"), arguments, status)
        return status
    except InspectorError as error:
        said = error.said(_catalog().current().translate)
        named = shlex.quote(str(getattr(options, "named", "MODEL")))
        said = re.sub(r"(inspector \w+) MODEL\b", lambda found: f"{found[1]} {named}", said)
        print(said, file=sys.stderr)
        failures.print_error(error, arguments, EXPECTED_FAILURE)
        return EXPECTED_FAILURE
    except Exception as error:
        bug = InspectorError("Inspector failed", f"this is a bug ({type(error).__name__})")
        failures.print_error(bug, arguments, EXPECTED_FAILURE)
        raise
    return 0


def mistyped(arguments: list[str]) -> bool:
    """Return whether the first argument is neither a command nor a file, after a message on
    stderr.

    An argument with a dot or a slash is a path: the window opens and says that it is missing.
    """
    word = arguments[0] if arguments else ""
    if not word or word.startswith("-") or set(word) & {".", "/", os.sep} or _exists(word):
        return False
    from difflib import get_close_matches  # only where something is wrong already

    commands = command_table.commands()
    meant = [name for name, each in commands.items() if word.lower() in each.synonyms]
    matches = meant or get_close_matches(word.lower(), commands, 3)
    if word in plugins.absent():
        hint = f"It is a command of Inspector's plugin {word}, which is not installed here."
    elif matches:
        lines = [f"  inspector {name:<9} {commands[name].summary}" for name in matches]
        hint = "\n".join(["Similar commands:", *lines])
    else:
        hint = f"The commands are {', '.join(commands)}; `inspector --help` describes them."
    what = f"There is no command '{units.clip(word, 40)}', and no such file"
    print(f"{what}\n{hint}", file=sys.stderr)
    failures.print_error(BadInput(what, "", hint), arguments, WRONG_USE)
    return True


def _exists(name: str) -> bool:
    try:
        return os.path.lexists(name)
    except ValueError:  # a null character, which no file name has
        return False


def _or_null(stream: TextIO | None) -> TextIO:
    """Return the stream, or the null device in place of one that was closed."""
    return stream if stream is not None else open(os.devnull, "w", encoding="utf-8")


def _carry_out(options: argparse.Namespace) -> None:
    """Call the command, with a model from an archive or standard input unpacked to a file, and
    models at an address downloaded."""
    if "yes" in options:
        downloads.replace_addresses(options)
    command = partial(_run_command, options.command)
    if getattr(options, "model", None) is None:
        command(options)
        return
    from inspector.formats.archive import located  # after the help

    options.named = options.model
    with located(Path(options.model)) as options.model:
        command(options)


def _run_command(command: command_table.Command, options: argparse.Namespace) -> None:
    what = f"Could not run the command {command.name}"
    with plugins.blamed(plugins.COMMANDS, command, what):
        command.run(options)


def _joined_values(arguments: list[str]) -> list[str]:
    """Join '--scale' and '-1..1' with '=', since argparse reads a leading '-' as an option.

    Arguments after '--' belong to another program and stay as they are.
    """
    own = arguments.index("--") if "--" in arguments else len(arguments)
    joined: list[str] = []
    for argument in arguments[:own]:
        after_option = joined and joined[-1].startswith("--") and "=" not in joined[-1]
        if after_option and re.match(r"-\.?\d", argument):
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined + arguments[own:]


def command_parser(name: str) -> Parser:
    """Return the parser of one command, for tests and documentation."""
    parser = _parser([name])
    (commands,) = (each for each in parser._actions if each.dest == "command_name")
    choices: Mapping[str, Parser] = commands.choices  # type: ignore[assignment]
    return choices[name]


def _parser(arguments: list[str]) -> Parser:
    parser = Parser(
        prog="inspector",
        description="Inspect, run and profile ONNX models. "
        "Without a command, opens the given files in the desktop app.",
        epilog="'inspector [FILE ...]' opens the desktop app; 'inspector COMMAND --help' "
        "lists the options of a command.",
    )
    parser.arguments = arguments
    parser.add_argument("--version", action="version", version=f"inspector {__version__}")
    parser.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help="log to stderr which engines start and how long jobs take; place it before "
        "the command",
    )
    parser.add_argument(
        "--language",
        metavar="CODE",
        help="print results and save documents in a language, such as 'de'; place it before "
        f"the command, or set {LANGUAGE}. --json stays English",
    )
    commands = parser.add_subparsers(
        required=True, title="commands", metavar="COMMAND", dest="command_name"
    )
    # Each parser takes a millisecond: a command that is named is the only one needed.
    named = command_table.find(arguments[0]) if arguments else None
    for command in [named] if named else command_table.commands().values():
        own = commands.add_parser(
            command.name,
            help=command.summary,
            description=f"{units.capitalized(command.summary)}.",
            usage=f"%(prog)s {command.usage}" if command.usage else None,
            allow_abbrev=False,  # --to would be taken for --tokenizer
        )
        if command is named:  # only the module of this command is imported
            command.add_arguments(own)
            downloads.add_yes(own)
            own.set_defaults(command=command)
            own.arguments = arguments
    return parser
