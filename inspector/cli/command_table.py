"""The commands: those of Inspector, and those that plugins add.

Loads no command: `inspector --help` and the hints for mistyped ones need names and summaries.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from inspector.platform import plugins

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

_WORD = re.compile(r"[A-Za-z][\w-]*")  # what a command can be called


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the command line.

    summary: in the list of commands and above its options. usage: its arguments, where argparse
    would list dozens of options; "" for those of argparse. synonyms: the names that other
    programs have for it, which a mistyped command is compared with.

    module: with `add_arguments`, which takes the parser, and `run`, which takes the options.
    `run` may stand in another module, `runs`, where it needs numpy or a model, which the help
    does not. By default inspector.cli.commands.NAME and, if that has no `run`,
    inspector.cli.runs.NAME. after: the command that a plugin's command follows in the list;
    by default the last one.
    """

    name: str
    summary: str
    usage: str = ""
    synonyms: tuple[str, ...] = ()
    module: str = ""
    runs: str = ""
    after: str = ""

    def add_arguments(self, parser: "ArgumentParser") -> None:
        """Add the options of the command to its parser."""
        self._module.add_arguments(parser)

    def run(self, options: "Namespace") -> None:
        """Do what the command does. Raises InspectorError."""
        own = getattr(self._module, "run", None)
        runs = self.runs or f"inspector.cli.runs.{self.name}"
        (own or import_module(runs).run)(options)

    @property
    def _module(self) -> Any:
        return import_module(self.module or f"inspector.cli.commands.{self.name}")


# `inspector --help`, the hints for mistyped commands and the pages in docs/commands follow
# from this list.
COMMANDS = (
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


def find(word: str) -> Command | None:
    """Return the command of a name; None: there is none.

    Plugins are asked only about a word that is no command of Inspector and no path.
    """
    if word in _OWN:
        return _OWN[word]
    return commands().get(word) if _WORD.fullmatch(word) else None


@cache
def commands() -> dict[str, Command]:
    """Return all commands by name, those of plugins among them."""
    listed = plugins.added_to(COMMANDS, plugins.COMMANDS)
    return {command.name: command for command in listed}


_OWN = {command.name: command for command in COMMANDS}
