"""The command line: parse the arguments and run one command. Loads no Qt."""

import argparse
import errno
import os
import re
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from types import FrameType
from typing import Any, TextIO

from inspector import units
from inspector.cli import command_timer, downloads
from inspector.errors import Cancelled, InspectorError
from inspector.platform import settings
from inspector.platform.gc_policy import collect_rarely
from inspector.platform.own_processes import ENDING_SIGNALS, TERMINATED, is_loading_library
from inspector.platform.terminal import output_failure, plain_output
from inspector.version import __version__

_NO_ROOM = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))
VERBOSE = (["-v"], ["--verbose"])
LANGUAGE = "INSPECTOR_LANGUAGE"  # of the environment, in place of the option --language
EXPECTED_FAILURE, WRONG_USE, INTERRUPTED = 1, 2, 130
_AGAIN_SECONDS = 0.05  # until a signal that came too early is sent again


@dataclass(frozen=True, slots=True)
class Command:
    """A command, with `add_arguments` in inspector.cli.commands.NAME.

    What it does is `run` of the same module, or of inspector.cli.runs.NAME where that needs
    numpy or a model, which its help does not.

    summary: in the list of commands and above its options. usage: its arguments, where argparse
    would list dozens of options; "" for those of argparse. synonyms: the names that other
    programs have for it, which a mistyped command is compared with.
    """

    name: str
    summary: str
    usage: str = ""
    synonyms: tuple[str, ...] = ()


# The one list of commands: `inspector --help`, the hints for mistyped commands and the pages in
# docs/commands follow from it.
_ALL = (
    Command(
        "info",
        "show a model's inputs, outputs, operators, precision and compute cost",
        "MODEL [MODEL ...] [options]",
        ("show", "inspect", "summary", "describe", "stat", "stats"),
    ),
    Command(
        "sample",
        "list the sample models that come with Inspector, or copy them into a folder",
        "[NAME ...] [-o FOLDER]",
        ("samples", "example", "examples", "demo"),
    ),
    Command(
        "engines",
        "list the runtimes, and install one into an environment of its own",
        "[--install ID | --remove ID] [options]",
        ("engine", "runtime", "runtimes", "backends", "install"),
    ),
    Command(
        "plugins",
        "list the plugins of other packages, and whether they work",
        synonyms=("plugin", "extensions", "addons"),
    ),
    Command(
        "config",
        "show the settings of commands, and where their values come from",
        "[options]",
        ("settings", "configuration", "preferences"),
    ),
    Command(
        "mcp",
        "serve models to AI assistants by the Model Context Protocol (MCP)",
        "[FOLDER ...] [options]",
        ("server", "assistant", "serve"),
    ),
    Command(
        "completion",
        "print the completion script of a shell, or the manual page",
        "SHELL",
        ("completions", "man"),
    ),
    Command(
        "desktop",
        "add Inspector to the menu of applications on Linux",
        "[--install | --uninstall]",
    ),
    Command(
        "devices",
        "list the devices that can run models here, and add other machines",
        "[--add NAME HOST] [options]",
        ("providers", "gpu", "gpus", "eps", "machines", "remote"),
    ),
    Command(
        "lab",
        "share machines: run a hub, join it, or list the machines and their queue",
        "[hub | join FILE | use FILE | leave] [options]",
        ("hub", "join", "fleet", "cluster"),
    ),
    Command(
        "predict",
        "run a model once and show its outputs",
        "MODEL [--input NAME=VALUE ...] [options]",
        ("run", "infer", "inference", "classify", "detect"),
    ),
    Command(
        "prepare",
        "show or save a model's input preprocessing",
        "MODEL [--write-sidecar | --write-model COPY] [options]",
    ),
    Command(
        "code",
        "generate code that prepares inputs and runs the model",
        "MODEL [--language LANGUAGE] [-o FILE] [options]",
        ("snippet", "generate"),
    ),
    Command(
        "parity",
        "run one input on two devices, optimization levels or models and compare",
        "MODEL --against RUN [options]",
        ("accuracy",),
    ),
    Command(
        "verify",
        "check a model's outputs against expected outputs",
        "MODEL [DATA ...] [options]",
        ("check", "validate", "test"),
    ),
    Command(
        "layers",
        "show every layer's output, optionally compared with a second run",
        "MODEL [--against RUN] [options]",
        ("debug", "step", "activations"),
    ),
    Command(
        "support",
        "test which layers a device on this machine supports, or estimate support on phones, "
        "NPUs and GPUs",
        "MODEL [options]",
    ),
    Command(
        "measure",
        "measure latency, memory and the time of each layer",
        "MODEL [-o REPORT] [options]",
        ("bench", "benchmark", "profile", "time", "latency", "perf"),
    ),
    Command("roofline", "measure each device's peak compute and memory bandwidth"),
    Command(
        "sweep",
        "measure models with every combination of some settings",
        "MODEL [MODEL ...] [-o SWEEP] [options]",
    ),
    Command(
        "tune",
        "find the settings with the lowest latency",
        "MODEL [options]",
        ("optimize", "optimise", "autotune"),
    ),
    Command(
        "export",
        "export a report as a web page, table, plot or trace",
        "REPORT [REPORT ...] --format FORMAT [-o PATH] [options]",
    ),
    Command(
        "compare",
        "compare reports of measurements",
        "REPORT REPORT [REPORT ...] [options]",
    ),
    Command(
        "convert",
        "convert or edit a model (float16, int8, opset, ...) and check the result",
        "MODEL ACTION [ACTION ...] -o FILE [options]",
        ("quantize", "quantise", "fp16", "simplify", "edit"),
    ),
    Command(
        "improve",
        "find a smaller or faster version of a model and check its accuracy",
        "MODEL --test FOLDER [--calibration FOLDER] [-o FILE] [options]",
        ("compress", "shrink"),
    ),
    Command(
        "diff",
        "compare two models: layers, weights, inputs, outputs and properties",
        "A B [options]",
        ("changes", "difference", "delta"),
    ),
    Command(
        "history",
        "list all saved reports, and when a model became slower or faster",
        "[MODEL] [--add PATH ...] [options]",
        ("log", "library", "trend", "reports"),
    ),
    Command(
        "trace",
        "summarize, search and export traces",
        "FILE [FILE ...] [options]",
    ),
    Command(
        "record",
        "run a Python program and record its use of ONNX Runtime",
        "[-o TRACE] [--nodes [N]] [--inputs [N]] [--last N] -- python app.py ...",
    ),
)
COMMANDS = {command.name: command for command in _ALL}


