"""A program recorded from Python, whatever its language."""

import shlex
from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from inspector.app.record import recorded
from inspector.errors import BadInput
from inspector.platform import files
from inspector.recorder.profiled_runs import profiled_runs
from inspector.recorder.recording_context import RecordedBlock, with_suffix

_WHAT = "Could not record"


def record_program(
    command: str | Sequence[str | PathLike[str]],
    path: str | Path | None = None,
    *,
    nodes: str = "",
    inputs: int = 0,
    keep: int = 1_000_000,
    audit: bool = False,
) -> RecordedBlock:
    """Run a program to its end and record its use of ONNX Runtime.

    command: the program with its arguments, or one text that is split as a shell splits it; a
    Python program, or on Linux one in another language that loads the shared library.
    path: where the trace is saved, as of `recording`; None: it is not saved. nodes: runs whose
    layers are profiled: "50" (the first ones of each session), "100-149", "encoder.onnx:50".
    inputs: first runs of each session whose inputs are saved beside the trace. keep: spans of
    each process that are kept at the least. audit: follow a native program by the audit
    interface of the dynamic linker, where nothing was seen without it.
    Returns what was recorded; its `status` is the program's exit status. Raises BadInput: the
    program cannot be started, used no runtime, or an argument does not fit; NotSaved.
    """
    words = (
        shlex.split(command) if isinstance(command, str) else [str(each) for each in command]
    )
    if not words:
        raise BadInput(_WHAT, "there is no program to run", 'For example: ["./app", "x.onnx"]')
    if inputs and path is None:
        raise BadInput(_WHAT, "inputs are saved beside the trace", "Give the trace a path.")
    try:
        profiled = profiled_runs(nodes or "0")
    except ValueError as error:
        raise BadInput(_WHAT, str(error)) from error
    target = None if path is None else with_suffix(Path(path).absolute())
    if target is not None:
        files.expect_to_write(target)
    block = RecordedBlock(target)
    with recorded(words, keep, profiled, inputs, audit=audit) as done:
        done.expect_something()
        block.complete(done.recording, done.status)
        if target is not None:
            done.save(target)
            done.save_inputs(target)
    return block
