"""Which layers a device could run, asked of its own execution provider.

All layers in question are put into one model, each alone with inputs of its own, and the
runtime is asked where it would run them.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from onnx import ModelProto, NodeProto

from inspector.engine import providers
from inspector.engine.devices import Unit
from inspector.engine.isolation import WITH_SUBGRAPH, Isolated, isolate, without
from inspector.engine.kernels import KernelTable, Wanted, kernel_table
from inspector.engine.session import create_session
from inspector.engine.signatures import signature
from inspector.engine.tensor_types import WITHOUT_PREPARATION, runtime_name
from inspector.engine.typed_graphs import TypedGraph
from inspector.errors import EngineFailed
from inspector.report import Mark, Rule, RunSpec, Source, Support

_MOST_TRIES = 50
_MOST_ALONE = 40
_PROBE_NAME = re.compile(r"\bn(\d+)(?!\d)(?:_L(\d+))?")
_NO_KERNEL = "NOT_IMPLEMENTED"
_TAKEN = "It could run here, but a device that comes first took it."
_NOT_CHOSEN = "It could run here, but the runtime placed it elsewhere, perhaps to save copies."
_NEEDS_FIXED = "takes it only with fixed shapes, and here an axis is free"
_UNKNOWN_RULE = (
    "did not take this {}: a shape, a rank or an attribute does not fit, or it judged the CPU "
    "to be better"
)
_WIDENED = ("float16", "bfloat16")  # what a CPU without kernels for it computes in float32

Answers = dict[int, Support]


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """The model whose layers are asked about, and how it is run.

    model: with the names of `naming.rename`. graphs: with the types as the model has them.
    fixed: with the shapes of the inputs that it was run with; the same when no axis is free.
    folder: where its weights and side files lie.
    """

    model: ModelProto
    graphs: Sequence[TypedGraph]
    fixed: Sequence[TypedGraph]
    spec: RunSpec
    folder: Path


def ask(
    question: Question, asked: Mapping[str, Sequence[int]], units: Sequence[Unit]
) -> dict[str, Answers]:
    """Find out how layers relate to devices. asked: id of a device -> layers."""
    found: dict[str, Answers] = {}
    for unit in units:
        layers = asked.get(unit.device.id, ())
        if layers:
            found[unit.device.id] = ask_device(question, layers, unit)
    return found


def ask_device(question: Question, layers: Sequence[int], unit: Unit) -> Answers:
    """Find out for each layer how it relates to one device.

    A device that refuses a layer with a free axis is asked again with fixed shapes.
    """
    try:
        answers = _Probe(question, question.graphs, unit).ask(layers)
    except EngineFailed as error:
        return dict.fromkeys(layers, _unknown(error.why))
    refused = [n for n, said in answers.items() if said.mark is Mark.UNSUPPORTED]
    untold = [n for n in refused if answers[n].rule in (Rule.NONE, Rule.RANK)]
    if question.fixed is question.graphs or not untold:
        return answers
    try:
        again = _Probe(question, question.fixed, unit).ask(untold)
    except EngineFailed:
        return answers
    name = providers.builtin(unit.device.provider).name
    said = _probed(Mark.UNSUPPORTED, f"The {name} provider {_NEEDS_FIXED}.", Rule.DYNAMIC_SHAPE)
    taken = (Mark.SUPPORTED, Mark.CAST, Mark.DECOMPOSED)
    return answers | {n: said for n in untold if again[n].mark in taken}


class _Probe:
    """Asks one device about layers of one model."""

    def __init__(self, question: Question, graphs: Sequence[TypedGraph], unit: Unit) -> None:
        self._question, self._graphs, self._unit = question, graphs, unit
        self._provider = unit.device.provider
        self._table: KernelTable = kernel_table(self._provider)
        self._nodes = {
            node.name: (node, graph) for graph in graphs for node in graph.graph.node
        }
        self._alone: dict[bytes, Support] = {}

    def ask(self, layers: Sequence[int]) -> Answers:
        """Find out for each layer how it relates to the device. Raises EngineFailed."""
        if not self._table.kernels:  # it compiles: layers are taken with their neighbours
            return self._ask(layers, whole_units=True)
        alike: dict[object, list[int]] = defaultdict(list)
        for layer in layers:
            found = self._nodes.get(f"L{layer}")
            alike[signature(*found) if found else layer].append(layer)
        answers = self._ask([same[0] for same in alike.values()], whole_units=False)
        return {layer: answers[same[0]] for same in alike.values() for layer in same}

    def _ask(self, layers: Sequence[int], whole_units: bool) -> Answers:
        model = self._question.model
        isolated = isolate(model, layers, self._graphs, whole_units)
        homes, answers = self._homes(isolated)
        for layer, why in isolated.left_out.items():
            listed = why == WITH_SUBGRAPH and self._table.kernels
            answers[layer] = self._listed(layer) if listed else _unknown(why)
        for layer in layers:
            if layer not in answers:
                owners = [o for o in isolated.units.get(layer, ()) if o not in answers]
                owned = [homes[owner] for owner in owners if owner in homes]
                home = self._provider if self._provider in owned else next(iter(owned), None)
                answers[layer] = self._answer(layer, home)
        return answers

    def _homes(self, isolated: Isolated) -> tuple[dict[int, str], Answers]:
        """Let the runtime place the layers: layer -> provider, and those it would not load."""
        failures: Answers = {}
        while isolated.layers:
            try:
                session = self._session(isolated)
            except EngineFailed as error:
                cause = str(error.__cause__)
                culprit = _PROBE_NAME.search(cause)
                if culprit is None or len(failures) >= _MOST_TRIES:
                    raise
                layer = int(culprit[1])
                if layer not in isolated.layers:
                    raise
                known = _NO_KERNEL in cause
                failures[layer] = self._refused(layer) if known else _unknown(error.why)
                isolated = without(isolated, [layer])
                continue
            return _assigned(session.get_provider_graph_assignment_info()), failures
        return {}, failures

    def _session(self, isolated: Isolated) -> Any:
        return create_session(
            isolated.model.SerializeToString(),
            replace(self._question.spec, optimization="none", dimensions=()),
            [self._unit],
            config=WITHOUT_PREPARATION,
            external_folder=self._question.folder,
        )

    def _answer(self, layer: int, home: str | None) -> Support:
        if home is None:
            return self._decomposed(layer)
        if home != self._provider:
            return self._refused(layer)
        rule, _ = self._table.objection(self._wanted(layer))
        if rule is Rule.TYPE and self._wide(layer):
            return _probed(Mark.CAST, "It would run in float32 between casts.")
        cpu = self._provider == providers.CPU
        return _probed(Mark.SUPPORTED, _TAKEN if cpu else _NOT_CHOSEN)

    def _listed(self, layer: int) -> Support:
        """Control flow cannot stand alone; its kernel is listed, or it is not."""
        rule, _ = self._table.objection(self._wanted(layer))
        if rule:
            return self._refused(layer)
        name = providers.builtin(self._provider).name
        operator = self._nodes[f"L{layer}"][0].op_type
        return Support(Mark.SUPPORTED, Source.TABLE, f"{name} lists a kernel for {operator}.")

    def _decomposed(self, layer: int) -> Support:
        """The runtime put other operators in the layer's place: ask where those would run."""
        node, graph = self._nodes[f"L{layer}"]
        key = signature(node, graph)
        if key not in self._alone:
            if len(self._alone) >= _MOST_ALONE:
                return _unknown("the runtime replaced it by several operators")
            self._alone[key] = self._parts(layer, node)
        return self._alone[key]

    def _parts(self, layer: int, node: NodeProto) -> Support:
        alone = isolate(self._question.model, [layer], self._graphs)
        try:
            parts = self._session(alone).get_provider_graph_assignment_info()
        except EngineFailed as error:
            return _unknown(error.why)
        found = [(part.ep_name, inner.op_type) for part in parts for inner in part.get_nodes()]
        mine = {operator for owner, operator in found if owner == self._provider}
        others = {operator for owner, operator in found if owner != self._provider}
        if mine and not others:
            return _probed(Mark.DECOMPOSED, f"It would run as {', '.join(sorted(mine))}.")
        name = providers.builtin(self._provider).name
        said = (
            f"The {name} provider has no kernel for {node.op_type}, nor for all that it is "
            f"made of: not for {', '.join(sorted(others))}."
            if others
            else f"The {name} provider did not say where this {node.op_type} would run."
        )
        return _probed(Mark.UNSUPPORTED, said, Rule.OPERATOR)

    def _refused(self, layer: int) -> Support:
        name = providers.builtin(self._provider).name
        wanted = self._wanted(layer)
        rule, objection = (
            self._table.objection(wanted) if self._table.kernels else (Rule.NONE, "")
        )
        said = objection or _UNKNOWN_RULE.format(wanted.operator)
        return _probed(Mark.UNSUPPORTED, f"The {name} provider {said}.", rule)

    def _wide(self, layer: int) -> bool:
        """Whether a layer is in half precision."""
        wanted = self._wanted(layer)
        kinds = {f"tensor({kind})" for kind in _WIDENED}
        return not kinds.isdisjoint((*wanted.inputs, *wanted.outputs))

    def _wanted(self, layer: int) -> Wanted:
        node, graph = self._nodes[f"L{layer}"]
        opsets = self._question.model.opset_import
        versions = {entry.domain or "ai.onnx": entry.version for entry in opsets}
        return Wanted(
            node.op_type,
            node.domain,
            versions.get(node.domain or "ai.onnx", 1),
            tuple(_kind(name, graph) for name in node.input),
            tuple(_kind(name, graph) for name in node.output),
        )


def _kind(name: str, graph: TypedGraph) -> str:
    return runtime_name(graph.types.get(name))


def _assigned(parts: Sequence[Any]) -> dict[int, str]:
    names = ((part.ep_name, node.name) for part in parts for node in part.get_nodes())
    found = ((owner, _PROBE_NAME.match(name)) for owner, name in names)
    return {int(name[1]): owner for owner, name in found if name and name[2] is None}


def _probed(mark: Mark, reason: str, rule: Rule = Rule.NONE) -> Support:
    return Support(mark, Source.PROBED, reason, rule)


def _unknown(why: str) -> Support:
    return _probed(Mark.UNKNOWN, f"Not probed: {why}.")
