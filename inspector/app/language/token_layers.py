"""Where the time of one token went: its step timed again, at the same context, by layers."""

from dataclasses import replace
from pathlib import Path

from msgspec import Struct

from inspector.analysis.language.attention import position_limit
from inspector.analysis.language.roles import Role, roles
from inspector.app.language.speed import token_by_token
from inspector.app.measure import measure_once, setup
from inspector.app.subjects import Subject
from inspector.engine.client.engine import Engine
from inspector.errors import BadInput
from inspector.formats.opening import open_model
from inspector.report.run_spec import RunSpec
from inspector.units import clip
from inspector.wording.values import Sentence

_STEPS = 8  # counted after the context, of which the median is the time of the step
_RUNS = 2


class TokenLayers(Struct, frozen=True):
    """The layers of a step by role, those that take longest first.

    context: tokens before it. step_ns: of the step, and between_ns: of the runtime between its
    layers.
    """

    context: int
    step_ns: int
    between_ns: int
    roles: tuple[Role, ...]


def token_layers(engine: Engine, path: Path, spec: RunSpec, context: int) -> TokenLayers:
    """Time the layers of a step with so many tokens before it.

    The tokens are random ones: a dense model takes as long for each. Raises BadInput: the
    runtime does not say how long layers take, or two graphs take turns. EngineFailed.
    """
    model = open_model(path)
    limit = position_limit(model)
    steps = max(1, min(_STEPS, limit - context)) if limit else _STEPS
    asked = replace(
        spec, prompt_tokens=(), contexts=(context,), new_tokens=steps, batches=(1,), runs=_RUNS,
        warmup=1, seconds=0.0,
    )  # fmt: skip
    own = setup(token_by_token(Subject.of(path, model, asked)))
    report = measure_once(engine, own)
    speed = report.generation
    phase = speed.decode_layers if speed is not None else None
    if phase is None:
        what = Sentence("Could not time the layers of {name}", clip(model.name))
        why = Sentence(
            "{runtime} does not say how long they take", report.environment.runtime_name
        )
        raise BadInput(what, report.notes[-1] if report.notes else why)
    found = tuple(role for role in roles(report) if role.decode_ns)
    return TokenLayers(context, phase.run_ns, phase.profiling.between_ns, found)
