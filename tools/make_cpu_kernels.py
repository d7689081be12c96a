"""Write down what each release of ONNX Runtime can compute on a CPU, beyond its opsets.

A release that knows an opset may lack the kernel of an operator in it, or of one element type;
and a release that knows an operator may lack an attribute or input that came later. The
releases are downloaded from PyPI and say what they have. Operators that are functions of others
need no kernel: their test cases in `onnx` are opened. For functions without one, and releases
before 1.16, which do not list their kernels, `kernel_probes` makes models to open.

Run it again with a new release: `python -m tools.make_cpu_kernels`. It needs Python 3.11, 3.8
and 3.7 (`--python`, `--older`), the network, and some minutes; `--folder` keeps what was
downloaded.
"""

import argparse
import json
import tempfile
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

from onnx import TensorProto, defs

from inspector.analysis.facts.requirements import first_with_ml_opset, first_with_opset, order
from tools import runtime_releases
from tools.kernel_probes import Kinds, Probes

TABLE = Path(__file__).parent.parent / "inspector" / "analysis" / "facts" / "cpu_kernels.json"
FIRST_MINOR = 16  # the first release that lists its kernels
_OPEN_END = 2**31 - 1  # of a kernel that serves exactly the version it begins with
_OWN = "com.microsoft"  # domain of the runtime's own operators that the table has
# Functions of one other operator with the same kinds of types.
_SAME_AS = {"CastLike": "Cast"}
_MOST_COMBINED = 100_000  # combinations of types of one operator that are looked at
_NO_KERNEL = {"Constant", "If", "Loop", "Scan"}  # computed at loading, or for any types
_DOMAINS = {"": first_with_opset, "ai.onnx.ml": first_with_ml_opset}
_TYPES = {"float": "float32", "double": "float64"}

# argv: the folder of the release. Prints its CPU kernels and operator schemas.
PROBE = r"""
import json, sys
sys.path.insert(0, sys.argv[1])
import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as state
kernels = [
    [k.domain, k.op_name, *k.version_range, {n: list(t) for n, t in k.type_constraints.items()}]
    for k in state.get_all_opkernel_def() if k.provider == "CPUExecutionProvider"
]
schemas = [
    [s.domain, s.name, s.since_version, sorted(s.attributes), s.max_input,
     [[each.typeStr, list(each.types)] for each in s.inputs],
     [[each.typeStr, list(each.types)] for each in s.outputs]]
    for s in state.get_all_operator_schema()
]
print(json.dumps({"version": onnxruntime.__version__, "kernels": kernels, "schemas": schemas}))
"""

# argv: the folder of the release. Prints its version.
VERSION = r"""
import json, sys
sys.path.insert(0, sys.argv[1])
import onnxruntime
print(json.dumps(onnxruntime.__version__))
"""


class Kernel(NamedTuple):
    """A kernel: first and last version, types of each kind (any where there are none), and
    combinations of them that it lacks."""

    first: int
    last: int
    types: Mapping[str, list[str]]
    lacks: frozenset[frozenset[tuple[str, str]]] = frozenset()


Kernels = dict[str, dict[tuple[str, str], list[Kernel]]]  # release -> domain and operator


def table(python: Path, older: Sequence[Path], folder: Path) -> dict[str, Any]:
    """Return the table. older: Pythons of the releases that do not list their kernels. folder:
    for what is downloaded."""
    homes = dict(runtime_releases.from_release(python, FIRST_MINOR, _releases(python)))
    answers = {
        release: runtime_releases.answer(python, PROBE, home) for release, home in homes.items()
    }
    opened = functions(python, homes, folder)
    listed: Kernels = {}
    for release, answer in answers.items():
        of_release = listed[release] = {}
        for domain, name, first, last, types in answer["kernels"]:
            of_release.setdefault((domain, name), []).append(Kernel(first, last, types))
    versions, kernels = dict[str, str](), Kernels()
    for release, version, found in _probed((python, *older), folder, listed, opened):
        versions[release], kernels[release] = version, found
        for key, each in listed.get(release, {}).items():
            found.setdefault(key, []).extend(each)
    operators: dict[str, dict[str, Any]] = {}
    for operator in (*standard(), *own(answers)):
        entry = exceptions(operator, kernels, opened)
        if entry:
            operators.setdefault(operator.qualified, {})[str(operator.version)] = entry
    return {
        "releases": versions,
        "operators": {name: operators[name] for name in sorted(operators)},
        "attributes": later_parts({r: found["schemas"] for r, found in answers.items()}),
        "outputs": output_types(),
    }


