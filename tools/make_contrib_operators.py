"""Write down in which releases of ONNX Runtime each operator of its own exists.

Neither the operator sets of `com.microsoft` nor the documentation tell the release that an
operator came with, so the releases themselves are asked: each is downloaded from PyPI and opens
one model for each name, with that operator alone. A release
that does not have it refuses it with the words that it has for an invented name.

Run it again with a new release: `python -m tools.make_contrib_operators`. It needs a Python
3.7 and a Python 3.11 (`--old`, `--new`), the network, and some minutes.
"""

import argparse
import json
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from itertools import count
from pathlib import Path

from tools.runtime_releases import environment, unpacked

TABLE = (
    Path(__file__).parent.parent / "inspector" / "analysis" / "facts" / "contrib_operators.json"
)
LAST_OLD_MINOR = 14  # 1.15 is the first release without a wheel for 3.7
DOMAINS = ("com.microsoft", "com.microsoft.nchwc", "com.microsoft.experimental")

# Runs in Python 3.7, too, beside a release alone: no onnx, no Inspector. argv: the folder of
# the release, the domains, and a file of names, if any. Prints {"version": ..., "names": []}.
PROBE = r'''
import json, os, re, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as state

CONTROL = "NoSuchOperator"

def field(number, body):
    size, out = len(body), b""
    while size > 127:
        out += bytes([size & 127 | 128])
        size >>= 7
    return bytes([number << 3 | 2]) + out + bytes([size]) + body

def model(domain, name):
    node = field(2, b"y") + field(3, b"n") + field(4, name.encode()) + field(7, domain.encode())
    value = field(1, b"y") + field(2, field(1, b"\x08\x01"))
    graph = field(1, node) + field(2, b"g") + field(12, value)
    standard = field(8, field(1, b"") + b"\x10\x0b")
    own = field(8, field(1, domain.encode()) + b"\x10\x01")
    return b"\x08\x03" + field(7, graph) + standard + own

def session(body):
    try:
        return onnxruntime.InferenceSession(body, providers=["CPUExecutionProvider"])
    except TypeError:  # older releases take no providers here
        return onnxruntime.InferenceSession(body)

def said(domain, name):
    try:
        session(model(domain, name))
    except Exception as error:
        return str(error)
    return "taken"

def candidates():
    names = set()
    if hasattr(state, "get_all_operator_schema"):
        names |= {schema.name for schema in state.get_all_operator_schema() if schema.domain}
    library = Path(state.__file__).read_bytes()
    names |= {t.decode() for t in re.findall(rb"[A-Z][A-Za-z0-9_]{2,47}(?=\0)", library)}
    return sorted(names - {"Constant"})  # the runtime takes it in any domain

def known(domain, names):
    """Names that are operators. One that ends the process is: others are refused at once."""
    refusal, found, start = said(domain, CONTROL), [], 0
    while start < len(names):
        reading, writing = os.pipe()
        if not os.fork():
            for name in names[start:]:
                unknown = refusal.replace(CONTROL, name)
                os.write(writing, b"n" if said(domain, name) == unknown else b"y")
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading, "rb") as answers:
            told = answers.read()
        os.wait()
        found += [name for name, answer in zip(names[start:], told) if answer == ord("y")]
        start += len(told)
        if start < len(names):
            found.append(names[start])
            start += 1
    return found

if hasattr(onnxruntime, "set_default_logger_severity"):
    onnxruntime.set_default_logger_severity(4)
names = json.loads(Path(sys.argv[3]).read_text()) if len(sys.argv) > 3 else candidates()
found = [d + "." + name for d in sys.argv[2].split(",") for name in known(d, names)]
print(json.dumps({"version": onnxruntime.__version__, "names": found}))
'''


def table(old: str, new: str, folder: Path) -> dict[str, object]:
    """Return the table. old, new: interpreters; folder: for what is downloaded."""
    pythons = {name: environment(name, folder) for name in (old, new)}
    releases: dict[str, tuple[Path, Path]] = {}
    for minor in count():
        python = pythons[old if minor <= LAST_OLD_MINOR else new]
        home = unpacked(python, f"1.{minor}", folder)
        if home is not None:
            releases[f"1.{minor}"] = python, home
        elif minor > LAST_OLD_MINOR:
            break
    probe, listed = folder / "probe.py", folder / "names.json"
    probe.write_text(PROBE, "utf-8")
    versions: dict[str, str] = {}
    everywhere: set[str] = set()
    for release, (python, home) in releases.items():
        versions[release], names = query(python, probe, home)
        everywhere |= {name.rpartition(".")[2] for name in names}
    # A name may be no text of its own in one library and still be an operator there.
    listed.write_text(json.dumps(sorted(everywhere)), "utf-8")
    operators = {
        release: query(python, probe, home, listed)[1]
        for release, (python, home) in releases.items()
    }
    return {"releases": versions, "operators": spans(operators)}


def spans(operators_of: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Return operator -> [first release], or [first, last] where later ones lack it.

    operators_of: the operators of each release, the releases in their order.
    """
    releases = list(operators_of)
    operators: dict[str, list[str]] = {}
    for release, names in operators_of.items():
        for name in names:
            operators.setdefault(name, [release, release])[1] = release
    return {
        name: [first] if last == releases[-1] else [first, last]
        for name, (first, last) in sorted(operators.items())
    }


def query(
    python: Path, probe: Path, home: Path, names: Path | None = None
) -> tuple[str, list[str]]:
    """Return the version of a release and its operators, of the names in a file or all."""
    command = [str(python), str(probe), str(home), ",".join(DOMAINS)]
    command += [] if names is None else [str(names)]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        raise SystemExit(f"{home} failed:\n{run.stderr[-2000:]}")
    answer = json.loads(run.stdout.splitlines()[-1])
    return answer["version"], answer["names"]


def written(content: Mapping[str, object]) -> str:
    """Lay the table out with one operator a line, so that changes read well."""
    releases, operators = content["releases"], content["operators"]
    assert isinstance(releases, dict)
    assert isinstance(operators, dict)
    lines = ",\n".join(
        f"    {json.dumps(name)}: {json.dumps(s)}" for name, s in operators.items()
    )
    return f'{{\n  "releases": {json.dumps(releases)},\n  "operators": {{\n{lines}\n  }}\n}}\n'


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--old", default="python3.7", help="a Python 3.7")
    parser.add_argument("--new", default="python3.11", help="a Python 3.11")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        found = table(options.old, options.new, Path(name))
    TABLE.write_text(written(found), "utf-8")
