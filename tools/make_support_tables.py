"""Write down the kernels of execution providers, for devices that this machine does not have.

Two sources, one command each; run them again with a new release of ONNX Runtime:

    python tools/make_support_tables.py runtime webgpu --date 2026-10-23
        asks the runtime of this Python for the kernels that a provider registered. A plugin
        shows them only where it finds a device (or believes to, with a software one).
    python tools/make_support_tables.py kernels directml docs/OperatorKernels.md --source ...
        reads the lists that ONNX Runtime publishes of its kernels.

Only facts are taken: operators, versions and types. Everything else in the files of
resources/support is written by hand from a provider's source: the conditions that a node must
meet, each with the file of the source that states it. This tool keeps that as it is.
"""

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import onnx
import onnxruntime
from onnxruntime.capi import _pybind_state as runtime

FOLDER = Path(__file__).parent.parent / "resources" / "support"
PROVIDERS = {
    "cuda": "CUDAExecutionProvider",
    "directml": "DmlExecutionProvider",
    "webgpu": "WebGpuExecutionProvider",
}
OPEN = 2147483647
INTERNAL = ("com.ms.internal.nhwc", "com.microsoft.dml", "com.microsoft.nchwc")


@dataclass(frozen=True)
class Kernel:
    """types: names of parameters -> types they take. until: OPEN when the end is open."""

    name: str
    since: int
    until: int
    types: tuple[tuple[str, frozenset[str]], ...]


def of_runtime(provider: str) -> list[Kernel]:
    """Ask the runtime of this Python."""
    try:
        kernels = list(runtime.get_registered_ep_kernel_defs(provider))
    except RuntimeError:
        kernels = [k for k in runtime.get_all_opkernel_def() if k.provider == provider]
    return [
        Kernel(
            _qualified(kernel.domain, kernel.op_name),
            kernel.version_range[0],
            kernel.version_range[1],
            tuple((key, frozenset(kinds)) for key, kinds in kernel.type_constraints.items()),
        )
        for kernel in kernels
        if kernel.domain not in INTERNAL
    ]


def of_document(text: str, provider: str) -> Iterator[Kernel]:
    """Read one provider's table of OperatorKernels.md."""
    part = text.split(f'<a name="{provider.lower()}"/>', 1)[1].split("<a name=", 1)[0]
    domain = name = ""
    for line in part.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if heading := re.search(r"Operator Domain:\*\* \*(.+?)\*", line):
            domain = heading[1]
        elif len(cells) == 6 and re.match(r"\[?\d", cells[3]) and domain not in INTERNAL:
            name = cells[1] or name
            since, until = _versions(cells[3])
            types = re.findall(r"\*\*(\w+)\*\* = ([^<]+)", cells[4])
            limits = ((key, frozenset(kinds.strip().split(", "))) for key, kinds in types)
            yield Kernel(_qualified(domain, name), since, until, tuple(limits))


def rows(kernels: Iterable[Kernel], types: list[str]) -> dict[str, list[Any]]:
    """Operator -> [since, until, inputs, outputs]; until 0: to the operator's next change.

    inputs, outputs: for each place its set of types by place in `types`, -1 for any.
    """
    by_operator: dict[str, list[Any]] = defaultdict(list)
    for kernel in _merged(kernels):
        schema = _schemas().get(kernel.name, {}).get(kernel.since)
        limits = dict(kernel.types)
        parameters = [[], []] if schema is None else [schema.inputs, schema.outputs]
        places = [
            [_place(limits, formal, types) for formal in formals] for formals in parameters
        ]
        row = [kernel.since, 0 if kernel.until == OPEN else kernel.until, *map(_known, places)]
        if row not in by_operator[kernel.name]:
            by_operator[kernel.name].append(row)
    return {name: sorted(by_operator[name]) for name in sorted(by_operator)}


def functions(operators: Iterable[str]) -> dict[str, list[str]]:
    """Standard operators without a kernel whose definition is made of those that have one."""
    have = set(operators)
    bodies = {}
    for schema in onnx.defs.get_all_schemas():
        if schema.domain == "" and schema.has_function and schema.name not in have:
            inner = sorted({node.op_type for node in schema.function_body.node} - {"Constant"})
            if inner and have.issuperset(inner):
                bodies[schema.name] = inner
    return dict(sorted(bodies.items()))


def written(table: dict[str, Any]) -> str:
    """Return a table as text with one kernel, condition or type a line."""
    return "{\n" + ",\n".join(f"  {_entry(*pair)}" for pair in table.items()) + "\n}\n"


