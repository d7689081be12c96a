"""What a model needs to run: a release of ONNX Runtime, and other libraries."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from pathlib import Path

from inspector.analysis.operators import qualified
from inspector.analysis.releases import (
    RELEASES,
    first_with_ir,
    first_with_ml_opset,
    first_with_opset,
    order,
)
from inspector.model import Model

_STANDARD = "", "ai.onnx.ml"
_BUILT_IN = {
    "com.microsoft", "com.microsoft.nchwc", "com.microsoft.experimental",
    "com.ms.internal.nhwc", "ai.onnx.training", "ai.onnx.preview", "ai.onnx.preview.training",
}  # fmt: skip
# Of these all operators are in the table of releases, or unknown; the others have operators
# that only some builds register.
_IN_TABLE = {"com.microsoft", "com.microsoft.nchwc", "com.microsoft.experimental"}
_PACKAGES = {
    "ai.onnx.contrib": "onnxruntime-extensions",
    "com.microsoft.extensions": "onnxruntime-extensions",
    "com.microsoft.dml": "onnxruntime-directml",
    "trt.plugins": "TensorRT",
    "org.pytorch.aten": "PyTorch (onnxruntime-training)",
}
_OLDEST_OPSET = 7
_KIND = attrgetter("domain", "operator")
Used = Mapping[tuple[str, str], None]  # (domain, operator), each once, in the file's order


@dataclass(frozen=True, slots=True)
class Need:
    """One thing that asks for a release of ONNX Runtime.

    runtime: first release that has it ("1.12"); empty when none had by `NEWEST`.
    """

    subject: str
    runtime: str


@dataclass(frozen=True, slots=True)
class Library:
    """Operators that ONNX Runtime does not bring, and where they come from.

    package: the library's name; empty when only the model's maker can tell.
    """

    domain: str
    package: str
    operators: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Requirements:
    """What a model needs to run.

    runtime: first release of ONNX Runtime that takes the model as it is; empty when none did
        by `NEWEST`. `needs` says why, the strictest first.
    by_operators: what the newest operator alone would ask for: where it is lower than
        `runtime`, the model is stamped newer than it has to be. None without such operators.
    libraries: other libraries without which it does not run.
    notes: all else that may keep it from running, one sentence each.
    """

    runtime: str
    needs: tuple[Need, ...]
    by_operators: Need | None
    libraries: tuple[Library, ...]
    notes: tuple[str, ...]

    @property
    def reason(self) -> str:
        """What forces `runtime`: 'operator set 17'; empty when any release will do."""
        return "" if self.runtime == RELEASES[0].version else self.needs[0].subject


def requirements(model: Model) -> Requirements:
    """Tell what a model needs to run, by its versions and operators."""
    layers = [*model.layers, *(layer for f in model.functions for layer in f.layers)]
    used = dict.fromkeys(map(_KIND, layers))
    versions = {opset.domain: opset.version for opset in model.opsets}
    built_in = _built_in(model, used)
    found = (*built_in, *_needs(model, versions))
    needs = sorted(found, key=lambda need: order(need.runtime), reverse=True)
    return Requirements(
        runtime=needs[0].runtime,
        needs=tuple(needs),
        by_operators=_newest_operator(used, versions, built_in),
        libraries=_libraries(model, used),
        notes=tuple(_notes(model, used, versions)),
    )


def since(domain: str, operator: str, opset: int) -> int | None:
    """Return the version in which an operator took the form it has in an operator set.

    None for an operator that this operator set does not have.
    """
    came = [
        version
        for version in _versions().get(qualified(domain, operator), ())
        if version <= opset
    ]
    return max(came, default=None)


def _needs(model: Model, versions: Mapping[str, int]) -> Iterator[Need]:
    if "" in versions:
        version = versions[""]
        yield Need(f"operator set {version}", first_with_opset(version))
    if "ai.onnx.ml" in versions:
        version = versions["ai.onnx.ml"]
        yield Need(f"operator set ai.onnx.ml {version}", first_with_ml_opset(version))
    yield Need(f"IR version {model.ir_version}", first_with_ir(model.ir_version))


def _built_in(model: Model, used: Used) -> tuple[Need, ...]:
    """Return what the runtime's own operators ask for; an unknown one is in no release."""
    table, defined = contrib_operators(), {(f.domain, f.name) for f in model.functions}
    needs = []
    for domain, operator in used:
        if domain not in _IN_TABLE or (domain, operator) in defined:
            continue
        name = qualified(domain, operator)
        releases = table.operators.get(name)
        if releases is None:
            needs.append(Need(f"unknown operator {name[:80]}", ""))
        elif releases[0] != table.oldest:  # what that one has may be as old as ONNX Runtime
            needs.append(Need(f"operator {name}", releases[0]))
    return tuple(needs)


