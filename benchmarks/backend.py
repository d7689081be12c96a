"""ONNX's own operator tests through `inspector verify`: what passes, and why the rest does not.

`python -m benchmarks.backend [PART OF A NAME]` lays each test's files out as its authors
publish them, answers it in one warm engine process, and holds the outputs against the expected
ones. A model that the runtime refuses is listed by the runtime's reason, once it has refused
it without Inspector as well; one that is only written too new is tried again as an older one.
Where an answer differs, the same feeds go to ONNX Runtime without Inspector: a difference that
it gives, too, is the runtime's. What Inspector alone refuses or changes is a miss; the limit
is none.
"""

import re
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper

from inspector.engine.client.engine_process import EngineProcess
from inspector.errors import EngineFailed, InspectorError
from inspector.formats.opening import open_model
from inspector.preview.runs import expected_outputs
from inspector.preview.runs.expected_outputs import DataSet
from inspector.report.run_spec import RunSpec

PASSED, LOWERED, REFUSED, DIFFERS, MISSED = KINDS = (
    "passed",
    "passed once their IR version was lowered to what the runtime reads",
    "the runtime refuses",
    "the runtime differs",
    "miss",
)
_CPU = RunSpec(devices=("cpu",))
_TOO_NEW = re.compile(r"as IR version \d+, and this runtime reads up to (\d+)")
_RANDOM = ("bernoulli", "dropout", "random")
_NAMES = re.compile(r"'[^']*'|\(in [^)]*\)|\d[\d,]*")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one test went; `why` is empty where it passed."""

    name: str
    kind: str
    why: str = ""


def cases(part: str = "") -> list[Any]:
    """ONNX's own tests of its operators, whose expected values are computed just now."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numpy's, while the expected values are computed
        from onnx.backend.test.case.node import collect_testcases

        return [case for case in collect_testcases(None) if part in case.name]


def outcomes(tests: Sequence[Any], folder: Path) -> list[Outcome]:
    """Verify each test in one engine process; its files are laid into the folder."""
    with EngineProcess() as engine:
        return [_outcome(engine, case, folder) for case in tests]


def stored(case: Any, folder: Path) -> Path:
    """Lay a test's data into a folder, and its model beside it; returns the data's folder.

    All models lie in one folder: to read from another, the engine process starts anew.
    """
    data: Path = folder / case.name / "test_data_set_0"
    data.mkdir(parents=True)
    onnx.save(case.model, folder / f"{case.name}.onnx")
    for side, values in zip(("input", "output"), case.data_sets[0], strict=True):
        for number, value in enumerate(values):
            body = _body(value)
            if body is not None:
                (data / f"{side}_{number}.pb").write_bytes(body)
    return data


def _body(value: Any) -> bytes | None:
    if value is None:
        return None
    if isinstance(value, onnx.TensorProto):
        return bytes(value.SerializeToString())
    if isinstance(value, list):
        return bytes(numpy_helper.from_list(value).SerializeToString())
    return bytes(numpy_helper.from_array(np.asarray(value)).SerializeToString())


def _outcome(engine: EngineProcess, case: Any, folder: Path) -> Outcome:
    data = stored(case, folder)
    path = folder / f"{case.name}.onnx"
    found = _held(engine, case, path, data)
    version = _TOO_NEW.search(found.why) if found.kind == REFUSED else None
    if version is None:
        return found
    case.model.ir_version = int(version[1])
    onnx.save(case.model, path)
    again = _held(engine, case, path, data)
    return Outcome(case.name, LOWERED) if again.kind == PASSED else again


def _held(engine: EngineProcess, case: Any, path: Path, data: Path) -> Outcome:
    try:
        model = open_model(path)
        held = expected_outputs.read(data, model.inputs, model.outputs)
        answer = engine.predict(path, _CPU, held.feeds)
    except EngineFailed as error:
        runs = not isinstance(_alone(path, case), str)
        return Outcome(case.name, MISSED if runs else REFUSED, error.why)
    except InspectorError as error:
        alone = _alone(path, case)
        kind = REFUSED if isinstance(alone, str) else MISSED
        return Outcome(case.name, kind, alone if isinstance(alone, str) else str(error))
    found = expected_outputs.compare(
        held, answer.outputs, max(case.rtol, 1e-3), max(case.atol, 1e-7)
    )
    told = "; ".join(d.text() for d in found if not d.passed)
    if not told:
        return Outcome(case.name, PASSED)
    got = {output.name: output.array for output in answer.outputs}
    random = any(word in case.name for word in _RANDOM)
    kind = DIFFERS if _the_same(_alone(path, case), got, held, random) else MISSED
    return Outcome(case.name, kind, told)


def _alone(path: Path, case: Any) -> dict[str, Any] | str:
    """What ONNX Runtime gives without Inspector, by output; a sentence where it refuses."""
    import onnxruntime

    onnxruntime.set_default_logger_severity(4)
    try:
        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        names = [node.name for node in session.get_inputs()]
        feeds = {
            name: _given(value)
            for name, value in zip(names, case.data_sets[0][0], strict=False)
        }
        outputs = [node.name for node in session.get_outputs()]
        return dict(zip(outputs, session.run(None, feeds), strict=True))
    except Exception as error:  # noqa: BLE001 - the runtime raises whatever it likes
        return str(error).splitlines()[0]


def _given(value: Any) -> Any:
    """A value of a test as the runtime takes it."""
    if isinstance(value, onnx.TensorProto):
        return numpy_helper.to_array(value)
    return value if isinstance(value, list) else np.asarray(value)


def _the_same(
    alone: dict[str, Any] | str, got: dict[str, Any], held: DataSet, random: bool
) -> bool:
    """Whether the runtime gives bit for bit what Inspector passed on; of a random operator,
    the same shapes."""
    if isinstance(alone, str):
        return False
    for name in held.expected:
        ours, theirs = got.get(name), alone[name]
        if ours is None or not isinstance(theirs, np.ndarray) or ours.shape != theirs.shape:
            return False
        nan = ours.dtype.kind in "fc"
        if not random and not np.array_equal(ours, theirs, equal_nan=nan):
            return False
    return True


def _print(found: Sequence[Outcome], seconds: float) -> None:
    print(f"{len(found):,} operator tests of onnx {onnx.__version__} in {seconds:.0f} s")
    for kind in KINDS:
        print(f"{sum(o.kind == kind for o in found):>6}  {kind}")
    reasons = Counter(_NAMES.sub("…", o.why) for o in found if o.kind == REFUSED)
    print("\nwhy the runtime refuses")
    for reason, number in reasons.most_common():
        print(f"{number:>6}  {reason}")
    for kind in (DIFFERS, MISSED):
        print(f"\n{kind}")
        for outcome in (o for o in found if o.kind == kind):
            print(f"        {outcome.name}: {outcome.why[:200]}")


def main() -> int:
    """Print the table; 1 where there is a miss."""
    part = sys.argv[1] if len(sys.argv) > 1 else ""
    tests, began = cases(part), perf_counter()
    with tempfile.TemporaryDirectory(prefix="inspector-backend-") as folder:
        found = outcomes(tests, Path(folder))
    _print(found, perf_counter() - began)
    return int(any(outcome.kind == MISSED for outcome in found))


if __name__ == "__main__":
    sys.exit(main())
