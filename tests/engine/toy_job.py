"""A new job for `test_toy_job.py`: two messages, a handler and one entry in the registry.

`python -m tests.engine.toy_job` is an engine process that has it.
"""

import sys
from pathlib import Path

from inspector.engine import protocol
from inspector.engine.protocol import Done, Job, JobType
from inspector.engine.worker.jobs import JobRunner
from inspector.errors import BadInput

COMMAND = [sys.executable, "-P", "-m", "tests.engine.toy_job"]


class CountJob(Job, frozen=True):
    """Count how often a byte occurs in a file."""

    model: str
    byte: int


class CountDone(Done, frozen=True):
    """Answer to CountJob."""

    count: int


def count(runner: JobRunner, job: CountJob) -> CountDone:
    """Handle a CountJob."""
    if not 0 <= job.byte < 256:
        raise BadInput("Could not count", f"{job.byte} is not a byte", "Choose 0 to 255.")
    runner.report_share("count", -1)
    return CountDone(Path(job.model).read_bytes().count(job.byte))


# Named in full: as a program, this module is `__main__`.
COUNT = JobType(CountJob, CountDone, "tests.engine.toy_job:count")


def main() -> None:
    """Run an engine process that has this job."""
    from inspector.engine.__main__ import main as engine_main
    from tests.engine import toy_job

    protocol.register(toy_job.COUNT)
    engine_main()


if __name__ == "__main__":
    main()
