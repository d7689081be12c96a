"""What `inspector info --verdicts` says: who opens the model, and why the others refuse."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

from inspector import units
from inspector.engine.process import EngineProcess
from inspector.verdicts import PROGRAMS, Outcome, Verdict, in_a_sentence

_NAME, _INDENT = 30, 4


def asked(path: Path) -> tuple[Verdict, ...]:
    """Let each program open the file, in an engine of their own."""
    with EngineProcess() as engine:
        return tuple(engine.verdict(path, program) for program in PROGRAMS)


def lines(verdicts: Sequence[Verdict], columns: int) -> Iterator[str]:
    """Write a line for each program, and the reasons of those that refuse."""
    yield "Who opens it"
    for verdict in verdicts:
        name = f"{verdict.program} {verdict.version}".strip()
        took = units.duration(verdict.took_ns) if verdict.outcome is Outcome.OPENS else ""
        yield f"  {name:{_NAME}}{verdict.outcome.value:<12}{took}".rstrip()
        for line in wrap(units.clip(verdict.why), columns - _INDENT):
            yield " " * _INDENT + line
    yield from (f"  {line}" for line in wrap(in_a_sentence(verdicts), columns - 2))


def as_plain(verdicts: Sequence[Verdict]) -> list[dict[str, Any]]:
    """Return `verdicts` of schema model/1."""
    return [
        {
            "program": verdict.program,
            "version": verdict.version or None,
            "outcome": verdict.outcome.value,
            "why": verdict.why,
            "took_ns": verdict.took_ns,
        }
        for verdict in verdicts
    ]