def _newest_operator(
    used: Used, versions: Mapping[str, int], built_in: tuple[Need, ...]
) -> Need | None:
    needs = [(0, need) for need in built_in]
    for domain, operator in used:
        version = since(domain, operator, versions.get(domain, 0))
        if domain in _STANDARD and version is not None:
            first = first_with_ml_opset if domain else first_with_opset
            name = f"{qualified(domain, operator)} (of operator set {version})"
            needs.append((version, Need(name, first(version))))
    by_runtime = [(order(need.runtime), version, need) for version, need in needs]
    return max(by_runtime, key=lambda entry: entry[:2])[2] if by_runtime else None


def _libraries(model: Model, used: Used) -> tuple[Library, ...]:
    defined = {(function.domain, function.name) for function in model.functions}
    found: dict[str, dict[str, None]] = {}
    for domain, operator in used:
        known = domain in _STANDARD or domain in _BUILT_IN
        if not known and (domain, operator) not in defined:
            found.setdefault(domain, {})[operator] = None
    return tuple(
        Library(domain, _PACKAGES.get(domain, ""), tuple(operators))
        for domain, operators in found.items()
    )


def _notes(model: Model, used: Used, versions: Mapping[str, int]) -> Iterator[str]:
    if 0 < versions.get("", _OLDEST_OPSET) < _OLDEST_OPSET:
        yield f"ONNX Runtime promises to run operator sets from {_OLDEST_OPSET} on."
    defined = {(function.domain, function.name) for function in model.functions}
    table = contrib_operators()
    for domain, operator in used:
        if domain in _IN_TABLE and (domain, operator) not in defined:
            yield from _release_notes(qualified(domain, operator), table)
        if domain not in _STANDARD or (domain, operator) in defined or domain not in versions:
            continue
        name = qualified(domain, operator)
        if name not in _versions():
            yield f"{name[:80]} is no operator of ONNX."
        elif since(domain, operator, versions[domain]) is None:
            yield f"{name} came only with operator set {min(_versions()[name])}."


def _release_notes(name: str, table: "ContribOperators") -> Iterator[str]:
    """Say what is odd about an operator of the runtime's own domains."""
    releases = table.operators.get(name)
    if releases is None:
        yield (
            f"{name[:80]} is an unknown operator: no release of ONNX Runtime from "
            f"{table.oldest} to {table.newest} has it. A library of custom operators may."
        )
    elif len(releases) > 1:
        yield f"{name} was last in ONNX Runtime {releases[1]}."


@dataclass(frozen=True, slots=True)
class ContribOperators:
    """The operators that ONNX Runtime adds to those of ONNX, by release.

    releases: each release that was asked, and the version of it ("1.16": "1.16.3").
    operators: name with its domain -> the first release that has it, and the last one where
        later ones lack it.
    """

    releases: Mapping[str, str]
    operators: Mapping[str, tuple[str, ...]]

    @property
    def oldest(self) -> str:
        """The first release that was asked."""
        return next(iter(self.releases))

    @property
    def newest(self) -> str:
        """The last release that was asked."""
        return list(self.releases)[-1]


@cache
def contrib_operators() -> ContribOperators:
    """Return the table that tools/make_contrib_operators.py wrote."""
    table = json.loads(Path(__file__).with_name("contrib_operators.json").read_bytes())
    operators = {name: tuple(releases) for name, releases in table["operators"].items()}
    return ContribOperators(dict(table["releases"]), operators)


@cache
def _versions() -> dict[str, list[int]]:
    table = Path(__file__).with_name("operator_versions.json").read_bytes()
    operators: dict[str, list[int]] = json.loads(table)["operators"]
    return operators
