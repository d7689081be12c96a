"""The latency of a changed model beside the original's, estimated before it is measured.

benchmarks/time_gained.py holds estimates against ratios that it measures, leaves each family
of models out once, and writes resources/estimates/actions.json: only what it names is told.
"""

import os

import msgspec
from msgspec import Struct

from inspector.analysis.cost.latency import Efficiency, latency, loads
from inspector.analysis.devices.known_devices import measured_devices
from inspector.app.estimates import cost_at
from inspector.app.estimating.device_estimates import measured_here
from inspector.conversion.result import Conversion
from inspector.engine.client.engine import Engine
from inspector.errors import Cancelled, InspectorError
from inspector.formats.opening import open_model
from inspector.platform import files
from inspector.report.improvement import Foretold
from inspector.report.run_spec import RunSpec


class ActionError(Struct, frozen=True):
    """How far estimated ratios of latencies were off for an action.

    device: the id of an `Efficiency`. pairs, families: that were left out and foretold. factor:
    by which estimates are too low. median_error, bound: as of an `Efficiency`. inside: how many
    lay within the bound of other families. date: when it was measured.
    """

    action: str
    device: str
    pairs: int
    families: int
    factor: float
    median_error: float
    bound: float
    inside: int
    date: str


def known_errors() -> tuple[ActionError, ...]:
    """Return the actions whose change in latency can be estimated."""
    body = files.resource("estimates", "actions.json").read_bytes()
    return msgspec.json.decode(body, type=tuple[ActionError, ...])


def time_gained(engine: Engine, made: Conversion, spec: RunSpec) -> Foretold | None:
    """Return the ratio of latencies of a changed model and its original; None where nothing
    validates it: another processor or device, or a recipe of other or several actions.

    Raises Cancelled.
    """
    actions = {step.action for step in made.steps}
    for error in known_errors():
        device = measured_devices()[error.device]
        if {error.action} != actions or not _runs_on(spec, device):
            continue
        try:
            ratio = _ratio(engine, made, device)
        except Cancelled:
            raise
        except InspectorError:  # an extra, which must not cost the candidate
            continue
        if ratio is not None:
            ratio *= error.factor
            return Foretold(ratio, ratio / error.bound, ratio * error.bound)
    return None


def _runs_on(spec: RunSpec, device: Efficiency) -> bool:
    threads = spec.threads or os.cpu_count()
    return spec.devices in ((), ("cpu",)) and threads == device.threads


def _ratio(engine: Engine, made: Conversion, device: Efficiency) -> float | None:
    rates, same = measured_here(engine, (), device)
    if not same:
        return None
    times = []
    for path in (made.original, made.path):
        model = open_model(path)
        asked = loads(model, cost_at(engine, path, model, {}), wide=True)
        times.append(latency(asked, rates, device).time_ns or 0.0)
    before, after = times
    return after / before if before else None
