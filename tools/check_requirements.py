"""Hold what Inspector says a model requires against real releases of ONNX Runtime.

Each release, downloaded from PyPI, opens each model on its CPU and runs it with ones. A
requirement is too low where a release that should do refuses the model, or computes something
else than the newest one does. Prints a table; the exit status is 1 if a requirement is too low.

`python -m tools.check_requirements MODEL ... [--releases 1.18,1.21] [--folder FOLDER]` needs a
Python 3.11 (`--python`), the network, and some minutes; `--folder` keeps what was downloaded.
"""

import argparse
import json
import math
import re
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from inspector.analysis.facts.requirements import order, requirements
from inspector.errors import InspectorError
from inspector.formats.opening import open_model
from tools import runtime_releases

RELEASES = (
    "1.16,1.17,1.18,1.19,1.20,1.21,1.22,1.23,1.24,1.25,1.26,1.27,1.28,1.29,1.30,1.31,1.32"
)
# What a release says that lacks something, in contrast to one that finds a fault in the model.
_LACKS = re.compile("NOT_IMPLEMENTED|not a registered function|Unrecognized attribute")
_TOLERANCE = 1e-2  # relative; kernels of different releases round differently

# argv: the folder of the release, a JSON file with paths. Prints one JSON line: path -> why it
# refuses, or the first numbers of each output; null where it could not be run with ones.
RUN = r"""
import json, os, resource, signal, sys
sys.path.insert(0, sys.argv[1])
import numpy, onnxruntime
onnxruntime.set_default_logger_severity(4)
TYPES, PROVIDER = {"float": "float32", "double": "float64"}, "CPUExecutionProvider"

def outputs(session):
    feeds = {}
    for each in session.get_inputs():
        name = each.type[len("tensor("):-1]
        shape = [n if isinstance(n, int) else 1 for n in each.shape]
        feeds[each.name] = numpy.ones(shape, TYPES.get(name, name))
    return [value.astype(float).ravel()[:16].tolist() for value in session.run(None, feeds)]

def tried(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    try:
        session = onnxruntime.InferenceSession(path, options, providers=[PROVIDER])
    except Exception as error:
        return str(error)[:300] or "refused"
    try:
        return outputs(session)
    except Exception:
        return None

paths, answers = json.load(open(sys.argv[2])), {}
while len(answers) < len(paths):
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        with os.fdopen(writing, "w") as lines:
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
            for path in paths[len(answers):]:
                signal.alarm(20)
                print(json.dumps([path, tried(path)]), file=lines, flush=True)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as lines:
        answers.update(json.loads(line) for line in lines if line.endswith("\n"))
    _, status = os.waitpid(child, 0)
    if len(answers) < len(paths):
        late = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM
        answers[paths[len(answers)]] = None if late else "the process ended"
print(json.dumps(answers))
"""

Answer = str | list[list[float]] | None


class Verdict(NamedTuple):
    """How a requirement compares with what releases do; problem: "" where it is right."""

    required: str
    reason: str
    first: str
    problem: str


def verdict(required: str, reason: str, answers: Mapping[str, Answer]) -> Verdict:
    """Compare a requirement with the answers of the releases, oldest first."""
    able = [release for release, answer in answers.items() if not isinstance(answer, str)]
    problem = ""
    if not able and not any(_LACKS.search(str(answer)) for answer in answers.values()):
        return Verdict(required, reason, "", "")  # a faulty model, whatever it requires
    for release, answer in answers.items():
        if not required or order(release) < order(required):
            continue
        if isinstance(answer, str):
            problem = f"{release} refuses it: {answer[-150:]}"
        elif not _alike(answer, answers[able[-1]]):
            problem = f"{release} computes something else than {able[-1]}"
    return Verdict(required, reason, able[0] if able else "", problem)


def _alike(one: Answer, other: Answer) -> bool:
    if not isinstance(one, list) or not isinstance(other, list):
        return True  # one that cannot be run with ones says nothing
    return [len(values) for values in one] == [len(values) for values in other] and all(
        math.isclose(a, b, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE) or (a != a and b != b)
        for first, second in zip(one, other, strict=True)
        for a, b in zip(first, second, strict=True)
    )


def main() -> int:
    """Print the table; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", type=Path, nargs="+", help="files of models, or folders")
    parser.add_argument("--releases", default=RELEASES, help=f"default: {RELEASES}")
    parser.add_argument("--python", default="python3.11", help="a Python of all releases")
    parser.add_argument("--folder", type=Path, help="where downloads are kept")
    options = parser.parse_args()
    needs: dict[Path, tuple[str, str]] = {}
    for given in options.models:
        for path in sorted(given.rglob("*.onnx")) if given.is_dir() else [given]:
            try:
                required = requirements(open_model(path))
            except InspectorError as error:
                sys.stderr.write(f"{path}: {error}\n")
                continue
            if required.libraries:
                continue  # releases alone cannot say anything about custom operators
            needs[path.absolute()] = required.runtime, required.reason
    with tempfile.TemporaryDirectory() as name:
        folder = options.folder or Path(name)
        folder.mkdir(parents=True, exist_ok=True)
        python = runtime_releases.environment(options.python, folder)
        listed = folder / "models.json"
        listed.write_text(json.dumps([str(path) for path in needs]), "utf-8")
        answers: dict[str, dict[str, Answer]] = {}
        for release in options.releases.split(","):
            home = runtime_releases.unpacked(python, release, folder)
            if home is not None:
                answers[release] = runtime_releases.answer(python, RUN, home, listed)
    too_low = 0
    for path, (minimum, reason) in needs.items():
        of_model = {release: found[str(path)] for release, found in answers.items()}
        result = verdict(minimum, reason, of_model)
        too_low += bool(result.problem)
        columns = f"{minimum or 'none':6} {result.first or 'none':6} {path.name}"
        sys.stdout.write(f"{columns}  {reason}  {result.problem}".rstrip() + "\n")
    sys.stdout.write(
        f"{len(needs)} models, {len(answers)} releases: {too_low} requirements are too low\n"
    )
    return 1 if too_low else 0


if __name__ == "__main__":
    raise SystemExit(main())
