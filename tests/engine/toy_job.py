"""A new request for `test_toy_job.py`: a class and its handler, in one file.

`python -m tests.engine.toy_job` is an engine process that answers it.
"""

import sys
from pathlib import Path
from typing import ClassVar

from inspector.engine.requests import Request
from inspector.engine.worker.handlers import HANDLERS, Worker
from inspector.errors import BadInput

COMMAND = [sys.executable, "-P", "-m", "tests.engine.toy_job"]


class CountBytes(Request[dict[str, int]], frozen=True):
    failed: ClassVar[str] = "Could not count in {name}"
    kind: ClassVar[str] = "toy_count"
    model: Path
    counted: tuple[int, ...] = ()


def count_bytes(worker: Worker, request: CountBytes) -> dict[str, int]:
    for byte in request.counted:
        if not 0 <= byte < 256:
            raise BadInput("", f"{byte} is not a byte", "Choose 0 to 255.")
    worker.report_share("count", -1)
    body = request.model.read_bytes()
    return {chr(byte): body.count(byte) for byte in request.counted}


def main() -> None:
    from inspector.engine.__main__ import main as engine_main
    from tests.engine import toy_job  # named in full: as a program, this module is `__main__`

    HANDLERS[toy_job.CountBytes] = toy_job.count_bytes
    engine_main()


if __name__ == "__main__":
    main()
