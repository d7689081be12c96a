"""Requirements of a model: minimum ONNX Runtime release and other libraries."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from operator import attrgetter
from pathlib import Path

from msgspec import Struct

from inspector.analysis.facts.cpu_kernels import later_needs
from inspector.model.model import TFLITE, UNNAMED_DOMAINS, Layer, Model
from inspector.wording.values import Sentence

NEWEST = "1.32"  # the newest release of ONNX Runtime that the tables cover
_STANDARD = "", "ai.onnx.ml"
_BUILT_IN = {
    "com.microsoft", "com.microsoft.nchwc", "com.microsoft.experimental",
    "com.ms.internal.nhwc", "ai.onnx.training", "ai.onnx.preview", "ai.onnx.preview.training",
}  # fmt: skip
# The table of releases has all operators of these domains; the other domains have operators
# that only some builds register.
_IN_TABLE = {"com.microsoft", "com.microsoft.nchwc", "com.microsoft.experimental"}
_IN_NO_RELEASE = {"ai.onnx.preview", "ai.onnx.preview.training"}
# Operators that ONNX Runtime has in the default domain before ONNX has them, or without it, and
# those that it had up to opset 9. Each was run in 1.16 and 1.32.
_ADDED = {
    "LayerNormalization", "MeanVarianceNormalization", "SimplifiedLayerNormalization",
    "ThresholdedRelu",
}  # fmt: skip
_ADDED_ONCE = {
    "Affine", "Crop", "DynamicSlice", "GRUUnit", "GivenTensorFill", "ImageScaler",
    "ParametricSoftplus", "Scale", "ScaledTanh",
}  # fmt: skip
_LAST_WITH_ADDED_ONCE = 9  # opset
_PACKAGES = {
    "ai.onnx.contrib": "onnxruntime-extensions",
    "com.microsoft.extensions": "onnxruntime-extensions",
    "com.microsoft.dml": "onnxruntime-directml",
    "trt.plugins": "TensorRT",
    "org.pytorch.aten": "PyTorch (onnxruntime-training)",
}
_OLDEST_OPSET = 7  # the oldest that ONNX Runtime documents as supported
_KIND = attrgetter("domain", "operator")
_ONLY_SMALL = "only the runtime for microcontrollers loads it"
_TFLITE = "TensorFlow Lite"
_CUSTOM = "custom"  # domain of operators that the format does not define
# Custom operators that LiteRT's own resolver registers (tflite/core/kernels/register.cc).
_TFLITE_HAS = {"NumericVerify", "Mfcc", "AudioSpectrogram", "TFLite_Detection_PostProcess"}
_TFLITE_PACKAGES = (
    ("Flex", "TensorFlow's Flex delegate"),
    ("DISPATCH", "the driver of an NPU"),
)


def counted(layers: Iterable[Layer]) -> tuple[tuple[str, int], ...]:
    """Count layers by operator, most frequent first."""
    kinds = Counter(map(attrgetter("domain", "operator"), layers)).items()
    numbers: Counter[str] = Counter()
    for (domain, operator), number in kinds:
        numbers[qualified(domain, operator)] += number
    return tuple(sorted(numbers.items(), key=lambda entry: (-entry[1], entry[0])))


def qualified(domain: str, operator: str) -> str:
    """Name an operator; with its domain where that is not the default one of its format."""
    return operator if domain in UNNAMED_DOMAINS else f"{domain}.{operator}"


class Release(Struct, frozen=True):
    """The first release of ONNX Runtime with these limits, and its limits."""

    version: str
    opset: int
    ml_opset: int
    ir_version: int


RELEASES = (
    Release("1.0", 11, 2, 6),
    Release("1.3", 12, 2, 7),
    Release("1.6", 13, 2, 7),
    Release("1.8", 14, 2, 7),
    Release("1.9", 15, 2, 8),
    Release("1.11", 16, 3, 8),
    Release("1.12", 17, 3, 8),
    Release("1.14", 18, 3, 8),
    Release("1.15", 19, 3, 9),
    Release("1.17", 20, 4, 9),
    Release("1.18", 21, 5, 10),
    Release("1.21", 22, 5, 10),
    Release("1.23", 23, 5, 11),
    Release("1.24", 25, 5, 13),
    Release("1.25", 26, 5, 13),
    Release("1.32", 28, 5, 14),
)


def first_with_opset(version: int) -> str:
    """Return the first release that supports an opset of ai.onnx; empty if none does."""
    return next((release.version for release in RELEASES if release.opset >= version), "")


def first_with_ml_opset(version: int) -> str:
    """Return the first release that supports an opset of ai.onnx.ml; empty if none does."""
    return next((release.version for release in RELEASES if release.ml_opset >= version), "")


def first_with_ir(version: int) -> str:
    """Return the first release that supports an IR version; empty if none does."""
    return next((release.version for release in RELEASES if release.ir_version >= version), "")


def order(version: str) -> tuple[int, ...]:
    """Return a sort key of a release: '1.9' is before '1.21', and '' (none yet) is last."""
    return tuple(int(part) for part in version.split(".")) if version else (1 << 30,)


Used = Mapping[tuple[str, str], None]  # (domain, operator), each once, in the file's order


class Need(Struct, frozen=True):
    """A property of the model that requires a release of ONNX Runtime.

    runtime: first release that has it ("1.12"); empty if none has up to `NEWEST`. on_cpu:
    whether only a CPU needs it: other providers may compute what no CPU kernel does.
    """

    subject: str
    runtime: str
    on_cpu: bool = False


class Library(Struct, frozen=True):
    """Operators that ONNX Runtime does not include, and the library that has them.

    package: the library's name; empty where it is unknown.
    """

    domain: str
    package: str
    operators: tuple[str, ...]


class Requirements(Struct, frozen=True):
    """The requirements of a model.

    runtime: first release of ONNX Runtime that supports the model; empty if none does up to
        `NEWEST`. `needs` gives the reasons, the strictest first.
    by_operators: the requirement of the newest operator version: where it is lower than
        `runtime`, the model declares a newer opset than it uses. None without such operators.
    libraries: other libraries that the model requires.
    notes: further obstacles to running it, one sentence each.
    program: the runtime that is meant.
    newest: its newest release that the tables cover.
    compiled: whether parts of the model were compiled for a device.
    """

    runtime: str
    needs: tuple[Need, ...]
    by_operators: Need | None
    libraries: tuple[Library, ...]
    notes: tuple[str, ...]
    program: str = "ONNX Runtime"
    newest: str = NEWEST
    compiled: bool = False

    @property
    def reason(self) -> str:
        """Return the reason for `runtime`: 'opset 17'; empty if any release is enough."""
        any_release = not self.needs or self.runtime == RELEASES[0].version
        return "" if any_release else self.needs[0].subject

    @property
    def elsewhere(self) -> str:
        """Return the first release that may run it elsewhere, where none can on a CPU."""
        if self.runtime or not self.needs or not self.needs[0].on_cpu:
            return ""
        return next((need.runtime for need in self.needs if not need.on_cpu), "")

    @property
    def elsewhere_reason(self) -> str:
        """Return why a CPU runs it with no release, where others may."""
        if self.compiled:
            return Sentence("only on the device it is compiled for")
        return Sentence("not on a CPU: {kernel} is missing", kernel=self.reason)

    @property
    def text(self) -> str:
        """Return the release and the reason: 'ONNX Runtime 1.12 or later (opset 17)'."""
        if self.runtime:
            because = f" ({self.reason})" if self.reason else ""
            return Sentence(
                "{program} {runtime} or later{because}", self.program, self.runtime, because
            )
        if self.elsewhere:
            kernel = self.reason.removeprefix("a CPU ")
            return Sentence(
                "{program} {elsewhere} or later, not on a CPU (no {kernel})",
                self.program,
                self.elsewhere,
                kernel,
            )
        return Sentence(
            "no {program} up to {newest}: {reason}", self.program, self.newest, self.reason
        )


def requirements(model: Model) -> Requirements:
    """Return the requirements of a model by its versions and operators.

    Empty where `Model.details` has what is known of them.
    """
    if model.format == TFLITE:
        return _of_tflite(model)
    if model.details is not None:
        return Requirements("", (), None, (), ())
    layers = [*model.layers, *(layer for f in model.functions for layer in f.layers)]
    used = dict.fromkeys(map(_KIND, layers))
    versions = {opset.domain: opset.version for opset in model.opsets}
    built_in = _built_in(model, used)
    needs = sorted(
        (
            *built_in,
            *_needs(model, versions),
            *_unregistered(model, used, versions),
            *_later(model),
        ),
        key=lambda need: order(need.runtime),
        reverse=True,
    )
    defined = {(function.domain, function.name) for function in model.functions}
    by_domain: dict[str, dict[str, None]] = {}
    for domain, operator in used:
        included = domain in _STANDARD or domain in _BUILT_IN
        if not included and (domain, operator) not in defined:
            by_domain.setdefault(domain, {})[operator] = None
    return Requirements(
        runtime=needs[0].runtime,
        needs=tuple(needs),
        by_operators=_newest_operator(used, versions, built_in),
        libraries=tuple(
            Library(domain, _PACKAGES.get(domain, ""), tuple(operators))
            for domain, operators in by_domain.items()
        ),
        notes=tuple(_notes(model, used, versions)),
        compiled=bool(model.compiled),
    )


def _later(model: Model) -> Iterator[Need]:
    """Yield what came after the opsets and operators, as the CPU build has it."""
    for need in later_needs(model, qualified, since):
        yield Need(need.subject, need.release, on_cpu="CPU kernel" in need.subject)


def since(domain: str, operator: str, opset: int) -> int | None:
    """Return the version of an operator that is in force in an opset; None if it has none."""
    versions = [
        version
        for version in _versions().get(qualified(domain, operator), ())
        if version <= opset
    ]
    return max(versions, default=None)


def first_opset(operator: str) -> int | None:
    """Return the first ONNX opset that has an operator; None if none has."""
    return min(_versions().get(operator, ()), default=None)


def other_domains(operator: str) -> tuple[str, ...]:
    """Return the domains besides ai.onnx in which ONNX Runtime has an operator."""
    standard = tuple(
        name for name in ("ai.onnx.ml",) if qualified(name, operator) in _versions()
    )
    return standard + tuple(
        domain
        for domain in ("com.microsoft", "com.microsoft.nchwc")
        if qualified(domain, operator) in contrib_operators().operators
    )


def _needs(model: Model, versions: Mapping[str, int]) -> Iterator[Need]:
    if "" in versions:
        version = versions[""]
        yield Need(Sentence("opset {version}", version), first_with_opset(version))
    if "ai.onnx.ml" in versions:
        version = versions["ai.onnx.ml"]
        yield Need(
            Sentence("opset ai.onnx.ml {version}", version), first_with_ml_opset(version)
        )
    yield Need(
        Sentence("IR version {ir_version}", model.ir_version), first_with_ir(model.ir_version)
    )


def _built_in(model: Model, used: Used) -> tuple[Need, ...]:
    """Return the needs of ONNX Runtime's own operators; an unknown one is in no release."""
    table, defined = contrib_operators(), {(f.domain, f.name) for f in model.functions}
    needs = []
    for domain, operator in used:
        if domain not in _IN_TABLE or (domain, operator) in defined:
            continue
        name = qualified(domain, operator)
        releases = table.operators.get(name)
        if releases is None:
            needs.append(Need(Sentence("unknown operator {value}", name[:80]), ""))
        elif (
            releases[0] != table.oldest
        ):  # what the oldest one has may be as old as ONNX Runtime
            needs.append(Need(f"operator {name}", releases[0]))
    return tuple(needs)


