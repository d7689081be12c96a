"""Walk through the layers of a model: the output of each, perhaps beside another run's."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod
from pathlib import Path

from msgspec import Struct, field, structs

from inspector.analysis.measured.layer_outputs import Alone, Stepping
from inspector.app.layers import across_formats
from inspector.app.subjects import Subject
from inspector.backends.values import ComparisonRun
from inspector.engine.client.engine import Engine
from inspector.engine.client.exact_float16 import emulated_model, float16_spec
from inspector.engine.requests import GetTensor, GetTensors, RunLayer
from inspector.model.tensors.agreement import TOLERANCES
from inspector.model.tensors.prediction import OutputValue, Prediction
from inspector.preview.inputs.feeds import Filled, feeds_by_name
from inspector.preview.inputs.sample_inputs import first_example
from inspector.preview.runs.other_run import OtherRun

_AT_ONCE_BYTES = 256 << 20  # of tensors that are read in one run
_MOST_ITEM_BYTES = 8  # of one number


class Walk(Struct, frozen=True, eq=False):
    """The outputs of a model's layers for its inputs; single tensors can be read later.

    found: what each layer gave. against: the other run. others: tensors of the other side by
    our names, where that is another format.
    """

    subject: Subject
    filled: tuple[Filled, ...]
    against: ComparisonRun | None
    found: Stepping
    others: Mapping[str, OutputValue] = field(default_factory=dict)

    def tensor(self, engine: Engine, name: str) -> Prediction:
        """Return a tensor, ours and that of the other run if it has it. Raises
        InspectorError."""
        subject, feeds = self.subject, feeds_by_name(self.filled)
        answer = engine.call(GetTensor(subject.path, subject.spec, feeds, name, self.against))
        outputs = (*answer.outputs, *filter(None, (self.others.get(name),)))
        return structs.replace(answer, outputs=outputs)

    def tensors(
        self, engine: Engine, names: Sequence[str]
    ) -> Iterator[tuple[OutputValue, ...]]:
        """Yield the outputs that `tensor` returns for each, in as few runs as there is memory
        for; beside another run of the model one by one. Raises InspectorError."""
        subject, feeds = self.subject, feeds_by_name(self.filled)
        for group in self._groups(names) if self.against is None else ((n,) for n in names):
            found: dict[str, OutputValue] = {}
            if len(group) > 1:
                asked = GetTensors(subject.path, subject.spec, feeds, group)
                found = {output.name: output for output in engine.call(asked).outputs}
            for name in group:
                if name in found:
                    yield (found[name], *filter(None, (self.others.get(name),)))
                else:
                    yield self.tensor(engine, name).outputs

    def _groups(self, names: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """Yield names of tensors that fit into `_AT_ONCE_BYTES`."""
        outputs = (output for step in self.found.steps for output in step.outputs)
        sizes = {each.name: _MOST_ITEM_BYTES * prod(each.shape) for each in outputs}
        group, taken = list[str](), 0
        for name in names:
            if group and taken + sizes[name] > _AT_ONCE_BYTES:
                yield tuple(group)
                group, taken = [], 0
            group.append(name)
            taken += sizes[name]
        yield tuple(group)

    def alone(self, engine: Engine, layer: int, runs: int = 0) -> Alone:
        """Run one layer by itself, on what it got in the walk. runs: in place of those of the
        settings. Raises InspectorError."""
        subject, feeds = self.subject, feeds_by_name(self.filled)
        spec = replace(subject.spec, runs=runs) if runs else subject.spec
        return engine.call(RunLayer(subject.path, spec, feeds, layer))


def other_run(engine: Engine, subject: Subject, way: OtherRun | None) -> ComparisonRun | None:
    """Return another run as the engine takes it; what it does not name is as in the settings.

    Raises InspectorError: float16 cannot be emulated.
    """
    if way is None or way.reference:
        return None if way is None else ComparisonRun()
    if way.float16:
        path, _ = emulated_model(engine, subject.path, engine.private_folder())
        return ComparisonRun(float16_spec(subject.spec), str(path))
    model = str(Path(way.model).absolute()) if way.model else ""
    return ComparisonRun(way.spec(subject.spec), model)


def walk(
    engine: Engine,
    subject: Subject,
    way: OtherRun | None = None,
    tolerance: float | None = None,
) -> Walk:
    """Run each layer, with lengths of axes at which the model runs.

    way: the other run that outputs are held against. tolerance: from which they differ; by
    default that of their types. Raises InspectorError.
    """
    if way is None or not way.recorded:
        subject = _with_likely_inputs(subject)
    across = way is not None and across_formats.is_across(subject, way)
    against = None if across else other_run(engine, subject, way)
    if across and way is not None:
        subject = across_formats.with_inputs(subject, way)
    if tolerance is None and way is not None and way.float16:
        tolerance = TOLERANCES["float16"]
    path, spec = subject.path, subject.spec
    ran = subject.run(
        lambda filled: engine.steps(path, spec, feeds_by_name(filled), against, tolerance)
    )
    stepping = ran.result
    if ran.note:
        stepping = structs.replace(stepping, notes=(*stepping.notes, ran.note))
    if against is not None and way is not None and way.float16:
        # Its file is one that nobody else has seen.
        told = stepping.against.replace(Path(against.model).name, "emulated float16")
        stepping = structs.replace(stepping, against=told)
    others: Mapping[str, OutputValue] = {}
    if across and way is not None:
        stepping, others = across_formats.compared(
            engine, ran.subject, ran.filled, way, stepping, tolerance
        )
    return Walk(ran.subject, ran.filled, against, stepping, others)


def _with_likely_inputs(subject: Subject) -> Subject:
    """Return a model with the example of a sample where nobody gave inputs."""
    example = {} if subject.given else first_example(subject.path)
    return subject.with_given(
        {**subject.given, **{name: str(path) for name, path in example.items()}}
    )
