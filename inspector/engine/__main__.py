"""The engine process: `python -m inspector.engine`. Reads jobs from stdin, answers on stdout.

Only this process ever loads the runtime.
"""

import os

# Before anything can load the runtime: it asks once, then reports to its maker.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

from inspector.platform import own_processes
from inspector.platform.gc_policy import collect_rarely


def main() -> None:
    """Keep the two pipes for messages, send whatever anyone prints to the log, serve."""
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)  # stderr is the log; the runtime prints to stdout
    own_processes.exchange_bytes(requests, answers)
    collect_rarely()
    # what libraries print on loading must not reach the pipe of answers
    from inspector.engine.worker.service import serve

    serve(requests, answers)


if __name__ == "__main__":
    main()
