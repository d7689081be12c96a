"""Which part of a changed language model spoils its predictions.

Each block of layers of the changed model is put into the original, with all else as it was, and
scored on the same tokens; of the worst blocks, each layer. So the harm is measured where it
shows, in the predictions, and a block is not blamed for what those before it did.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from math import inf
from pathlib import Path

from msgspec import Struct, structs

from inspector.analysis.language.quality import Scores
from inspector.app.language.quality import (
    LanguageModel,
    TextSettings,
    against,
    spread_windows,
    windows_of,
)
from inspector.comparison.layer_pairs.model_graph import ModelGraph
from inspector.comparison.model_matching import match
from inspector.engine.client.engine import Engine
from inspector.engine.requests import ScoreTokens
from inspector.errors import BadInput, Cancelled, InspectorError
from inspector.formats import opening
from inspector.model.model import Model, Place, WeightInfo
from inspector.report.language.quality import PartQuality, Quality
from inspector.units import clip

PART_TOKENS = 512  # for each part: the order of parts hardly depends on more
MOST_PARTS = 200  # each takes a load, from 50 ms to seconds
_WORST_BLOCKS = 2  # whose layers are scored one by one
_PIECE_BYTES = 4 << 20  # of two weights that are compared
# A repeated block in names of layers: "/model/layers.3/mlp/MatMul", "transformer.h.11.attn",
# "decoder/block/0/...". The first number of the path says which one.
_BLOCK = re.compile(r"^(?P<path>.*?(?:^|[./_])(?:layers?|blocks?|h|decoder_layers)[./_]\d+)\b")
_SEPARATORS = re.compile(r"[./]+")


class DifferingPart(Struct, frozen=True):
    """Layers of which one model has another version than the other.

    name: of a block or a layer. tensors: that they make, by their names in the original.
    """

    name: str
    tensors: tuple[str, ...]
    within: str = ""


class DifferingParts(Struct, frozen=True):
    """The parts in which two models differ. shared: as of `Graft`."""

    blocks: tuple[DifferingPart, ...]
    layers: tuple[DifferingPart, ...]
    shared: tuple[tuple[str, str], ...]


def differing_parts(models: tuple[Model, Model], paths: tuple[Path, Path]) -> DifferingParts:
    """Return the blocks and layers of which two models have different versions.

    A layer differs by its operator, an attribute, or the bytes of a weight.
    """
    first, other = models
    weights = tuple({weight.name: weight for weight in model.weights} for model in models)
    shared = list[tuple[str, str]]()
    layers = list[DifferingPart]()
    for theirs, (ours, _) in match(ModelGraph(first), ModelGraph(other)).items():
        one, two = first.layers[ours], other.layers[theirs]
        if one.parent is not None or len(one.outputs) != len(two.outputs):
            continue
        made = [(y, x) for x, y in zip(one.outputs, two.outputs, strict=True) if x and y]
        shared += made
        if (one.operator, one.attributes) == (two.operator, two.attributes):
            held, others = (
                [known[name] for name in layer.inputs if name in known]
                for layer, known in zip((one, two), weights, strict=True)
            )
            if _are_equal(held, others, paths):
                continue
        if made:
            found = _BLOCK.match(one.label)
            block = _SEPARATORS.sub(".", found["path"]).strip(".") if found else ""
            layers.append(DifferingPart(one.label, tuple(x for _, x in made), block))
    groups = dict[str, list[DifferingPart]]()
    for layer in layers:
        groups.setdefault(layer.within or layer.name, []).append(layer)
    blocks = (
        DifferingPart(name, tuple(t for layer in group for t in layer.tensors))
        for name, group in groups.items()
    )
    return DifferingParts(tuple(blocks), tuple(layers), tuple(shared))


def _are_equal(
    some: Sequence[WeightInfo], others: Sequence[WeightInfo], paths: tuple[Path, Path]
) -> bool:
    """Return whether two layers have the same weights, byte by byte."""
    if len(some) != len(others):
        return False
    for one, two in zip(some, others, strict=True):
        if (one.dtype, one.shape) != (two.dtype, two.shape):
            return False
        places = one.place, two.place
        if None in places or any(p and (p.field, p.records) != ("raw_data", 1) for p in places):
            continue  # small lists of numbers, such as axes
        both = zip(places, paths, strict=True)
        pieces = [_pieces(place, path) for place, path in both if place is not None]
        if any(a != b for a, b in zip_longest(*pieces)):
            return False
    return True


def _pieces(place: Place, path: Path) -> Iterator[bytes]:
    source = path.resolve().parent / place.file if place.file else path
    with source.open("rb") as file:
        file.seek(place.offset)
        rest = place.length
        while rest > 0 and (piece := file.read(min(rest, _PIECE_BYTES))):
            rest -= len(piece)
            yield piece


def rank_parts(
    engine: Engine,
    quality: Quality,
    models: tuple[LanguageModel, LanguageModel],
    settings: TextSettings,
    share: Callable[[str, float], None] = lambda _, __: None,
) -> Iterator[Quality]:
    """Yield a comparison with more and more parts of the second model, worst first.

    Raises BadInput: the models have no layers in common; InspectorError; Cancelled.
    """
    exchange = _Exchange(engine, models, settings)
    scored, notes = list[PartQuality](), list[str]()

    def state() -> Quality:
        known = tuple(_ordered(scored))
        said = (*quality.notes, *notes, *exchange.notes)
        return structs.replace(quality, parts=known, parts_total=len(known), notes=said)

    every = exchange.parts.blocks
    blocks = every[:MOST_PARTS]
    if len(blocks) < len(every):
        notes.append(f"Only the first {len(blocks)} of {len(every)} parts were ranked.")
    for number, block in enumerate(blocks):
        share("rank layers", number / len(blocks))
        scored += exchange.scored(block)
        yield state()
    if not scored:
        raise BadInput(exchange.what, exchange.notes[0].rstrip("."))
    worst = [part.name for part in _ordered(scored)][:_WORST_BLOCKS]
    layers = [each for name in worst for each in exchange.parts.layers if each.within == name]
    for number, layer in enumerate(layers[:MOST_PARTS]):
        share("rank layers", number / len(layers))
        scored += exchange.scored(layer)
        yield state()


def worst_layers(
    engine: Engine,
    models: tuple[LanguageModel, LanguageModel],
    settings: TextSettings,
    share: Callable[[str, float], None] = lambda _, __: None,
) -> tuple[str, ...]:
    """Return the names of the layers in which two models differ, the most harmful first.

    Raises as `rank_parts`.
    """
    exchange = _Exchange(engine, models, settings)
    layers, scored = exchange.parts.layers[:MOST_PARTS], list[PartQuality]()
    for number, layer in enumerate(layers):
        share("rank layers", number / len(layers))
        scored += exchange.scored(layer)
    return tuple(part.name for part in sorted(scored, key=_harm, reverse=True))


class _Exchange:
    """Scores the first model with single parts of the second one, on the same few tokens."""

    def __init__(
        self,
        engine: Engine,
        models: tuple[LanguageModel, LanguageModel],
        settings: TextSettings,
    ) -> None:
        self._engine, (self._model, self._other) = engine, models
        first, second = (opening.open_model(each.path) for each in models)
        self.parts = differing_parts((first, second), (models[0].path, models[1].path))
        self.what = f"Could not rank the layers of {clip(self._other.title)}"
        self.notes = list[str]()
        if not self.parts.blocks:
            why = f"no layer of {clip(self._model.title)} is in it with other weights"
            raise BadInput(self.what, why)
        windows = windows_of(self._model, settings, self._other)
        self._counted = windows.counted
        self._windows = spread_windows(windows)[: max(1, PART_TOKENS // windows.counted)]

    def scored(self, part: DifferingPart) -> Iterator[PartQuality]:
        """Yield what a part does; nothing where it cannot be exchanged, and a note says why."""
        asked = ScoreTokens(
            self._model.path, self._model.spec, self._windows, self._counted,
            against(self._other), part.tensors, self.parts.shared,
        )  # fmt: skip
        scores = Scores()
        try:
            scores.add(self._engine.call(asked))
        except Cancelled:
            raise
        except InspectorError as error:
            self.notes.append(f"{clip(part.name)} could not be exchanged: {error.why}.")
            return
        divergence, ratio = scores.divergence, scores.ratio
        finite = not scores.other_not_finite and divergence is not None and ratio is not None
        yield PartQuality(
            part.name,
            len(part.tensors),
            divergence.value if finite and divergence is not None else None,
            ratio.value if finite and ratio is not None else None,
            part.within,
        )


def _harm(part: PartQuality) -> float:
    return inf if part.divergence is None else part.divergence


def _ordered(scored: list[PartQuality]) -> Iterator[PartQuality]:
    """Yield blocks, worst first, each with its layers behind it, worst first."""
    ranked = sorted(scored, key=_harm, reverse=True)
    for block in (part for part in ranked if not part.within):
        yield block
        yield from (part for part in ranked if part.within == block.name)
