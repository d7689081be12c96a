"""The table of many models as text for a terminal."""

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from inspector import units
from inspector.cli.render.comparison import table
from inspector.export.tables import model_table
from inspector.export.tables.model_table import ModelRow
from inspector.model.display_names import elided
from inspector.platform import files

_MOST_TASK = 44  # letters of a task in the table
_MOST_PATH = 44
_SEPARATOR = re.compile(r"[/\\]")


def lines(rows: Sequence[ModelRow]) -> Iterator[str]:
    """Yield the table, duplicates and files that could not be read."""
    readable = [row for row in rows if not row.problem]
    with_support = any(row.support for row in readable)
    by_runtime = any(row.runtime for row in readable)
    heads = ["model", *(["runtime"] if by_runtime else [])]
    heads += ["size", "parameters", "MACs", "precision", "opset", "p50"]
    heads += ["outputs"] if by_runtime else []
    heads += [*(["support"] if with_support else []), "task"]
    cells = [
        [
            _short_path(row.path),
            *([row.runtime] if by_runtime else []),
            _text(row.size_bytes, units.size),
            _text(row.parameters, units.count),
            _text(row.macs, units.count),
            row.precision,
            _text(row.opset, str),
            _text(row.p50_ns, units.duration),
            *([row.outputs] if by_runtime else []),
            *([row.support] if with_support else []),
            units.clip(row.task.partition(" (")[0], _MOST_TASK),
        ]
        for row in readable
    ]
    if cells:
        name, extra = "ll" if by_runtime else "l", "l" * (with_support + by_runtime)
        yield from table([heads, *cells], f"{name}rrrlrr{extra}l")
        if by_runtime:
            yield from _fastest(readable)
    same = [row for row in readable if row.same_as]
    if same:
        yield from ("", f"Same content ({len(same):,})")
        yield from (f"  {units.clip(row.path)} = {units.clip(row.same_as)}" for row in same)


def _fastest(rows: Sequence[ModelRow]) -> Iterator[str]:
    """Yield which file and runtime of each network had the lowest median with correct outputs,
    and how to be sure of it.

    Files in one folder that differ only in their suffix are one network.
    """
    networks: dict[Path, list[tuple[int, ModelRow]]] = {}
    for row in rows:
        if row.p50_ns and row.outputs == "correct":
            networks.setdefault(Path(row.path).with_suffix(""), []).append((row.p50_ns, row))
    compared = [timed for timed in networks.values() if len(timed) > 1]
    if compared:
        yield ""
        for timed in compared:
            median_ns, first = min(timed, key=lambda pair: pair[0])
            yield (
                f"Lowest median: {units.duration(median_ns)}, "
                f"{units.clip(Path(first.path).name, 80)} with {first.runtime}."
            )
        yield (
            "The rows were measured one after the other. To compare two of them alternately, "
            "with a 95% interval,"
        )
        yield "measure one model on two runtimes, or use --against."


def _short_path(path: str) -> str:
    """Return a path without its first folders where it is long: "…/models/bert.onnx"."""
    path = units.visible(path)
    if len(path) <= _MOST_PATH:
        return path
    end = _SEPARATOR.search(path, len(path) - _MOST_PATH + 1)
    if end is not None:
        return f"…{path[end.start() :]}"
    return elided(_SEPARATOR.split(path)[-1], _MOST_PATH, len)


def _text(value: int | None, write: Callable[[int], str]) -> str:
    return "" if value is None else write(value)


def print_table(rows: Sequence[ModelRow], options: argparse.Namespace) -> None:
    """Print rows as --sort, --json and --csv ask. Raises NotSaved: the CSV file."""
    rows = model_table.with_duplicates(rows)
    if options.sort:
        rows = model_table.ordered(rows, options.sort)
    if options.json:
        print(msgspec.json.encode(model_table.as_plain(rows)).decode())
    elif options.csv == "-":
        sys.stdout.write(model_table.as_csv(rows).decode())
    else:
        print("\n".join(lines(rows)))
    if options.csv and options.csv != "-":
        files.write_atomic(Path(options.csv), model_table.as_csv(rows))
