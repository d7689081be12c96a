"""The command line: parse, call one room, print. Loads no Qt."""

import argparse
import errno
import os
import re
import sys
from importlib import import_module
from typing import TextIO

from inspector import __version__
from inspector.cli import usage
from inspector.cli.terminal import output_failure, plain_output
from inspector.errors import Cancelled, InspectorError

COMMANDS = {
    "info": "tell what a model file says about itself",
    "devices": "list the devices that can run a model here, and why others cannot",
    "predict": "run a model once and show what it answers",
    "prepare": "show how inputs are prepared, and keep it for the next time",
    "parity": "answer the same input in two ways and compare",
    "verify": "hold the outputs of a model against the expected ones",
    "layers": "step through a model layer by layer, beside another run if you like",
    "support": "try which layers the devices of this machine take, and at which they fail",
    "measure": "time a model layer by layer and save the report",
    "roofline": "tell what the devices of this machine can do at most",
    "sweep": "measure models with every combination of some settings",
    "tune": "search the settings with which a model predicts fastest",
    "export": "turn a report into HTML, CSV, Markdown, JSON or a Chrome trace",
    "compare": "put reports side by side",
    "trace": "add up what traces hold, find things in them, export them",
    "record": "run a program and record what it does with ONNX Runtime",
}
# What other programs call what these commands do.
_SYNONYMS = {
    **dict.fromkeys(("bench", "benchmark", "profile", "time", "latency", "perf"), "measure"),
    **dict.fromkeys(("run", "infer", "inference", "classify", "detect"), "predict"),
    **dict.fromkeys(("show", "inspect", "summary", "describe", "stat", "stats"), "info"),
    **dict.fromkeys(("check", "validate", "test"), "verify"),
    **dict.fromkeys(("diff",), "compare"),
    **dict.fromkeys(("debug", "step", "activations"), "layers"),
    **dict.fromkeys(("optimize", "optimise", "autotune"), "tune"),
    **dict.fromkeys(("providers", "gpu", "gpus", "eps"), "devices"),
    **dict.fromkeys(("quantize", "quantise", "accuracy"), "parity"),
}
_NO_ROOM = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))
EXPECTED_FAILURE, WRONG_USE, INTERRUPTED = 1, 2, 130


def run(arguments: list[str]) -> int:
    """Carry out one command: 0 when it worked, 1 when it failed, 2 for wrong usage."""
    sys.stdout, sys.stderr = _open_one(sys.stdout), _open_one(sys.stderr)
    with plain_output():
        return _with_output(_run(arguments))


def _with_output(status: int) -> int:
    """Return the status of a command, whatever became of its output.

    Who reads only the first lines (`inspector info model | head`) changes nothing. Output that
    could not be written makes a command fail that did not fail already.
    """
    sys.stderr.flush()
    failure = output_failure()
    if failure is None or isinstance(failure, BrokenPipeError):
        return status
    hint = "Make room first." if failure.errno in _NO_ROOM else "Print to another place."
    print(f"Could not write the answer: {failure.strerror}\n{hint}", file=sys.stderr)
    return status or EXPECTED_FAILURE


def _run(arguments: list[str]) -> int:
    try:
        arguments = _with_values(arguments)
        options = _parser(arguments).parse_args(arguments)
        _carry_out(options)
    except SystemExit as end:  # argparse has told already
        return int(end.code or 0)
    except (KeyboardInterrupt, Cancelled):
        print("Stopped.", file=sys.stderr)
        return INTERRUPTED
    except InspectorError as error:
        print(error, file=sys.stderr)
        return EXPECTED_FAILURE
    return 0


def mistyped(arguments: list[str]) -> bool:
    """Return whether the first word is neither a command nor a file; says so on stderr.

    A word with a dot or a slash is a path: the window opens and tells that it is not there.
    """
    word = arguments[0] if arguments else ""
    if not word or word.startswith("-") or set(word) & {".", "/", os.sep} or _is_there(word):
        return False
    from difflib import get_close_matches  # only where something is wrong already

    from inspector.units import clip

    other_word = _SYNONYMS.get(word.lower())
    near = [other_word] if other_word else get_close_matches(word.lower(), COMMANDS, 3)
    if near:
        lines = [f"  inspector {name:<9} {COMMANDS[name]}" for name in near]
        hint = "\n".join(["The nearest commands:", *lines])
    else:
        hint = f"The commands are {', '.join(COMMANDS)}; 'inspector --help' explains them."
    print(f"There is no command '{clip(word, 40)}', and no such file\n{hint}", file=sys.stderr)
    return True


def _is_there(name: str) -> bool:
    try:
        return os.path.lexists(name)
    except ValueError:  # no file can have a name with a zero in it
        return False


def _open_one(stream: TextIO | None) -> TextIO:
    """The stream, or one to nowhere: who closed it does not want to hear."""
    return stream if stream is not None else open(os.devnull, "w", encoding="utf-8")


def _carry_out(options: argparse.Namespace) -> None:
    """Call the command; its model may be in an archive or come from standard input."""
    if not hasattr(options, "model"):
        options.command(options)
        return
    from inspector.readers.archive import located

    options.named = options.model
    with located(options.model) as options.model:
        options.command(options)


def _with_values(arguments: list[str]) -> list[str]:
    """Join '--scale' and '-1..1' by '=', since argparse takes the second for an option.

    What follows '--' belongs to another program.
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


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _parser(arguments: list[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="inspector",
        description="Look at an ONNX model, try it and measure it. "
        "Without a command, the window opens on the given files.",
        epilog="'inspector [FILE ...]' opens the window; 'inspector COMMAND --help' tells the "
        "options of a command.",
    )
    parser.add_argument("--version", action="version", version=f"inspector {__version__}")
    commands = parser.add_subparsers(required=True, title="commands", metavar="COMMAND")
    for name, summary in COMMANDS.items():
        command = commands.add_parser(
            name, help=summary, description=_sentence(summary), usage=usage.of(name)
        )
        if name in arguments[:1]:  # the others would be loaded for nothing
            room = import_module(f"inspector.cli.{name}")
            room.add_arguments(command)
            command.set_defaults(command=room.run)
    return parser