class Case(NamedTuple):
    """A test case of an operator: types by place, and the releases that open it."""

    types: Mapping[str, str]
    releases: set[str]


class Operator(NamedTuple):
    """One version of an operator.

    base: the first release that knows it. function: whether it needs no kernel of its own.
    kinds: place, name and element types of each kind of inputs and outputs.
    """

    domain: str
    name: str
    version: int
    base: str
    function: bool
    kinds: tuple[tuple[str, str, list[str]], ...]

    @property
    def qualified(self) -> str:
        """The name with the domain where that is not ai.onnx."""
        return f"{self.domain}.{self.name}" if self.domain else self.name


def _probed(
    pythons: Sequence[Path],
    folder: Path,
    listed: Kernels,
    opened: Mapping[tuple[str, int], list[Case]],
) -> Iterator[tuple[str, str, dict[tuple[str, str], list[Kernel]]]]:
    """Yield release, full version and kernels: all that opens in the releases that do not list
    their kernels, and beside the `listed` ones functions that no test case has `opened`.

    pythons: of the releases that list their kernels, then of older ones.
    """
    keys = {(each.domain, each.name, each.version): each for each in standard() if each.base}
    probes = Probes(keys, folder / "probes")
    first = listed[next(iter(listed))]
    for release in (*(f"1.{minor}" for minor in range(FIRST_MINOR)), *listed):
        place = _home(pythons[:1] if release in listed else pythons[1:], release)
        if place is None:
            continue
        python, home = place
        known = [key for key, each in keys.items() if order(each.base) <= order(release)]
        if release in listed:
            known = [key for key in known if keys[key].function and key[1:] not in opened]
        kernels: dict[tuple[str, str], list[Kernel]] = {}
        for key, kinds in probes.kinds(python, home, known).items():
            kernel = _kernel(keys[key], kinds, _serving(_of(first, keys[key]), key[2]))
            if kernel is not None:
                kernels.setdefault(key[:2], []).append(kernel)
        yield release, runtime_releases.answer(python, VERSION, home), kernels


def _home(pythons: Sequence[Path], release: str) -> tuple[Path, Path] | None:
    """Return the first Python that has a wheel of a release, and where that is unpacked."""
    for python in pythons:
        home = runtime_releases.unpacked(python, release, _releases(python))
        if home is not None:
            return python, home
    return None


def _releases(python: Path) -> Path:
    """Return the folder of the releases for a Python: a wheel is of one."""
    folder = python.parents[1] / "releases"
    folder.mkdir(exist_ok=True)
    return folder


def _kernel(operator: Operator, kinds: Kinds, later: list[Kernel]) -> Kernel | None:
    """Return the kernel of an operator, None where there is none. later: those of the first
    release that lists them."""
    if not kinds.opens and (kinds.lacks or not (later or operator.function)):
        return None
    types: dict[str, list[str]] = {}
    for _, name, every in operator.kinds:
        answered = {kind for each, kind in kinds.opens | kinds.lacks if each == name}
        open_question = {*every} - answered
        if later:
            taken = (t for t in open_question if any(_takes(k, name, t) for k in later))
            open_question = {*taken}
        opened = {kind for each, kind in kinds.opens if each == name}
        types[name] = sorted(opened | open_question)
    lacks = {*kinds.lacks_combined, *(frozenset((each,)) for each in kinds.lacks)}
    return Kernel(operator.version, operator.version, types, frozenset(lacks))


