"""Options for the session of ONNX Runtime, shared by several commands."""

import argparse
from typing import Any

from inspector.cli.option_types import Options, at_least
from inspector.units import clip

LEVELS = ("none", "basic", "extended", "all")
MODES = ("sequential", "parallel")
_DEVICE_HELP = (
    "device from 'inspector devices'; repeat to add fallbacks in order of priority; the CPU "
    "runs "
    "the layers that no other device supports (default: cpu)"
)


def add_arguments(parser: Options) -> None:
    """Add threads, level, execution mode, spinning and memory."""
    choice = "0: the default of ONNX Runtime"
    threads = f"intra-op threads; {choice}"
    parser.add_argument("--threads", type=at_least(0), default=0, metavar="N", help=threads)
    parser.add_argument(
        "--optimization",
        choices=LEVELS,
        default="all",
        help="graph optimization level (default: all)",
    )
    parser.add_argument(
        "--execution",
        choices=MODES,
        default="sequential",
        help="execution mode: one operator at a time, or independent operators in parallel",
    )
    parser.add_argument(
        "--inter-threads",
        type=at_least(0),
        default=0,
        metavar="N",
        help=f"inter-op threads, with --execution parallel; {choice}",
    )
    parser.add_argument(
        "--provider-option",
        type=_option,
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="option for the execution provider of the first non-CPU device; repeatable",
    )
    add_on_cpu(parser)
    for name, words in (
        ("spinning", "idle threads sleep instead of spinning"),
        ("arena", "disable the CPU memory arena"),
        ("memory-pattern", "disable memory-pattern preallocation"),
    ):
        parser.add_argument(f"--no-{name}", action="store_true", help=words)


def add_devices(parser: Options, words: str = _DEVICE_HELP) -> None:
    """Add the option that chooses devices, any number of them."""
    parser.add_argument(
        "--device", action="append", default=[], metavar="ID", dest="devices", help=words
    )


def add_on_cpu(parser: Options) -> None:
    """Add the option that keeps layers on the CPU."""
    parser.add_argument(
        "--on-cpu",
        type=_layers,
        action="extend",
        default=[],
        metavar="LAYER[,LAYER]",
        help="force layers to the CPU, by name, index or pattern such as '/head/*'; repeatable",
    )


def chosen(options: argparse.Namespace) -> dict[str, Any]:
    """The fields of a RunSpec that these options set."""
    return {
        "threads": options.threads,
        "optimization": options.optimization,
        "execution_mode": options.execution,
        "inter_threads": options.inter_threads,
        "spinning": not options.no_spinning,
        "arena": not options.no_arena,
        "memory_pattern": not options.no_memory_pattern,
        "provider_options": _options(options.provider_option),
        "on_cpu": tuple(dict.fromkeys(options.on_cpu)),
    }


def _option(text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not key.strip() or not sign:
        raise argparse.ArgumentTypeError(f"'{clip(text, 80)}' is not KEY=VALUE")
    return key.strip(), value


def _layers(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _options(pairs: list[tuple[str, str]]) -> tuple[Any, ...]:
    from inspector.report.run_spec import ProviderOption

    return tuple(ProviderOption(key, value) for key, value in dict(pairs).items())
