"""Write down what execution providers can run, for devices that this machine does not have.

Three sources, one command each; run them again with a new release of ONNX Runtime:

    python tools/make_support_tables.py runtime webgpu --date 2026-10-23
        asks the runtime of this Python for the kernels that a provider registered. A plugin
        shows them only where it finds a device (or believes to, with a software one).
    python tools/make_support_tables.py kernels directml docs/OperatorKernels.md --source ...
        reads the lists that ONNX Runtime publishes of its kernels.
    python tools/make_support_tables.py operators coreml coreml_supported_mlprogram_ops.md ...
        reads the list of operators of a provider's documentation. What the list says in
        words stands in CONDITIONS as rules that can be checked.

Only facts are taken: operators, versions and types.
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
    "coreml": "CoreMLExecutionProvider",
    "nnapi": "NnapiExecutionProvider",
    "xnnpack": "XnnpackExecutionProvider",
    "qnn": "QNNExecutionProvider",
}
OPEN = 2147483647
INTERNAL = ("com.ms.internal.nhwc", "com.microsoft.dml", "com.microsoft.nchwc")

# Rules: "axes SLOT = N ...", "constant SLOT ...", "attribute NAME = VALUE ..." (one that is
# absent has its default, and that is good), "given NAME = VALUE ..." (absent is bad),
# "type SLOT = TYPE ...", "last NAME" (the axis of that attribute must be the last),
# "note WORDS" (nobody can check it here).
_POOL = ["axes 0 = 4"]
CONDITIONS: dict[str, dict[str, list[str]]] = {
    "coreml": {
        "And": ["type 0 = bool"],
        "AveragePool": _POOL,
        "Conv": ["axes 0 = 3 4", "constant 2"],
        "ConvTranspose": ["constant 1 2", "attribute auto_pad = NOTSET VALID"],
        "GatherND": ["attribute batch_dims = 0"],
        "Gemm": ["constant 1", "attribute transA = 0", "attribute alpha = 1 1.0"],
        "GlobalAveragePool": _POOL,
        "GlobalMaxPool": _POOL,
        "GridSample": ["axes 0 = 4"],
        "MaxPool": _POOL,
        "Pow": ["type 0 = float32", "type 1 = float32"],
        "Resize": ["note not every mode of it is taken"],
        "Slice": ["constant 1 2 3 4"],
        "Split": ["constant 1"],
        "Where": ["type 1 = float32 float16"],
    },
    "nnapi": {
        "AveragePool": _POOL,
        "Conv": ["axes 0 = 4", "constant 1 2"],
        "DepthToSpace": ["attribute mode = DCR"],
        "DequantizeLinear": ["constant 1 2"],
        "Gather": ["note its indices are int32 or constant"],
        "Gemm": ["note its second input is constant or transposed"],
        "GlobalAveragePool": _POOL,
        "GlobalMaxPool": _POOL,
        "MaxPool": _POOL,
        "Pad": ["attribute mode = constant", "constant 1 2"],
        "QLinearConv": ["axes 0 = 4", "constant 1 2 3 4 5 6 7 8"],
        "QLinearMatMul": ["constant 1 2 4 5 6 7"],
        "QuantizeLinear": ["constant 1 2"],
        "Resize": ["axes 0 = 4"],
        "Split": ["constant 1", "note the parts are equal"],
        "Squeeze": ["constant 1"],
        "Unsqueeze": ["constant 1"],
        "com.microsoft.QLinearAdd": ["constant 1 2 4 5 6 7"],
        "com.microsoft.QLinearAveragePool": ["axes 0 = 4", "constant 1 2 3 4"],
        "com.microsoft.QLinearSigmoid": ["constant 1 2 3 4"],
    },
    "xnnpack": {
        "AveragePool": _POOL,
        "Conv": ["axes 0 = 4", "constant 1 2"],
        "ConvTranspose": ["axes 0 = 4", "constant 1 2"],
        "Gemm": ["axes 0 = 2"],
        "MatMul": ["axes 0 = 2", "axes 1 = 2"],
        "MaxPool": _POOL,
        "QLinearConv": ["axes 0 = 4", "constant 1 2 3 4 5 6 7 8"],
        "Resize": ["axes 0 = 2 4", "given mode = linear"],
        "Softmax": ["last axis"],
        "com.microsoft.QLinearAveragePool": ["axes 0 = 4", "constant 1 2 3 4"],
        "com.microsoft.QLinearConvTranspose": ["constant 1 2 3 4 5 6 7"],
        "com.microsoft.QLinearSoftmax": ["constant 1 2 3 4"],
    },
    "qnn": {
        "Attention": ["note opsets 23 and 24"],
        "Bernoulli": ["note it runs on the CPU and HTP backends"],
        "ConvInteger": ["note it follows DynamicQuantizeLinear"],
        "DynamicQuantizeLinear": ["note ConvInteger or MatMulInteger follows"],
        "GRU": [
            "attribute layout = 0",
            "note sequences have one length, and it starts at zero",
        ],
        "Gather": ["note no index is negative"],
        "If": ["note both branches give one value of the same shape"],
        "IsInf": ["type 0 = float32 float16", "note it runs on the CPU backend"],
        "LpNormalization": ["attribute p = 2"],
        "LpPool": ["attribute p = 1 2"],
        "MatMul": ["note on the HTP backend it is quantised or in half precision"],
        "MaxRoiPool": ["constant 1"],
        "MatMulInteger": ["note it follows DynamicQuantizeLinear"],
        "NonMaxSuppression": ["constant 2 3 4", "attribute center_point_box = 0"],
        "OneHot": ["constant 1 2", "type 0 = int32 int64 uint32"],
        "QLinearConv": ["constant 1 2 4 5 6 7", "type 0 = int8 uint8"],
        "Range": ["constant 0 1 2"],
        "RotaryEmbedding": ["note it runs on the HTP backend"],
        "com.microsoft.GatherBlockQuantized": ["note it runs on the GPU backend"],
        "com.microsoft.GroupQueryAttention": ["note it runs on the GPU and HTP backends"],
        "ai.onnx.ml.ArrayFeatureExtractor": ["type 0 = float32 int32 int64"],
    },
}
FIXED_SHAPES = ("nnapi", "coreml", "qnn")  # the runtime's own checker, QNN's document
MOST_AXES = {"coreml": 5}  # the runtime's own checker
_MISSPELT = {"Argmax": "ArgMax", "Prelu": "PRelu", "Matmul": "MatMul"}


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
        found = list(runtime.get_registered_ep_kernel_defs(provider))
    except RuntimeError:
        found = [k for k in runtime.get_all_opkernel_def() if k.provider == provider]
    return [
        Kernel(
            _qualified(kernel.domain, kernel.op_name),
            kernel.version_range[0],
            kernel.version_range[1],
            tuple((key, frozenset(kinds)) for key, kinds in kernel.type_constraints.items()),
        )
        for kernel in found
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


def of_list(text: str) -> list[str]:
    """Read the operators of a list "|domain:Operator|note|"."""
    found = re.findall(r"^\|(ai\.onnx(?:\.ml)?|com\.microsoft)[:.](\w+)\|", text, re.MULTILINE)
    return sorted({_qualified(domain, _MISSPELT.get(name, name)) for domain, name in found})


def rows(kernels: Iterable[Kernel], types: list[str]) -> dict[str, list[Any]]:
    """Operator -> [since, until, inputs, outputs]; until 0: to the operator's next change.

    inputs, outputs: for each place its set of types by place in `types`, -1 for any.
    """
    found: dict[str, list[Any]] = defaultdict(list)
    for kernel in _merged(kernels):
        schema = _schemas().get(kernel.name, {}).get(kernel.since)
        limits = dict(kernel.types)
        sides = [[], []] if schema is None else [schema.inputs, schema.outputs]
        places = [[_place(limits, formal, types) for formal in side] for side in sides]
        row = [kernel.since, 0 if kernel.until == OPEN else kernel.until, *map(_known, places)]
        if row not in found[kernel.name]:
            found[kernel.name].append(row)
    return {name: sorted(found[name]) for name in sorted(found)}


def functions(operators: Iterable[str]) -> dict[str, list[str]]:
    """Standard operators without a kernel whose definition is made of those that have one."""
    have = set(operators)
    found = {}
    for schema in onnx.defs.get_all_schemas():
        if schema.domain == "" and schema.has_function and schema.name not in have:
            inner = sorted({node.op_type for node in schema.function_body.node} - {"Constant"})
            if inner and have.issuperset(inner):
                found[schema.name] = inner
    return dict(sorted(found.items()))


def written(table: dict[str, Any]) -> str:
    """Lay a table out with one operator a line, so that changes read well."""
    lines = []
    for key, value in table.items():
        if isinstance(value, dict | list) and value:
            pairs = (
                [f"    {json.dumps(k)}: {json.dumps(v)}" for k, v in value.items()]
                if isinstance(value, dict)
                else [f"    {json.dumps(v)}" for v in value]
            )
            opened, closed = "{}" if isinstance(value, dict) else "[]"
            inner = ",\n".join(pairs)
            lines.append(f"  {json.dumps(key)}: {opened}\n{inner}\n  {closed}")
        else:
            lines.append(f"  {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


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
            words = " ".join(sorted(plain))
            if not plain:  # only sequences, which nothing here looks into
                return -1
            if words not in types:
                types.append(words)
            return types.index(words)
    return -1


def _word(kind: str) -> str:
    name = kind.removeprefix("tensor(").removesuffix(")")
    return {"float": "float32", "double": "float64"}.get(name, name)


def _known(places: list[int]) -> list[int]:
    """Nothing where any type will do; else every place, since the last may be repeated."""
    return places if any(place >= 0 for place in places) else []


@cache
def _schemas() -> dict[str, dict[int, Any]]:
    found: dict[str, dict[int, Any]] = defaultdict(dict)
    for schema in runtime.get_all_operator_schema():
        found[_qualified(schema.domain, schema.name)][schema.since_version] = schema
    return found


def _versions(text: str) -> tuple[int, int]:
    """Read "13+", "[6, 12]" or "10"."""
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    return numbers[0], OPEN if text.endswith("+") else numbers[-1]


def _qualified(domain: str, name: str) -> str:
    return name if domain in ("", "ai.onnx") else f"{domain}.{name}"


def _table(options: argparse.Namespace) -> dict[str, Any]:
    device, provider = options.device, PROVIDERS[options.device]
    types: list[str] = []
    if options.command == "operators":
        operators: dict[str, Any] = {
            name: [] for name in of_list(options.document.read_text("utf-8"))
        }
    elif options.command == "kernels":
        operators = rows(of_document(options.document.read_text("utf-8"), provider), types)
    else:
        operators = rows(of_runtime(provider), types)
    rules = CONDITIONS.get(device, {})
    unknown = set(rules) - set(operators)
    assert not unknown, f"conditions of operators that are not listed: {unknown}"
    return {
        "schema": "support-table/1",
        "device": device,
        "provider": provider,
        "source": options.source or f"ONNX Runtime {onnxruntime.__version__}",
        "date": options.date,
        "origin": options.origin,
        "commit": options.commit,
        "fixed_shapes": device in FIXED_SHAPES,
        "most_axes": MOST_AXES.get(device, 0),
        "types": types,
        "operators": operators,
        "rules": rules,
        "functions": functions(operators) if options.command != "operators" else {},
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("runtime", "kernels", "operators"):
        command = commands.add_parser(name)
        command.add_argument("device", choices=PROVIDERS)
        if name != "runtime":
            command.add_argument("document", type=Path)
        command.add_argument("--source", default="", help="program and version")
        command.add_argument("--origin", default="", help="what list it is")
        command.add_argument("--commit", default="", help="of the document")
        command.add_argument("--date", default="", help="of that version, YYYY-MM-DD")
        command.add_argument("--output", type=Path, default=FOLDER)
    return parser.parse_args()


if __name__ == "__main__":
    chosen = _options()
    chosen.output.mkdir(parents=True, exist_ok=True)
    path = chosen.output / f"{chosen.device}.json"
    path.write_text(written(_table(chosen)), "utf-8")
