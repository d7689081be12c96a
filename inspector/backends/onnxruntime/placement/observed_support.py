"""How each layer relates to each device, as far as the real session shows it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from inspector.backends.onnxruntime.attribution.attribution import Attribution
from inspector.backends.onnxruntime.profiling.kernel_times import KernelUsage
from inspector.report.report import Device, LayerUse, Support
from inspector.report.support_marks import Mark, Source, Status
from inspector.trace.trace import Kind
from inspector.units import clip
from inspector.units import device as device_words

_FOR_PRECISION = "InsertedPrecisionFreeCast_"
_GONE = {
    Status.FOLDED: "It depends on no input, so it was computed while loading.",
    Status.MERGED: "Another layer computes the same value.",
    Status.MOVED: "The optimiser moved its work to another place.",
    Status.ELIMINATED: "It changes nothing here, so the optimiser removed it.",
    Status.DEAD: "Nothing needs its output.",
}
_NOT_TAKEN = "The branch that it is part of was not taken with these inputs."
_COMPILED = "It runs inside a part that the device compiled as a whole."
_STAYED = "This configuration keeps the layer on the CPU, so the device was not offered it."
_UNEXPLAINED = "What became of it is not known."

Marks = dict[str, Support]


def observed_marks(
    uses: Sequence[LayerUse],
    attribution: Attribution,
    found: Sequence[KernelUsage],
    assigned: Mapping[str, str],
    devices: Sequence[Device],
    staying: frozenset[int] = frozenset(),
) -> tuple[Marks, ...]:
    """Mark for each layer what the session shows, by device id.

    A device is left out where only asking it can tell. assigned: name of a node -> id of the
    device that the runtime gave it to. staying: layers that were to stay on the CPU.
    """
    reasons = _reasons(attribution, found)
    planned = {
        layer: assigned[name]
        for node in attribution.executed
        for layer in node.layers
        for name in (node.name, f"L{layer}")
        if name in assigned
    }
    found_marks = (
        _marks(use, uses, reasons.get(use.index, ""), planned.get(use.index), devices)
        for use in uses
    )
    return tuple(
        _kept_away(marks, devices) if use.index in staying else marks
        for use, marks in zip(uses, found_marks, strict=True)
    )


def strayed(uses: Sequence[LayerUse], staying: frozenset[int], cpu: str) -> tuple[str, ...]:
    """Tell of layers that were to stay on the CPU and ran elsewhere, and with which one."""
    told = []
    for use in (uses[index] for index in sorted(staying)):
        lead = use if use.into is None else uses[use.into]
        if lead.ran_on is not None and lead.ran_on != cpu:
            where = device_words(lead.ran_on)
            with_it = f", fused into '{clip(lead.name, 80)}'" if lead is not use else ""
            hint = " Keep that one on the CPU as well." if lead is not use else ""
            told.append(
                f"'{clip(use.name, 80)}' was to stay on the CPU, but ran on {where}"
                f"{with_it}.{hint}"
            )
    return tuple(told)


def _kept_away(marks: Marks, devices: Sequence[Device]) -> Marks:
    """Add why the others did not run a layer that stayed on the CPU."""
    away = Support(Mark.EXCLUDED, Source.MEASURED, _STAYED)
    return {device.id: away for device in devices if device.id not in marks} | marks


def _marks(
    use: LayerUse,
    uses: Sequence[LayerUse],
    reason: str,
    planned: str | None,
    devices: Sequence[Device],
) -> Marks:
    if use.status in _GONE:
        gone = Support(Mark.FOLDED, Source.MEASURED, _GONE[use.status])
        return {device.id: gone for device in devices}
    if use.status is Status.NOT_REACHED:
        not_taken = Support(Mark.UNKNOWN, Source.MEASURED, _NOT_TAKEN)
        marks = {device.id: not_taken for device in devices}
        if planned is not None:
            marks[planned] = Support(Mark.SUPPORTED, Source.MEASURED, _NOT_TAKEN)
        return marks
    home = use.ran_on if use.into is None else uses[use.into].ran_on
    if home is None:
        unknown = Support(Mark.UNKNOWN, Source.MEASURED, _UNEXPLAINED)
        return {device.id: unknown for device in devices}
    if use.status is Status.COMPILED:
        return {home: Support(Mark.RAN, Source.MEASURED, _COMPILED)}
    if use.into is not None:
        reason = f"Its time is part of '{uses[use.into].name}'."
        return {home: Support(Mark.FUSED, Source.MEASURED, reason)}
    return {home: Support(Mark.RAN, Source.MEASURED, reason)}


def _reasons(attribution: Attribution, found: Sequence[KernelUsage]) -> dict[int, str]:
    """Say of layers that ran in another way than they stand in the model how they did."""
    operators: dict[int, list[str]] = defaultdict(list)
    for usage in found:
        lead = None if usage.node is None else attribution.executed[usage.node].lead
        if lead is not None:
            operators[lead].append(usage.operator)
    several = {
        lead: f"It ran as several operators: {', '.join(dict.fromkeys(names))}."
        for lead, names in operators.items()
        if len(set(names)) > 1
    }
    return several | _through_casts(attribution, found)


def _through_casts(attribution: Attribution, found: Sequence[KernelUsage]) -> dict[int, str]:
    """Find the layers that the runtime put casts around for want of a kernel for their type."""
    by_node = {usage.node: usage for usage in found}
    reasons = {}
    for node in attribution.executed:
        usage = by_node.get(node.index)
        if node.kind is not Kind.CAST or not node.name.startswith(_FOR_PRECISION):
            continue
        if usage is None or not usage.inputs or not usage.outputs:
            continue
        # A cast before the layer leads from its own type, the one behind it leads back.
        given, wanted = usage.inputs[0][0], usage.outputs[0][0]
        if node.before is not None and given == "float16":
            reasons[node.before] = _ran_wider(given, wanted)
        elif node.after is not None and wanted == "float16":
            reasons[node.after] = _ran_wider(wanted, given)
    return reasons


def _ran_wider(own: str, used: str) -> str:
    wider = {"float": "float32", "double": "float64"}.get(used, used)
    return f"It ran in {wider} between casts, for want of a kernel in {own}."
