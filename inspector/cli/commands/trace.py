"""inspector trace: add up what a trace holds, find things in it, export it."""

import argparse
from pathlib import Path

from inspector import units
from inspector.render import registry
from inspector.render.registry import Subject

SCHEMA = "timeline/1"
COMPARISON_SCHEMA = "trace_comparison/1"
BY = ("event", "operator", "track", "layer", "lane", "model", "thread", "iteration")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of this command."""
    add = parser.add_argument
    add("files", nargs="+", type=Path, metavar="FILE", help="trace, profile or saved report")
    by = f"group events by {', '.join(BY)} (default: event)"
    add("--by", choices=BY, default="event", metavar="GROUP", help=by)
    add("--top", type=int, default=20, metavar="N", help="rows to print; 0: all (default: 20)")
    find = 'only events that fit a search, such as "dur>1ms op:Conv" or "/^Run/ track:gpu"'
    add("--find", default="", metavar="TEXT", help=f"{find}; the first ones are listed")
    start = "start of the time range, such as 1.5ms or 2s"
    add("--from", dest="begin", type=_instant, metavar="TIME", help=start)
    add("--to", dest="end", type=_instant, metavar="TIME", help="end of the time range")
    against = "compare with another one: events, what the time went to, and findings"
    add("--against", type=Path, metavar="OTHER", help=against)
    formats = registry.formats_of(Subject.TRACE)
    listed = ", ".join(f"{each.id} ({each.summary})" for each in formats)
    ids = tuple(each.id for each in formats)
    add("--export", choices=ids, metavar="FORMAT", help=f"save the trace as {listed}")
    target = (
        "save the trace in this file, whose name decides the format; '-' is standard output, "
        "with --export (default with --export: next to FILE)"
    )
    add("-o", dest="output", metavar="PATH", help=target)
    schemas = f"schema {SCHEMA}; {COMPARISON_SCHEMA} with --against"
    add("--json", action="store_true", help=f"print JSON ({schemas})")


def _instant(text: str) -> float:
    """Nanoseconds of '1.5ms'."""
    instant = units.nanoseconds(text)
    if instant is None:
        raise argparse.ArgumentTypeError(f"'{text}' is not a time such as 1.5ms")
    return instant