def _fault(domain: str, operator: str, versions: Mapping[str, int]) -> str:
    """Return why no release has an operator of the standard in the opset; empty if some do."""
    if domain not in _STANDARD or domain not in versions:
        return ""
    old = versions[domain] <= _LAST_WITH_ADDED_ONCE
    if not domain and operator in (_ADDED | _ADDED_ONCE if old else _ADDED):
        return ""
    name = qualified(domain, operator)
    if name not in _versions():
        return Sentence("{value} is not an ONNX operator.", name[:80])
    if since(domain, operator, versions[domain]) is None:
        return Sentence("{name} requires opset {min} or later.", name, min(_versions()[name]))
    return ""


def _unregistered(model: Model, used: Used, versions: Mapping[str, int]) -> Iterator[Need]:
    """Yield operators that no release registers.

    Those of domains that only builds for training or previews have, those that ONNX does not
    have at all, and those that came after the model's opset.
    """
    defined = {(function.domain, function.name) for function in model.functions}
    for domain, operator in used:
        if domain in _IN_NO_RELEASE and (domain, operator) not in defined:
            yield Need(f"operator {qualified(domain, operator)[:80]}", "")
        if (domain, operator) not in defined and _fault(domain, operator, versions):
            version = versions[domain]
            yield Need(f"operator {qualified(domain, operator)[:80]} in opset {version}", "")


