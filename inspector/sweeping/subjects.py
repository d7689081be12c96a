"""The models of a sweep, and what one of them is measured with."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event

from inspector import readers
from inspector.engine.process import EngineProcess
from inspector.errors import BadInput
from inspector.model import Model
from inspector.preview.elements import Fed
from inspector.preview.feeds import Filled, ImageOptions, fed, fill_all
from inspector.report import InputSource, ModelIdentity, PerformanceReport, RunSpec
from inspector.units import clip

Feeds = Mapping[str, Fed]
_COURTESY_SECONDS = 0.15  # others who wait for their turn look every tenth of a second
Measure = Callable[[int, RunSpec], PerformanceReport]


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A model that is open, with its file and its hash; `identity.name` is the file's name."""

    path: Path
    model: Model
    identity: ModelIdentity


def subjects(paths: Sequence[Path]) -> tuple[Subject, ...]:
    """Open models. Raises UnreadableFile; BadInput: the same file twice."""
    opened = tuple(map(_subject, paths))
    names = [each.identity.name for each in opened]
    if len({path.resolve() for path in paths}) < len(opened):
        raise BadInput("Could not plan the sweep", "a model came twice")
    if len(set(names)) == len(names):
        return opened
    whole = [str(Path(path.absolute().parent.name) / path.name) for path in paths]
    named = zip(opened, whole, strict=True)
    return tuple(
        replace(each, identity=replace(each.identity, name=clip(name))) for each, name in named
    )


def filled(
    subject: Subject, spec: RunSpec, given: Mapping[str, str], image: ImageOptions
) -> tuple[Filled, ...]:
    """Fill the inputs of a model for a spec. Raises BadInput, UnreadableFile."""
    model = subject.model
    inputs = model.inputs + tuple(info for info in model.defaults if info.name in given)
    lengths = {dimension.name: dimension.size for dimension in spec.dimensions}
    return fill_all(inputs, given, lengths, image)


def measuring(
    engine: EngineProcess,
    models: Sequence[Subject],
    given: Mapping[str, str],
    cast: bool = False,
    feeds: Feeds | None = None,
    sources: Sequence[InputSource] = (),
) -> Measure:
    """What measures one of the models with a spec, in a fresh process, without a profiler.

    given: values of inputs as `feeds.fill_all` takes them. feeds, sources: arrays that are at
    hand for some inputs of the first model, and what they are; where a spec sets a length of
    one of their axes, they give way.
    """
    arrays = dict(feeds or {})
    pause = Event()

    def measure(number: int, spec: RunSpec) -> PerformanceReport:
        subject = models[number]
        pause.wait(_COURTESY_SECONDS)
        image = ImageOptions.of(subject.model, cast)
        made = filled(subject, spec, given, image)
        lengths = {dimension.name for dimension in spec.dimensions}
        fixed = {
            info.name
            for info in subject.model.inputs
            if lengths & {axis for axis in info.shape or () if isinstance(axis, str)}
        }
        fixed |= set(arrays) if number else set()
        own = {name: array for name, array in arrays.items() if name not in fixed}
        told = {source.name: source for source in sources if source.name in own}
        inputs = tuple(told.get(each.name, InputSource(each.name, each.value)) for each in made)
        known = {each.name for each in made}
        taken = fed(made) | {name: value for name, value in own.items() if name in known}
        asked = replace(spec, inputs=inputs, profiled_runs=0)
        return engine.measure(subject.path, subject.identity, asked, taken)

    return measure


def _subject(path: Path) -> Subject:
    model = readers.open_model(path)
    opsets = (f"{opset.domain or 'ai.onnx'} {opset.version}" for opset in model.opsets)
    identity = ModelIdentity(
        clip(path.name),
        readers.digest(path),
        model.size_bytes,
        model.parameters,
        len(model.layers),
        ", ".join(opsets),
    )
    return Subject(path, model, identity)
