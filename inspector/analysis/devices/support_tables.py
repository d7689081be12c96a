"""Support tables of execution providers, read from one data file for each provider.

A file names the source (program, repository, commit, date) and holds, for each operator, the
conditions that a node must meet (`node_conditions` evaluates them), the kernels that are
registered for it, or both. `tools/make_support_tables.py` writes the kernels; the conditions
are written by hand from the file that each rule names. Packages can add tables of the same
schema (`SupportTableFile`), and so can users, by files in a folder of their settings.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from inspector.analysis.devices.node_conditions import CHECKS
from inspector.errors import BadInput
from inspector.platform import files, plugins, settings
from inspector.platform.data_struct import DataStruct
from inspector.units import clip

SCHEMA = "support-table/2"
EVERY_OPERATOR = "*"  # of a rule that stands for each operator that no other one names
Condition = Sequence[Any]
_MOST_BYTES = 4 << 20  # of a file of the user's own devices
# What a file of the user's own devices may leave out.
_LEFT_OUT = {
    "schema": SCHEMA, "provider": "", "commit": "", "date": "", "folder": "", "every": [],
    "subgraphs": "no",
}  # fmt: skip


class Kernel(Struct, frozen=True):
    """Versions of an operator and the types that a kernel takes, by place; None for any.

    until: 0 means to the operator's next change.
    """

    since: int
    until: int
    inputs: tuple[frozenset[str] | None, ...]
    outputs: tuple[frozenset[str] | None, ...]


class OperatorRule(Struct, frozen=True):
    """Conditions of one operator, and the file of the provider's source that has them."""

    file: str
    checks: Sequence[Condition]


class Partitioning(Struct, frozen=True):
    """Rules by which a provider refuses groups of layers that it would run one by one.

    file: of the source. trivial: operators that alone are left to the CPU. alone: whether one
    trivial layer is left only when nothing else is in its group. whole: operators taken only
    where every layer is. border: operators that leave their whole group where it ends with one.
    lone: whether a group of one layer may be left. small: for models of at most so many layers,
    the operators that keep the whole model on the CPU when it begins with one. refused: the
    most layers that may be refused before the whole model is left, 0 for any number. heavy: by
    operator, above how many elements of an input the layers between refused ones are taken.
    groups: how many of the largest groups between refused layers are taken, 0 for all of them,
    and the fewest layers of one; None where this does not matter.
    """

    file: str = ""
    trivial: frozenset[str] = frozenset()
    alone: bool = False
    whole: frozenset[str] = frozenset()
    border: frozenset[str] = frozenset()
    lone: bool = False
    small: tuple[int, frozenset[str]] = (0, frozenset())
    refused: int = 0
    heavy: Mapping[str, int] = field(default_factory=dict)
    groups: tuple[int, int] | None = None


class SupportTable(Struct, frozen=True, eq=False):
    """The operators, types and conditions that one device of a provider supports.

    name: what people call the device. options: of the provider, as this device sets them.
    source: program and commit or date that the table is of. assumes: what else is taken for
    granted, in words. folder: of the source, which the files of rules lie below. registry: the
    file that lists the operators. every: conditions of all operators. kernels: by operator, its
    domain before it unless it is ai.onnx. functions: operators made of others. unsettled:
    operators that may be taken, and why nobody can tell. by_name: whether the provider asks
    for an operator's name alone, not for its domain. subgraphs: whether layers inside If, Loop
    and Scan are looked at: "yes", "never" or "unknown". quantized_groups: file with conditions
    of layers between DequantizeLinear and QuantizeLinear, "" where there are none.
    shape_computation: file that keeps computations of shapes on the CPU, "" where none does.
    program: that the table is of, without its commit.
    """

    device: str
    provider: str
    name: str
    options: frozenset[str]
    source: str
    assumes: str
    folder: str
    registry: str
    every: Sequence[OperatorRule]
    rules: Mapping[str, OperatorRule]
    kernels: Mapping[str, Sequence[Kernel]]
    functions: Mapping[str, Sequence[str]]
    unsettled: Mapping[str, str]
    by_name: bool
    subgraphs: str
    quantized_groups: str
    shape_computation: str
    partitioning: Partitioning
    program: str

    @property
    def operators(self) -> frozenset[str]:
        """The operators that the table says anything of, but for `unsettled`."""
        return frozenset(self.rules) | frozenset(self.kernels)


