"""Results of the compatibility check: which programs open a model, and why others refuse."""

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

READER = "Inspector"
LOADER = "onnx.load"
CHECKER = "onnx.checker"
INFERENCE = "onnx shape inference"
RUNTIME = "ONNX Runtime"
PROGRAMS = (READER, LOADER, CHECKER, INFERENCE, RUNTIME)


class Outcome(StrEnum):
    """The outcome of giving a model to a program."""

    OPENS = "opens"
    REFUSES = "refuses"
    SILENT = "no answer"
    DIED = "died"


class CompatibilityResult(Struct, frozen=True):
    """The result of one program with a model.

    program: one of `PROGRAMS`. version: of its package. why: its reason in one sentence, when
    it did not open the model; hint: what helps. took_ns: until it was done; for the others,
    until it was ended.
    """

    program: str
    outcome: Outcome
    why: str = ""
    took_ns: int = 0
    version: str = ""
    hint: str = ""


def summarize(verdicts: Iterable[CompatibilityResult]) -> str:
    """Return one sentence on the programs that open a model and those that do not."""
    results = tuple(verdicts)
    fine = [v.program for v in results if v.outcome is Outcome.OPENS]
    others = [v.program for v in results if v.outcome is not Outcome.OPENS]
    if not others:
        return "All of them can load the model."
    if not fine:
        return "None of them can load the model."
    if RUNTIME in fine:
        return (
            f"ONNX Runtime can load the model; {_join_names(others)} cannot, so programs that "
            "validate models may reject it."
        )
    if others == [RUNTIME]:
        return "All others can load the model, but ONNX Runtime cannot."
    return f"Only {_join_names(fine)} can load the model."


def _join_names(names: list[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