def standard() -> Iterator[Operator]:
    """Yield each version of the operators of the standard."""
    for schema in defs.get_all_schemas_with_history():
        if schema.domain in _DOMAINS and schema.name not in _NO_KERNEL:
            function = schema.has_function or schema.has_context_dependent_function
            inputs = [(each.type_str, sorted(each.types)) for each in schema.inputs]
            outputs = [(each.type_str, sorted(each.types)) for each in schema.outputs]
            yield Operator(
                schema.domain,
                schema.name,
                schema.since_version,
                _DOMAINS[schema.domain](schema.since_version),
                function and schema.name not in _SAME_AS,
                tuple(_kinds(inputs, outputs)),
            )


def own(answers: Mapping[str, Any]) -> Iterator[Operator]:
    """Yield the runtime's own operators, as the newest release that has each describes it."""
    first: dict[str, str] = {}
    newest: dict[str, Any] = {}
    for release, found in answers.items():
        for domain, name, version, _, _, inputs, outputs in found["schemas"]:
            if domain == _OWN and version == 1:
                first.setdefault(name, release)
                newest[name] = inputs, outputs
    for name, (inputs, outputs) in newest.items():
        yield Operator(_OWN, name, 1, first[name], False, tuple(_kinds(inputs, outputs)))


def _kinds(
    inputs: Iterable[tuple[str, list[str]]], outputs: Iterable[tuple[str, list[str]]]
) -> Iterator[tuple[str, str, list[str]]]:
    """Yield place, name and tensor types of each kind of inputs and outputs."""
    known: set[str] = set()
    places = [(str(place), *each) for place, each in enumerate(inputs)]
    places += [(str(-1 - place), *each) for place, each in enumerate(outputs)]
    for place, name, types in places:
        if name not in known:
            known.add(name)
            yield place, name, sorted(t for t in types if t.startswith("tensor("))


def exceptions(
    operator: Operator, kernels: Kernels, opened: Mapping[tuple[str, int], list[Case]]
) -> dict[str, Any]:
    """Return what a version of an operator needs beyond its opset.

    "all": the first release that computes it at all; "" for none. "0", "-1": by element type of
    the first input or output of a kind (inputs from 0 on, outputs from -1 on down). "0 -1": by
    the types of several.
    """
    releases = [r for r in kernels if operator.base and order(r) >= order(operator.base)]
    serving = {r: _serving(_of(kernels[r], operator), operator.version) for r in releases}
    cases = opened.get((operator.name, operator.version), []) if operator.function else []
    by_cases = {release for case in cases for release in case.releases}
    told = [r for r in releases if cases and order(r) >= (1, FIRST_MINOR)]  # by the cases
    having = [r for r in releases if (r in by_cases if r in told else serving[r])]
    having = _until_now(having, releases)
    if not having:
        return {"all": ""} if releases else {}
    entry: dict[str, Any] = {} if having[0] == releases[0] else {"all": having[0]}
    for place, name, types in operator.kinds:
        later = {}
        for kind in types:
            alike = [case for case in cases if case.types.get(place) == kind]
            if cases and not alike:
                continue  # nothing says whether the function's operators take it
            able = [
                r for r in having
                if any(_takes(each, name, kind) for each in serving[r])
                or any(r in case.releases for case in alike)
            ]  # fmt: skip
            able = _until_now(able, having)
            if able[:1] != having[:1]:
                later[_short(kind)] = able[0] if able else ""
        if later:
            entry[place] = later
    return entry if operator.function else entry | _combined(operator, entry, having, serving)


def _combined(
    operator: Operator,
    entry: Mapping[str, Any],
    having: Sequence[str],
    serving: Mapping[str, list[Kernel]],
) -> dict[str, dict[str, str]]:
    """Return what combinations of types need beyond the single ones: "0 -1" -> "float32
    bfloat16" -> the first release that computes it, "" for none.

    entry: what the single types need. having: the releases that have the operator.
    """
    names, places, columns = list[str](), list[str](), list[list[tuple[str, str, str]]]()
    for place, name, types in operator.kinds:
        singles = [
            (t, _short(t), entry.get(place, {}).get(_short(t), having[0])) for t in types
        ]
        if len(types) > 1:
            names.append(name)
            places.append(place)
            columns.append([single for single in singles if single[2]])
    if len(names) < 2 or prod(map(len, columns)) > _MOST_COMBINED:
        return {}
    later: dict[str, str] = {}
    for combined in product(*columns):
        wanted = dict(zip(names, (single[0] for single in combined), strict=True))
        able = [r for r in having if any(_takes_all(each, wanted) for each in serving[r])]
        able = _until_now(able, having)
        release = able[0] if able else ""
        if order(release) > max(order(single[2]) for single in combined):
            later[" ".join(single[1] for single in combined)] = release
    return {" ".join(places): later} if later else {}


