"""Recording from inside a program: a notebook, a test."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from inspector.platform import files
from inspector.recorder.assemble import body, collect
from inspector.recorder.import_hook import AWAITED, Finder
from inspector.recorder.store import Store
from inspector.recorder.wrappers import RuntimeWrapper


@contextmanager
def recording(path: str | Path, *, nodes: int = 0, keep: int = 1_000_000) -> Iterator[None]:
    """Record what the block does with ONNX Runtime into a trace, saved when it ends.

    path: where to; `.trace.json` is added to a name without a suffix, `.npz` saves columns.
    nodes: predictions of each session that are profiled node by node. keep: spans that are
    kept at the least.
    All threads are seen; several blocks, one in another or side by side, do not disturb each
    other. Raises NotSaved, before the block where nothing could be written there.
    """
    target = Path(path).absolute()  # the block may change the folder
    if not target.suffix:
        target = target.with_name(target.name + ".trace.json")
    files.expect_to_write(target)
    folder = Path(tempfile.mkdtemp(prefix="inspector-recording-"))
    try:
        watch = RuntimeWrapper(Store(folder, keep), folder, nodes)
        finder = Finder(watch.attach)
        if AWAITED in sys.modules:
            watch.attach(sys.modules[AWAITED])
        else:
            sys.meta_path.insert(0, finder)
        try:
            yield
        finally:
            sys.meta_path[:] = [one for one in sys.meta_path if one is not finder]
            watch.detach()
            watch.finish()
            recorded = collect(folder)
            files.write_pieces(target, (body(recorded, target),))
    finally:
        shutil.rmtree(folder, ignore_errors=sys.platform == "win32")
