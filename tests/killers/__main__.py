"""Run commands on all killer models, and print what each took and said.

    python -m tests.killers [--time-limit 10] [--memory 2] [--commands predict,info] [NAME ...]

A run is right if it ends within its time limit and its memory and a tenth, besides what the
command takes to start, with one sentence and no trace of Python. Status 1 if one is not. One
that took too long is run again with a fresh look at the time to start, which other work on the
machine changes.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tests.killers.models import MODELS, write
from tests.killers.running import MORE, Run, run, start_seconds

_HEAD = f"{'model':<30}{'bytes':>6}  {'command':<8}{'s':>6} {'MiB':>6} {'exit':>4}  said"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.killers")
    parser.add_argument("--time-limit", type=float, default=10.0, metavar="SECONDS")
    parser.add_argument("--memory", type=float, default=2.0, metavar="GIB")
    parser.add_argument("--commands", default=",".join(MORE), metavar="COMMAND,COMMAND")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    limit_bytes = int(options.memory * (1 << 30))
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        print(
            f"limits: {options.time_limit:g} s and {options.memory:g} GiB\n{_HEAD}", flush=True
        )
        for name in options.names or MODELS:
            path = write(name, Path(folder))
            start = start_seconds(Path(folder))
            for command in options.commands.split(","):
                done = run(command, path, options.time_limit, limit_bytes)
                problem = done.problem(options.time_limit + start, limit_bytes)
                if problem and not done.problem(float("inf"), limit_bytes):
                    start = start_seconds(Path(folder))
                    done = run(command, path, options.time_limit, limit_bytes)
                    problem = done.problem(options.time_limit + start, limit_bytes)
                wrong += bool(problem)
                print(_line(name, path, command, done, problem), flush=True)
    print(f"{wrong} wrong" if wrong else "all right")
    return 1 if wrong else 0


def _line(name: str, path: Path, command: str, done: Run, problem: str) -> str:
    size, said = path.stat().st_size, problem and f"WRONG, {problem}: "
    return (
        f"{name:<30}{size:>6}  {command:<8}{done.seconds:>6.1f} {done.peak_bytes >> 20:>6} "
        f"{done.status:>4}  {said}{done.sentence}"
    )


if __name__ == "__main__":
    sys.exit(main())
