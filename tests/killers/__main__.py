"""Run commands on all killer models, and predictions and `info` on all bombs; print a table.

    python -m tests.killers [--time-limit 10] [--memory 2] [--commands predict,info] [NAME ...]

A run is right if it ends within its time limit and its memory and a tenth, besides what the
command takes to start, with one sentence and no trace of Python. Time counts in which it had a
core or waited for its engine; time in which other programs had all cores does not. One that
took too long is run again with a fresh look at the time to start. Status 1 if one is wrong.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.killers.bombs import BOMBS
from tests.killers.models import MODELS, write
from tests.killers.running import MORE, Run, arguments_for, run, start_seconds

_HEAD = (
    f"{'model or file':<30}  {'command':<15}{'s':>6} {'wall':>6} {'MiB':>6} {'exit':>4}  said"
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.killers")
    parser.add_argument("--time-limit", type=float, default=10.0, metavar="SECONDS")
    parser.add_argument("--memory", type=float, default=2.0, metavar="GIB")
    parser.add_argument("--commands", default=",".join(MORE), metavar="COMMAND,COMMAND")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    limit_bytes = int(options.memory * (1 << 30))
    wrong = runs = 0
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        print(
            f"limits: {options.time_limit:g} s and {options.memory:g} GiB\n{_HEAD}", flush=True
        )
        start = start_seconds(folder)
        for name, command, arguments in _cases(options, folder):
            done = run(arguments, folder, options.time_limit, limit_bytes)
            problem = done.problem(options.time_limit + start, limit_bytes)
            if problem and not done.problem(float("inf"), limit_bytes):
                start = start_seconds(folder)
                done = run(arguments, folder, options.time_limit, limit_bytes)
                problem = done.problem(options.time_limit + start, limit_bytes)
            wrong, runs = wrong + bool(problem), runs + 1
            print(_line(name, command, done, problem), flush=True)
    print(f"{runs} runs, {wrong} wrong" if wrong else f"{runs} runs, all right")
    return 1 if wrong else 0


def _cases(
    options: argparse.Namespace, folder: Path
) -> Iterator[tuple[str, str, Sequence[str]]]:
    """Yield what is tried: its name, the command, and all arguments."""
    for name in options.names or (*MODELS, *BOMBS, "roofline"):
        if name in MODELS:
            path = write(name, folder)
            for command in options.commands.split(","):
                yield name, command, arguments_for(command, path)
        elif name in BOMBS:
            with tempfile.TemporaryDirectory() as own:
                arguments = BOMBS[name](Path(own))
                yield name, arguments[0], arguments
        else:
            yield name, name, [name, "--refresh"]


def _line(name: str, command: str, done: Run, problem: str) -> str:
    said = problem and f"WRONG, {problem}: "
    return (
        f"{name:<30}  {command:<15}{done.seconds:>6.1f} {done.wall_seconds:>6.1f} "
        f"{done.peak_bytes >> 20:>6} {done.status:>4}  {said}{done.sentence}"
    )


if __name__ == "__main__":
    sys.exit(main())