class _Terminated(KeyboardInterrupt):
    """Ends what runs as Ctrl+C does, so that temporary files are removed."""


def run(arguments: list[str]) -> int:
    """Run one command and return its exit status: 0 success, 1 failure, 2 usage error."""
    collect_rarely()
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
        return _checked(_run(arguments))


def _speak(language: str) -> bool:
    """Print pages in a language from now on; False and a message if there is none such."""
    from inspector.wording import catalog  # not needed in English

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


def _checked(status: int) -> int:
    """Return the exit status of a command, 1 in place of 0 if its output was not written.

    A reader that closes the pipe early (`inspector info model | head`) is no failure.
    """
    sys.stderr.flush()
    failure = output_failure()
    if failure is None or isinstance(failure, BrokenPipeError):
        return status
    hint = "Free up some space." if failure.errno in _NO_ROOM else "Write to another location."
    print(f"Could not write the output: {failure.strerror}\n{hint}", file=sys.stderr)
    return status or EXPECTED_FAILURE


def _run(arguments: list[str]) -> int:
    try:
        arguments = _joined_values(arguments)
        options, unknown = _parser(arguments).parse_known_args(arguments)
        if unknown:  # said with the usage of the command, which argparse would not do
            command_parser(options.command_name).error(
                f"unrecognized arguments: {' '.join(unknown)}"
            )
        time_limit = settings.time_limit()  # says what is wrong with the file, too
        if "time_limit" in options and not options.time_limit:
            options.time_limit = time_limit
        with command_timer.ended_after(getattr(options, "time_limit", 0.0)):
            _carry_out(options)
    except SystemExit as end:  # argparse has printed the reason
        return int(end.code or 0)
    except (KeyboardInterrupt, Cancelled) as error:
        print("Stopped.", file=sys.stderr)
        return TERMINATED if isinstance(error, _Terminated) else INTERRUPTED
    except InspectorError as error:
        print(error, file=sys.stderr)
        return EXPECTED_FAILURE
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

    synonyms = {other: command.name for command in _ALL for other in command.synonyms}
    meant = synonyms.get(word.lower())
    matches = [meant] if meant else get_close_matches(word.lower(), COMMANDS, 3)
    if matches:
        lines = [f"  inspector {name:<9} {COMMANDS[name].summary}" for name in matches]
        hint = "\n".join(["Similar commands:", *lines])
    else:
        hint = f"The commands are {', '.join(COMMANDS)}; `inspector --help` describes them."
    print(
        f"There is no command '{units.clip(word, 40)}', and no such file\n{hint}",
        file=sys.stderr,
    )
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
    command = options.command or import_module(f"inspector.cli.runs.{options.command_name}").run
    if getattr(options, "model", None) is None:
        command(options)
        return
    from inspector.formats.archive import located  # after the help

    options.named = options.model
    with located(options.model) as options.model:
        command(options)


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


def _sentence(text: str) -> str:
    return f"{units.capitalized(text)}."


def command_parser(name: str) -> argparse.ArgumentParser:
    """Return the parser of one command, for tests and documentation."""
    parser = _parser([name])
    (commands,) = (each for each in parser._actions if each.dest == "command_name")
    choices: Mapping[str, argparse.ArgumentParser] = commands.choices  # type: ignore[assignment]
    return choices[name]


def _parser(arguments: list[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="inspector",
        description="Inspect, run and profile ONNX models. "
        "Without a command, opens the given files in the desktop app.",
        epilog="'inspector [FILE ...]' opens the desktop app; 'inspector COMMAND --help' "
        "lists the options of a command.",
    )
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
    asked = [name for name in arguments[:1] if name in COMMANDS] or list(COMMANDS)
    for name in asked:
        command = COMMANDS[name]
        own = commands.add_parser(
            name,
            help=command.summary,
            description=_sentence(command.summary),
            usage=f"%(prog)s {command.usage}" if command.usage else None,
            allow_abbrev=False,  # --to would be taken for --tokenizer
        )
        if name in arguments[:1]:  # only the module of this command is imported
            module = import_module(f"inspector.cli.commands.{name}")
            module.add_arguments(own)
            downloads.add_yes(own)
            own.set_defaults(command=getattr(module, "run", None))
    return parser