def _entry(key: str, value: Any) -> str:
    lines: list[str] = []
    if key in ("rules", "every"):
        lines = [_rule(rule) for rule in value]
    elif key in ("kernels", "functions"):
        lines = [f"{json.dumps(name)}: {_plain(row)}" for name, row in value.items()]
    elif key == "types":
        lines = [_plain(text) for text in value]
    else:
        return f"{json.dumps(key)}: {_plain(value)}"
    opened, closed = "{}" if isinstance(value, dict) else "[]"
    inner = ",\n".join(f"    {line}" for line in lines)
    return f"{json.dumps(key)}: {opened}" + (f"\n{inner}\n  {closed}" if lines else closed)


def _rule(rule: dict[str, Any]) -> str:
    head = ", ".join(f"{json.dumps(k)}: {_plain(v)}" for k, v in rule.items() if k != "checks")
    checks = ",\n".join(f"      {_plain(check)}" for check in rule["checks"])
    return f'{{{head}, "checks": [' + (f"\n{checks}\n    ]}}" if checks else "]}")


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _merged(kernels: Iterable[Kernel]) -> list[Kernel]:
    """Bring together kernels that differ in the type of one parameter only."""
    groups: dict[Any, set[str]] = defaultdict(set)
    alone = []
    for kernel in kernels:
        if len(kernel.types) == 1:
            ((key, kinds),) = kernel.types
            groups[kernel.name, kernel.since, kernel.until, key] |= kinds
        else:
            alone.append(kernel)
    merged = [
        Kernel(name, since, until, ((key, frozenset(kinds)),))
        for (name, since, until, key), kinds in groups.items()
    ]
    return merged + alone


def _place(limits: dict[str, frozenset[str]], formal: Any, types: list[str]) -> int:
    for key in (formal.typeStr, formal.name):
        if key in limits:
            plain = [_word(kind) for kind in limits[key] if kind.startswith("tensor(")]
            text = " ".join(sorted(plain))
            if not plain:  # only sequences, which nothing here looks into
                return -1
            if text not in types:
                types.append(text)
            return types.index(text)
    return -1


def _word(kind: str) -> str:
    name = kind.removeprefix("tensor(").removesuffix(")")
    return {"float": "float32", "double": "float64"}.get(name, name)


def _known(places: list[int]) -> list[int]:
    """Nothing where any type will do; else every place, since the last may be repeated."""
    return places if any(place >= 0 for place in places) else []


@cache
def _schemas() -> dict[str, dict[int, Any]]:
    by_name: dict[str, dict[int, Any]] = defaultdict(dict)
    for schema in runtime.get_all_operator_schema():
        by_name[_qualified(schema.domain, schema.name)][schema.since_version] = schema
    return by_name


def _versions(text: str) -> tuple[int, int]:
    """Read "13+", "[6, 12]" or "10"."""
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    return numbers[0], OPEN if text.endswith("+") else numbers[-1]


def _qualified(domain: str, name: str) -> str:
    return name if domain in ("", "ai.onnx") else f"{domain}.{name}"


def _table(options: argparse.Namespace, present: dict[str, Any]) -> dict[str, Any]:
    """Return the present table with the kernels of another source."""
    provider = PROVIDERS[options.device]
    types: list[str] = []
    if options.command == "kernels":
        kernels = rows(of_document(options.document.read_text("utf-8"), provider), types)
    else:
        kernels = rows(of_runtime(provider), types)
    return present | {
        "provider": provider,
        "source": options.source or f"ONNX Runtime {onnxruntime.__version__}",
        "date": options.date,
        "origin": options.origin or present["origin"],
        "commit": options.commit,
        "types": types,
        "kernels": kernels,
        "functions": functions(kernels),
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("runtime", "kernels"):
        command = commands.add_parser(name)
        command.add_argument("device", choices=PROVIDERS)
        if name != "runtime":
            command.add_argument("document", type=Path)
        command.add_argument("--source", default="", help="program and version")
        command.add_argument("--origin", default="", help="what list it is")
        command.add_argument("--commit", default="", help="of the document")
        command.add_argument("--date", default="", help="of that version, YYYY-MM-DD")
    return parser.parse_args()


if __name__ == "__main__":
    chosen = _options()
    path = FOLDER / f"{chosen.device}.json"
    table = _table(chosen, json.loads(path.read_text("utf-8")))
    path.write_text(written(table), "utf-8")
