"""Recording from inside a program: a `with` block, or the cell of a notebook."""

import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from inspector import units
from inspector.analysis.advice.trace_rules import program_findings
from inspector.platform import files
from inspector.recorder.assemble import Recording, body, collect
from inspector.recorder.import_hook import AWAITED, Finder
from inspector.recorder.profiled_runs import ProfiledRuns
from inspector.recorder.store import Store
from inspector.recorder.wrappers import RuntimeWrapper
from inspector.trace.trace import Trace

_STILL_OPEN = "the recording is complete when its block has ended"


class RecordedBlock:
    """What a block did with ONNX Runtime; complete when the block has ended.

    path: where the trace is saved; None: nowhere yet. status: exit status of a recorded
    program, below 0 for a signal; 0 for a block.
    """

    def __init__(self, path: Path | None) -> None:
        self.path, self.status = path, 0
        self._recording: Recording | None = None

    def complete(self, recording: Recording, status: int = 0) -> None:
        """Take what was recorded."""
        self._recording, self.status = recording, status

    @property
    def recording(self) -> Recording:
        """The trace with its layers and notes. Raises RuntimeError: the block has not ended."""
        if self._recording is None:
            raise RuntimeError(_STILL_OPEN)
        return self._recording

    @property
    def trace(self) -> Trace:
        """The recorded spans: calls, checks, copies, casts and, where profiled, nodes."""
        return self.recording.trace

    @property
    def calls(self) -> int:
        """The number of calls to ONNX Runtime."""
        return self.recording.calls

    def findings(self) -> list[str]:
        """Return inefficient uses of ONNX Runtime, each with what to do about it."""
        found = program_findings(self.recording.trace, self.recording.layers)
        return [f"{each.sentence} {each.advice}" for each in found]

    def save(self, path: str | Path) -> Path:
        """Save the trace: `.npz` for columns, else Chrome's JSON. Raises InspectorError."""
        target = with_suffix(Path(path))
        files.write_pieces(target, (body(self.recording, target),))
        return target

    def _repr_markdown_(self) -> str:
        if self._recording is None:
            return f"*{_STILL_OPEN.capitalize()}.*"

        lines = [f"**{units.plural(self.calls, 'call')} to ONNX Runtime recorded**", ""]
        lines += [f"- {text}" for text in (*self.recording.remarks, *self.findings())]
        return "\n".join(lines)


@contextmanager
def recording(
    path: str | Path | None = None, *, nodes: int = 0, keep: int = 1_000_000
) -> Iterator[RecordedBlock]:
    """Record what the block does with ONNX Runtime.

    path: where the trace is saved when the block ends; `.trace.json` is added to a name without
    a suffix, `.npz` saves columns. None: it is not saved. nodes: predictions of each session
    that are profiled node by node. keep: spans that are kept at the least.
    All threads are seen; several blocks, one in another or side by side, do not disturb each
    other. Yields what was recorded. Raises NotSaved, before the block where nothing could be
    written there.
    """
    target = None if path is None else with_suffix(Path(path).absolute())
    if target is not None:  # absolute, since the block may change the folder
        files.expect_to_write(target)
    recorded = RecordedBlock(target)
    folder = Path(tempfile.mkdtemp(prefix="inspector-recording-"))
    try:
        watch = RuntimeWrapper(Store(folder, keep), folder, ProfiledRuns(last=nodes))
        finder = Finder(watch.attach)
        if AWAITED in sys.modules:
            watch.attach(sys.modules[AWAITED])
        else:
            sys.meta_path.insert(0, finder)
        try:
            yield recorded
        finally:
            sys.meta_path[:] = [one for one in sys.meta_path if one is not finder]
            watch.detach()
            watch.finish()
            recorded.complete(collect(folder))
            if target is not None:
                recorded.save(target)
    finally:
        shutil.rmtree(folder, ignore_errors=sys.platform == "win32")


def with_suffix(path: Path) -> Path:
    """Return where a trace is saved that was given a name without a suffix."""
    return path if path.suffix else path.with_name(path.name + ".trace.json")


def register_magic(shell: Any, record_program: Callable[[str], RecordedBlock]) -> None:
    """Add `%%inspect [PATH]` to an IPython shell, which runs a cell and records it, and
    `%inspect PROGRAM [ARGUMENTS]`, which does the same with a program."""

    def inspect(line: str, cell: str | None = None) -> RecordedBlock:
        """Run the cell, or the program that the line names, record what it does with ONNX
        Runtime, and show what was found."""
        if cell is None:
            return record_program(line)
        with recording(line.strip() or None) as recorded:
            shell.run_cell(cell).raise_error()
        return recorded

    shell.register_magic_function(inspect, "line_cell", "inspect")