def _newest_operator(
    used: Used, versions: Mapping[str, int], built_in: tuple[Need, ...]
) -> Need | None:
    needs = [(0, need) for need in built_in]
    for domain, operator in used:
        version = since(domain, operator, versions.get(domain, 0))
        if domain in _STANDARD and version is not None:
            first = first_with_ml_opset if domain else first_with_opset
            name = f"{qualified(domain, operator)} (opset {version})"
            needs.append((version, Need(name, first(version))))
    by_runtime = [(order(need.runtime), version, need) for version, need in needs]
    return max(by_runtime, key=lambda entry: entry[:2])[2] if by_runtime else None


def _notes(model: Model, used: Used, versions: Mapping[str, int]) -> Iterator[str]:
    if 0 < versions.get("", _OLDEST_OPSET) < _OLDEST_OPSET:
        yield Sentence(
            "ONNX Runtime officially supports opset {oldest_opset} and later.", _OLDEST_OPSET
        )
    defined = {(function.domain, function.name) for function in model.functions}
    table = contrib_operators()
    for domain, operator in used:
        if domain in _IN_TABLE and (domain, operator) not in defined:
            yield from _release_notes(qualified(domain, operator), table)
        fault = "" if (domain, operator) in defined else _fault(domain, operator, versions)
        if fault:
            yield fault


