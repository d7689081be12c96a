"""List the kernels that an execution provider registers, and why none fits a layer."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import onnx
from msgspec import Struct
from onnxruntime.capi import _pybind_state as runtime

from inspector.backends import type_names
from inspector.wording.support_marks import Rule

_STANDARD = ("", "ai.onnx")
_OPEN = 2**31 - 1


class KernelQuery(Struct, frozen=True):
    """A layer as a kernel table sees it.

    opset: version of its domain that the model imports. inputs, outputs: the runtime's
    names of their types ("tensor(float16)"), "" where unknown.
    """

    operator: str
    domain: str
    opset: int
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


class KernelTable(Struct, frozen=True, eq=False):
    """The kernels of one provider by domain and operator; empty where it has no such list."""

    provider: str
    kernels: Mapping[tuple[str, str], Sequence[Any]]

    def objection(self, query: KernelQuery) -> tuple[Rule, str]:
        """Return why no kernel fits, as the end of a sentence; nothing when one fits."""
        some = self.kernels.get((_domain(query.domain), query.operator), ())
        if not some:
            return Rule.OPERATOR, f"has no kernel for {query.operator}"
        schema = _schema(query)
        since = schema.since_version if schema else query.opset
        fitting = [kernel for kernel in some if _of_version(kernel, since)]
        if not fitting:
            return Rule.OPSET, f"has no kernel for {query.operator} in opset {query.opset}"
        if schema and not any(_accepts(kernel, schema, query) for kernel in fitting):
            types = ", ".join(
                dict.fromkeys(type_names.kind_and_dtype(t)[1] for t in query.inputs if t)
            )
            text = f"has no kernel for {query.operator} in opset {query.opset} with {types}"
            return Rule.TYPE, text
        return Rule.NONE, ""


def kernel_table(provider: str) -> KernelTable:
    """Return the kernels of a provider, built in or plugged in, as the runtime lists them."""
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


def _schema(query: KernelQuery) -> Any:
    try:
        return onnx.defs.get_schema(query.operator, query.opset, _domain(query.domain))
    except onnx.defs.SchemaError:
        return None


def _of_version(kernel: Any, since: int) -> bool:
    """Return whether a kernel is for the form of an operator that came with version `since`.

    One with an open end is only for the form it was written for: the next may be another.
    """
    first, last = kernel.version_range
    return bool(first == since or (last != _OPEN and first < since <= last))


def _accepts(kernel: Any, schema: Any, query: KernelQuery) -> bool:
    allowed = kernel.type_constraints
    for types, formal in ((query.inputs, schema.inputs), (query.outputs, schema.outputs)):
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
