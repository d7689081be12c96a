"""Convert a model, and find the layers that have to stay in float32 for `float16:keep=auto`.

The model is converted, run in emulated float16 arithmetic and compared with the original, again
and again: first the layers around results that float16 cannot hold stay in float32, then those
that add most to the error, until the outputs are right.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from inspector.app.changing import conversion as conversions
from inspector.app.changing.calibration import Feeds, NamedInput, Share, named
from inspector.app.changing.float16_check import add_inputs, emulated
from inspector.app.changing.layer_errors import layer_errors
from inspector.conversion.action import Step, finds_layers
from inspector.conversion.result import Conversion
from inspector.engine.client.engine import Engine
from inspector.errors import BadInput, Cancelled, EngineFailed, InspectorError, UnreadableFile
from inspector.formats import opening
from inspector.model.model import Model
from inspector.preview.runs.model_comparison import ModelComparison, state_outputs
from inspector.report.float16_check import Float16Check
from inspector.report.output_verdict import TYPICAL, UndecidedReason
from inspector.report.run_spec import RunSpec
from inspector.units import clip, plural

# Conversions that are tried: each takes about as long as two runs on the inputs.
MOST_ROUNDS = 16
MOST_INPUTS = 32  # that the outputs are judged on
_ERROR_INPUTS = 4  # on which the errors of layers are measured
_NAMED = 5  # layers in a note
_CAST = "Cast"
_ENDINGS = ("_float16", "_float32")  # of values that the conversion to float16 adds


def convert(
    engine: Engine,
    model: Path,
    steps: Sequence[Step],
    folder: Path,
    calibration: Iterable[NamedInput | Feeds] = (),
    share: Share = lambda _, __: None,
    name: str = "model.onnx",
    custom_ops: Sequence[str] = (),
    dimensions: Mapping[str, int] | None = None,
    found_on: Sequence[NamedInput | Feeds] | None = None,
) -> Conversion:
    """Run a recipe as `conversion.convert` does, with layers found that stay in float32.

    found_on: inputs on which they are found, by default those of calibration. The result has
    the names of these layers in its steps. Raises InspectorError.
    """
    inputs = named(calibration)
    notes: tuple[str, ...] = ()
    if any(map(finds_layers, steps)):
        tests = inputs if found_on is None else named(found_on)
        steps, notes = _with_layers(engine, model, steps, folder, tests, share, custom_ops)
    made = conversions.convert(
        engine, model, steps, folder, inputs, share, name, custom_ops, dimensions
    )
    return replace(made, notes=(*notes, *made.notes))


def _with_layers(
    engine: Engine,
    model: Path,
    steps: Sequence[Step],
    folder: Path,
    inputs: Sequence[NamedInput],
    share: Share,
    custom_ops: Sequence[str] = (),
) -> tuple[tuple[Step, ...], tuple[str, ...]]:
    """Return a recipe with the names of the layers that were found, and notes on them.

    folder: for models in between. Raises BadInput: without inputs, nothing can be found.
    """
    done, notes = list[Step](), list[str]()
    for step in steps:
        if not finds_layers(step):
            done.append(step)
            continue
        if not inputs:
            what = f"Could not convert {clip(model.name)}"
            why = f"'{step.text}' runs the model to find the layers, and there are no inputs"
            raise BadInput(what, why, "Pass a folder of typical inputs with --calibration.")
        before = model
        if done:
            made = conversions.convert(
                engine, model, done, folder, inputs, share, f"before-{model.name}", custom_ops
            )
            before = made.path
        few = _usable(engine, before, inputs, custom_ops)
        search = _Search(engine, before, step, folder, few, custom_ops)
        names = search.run(share)
        done.append(_with_keep(step, names))
        notes += search.notes(names)
    return tuple(done), tuple(notes)


def _usable(
    engine: Engine, model: Path, inputs: Sequence[NamedInput], custom_ops: Sequence[str]
) -> list[Feeds]:
    """Return the values of inputs on which a model runs. Raises InspectorError: of none."""
    usable, failed = list[Feeds](), list[InspectorError]()
    spec = RunSpec(custom_ops=tuple(custom_ops))
    for each in inputs[:MOST_INPUTS]:
        try:
            feeds = each.load()
            engine.predict(model, spec, feeds)
        except Cancelled:
            raise
        except (BadInput, UnreadableFile, EngineFailed) as error:
            failed.append(error)
        else:
            usable.append(feeds)
    if not usable:
        raise failed[0]
    return usable


def _with_keep(step: Step, names: Iterable[str]) -> Step:
    others = tuple(pair for pair in step.options if pair[0] != "keep")
    text = "+".join(names)
    return Step(step.action, (*others, ("keep", text)) if text else others)


class _Search:
    """One search for layers."""

    def __init__(
        self,
        engine: Engine,
        model: Path,
        step: Step,
        folder: Path,
        inputs: Sequence[Feeds],
        custom_ops: Sequence[str],
    ) -> None:
        self._engine, self._path, self._step, self._folder = engine, model, step, folder
        self._inputs, self._custom_ops = inputs, custom_ops
        self._model = opening.open_model(model)
        self._check: Float16Check | None = None

    def run(self, share: Share) -> tuple[str, ...]:
        """Return the names of the layers. Raises Cancelled, InspectorError."""
        layers_to_keep = dict[str, None]()
        for number in range(MOST_ROUNDS):
            share("find layers", number / MOST_ROUNDS)
            new = [
                name
                for name in self._wrong(tuple(layers_to_keep))
                if name not in layers_to_keep
            ]
            if not new:
                break
            layers_to_keep.update(dict.fromkeys(new))
        return tuple(layers_to_keep)

    def _wrong(self, kept: tuple[str, ...]) -> tuple[str, ...]:
        """Return layers that should stay in float32 beside `kept`; none if all is well."""
        made = conversions.convert(
            self._engine,
            self._path,
            (_with_keep(self._step, kept),),
            self._folder,
            name=f"kept-{self._path.name}",
            custom_ops=self._custom_ops,
        )
        try:
            run = emulated(self._engine, made)
            if run is None:
                self._check = None
                return ()
            try:
                spec = RunSpec(custom_ops=tuple(self._custom_ops))
                comparison = ModelComparison(states=state_outputs(self._model))
                add_inputs(self._engine, made, run, self._inputs, spec, comparison)
                self._check = Float16Check(run.out_of_range, comparison.verdict(TYPICAL))
                verdict = self._check.verdict
                close = verdict is not None and verdict.reason == UndecidedReason.CLOSE
                if not self._check.wrong and not close:
                    return ()
                tensors = [each.tensor for each in self._check.out_of_range]
                names = _at_tensors(opening.open_model(made.path), tensors, self._model)
                around = tuple(name for name in names if name not in kept)
                return around or self._by_error(made, run.path, kept)
            finally:
                run.close()
        finally:
            for name in made.files:
                (self._folder / name).unlink(missing_ok=True)

    def _by_error(self, made: Conversion, path: Path, kept: Sequence[str]) -> tuple[str, ...]:
        """Return the layers around the one that adds most to the error."""
        errors = layer_errors(
            self._engine, self._engine, replace(made, path=path), self._inputs[:_ERROR_INPUTS]
        )
        for each in sorted(errors, key=lambda error: -error.harm):
            names = _around(self._model, each.name, kept)
            if around := tuple(name for name in names if name not in kept):
                return around
        return ()

    def notes(self, names: Sequence[str]) -> tuple[str, ...]:
        """Return what was found, as sentences."""
        on = plural(len(self._inputs), "input")
        if self._check is not None and self._check.wrong:
            return (
                f"The outputs are still wrong in emulated float16 arithmetic on {on}: no set "
                "of float32 layers was found that helps.",
            )
        if not names:
            return (f"No layer needs float32 on {on}.",)
        more = len(names) - _NAMED
        listed = ", ".join(clip(name, 60) for name in names[:_NAMED])
        listed += f" and {more} more" if more > 0 else ""
        return (f"Kept in float32, since float16 fails there on {on}: {listed}.",)


def _around(model: Model, name: str, kept: Sequence[str]) -> tuple[str, ...]:
    """Return a layer with those that take its results; if it is kept already, those that make
    what it takes, and what they take, as far as that is kept."""
    makers = {output: layer for layer in model.layers for output in layer.outputs}
    takers: dict[str, list[str]] = {}
    names = {layer.index: layer.name or next(iter(layer.outputs), "") for layer in model.layers}
    for layer in model.layers:
        for given in layer.inputs:
            takers.setdefault(given, []).append(names[layer.index])
    start = next((layer for layer in model.layers if names[layer.index] == name), None)
    if start is None:
        return ()
    if name not in kept:
        after = (taker for output in start.outputs for taker in takers.get(output, ()))
        return (name, *after)
    producers, waiting, seen = list[str](), [start], {start.index}
    while waiting:
        layer = waiting.pop()
        for given in layer.inputs:
            maker = makers.get(given)
            if maker is None or maker.index in seen:
                continue
            seen.add(maker.index)
            if names[maker.index] in kept:
                waiting.append(maker)
            else:
                producers.append(names[maker.index])
    return tuple(producers)


def _at_tensors(model: Model, tensors: Sequence[str], original: Model) -> tuple[str, ...]:
    """Return the layers of the original that make or take tensors of a float16 model."""
    wanted, names = set(tensors), dict[str, None]()
    known = {
        key: layer.name or layer.outputs[0]
        for layer in original.layers
        if layer.outputs
        for key in (layer.name, *layer.outputs)
        if key
    }
    while True:
        # A Cast of the conversion hands its value on: those behind it take it as well.
        casts = {
            output
            for layer in model.layers
            if layer.operator == _CAST and wanted & set(layer.inputs)
            for output in layer.outputs
        }
        if casts <= wanted:
            break
        wanted |= casts
    for layer in model.layers:
        if wanted & {*layer.inputs, *layer.outputs}:
            keys = (layer.name, *layer.outputs, *map(_plain, layer.outputs))
            name = next((known[key] for key in keys if key in known), "")
            if name and not set(name) & set("+,"):
                names[name] = None
    return tuple(names)


def _plain(name: str) -> str:
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    return name