def _release_notes(name: str, table: "ContribOperators") -> Iterator[str]:
    """Yield notes on an operator of ONNX Runtime's own domains that not all releases have."""
    releases = table.operators.get(name)
    if releases is None:
        yield (
            Sentence(
                "{value} is an unknown operator: no release of ONNX Runtime from "
                "{oldest} to {newest} has it. It may need a custom operator library.",
                name[:80],
                table.oldest,
                table.newest,
            )
        )
    elif len(releases) > 1:
        yield Sentence("{name} was removed after ONNX Runtime {value}.", name, releases[1])


def _of_tflite(model: Model) -> Requirements:
    """Return the requirements of a TensorFlow Lite model by the versions of its operators."""
    bodies = (model.layers, *(function.layers for function in model.functions))
    table, newest = _tflite_versions()
    needs: dict[str, Need] = {}
    libraries: dict[str, dict[str, None]] = {}
    notes: dict[str, None] = {}
    for layer in (layer for body in bodies for layer in body):
        name, version = layer.operator, dict(layer.metadata).get("version", "1")
        if layer.domain == _CUSTOM:
            if name not in _TFLITE_HAS:
                package = (p for start, p in _TFLITE_PACKAGES if name.startswith(start))
                libraries.setdefault(next(package, ""), {})[name] = None
        elif name not in table:
            notes[f"The first release that has {name[:80]} is unknown."] = None
        else:
            subject = Sentence("{name}, version {version}", name, version)
            needs[subject] = Need(subject, table[name].get(version, ""))
    if model.refused:
        needs[_ONLY_SMALL] = Need(_ONLY_SMALL, "")
    ranked = sorted(needs.values(), key=lambda need: order(need.runtime), reverse=True)
    return Requirements(
        runtime=ranked[0].runtime if ranked else "1.5",
        needs=tuple(ranked),
        by_operators=None,
        libraries=tuple(
            Library(_CUSTOM, package, tuple(names)) for package, names in libraries.items()
        ),
        notes=tuple(notes),
        program=_TFLITE,
        newest=newest,
    )


@cache
def _tflite_versions() -> tuple[dict[str, dict[str, str]], str]:
    """Return operator -> version -> first release of TensorFlow Lite, and the newest one."""
    table = json.loads(Path(__file__).with_name("tflite_versions.json").read_bytes())
    operators: dict[str, dict[str, str]] = table["operators"]
    releases = (release for versions in operators.values() for release in versions.values())
    return operators, max(releases, key=order)


class ContribOperators(Struct, frozen=True):
    """The operators that ONNX Runtime adds to those of ONNX, by release.

    releases: each tested release with its full version ("1.16": "1.16.3").
    operators: name with its domain -> the first release that has it, and the last one where
        later ones lack it.
    """

    releases: Mapping[str, str]
    operators: Mapping[str, tuple[str, ...]]

    @property
    def oldest(self) -> str:
        """The first tested release."""
        return next(iter(self.releases))

    @property
    def newest(self) -> str:
        """The last tested release."""
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
