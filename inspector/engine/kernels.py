"""Which kernels an execution provider says it has, and why none fits a layer."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import onnx
from onnxruntime.capi import _pybind_state as runtime

from inspector.engine import element_types

_STANDARD = ("", "ai.onnx")


@dataclass(frozen=True, slots=True)
class Wanted:
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

    def objection(self, wanted: Wanted) -> str:
        """Say why no kernel fits, as the end of a sentence; "" when one fits."""
        some = self.kernels.get((_domain(wanted.domain), wanted.operator), ())
        if not some:
            return f"has no kernel for {wanted.operator}"
        schema = _schema(wanted)
        since = schema.since_version if schema else wanted.opset
        fitting = [k for k in some if k.version_range[0] <= since <= k.version_range[1]]
        if not fitting:
            return f"has no kernel for {wanted.operator} in opset {wanted.opset}"
        if schema and not any(_accepts(kernel, schema, wanted) for kernel in fitting):
            types = ", ".join(dict.fromkeys(_words(t) for t in wanted.inputs if t))
            return f"has no kernel for {wanted.operator} in opset {wanted.opset} with {types}"
        return ""


def kernel_table(provider: str) -> KernelTable:
    """Ask the runtime for the kernels of a provider, built in or plugged in."""
    found: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for kernel in _definitions(provider):
        found[_domain(kernel.domain), kernel.op_name].append(kernel)
    return KernelTable(provider, dict(found))


def _definitions(provider: str) -> list[Any]:
    own = [k for k in runtime.get_all_opkernel_def() if k.provider == provider]
    if own:
        return own
    try:
        return list(runtime.get_registered_ep_kernel_defs(provider))
    except RuntimeError:
        return []  # the runtime's way to say that no plugin of that name is registered


def _schema(wanted: Wanted) -> Any:
    try:
        return onnx.defs.get_schema(wanted.operator, wanted.opset, _domain(wanted.domain))
    except onnx.defs.SchemaError:
        return None


def _accepts(kernel: Any, schema: Any, wanted: Wanted) -> bool:
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
    return element_types.kind_and_dtype(runtime_type)[1]