def _short(kind: str) -> str:
    """Return the name of an element type as models have it: "tensor(float)" is float32."""
    plain = kind.removeprefix("tensor(").removesuffix(")")
    return _TYPES.get(plain, plain)


def _takes_all(kernel: Kernel, types: Mapping[str, str]) -> bool:
    if frozenset(types.items()) in kernel.lacks:
        return False
    return all(_takes(kernel, name, kind) for name, kind in types.items())


def _until_now(able: Sequence[str], releases: Sequence[str]) -> list[str]:
    """Return the able releases after the last gap up to the first one that lists its kernels:
    a requirement says "or later", and a function that once opened may not open any more."""
    gaps = [r for r in releases if r not in able and order(r) <= (1, FIRST_MINOR)]
    return [each for each in able if not gaps or order(each) > order(gaps[-1])]


def _of(
    kernels: Mapping[tuple[str, str], list[Kernel]], operator: Operator
) -> Iterable[Kernel]:
    """Return the kernels of an operator: its own, or those of the one that is the same."""
    other = operator.domain, _SAME_AS.get(operator.name, operator.name)
    return kernels.get((operator.domain, operator.name)) or kernels.get(other) or ()


def _serving(kernels: Iterable[Kernel], version: int) -> list[Kernel]:
    """Return the kernels that the runtime takes for a version of an operator."""
    return [
        k for k in kernels if k.first == version or (k.first <= version <= k.last < _OPEN_END)
    ]


def _takes(kernel: Kernel, name: str, kind: str) -> bool:
    """Return whether a kernel takes a type: the runtime casts float16 where only a kernel of
    float32 is there, which a release that was probed has said itself."""
    if frozenset(((name, kind),)) in kernel.lacks:
        return False
    allowed = kernel.types.get(name)
    usable = {kind, "tensor(float)"} if kind == "tensor(float16)" else {kind}
    return allowed is None or bool(usable & {*allowed})


def functions(
    python: Path, homes: Mapping[str, Path], folder: Path
) -> dict[tuple[str, int], list[Case]]:
    """Return the test cases of operators that are functions, by name and version."""
    from onnx.backend.test.case.node import collect_testcases

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = collect_testcases(None)
    models: dict[Path, Case] = {}
    opened: dict[tuple[str, int], list[Case]] = {}
    (folder / "cases").mkdir(exist_ok=True)
    for case in cases:
        nodes = [] if case.model is None else case.model.graph.node
        if len(nodes) != 1 or nodes[0].domain:
            continue
        opset = next(o.version for o in case.model.opset_import if not o.domain)
        schema = defs.get_schema(nodes[0].op_type, opset, "")
        if not schema.has_function and not schema.has_context_dependent_function:
            continue
        key = schema.name, schema.since_version
        variants = (
            [case.model] if key in opened else [case.model, *_retyped(case.model, schema)]
        )
        for model in variants:
            path = folder / "cases" / f"{len(models)}.onnx"
            path.write_bytes(model.SerializeToString())
            models[path] = Case(_types_of(nodes[0], model.graph), set())
            opened.setdefault(key, []).append(models[path])
    for release, home in homes.items():
        answers = runtime_releases.refusals(python, home, models, folder)
        for opened_path in (Path(p) for p, refusal in answers.items() if not refusal):
            models[opened_path].releases.add(release)
    return opened


def _retyped(model: Any, schema: defs.OpSchema) -> Iterator[Any]:
    """Yield a case of float32 tensors with each other type that the operator allows."""
    first = model.graph.input[0].type.tensor_type.elem_type if model.graph.input else 0
    if first != TensorProto.FLOAT or not schema.inputs:
        return
    for name in sorted(schema.inputs[0].types):
        kind = TensorProto.DataType.keys()
        plain = name.removeprefix("tensor(").removesuffix(")").upper()
        if not name.startswith("tensor(") or plain not in kind or plain == "FLOAT":
            continue
        variant = type(model).FromString(model.SerializeToString())
        for value in (*variant.graph.input, *variant.graph.output):
            if value.type.tensor_type.elem_type == TensorProto.FLOAT:
                value.type.tensor_type.elem_type = TensorProto.DataType.Value(plain)
        yield variant