class SupportTableFile(DataStruct, frozen=True):
    """A support table that a plugin adds: a file of the schema support-table/2.

    format: id of the model format that its operators are of. kind: of its devices: "cpu",
    "gpu", "npu" or "unknown".
    """

    path: Path
    format: str = "onnx"
    kind: str = "unknown"


Added = Mapping[str, tuple[SupportTableFile, SupportTable]]


def of_plugins() -> Added:
    """Return the tables that plugins and the user add, by device; one that cannot be read is
    left out. Files that the user adds or changes meanwhile are read again."""
    own = _of_files(tuple((path, files.state(path)) for path in own_files()))
    return {**own, **of_packages()}


@cache
def of_packages() -> Added:
    """Return the tables that plugins add, by device; one that cannot be read is left out."""
    tables: dict[str, tuple[SupportTableFile, SupportTable]] = {}
    for plugin in plugins.usable(plugins.SUPPORT_TABLES):
        own: SupportTableFile = plugin.value
        try:
            body = own.path.read_bytes()
            for device in devices_of(body):
                tables.setdefault(device, (own, read(body, device)))
        except Exception as error:  # noqa: BLE001 - a file of others
            plugin.problem = f"could not be read: {plugins.sentence(error)}"
    return tables


@lru_cache(1)
def _of_files(states: tuple[tuple[Path, object], ...]) -> Added:
    """Return the tables of the user's own devices. states: of their files."""
    tables: dict[str, tuple[SupportTableFile, SupportTable]] = {}
    for path, _ in states:
        try:
            plain = json.loads(files.read_capped(path, _MOST_BYTES))
            file = SupportTableFile(path, plain.get("format", "onnx"), plain.get("kind", "npu"))
            for device in plain["devices"]:
                tables.setdefault(device, (file, read_plain(_own(plain, path.name), device)))
        except Exception:  # noqa: BLE001 - `problem_of` says what is wrong with it
            continue
    return tables


def add_own(path: Path) -> tuple[str, ...]:
    """Copy a file with rules of the user's own devices to where they are read, and return the
    devices. Raises BadInput: there are no such rules in it, or another file has its name;
    NotSaved.
    """
    what, problem = f"Could not use {clip(path.name, 60)}", problem_of(path)
    if problem:
        hint = "The page on support tables in the documentation has an example."
        raise BadInput(what, f"it has no rules of devices: {problem}", hint)
    body = files.read_capped(path, _MOST_BYTES)
    target = settings.devices_folder() / f"{path.stem}.json"
    if files.exists(target) and target.read_bytes() != body:
        why = f"{target.parent} has another file of this name"
        raise BadInput(what, why, "Rename yours, or change that one.")
    files.make_folder(target.parent)
    files.write_atomic(target, body)
    return tuple(json.loads(body)["devices"])


def own_files() -> tuple[Path, ...]:
    """Return the files with the rules of the user's own devices."""
    return tuple(sorted(settings.devices_folder().glob("*.json")))


def problem_of(path: Path) -> str:
    """Return why a file of the user's own devices cannot be used; empty if it can."""
    try:
        plain = json.loads(files.read_capped(path, _MOST_BYTES))
        for device in plain["devices"]:
            read_plain(_own(plain, path.name), device)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with a file
        return plugins.sentence(error)
    return ""


