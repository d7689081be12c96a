"""Placement queries: the layers that a device could run, according to its provider.

All layers in question are put into one model, each isolated with inputs of its own, and the
runtime reports where it would run them. This happens in a process of its own after a
measurement: a crash of a driver loses an answer, never the report.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import Any

from msgspec import Struct, structs
from onnx import ModelProto, NodeProto, TensorProto

from inspector.backends.onnxruntime.graphs.layer_names import rename
from inspector.backends.onnxruntime.graphs.tensor_types import (
    WITHOUT_PREPARATION,
    TypedGraph,
    described,
    is_exact,
    runtime_name,
    typed_graphs,
)
from inspector.backends.onnxruntime.placement import absent_devices
from inspector.backends.onnxruntime.placement.isolated_layers import (
    WITH_SUBGRAPH,
    Isolated,
    isolate,
    without,
)
from inspector.backends.onnxruntime.placement.kernel_registry import (
    KernelQuery,
    KernelTable,
    kernel_table,
)
from inspector.backends.onnxruntime.sessions import devices, explanations, providers
from inspector.backends.onnxruntime.sessions.devices import DeviceHandle
from inspector.backends.onnxruntime.sessions.session import create_session, receives_options
from inspector.errors import EngineFailed, InspectorError
from inspector.formats import opening
from inspector.report.report_values import Support
from inspector.report.run_spec import RunSpec
from inspector.wording.support_marks import Mark, Rule, Source

_SMALL = 1024  # elements; the values of such a constant may be axes or a shape
MOST_SESSIONS = 64
_MOST_TRIES = 50
_MOST_ALONE = 40
_PROBE_NAME = re.compile(r"\bn(\d+)(?!\d)(?:_L(\d+))?")
_NO_KERNEL = "NOT_IMPLEMENTED"
_TAKEN = "The layer could run here, but a device with higher priority ran it."
_NOT_CHOSEN = (
    "The layer could run here, but ONNX Runtime placed it elsewhere, possibly to avoid copies."
)
_NEEDS_FIXED = "supports it only with fixed shapes, but the model has dynamic axes"
_UNKNOWN_RULE = (
    "rejected this {}: a shape, rank or attribute is not supported, or the provider prefers "
    "the CPU for it"
)
_CLAIMED = "The {} provider accepted the layer, then failed: {}."
_ASIDE = "The provider supports the layer, but not with the options that were set ({})."
_UNASKED = "The layer could run here, but this measurement did not use the device."
_TAKING = (Mark.SUPPORTED, Mark.CAST, Mark.DECOMPOSED)
_WIDENED = ("float16", "bfloat16")  # what a CPU without kernels for it computes in float32


def signature(node: NodeProto, graph: TypedGraph) -> bytes:
    """Return equal keys for layers that are the same to a device; it is asked once a key.

    Such layers differ only in names and in values of large weights.
    """
    plain = NodeProto(op_type=node.op_type, domain=node.domain, attribute=node.attribute)
    parts = [plain.SerializeToString(deterministic=True)]
    for name in (*node.input, *node.output):
        constant, kind = graph.constants.get(name), graph.types.get(name)
        if constant is not None:
            small = prod(constant.dims) <= _SMALL and not constant.external_data
            shape = TensorProto(data_type=constant.data_type, dims=constant.dims)
            if small:
                shape.CopyFrom(constant)
                shape.ClearField("name")
            parts.append(bytes(shape.SerializeToString(deterministic=True)))
        else:
            parts.append(b"" if kind is None else kind.SerializeToString(deterministic=True))
    return b"|".join(parts)


Load = Callable[[Sequence[int]], object]


def blocking_layers(
    layers: Sequence[int], load: Load, failure: EngineFailed
) -> dict[int, EngineFailed]:
    """Find the layers that fail alone, and how each does.

    layers: that do not load together. load: loads some of them, or raises EngineFailed.
    failure: of all together. Empty where none fails alone, or the search takes too long.
    """
    failures: dict[int, EngineFailed] = {}
    waiting: list[tuple[Sequence[int], EngineFailed]] = [(layers, failure)]
    sessions = 0
    while waiting and sessions < MOST_SESSIONS:
        some, why = waiting.pop()
        if len(some) == 1:
            failures[some[0]] = why
            continue
        middle = len(some) // 2
        for half in (some[:middle], some[middle:]):
            sessions += 1
            try:
                load(half)
            except EngineFailed as error:
                waiting.append((half, error))
    return failures


Answers = dict[int, Support]


class PlacementQuery(Struct, frozen=True, eq=False):
    """The model whose layers are queried, and how it is run.

    model: with the names of `naming.rename`. graphs: with the types as the model has them.
    fixed: with the shapes of the inputs that it was run with; the same when no axis is free.
    folder: where its weights and side files lie.
    """

    model: ModelProto
    graphs: Sequence[TypedGraph]
    fixed: Sequence[TypedGraph]
    spec: RunSpec
    folder: Path


def query_devices(
    question: PlacementQuery,
    layers_of: Mapping[str, Sequence[int]],
    units: Sequence[DeviceHandle],
) -> dict[str, Answers]:
    """Find out how layers relate to devices. layers_of: id of a device -> layers."""
    answers: dict[str, Answers] = {}
    for unit in units:
        layers = layers_of.get(unit.device.id, ())
        if layers:
            answers[unit.device.id] = query_device(question, layers, unit)
    return answers


def query_device(
    question: PlacementQuery, layers: Sequence[int], unit: DeviceHandle
) -> Answers:
    """Find out for each layer how it relates to one device.

    A device that refuses a layer with a free axis is asked again with fixed shapes, and one
    that was given options is asked again without them.
    """
    given = question.spec.provider_options
    if given and not receives_options(question.spec, unit):
        question = structs.replace(question, spec=replace(question.spec, provider_options=()))
    try:
        answers = _Probe(question, question.graphs, unit).ask(layers)
    except EngineFailed as error:
        return dict.fromkeys(layers, _unknown(error.why))
    answers |= _kept_away(question, answers, unit)
    return answers | _for_want_of_lengths(question, answers, unit)


def query_unused_device(question: PlacementQuery, unit: DeviceHandle) -> Answers:
    """Return which layers an available device that was not requested would support."""
    plain = structs.replace(question, spec=replace(question.spec, provider_options=()))
    nodes = (node for graph in question.graphs for node in graph.graph.node)
    layers = sorted(int(node.name[1:]) for node in nodes if node.op_type != "Constant")
    answers = query_device(plain, layers, unit)
    return {
        layer: replace(answer, mark=Mark.EXCLUDED, reason=_UNASKED)
        if answer.mark in _TAKING
        else answer
        for layer, answer in answers.items()
    }


def _kept_away(question: PlacementQuery, answers: Answers, unit: DeviceHandle) -> Answers:
    """Find the layers that a device refuses for the options that it was given."""
    given = question.spec.provider_options
    refused = [
        n for n, answer in answers.items() if answer.mark in (Mark.UNSUPPORTED, Mark.FAILED)
    ]
    if not given or not refused:
        return {}
    plain = structs.replace(question, spec=replace(question.spec, provider_options=()))
    try:
        again = _Probe(plain, question.graphs, unit).ask(refused)
    except EngineFailed:
        return {}
    reason = _ASIDE.format(", ".join(f"{each.key}={each.value}" for each in given))
    answer = _probed(Mark.EXCLUDED, reason)
    return {n: answer for n in refused if again[n].mark in _TAKING}


def _for_want_of_lengths(
    question: PlacementQuery, answers: Answers, unit: DeviceHandle
) -> Answers:
    refused = [n for n, answer in answers.items() if answer.mark is Mark.UNSUPPORTED]
    untold = [n for n in refused if answers[n].rule in (Rule.NONE, Rule.RANK)]
    if question.fixed is question.graphs or not untold:
        return {}
    try:
        again = _Probe(question, question.fixed, unit).ask(untold)
    except EngineFailed:
        return {}
    name = providers.builtin(unit.device.provider).name
    answer = _probed(
        Mark.UNSUPPORTED, f"The {name} provider {_NEEDS_FIXED}.", Rule.DYNAMIC_SHAPE
    )
    return {n: answer for n in untold if again[n].mark in _TAKING}


class _Probe:
    """Asks one device about layers of one model."""

    def __init__(
        self, question: PlacementQuery, graphs: Sequence[TypedGraph], unit: DeviceHandle
    ) -> None:
        self._question, self._graphs, self._unit = question, graphs, unit
        self._provider = unit.device.provider
        self._table: KernelTable = kernel_table(self._provider)
        self._nodes = {
            node.name: (node, graph) for graph in graphs for node in graph.graph.node
        }
        self._alone: dict[bytes, Support] = {}

    def ask(self, layers: Sequence[int]) -> Answers:
        """Find out for each layer how it relates to the device. Raises EngineFailed."""
        if not self._table.kernels:  # it compiles: layers are taken with their neighbors
            return self._ask(layers, whole_units=True)
        alike: dict[object, list[int]] = defaultdict(list)
        for layer in layers:
            node = self._nodes.get(f"L{layer}")
            alike[signature(*node) if node else layer].append(layer)
        answers = self._ask([same[0] for same in alike.values()], whole_units=False)
        return {layer: answers[same[0]] for same in alike.values() for layer in same}

    def _ask(self, layers: Sequence[int], whole_units: bool) -> Answers:
        model = self._question.model
        isolated = isolate(model, layers, self._graphs, whole_units)
        homes, answers = self._homes(isolated)
        for layer, why in isolated.left_out.items():
            listed = why == WITH_SUBGRAPH and self._table.kernels
            answers[layer] = self._listed(layer) if listed else _unknown(why)
        rest = [layer for layer in layers if layer not in answers]
        for layer, home in homes_of(rest, isolated, homes, self._provider).items():
            answers[layer] = self._answer(layer, home)
        return answers

    def _homes(self, isolated: Isolated) -> tuple[dict[int, str], Answers]:
        """Return the provider that the runtime chose for each layer, and refused layers."""
        failures: Answers = {}
        while isolated.layers:
            try:
                session = self._session(isolated)
            except EngineFailed as error:
                if len(failures) >= _MOST_TRIES:
                    raise
                blamed = self._blamed(isolated, error)
                failures |= blamed
                isolated = without(isolated, blamed)
                continue
            return _assigned(session.get_provider_graph_assignment_info()), failures
        return {}, failures

    def _blamed(self, isolated: Isolated, error: EngineFailed) -> Answers:
        """Return which layers keep the others from being loaded. Raises EngineFailed: none."""
        cause = str(error.__cause__)
        named = _PROBE_NAME.search(cause)
        if named and int(named[1]) in isolated.layers:
            layer = int(named[1])
            lacks_kernel = _NO_KERNEL in cause
            return {layer: self._refused(layer) if lacks_kernel else self._failed(layer, error)}
        if self._provider == providers.CPU or not devices.is_working(self._unit):
            raise error

        def load(some: Sequence[int]) -> Any:
            others = set(isolated.layers) - set(some)
            return self._session(without(isolated, others))

        blocking = blocking_layers(isolated.layers, load, error)
        if not blocking:
            raise error
        return {layer: self._failed(layer, why) for layer, why in blocking.items()}

    def _failed(self, layer: int, error: EngineFailed) -> Support:
        """Distinguish a device that fails at a layer it claims from one that never loads."""
        if self._provider == providers.CPU:
            return _unknown(error.why)
        alone = isolate(self._question.model, [layer], self._graphs)
        try:
            self._session(alone, ())
        except EngineFailed:
            return _unknown(error.why)  # the CPU does not load it either
        name = providers.builtin(self._provider).name
        return _probed(Mark.FAILED, _CLAIMED.format(name, explanations.without_node(error.why)))

    def _session(self, isolated: Isolated, units: Sequence[DeviceHandle] | None = None) -> Any:
        """Load what is isolated on the device, or on others; none is the CPU alone."""
        spec = replace(self._question.spec, optimization="none", dimensions=())
        return create_session(
            isolated.model.SerializeToString(),
            spec if units is None else replace(spec, provider_options=()),
            [self._unit] if units is None else units,
            config=WITHOUT_PREPARATION,
            external_folder=self._question.folder,
        )

    def _answer(self, layer: int, home: str | None) -> Support:
        if home is None:
            node, graph = self._nodes[f"L{layer}"]
            key = signature(node, graph)
            if key not in self._alone:
                if len(self._alone) >= _MOST_ALONE:
                    return _unknown("ONNX Runtime replaced the layer with several operators")
                self._alone[key] = self._parts(layer, node)
            return self._alone[key]
        if home != self._provider:
            return self._refused(layer)
        rule, _ = self._table.objection(self._wanted(layer))
        if rule is Rule.TYPE and self._wide(layer):
            return _probed(Mark.CAST, "The layer would run in float32 between casts.")
        cpu = self._provider == providers.CPU
        return _probed(Mark.SUPPORTED, _TAKEN if cpu else _NOT_CHOSEN)

    def _listed(self, layer: int) -> Support:
        """Control flow cannot stand alone; its kernel is listed, or it is not."""
        rule, _ = self._table.objection(self._wanted(layer))
        if rule:
            return self._refused(layer)
        name = providers.builtin(self._provider).name
        operator = self._nodes[f"L{layer}"][0].op_type
        return Support(Mark.SUPPORTED, Source.TABLE, f"{name} has a kernel for {operator}.")

    def _parts(self, layer: int, node: NodeProto) -> Support:
        alone = isolate(self._question.model, [layer], self._graphs)
        try:
            parts = self._session(alone).get_provider_graph_assignment_info()
        except EngineFailed as error:
            return _unknown(error.why)
        assigned = [
            (part.ep_name, inner.op_type) for part in parts for inner in part.get_nodes()
        ]
        own_operators = {operator for owner, operator in assigned if owner == self._provider}
        others = {operator for owner, operator in assigned if owner != self._provider}
        if own_operators and not others:
            return _probed(
                Mark.DECOMPOSED, f"The layer would run as {', '.join(sorted(own_operators))}."
            )
        if others and not self._table.kernels:
            return self._refused(layer)
        name = providers.builtin(self._provider).name
        text = (
            f"The {name} provider has no kernel for {node.op_type} and cannot run all of its "
            f"component operators: not {', '.join(sorted(others))}."
            if others
            else f"The {name} provider did not report where this {node.op_type} would run."
        )
        return _probed(Mark.UNSUPPORTED, text, Rule.OPERATOR)

    def _refused(self, layer: int) -> Support:
        name = providers.builtin(self._provider).name
        query = self._wanted(layer)
        rule, objection = (
            self._table.objection(query) if self._table.kernels else (Rule.NONE, "")
        )
        reason = objection or _UNKNOWN_RULE.format(query.operator)
        return _probed(Mark.UNSUPPORTED, f"The {name} provider {reason}.", rule)

    def _wide(self, layer: int) -> bool:
        """Return whether a layer is in half precision."""
        query = self._wanted(layer)
        kinds = {f"tensor({kind})" for kind in _WIDENED}
        return not kinds.isdisjoint((*query.inputs, *query.outputs))

    def _wanted(self, layer: int) -> KernelQuery:
        node, graph = self._nodes[f"L{layer}"]
        opsets = self._question.model.opset_import
        versions = {entry.domain or "ai.onnx": entry.version for entry in opsets}
        return KernelQuery(
            node.op_type,
            node.domain,
            versions.get(node.domain or "ai.onnx", 1),
            tuple(_kind(name, graph) for name in node.input),
            tuple(_kind(name, graph) for name in node.output),
        )


def homes_of(
    layers: Iterable[int], isolated: Isolated, homes: Mapping[int, str], first: str
) -> dict[int, str | None]:
    """Find the provider of each layer: that of the layers in whose units it is.

    homes: of the layers that were asked. first: the provider that counts where units differ.
    """
    home_of: dict[int, str | None] = {}
    for layer in layers:
        owned = [homes[o] for o in isolated.units.get(layer, ()) if o in homes]
        home_of[layer] = first if first in owned else next(iter(owned), None)
    return home_of


def _kind(name: str, graph: TypedGraph) -> str:
    return runtime_name(graph.types.get(name))


def _assigned(parts: Sequence[Any]) -> dict[int, str]:
    names = ((part.ep_name, node.name) for part in parts for node in part.get_nodes())
    matches = ((owner, _PROBE_NAME.match(name)) for owner, name in names)
    return {int(name[1]): owner for owner, name in matches if name and name[2] is None}


def _probed(mark: Mark, reason: str, rule: Rule = Rule.NONE) -> Support:
    return Support(mark, Source.PROBED, reason, rule)


def _unknown(why: str) -> Support:
    return _probed(Mark.UNKNOWN, f"Not tested: {why}.")


Shapes = Mapping[str, tuple[int, ...]]


def answer_support_query(
    model: Path, spec: RunSpec, shapes: Shapes, layers: Mapping[str, Sequence[int]]
) -> dict[str, Answers]:
    """Query the devices, and for `spec.predict` the available ones or else their tables.

    Runs in an engine process.

    shapes: of the inputs that the model was run with. Raises BadInput, EngineFailed,
    UnreadableFile.
    """
    renamed, naming = rename(opening.skeleton(model))
    graphs = typed_graphs(renamed, spec, {}, opening.home(model))
    free = any(shape and not is_exact(graphs[0].types.get(n)) for n, shape in shapes.items())
    fixed = typed_graphs(renamed, spec, shapes, opening.home(model)) if free else graphs
    question = PlacementQuery(renamed, graphs, fixed, spec, opening.home(model))
    answers = query_devices(question, layers, devices.resolve(layers))
    absent = []
    for name in spec.predict:
        unit = _present_device(name)
        if unit is None:
            absent.append(name)
        else:
            answers[name] = query_unused_device(question, unit)
    puzzling = {
        device: kind
        for device in answers
        if (kind := _unexplained_kind(device, answers[device]))
    }
    if absent or puzzling:
        values = {
            naming.tensor(name): described(naming.tensor(name), kind)
            for graph in reversed(graphs)
            for name, kind in graph.types.items()
        }
        requested = dict.fromkeys((*absent, *puzzling.values()))
        opened = opening.open_model(model)
        weights = absent_devices.small_weights(opened, model)
        predicted = absent_devices.predict(opened, requested, values, weights)
        for device, kind in puzzling.items():
            answers[device] = with_table_reasons(answers[device], predicted[kind])
        answers |= {name: dict(enumerate(predicted[name])) for name in absent}
    return answers


def _present_device(name: str) -> DeviceHandle | None:
    """Find a device that a table is of, where this machine has it after all."""
    try:
        return next(iter(devices.resolve([name])))
    except InspectorError:
        return None


def _unexplained_kind(device: str, answers: Answers) -> str:
    """Name the table that may say why a device refuses what it gives no reason for."""
    kind = device.partition(":")[0]
    silent = any(a.mark is Mark.UNSUPPORTED and not a.rule for a in answers.values())
    return kind if silent and kind in absent_devices.KNOWN else ""


def with_table_reasons(answers: Answers, table: Sequence[Support]) -> Answers:
    """Take the rule from the table where a device refuses without a reason of its own."""
    completed = {}
    for layer, answer in answers.items():
        entry = table[layer]
        if answer.mark is Mark.UNSUPPORTED and not answer.rule and entry.rule:
            why = (
                f"{answer.reason} Possible reason, from the published support table: "
                f"{entry.reason}"
            )
            answer = replace(answer, rule=entry.rule, reason=why)
        completed[layer] = answer
    return completed