def _types_of(node: Any, graph: Any) -> dict[str, str]:
    values = {
        value.name: value.type.tensor_type.elem_type for value in (*graph.input, *graph.output)
    }
    names = {str(place): name for place, name in enumerate(node.input)}
    names |= {str(-1 - place): name for place, name in enumerate(node.output)}
    schema_names = {TensorProto.FLOAT: "float", TensorProto.DOUBLE: "double"}
    return {
        place: f"tensor({schema_names.get(kind, TensorProto.DataType.Name(kind).lower())})"
        for place, name in names.items()
        if (kind := values.get(name, 0))
    }


def later_parts(schemas: Mapping[str, list[Any]]) -> dict[str, dict[str, str]]:
    """Return "operator version" -> attribute, or number of inputs -> the release it came with.

    Only what came after the operator itself.
    """
    parts: dict[str, dict[str, str]] = {}
    known: set[str] = set()
    for release, listed in schemas.items():
        now = set()
        for domain, name, version, attributes, inputs, *_ in listed:
            key = f"{domain}.{name} {version}" if domain else f"{name} {version}"
            now.add(key)
            every = [*attributes, *(str(i) for i in range(1, min(inputs, 64) + 1))]
            for part in every:
                parts.setdefault(key, {}).setdefault(part, "" if key not in known else release)
        known |= now
    later = {key: {p: r for p, r in found.items() if r} for key, found in sorted(parts.items())}
    return {key: found for key, found in later.items() if found}


def output_types() -> dict[str, list[int | str]]:
    """Return by operator where the element type of each output comes from.

    A number is the place of an input of the same type; a name is the type; "" is neither. As
    the newest version that says so has it: which types go together hardly changes.
    """
    found: dict[str, tuple[int, list[int | str]]] = {}
    for schema in defs.get_all_schemas_with_history():
        if schema.domain not in _DOMAINS or schema.name in _NO_KERNEL:
            continue
        places: dict[str, int] = {}
        for place, each in enumerate(schema.inputs):
            if each.is_homogeneous:
                places.setdefault(each.type_str, place)
        kinds: list[int | str] = []
        for output in schema.outputs:
            types = [t for t in output.types if t.startswith("tensor(")]
            plain = types[0].removeprefix("tensor(").removesuffix(")") if types else ""
            single = len(output.types) == len(types) == 1
            fixed = _TYPES.get(plain, plain) if single else ""
            kinds.append(places.get(output.type_str, fixed))
        name = f"{schema.domain}.{schema.name}" if schema.domain else schema.name
        newest, _ = found.get(name, (0, []))
        if schema.since_version > newest and any(kind != "" for kind in kinds):
            found[name] = schema.since_version, kinds
    return {name: kinds for name, (_, kinds) in sorted(found.items())}


def written(content: Mapping[str, Any]) -> str:
    """Lay the table out with one operator a line, so that changes read well."""
    sections = [f'  "releases": {json.dumps(content["releases"])}']
    for section in ("operators", "attributes", "outputs"):
        entries = content[section].items()
        lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(e)}" for name, e in entries)
        sections.append(f'  "{section}": {{\n{lines}\n  }}')
    return "{\n" + ",\n".join(sections) + "\n}\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default="python3.11", help="a Python of all releases")
    parser.add_argument(
        "--older",
        nargs="+",
        default=["python3.8", "python3.7"],
        help="Pythons of the releases that do not list their kernels",
    )
    parser.add_argument("--folder", type=Path, help="where downloads are kept")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        target = options.folder or Path(name)
        target.mkdir(parents=True, exist_ok=True)
        python, *older = (
            runtime_releases.environment(each, target)
            for each in (options.python, *options.older)
        )
        found = table(python, older, target)
    TABLE.write_text(written(found), "utf-8")
