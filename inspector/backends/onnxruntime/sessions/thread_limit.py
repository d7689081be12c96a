"""How many threads may be asked for, so that a mistyped number does not stop the machine."""

import os

from inspector.errors import BadInput
from inspector.report.run_spec import RunSpec

_ALWAYS, _A_CORE = 64, 8


def most_threads(cores: int = 0) -> int:
    """The most threads that are started; `cores`: 0 for those of this machine."""
    return max(_ALWAYS, _A_CORE * (cores or os.cpu_count() or 1))


def check(*specs: RunSpec) -> None:
    """Raises BadInput: a setting wants more threads than `most_threads`.

    Each of them spins while it waits: thousands keep everybody from working for minutes.
    """
    most = most_threads()
    for spec in specs:
        wanted = max((spec.threads, spec.inter_threads, *spec.concurrency))
        if wanted > most:
            raise BadInput(
                f"Could not start {wanted:,} threads",
                f"more than {most:,} would keep this machine of {os.cpu_count() or 1} cores "
                "from doing anything else",
                f"Use at most {most:,}, or 0 for the runtime's choice.",
            )
