"""Which layers a device could run, asked of its own execution provider.

All layers in question are put into one model, each alone with inputs of its own, and the
runtime is asked where it would run them.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from onnx import ModelProto, TypeProto

from inspector.engine import providers
from inspector.engine.devices import Unit
from inspector.engine.isolation import Isolated, isolate, without
from inspector.engine.kernels import KernelTable, Wanted, kernel_table
from inspector.engine.session import create_session
from inspector.engine.tensor_types import WITHOUT_PREPARATION, runtime_name
from inspector.errors import EngineFailed
from inspector.report import LayerUse, Mark, RunSpec, Source, Support

_MOST_TRIES = 50
_PROBE_NAME = re.compile(r"\bn(\d+)(?!\d)")
_NO_KERNEL = "NOT_IMPLEMENTED"
_TAKEN = "It could run here, but a device that comes first took it."
_NOT_CHOSEN = "It could run here, but the runtime placed it elsewhere, perhaps to save copies."
_FROM_INTEGERS = "DequantizeLinear"
_QUANTIZED = ("QuantizeLinear", _FROM_INTEGERS)


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """The model whose layers are asked about, and how it is run.

    model: with the names of `naming.rename`. types: of the tensors of its main graph, empty
    when nobody knows them. folder: where its weights and side files lie.
    """

    model: ModelProto
    types: Mapping[str, TypeProto]
    spec: RunSpec
    folder: Path


def ask(
    question: Question, uses: Sequence[LayerUse], units: Sequence[Unit]
) -> tuple[LayerUse, ...]:
    """Complete the marks of layers by what each device would have run, too."""
    marks = [dict(use.devices) for use in uses]
    for unit in units:
        asked = [use.index for use in uses if unit.device.id not in use.devices]
        if not asked:
            continue
        try:
            answers = _Probe(question, unit).ask(asked)
        except EngineFailed as error:
            answers = dict.fromkeys(asked, _unknown(error.why))
        for layer, support in answers.items():
            marks[layer][unit.device.id] = support
    return tuple(replace(use, devices=each) for use, each in zip(uses, marks, strict=True))


class _Probe:
    """Asks one device about layers of one model."""

    def __init__(self, question: Question, unit: Unit) -> None:
        self._question, self._types, self._unit = question, question.types, unit
        self._table: KernelTable = kernel_table(unit.device.provider)
        graph = question.model.graph
        self._nodes = {node.name: node for node in graph.node}
        self._dequantized = {
            name
            for node in graph.node
            if node.op_type == _FROM_INTEGERS
            for name in node.output
        }

    def ask(self, layers: Sequence[int]) -> dict[int, Support]:
        """Find out for each layer how it relates to the device. Raises EngineFailed."""
        isolated = isolate(self._question.model, layers, self._types)
        homes, failures = self._homes(isolated)
        answers = {layer: _unknown(why) for layer, why in isolated.left_out.items()}
        answers |= {layer: self._answer(layer, homes.get(layer)) for layer in isolated.layers}
        return answers | failures

    def _homes(self, isolated: Isolated) -> tuple[dict[int, str], dict[int, Support]]:
        """Let the runtime place the layers: layer -> provider, and those it would not load."""
        failures: dict[int, Support] = {}
        while isolated.layers:
            try:
                session = create_session(
                    isolated.model.SerializeToString(),
                    replace(self._question.spec, optimization="none", dimensions=()),
                    [self._unit],
                    config=WITHOUT_PREPARATION,
                    external_folder=self._question.folder,
                )
            except EngineFailed as error:
                cause = str(error.__cause__)
                culprit = _PROBE_NAME.search(cause)
                if culprit is None or len(failures) >= _MOST_TRIES:
                    raise
                layer = int(culprit[1])
                known = _NO_KERNEL in cause
                failures[layer] = self._refused(layer) if known else _unknown(error.why)
                isolated = without(isolated, layer)
                continue
            return _assigned(session.get_provider_graph_assignment_info()), failures
        return {}, failures

    def _answer(self, layer: int, home: str | None) -> Support:
        provider = self._unit.device.provider
        objection = self._table.objection(self._wanted(layer))
        if home is None and provider == providers.CPU:
            return _probed(Mark.DECOMPOSED, "It would run as several operators.")
        if home is None:
            return _unknown("the runtime replaced it by several operators")
        if home != provider and not self._table.kernels and self._is_quantized(layer):
            return _unknown("the device takes quantised layers only as groups")
        if home != provider:
            return self._refused(layer)
        if objection and "float16" in objection:
            return _probed(Mark.CAST, "It would run in float32 between casts.")
        return _probed(Mark.SUPPORTED, _TAKEN if provider == providers.CPU else _NOT_CHOSEN)

    def _refused(self, layer: int) -> Support:
        name = providers.builtin(self._unit.device.provider).name
        wanted = self._wanted(layer)
        objection = self._table.objection(wanted) or (
            f"did not take this {wanted.operator}: a shape, a rank or an attribute does not "
            "fit, or it judged the CPU to be better"
        )
        return _probed(Mark.UNSUPPORTED, f"The {name} provider {objection}.")

    def _is_quantized(self, layer: int) -> bool:
        node = self._nodes[f"L{layer}"]
        return node.op_type in _QUANTIZED or not self._dequantized.isdisjoint(node.input)

    def _wanted(self, layer: int) -> Wanted:
        model = self._question.model
        node = self._nodes[f"L{layer}"]
        versions = {entry.domain or "ai.onnx": entry.version for entry in model.opset_import}
        return Wanted(
            node.op_type,
            node.domain,
            versions.get(node.domain or "ai.onnx", 1),
            tuple(runtime_name(self._types.get(name)) for name in node.input),
            tuple(runtime_name(self._types.get(name)) for name in node.output),
        )


def _assigned(parts: Sequence[Any]) -> dict[int, str]:
    names = ((part.ep_name, node.name) for part in parts for node in part.get_nodes())
    found = ((owner, _PROBE_NAME.match(name)) for owner, name in names)
    return {int(name[1]): owner for owner, name in found if name}


def _probed(mark: Mark, reason: str) -> Support:
    return Support(mark, Source.PROBED, reason)


def _unknown(why: str) -> Support:
    return _probed(Mark.UNKNOWN, f"Not probed: {why}.")