def _own(plain: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return a file of the user's with what it may leave out. Raises ValueError: a condition
    that there is not."""
    filled = {**_LEFT_OUT, "source": name, "registry": name, **plain}
    filled["rules"] = [{"file": name, "checks": [], **rule} for rule in filled["rules"]]
    filled["devices"] = {
        device: {"options": [], "assumes": "", "name": device, **own}
        for device, own in filled["devices"].items()
    }
    for rule in filled["rules"]:
        for check in rule["checks"]:
            if check[0] not in CHECKS:
                raise ValueError(f"there is no condition '{check[0]}'")
    return filled


def devices_of(body: bytes) -> tuple[str, ...]:
    """Return the ids of the devices that a file describes."""
    return tuple(json.loads(body)["devices"])


def read(body: bytes, device: str) -> SupportTable:
    """Return the table of one device of a file of schema support-table/2."""
    return read_plain(json.loads(body), device)


def read_plain(plain: Mapping[str, Any], device: str) -> SupportTable:
    """Return the table of one device of such a file that was decoded."""
    if plain["schema"] != SCHEMA:
        raise ValueError(f"its schema is {plain['schema']}; this Inspector reads {SCHEMA}")
    types = [frozenset(type_names.split()) for type_names in plain.get("types", ())]

    def type_sets(places: list[int]) -> tuple[frozenset[str] | None, ...]:
        return tuple(types[place] if place >= 0 else None for place in places)

    own = plain["devices"][device]
    when = " of ".join(filter(None, (plain["commit"][:10], plain["date"])))
    return SupportTable(
        device=device,
        provider=plain["provider"],
        name=own["name"],
        options=frozenset(own["options"]),
        source=", ".join(
            filter(None, (plain["source"], f"commit {when}" * bool(plain["commit"]) or when))
        ),
        assumes=own["assumes"],
        folder=plain["folder"],
        registry=plain["registry"],
        every=[OperatorRule(rule["file"], rule["checks"]) for rule in plain["every"]],
        rules=_rules(plain["rules"]),
        kernels={
            name: tuple(
                Kernel(row[0], row[1], type_sets(row[2]), type_sets(row[3])) for row in rows
            )
            for name, rows in plain.get("kernels", {}).items()
        },
        functions=plain.get("functions", {}),
        unsettled=plain.get("unsettled", {}),
        by_name=plain.get("by_name", False),
        subgraphs=plain["subgraphs"],
        quantized_groups=plain.get("quantized_groups", ""),
        shape_computation=plain.get("shape_computation", ""),
        partitioning=_partitioning(plain.get("partition", {})),
        program=plain["source"],
    )


def _rules(plain: Sequence[Mapping[str, Any]]) -> Mapping[str, OperatorRule]:
    """Return the rules by operator. Raises ValueError: one operator has two."""
    rules: dict[str, OperatorRule] = {}
    for rule in plain:
        for name in rule["operators"]:
            if name in rules:
                places = f"{rules[name].file} and {rule['file']}"
                raise ValueError(f"{name} has two rules, in {places}")
            rules[name] = OperatorRule(rule["file"], rule["checks"])
    return rules


def _partitioning(plain: Mapping[str, Any]) -> Partitioning:
    layers, first = plain.get("small", (0, ()))
    return Partitioning(
        plain.get("file", ""),
        frozenset(plain.get("trivial", ())),
        plain.get("alone", False),
        frozenset(plain.get("whole", ())),
        frozenset(plain.get("border", ())),
        plain.get("lone", False),
        (layers, frozenset(first)),
        plain.get("refused", 0),
        plain.get("heavy", {}),
        tuple(plain["groups"]) if "groups" in plain else None,
    )


def takes(kinds: Sequence[frozenset[str] | None], types: Sequence[str]) -> bool | None:
    """Return whether types fit a kernel's; None when an unknown type ("") decides it.

    The last place stands for all that follow.
    """
    if not kinds:
        return True
    allowed = (kinds[min(place, len(kinds) - 1)] for place in range(len(types)))
    pairs = [
        (kind, some) for kind, some in zip(types, allowed, strict=True) if some is not None
    ]
    if any(kind and kind not in some for kind, some in pairs):
        return False
    return None if any(not kind for kind, _ in pairs) else True
