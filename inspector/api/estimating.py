"""What is known before a run: the memory of language models, the latency on devices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inspector.analysis.devices.device_estimates import ModelEstimates
from inspector.analysis.language.memory import ModelMemory
from inspector.api.models import FolderOrPath, ModelOrPath, OpenedModel, open_model
from inspector.api.python_words import says_parameters
from inspector.api.tables import OneLine
from inspector.app.estimating.device_estimates import estimate_on
from inspector.app.language import memory as estimating
from inspector.engine.client.engine_process import EngineProcess
from inspector.preview.inputs.input_shapes import check_dimensions
from inspector.render.tables.estimate_json import estimate_fields
from inspector.render.tables.memory_json import memory_fields
from inspector.units import duration, size


@dataclass(frozen=True, slots=True, repr=False)
class MemoryTable(OneLine):
    """What a language model takes by context, batch and type of its cache; bytes throughout.

    bytes_per_token: of the cache, for each further token of one sequence. weights_bytes: as a
    runtime keeps them. context_limit: tokens that fit by the model; 0 where nobody knows.
    """

    bytes_per_token: int
    weights_bytes: int
    context_limit: int
    memory: ModelMemory = field(repr=False)

    def about(self) -> str:
        """Return the content in a few words."""
        return (
            f"{size(self.weights_bytes)} of weights, {size(self.bytes_per_token)} per token, "
            f"at most {self.context_limit:,} tokens"
        )

    def total_bytes(self, context: int, batch: int = 1, cache_type: str = "") -> int:
        """Return the sum with a context that is full. cache_type: instead of its own."""
        return self.memory.needs.estimate(context, batch, cache_type).total_bytes

    def largest_context(self, limit_bytes: int, batch: int = 1, cache_type: str = "") -> int:
        """Return how many tokens fit in a number of bytes; 0 if the weights do not fit."""
        return self.memory.needs.largest_context(limit_bytes, batch, cache_type)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values, as `inspector memory --json` prints them."""
        return memory_fields(self.memory)


@says_parameters
def memory(
    model: FolderOrPath,
    contexts: Sequence[int] = (),
    *,
    batches: Sequence[int] = (1,),
    cache_types: Sequence[str] = (),
) -> MemoryTable:
    """Estimate what a language model takes in memory; nothing is run.

    model: its folder, its decoder, or weights with a config.json beside them, or GGUF.
    contexts: tokens in the cache. cache_types: "float32", "float16", "int8"; by default the
    model's own and smaller ones. Raises InspectorError: it has no cache of earlier tokens.
    """
    path = model.path if isinstance(model, OpenedModel) else Path(model)
    found = estimating.memory(path, contexts, batches, cache_types)
    needs = found.needs
    return MemoryTable(needs.token_bytes, needs.kept_bytes, needs.context_limit, found)


@dataclass(frozen=True, slots=True, repr=False)
class LatencyEstimates(OneLine):
    """The latency of a model on devices that it was not run on; by id of the device.

    latency_ns: None where no device of this kind was measured, so that only a range is known.
    range_ns: of 9 in 10 models where it is validated, else what ceilings leave. fits: whether
    its memory holds the model, of devices whose memory is known; None where that is not sure.
    """

    latency_ns: dict[str, float | None]
    range_ns: dict[str, tuple[float, float]]
    validated: dict[str, bool]
    fits: dict[str, bool | None]
    estimates: ModelEstimates = field(repr=False)

    def about(self) -> str:
        """Return the content in a few words."""
        return "; ".join(
            f"{name}: {duration(low)} to {duration(high)}"
            for name, (low, high) in self.range_ns.items()
        )

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values, as `inspector estimate --json` prints them."""
        return estimate_fields(self.estimates)


@says_parameters
def estimate(
    model: ModelOrPath,
    targets: Sequence[str] | str = (),
    *,
    dimensions: Mapping[str, int] | None = None,
    context: int = 0,
) -> LatencyEstimates:
    """Estimate latency and memory of a model on devices; nothing of it is run.

    targets: ids of devices, or .json files of `inspector devices --calibrate`; one or several;
    by default CPUs like this one with 1 and 2 threads and OpenVINO. dimensions: sizes of
    dynamic axes by name. context: tokens in the cache of a language model, by default 1,024.
    Raises InspectorError: there is no such device, or the model has no layers.
    """
    opened = open_model(model)
    lengths = dict(dimensions or {})
    check_dimensions(opened.model.inputs, lengths)
    named = (targets,) if isinstance(targets, str) else targets
    with EngineProcess() as engine:
        found = estimate_on(engine, opened.path, opened.model, named, lengths, context)
    timed = {
        each.device.id: (each.latency, each.validated)
        for each in found.devices
        if each.latency is not None
    }
    return LatencyEstimates(
        {name: told.time_ns for name, (told, _) in timed.items()},
        {name: (told.low_ns, told.high_ns) for name, (told, _) in timed.items()},
        {name: validated for name, (_, validated) in timed.items()},
        {each.device.id: each.memory.fits for each in found.devices if each.memory},
        found,
    )
