"""List the kernels that an execution provider registers, and why none fits a layer."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import onnx
from onnxruntime.capi import _pybind_state as runtime

from inspector.backends import type_names
from inspector.report.support_marks import Rule

_STANDARD = ("", "ai.onnx")
_OPEN = 2**31 - 1


@dataclass(frozen=True, slots=True)
class KernelQuery:
    """A layer as a kernel table sees it.

    opset: version of its domain that the model imports. types: the runtime's names of the
    types of its inputs and outputs ("tensor(float16)"), "" where unknown.
    """

    operator: str
    domain: str
    opset: int
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class KernelTable:
    """The kernels of one provider by domain and operator; empty where it has no such list."""

    provider: str
    kernels: Mapping[tuple[str, str], Sequence[Any]]

    def objection(self, wanted: KernelQuery) -> tuple[Rule, str]:
        """Return why no kernel fits, as the end of a sentence; nothing when one fits."""
        some = self.kernels.get((_domain(wanted.domain), wanted.operator), ())
        if not some:
            return Rule.OPERATOR, f"has no kernel for {wanted.operator}"
        schema = _schema(wanted)
        since = schema.since_version if schema else wanted.opset
        fitting = [kernel for kernel in some if _of_version(kernel, since)]
        if not fitting:
            return Rule.OPSET, f"has no kernel for {wanted.operator} in opset {wanted.opset}"
        if schema and not any(_accepts(kernel, schema, wanted) for kernel in fitting):
            types = ", ".join(dict.fromkeys(_words(t) for t in wanted.inputs if t))
            said = f"has no kernel for {wanted.operator} in opset {wanted.opset} with {types}"
            return Rule.TYPE, said
        return Rule.NONE, ""


def kernel_table(provider: str) -> KernelTable:
    """Ask the runtime for the kernels of a provider, built in or plugged in."""
    kernels: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for kernel in _definitions(provider):
        kernels[_domain(kernel.domain), kernel.op_name].append(kernel)
    return KernelTable(provider, dict(kernels))


def _definitions(provider: str) -> list[Any]:
    if not hasattr(runtime, "get_registered_ep_kernel_defs"):
        return []  # builds of before 1.25 with a provider that compiles crash when asked
    own = [k for k in runtime.get_all_opkernel_def() if k.provider == provider]
    if own:
        return own
    try:
        return list(runtime.get_registered_ep_kernel_defs(provider))
    except RuntimeError:
        return []  # the runtime's way to say that no plugin of that name is registered


def _schema(wanted: KernelQuery) -> Any:
    try:
        return onnx.defs.get_schema(wanted.operator, wanted.opset, _domain(wanted.domain))
    except onnx.defs.SchemaError:
        return None


def _of_version(kernel: Any, since: int) -> bool:
    """Return whether a kernel is for the form of an operator that came with version `since`.

    One with an open end is only for the form it was written for: the next may be another.
    """
    first, last = kernel.version_range
    return bool(first == since or (last != _OPEN and first < since <= last))


def _accepts(kernel: Any, schema: Any, wanted: KernelQuery) -> bool:
    allowed = kernel.type_constraints
    for types, formal in ((wanted.inputs, schema.inputs), (wanted.outputs, schema.outputs)):
        for slot, given in enumerate(types):
            if not given or not formal:
                continue
            parameter = formal[min(slot, len(formal) - 1)]
            for key in (parameter.type_str, parameter.name):
                if key in allowed and given not in allowed[key]:
                    return False
    return True


def _domain(domain: str) -> str:
    return "" if domain in _STANDARD else domain


def _words(runtime_type: str) -> str:
    return type_names.kind_and_dtype(runtime_type)[1]
