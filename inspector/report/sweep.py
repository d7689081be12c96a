"""A sweep: one measurement for each combination of settings, and what came of each."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cached_property
from itertools import product
from math import prod
from pathlib import Path
from random import Random
from typing import Any

from inspector.errors import BadInput
from inspector.platform import files
from inspector.platform.data_struct import DataStruct
from inspector.report import saved_json
from inspector.report.environment import Environment
from inspector.report.output_verdict import OutputVerdict
from inspector.report.report import ModelIdentity, Throughput
from inspector.report.run_spec import SETTINGS, Dimension, RunSpec
from inspector.units import clip

SCHEMA = "sweep/1"
# Of a sweep that is read; combinations that can be planned.
LIMIT_BYTES = 256 << 20
MAX_CELLS = 5000
MAX_ROUNDS = 1000  # of a file: each is a pass over all cells
_FORMAT = saved_json.Format(
    "sweep",
    SCHEMA,
    "Measure it again.",
    {
        "": "The plots heat, lines, choice and machines need a sweep saved by "
        "`inspector sweep MODEL -o FILE`."
    },
)
MODEL = "model"
MACHINE = "machine"
DEVICE = "device"
DIMENSION_PREFIX = "dim:"
BUSY_CORES = "busy_cores"  # an axis that is no setting to choose, but what else happens
LOST = "lost"
REFUSED = "refused"
FINALIST_COUNT = 3  # fastest combinations that are measured again, interleaved
MAX_WAIT_SECONDS = 1.0  # seconds that a measurement waits at most for the processor's full pace
AXES = tuple(name for name, setting in SETTINGS.items() if setting.is_axis)
Value = str | int | bool
CellIndex = tuple[int, ...]


class CellState(StrEnum):
    """The state of a cell."""

    PENDING = "pending"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"


class Axis(DataStruct, frozen=True):
    """A setting and its values.

    name: "model", "machine", "device", "dim:NAME" for a dynamic axis, or a field of RunSpec.
    values: the values to combine.
    """

    name: str
    values: tuple[Value, ...]


class Round(DataStruct, frozen=True):
    """One measurement of a cell, in a process of its own.

    load_ns: time to create the session.
    first_prediction_ns: the first run.
    prediction_ns: the runs at full CPU speed, or all runs if these are too few.
    model_bytes: peak memory that the model added to the process.
    throughput: one entry for each number of concurrent runs.
    stolen, others: as in SystemLoad.
    full: whether `prediction_ns` are runs at full CPU speed, or the speed is unknown.
    at_full_speed: whether `prediction_ns` are runs at full CPU speed and not all runs; None in
        files of earlier versions.
    where: the machine that measured it; empty for this one.
    supported_layers, known_layers: layers that the device supports, of those whose support is
        known; both 0 where no layer was looked at.
    """

    load_ns: int
    first_prediction_ns: int
    prediction_ns: tuple[int, ...]
    model_bytes: int
    throughput: tuple[Throughput, ...] = ()
    stolen: float | None = None
    others: float | None = None
    full: bool = True
    at_full_speed: bool | None = None
    where: str = ""
    supported_layers: int = 0
    known_layers: int = 0


def full_speed_rounds(rounds: tuple[Round, ...]) -> tuple[Round, ...]:
    """Return the comparable rounds: those at full CPU speed, or all where there are none."""
    return tuple(each for each in rounds if each.full) or rounds


class Cell(DataStruct, frozen=True):
    """One combination of settings.

    at: index of the value on each axis.
    state: whether it has been measured.
    why: why it failed or was skipped.
    rounds: its measurements, one for each process.
    failure: how it failed: LOST if its machine went away, REFUSED if the machine does not run
        such jobs, "" otherwise.
    """

    at: CellIndex
    state: CellState = CellState.PENDING
    why: str = ""
    rounds: tuple[Round, ...] = ()
    failure: str = ""


class Agreement(DataStruct, frozen=True):
    """Agreement of a model's outputs with those of the first model of a sweep.

    psnr: lowest peak signal-to-noise ratio of its outputs, in dB; None if they are equal or
        cannot be compared.
    equal: whether all outputs are equal.
    same_top: whether the class with the highest score is the same.
    why: why they could not be compared; empty if they could.
    verdict: whether they are still right; None of the first model, where they could not be
        compared, and in files of earlier versions.
    """

    psnr: float | None = None
    equal: bool = False
    same_top: bool | None = None
    why: str = ""
    verdict: OutputVerdict | None = None


class Sweep(DataStruct, frozen=True, dict=True, weakref=True):
    """All combinations of some settings, each measured `rounds` times in random order.

    models: the measured models.
    spec: the settings that no axis changes.
    axes: the settings that change.
    cells: one for each combination.
    rounds: processes for each cell.
    confirm: extra processes for the FINALIST_COUNT best cells of each model, because the
        best of many is partly luck.
    seed: of the random order.
    created: date and time, ISO 8601 with a time zone.
    environment: the machine and its software; of several machines, the first that answered.
    environments: for each value of the axis "machine", its environment; None before it
        answered.
    agreements: for each model, how its outputs agree with those of the first; empty if not
        compared.
    ended: why it stopped early; empty otherwise.
    notes: sentences that a reader of the numbers should know, such as guessed sizes of
        dynamic axes.
    """

    models: tuple[ModelIdentity, ...]
    spec: RunSpec
    axes: tuple[Axis, ...]
    cells: tuple[Cell, ...]
    rounds: int = 2
    confirm: int = 0
    seed: int = 0
    created: str = ""
    environment: Environment | None = None
    agreements: tuple[Agreement, ...] = ()
    ended: str = ""
    notes: tuple[str, ...] = ()
    environments: tuple[Environment | None, ...] = ()

    def value(self, cell: Cell, axis: str) -> Value | None:
        """Return the value of a cell on an axis; None where the sweep has no such axis."""
        places = (i for i, each in enumerate(self.axes) if each.name == axis)
        place = next(places, None)
        return None if place is None else self.axes[place].values[cell.at[place]]

    def model_of(self, cell: Cell) -> int:
        """Index into `models`."""
        places = (i for i, axis in enumerate(self.axes) if axis.name == MODEL)
        place = next(places, None)
        return 0 if place is None else cell.at[place]

    def machine_of(self, cell: Cell) -> int:
        """Index into the values of the axis "machine"; 0 without one."""
        places = (i for i, axis in enumerate(self.axes) if axis.name == MACHINE)
        place = next(places, None)
        return 0 if place is None else cell.at[place]

    def spec_of(self, cell: Cell) -> RunSpec:
        """Return the settings that a cell measures."""
        spec = self.spec
        for axis, place in zip(self.axes, cell.at, strict=True):
            spec = _with_value(spec, axis.name, axis.values[place])
        return spec

    def has_added_load(self, cell: Cell) -> bool:
        """Return whether other processes keep cores busy while a cell is measured."""
        return bool(self.value(cell, BUSY_CORES))

    @cached_property
    def by_place(self) -> dict[CellIndex, Cell]:
        """Cells by their place."""
        return {cell.at: cell for cell in self.cells}

    def order(self) -> tuple[CellIndex, ...]:
        """Return the cells left to measure, one entry for each round, each round shuffled anew.

        Drift of the machine then falls on all cells alike, not on the last ones.
        """
        remaining: list[CellIndex] = []
        for number in range(self.rounds):
            places = [cell.at for cell in self.cells]
            Random(f"{self.seed} {number}").shuffle(places)
            remaining += [
                place
                for place in places
                if self.by_place[place].state is CellState.PENDING
                and len(self.by_place[place].rounds) <= number
            ]
        return tuple(remaining)

    def last_order(self, finalists: Sequence[CellIndex]) -> tuple[CellIndex, ...]:
        """Return the finalists left to measure, interleaved; they come after other cells."""
        remaining: list[CellIndex] = []
        for number in range(self.rounds, self.rounds + self.confirm):
            places = [p for p in finalists if len(self.by_place[p].rounds) <= number]
            Random(f"{self.seed} {number}").shuffle(places)
            remaining += places
        return tuple(remaining)

    def put(self, cell: Cell) -> "Sweep":
        """Return a copy of the sweep with one cell replaced."""
        return replace(
            self, cells=tuple(cell if old.at == cell.at else old for old in self.cells)
        )

    def measured(self, place: CellIndex, round_: Round) -> "Sweep":
        """The sweep after one more measurement."""
        cell = self.by_place[place]
        rounds = (*cell.rounds, round_)
        state = CellState.DONE if len(rounds) >= self.rounds else CellState.PENDING
        return self.put(replace(cell, rounds=rounds, state=state))

    def failed(self, place: CellIndex, why: str, failure: str = "") -> "Sweep":
        """The sweep where a cell could not be measured; why, failure: as in Cell."""
        cell = self.by_place[place]
        return self.put(replace(cell, state=CellState.FAILED, why=why, failure=failure))


def plan(
    models: Sequence[ModelIdentity],
    spec: RunSpec,
    axes: Sequence[Axis],
    rounds: int = 2,
    seed: int = 0,
    confirm: int = 0,
) -> Sweep:
    """Lay out all cells; those that would measure nothing new are skipped, with the reason.

    Several models make an axis of their own, the first. Raises BadInput: no cell, too many,
    or an axis that is none.
    """
    setting_axes = [axis for axis in axes if axis.name != MODEL]
    for axis in setting_axes:
        _check_axis(axis)
    names = tuple(model.name for model in models)
    all_axes = (Axis(MODEL, names), *setting_axes) if len(models) > 1 else tuple(setting_axes)
    if len({axis.name for axis in all_axes}) < len(all_axes):
        raise BadInput("Could not plan the sweep", "a setting is listed twice")
    places = list(product(*(range(len(axis.values)) for axis in all_axes)))
    if len(places) > MAX_CELLS:
        why = f"it would have {len(places):,} combinations; the limit is {MAX_CELLS:,}"
        raise BadInput("Could not plan the sweep", why, "Use fewer values.")
    empty = Sweep(
        tuple(models), spec, all_axes, tuple(map(Cell, places)), rounds, confirm, seed
    )
    return replace(empty, cells=tuple(_skip_duplicates(empty)))


def count_cells(axes: Sequence[Axis], spec: RunSpec, models: int = 1) -> int:
    """Return how many cells `plan` would measure, without those that it skips."""
    values = {axis.name: axis.values for axis in axes}
    inter, modes = (
        len(values.pop("inter_threads", (0,))),
        values.pop("execution_mode", (spec.execution_mode,)),
    )
    parallel = sum(mode != "sequential" for mode in modes)
    return models * prod(map(len, values.values())) * (len(modes) + parallel * (inter - 1))


def resume(planned: Sweep, earlier: Sweep, failures: bool = False) -> Sweep:
    """A plan with the cells that an earlier sweep has finished: same model, same settings, same
    machine.

    failures: whether cells that failed stay so; else they are measured again.
    """
    kept = {
        _key(earlier, cell): cell
        for cell in earlier.cells
        if cell.rounds or (failures and cell.state is CellState.FAILED)
    }
    cells = []
    for cell in planned.cells:
        old = kept.get(_key(planned, cell)) if cell.state is CellState.PENDING else None
        if old is not None and failures and old.state is CellState.FAILED:
            cell = replace(old, at=cell.at)
        elif old is not None:
            state = CellState.DONE if len(old.rounds) >= planned.rounds else CellState.PENDING
            cell = replace(cell, rounds=old.rounds, state=state)
        cells.append(cell)
    same_models = [m.sha256 for m in planned.models] == [m.sha256 for m in earlier.models]
    return replace(
        planned, cells=tuple(cells), agreements=earlier.agreements if same_models else ()
    )


def _key(sweep: Sweep, cell: Cell) -> tuple[object, ...]:
    model, machine = sweep.models[sweep.model_of(cell)].sha256, sweep.value(cell, MACHINE)
    return model, machine, sweep.spec_of(cell)


def to_json(sweep: Sweep) -> bytes:
    """Write a sweep as sweep/1, one object."""
    return saved_json.encode(sweep, SCHEMA)


def from_json(body: bytes, name: str) -> Sweep:
    """Read sweep/1. Raises UnreadableFile: not a sweep, a newer schema, or damaged."""
    return saved_json.decode(body, Sweep, _FORMAT, name, _validate)


def _validate(sweep: Sweep) -> Sweep:
    """Return a decoded sweep whose cells fit its axes, and these RunSpec. Raises ValueError."""
    if not sweep.models or len(sweep.agreements) not in (0, len(sweep.models)):
        raise ValueError(
            "it has no models, or the number of output comparisons does not match the "
            "number of models"
        )
    if sweep.rounds + sweep.confirm > MAX_ROUNDS:
        rounds = f"{sweep.rounds + sweep.confirm:,} rounds"
        raise ValueError(f"it has {rounds}, more than the maximum of {MAX_ROUNDS:,}")
    for axis in sweep.axes:
        try:
            if axis.name != MODEL:
                _check_axis(axis)
        except BadInput as error:
            raise ValueError(f"axis '{clip(axis.name, 40)}': {error.why}") from error
        if axis.name.startswith(DIMENSION_PREFIX):
            kind: type = int
        else:
            settings = (BUSY_CORES, *AXES)
            kind = type(getattr(RunSpec(), axis.name)) if axis.name in settings else str
        if any(type(value) is not kind for value in axis.values):
            raise ValueError(f"axis '{clip(axis.name, 40)}' has values of the wrong type")
        if axis.name == MODEL and len(axis.values) > len(sweep.models):
            raise ValueError("its combinations do not match its models")
    if len({axis.name for axis in sweep.axes}) < len(sweep.axes):
        raise ValueError("a setting appears twice")
    # The axes of a file of 1 kB can span 2^100 cells: count before laying them out.
    lengths = tuple(len(axis.values) for axis in sweep.axes)
    fine = prod(lengths) == len(sweep.cells)
    places = sorted(cell.at for cell in sweep.cells)
    if not fine or places != sorted(product(*map(range, lengths))):
        raise ValueError("its combinations do not match its settings")
    return sweep


def save(sweep: Sweep, path: Path) -> None:
    """Write a sweep whole or not at all. Raises NotSaved; an earlier file stays then."""
    files.write_atomic(path, to_json(sweep))


def load(path: Path) -> Sweep:
    """Read a sweep from a file. Raises UnreadableFile."""
    return from_json(files.read_capped(path, LIMIT_BYTES), path.name)


def _check_axis(axis: Axis) -> None:
    is_axis = axis.name in (MACHINE, DEVICE, BUSY_CORES, *AXES) or axis.name.startswith(
        DIMENSION_PREFIX
    )
    failure = f"Could not sweep over {clip(axis.name, 60)}"
    if not is_axis:
        raise BadInput(failure, "there is no such setting")
    if not axis.values or len(set(axis.values)) < len(axis.values):
        raise BadInput(failure, "it must have at least one value and no duplicates")


def _with_value(spec: RunSpec, name: str, value: Value) -> RunSpec:
    if name in (MODEL, MACHINE):
        return spec
    if name == DEVICE:
        devices = tuple(str(value).split("+"))
        return replace(spec, devices=devices)
    if name.startswith(DIMENSION_PREFIX):
        free = name.removeprefix(DIMENSION_PREFIX)
        rest = tuple(each for each in spec.dimensions if each.name != free)
        return replace(spec, dimensions=(*rest, Dimension(free, int(value))))
    if name == BUSY_CORES and value:  # waiting for full speed would wait for the other load
        spec = replace(spec, steady=0.0)
    changed: dict[str, Any] = {name: value}
    return replace(spec, **changed)


def _skip_duplicates(sweep: Sweep) -> Iterator[Cell]:
    """Leave out what would measure again what another cell measures."""
    first = next((a.values[0] for a in sweep.axes if a.name == "inter_threads"), None)
    for cell in sweep.cells:
        inter = sweep.value(cell, "inter_threads")
        sequential = sweep.spec_of(cell).execution_mode == "sequential"
        if sequential and inter is not None and inter != first:
            why = "Inter-op threads have no effect with sequential execution."
            yield replace(cell, state=CellState.SKIPPED, why=why)
        else:
            yield cell
